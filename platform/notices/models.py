"""What a player is told of, and what they wish to be told of."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from notices.kinds import KINDS


class Notice(models.Model):
    """One thing told to one player, once: (player, key) names it.

    `facts` are what the kind's sentence names, and `url` an address without a language. A mail
    about it is due at `mail_at`; `mailed_at` says that a letter was written.
    """

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(_("kind"), max_length=12, choices=[(k, k) for k in KINDS])
    key = models.CharField(max_length=100)
    facts = models.JSONField(default=dict)
    url = models.CharField(max_length=250, blank=True, default="")
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    read_at = models.DateTimeField(_("read"), null=True, blank=True)
    mail_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(_("mailed"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["player", "key"], name="notice_once")]
        indexes = [
            models.Index(
                fields=["player"], condition=Q(read_at__isnull=True), name="notice_unread"
            ),
            models.Index(
                fields=["mail_at"], condition=Q(mail_at__isnull=False), name="notice_mail_due"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.kind}"


class Wish(models.Model):
    """Where a player wants a kind shown; without a row as `notices.kinds` has it."""

    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_wishes"
    )
    kind = models.CharField(_("kind"), max_length=12, choices=[(k, k) for k in KINDS])
    page = models.BooleanField(_("on the site"))
    mail = models.BooleanField(_("by mail"))

    class Meta:
        verbose_name = _("wish")
        verbose_name_plural = _("wishes")
        constraints = [models.UniqueConstraint(fields=["player", "kind"], name="wish_once")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.kind}"
