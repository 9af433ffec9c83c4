"""What a thread is about, so that "who decided that?" can be asked in it.

The rule: a message goes on from the question before it in the same thread if it names no subject of its own (no word,
phrase or id is left once dates, sources and words that only ask are taken away), or points back with a pronoun or to
the time before or after. Then the subject of that question (its words, phrases and ids, as they were typed) is put
before it. Dates, people, places and sources are not carried on, and nothing of an answer ever is.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from orchestrator.surfaces.bot.platform import ChatLocation
    from translators.query import Query

MOST = 5000  # threads that are remembered
SECONDS = 86400.0

KOREAN = re.compile(
    r"(?:^|\s)(?:그거|그건|그게|그걸|그것|그때|그쪽|거기|이거|이건|이게|이걸|이것|저거|저건|해당|그\s?(?:이전|이후|전|후|뒤|다음)(?:에는|에|엔|은|부터)?(?![가-힣]))"
)
ENGLISH = re.compile(
    r"\b(?:it|its|they|them|their)\b"
    r"|\b(?:that|this|those|these)\b(?=\s*(?:[?.!,]|$|(?:is|was|are|were|has|have|had|will|one|ones)\b))",
    re.IGNORECASE,
)


def points_back(text: str) -> bool:
    """Whether a pronoun stands for something said before."""
    return bool(KOREAN.search(text) or ENGLISH.search(text))


def has_subject(query: Query) -> bool:
    """Whether a question says by itself what it is about."""
    return bool(query.keywords or query.phrases or query.ids)


def goes_on(text: str, query: Query) -> bool:
    """Whether a message is about what was asked before it."""
    return not has_subject(query) or points_back(text)


def subject_of(query: Query) -> str:
    """What a question is about, as it was typed; quoted words stay quoted."""
    quoted = {word for phrase in query.phrases for word in phrase.casefold().split()}
    ids = [str(each) for each in query.ids]
    known = {each.casefold() for each in ids}
    words = [each for each in query.keywords if each.casefold() not in quoted | known]
    return " ".join((*(f'"{phrase}"' for phrase in query.phrases), *ids, *words))


def joined(subject: str, text: str) -> str:
    """The question as it is asked: the subject in the place of the Korean pronoun for it, else before all."""
    rest = " ".join(KOREAN.sub(" ", text, count=1).split())
    return f"{subject} {rest if any(map(str.isalnum, rest)) else text}"


class Threads:
    """The last subject of each thread, for a day, in this process."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._known: OrderedDict[ChatLocation, tuple[str, float]] = OrderedDict()

    def subject(self, place: ChatLocation) -> str:
        """What was asked about last; "" where nothing was."""
        subject, at = self._known.get(place, ("", 0.0))
        return subject if at + SECONDS > self._clock() else ""

    def remember(self, place: ChatLocation, subject: str) -> None:
        """A question about this has been asked here."""
        if not subject:
            return
        self._known[place] = subject, self._clock()
        self._known.move_to_end(place)
        while len(self._known) > MOST:
            self._known.popitem(last=False)
