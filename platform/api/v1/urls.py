"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path, re_path

from api.v1 import matches, players, ratings, tournaments

HANDLE = r"(?P<handle>[a-z0-9][a-z0-9_-]{0,39})"
MATCH = r"(?P<match_id>[0-9A-Za-z]{12})"
POOL = r"(?P<pool>[a-z0-9]{1,12}-[a-z0-9]{1,12})"

urlpatterns = [
    path("players/", players.PlayerList.as_view(), name="players"),
    re_path(rf"^players/{HANDLE}/$", players.PlayerDetail.as_view(), name="player"),
    re_path(
        rf"^players/{HANDLE}/ratings/$", players.PlayerRatings.as_view(), name="player_ratings"
    ),
    re_path(
        rf"^players/{HANDLE}/ratings/{POOL}/history/$",
        players.RatingHistory.as_view(),
        name="rating_history",
    ),
    path("ratings/", ratings.PoolList.as_view(), name="pools"),
    re_path(rf"^ratings/{POOL}/$", ratings.Ladder.as_view(), name="ladder"),
    path("matches/", matches.MatchList.as_view(), name="matches"),
    path("matches/live/", matches.LiveMatches.as_view(), name="live_matches"),
    re_path(rf"^matches/{MATCH}/$", matches.MatchDetail.as_view(), name="match"),
    re_path(rf"^matches/{MATCH}/record/$", matches.MatchRecord.as_view(), name="match_record"),
    path("tournaments/", tournaments.TournamentList.as_view(), name="tournaments"),
    path("tournaments/<slug:slug>/", tournaments.TournamentDetail.as_view(), name="tournament"),
    path(
        "tournaments/<slug:slug>/open/",
        tournaments.TournamentOpen.as_view(),
        name="tournament_open",
    ),
    path(
        "tournaments/<slug:slug>/start/",
        tournaments.TournamentStart.as_view(),
        name="tournament_start",
    ),
    path(
        "tournaments/<slug:slug>/cancel/",
        tournaments.TournamentCancel.as_view(),
        name="tournament_cancel",
    ),
    path("tournaments/<slug:slug>/entrants/", tournaments.EntrantList.as_view(), name="entrants"),
    re_path(
        rf"^tournaments/(?P<slug>[-a-zA-Z0-9_]+)/entrants/{HANDLE}/$",
        tournaments.EntrantDetail.as_view(),
        name="entrant",
    ),
    path("tournaments/<slug:slug>/bots/", tournaments.BotList.as_view(), name="bots"),
    path(
        "tournaments/<slug:slug>/bracket/",
        tournaments.TournamentBracket.as_view(),
        name="bracket",
    ),
    path(
        "tournaments/<slug:slug>/standings/",
        tournaments.TournamentStandings.as_view(),
        name="standings",
    ),
    path(
        "tournaments/<slug:slug>/pairings/<int:number>/results/",
        tournaments.PairingResults.as_view(),
        name="results",
    ),
]
