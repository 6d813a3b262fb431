"""Addresses of the pages."""

from django.urls import path

from pages.behind_urls import BEHIND
from pages.views import clubs, events, home, ladder, leagues, players, tables, texts, tournaments

app_name = "pages"

urlpatterns = [
    path("", home.home, name="home"),
    path("parts/lobby", home.lobby_part, name="lobby"),
    path("parts/waiting", home.waiting_part, name="waiting"),
    path("play/bot", tables.play_bot, name="play_bot"),
    path("play/friend", tables.play_friend, name="play_friend"),
    path("tables/new", tables.new_table, name="new_table"),
    path("t/<slug:match_id>", tables.table, name="table"),
    path("t/<slug:match_id>/join", tables.join, name="join_table"),
    path("t/<slug:match_id>/share", tables.share, name="share_table"),
    path("t/<slug:match_id>/share/state", tables.share_part, name="share_state"),
    path("t/<slug:match_id>/record.json", tables.record, name="record"),
    path("watch", home.watch, name="watch"),
    path("parts/watch", home.watch_part, name="watch_part"),
    path("ladder", ladder.ladder, name="ladder"),
    path("@<slug:handle>", players.player, name="player"),
    path("tournaments", tournaments.listing, name="tournaments"),
    path("tournaments/new", tournaments.new, name="new_tournament"),
    path("tournaments/<slug:slug>", tournaments.tournament, name="tournament"),
    path(
        "tournaments/<slug:slug>/state/<slug:section>",
        tournaments.state_part,
        name="tournament_state",
    ),
    path("tournaments/<slug:slug>/edit", tournaments.edit, name="edit_tournament"),
    *BEHIND,
    path("tournaments/<slug:slug>/screen", events.projector, name="screen"),
    path("tournaments/<slug:slug>/screen/state", events.projector_part, name="screen_state"),
    path("tournaments/<slug:slug>/print/<slug:what>", events.paper, name="print"),
    path("tournaments/<slug:slug>/<slug:what>.csv", events.export, {"kind": "csv"}, name="csv"),
    path("tournaments/<slug:slug>/<slug:what>.json", events.export, {"kind": "json"}, name="json"),
    path("tournaments/<slug:slug>/calendar.ics", events.event_calendar, name="event_calendar"),
    path("tournaments/<slug:slug>/entries", tournaments.entry_list, name="entries"),
    path("tournaments/<slug:slug>/entries/import", tournaments.entry_import, name="import_entries"),
    path("tournaments/<slug:slug>/in/<slug:key>", tournaments.by_link, name="tournament_link"),
    # Addresses of their own belong above: here are the page's sections, and its buttons.
    path("tournaments/<slug:slug>/<slug:name>", tournaments.inside, name="tournament_section"),
    path("tournaments/<slug:slug>/<slug:name>", tournaments.inside, name="tournament_do"),
    path("calendar.ics", events.all_calendar, name="calendar"),
    path("calendar/club/<slug:slug>.ics", events.club_calendar, name="club_calendar"),
    path("calendar/<slug:handle>/<slug:key>.ics", events.own_calendar, name="own_calendar"),
    path("clubs", clubs.listing, name="clubs"),
    path("clubs/new", clubs.new, name="new_club"),
    path("clubs/<slug:slug>", clubs.club, name="club"),
    path("clubs/<slug:slug>/edit", clubs.edit, name="edit_club"),
    path("clubs/<slug:slug>/<slug:deed>", clubs.do, name="club_do"),
    path("leagues", leagues.listing, name="leagues"),
    path("leagues/new", leagues.new, name="new_league"),
    path("leagues/<slug:slug>", leagues.league, name="league"),
    path("leagues/<slug:slug>/edit", leagues.edit, name="edit_league"),
    path("leagues/<slug:slug>/next", leagues.next_season, name="next_season"),
    path("leagues/<slug:slug>/<slug:deed>", leagues.do, name="league_do"),
    path("rules", texts.rules, name="rules"),
    path("rules/<slug:slug>", texts.rules, name="rules_of"),
    path("about", texts.about, name="about"),
]
