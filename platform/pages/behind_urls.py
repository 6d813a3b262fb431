"""Addresses of the pages behind an event."""

from __future__ import annotations

from django.urls import path

from pages.views import claiming, correcting, log, officials

BEHIND = [
    path("tournaments/<slug:slug>/officials", officials.officials, name="officials"),
    path("tournaments/<slug:slug>/log", log.log, name="log"),
    path("tournaments/<slug:slug>/log.<slug:form>", log.download, name="log_download"),
    path(
        "tournaments/<slug:slug>/pairings/<int:number>/correct",
        correcting.correct,
        name="correct",
    ),
    path("claim/<slug:key>", claiming.claim, name="claim"),
    path("invited/<slug:key>", officials.invited, name="invited"),
]
