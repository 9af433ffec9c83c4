"""Frozen dataclasses that cost little to make and to carry: there are thousands for each question."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, TypeVar

T = TypeVar("T")


def made_quickly(record: type[T]) -> type[T]:
    """The same frozen, slotted dataclass, made with a third of the instructions, and out of a pickle in half the time. Above it stands ``@dataclass(frozen=True, slots=True)``.

    Python's own ``__init__`` goes past what freezes the record by a call for each attribute. This one writes to it while it is of
    a class that has the same slots and is not frozen, and hands it over whole. It has no subclasses.

    >>> from dataclasses import dataclass
    >>> @made_quickly
    ... @dataclass(frozen=True, slots=True)
    ... class Place:
    ...     name: str
    ...     rank: int = 0
    >>> Place("first", rank=1)
    Place(name='first', rank=1)
    """
    if hasattr(record, "__post_init__") or any(each.kw_only or not each.init for each in fields(record)):  # type: ignore[arg-type]
        raise TypeError(f"{record.__name__} is not made of its fields alone, in their order")
    takes, stores = ["self"], []
    known: dict[str, Any] = {"record": record, "unset": MISSING, "become": object.__setattr__}
    known["being_made"] = type(record.__name__, (), {"__slots__": tuple(each.name for each in fields(record))})  # type: ignore[arg-type]
    for each in fields(record):  # type: ignore[arg-type]
        name = value = each.name
        if each.default_factory is not MISSING:
            known[f"make_{name}"] = each.default_factory
            value = f"make_{name}() if {name} is unset else {name}"
            takes.append(f"{name}=unset")
        elif each.default is not MISSING:
            known[f"usual_{name}"] = each.default
            takes.append(f"{name}=usual_{name}")
        else:
            takes.append(name)
        stores.append(f"self.{name} = {value}")
    made_of = "".join(f"self.{each.name}, " for each in fields(record))  # type: ignore[arg-type]
    body = "; ".join(("become(self, '__class__', being_made)", *stores, "self.__class__ = record"))
    exec(f"def __init__({', '.join(takes)}): {body}", known)  # noqa: S102 - dataclasses make theirs so
    exec(f"def __reduce__(self): return record, ({made_of})", known)  # noqa: S102
    known["__init__"].__annotations__ = record.__init__.__annotations__
    record.__init__ = known["__init__"]  # type: ignore[method-assign]
    record.__reduce__ = known["__reduce__"]  # type: ignore[method-assign]
    return record
