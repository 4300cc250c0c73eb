"""Public names: what may be one, and when two are the same."""

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

SHORTEST, LONGEST = 2, 30


def name_key(name: str) -> str:
    """Two names with the same key are the same name: spelling variants fold together."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def validate_name(name: str) -> None:
    """Raise ValidationError, in words, unless `name` may be a public name."""
    if not SHORTEST <= len(name_key(name)) <= LONGEST:
        raise ValidationError(
            _("A name has %(shortest)d to %(longest)d characters."),
            params={"shortest": SHORTEST, "longest": LONGEST},
        )
    # C: control, direction and unassigned characters; "@" would look like an address.
    if "@" in name or any(unicodedata.category(char).startswith("C") for char in name):
        raise ValidationError(_("A name has letters, digits, spaces and plain signs, no “@”."))
