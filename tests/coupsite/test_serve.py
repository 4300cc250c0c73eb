"""`make run`, as a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from django.conf import settings


def serve(data: Path, port: int | str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "manage.py", "serve"],
        cwd=settings.BASE_DIR,
        env={"PATH": os.environ["PATH"], "COUP_DATA_DIR": str(data), "PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@contextmanager
def taken_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def free_port() -> int:
    with taken_port() as port:
        return port


def wait_until_it_answers(address: str) -> bytes:
    for _ in range(1200):
        try:
            with urlopen(address, timeout=30) as response:
                body: bytes = response.read()
                return body
        except URLError:
            time.sleep(0.1)
    raise AssertionError("nothing answers")


def test_it_serves_says_where_and_ends_in_good_order(tmp_path: Path) -> None:
    port = free_port()
    for _ in range(2):  # the second time on what the first has left
        server = serve(tmp_path, port)
        try:
            assert b"<h1" in wait_until_it_answers(f"http://127.0.0.1:{port}/")
            assert b"--wall" in wait_until_it_answers(
                f"http://127.0.0.1:{port}/static/css/tokens.css"
            )
        finally:
            server.send_signal(signal.SIGINT)
        said, _ = server.communicate(timeout=120)
        assert server.returncode == 0, said
        assert f"http://127.0.0.1:{port}" in said
        assert "make admin" in said
        assert "Traceback" not in said


def test_a_taken_port_is_named_with_a_way_out(tmp_path: Path) -> None:
    with taken_port() as port:
        said, _ = serve(tmp_path, port).communicate(timeout=120)
    assert f"Port {port} is taken" in said
    assert f"make run PORT={port + 1}" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("port", ["http", "70000", "-1"])
def test_a_port_that_is_none_is_refused(tmp_path: Path, port: str) -> None:
    said, _ = serve(tmp_path, port).communicate(timeout=120)
    assert "write a number" in said
    assert "Traceback" not in said


def test_production_serves_collected_files_by_their_fingerprint(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "COUP_PRODUCTION": "1",
        "COUP_ONE_PROCESS": "1",
        "COUP_SECRET_KEY": "Zr4kq0Wm8sXy2LbT6vNd9cHf3jPg7aQe1uRi5oKtMzBxCwVn0123456789",
        "COUP_HOSTS": "coup.example",
        "COUP_MAIL_URL": "smtp://mail.example",
        "COUP_MAIL_FROM": "coup@coup.example",
        "COUP_STATIC_ROOT": str(tmp_path / "static"),
        "COUP_DATA_DIR": str(tmp_path),
    }
    script = """
import re
from django.test import Client
client = Client(headers={"host": "coup.example"})
html = client.get("/no-such-page/", secure=True).content.decode()
href = re.search(r"/static/css/tokens\\.\\w+\\.css", html).group()
print(client.get(href, secure=True).headers["Cache-Control"])
"""
    for command in (["collectstatic", "--no-input", "-v0"], ["migrate", "-v0"]):
        subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=settings.BASE_DIR,
            env=environment,
            check=True,
        )
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", script],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert "immutable" in done.stdout, done.stderr
