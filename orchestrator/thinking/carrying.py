"""Questions and answers as bytes between our own processes: a length and a pickle."""

from __future__ import annotations

import copyreg
import io
import pickle
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from orchestrator.plan.lazily import Lazily
from orchestrator.thinking.knowing import REDUCED, KnownThings, reduced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

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
