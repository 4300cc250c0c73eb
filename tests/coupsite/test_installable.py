"""The manifest, the worker, the page for no network: what a browser needs to install the site."""

import re
import struct
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.games.cast import person

pytestmark = pytest.mark.django_db


def test_the_manifest_names_icons_of_the_size_it_says(client: Client) -> None:
    response = client.get("/manifest.webmanifest")
    assert response.headers["Content-Type"] == "application/manifest+json"
    told = response.json()
    assert (told["id"], told["start_url"], told["scope"]) == ("/", "/", "/")
    assert told["display"] == "standalone"
    sizes = {(icon["sizes"], icon.get("purpose", "any")) for icon in told["icons"]}
    assert sizes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    for icon in told["icons"]:
        found = finders.find(icon["src"].removeprefix(settings.STATIC_URL))
        assert found
        header = Path(str(found)).read_bytes()[:24]
        assert header.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", header[16:24])
        assert icon["sizes"] == f"{width}x{height}"


@pytest.mark.usefixtures("pseudo_languages")
def test_the_manifest_speaks_the_readers_language(client: Client) -> None:
    told = client.get("/manifest.webmanifest", headers={"accept-language": "ar-xb"}).json()
    assert (told["lang"], told["dir"]) == ("ar-xb", "rtl")
    assert told["name"] != "Coup, played by letter"


def test_every_page_leads_to_the_manifest(client: Client) -> None:
    assert '<link rel="manifest" href="/manifest.webmanifest">' in client.get("/").content.decode()


def test_the_worker_may_serve_the_whole_site(client: Client) -> None:
    response = client.get("/sw.js")
    assert response.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    source = response.content.decode()
    for address in re.findall(r'"(/[\w./-]+)"', source):
        if address.startswith(settings.STATIC_URL):
            assert finders.find(address.removeprefix(settings.STATIC_URL)), address
        else:
            assert client.get(address).status_code in (200, 401), address


def test_the_page_for_no_network_is_the_same_for_everybody(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        page = client.get("/offline/").content
    client.force_login(person("Ana"))
    assert client.get("/offline/").content == page
    assert b"Ana" not in page
    assert b"csrf" not in page


@pytest.mark.parametrize("path", ["/manifest.webmanifest", "/sw.js", "/offline/"])
def test_they_are_only_read(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405
