"""Mail that is to be sent, and what became of it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Letter(models.Model):
    """One mail: due, claimed by a worker until `due_at`, sent, or given up.

    `key` names what it is about, so that it is written once. What it says is wiped when it has
    been sent: it may hold a link that opens an account.
    """

    key = models.CharField(max_length=120, unique=True, null=True, blank=True)
    to = models.EmailField(_("to"), max_length=254)
    subject = models.CharField(_("subject"), max_length=250)
    text = models.TextField(blank=True, default="")
    html = models.TextField(blank=True, default="")
    headers = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    due_at = models.DateTimeField(_("next try"), default=timezone.now)
    attempts = models.PositiveSmallIntegerField(_("tries"), default=0)
    sent_at = models.DateTimeField(_("sent"), null=True, blank=True)
    dead_at = models.DateTimeField(_("given up"), null=True, blank=True)
    error = models.TextField(_("last error"), blank=True, default="")

    class Meta:
        verbose_name = _("letter")
        verbose_name_plural = _("letters")
        constraints = [
            models.CheckConstraint(
                name="letter_sent_or_dead",
                condition=Q(sent_at__isnull=True) | Q(dead_at__isnull=True),
            ),
        ]
        indexes = [
            models.Index(
                fields=["due_at", "id"],
                condition=Q(sent_at__isnull=True, dead_at__isnull=True),
                name="letter_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"
