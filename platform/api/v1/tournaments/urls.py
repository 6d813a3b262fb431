"""Addresses under /api/v1/tournaments/, a resource a line."""

from __future__ import annotations

from django.urls import path, re_path

from api.v1.tournaments import (
    apart,
    arena,
    desk,
    entrants,
    entries,
    events,
    officials,
    pairs,
    results,
    rounds,
    seats,
    stages,
)

HANDLE = r"(?P<handle>[a-z0-9][a-z0-9_-]{0,39})"
SLUG = r"(?P<slug>[-a-zA-Z0-9_]+)"

urlpatterns = [
    path("tournaments/", events.TournamentList.as_view(), name="tournaments"),
    path("tournaments/<slug:slug>/", events.TournamentDetail.as_view(), name="tournament"),
    path("tournaments/<slug:slug>/open/", events.TournamentOpen.as_view(), name="tournament_open"),
    path(
        "tournaments/<slug:slug>/announce/",
        events.TournamentAnnounce.as_view(),
        name="tournament_announce",
    ),
    path(
        "tournaments/<slug:slug>/close/", events.TournamentClose.as_view(), name="tournament_close"
    ),
    path("tournaments/<slug:slug>/link/", events.TournamentLink.as_view(), name="tournament_link"),
    path("tournaments/<slug:slug>/copy/", events.TournamentCopy.as_view(), name="tournament_copy"),
    path(
        "tournaments/<slug:slug>/next-week/",
        events.TournamentNextWeek.as_view(),
        name="tournament_next_week",
    ),
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
    path("tournaments/<slug:slug>/roster/", entries.Roster.as_view(), name="roster"),
    path(
        "tournaments/<slug:slug>/entries/<int:entrant>/time/",
        entries.EntryTime.as_view(),
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:entrant>/table/",
        entries.EntryTable.as_view(),
        name="entry_table",
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:entrant>/check-in/",
        entries.EntryCheckIn.as_view(),
        name="entry_check_in",
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:entrant>/return/",
        entries.EntryReturn.as_view(),
        name="entry_return",
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:entrant>/replacement/",
        entries.EntryReplacement.as_view(),
        name="entry_replacement",
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:entrant>/rests/",
        entries.EntryRests.as_view(),
        name="entry_rests",
    ),
    path(
        "tournaments/<slug:slug>/entries/<int:entrant>/rests/<int:stage>/<int:number>/",
        entries.EntryRest.as_view(),
        name="entry_rest",
    ),
    path("tournaments/<slug:slug>/apart/", apart.ApartList.as_view(), name="apart"),
    path(
        "tournaments/<slug:slug>/apart/<int:apart>/",
        apart.ApartDetail.as_view(),
        name="apart_wish",
    ),
    path(
        "tournaments/<slug:slug>/pair-invitations/",
        pairs.PairInvitationList.as_view(),
        name="pair_invitations",
    ),
    path(
        "tournaments/<slug:slug>/pair-invitations/<slug:key>/",
        pairs.PairInvitationDetail.as_view(),
        name="pair_invitation",
    ),
    path("tournaments/<slug:slug>/exchange/", seats.SeatExchange.as_view(), name="seat_exchange"),
    path(
        "tournaments/<slug:slug>/pairings/<int:number>/lead/",
        seats.PairingLead.as_view(),
        name="pairing_lead",
    ),
    path("tournaments/<slug:slug>/bots/", entrants.BotList.as_view(), name="bots"),
    path("tournaments/<slug:slug>/stages/", stages.TournamentStages.as_view(), name="stages"),
    path("tournaments/<slug:slug>/rounds/", desk.RoundList.as_view(), name="rounds"),
    path("tournaments/<slug:slug>/rounds/<int:number>/", desk.RoundDetail.as_view(), name="round"),
    path(
        "tournaments/<slug:slug>/pairings/<int:number>/sheets/",
        desk.PairingSheets.as_view(),
        name="sheets",
    ),
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
    path(
        "tournaments/<slug:slug>/pairings/<int:number>/preview/",
        results.CorrectionPreview.as_view(),
        name="preview",
    ),
    path("tournaments/<slug:slug>/officials/", officials.OfficialList.as_view(), name="officials"),
    re_path(
        rf"^tournaments/{SLUG}/officials/{HANDLE}/$",
        officials.OfficialDetail.as_view(),
        name="official",
    ),
    path(
        "tournaments/<slug:slug>/invitations/",
        officials.InvitationList.as_view(),
        name="invitations",
    ),
    path(
        "tournaments/<slug:slug>/invitations/<int:invitation>/",
        officials.InvitationDetail.as_view(),
        name="invitation",
    ),
    path("tournaments/<slug:slug>/log/", officials.AuditLog.as_view(), name="log"),
    path("tournaments/<slug:slug>/arena/", arena.TournamentArena.as_view(), name="arena"),
    path("tournaments/<slug:slug>/arena/begin/", arena.ArenaBegin.as_view(), name="arena_begin"),
    path(
        "tournaments/<slug:slug>/arena/matches/",
        arena.ArenaMatches.as_view(),
        name="arena_matches",
    ),
    path("tournaments/<slug:slug>/arena/pause/", arena.ArenaPause.as_view(), name="arena_pause"),
    path("tournaments/<slug:slug>/arena/resume/", arena.ArenaResume.as_view(), name="arena_resume"),
]
