"""Addresses of the pages."""

from django.urls import path

from pages.views import home, ladder, players, ranks, tables, texts, tournaments

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
    path("tournaments/<slug:slug>/rank/<int:seed>", ranks.rank, name="tournament_rank"),
    # Addresses of their own belong above: here are the page's sections, and its buttons.
    path("tournaments/<slug:slug>/<slug:name>", tournaments.inside, name="tournament_section"),
    path("tournaments/<slug:slug>/<slug:name>", tournaments.inside, name="tournament_do"),
    path("rules", texts.rules, name="rules"),
    path("about", texts.about, name="about"),
]
