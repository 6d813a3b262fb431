"""`Idempotency-Key`: a request sent again is answered as it was, and done once."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import HeaderError, Unprocessable
from api.models import IdempotentRequest

HEADER = "Idempotency-Key"
KEPT = timedelta(days=1)
_KEY = re.compile(r"[\x21-\x7e]{1,200}")


def once(request: Request, work: Callable[[], Response]) -> Response:
    """Does `work` for the first request with this player's key, and repeats its answer after.

    The key and what `work` changes are one transaction: whoever comes at the same time waits, and
    a refusal leaves nothing behind, so that it may be tried again. The same key with another
    request raises Unprocessable.
    """
    key = request.headers.get(HEADER)
    if key is None or not request.user.is_authenticated:
        return work()
    if not _KEY.fullmatch(key):
        raise HeaderError({HEADER: _("A key has 1 to 200 visible ASCII characters.")})
    digest = _digest(request)
    with transaction.atomic():
        row, new = IdempotentRequest.objects.get_or_create(
            player=request.user, key=key, defaults={"digest": digest}
        )
        if not new:
            return _again(row, digest)
        _forget_old()
        response = work()
        row.status, row.answer = response.status_code, response.data
        row.save(update_fields=["status", "answer"])
        return response


def _again(row: IdempotentRequest, digest: str) -> Response:
    if row.digest != digest:
        raise Unprocessable(
            _("This Idempotency-Key was used for another request."), code="key_reused"
        )
    return Response(row.answer, status=row.status, headers={"Idempotent-Replayed": "true"})


def _digest(request: Request) -> str:
    body = json.dumps(request.data, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(f"{request.method} {request.path}\n{body}".encode()).hexdigest()


def _forget_old() -> None:
    IdempotentRequest.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
