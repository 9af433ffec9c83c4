"""Partial responses of Google's APIs: what a mask of fields leaves of a reply.

https://developers.google.com/workspace/drive/api/guides/fields-parameter
"""

import re
from collections.abc import Mapping
from typing import Any

from orchestrator.sandbox.logic import Tokens

MAX_DEPTH = 10

Mask = Mapping[str, Any]
"""Names of fields, each with the mask of what is inside it; an empty mask means all of it."""

_PIECE = re.compile(r"\s*(?:(?P<name>\w+|\*)|(?P<sign>[,()/]))")


class FieldError(ValueError):
    """A field that there is not, or a mask that cannot be read; its text is the field."""


def mask_of(text: str) -> Mask:
    """The mask that `a,b(c,d),e/f` or `*` stands for. Raises `FieldError`."""
    return _Reader(Tokens(text, _PIECE, FieldError)).whole()


def limited(mask: Mask, known: Mask) -> Mask:
    """The mask with `*` spelled out; raises `FieldError` for a field that is not known."""
    found: dict[str, Any] = {}
    for name, inner in mask.items():
        if name == "*":
            found |= known
        elif name in known:
            found[name] = limited(inner, known[name]) if inner else known[name]
        else:
            raise FieldError(name)
    return found


def masked(value: Any, mask: Mask) -> Any:
    """What a mask leaves of a value."""
    if not mask:
        return value
    if isinstance(value, list):
        return [masked(each, mask) for each in value]
    return {name: masked(inner, mask[name]) for name, inner in value.items() if name in mask}


class _Reader:
    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def whole(self) -> Mask:
        mask = self._fields(0)
        self._tokens.end()
        return mask

    def _fields(self, depth: int) -> dict[str, Any]:
        found = self._field(depth)
        while self._tokens.skip("sign", ","):
            found |= self._field(depth)
        return found

    def _field(self, depth: int) -> dict[str, Any]:
        name = self._tokens.take("name")
        if depth > MAX_DEPTH:
            raise FieldError(name)
        if self._tokens.skip("sign", "/"):
            return {name: self._field(depth + 1)}
        if not self._tokens.skip("sign", "("):
            return {name: {}}
        inner = self._fields(depth + 1)
        if not self._tokens.skip("sign", ")"):
            raise FieldError(name)
        return {name: inner}
