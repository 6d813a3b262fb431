"""The site's addresses, by part; those of pages begin with the language, unless it is English."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", include("api.urls")),
    *i18n_patterns(
        path("accounts/", include("players.urls")),
        path("", include("pages.urls")),
        prefix_default_language=False,
    ),
]
