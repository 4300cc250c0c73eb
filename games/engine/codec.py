"""Events and states as plain JSON values, and back. Each payload carries a schema version."""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeAliasType, get_args, get_origin, get_type_hints

from . import events, state
from .cards import Options

SCHEMA = 1

type Json = str | int | bool | list[Json] | dict[str, Json] | None

_KINDS: dict[str, type] = {kind.__name__: kind for kind in get_args(events.Event.__value__)}
_PHASES: dict[str, type] = {
    kind.__name__: kind for kind in (state.Choose, *get_args(state.Acting.__value__), state.Over)
}


def dump_events(happened: list[events.Event]) -> list[Json]:
    """Each event as [name, value, ...], in the order of its fields."""
    return [[type(event).__name__, *_values(event)] for event in happened]


def load_events(payload: list[Any], schema: int) -> list[events.Event]:
    """The events of a payload written with `schema`; ValueError if it is not known."""
    if schema != SCHEMA:
        raise ValueError(f"unknown event schema {schema}")
    return [_load(_KINDS[name], values) for name, *values in payload]


def dump_state(table: state.State) -> Json:
    """The whole table, hidden cards included, as JSON values."""
    return [SCHEMA, [type(table.phase).__name__, *_values(table.phase)], *_values(table)]


def load_state(payload: list[Any]) -> state.State:
    """The inverse of `dump_state`."""
    _, (name, *values), *rest = payload
    phase = _load(_PHASES[name], values)
    names = [field.name for field in fields(state.State)]
    hints = get_type_hints(state.State)
    loaded = {
        name: phase if name == "phase" else _reader(hints[name])(value)
        for name, value in zip(names, rest, strict=True)
    }
    return state.State(**loaded)


def _values(thing: Any) -> list[Json]:
    return [_value(getattr(thing, field.name)) for field in fields(thing)]


def _value(value: Any) -> Json:
    if isinstance(value, events.Action | Options):
        return list(_values(value))
    if isinstance(value, tuple):
        return [_value(item) for item in value]
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, int):
        return value
    return None  # a phase: written apart, under its name


def _load(kind: type, values: list[Any]) -> Any:
    readers = _readers(kind)
    return kind(*[read(value) for read, value in zip(readers, values, strict=True)])


@cache
def _readers(kind: type) -> tuple[Callable[[Any], Any], ...]:
    hints = get_type_hints(kind)
    return tuple(_reader(hints[field.name]) for field in fields(kind))


def _reader(hint: Any) -> Callable[[Any], Any]:
    """What turns the JSON value of a field with this type back into it."""
    if isinstance(hint, TypeAliasType):
        return _reader(hint.__value__)
    if get_origin(hint) is tuple:
        read = _reader(get_args(hint)[0])
        return lambda value: tuple([read(item) for item in value])
    if isinstance(hint, UnionType):
        read = _reader(next(arg for arg in get_args(hint) if arg is not NoneType))
        return lambda value: None if value is None else read(value)
    if hint in (events.Action, Options):
        return lambda value: _load(hint, value)
    if hint in (int, bool):
        return lambda value: value
    return hint  # type: ignore[no-any-return]  # an enumeration reads its own value
