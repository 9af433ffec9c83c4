"""Searches of the public web as their vendors' documents declare them: paths, parameters with what each may be, errors."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from orchestrator.sandbox.pages import Pages
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, whole_number

Check = Callable[[str], object]
"""What a parameter may be: true of what is as documented."""


def within(least: int, most: int) -> Check:
    """A whole number between bounds."""
    return lambda text: whole_number(text, least, most) is not None


class WebSearchEmulator(ABC):
    """One vendor's search over pages. ``parameters``: what each may be, in the order in which they are checked; ``needed``: without which there is no search."""

    source: ClassVar[str]
    base_path = ""
    token: ClassVar[str]
    paths: ClassVar[frozenset[str]]
    parameters: ClassVar[Mapping[str, Check]]
    needed: ClassVar[frozenset[str]] = frozenset({"q"})

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or self.token,)
        self.pages = Pages(situation.corpus.of(self.source))

    def answer(self, request: WireRequest) -> WireReply:
        """Pages, or an error in the vendor's shape."""
        given = dict(request.query())
        if request.method != "GET" or request.path not in self.paths:
            return self.error(404, "there is nothing here", given)
        return self.found(request, given)

    def wrong(self, given: Mapping[str, str]) -> str:
        """The first parameter that is missing or not as documented."""
        checked = ((name, check) for name, check in self.parameters.items() if name in given or name in self.needed)
        return next((name for name, check in checked if not check(given.get(name, ""))), "")

    def too_large(self) -> WireReply:
        """A body over the limit."""
        return self.error(413, "the request is too large", {})

    def origins(self) -> Mapping[str, str]:
        """By address."""
        return {row.url: row.id for row in self.pages.rows if row.url}

    @abstractmethod
    def found(self, request: WireRequest, given: dict[str, str]) -> WireReply:
        """What the vendor replies at one of its paths."""

    @abstractmethod
    def error(
        self, status: int, detail: str, asked: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> WireReply:
        """An error in the vendor's shape."""
