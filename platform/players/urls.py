"""Addresses under /accounts/."""

from django.urls import path

from players import views

app_name = "players"

urlpatterns = [
    path("sign-in", views.sign_in, name="sign_in"),
    path("sign-up", views.sign_up, name="sign_up"),
    path("sign-out", views.sign_out, name="sign_out"),
    path("settings", views.settings_page, name="settings"),
    path("settings/appearance", views.appearance, name="appearance"),
    path("settings/people", views.people, name="people"),
    path("zone", views.zone, name="zone"),
    path("theme", views.theme, name="theme"),
    path("language", views.language, name="language"),
    path("tokens", views.token_list, name="tokens"),
    path("tokens/<int:token_id>/revoke", views.token_revoke, name="revoke_token"),
]
