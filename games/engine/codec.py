"""Events and states as plain JSON values, and back. Each payload carries a schema version.

An event or a phase is [name, value, ...], in the order of its fields.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import convert, to_builtins

from .events import Event
from .state import State

SCHEMA = 1

type Json = str | int | bool | list[Json] | dict[str, Json] | None


def dump_events(happened: Sequence[Event]) -> Json:
    """The events of one move as JSON values."""
    return _plain(happened)


def load_events(payload: Json, schema: int) -> list[Event]:
    """The events of a payload written with `schema`; ValueError where they are not known."""
    _check(schema)
    return convert(payload, list[Event])


def dump_state(table: State) -> Json:
    """The whole table, hidden cards included, as JSON values."""
    return [SCHEMA, _plain(table)]


def load_state(payload: Json) -> State:
    """The inverse of `dump_state`; ValueError where it is not known."""
    if not isinstance(payload, list) or len(payload) != 2:
        raise ValueError("not a state")
    schema, table = payload
    _check(schema)
    return convert(table, State)


def _plain(thing: Any) -> Json:
    plain: Json = to_builtins(thing)
    return plain


def _check(schema: Json) -> None:
    if schema != SCHEMA:
        raise ValueError(f"unknown schema {schema}")
