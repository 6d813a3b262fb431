"""Addresses under /api/."""

from __future__ import annotations

from django.urls import include, path, re_path

from api.views import Docs, NothingHere, Schema

app_name = "api"

urlpatterns = [
    path("v1/", include("api.v1.urls")),
    path("schema/", Schema.as_view(), name="schema"),
    path("docs/", Docs.as_view(), name="docs"),
    re_path(r"", NothingHere.as_view(), name="nothing"),
]
