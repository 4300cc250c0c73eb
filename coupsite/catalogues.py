"""Translation catalogues: compiled here by polib, so that nobody needs gettext to run the site; and
two pseudo-languages built from the English texts, to see what translation will do to a page."""

import re
from collections.abc import Callable
from pathlib import Path

import polib
from django.conf import settings
from django.utils.translation import to_locale

KEEP = re.compile(
    r"%%|%\(\w+\)[#0 +-]*[\d.]*[a-z]|%[a-z]"  # %(name)s, %d
    r"|\{[^{}]*\}"  # {name}
    r"|<[^<>]+>"  # mark-up
    r"|&\#?\w+;"  # &nbsp;
)
"""What a translation must hand through untouched."""

ACCENTED = str.maketrans(
    "AaBbCcDdEeGgHhIiJjKkLlNnOoRrSsTtUuWwYyZz",
    "ÅåƁƀÇçÐðÉéĜĝĤĥÎîĴĵĶķĻļÑñÖöŔŕŠšŢţÛûŴŵÝýŽž",
)


def folder(language: str) -> Path:
    """Where gettext looks for a language's catalogue."""
    return Path(settings.LOCALE_PATHS[0]) / to_locale(language) / "LC_MESSAGES"


def compile_catalogues() -> None:
    """Compile every catalogue that is newer than its compiled form; where the pseudo-languages are
    on, build them too."""
    for source in Path(settings.LOCALE_PATHS[0]).glob("*/LC_MESSAGES/*.po"):
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            polib.pofile(str(source)).save_as_mofile(str(compiled))
    for language, change in PSEUDO.items():
        if language in dict(settings.LANGUAGES):
            folder(language).mkdir(parents=True, exist_ok=True)
            pseudo_catalogue(change).save_as_mofile(str(folder(language) / "django.mo"))


def pseudo_catalogue(change: Callable[[str], str]) -> polib.POFile:
    """The English catalogue with every text run through `change`."""
    catalogue = polib.pofile(str(folder("en") / "django.po"))
    catalogue.metadata["Plural-Forms"] = "nplurals=2; plural=(n != 1);"
    for entry in catalogue:
        if entry.msgid_plural:
            entry.msgstr_plural = {0: change(entry.msgid), 1: change(entry.msgid_plural)}
        else:
            entry.msgstr = change(entry.msgid)
    return catalogue


def around_placeholders(text: str, change: Callable[[str], str]) -> str:
    """Apply `change` to what stands between placeholders and mark-up."""
    done, end = "", 0
    for match in KEEP.finditer(text):
        done += change(text[end : match.start()]) + match.group()
        end = match.end()
    return done + change(text[end:])


def accented(text: str) -> str:
    """Longer by a third, accented, in brackets: an untranslated or cut text shows."""
    padding = "·" * max(1, len(text) // 3)
    return f"[{around_placeholders(text, lambda part: part.translate(ACCENTED))}{padding}]"


def right_to_left(text: str) -> str:
    """Accented, and forced to run from right to left."""
    override, end = "\N{RIGHT-TO-LEFT OVERRIDE}", "\N{POP DIRECTIONAL FORMATTING}"

    def reverse(part: str) -> str:
        return f"{override}{part.translate(ACCENTED)}{end}" if part.strip() else part

    return around_placeholders(text, reverse)


PSEUDO: dict[str, Callable[[str], str]] = {"en-xa": accented, "ar-xb": right_to_left}
