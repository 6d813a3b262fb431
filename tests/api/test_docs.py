"""The page that shows the description: whole, from this site alone, under a strict policy."""

from __future__ import annotations

import re

import pytest
from rest_framework.test import APIClient


@pytest.fixture(autouse=True)
def _plain_static(settings):
    """Static files under their own names: nothing has been collected."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


def test_the_page_s_policy_allows_nothing_unsafe(db):
    response = APIClient().get("/api/docs/", headers={"accept": "text/html"})
    assert response.status_code == 200
    policy = response["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
    assert "http:" not in policy
    assert "https:" not in policy


def test_the_page_holds_no_script_of_its_own_and_no_foreign_address(db):
    page = APIClient().get("/api/docs/", headers={"accept": "text/html"}).content.decode()
    assert all(src.startswith("/") for src in re.findall(r'(?:src|href)="([^"]*)"', page))
    assert re.findall(r"<script[^>]*>([^<]*)</script>", page) == ["", ""]
    assert "<style" not in page
    assert "style=" not in page
    script = APIClient().get("/api/docs/?script", headers={"accept": "*/*"})
    assert script["Content-Type"].startswith("application/javascript")
    assert "SwaggerUIBundle" in script.content.decode()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_it_renders_in_a_browser_without_a_complaint(live_server, chromium):
    complaints, foreign = [], []
    page = chromium.new_page()
    page.on("console", lambda message: complaints.append((message.type, message.text)))
    page.on("pageerror", lambda error: complaints.append(("pageerror", str(error))))
    page.on(
        "request",
        lambda request: (
            foreign.append(request.url)
            if not request.url.startswith((live_server.url, "data:"))
            else None
        ),
    )
    page.goto(f"{live_server.url}/api/docs/")
    page.get_by_text("List public matches, newest first").wait_for()
    operations = page.locator(".opblock").count()
    page.get_by_text("Open a table").click()
    page.get_by_text("Idempotency-Key").first.wait_for()
    page.get_by_role("button", name="Try it out").click()
    page.get_by_role("button", name="Execute").wait_for()
    page.close()
    assert operations >= 25
    assert [each for each in complaints if each[0] in ("error", "warning", "pageerror")] == []
    assert foreign == []
