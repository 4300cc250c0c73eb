"""Find a Chromium that starts, or install one: Playwright's own where that can be downloaded, else
the system's, else Debian's as root."""

import os
import shutil
import subprocess
import sys

from playwright.sync_api import BrowserType, Error, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

FLAGS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
]
"""No calls home, and no need for what containers lack."""


def find(chromium: BrowserType) -> str | None:
    """The path of a Chromium that starts: Playwright's own, else the system's; else None."""
    candidates = [chromium.executable_path, *filter(None, map(shutil.which, NAMES))]
    return next((path for path in candidates if starts(chromium, path)), None)


def starts(chromium: BrowserType, path: str) -> bool:
    try:
        chromium.launch(executable_path=path, args=FLAGS).close()
    except Error:
        return False
    return True


def install_own() -> None:
    """Playwright's own; fails within a minute or so where its server cannot be reached."""
    subprocess.run(
        [sys.executable, "-m", "playwright", "install", "chromium"],
        check=False,
        timeout=600,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "15000"},
    )


def install_debian() -> None:
    if os.geteuid() == 0 and shutil.which("apt-get"):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for command in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
            subprocess.run(["apt-get", "--quiet", *command], check=False, env=environment)


def main() -> None:
    with sync_playwright() as playwright:
        for remedy in (None, install_own, install_debian):
            if remedy:
                print("Installing Chromium for the browser tests ...", flush=True)
                remedy()
            if find(playwright.chromium):
                return
    sys.exit(
        "No Chromium could be found or installed.\n"
        "Install one (Debian: apt-get install chromium), then try again."
    )


if __name__ == "__main__":
    main()
