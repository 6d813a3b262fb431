"""The same request at the same time: done once, answered alike."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from tournaments.models import Tournament


@pytest.mark.django_db(transaction=True)
def test_one_key_sent_by_many_at_once_is_one_tournament(person, call):
    clients = [call(marta) for marta in [person()] for _time in range(4)]

    def send(client):
        try:
            return client.post(
                "/api/v1/tournaments/", {"name": "Cup"}, headers={"Idempotency-Key": "k"}
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        responses = list(pool.map(send, clients))
    assert {response.status_code for response in responses} == {201}
    assert len({response.json()["slug"] for response in responses}) == 1
    assert Tournament.objects.count() == 1
