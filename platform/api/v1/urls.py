"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path, re_path

from api.v1 import ladders, leagues, matches, me, players, quick, ratings
from api.v1.tournaments.urls import urlpatterns as tournaments

HANDLE = r"(?P<handle>[a-z0-9][a-z0-9_-]{0,39})"
MATCH = r"(?P<match_id>[0-9A-Za-z]{12})"
POOL = r"(?P<pool>[a-z0-9]{1,12}-[a-z0-9]{1,12})"

urlpatterns = [
    path("me/", me.Me.as_view(), name="me"),
    path("me/notices/", me.NoticeList.as_view(), name="me_notices"),
    path("me/notices/read/", me.NoticesRead.as_view(), name="me_read_notices"),
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
    re_path(
        rf"^players/{HANDLE}/ratings/{POOL}/opponents/$",
        players.RatingOpponents.as_view(),
        name="rating_opponents",
    ),
    re_path(
        rf"^players/{HANDLE}/ratings/{POOL}/form/$",
        players.RatingForm.as_view(),
        name="rating_form",
    ),
    re_path(
        rf"^players/{HANDLE}/ratings/{POOL}/best-events/$",
        players.RatingBestEvents.as_view(),
        name="best_events",
    ),
    re_path(
        rf"^players/{HANDLE}/honours/$", players.PlayerHonours.as_view(), name="player_honours"
    ),
    path("ratings/", ratings.PoolList.as_view(), name="pools"),
    re_path(rf"^ratings/{POOL}/$", ratings.Ladder.as_view(), name="ladder"),
    path("ratings/seasons/", ratings.SeasonList.as_view(), name="seasons"),
    re_path(
        rf"^ratings/{POOL}/seasons/(?P<season>[0-9]{{1,4}})/$",
        ratings.SeasonLadder.as_view(),
        name="season_ladder",
    ),
    path("matches/", matches.MatchList.as_view(), name="matches"),
    path("matches/live/", matches.LiveMatches.as_view(), name="live_matches"),
    re_path(rf"^matches/{MATCH}/$", matches.MatchDetail.as_view(), name="match"),
    re_path(rf"^matches/{MATCH}/record/$", matches.MatchRecord.as_view(), name="match_record"),
    path("quick/queues/", quick.QueueList.as_view(), name="quick_queues"),
    path("quick/seeks/", quick.OwnSeek.as_view(), name="quick_seek"),
    path("quick/bot/", quick.PlayBot.as_view(), name="quick_bot"),
    path("ladders/", ladders.LadderList.as_view(), name="challenge_ladders"),
    path("ladders/<slug:ladder>/", ladders.LadderDetail.as_view(), name="challenge_ladder"),
    path("ladders/<slug:ladder>/places/", ladders.PlaceList.as_view(), name="ladder_places"),
    path("ladders/<slug:ladder>/played/", ladders.PlayedList.as_view(), name="ladder_played"),
    path("ladders/<slug:ladder>/challenges/", ladders.ChallengeList.as_view(), name="challenges"),
    path(
        "ladders/<slug:ladder>/challenges/<int:challenge>/",
        ladders.ChallengeAnswer.as_view(),
        name="challenge",
    ),
    path(
        "ladders/<slug:ladder>/challenges/<int:challenge>/result/",
        ladders.ChallengeResult.as_view(),
        name="challenge_result",
    ),
    path("leagues/", leagues.LeagueList.as_view(), name="leagues"),
    path("leagues/<slug:league>/", leagues.LeagueDetail.as_view(), name="league"),
    path("leagues/<slug:league>/players/", leagues.LeaguePlayers.as_view(), name="league_players"),
    re_path(
        rf"^leagues/(?P<league>[-a-zA-Z0-9_]+)/players/{HANDLE}/$",
        leagues.LeaguePlayerDetail.as_view(),
        name="league_player",
    ),
    path("leagues/<slug:league>/next/", leagues.LeagueProposal.as_view(), name="league_next"),
    path("leagues/<slug:league>/seasons/", leagues.SeasonList.as_view(), name="seasons"),
    path(
        "leagues/<slug:league>/seasons/<int:number>/",
        leagues.SeasonDetail.as_view(),
        name="season",
    ),
    path(
        "leagues/<slug:league>/seasons/<int:number>/close/",
        leagues.SeasonClose.as_view(),
        name="season_close",
    ),
    *tournaments,
]
