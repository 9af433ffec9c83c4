"""Questions and answers between our own processes: as bytes (a length and a pickle), and what both know of a question carried once and afterwards called by a number.

A hit that is called so is the same object each time, so what was worked out of it stays known (:mod:`orchestrator.rank.stage`).
"""

from __future__ import annotations

import copyreg
import io
import pickle
from collections import OrderedDict, defaultdict
from dataclasses import fields
from functools import partial
from itertools import count
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from connectors.contract import Hit
from orchestrator.model import Outcome, Plan
from orchestrator.plan.lazily import Lazily
from orchestrator.rank import RankMemo
from orchestrator.understand import Directory
from translators.query import Query
from translators.translator import Translation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

KINDS: Mapping[type, tuple[type, ...]] = {
    RankMemo: (RankMemo, Query, Plan, Outcome, Translation, Hit),
    Directory: (Directory,),
}
"""What is carried once to a process, by what the calls are about: a question, by its memo, or a directory."""
MOST = 8
"""Of each that a process keeps: whatever it is asked next is most likely about one of these."""
REDUCED: Mapping[type, Callable[[Any], tuple[Any, ...]]] = {
    RankMemo: lambda _: (RankMemo, ()),  # whoever ranks elsewhere works it out there
    # Not what it looks up in.
    Directory: lambda each: (Directory, tuple(getattr(each, part.name) for part in fields(each))),
}


class KnownThings:
    """By their numbers. ``kinds``: what of a message is carried once."""

    def __init__(self, numbers: Iterator[int] | None = None, kinds: tuple[type, ...] = KINDS[RankMemo]) -> None:
        self._new = count() if numbers is None else numbers
        self.kinds = kinds
        self._things: dict[int, Any] = {}  # held, so that their identities stay theirs
        self._numbers: dict[int, int] = {}

    def __iter__(self) -> Iterator[int]:
        return iter(self._things)

    def called(self, number: int) -> Any:
        """What goes by a number."""
        return self._things[number]

    def learnt(self, number: int, make: Callable[..., Any], values: tuple[Any, ...], state: Any = None) -> Any:
        """A thing as it is carried the first time, called so from now on."""
        thing = make(*values)
        if state is not None:
            thing.__setstate__(state)
        self._keep(number, thing)
        return thing

    def mentioned(self, thing: Any) -> Any:
        """How it is carried to who knows the same things."""
        number = self._numbers.get(id(thing))
        return reduced(thing) if number is None else (KnownThings.called, (number,))

    def taught(self, thing: Any) -> Any:
        """The same, to who is to know it from now on."""
        if id(thing) in self._numbers:
            return self.mentioned(thing)
        number = next(self._new)
        self._keep(number, thing)
        make, values, *state = reduced(thing)
        return KnownThings.learnt, (number, make, values, *state[:1])

    def forget(self, numbers: Iterable[int]) -> None:
        """They are not mentioned again."""
        for number in numbers:
            del self._numbers[id(self._things.pop(number))]

    def _keep(self, number: int, thing: Any) -> None:
        self._things[number] = thing
        self._numbers[id(thing)] = number


class ToldTopics:
    """What one process has been told, by what it is about, with which it is to be forgotten."""

    def __init__(self) -> None:
        self._numbers = count()
        self._known: defaultdict[type, OrderedDict[int, tuple[object, KnownThings]]] = defaultdict(OrderedDict)

    def __contains__(self, about: object) -> bool:
        return id(about) in self._known[type(about)]

    def of(self, about: object) -> tuple[KnownThings, tuple[int, ...]]:
        """What is known about it, and the numbers of what is to be forgotten in its place."""
        kinds = KINDS.get(type(about), ())
        if not kinds:
            return KnownThings(kinds=()), ()
        known = self._known[type(about)]
        forgotten: tuple[int, ...] = ()
        if about not in self and len(known) == MOST:
            _, (_, oldest) = known.popitem(last=False)
            forgotten = tuple(oldest)
        _, things = known.setdefault(id(about), (about, KnownThings(self._numbers, kinds)))
        known.move_to_end(id(about))
        return things, forgotten

    def clear(self) -> None:
        """The process is gone."""
        self._known.clear()


def reduced(thing: Any) -> Any:
    """What it is made of, as :meth:`object.__reduce_ex__` says it, without what each process works out by itself."""
    special = REDUCED.get(type(thing))
    return special(thing) if special else thing.__reduce_ex__(pickle.HIGHEST_PROTOCOL)


LENGTH = 8
"""Bytes of the length that each message begins with."""
THINKER, NURSERY, KOREAN = b"split", b"nursery", b"korean"
"""What the first process is asked for: to split off one that thinks, or one that splits off as it does itself; to load the morphology
of Korean, for those that it splits off from then on."""
BOTH = KnownThings.called, KnownThings.learnt
"""How a message calls what both ends know."""


def packed(message: Any, mention: Callable[[Any], Any] = reduced, kinds: Iterable[type] = ()) -> bytes:
    """The message behind its length; ``mention`` says how things of these ``kinds`` are carried. Raises :class:`pickle.PicklingError` and its like."""
    buffer = io.BytesIO()
    buffer.write(bytes(LENGTH))
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {
        **copyreg.dispatch_table,
        MappingProxyType: lambda each: (_shown, (dict(each),)),
        Lazily: lambda each: (tuple, (each.made,)),  # what nobody has looked at is not made for this
        **REDUCED,
        **dict.fromkeys(kinds, mention),
    }
    pickler.dump(message)
    size = buffer.tell() - LENGTH
    buffer.seek(0)
    buffer.write(size.to_bytes(LENGTH))
    return buffer.getvalue()


def _shown(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """The type itself has no name that it could be found by."""
    return MappingProxyType(mapping)


def unpacked(data: bytes, things: KnownThings | None = None) -> Any:
    """What a process of ours said, with the ``things`` that both know."""
    return _Unpickler(data, things).load()


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, things: KnownThings | None) -> None:
        super().__init__(io.BytesIO(data))
        self._things = things

    def find_class(self, module: str, name: str) -> Any:
        """Of the things that both know, those that are known here."""
        found = super().find_class(module, name)
        return partial(found, self._things) if found in BOTH else found
