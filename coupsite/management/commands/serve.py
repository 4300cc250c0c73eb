"""`make run`: the whole site in one process."""

import contextlib
import errno
import os
import socket
import tempfile
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from coupsite.catalogues import compile_catalogues


class Command(BaseCommand):
    help = (
        "Bring the database up to date and serve everything: pages, live updates, background work."
    )
    requires_system_checks: list[str] = []  # they touch the database: its folder is checked first

    def handle(self, *args: Any, **options: Any) -> None:
        listener = listen(os.environ.get("HOST", "127.0.0.1"), os.environ.get("PORT", "8000"))
        check_data_folder()
        self.check()
        compile_catalogues()
        call_command("migrate", verbosity=0, interactive=False)
        config = uvicorn.Config(
            "coupsite.asgi:application",
            lifespan="on",
            log_level="warning",
            access_log=False,  # addresses may hold the secret links of tables
            timeout_graceful_shutdown=5,
            ws_max_size=64 * 1024,
        )
        # uvicorn ends in good order, then raises the Ctrl-C that ended it.
        with contextlib.suppress(KeyboardInterrupt):
            Server(config).run(sockets=[listener])


class Server(uvicorn.Server):
    """uvicorn that says where it is once it listens."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if sockets and self.started:
            host, port = sockets[0].getsockname()[:2]
            print(
                f"\n  Coup is at http://{host}:{port}  (Ctrl-C ends it; nothing is lost)"
                "\n  To become an administrator: make admin\n",
                flush=True,
            )


def listen(host: str, port: str) -> socket.socket:
    """Take the port before anything else is done, or say in words why not."""
    if not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise CommandError(f"PORT is {port!r}: write a number, for instance make run PORT=8001")
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, int(port)))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise CommandError(
                f"Port {port} is taken, perhaps by a site that already runs."
                f" Stop that, or choose another: make run PORT={int(port) + 1}"
            ) from None
        raise CommandError(
            f"Port {port} of {host} cannot be used: {error.strerror}."
            " Choose another: make run PORT=8001"
        ) from None
    listener.set_inheritable(True)
    return listener


def check_data_folder() -> None:
    """SQLite needs the folder, not just the file."""
    try:
        settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=settings.DATA_DIR):
            pass
    except OSError as error:
        raise CommandError(
            f"{settings.DATA_DIR} cannot be written to: {error.strerror}."
            " Set COUP_DATA_DIR to a folder that can."
        ) from None
