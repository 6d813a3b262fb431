"""Addresses of the arbiter's desk, and of the page on which a table reports its match."""

from django.urls import path

from pages.views import desk, exchanging

DESK = [
    path("tournaments/<slug:slug>/desk", desk.page, name="desk"),
    path("tournaments/<slug:slug>/desk/state", desk.state, name="desk_state"),
    path("tournaments/<slug:slug>/desk/enter", desk.enter, name="desk_enter"),
    path("tournaments/<slug:slug>/desk/pair/<int:round_id>", desk.pair, name="desk_pair"),
    path("tournaments/<slug:slug>/desk/exchange", exchanging.exchange, name="desk_exchange"),
    path("tournaments/<slug:slug>/desk/<slug:deed>", desk.do, name="desk_do"),
    path("tournaments/<slug:slug>/pairings/<int:number>/report", desk.report, name="report"),
]
