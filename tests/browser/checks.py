"""What must hold for every page, asked of the page that is open."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = (Path(__file__).parent / "axe.min.js").read_text()


def axe_violations(page: Page) -> list[str]:
    """What axe-core finds, one line a rule, with the first elements it found it on."""
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{violation['id']}: {violation['help']}: "
        + "; ".join(" ".join(node["target"]) for node in violation["nodes"][:3])
        for violation in found["violations"]
    ]


def overflow(page: Page) -> int:
    """By how many CSS pixels the page is wider than its window."""
    width: int = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return width


def sticking_out(page: Page, box: str) -> list[str]:
    """The texts in these boxes that stick out of them, or are cut off without an ellipsis."""
    texts: list[str] = page.evaluate(
        """(box) => [...document.querySelectorAll(box)].flatMap((outer) => {
            const edge = outer.getBoundingClientRect();
            return [...outer.querySelectorAll("*")].filter((inner) => {
                const style = getComputedStyle(inner);
                if (style.clipPath !== "none" || inner.closest("svg, .vh")) return false;
                const place = inner.getBoundingClientRect();
                const out = place.left < edge.left - 1 || place.right > edge.right + 1
                    || place.bottom > edge.bottom + 1;
                const full = style.textOverflow !== "ellipsis" && style.display !== "inline"
                    && inner.clientWidth > 0 && inner.scrollWidth > inner.clientWidth + 1;
                return place.width && (out || full);
            }).map((inner) => inner.className + ": " + inner.textContent.trim());
        })""",
        box,
    )
    return texts
