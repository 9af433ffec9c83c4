"""Regular expressions that are compiled when they are first used, so that a question pays only for those it needs."""

from __future__ import annotations

import re
from typing import Any, cast

REPEATED = re.compile(r"(\\[dDsSwW]|\[\^?\]?(?:[^\]\\]|\\.)*\])\+(?![?+])", re.DOTALL)


def begun(text: str) -> str:
    """The same pattern, a first ``[ab]+`` as ``[ab][ab]*``: what a match begins with is looked for a tenth as dearly where a pattern begins with that."""
    return REPEATED.sub(r"\1\1*", text, count=1) if REPEATED.match(text) else text


class _Uncompiled:
    """Stands where a pattern would: its first use compiles, and puts the compiled method in its own place."""

    def __init__(self, text: str, flags: int) -> None:
        self.pattern = text
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        """A method of the pattern. Only the first call comes here; then the instance has it."""
        found = getattr(re.compile(begun(self.pattern), self.flags), name)
        setattr(self, name, found)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return regex, (self.pattern, self.flags)


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """As :func:`re.compile`, but later: compiling all that the rooms of a question have takes far longer than one answer does.

    A pattern that is no regular expression raises :class:`re.error` where it is used, not where it is written.
    """
    return cast(re.Pattern[str], _Uncompiled(text, flags))
