"""Whether the person at a place of an English question wrote, sent or said what is looked for."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from orchestrator.understand.doing import DOING
from orchestrator.understand.draft import without_possessive
from orchestrator.understand.meaning import HARDLY
from orchestrator.understand.people_words import (
    ADVERBS,
    AGES,
    ALL_OF_IT,
    ASKED,
    BY,
    HONORIFICS,
    RANKS,
    SAYS,
    SENT,
    SUBJECTS_DO,
    VIEWS,
)
from translators.patterns import regex

if TYPE_CHECKING:
    from orchestrator.understand.draft import Draft

ROMANISED = regex(r"[A-Z][a-z]{1,6}-[A-Za-z][a-z]{1,6}$")
CLAN = regex(r"(?:O['’]|Mc|Mac|D['’])[A-Z][a-z]+$")
"""O'Malley, McAllister."""
WHAT = frozenset({"what", "which", "all", "everything", "anything"})
BEING = frozenset({"is", "are", "was", "were", "be", "been", "being", "got", "gets", "of", "for", "with", "about"})
WORK = frozenset({"fix", "fixed", "handle", "handled", "handles", "work", "worked"})
"""Verbs of work among those of saying, deciding and leading."""
DID = frozenset({"did", "built", "made", "set"})
PAST = regex(r"[a-z]{2,}(?<!e)ed")
TOPIC = frozenset({"", "on", "about", "of", "regarding", "in", "towards", "toward", "for"})
"""Behind a view stands what it is about, or nothing: not "Dana's view count"."""


def is_author_en(draft: Draft, index: int, size: int) -> bool:
    """Whether the ``size`` words from ``index`` on name the author."""
    words, last = draft.words, draft.words[index + size - 1]
    before = words[index - 1].lower if index else ""
    after = following(draft, index + size - 1)
    if _says(draft, index, size, after) or (before == "from" and index > 1 and words[index - 2].lower in SENT):
        return True
    if last.possessive:
        return _possessed_thing(draft, index + size)
    if before in BY:
        verb = words[index - 2].lower if index > 1 else ""
        return verb in draft.lexicon.authoring_en or not verb.endswith(("ed", "led", "run"))
    if is_passive(draft, index + size - 1):
        return False
    if after in draft.lexicon.authoring_en and after not in {"make", "made"}:
        return not (before in {"and", "or"} and index > 1 and words[index - 2].keep)
    return after in {"made", "make"} and before != "decision"


def does_en(draft: Draft, index: int, size: int) -> float:
    """How sure it is that the ``size`` words from ``index`` on name who did what is looked for: what did Dana ship, bugs Dana fixed."""
    words, last = draft.words, draft.words[index + size - 1]
    after = following(draft, index + size - 1)
    before = words[index - 1].lower if index else ""
    if last.possessive or not after or before in BEING or is_passive(draft, index + size - 1):
        return 0  # why was Dana replaced: it was done to her
    said = after in draft.lexicon.acting_en and after not in WORK
    if index > 1 and before in ASKED and words[index - 2].lower in WHAT:
        return HARDLY if said or after in SUBJECTS_DO else DOING
    if said:
        return HARDLY
    return DOING if index and (after in DID or PAST.fullmatch(after)) and after not in draft.lexicon.not_topic else 0


def is_passive(draft: Draft, index: int) -> bool:
    """Whether a verb and *by* follow: the decks shared by Dana."""
    return [word.lower for word in draft.words[index + 2 : index + 3]] == ["by"]


def following(draft: Draft, index: int) -> str:
    """The next word that is no adverb, unless a pause comes first; a capital is no verb (Technical Specifications Document)."""
    end, possessive = draft.words[index].end, draft.words[index].possessive
    for word in draft.words[index + 1 : index + 4]:
        if draft.text[end : word.start].strip():
            return ""
        if word.lower not in ADVERBS:
            return word.lower if possessive or word.text[:1].islower() or word.hangul else ""
        end = word.end
    return ""


def unaccented(name: str) -> str:
    """Tomás is Tomas in the lists."""
    return (
        name
        if name.isascii()
        else "".join(char for char in unicodedata.normalize("NFD", name) if not unicodedata.combining(char))
    )


def _says(draft: Draft, index: int, size: int, after: str) -> bool:
    """What somebody said or thinks is asked for. Only of a certain person: a firm or a document has no such author."""
    words, end = draft.words, index + size
    titled = index > 0 and (words[index - 1].lower in HONORIFICS or words[index - 1].text in RANKS)
    lead = [word.lower for word in words[: index - titled][-2:]]
    if words[end - 1].possessive:
        topic = words[end + 1].lower if end + 1 < len(words) else ""
        said = end < len(words) and words[end].lower in VIEWS and topic in TOPIC
    elif lead[-1:] == ["of"]:
        said = lead[0] in VIEWS
    else:
        before = lead[-1] if lead else ""
        said = lead == ["according", "to"] or (after in SAYS and (before in ASKED or before in ALL_OF_IT))
    return said and (titled or is_certain(draft, index, size))


def is_certain(draft: Draft, index: int, size: int) -> bool:
    """A person by directory, in Hangul by what found it, or by a name of the lists."""
    group = draft.words[index : index + size]
    first = group[0].bare
    if group[0].hangul or unaccented(first.lower()) in draft.lexicon.given:
        return True
    if ROMANISED.match(first) or CLAN.match(first):
        return True
    name = without_possessive(draft.text[group[0].start : group[-1].end])
    return draft.directory.person(name, fuzzy=False) is not None or draft.directory.heard(name) is not None


def _possessed_thing(draft: Draft, start: int) -> bool:
    """What follows 's is something people make, before any preposition."""
    for word in draft.words[start : start + 4]:
        if word.lower in draft.lexicon.made:
            return True
        if word.lower in draft.lexicon.stop_en and word.lower not in AGES:
            return False
    return False
