"""What planning knows of one configured source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from connectors.contract import SourceDirectory
from translators.records import record
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from translators.capabilities import Capabilities
    from translators.query import Category, Query
    from translators.translator import Translation, Translator

    Translate = Callable[[Query, "SourceProfile"], Translation]

NOBODY = SourceDirectory()


@record
class SourceProfile:
    """A configured source: its dialect, its powers, whom it knows.

    ``missing`` says what it needs before it can be asked (empty: it can be asked); ``priority`` is the operator's
    own weight for it, 1 being neutral. ``page``: hits that one request brings at no further cost, 0 where each costs its own. ``signed``: as whom it is asked. ``public``: what it is asked is read outside. ``host``: where it is, if that is
    an address of one's own. ``unread``: why nobody knows its names yet, for people; empty once they are known.
    """

    name: str
    title: str
    category: Category
    translator: Translator
    can: Capabilities
    directory: SourceDirectory = NOBODY
    missing: Said = UNSAID
    priority: float = 1.0
    page: int = 0
    public: bool = False
    host: str = ""
    unread: Said = UNSAID
    signed: Literal["none", "shared", "person"] = "shared"

    @property
    def names(self) -> frozenset[str]:
        """What it may be called in a ``source:`` filter: its own name, or its category for all of the kind."""
        return frozenset({self.name, self.category.value})


def called(names: Iterable[str], profiles: Iterable[SourceProfile]) -> frozenset[str]:
    """The sources that ``names`` mean: the one of that very name, else all of the category that is called so."""
    listed, wanted = tuple(profiles), frozenset(names)
    kinds = wanted - {each.name for each in listed}
    return frozenset(each.name for each in listed if each.name in wanted or each.category.value in kinds)
