"""Addresses under /api/v1/tournaments/, a resource a line."""

from __future__ import annotations

from django.urls import path, re_path

from api.v1.tournaments import entrants, events, results, rounds, stages

HANDLE = r"(?P<handle>[a-z0-9][a-z0-9_-]{0,39})"
SLUG = r"(?P<slug>[-a-zA-Z0-9_]+)"

urlpatterns = [
    path("tournaments/", events.TournamentList.as_view(), name="tournaments"),
    path("tournaments/<slug:slug>/", events.TournamentDetail.as_view(), name="tournament"),
    path("tournaments/<slug:slug>/open/", events.TournamentOpen.as_view(), name="tournament_open"),
    path(
        "tournaments/<slug:slug>/start/",
        events.TournamentStart.as_view(),
        name="tournament_start",
    ),
    path(
        "tournaments/<slug:slug>/cancel/",
        events.TournamentCancel.as_view(),
        name="tournament_cancel",
    ),
    path("tournaments/<slug:slug>/entrants/", entrants.EntrantList.as_view(), name="entrants"),
    re_path(
        rf"^tournaments/{SLUG}/entrants/{HANDLE}/$",
        entrants.EntrantDetail.as_view(),
        name="entrant",
    ),
    path("tournaments/<slug:slug>/bots/", entrants.BotList.as_view(), name="bots"),
    path("tournaments/<slug:slug>/stages/", stages.TournamentStages.as_view(), name="stages"),
    path("tournaments/<slug:slug>/bracket/", rounds.TournamentBracket.as_view(), name="bracket"),
    path(
        "tournaments/<slug:slug>/standings/",
        rounds.TournamentStandings.as_view(),
        name="standings",
    ),
    path(
        "tournaments/<slug:slug>/pairings/<int:number>/results/",
        results.PairingResults.as_view(),
        name="results",
    ),
]
