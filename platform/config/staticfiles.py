"""Static files under hashed names, ES module imports included."""

from __future__ import annotations

from django.contrib.staticfiles import storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, _MODULE_IMPORTS = getattr(storage.HashedFilesMixin, "_js_module_import_aggregation_patterns")  # noqa: B009


class HashedModules(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Rewrites ``import`` to hashed names in our own modules only.

    Packages' scripts hold import-like text in comments, which the pattern would take for imports
    of files that don't exist.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("pages/*.js", _MODULE_IMPORTS)
