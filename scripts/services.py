"""Run a command with a throwaway PostgreSQL and Redis: DATABASE_URL and REDIS_URL say where.

python scripts/services.py COMMAND [ARGUMENT ...]
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

BINARIES = "/usr/lib/postgresql/*/bin"
"""Debian keeps PostgreSQL's server programs off the PATH."""


def program(name: str) -> str:
    """A program's path, the newest version's, or an end with advice."""
    in_debian = sorted(Path("/").glob(f"{BINARIES[1:]}/{name}"))
    found = str(in_debian[-1]) if in_debian else shutil.which(name)
    return found or sys.exit(
        f"{name} is missing. On Debian: apt-get install postgresql redis-server"
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def as_postgres() -> list[str]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]


@contextlib.contextmanager
def postgres(folder: Path) -> Iterator[str]:
    data, port = folder / "postgres", free_port()
    data.mkdir()
    if os.geteuid() == 0:
        shutil.chown(data, "postgres", "postgres")

    def run(*command: str) -> None:
        subprocess.run([*as_postgres(), *command], check=True, stdout=subprocess.DEVNULL, cwd="/")

    run(program("initdb"), "--pgdata", str(data), "--username=coup", "--auth=trust", "--no-sync")
    options = f"-p {port} -h 127.0.0.1 -k {data} -c fsync=off -c synchronous_commit=off"
    control = [program("pg_ctl"), "--pgdata", str(data), "--wait"]
    run(*control, "--options", options, "--log", str(data / "log"), "start")
    try:
        yield f"postgresql://coup@127.0.0.1:{port}/postgres"
    finally:
        run(*control, "--mode=immediate", "stop")


@contextlib.contextmanager
def redis(folder: Path) -> Iterator[str]:
    port = free_port()
    server = subprocess.Popen(
        [program("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--save", ""],
        stdout=subprocess.DEVNULL,
        cwd=folder,
    )
    try:
        wait_for(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(timeout=20)


def wait_for(port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    sys.exit(f"Nothing listens on port {port}.")


def main(command: list[str]) -> int:
    # Told to stop, leave by the same door as always: what was started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # mkdtemp's folder is its owner's alone; PostgreSQL's own user has to pass through it.
    with tempfile.TemporaryDirectory(prefix="coup-services-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with postgres(folder) as database_url, redis(folder) as redis_url:
            urls = {"DATABASE_URL": database_url, "REDIS_URL": redis_url}
            return subprocess.run(command, env=os.environ | urls, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
