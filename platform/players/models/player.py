"""Whoever can sit at a table: people with an account, guests, and the site's bots."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from players import names


class PlayerManager(BaseUserManager["Player"]):
    """Makes accounts for commands and the admin; people sign up by `players.services`."""

    def create_user(
        self, handle: str, password: str | None = None, *, name: str = "", **fields: Any
    ) -> Player:
        """A saved player with the name's look-alike key set."""
        player = self.model(handle=handle.strip().lower(), name=name or handle, **fields)
        player.name_key = names.skeleton(player.name)
        player.set_password(password)
        player.save(using=self._db)
        return player

    def create_superuser(self, handle: str, password: str | None = None, **fields: Any) -> Player:
        return self.create_user(handle, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> Player:
        return self.get(handle=(username or "").strip().lower())


class Player(AbstractBaseUser, PermissionsMixin):
    """One row for each person or bot; a guest who signs up keeps the row, and so every seat."""

    class Theme(models.TextChoices):
        SYSTEM = "", _("As the device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class Invites(models.TextChoices):
        EVERYBODY = "all", pgettext_lazy("who may invite", "Everybody")
        CLUBS = "clubs", _("Members of my clubs")
        NOBODY = "nobody", pgettext_lazy("who may invite", "Nobody")

    handle = models.CharField(_("sign-in name"), max_length=40, unique=True)
    name = models.CharField(_("name at the table"), max_length=80)
    # What the name looks like; null for guests, whose names may repeat.
    name_key = models.CharField(max_length=400, unique=True, null=True, blank=True, editable=False)
    email = models.EmailField(_("e-mail"), blank=True, default="")
    is_guest = models.BooleanField(_("guest"), default=False)
    bot_level = models.CharField(_("bot level"), max_length=10, blank=True, default="")
    country = models.CharField(_("country"), max_length=2, blank=True, default="")
    theme = models.CharField(
        _("colours"), max_length=5, choices=Theme.choices, blank=True, default=Theme.SYSTEM
    )
    # Empty: as the browser is set.
    language = models.CharField(_("language"), max_length=10, blank=True, default="")
    # Whose clocks times are shown by; empty: the browser's.
    zone = models.CharField(_("time zone"), max_length=40, blank=True, default="")
    # Who may ask them to be a partner (inviting.py).
    invites = models.CharField(
        _("who may invite me"), max_length=6, choices=Invites.choices, default=Invites.EVERYBODY
    )
    # What they have set at the table, by name; what is missing is as it comes (table_settings.py).
    table_settings = models.JSONField(_("settings at the table"), default=dict, blank=True)
    is_staff = models.BooleanField(_("staff"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    # When a page of the site was last open before them; to the minute.
    last_seen_at = models.DateTimeField(_("last seen"), null=True, blank=True, editable=False)
    # When the account will be erased, as its owner asked; and when it was.
    erase_at = models.DateTimeField(_("to be erased"), null=True, blank=True, editable=False)
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True, editable=False)
    # The account to which a guest's seats and entries went.
    became = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )

    objects: ClassVar[PlayerManager] = PlayerManager()

    USERNAME_FIELD = "handle"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.CheckConstraint(
                name="player_guest_has_no_bot_level", condition=Q(is_guest=False) | Q(bot_level="")
            ),
            models.CheckConstraint(
                name="player_erased_is_inactive",
                condition=Q(erased_at__isnull=True) | Q(is_active=False),
            ),
            models.CheckConstraint(
                name="player_account_has_name_key",
                condition=Q(is_guest=True) | Q(name_key__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["bot_level"], condition=~Q(bot_level=""), name="player_bots"),
            models.Index(
                fields=["erase_at"], condition=Q(erase_at__isnull=False), name="player_to_erase"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_bot(self) -> bool:
        return self.bot_level != ""

    def get_full_name(self) -> str:
        return self.name

    def get_short_name(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("pages:player", args=[self.handle])
