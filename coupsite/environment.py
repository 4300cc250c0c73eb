"""Reading the environment, and the secrets that a laptop keeps for itself."""

import os
import secrets
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    """What the environment says; empty counts as unset."""
    return os.environ.get(name, "").strip() or default


def flag(name: str) -> bool:
    """Yes or no; anything else stops the start, so that no spelling mistake opens a door."""
    value = text(name, "0").lower()
    if value not in {"0", "1", "false", "true", "no", "yes"}:
        raise ImproperlyConfigured(f"{name} is {value!r}: write 1 or 0.")
    return value in {"1", "true", "yes"}


def words(name: str, default: str = "") -> list[str]:
    """Several, with commas or spaces between them."""
    return [word for word in text(name, default).replace(",", " ").split() if word]


def url(name: str) -> SplitResult | None:
    """An address in its parts; None where it is unset."""
    value = text(name)
    if not value:
        return None
    parts = urlsplit(value)
    if not parts.scheme:
        raise ImproperlyConfigured(f"{name} is not a URL.")
    return parts


def kept_secret(path: Path, size: int = 50) -> str:
    """A secret of the laptop's, of `size` random bytes: made once, kept in a file only its owner
    reads."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{path.parent} cannot be written to: {error.strerror}."
            " Set COUP_DATA_DIR to a folder that can."
        ) from None
    key = secrets.token_urlsafe(size)
    with os.fdopen(file, "w") as stream:
        stream.write(key)
    return key
