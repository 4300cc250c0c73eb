"""Public names: what may be one, and when two are the same to the eye."""

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SHORTEST, LONGEST = 2, 30
KEY_LENGTH = 120
"""Room for any key: some letters fold to three."""

SIGNS = " -_.'’·"
JOINERS = "\u200c\u200d"
STACK = 2
"""Marks that may stand on one letter: Vietnamese needs two; a tower of them hides other lines."""

# Letters that show nothing, which is enough to copy somebody's name.
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")

# Scripts that are written together in one word somewhere; any other mixture is a disguise.
TOGETHER = frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})

# After folding case, letters of which either case is drawn like a Latin one, and the few Latin
# letters and digits that are drawn alike. Merging too much costs a name; too little, a disguise.
_ALIKE = str.maketrans(
    "авекмнорстухіїјѕѵґԁԛԝһүαβεζηικμνοπρτυχϲϳıi1|0ðđøłħŧɡɑօոսցհ",
    "abekmhopctyxiijsvrdqwhyabezhikmnonptyxcjlllloddolhtgaonugh",
)


def normal_name(name: str) -> str:
    """The name as it is kept and shown: one spelling of each letter, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def name_key(name: str) -> str:
    """Two names with the same key are the same name: case, signs and look-alikes fold together."""
    folded = unicodedata.normalize("NFKC", normal_name(name).casefold())
    bare = "".join(char for char in folded if char.isalnum() or unicodedata.combining(char))
    digits = "".join(str(unicodedata.digit(char)) if char.isdigit() else char for char in bare)
    # Twice: Cyrillic і becomes i, which becomes l.
    alike = digits.translate(_ALIKE).translate(_ALIKE)
    return alike.replace("l\u0307", "l").replace("rn", "m").replace("vv", "w")[:KEY_LENGTH]


def validate_name(name: str) -> None:
    """Raise ValidationError, in words, unless `name` may be a public name."""
    name = normal_name(name)
    shown = [char for char in name if not unicodedata.combining(char) and char not in JOINERS]
    if not SHORTEST <= len(shown) <= len(name) <= LONGEST:
        raise ValidationError(
            _("A name has %(shortest)d to %(longest)d characters."),
            params={"shortest": SHORTEST, "longest": LONGEST},
        )
    if not all(_may_stand(name, at) for at in range(len(name))):
        raise ValidationError(
            _("A name has letters, digits, spaces and - _ . ' ·, no other signs.")
        )
    scripts = {script for char in name if (script := _script(char))}
    if len(scripts) > 1 and not scripts <= TOGETHER:
        raise ValidationError(_("A name keeps to the letters of one alphabet."))
    if not any(char.isalnum() for char in name):
        raise ValidationError(_("A name has at least one letter or digit."))
    if name_key(name).startswith(_RESERVED_STARTS) or name_key(name) in _RESERVED:
        raise ValidationError(_("This name would mislead others. Please choose another."))


def _may_stand(name: str, at: int) -> bool:
    """Whether the character at this place is one that a name may have there."""
    char = name[at]
    if char in BLANKS or 0xFE00 <= ord(char) <= 0xFE0F:
        return False
    if char in JOINERS:
        return _may_join(name, at)
    match unicodedata.category(char)[0], unicodedata.category(char):
        case "L", _:
            return True
        case "M", _:
            stack = name[max(0, at - STACK) : at]
            return at > 0 and not all(unicodedata.category(c)[0] == "M" for c in stack)
        case _, "Nd":
            return True
    return char in SIGNS


def _may_join(name: str, at: int) -> bool:
    """An invisible joiner stands where it changes the shape: in Persian words, after a virama."""
    before, after = name[at - 1 : at] if at else "", name[at + 1 : at + 2]
    if not before or not after:
        return False
    if unicodedata.combining(before) == 9:
        return True
    both_arabic = _script(before) == _script(after) == "ARABIC"
    return name[at] == "\u200c" and both_arabic


def _script(char: str) -> str:
    """The alphabet a letter belongs to; empty for what belongs to all."""
    if not char.isalpha():
        return ""
    return unicodedata.name(char, "").split(" ")[0].removesuffix("-EXTENDED").split("-")[0]


_RESERVED_STARTS = (name_key("a former player"),)
_RESERVED = frozenset(
    name_key(name)
    for name in (
        "admin", "administrator", "moderator", "mod", "staff", "support", "system", "root",
        "coup", "anonymous", "nobody", "everybody", "you", "bot", "guest", "player", "spectator",
        "former player", "duke", "assassin", "captain", "ambassador", "contessa", "inquisitor",
    )
)  # fmt: skip
