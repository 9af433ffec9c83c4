"""Questions and answers as bytes between our own processes: a length and a pickle."""

from __future__ import annotations

import copyreg
import io
import pickle
from types import MappingProxyType
from typing import Any

from orchestrator.plan.lazily import Lazily
from orchestrator.rank import RankMemo
from orchestrator.understand import Directory

LENGTH = 8
"""Bytes of the length that each message begins with."""
THINKER, NURSERY, KOREAN = b"split", b"nursery", b"korean"
"""What the first process is asked for: to split off one that thinks, or one that splits off as it does itself; to load the morphology
of Korean, for those that it splits off from then on."""


def packed(message: Any) -> bytes:
    """The message behind its length. Raises :class:`pickle.PicklingError` and its like."""
    buffer = io.BytesIO()
    buffer.write(bytes(LENGTH))
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {
        **copyreg.dispatch_table,
        MappingProxyType: lambda each: (_shown, (dict(each),)),
        RankMemo: lambda _: (RankMemo, ()),  # whoever ranks elsewhere works it out there
        Lazily: lambda each: (tuple, (list(each),)),
        Directory: lambda each: (Directory, (each.people, each.projects, each.channels)),  # not what it looks up in
    }
    pickler.dump(message)
    size = buffer.tell() - LENGTH
    buffer.seek(0)
    buffer.write(size.to_bytes(LENGTH))
    return buffer.getvalue()


def _shown(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    """The type itself has no name that it could be found by."""
    return MappingProxyType(mapping)


def unpacked(data: bytes) -> Any:
    """What a process of ours said."""
    return pickle.loads(data)  # noqa: S301 - a process that we started, over its own pipe
