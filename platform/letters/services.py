"""Writing and sending mail.

`write` only makes a row, in the transaction of what it tells of. `send_due` claims one row after
the other, committing each claim before it talks to the mail server, so that two workers never send
the same letter. A worker that dies between the server's answer and its own note leaves a claim;
it runs out after `LEASE`, and the letter goes once more with the same Message-ID, by which mail
programs know it as the same.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Mapping
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from letters.models import Letter

MAX_TRIES = 8
LEASE = dt.timedelta(minutes=10)
KEPT_FOR = dt.timedelta(days=30)
_FIRST_WAIT = dt.timedelta(minutes=1)
_ERROR_LENGTH = 2000

log = logging.getLogger(__name__)


def write(
    *,
    to: str,
    subject: str,
    text: str,
    html: str = "",
    headers: Mapping[str, str] | None = None,
    key: str | None = None,
) -> Letter:
    """A letter to be sent soon; with a `key` that was used before, the letter that is there."""
    fields = {
        "to": to,
        "subject": " ".join(subject.split())[:250],
        "text": text,
        "html": html,
        "headers": dict(headers or {}),
    }
    if key is None:
        return Letter.objects.create(**fields)
    return Letter.objects.get_or_create(key=key, defaults=fields)[0]


def send_due(*, limit: int = 50, now: dt.datetime | None = None) -> int:
    """Sends what is due, at most `limit` letters; answers how many went out."""
    sent = 0
    for _turn in range(limit):
        letter = _claim(now or timezone.now())
        if letter is None:
            break
        sent += _send(letter)
    return sent


def forget_old() -> int:
    """Deletes letters that were sent, or given up, a month ago; answers how many."""
    before = timezone.now() - KEPT_FOR
    done = Letter.objects.filter(created_at__lt=before).exclude(sent_at=None, dead_at=None)
    return done.delete()[0]


def message_id(letter: Letter) -> str:
    """The same at each try."""
    host = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    return f"<letter-{letter.pk}.{int(letter.created_at.timestamp())}@{host}>"


def _due(now: dt.datetime) -> QuerySet[Letter]:
    due = Letter.objects.filter(sent_at__isnull=True, dead_at__isnull=True, due_at__lte=now)
    return due.order_by("due_at", "id")


def _claim(now: dt.datetime) -> Letter | None:
    """The next due letter, its try counted and committed."""
    with transaction.atomic():
        rows = _due(now)
        if connection.features.has_select_for_update_skip_locked:
            rows = rows.select_for_update(skip_locked=True)
        letter = rows.first()
        if letter is None:
            return None
        letter.attempts += 1
        letter.due_at = now + LEASE
        letter.save(update_fields=["attempts", "due_at"])
        return letter


def _send(letter: Letter) -> bool:
    try:
        _mail(letter).send()
    except Exception as error:
        _note_failure(letter, f"{type(error).__name__}: {error}")
        return False
    Letter.objects.filter(pk=letter.pk).update(
        sent_at=timezone.now(), text="", html="", headers={}, error=""
    )
    return True


def _mail(letter: Letter) -> EmailMultiAlternatives:
    mail = EmailMultiAlternatives(
        subject=letter.subject,
        body=letter.text,
        to=[letter.to],
        headers={**letter.headers, "Message-ID": message_id(letter)},
    )
    if letter.html:
        mail.attach_alternative(letter.html, "text/html")
    return mail


def _note_failure(letter: Letter, error: str) -> None:
    text = error.replace("\x00", "")[:_ERROR_LENGTH]
    gave_up = letter.attempts >= MAX_TRIES
    log.warning("Letter %d, try %d: %s", letter.pk, letter.attempts, " ".join(text.split()))
    wait: dt.timedelta = _FIRST_WAIT * 2 ** (letter.attempts - 1)
    Letter.objects.filter(pk=letter.pk).update(
        error=text,
        due_at=timezone.now() + wait,
        dead_at=timezone.now() if gave_up else None,
    )
