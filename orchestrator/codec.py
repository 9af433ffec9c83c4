"""Our nouns as JSON and back, so that what sources answered can be kept in a file and looked at with any tool.

A dataclass becomes an object with its name under ``@`` and only those fields that differ from their defaults. Only the
vocabulary listed here is built again: a file can name nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from types import MappingProxyType, ModuleType
from typing import Any

from connectors import contract
from orchestrator import model
from translators import query, translator
from translators.said import Said, in_every_language

TAG = "@"
VOCABULARY: tuple[ModuleType, ...] = (query, translator, contract, model)

Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]


def encode(value: object) -> Plain:
    """What ``json.dumps`` takes. Raises ``TypeError`` for what is not of our vocabulary."""
    if isinstance(value, Said):
        return {TAG: "said", "value": dict(in_every_language(value))}
    if isinstance(value, Enum):
        return {TAG: type(value).__name__, "value": value.value}
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [encode(each) for each in value]
    return _object(value)


def _object(value: object) -> dict[str, Plain]:
    if isinstance(value, Mapping):
        return {TAG: "mapping", "value": [[encode(name), encode(each)] for name, each in value.items()]}
    if isinstance(value, date):
        return {TAG: "datetime" if isinstance(value, datetime) else "date", "value": value.isoformat()}
    if is_dataclass(value) and not isinstance(value, type) and type(value).__name__ in _types():
        said = {each.name: getattr(value, each.name) for each in fields(value)}
        told = {each.name: encode(said[each.name]) for each in fields(value) if said[each.name] != _default(each)}
        return {TAG: type(value).__name__, **told}
    raise TypeError(f"{type(value).__name__} is no noun of {', '.join(module.__name__ for module in VOCABULARY)}")


def decode(plain: Plain) -> Any:
    """What :func:`encode` was given; lists come back as tuples. Raises ``ValueError`` for a name that is not known."""
    if isinstance(plain, list):
        return tuple(decode(each) for each in plain)
    if not isinstance(plain, dict):
        return plain
    name = str(plain.get(TAG))
    if name in VALUES:
        return VALUES[name](plain["value"])
    kind = _types().get(name)
    if kind is None:
        raise ValueError(f"{name!r} is nothing that a recording may hold")
    if issubclass(kind, Enum):
        return kind(plain["value"])
    return kind(**{key: decode(each) for key, each in plain.items() if key != TAG})


def _mapping(pairs: Any) -> Mapping[Any, Any]:
    return MappingProxyType({decode(name): decode(each) for name, each in pairs})


VALUES: Mapping[str, Callable[[Any], Any]] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "mapping": _mapping,
    "said": Said.given,
}


@cache
def _types() -> Mapping[str, type]:
    return {
        name: kind
        for module in VOCABULARY
        for name, kind in vars(module).items()
        if isinstance(kind, type)
        and kind.__module__ == module.__name__
        and (is_dataclass(kind) or issubclass(kind, Enum))
    }


def _default(each: Field[Any]) -> object:
    return each.default_factory() if each.default_factory is not MISSING else each.default
