"""One question back, where what was found means different things: with the readings found, and how often.

Never where the question names what it means, and never where one reading is most of what there is: then the answer
says it. What is asked back can be asked as it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.themes import find_themes, nothing_else
from orchestrator.answer.wording import say
from orchestrator.model import Clarification, Reading
from translators.match import HANGUL, words
from translators.patterns import regex
from translators.query import EntityKind, QueryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from connectors.contract import Hit
    from orchestrator.answer.themes import Counterparts, Theme
    from orchestrator.model import Dropped, Outcome
    from translators.query import Query

FEW = 2  # words at most of a question that may mean several things
MOST_IN_ONE = 0.75  # of the hits that any reading holds; above it, that is what was meant
LEAST_READ = 0.6  # of the hits that hold the question's words are of some reading,
ENOUGH = 5  # and so many
NAME = regex(r"[\d_./#-]|[a-z][A-Z]")  # billing-gateway, v2, ActionGenie: one thing and no kind of thing


def clarify(
    outcomes: Sequence[Outcome], dropped: Sequence[Dropped], query: Query, called: Counterparts = nothing_else
) -> Clarification | None:
    """The question to ask back, ``None`` where there is nothing to ask. ``called``: what a word is in the other language."""
    if not may_mean_several(query):
        return None
    left_out = {(each.hit.source, each.hit.id) for each in dropped}
    themes, looked_at = find_themes(_strict(outcomes, left_out), query, called)
    counts = [len(theme.hits) for theme in themes]
    read = sum(counts)
    if len(themes) < 2 or max(counts) > MOST_IN_ONE * read or read < max(ENOUGH, LEAST_READ * looked_at):  # noqa: PLR2004
        return None
    readings = tuple(Reading(theme.label, len(theme.hits), theme.context) for theme in themes)
    options = tuple(_refined(query, theme) for theme in themes)
    shown = ", ".join(f"{each.label} ({', '.join(filter(None, (each.context, str(each.count))))})" for each in readings)
    return Clarification(say(query, "which", word=" ".join(query.keywords), readings=shown), options, readings)


def may_mean_several(query: Query) -> bool:
    """A word or two and no filter that already says which is meant; a name only if the question seems vague for it."""
    filtered = (
        query.phrases or query.ids or query.author or query.container or query.kinds or query.negated or query.window
    )
    if filtered or query.mine or not 1 <= len(query.keywords) <= FEW:
        return False
    named = {part for each in query.entities if each.kind is not EntityKind.TEAM for part in words(each.name)}
    if query.ambiguous:  # how a thing stands that is named is clear: Kestrel 상태
        return query.type is QueryType.EXPLORATORY or not any(set(words(word)) & named for word in query.keywords)
    clear = query.type is QueryType.PERSON and len(query.keywords) == FEW  # who works on two words is told of either
    return not clear and not any(NAME.search(word) or set(words(word)) & named for word in query.keywords)


def _strict(outcomes: Sequence[Outcome], left_out: set[tuple[str, str]]) -> Iterator[Hit]:
    """What was found as asked, the first of every source before the second of any."""
    lists = [
        [hit for hit_list in outcome.lists if not hit_list.rung for hit in hit_list.hits]
        for outcome in sorted(outcomes, key=lambda each: each.source)
    ]
    for place in range(max(map(len, lists), default=0)):
        for hits in lists:
            if place < len(hits) and (hits[place].source, hits[place].id) not in left_out:
                yield hits[place]


def _refined(query: Query, theme: Theme) -> str:
    """The question with the reading put before its first keyword, so that it can be asked as it stands."""
    first = query.keywords[0]
    place = query.text.find(first)
    if place < 0:
        return f"{query.text} {theme.label}"
    glue = "" if HANGUL.match(theme.label) and place and query.text[place - 1].isalnum() else " "
    return f"{query.text[:place]}{theme.label}{glue}{query.text[place:]}"
