"""What browsers report against the policy, and the pages that say who runs this."""

import json
import logging

import pytest
from django.test import Client

OLD = {
    "csp-report": {
        "document-uri": "https://coup.example/g/abc123/?k=secret-link",
        "effective-directive": "script-src-elem",
        "blocked-uri": "https://evil.example/steal?token=1",
    }
}
NEW = [
    {
        "type": "csp-violation",
        "body": {
            "documentURL": "https://coup.example/g/abc123/?k=secret-link",
            "effectiveDirective": "style-src",
            "blockedURL": "inline",
        },
    }
]


def send(body: str, kind: str = "application/csp-report") -> int:
    client = Client(enforce_csrf_checks=True)
    return client.post("/csp-report/", body, content_type=kind).status_code


@pytest.mark.parametrize("report", [OLD, NEW])
def test_a_report_is_noted_without_addresses(
    report: object, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, logger="coupsite.reports"):
        assert send(json.dumps(report)) == 204
    assert "games:table" in caplog.text
    assert "-src" in caplog.text
    for secret in ("secret-link", "abc123", "token"):
        assert secret not in caplog.text


@pytest.mark.parametrize(
    "body", [" ", "nonsense", "[]", "{}", '{"csp-report": 1}', '"x"', "[" * 4000, "\udcff"]
)
def test_what_is_no_report_is_refused(body: str, caplog: pytest.LogCaptureFixture) -> None:
    assert send(body.encode("utf-8", "surrogateescape").decode("latin-1")) == 400
    assert "stopped" not in caplog.text


def test_a_report_says_nothing_of_its_own_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    said = {
        "csp-report": {"effective-directive": "x\nERROR all is lost", "blocked-uri": "\n\x1b[31m"}
    }
    assert send(json.dumps(said)) == 204
    assert "\nERROR" not in caplog.text
    assert "\x1b" not in caplog.text


def test_a_large_report_is_not_read() -> None:
    assert send(json.dumps({"csp-report": {"blocked-uri": "x" * 9000}})) == 413


def test_a_flood_of_reports_is_stopped() -> None:
    codes = [send(json.dumps(OLD)) for _ in range(25)]
    assert codes[0] == 204
    assert codes[-1] == 429


def test_a_report_is_sent_not_asked_for(client: Client) -> None:
    assert client.get("/csp-report/").status_code == 405


def test_the_policy_names_it(client: Client) -> None:
    policy = client.get("/contact/").headers["Content-Security-Policy"]
    assert "report-uri /csp-report/" in policy


@pytest.mark.parametrize("page", ["contact", "privacy", "terms"])
def test_who_runs_this_is_said(client: Client, page: str) -> None:
    response = client.get(f"/{page}/")
    assert response.status_code == 200
    assert response.text.count("<h1>") == 1
    assert f'href="/{page}/"' in client.get("/lobby-of-nowhere/").text
