"""Nothing that this site is made of names another: no page, style, script, picture or letter."""

import re

import pytest
from django.conf import settings
from django.test import Client

ELSEWHERE = re.compile(r"(?:\b(?:https?|wss?):)?//(?=[\w\[])[^\s\"'<>)`]+", re.IGNORECASE)
KINDS = ("html", "txt", "css", "js", "svg", "xml", "json", "webmanifest")
FORMATS = ("http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink")
"""Names of formats, which nobody asks for."""


def outside(text: str) -> list[str]:
    """The addresses in a text that lead elsewhere. A comment of a script begins with a space."""
    text = re.sub(r"(?m)(^|\s)//.*$", "", text)
    return [found for found in ELSEWHERE.findall(text) if found not in FORMATS]


def test_no_template_style_script_or_picture_names_another_site() -> None:
    roots = [settings.BASE_DIR / "templates", settings.BASE_DIR / "coupsite" / "static"]
    files = [path for root in roots for kind in KINDS for path in root.rglob(f"*.{kind}")]
    assert len(files) > 100
    assert {str(path): found for path in files if (found := outside(path.read_text()))} == {}


def test_it_would_be_found() -> None:
    for line in (
        '<img src="https://evil.example/x.png">', "<script src=//evil.example/x.js></script>",
        "@import url(https://fonts.example/css);", 'new WebSocket("wss://evil.example/")',
        '<link href="HTTP://evil.example">',
    ):  # fmt: skip
        assert outside(line), line


@pytest.mark.django_db
def test_what_browsers_are_told_of_the_site_names_no_other(client: Client) -> None:
    for path in ("/manifest.webmanifest", "/sw.js", "/offline/", "/"):
        assert outside(client.get(path).text) == []
