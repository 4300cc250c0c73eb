"""The icons of the installed site, drawn from icon.svg: python -m scripts.icons (committed)."""

import re
from pathlib import Path

from playwright.sync_api import sync_playwright

from scripts import chromium

FOLDER = Path(__file__).resolve().parent.parent / "coupsite" / "static" / "img"
ICON = (FOLDER / "icon.svg").read_text()
# A mask may cut away all but a circle of four fifths: ground to the edge, the crown smaller.
MASKABLE = re.sub(
    r"translate\([^)]*\) scale\([^)]*\)",
    "translate(11.4 11.4) scale(.525)",
    ICON.replace('rx="4" ', ""),
)
# Android takes the shape alone.
BADGE = re.sub(r"<rect[^>]*/>", "", ICON).replace("#dfcb98", "#fff")
DRAWINGS = (
    ("icon-192.png", ICON, 192),
    ("icon-512.png", ICON, 512),
    ("icon-maskable.png", MASKABLE, 512),
    ("badge.png", BADGE, 96),
)

with sync_playwright() as playwright:
    path = chromium.find(playwright.chromium)
    browser = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
    for name, drawing, size in DRAWINGS:
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(f"<style>body {{ margin: 0 }}</style>{drawing}")
        page.screenshot(path=FOLDER / name, omit_background=True)
    browser.close()
