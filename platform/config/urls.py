"""The site's addresses, by part; those of pages begin with the language, unless it is English."""

from collections.abc import Callable

from allauth.account.decorators import secure_admin_login
from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.http import HttpResponseBase
from django.urls import include, path
from django.views.generic.base import RedirectView

from pages.views import status

# Staff come in as everyone does, by the second step too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


def _moved(name: str) -> Callable[..., HttpResponseBase]:
    return RedirectView.as_view(pattern_name=name, query_string=True)


urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/", include("api.urls")),
    path("healthz", status.healthz, name="healthz"),
    path("readyz", status.readyz, name="readyz"),
    path("status.json", status.status_json, name="status_json"),
    *i18n_patterns(
        path("accounts/", include("players.urls")),
        path("accounts/login/", _moved("players:sign_in")),
        path("accounts/signup/", _moved("players:sign_up")),
        path("accounts/", include("allauth.urls")),
        path("", include("pages.urls")),
        prefix_default_language=False,
    ),
]
