from collections.abc import Callable

import pytest
from django.test import Client

from coupsite.catalogues import PSEUDO, accented, pseudo_catalogue, right_to_left


@pytest.mark.parametrize("change", PSEUDO.values())
@pytest.mark.parametrize(
    "kept", ["%(name)s", "%(n)d", "%s", "%%", "{name}", "<b>", '<a href="/x">', "&nbsp;"]
)
def test_placeholders_and_markup_come_through(change: Callable[[str], str], kept: str) -> None:
    changed = change(f"before {kept} after")
    assert kept in changed
    assert "before" not in changed


def test_accented_text_is_longer_and_framed() -> None:
    text = "Skip to the content"
    assert accented(text).startswith("[")
    assert len(accented(text)) > 1.3 * len(text)


def test_every_text_has_a_pseudo_translation() -> None:
    catalogue = pseudo_catalogue(right_to_left)
    assert len(catalogue) > 10
    assert catalogue.percent_translated() == 100


@pytest.mark.django_db
@pytest.mark.usefixtures("pseudo_languages")
@pytest.mark.parametrize(
    ("language", "direction", "mark"), [("en-xa", "ltr", "·]"), ("ar-xb", "rtl", "\u202e")]
)
def test_a_page_in_a_pseudo_language(
    client: Client, language: str, direction: str, mark: str
) -> None:
    html = client.get("/", headers={"accept-language": language}).content.decode()
    assert f'<html lang="{language}" dir="{direction}">' in html
    main = html[html.index("<main") : html.index("</main>")]
    assert mark in main
