"""Static files: stored under hashed names, ES module imports included, and served whole."""

from __future__ import annotations

from django.contrib.staticfiles import storage
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, _MODULE_IMPORTS = getattr(storage.HashedFilesMixin, "_js_module_import_aggregation_patterns")  # noqa: B009


class HashedModules(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Rewrites ``import`` to hashed names in our own modules only.

    Packages' scripts hold import-like text in comments, which the pattern would take for imports
    of files that don't exist.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("pages/*.js", _MODULE_IMPORTS)


class WholeFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise without streaming: under ASGI Django reads a file's iterator to its end anyway,
    and warns of it at each file."""

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        body = b""
        if found.file is not None:
            with found.file:
                body = found.file.read()
        response = HttpResponse(body, status=int(found.status))
        del response["content-type"]
        for name, value in found.headers:
            response[name] = value
        return response
