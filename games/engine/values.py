"""Frozen, slotted dataclasses that are cheap to make: a game is made of hundreds of them."""

from dataclasses import dataclass, fields
from typing import Any, dataclass_transform


@dataclass_transform(frozen_default=True)
def value[T](cls: type[T]) -> type[T]:
    """`dataclass(frozen=True, slots=True)` without defaults, constructed in half the time.

    The constructor of a frozen dataclass looks each name up again in `object.__setattr__`; this
    one calls the setter of the field's own slot. Nothing else differs.
    """
    made: Any = dataclass(frozen=True, slots=True)(cls)
    if names := [field.name for field in fields(made)]:
        scope: dict[str, Any] = {f"set_{name}": getattr(made, name).__set__ for name in names}
        body = "; ".join(f"set_{name}(self, {name})" for name in names)
        exec(f"def __init__(self, {', '.join(names)}): {body}", scope)  # noqa: S102  # as dataclass does
        made.__init__ = scope["__init__"]
    return made  # type: ignore[no-any-return]
