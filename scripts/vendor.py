"""Fetch what the browser is served but others wrote, from npm, at the versions named here.

python scripts/vendor.py        (needs npm; the result is committed)
"""

import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "coupsite" / "static"

HTMX = "htmx.org@4.0.1"
AXE = "axe-core@4.14.1"
FONTS_VERSION = "5.3.0"
FONTS = (
    "@fontsource-variable/eb-garamond",
    "@fontsource/alegreya-sans",
    "@fontsource-variable/vazirmatn",
    "@fontsource-variable/markazi-text",
)


def fetch(package: str, into: Path) -> Path:
    """Unpack one npm package and return its folder."""
    packed = subprocess.run(
        ["npm", "pack", "--silent", package, "--pack-destination", into],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()[-1]
    folder = into / packed.removesuffix(".tgz")
    with tarfile.open(into / packed) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


def script(source: Path) -> str:
    """A script without the pointer to its source map, which is not served."""
    return re.sub(r"\n?//# sourceMappingURL=.*", "", source.read_text()).strip() + "\n"


def htmx(package: Path) -> None:
    """htmx and its WebSocket extension as one file: as two, the socket sometimes never opens."""
    parts = [package / "dist/htmx.min.js", package / "dist/ext/hx-ws.min.js"]
    banner = f"/* {HTMX} with hx-ws, joined by scripts/vendor.py; see htmx.LICENSE */\n"
    (STATIC / "htmx.js").write_text(banner + "".join(map(script, parts)))
    shutil.copyfile(package / "LICENSE", STATIC / "htmx.LICENSE")


def fonts(packages: dict[str, Path]) -> None:
    """The subsets that fonts.css names, each family's licence beside them."""
    folder = STATIC / "fonts"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    wanted = set(re.findall(r"fonts/([\w-]+\.woff2)", (STATIC / "css/fonts.css").read_text()))
    for family, package in packages.items():
        for name in wanted:
            if (package / "files" / name).exists():
                shutil.copyfile(package / "files" / name, folder / name)
        shutil.copyfile(package / "LICENSE", folder / f"{family}.LICENSE")
    missing = wanted - {path.name for path in folder.iterdir()}
    if missing:
        raise SystemExit(f"No package has {sorted(missing)}.")


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        into = Path(temporary)
        htmx(fetch(HTMX, into))
        fonts({name.split("/")[1]: fetch(f"{name}@{FONTS_VERSION}", into) for name in FONTS})
        axe = fetch(AXE, into)
        shutil.copyfile(axe / "axe.min.js", ROOT / "tests/browser/axe.min.js")


if __name__ == "__main__":
    main()
