"""The account's pages: thin, each calls one service."""

from __future__ import annotations

from typing import cast

from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players import languages, moderation, muting, services, sessions, throttle, tokens
from players.forms import (
    InvitesForm,
    LanguageForm,
    ProfileForm,
    SignInForm,
    SignUpForm,
    ThemeForm,
    TokenForm,
    ZoneForm,
)
from players.models import Player
from players.names import NameRefused
from players.services import SignInRefused

SIGN_UP_TRIES = 30
SIGN_UP_WINDOW = 3600


def _to_next(request: HttpRequest) -> HttpResponse:
    return redirect(sessions.safe_next(request, reverse("pages:home")))


def _has_account(request: HttpRequest) -> bool:
    player = sessions.player_of(request)
    return player is not None and not player.is_guest


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    if _has_account(request):
        return _to_next(request)
    form = SignInForm(request.POST or None)
    status = 200
    if form.is_valid():
        try:
            player = services.sign_in(request=request, **form.cleaned_data)
        except SignInRefused as refused:
            form.add_error(None, _sign_in_sentence(refused))
            status = 429 if refused.code == "too_many" else 200
        else:
            return _enter(request, player)
    context = {"form": form, "next": sessions.safe_next(request, "")}
    return render(request, "players/sign_in.html", context, status=status)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if _has_account(request):
        return _to_next(request)
    guest = sessions.player_of(request)
    form = SignUpForm(request.POST or None, initial={"name": guest.name} if guest else None)
    if form.is_valid() and (player := _registered(request, form, guest)):
        messages.success(request, _("Welcome, %(name)s. Your account is ready.") % {"name": player})
        return _enter(request, player, is_new=True)
    context = {"form": form, "guest": guest, "next": sessions.safe_next(request, "")}
    return render(request, "players/sign_up.html", context)


def _enter(request: HttpRequest, player: Player, *, is_new: bool = False) -> HttpResponse:
    """Signs in, by way of the second factor where there is one. A guest counts as nobody till
    then, and keeps their sign-in if it is broken off.
    """
    request.user = AnonymousUser()
    onward = sessions.safe_next(request, reverse("pages:home"))
    login = Login(user=player, redirect_url=onward, signup=is_new)
    return cast("HttpResponse", perform_password_login(request, {"username": player.handle}, login))


def _registered(request: HttpRequest, form: SignUpForm, guest: Player | None) -> Player | None:
    """The new account, or None with the form's errors set."""
    key = f"sign_up:{throttle.client_address(request)}"
    if not throttle.spend(key, limit=SIGN_UP_TRIES, seconds=SIGN_UP_WINDOW):
        form.add_error(None, _("Too many accounts were made from here. Try again in an hour."))
        return None
    try:
        return services.register(guest=guest, **form.cleaned_data)
    except NameRefused as refused:
        if refused.code == "handle_taken" and (player := _made_a_moment_ago(request, form)):
            return player
        form.refuse(refused)
        return None


def _made_a_moment_ago(request: HttpRequest, form: SignUpForm) -> Player | None:
    """The account of that name and password: the same form sent twice is no error."""
    data = form.cleaned_data
    try:
        return services.sign_in(request=request, handle=data["handle"], password=data["password"])
    except SignInRefused:
        return None


def _sign_in_sentence(refused: SignInRefused) -> str:
    if refused.code == "too_many":
        return _("Too many attempts. Wait a quarter of an hour, then try again.")
    if refused.code == "closed" and refused.player is not None:
        return moderation.sentence_for(refused.player)
    return _("That sign-in name and password don't go together.")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("pages:home")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    player = cast("Player", request.user)
    form = ProfileForm(request.POST or None, player=player)
    if form.is_valid():
        try:
            services.change_profile(player=player, **form.cleaned_data)
        except NameRefused as refused:
            form.refuse(refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("players:settings")
    return render(request, "players/settings.html", {"form": form})


@never_cache
@login_required
@require_safe
def appearance(request: HttpRequest) -> HttpResponse:
    player = cast("Player", request.user)
    context = {
        "theme_form": ThemeForm(initial={"theme": player.theme}),
        "language_form": LanguageForm(initial={"language": languages.active()}),
        "zone_form": ZoneForm(initial={"zone": player.zone}),
    }
    return render(request, "players/appearance.html", context)


@login_required
@require_POST
def zone(request: HttpRequest) -> HttpResponse:
    form = ZoneForm(request.POST)
    if form.is_valid():
        services.set_zone(player=cast("Player", request.user), zone=form.cleaned_data["zone"])
        messages.success(request, _("Saved."))
    return redirect("players:appearance")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    """Who may ask, and who isn't heard."""
    player = cast("Player", request.user)
    form = InvitesForm(request.POST or None, initial={"invites": player.invites})
    if form.is_valid():
        services.set_invites(player=player, invites=form.cleaned_data["invites"])
        messages.success(request, _("Saved."))
        return redirect("players:people")
    return render(request, "players/people.html", {"form": form, "muted": muting.muted_by(player)})


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keeps the colours: with the player if there is one, else in the session."""
    form = ThemeForm(request.POST)
    if form.is_valid():
        chosen = form.cleaned_data["theme"]
        if player := sessions.player_of(request):
            services.set_theme(player=player, theme=chosen)
        else:
            request.session["theme"] = chosen
    return _to_next(request)


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Keeps the language, in the browser and with the player, and shows the same page in it."""
    form = LanguageForm(request.POST)
    if not form.is_valid():
        return _to_next(request)
    chosen = form.cleaned_data["language"]
    if player := sessions.player_of(request):
        services.set_language(player=player, language=chosen)
    here = sessions.safe_next(request, reverse("pages:home"))
    response = redirect(languages.in_language(here, chosen))
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        chosen,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        samesite="Lax",
        httponly=True,
    )
    return response


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def token_list(request: HttpRequest) -> HttpResponse:
    player = cast("Player", request.user)
    if player.is_guest:
        return redirect(f"{reverse('players:sign_up')}?next={reverse('players:tokens')}")
    form, made = TokenForm(request.POST or None), None
    if form.is_valid():
        _token, made = tokens.issue(
            player=player,
            name=form.cleaned_data["name"],
            scopes=form.cleaned_data["scopes"],
            expires=form.expires(),
        )
        form = TokenForm()
    context = {"form": form, "made": made, "tokens": player.tokens.all()}
    return render(request, "players/tokens.html", context)


@login_required
@require_POST
def token_revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    if tokens.revoke(player=cast("Player", request.user), token_id=token_id):
        messages.success(request, _("The token is revoked."))
    return redirect("players:tokens")
