"""Static files under hashed names, ES module imports included."""

from __future__ import annotations

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModules(CompressedManifestStaticFilesStorage):
    """Rewrites ``import`` to hashed names in our own modules only.

    Packages' scripts hold import-like text in comments, which the pattern would take for imports
    of files that don't exist.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = (
        "pages/*.js",
        HashedFilesMixin._js_module_import_aggregation_patterns[1],
    )
