"""What people say below a thing, as part of its text: each behind the name of who said it, the oldest first."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from connectors.text import clip
from connectors.wire import WireT, read_each
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from connectors.wire import ItemMemo
    from translators.query import Person

SHARE = 2  # comments take no more than one part in so many of a text that has no room for all


@record
class Comment:
    """What somebody said below a thing; ``who`` is ``None`` where the source does not tell."""

    who: Person | None
    words: str


def read_comments(
    model: type[WireT],
    items: Iterable[object],
    dated: Callable[[WireT], tuple[datetime, Comment] | None],
    known: ItemMemo | None,
) -> tuple[Comment, ...]:
    """Those that came with a thing, the oldest first; one that is not of the documented shape costs itself alone, and ``None`` is no comment."""
    found, _ = read_each(model, items, dated, "comments", known)
    return tuple(comment for _, comment in sorted(found, key=itemgetter(0)))


def spoken(who: Person | None, words: str) -> str:
    """What somebody said, as it stands in the text; of somebody who is not known, the words alone."""
    return f"{who.name}: {words}" if who and who.name and words else words


def voices(people: Iterable[Person | None]) -> tuple[str, ...]:
    """The fact ``voices``: before whose words a name stands, as :func:`spoken` writes it."""
    return tuple(dict.fromkeys(who.name for who in people if who and who.name))


def with_comments(text: str, comments: Sequence[Comment], most: int) -> tuple[str, tuple[str, ...], bool]:
    """``text`` with ``comments``, oldest first, in ``most`` characters; the fact ``voices``; and whether that is all of it.

    Where there is no room for all, the newest comments stay: they say how things stand.
    """
    told = [each for each in comments if each.words.strip()]
    room = max(most - len(text), most // SHARE)
    kept: list[Comment] = []
    for each in reversed(told):
        room -= len(spoken(each.who, each.words)) + 2
        if room < 0:
            break
        kept.insert(0, each)
    below = "\n\n".join(spoken(each.who, each.words) for each in kept)
    above, whole = clip(text, most - len(below) - 2 if below else most)
    return (
        "\n\n".join(filter(None, (above, below))),
        voices(each.who for each in kept),
        whole and len(kept) == len(told),
    )
