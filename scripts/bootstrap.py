"""Make this clone ready: fetch uv from PyPI into it, install what the lock file says into .venv.

    python3 scripts/bootstrap.py [GROUP ...]

GROUP is a dependency group of pyproject.toml beside what the site itself needs. Does nothing, at
once, when everything is there. Runs before anything is installed and on Pythons the site itself is
too new for, hence only the standard library, and no syntax newer than Python 3.6.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".uv"
STAMP = ROOT / ".venv" / ".installed"
OLDEST_FOR_TOOLS = (3, 8)
WANTED = ">=3.12"
HERE = "{}.{}".format(*sys.version_info)


def main(groups):
    lock = hashlib.sha256((ROOT / "uv.lock").read_bytes()).hexdigest()
    there = installed(lock)
    if there is not None and set(groups) <= there:
        return
    check_python()
    check_folder()
    uv = find_uv() or fetch_uv()
    sync(uv, sorted(set(groups) | (there or set())), lock)


def installed(lock):
    """The groups installed from this very lock file, or None if it has to be done (again)."""
    try:
        digest, *groups = STAMP.read_text().split()
    except (OSError, ValueError):
        return None
    return set(groups) if digest == lock else None


def check_python():
    if sys.version_info < OLDEST_FOR_TOOLS:
        give_up(
            f"Python {HERE} is too old.",
            "Install Python 3.12 or newer, then: make run PYTHON=python3.12",
        )


def check_folder():
    probe = ROOT / ".writable"
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        give_up(
            f"This folder cannot be written to: {error}.",
            "Clone into a folder of your own: tools, packages and the database live in it.",
        )


def find_uv():
    places = (TOOLS / "bin" / "uv", TOOLS / "lib" / "bin" / "uv")
    return next((str(path) for path in places if path.exists()), None)


def fetch_uv():
    say("Fetching uv from PyPI into .uv ...")
    # Debian's python3 may come without venv; then pip alone does.
    failed = run(sys.executable, "-m", "venv", TOOLS) or run(
        TOOLS / "bin" / "python", "-m", "pip", "install", "-qq", "uv"
    )
    if failed:
        again = run(sys.executable, "-m", "pip", "install", "-qq", "--target", TOOLS / "lib", "uv")
        if again:
            sys.stderr.write(failed + again)
            give_up(
                "uv could not be fetched from PyPI.",
                "Check the network, and HTTPS_PROXY or PIP_INDEX_URL if you need them. If pip is"
                " missing: apt-get install python3-venv. Then try again.",
            )
    return find_uv()


def sync(uv, groups, lock):
    say("Installing what uv.lock says into .venv ...")
    command = [uv, "sync", "--frozen", "--no-default-groups", "--directory", ROOT]
    for group in groups:
        command += ["--group", group]
    # The Python of .python-version, else any that serves, else uv downloads one, into the clone.
    find = [uv, "python", "find", "--no-python-downloads", "--directory", ROOT]
    if run(*find) and not run(*find, WANTED):
        command += ["--python", WANTED]
    failed = run(*command)
    if failed:
        sys.stderr.write(failed)
        if run(*find, WANTED):
            give_up(
                f"There is no Python 3.12 or newer here (this is {HERE}), and none could be"
                " downloaded.",
                "Install Python 3.12 or newer, or check the network, then try again.",
            )
        give_up(
            "The packages could not be installed.",
            "Check the network, and HTTPS_PROXY or UV_INDEX_URL if you need them, and the free"
            " space on the disk. Then try again; what was fetched is kept.",
        )
    STAMP.write_text(" ".join([lock, *groups]))


def run(*command):
    """Run, in silence. Return "" if that worked, else what it said."""
    environment = dict(os.environ, UV_PYTHON_INSTALL_DIR=str(TOOLS / "python"))
    environment.pop("VIRTUAL_ENV", None)
    try:
        done = subprocess.run(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            check=False,
        )
    except OSError as error:
        return f"{error}\n"
    return (done.stdout.decode(errors="replace") or "failed\n") if done.returncode else ""


def say(text):
    print(text, flush=True)


def give_up(what, advice):
    sys.exit(f"\n{what}\n{advice}")


if __name__ == "__main__":
    main(sys.argv[1:])
