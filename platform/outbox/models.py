"""What happened, and who has yet to hear of it."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Message(models.Model):
    """One fact, told in the transaction that made it true; (kind, key) names it for good."""

    kind = models.CharField(_("kind"), max_length=60)
    key = models.CharField(_("key"), max_length=100)
    payload = models.JSONField(_("payload"), default=dict)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [
            models.UniqueConstraint(fields=["kind", "key"], name="outbox_message_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Delivery(models.Model):
    """A message on its way to one subscriber: due, done, or dead after too many tries."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="deliveries")
    subscriber = models.CharField(_("subscriber"), max_length=200)
    attempts = models.PositiveSmallIntegerField(_("tries"), default=0)
    next_try_at = models.DateTimeField(_("next try"), default=timezone.now)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    dead_at = models.DateTimeField(_("given up"), null=True, blank=True)
    error = models.TextField(_("last error"), blank=True, default="")

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        constraints = [
            models.UniqueConstraint(
                fields=["message", "subscriber"], name="outbox_delivery_once_a_subscriber"
            ),
            models.CheckConstraint(
                name="outbox_delivery_done_or_dead",
                condition=Q(done_at__isnull=True) | Q(dead_at__isnull=True),
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_try_at", "id"],
                condition=Q(done_at__isnull=True, dead_at__isnull=True),
                name="outbox_delivery_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.message_id} → {self.subscriber}"
