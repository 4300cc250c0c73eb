"""Whether the catalogue of texts holds what the sources say. Needs gettext, and says so without."""

import shutil
import subprocess
import sys
from pathlib import Path

import polib

CATALOGUE = Path("coupsite/locale/en/LC_MESSAGES/django.po")


def texts(path: Path) -> set[tuple[str, str, str]]:
    entries = polib.pofile(str(path))
    return {(e.msgctxt or "", e.msgid, e.msgid_plural) for e in entries if not e.obsolete}


def main() -> int:
    if not shutil.which("xgettext"):
        print("gettext is not installed: the catalogue of texts is not checked.")
        return 0
    before, kept = texts(CATALOGUE), CATALOGUE.read_bytes()
    try:
        subprocess.run(
            ["make", "--no-print-directory", "messages"], check=True, capture_output=True
        )
        now = texts(CATALOGUE)
    finally:
        CATALOGUE.write_bytes(kept)
    for _, text, _ in sorted(now - before):
        print(f"not in the catalogue: {text!r}")
    for _, text, _ in sorted(before - now):
        print(f"no longer said: {text!r}")
    if now != before:
        print("Run `make messages`.")
    return int(now != before)


if __name__ == "__main__":
    sys.exit(main())
