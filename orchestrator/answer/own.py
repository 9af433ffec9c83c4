"""What of a result is its own: a reply's subject, the mail quoted below it and a notice of another thing are not."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from orchestrator.answer.dates import days
from orchestrator.answer.moments import newest_first
from orchestrator.answer.sentences import END, READ
from orchestrator.answer.text import ADDRESS, one_line
from translators.match import happened
from translators.query import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from connectors.contract import Hit
    from orchestrator.model import Result

REPLY = re.compile(r"\s*(?:re|fwd?|aw|wg|sv|회신|답장|전달)\s?[:：]", re.IGNORECASE)
QUOTED = re.compile(r"^\s{0,80}>.*\n?", re.MULTILINE)
QUESTION = re.compile(r"[?？](?=\s|$)")
SPOKEN = frozenset({Kind.MESSAGE, Kind.THREAD})
AS_WRITTEN = SPOKEN | {Kind.PAGE}  # a line of these is as long as its author made it
ROOT = 600  # characters of a conversation's first message that say what its replies are about
MOSTLY = 0.6  # of a sentence is the title of another thing: it is a notice of that
TELLING = 12  # characters of a title below which others may say the same by chance
RUNNING = 56  # characters of a last line from which on it is prose, and ends in a full stop if it is whole

ConversationKey = tuple[str, str, str]


def is_reply(title: str) -> bool:
    """A subject that was taken over: what it says is the first mail's word."""
    return REPLY.match(title) is not None


def is_dated(hit: Hit, title: str) -> bool:
    """Whether the only day in a title is that of the thing itself, as minutes have it."""
    if hit.created is None:
        return False
    made = hit.created.date()
    return all(abs(each - made) <= timedelta(days=1) for each in days(title, made))


def own_text(hit: Hit) -> str:
    """Without what a mail quotes of the one before, as long as it says something itself."""
    if hit.kind is not Kind.MAIL or ">" not in hit.snippet:
        return hit.snippet
    own = QUOTED.sub("", hit.snippet)
    return own if own.strip() else hit.snippet


def text_of(hit: Hit) -> str:
    """All of it that is read: its title, and its text as far as sentences are taken from it."""
    return f"{hit.title}\n{hit.snippet[:READ]}"


def is_asking(hit: Hit) -> bool:
    """Whether a message asks something: what it says beside that is not what its author knows."""
    return hit.kind in SPOKEN and QUESTION.search(hit.snippet) is not None


def is_cut(hit: Hit, sentence: str) -> bool:
    """Whether a sentence stands where the source cut its text: prose at the end of a part of it, without a full stop."""
    if hit.complete or not sentence or END.fullmatch(sentence[-1]):
        return False
    last = hit.snippet.rstrip().rpartition("\n")[2]
    return len(last) >= RUNNING and one_line(last).endswith(sentence)


def titles_of(results: Sequence[Result]) -> tuple[tuple[str, str], ...]:
    """What things are called, each with its id."""
    named = ((each.hit.id, one_line(each.hit.title)) for each in results)
    return tuple((key, title) for key, title in named if len(title) >= TELLING)


def is_notice(hit: Hit, sentence: str, titles: Iterable[tuple[str, str]]) -> bool:
    """Whether a message says little but what another thing found is called: "X created K-1: <its title> <its address>"."""
    if hit.kind not in SPOKEN:
        return False
    named = [title for key, title in titles if title in sentence and key != hit.id]
    return bool(named) and max(map(len, named)) >= MOSTLY * len(ADDRESS.sub("", sentence))


def openings(results: Iterable[Result]) -> Mapping[ConversationKey, str]:
    """The beginning of each conversation's first message, as far as it was found."""
    spoken = [each.hit for each in results if each.hit.kind in SPOKEN]
    newest_back = sorted(spoken, key=lambda hit: newest_first(happened(hit)))
    return {conversation_of(hit): hit.snippet[:ROOT] for hit in newest_back if happened(hit)}


def context_of(hit: Hit, opened: Mapping[ConversationKey, str]) -> str:
    """What says what a message is about: itself, and what it replies to."""
    own = hit.snippet[:ROOT]
    root = opened.get(conversation_of(hit), own) if hit.kind in SPOKEN else own
    return own if root == own else f"{root}\n{own}"


def conversation_of(hit: Hit) -> ConversationKey:
    """What a message is part of: its source, its place and its thread."""
    place = hit.container.name if hit.container else ""
    return hit.source, place, hit.thread
