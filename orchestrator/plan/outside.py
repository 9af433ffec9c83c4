"""Whether a question is for the outside: the web is asked when the question or the asker wants it, and not otherwise. Pure."""

from __future__ import annotations

import re
from dataclasses import field
from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.plan.outbound import Vocabulary
from orchestrator.plan.profile import called
from translators.letters import is_syllable
from translators.match import HANGUL, fold, words
from translators.query import CREDIBLE, Category, Compare, Field, Kind, QueryType, Term, all_of, conjuncts
from translators.records import record
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from orchestrator.plan.profile import SourceProfile
    from translators.query import Clause, Query

UNASKED = Said("the web is asked when a question says so (“on the web”, “웹에서”, type:web), or by --source {name}")
PRIVATE = Said("it is about {what}, which the web is not asked about unless by --source {name}")
NOTHING_LEFT = Said("all that it could be asked for only exists inside ({held}), and nothing of that is sent out")
ITS_WORDS = Said("its words")
UNREAD = Said("nothing is sent out before all names that must stay inside are known ({sources})")
WEB = frozenset({"web", "웹", "인터넷", "internet"})


@record
class OutsidePolicy:
    """``types``: kinds of question for which the web is asked unbidden. ``cues``: phrases that ask for it.

    A cue that ends in ``$`` counts at the end of a question only. ``vocabulary``: what must not be said outside.
    """

    types: frozenset[QueryType] = frozenset()
    cues: tuple[str, ...] = ()
    vocabulary: Vocabulary = field(default_factory=Vocabulary)


def why_not(query: Query, profile: SourceProfile, chosen: frozenset[str], policy: OutsidePolicy) -> Said:
    """Why a public source is not asked, for people; empty where it is. ``chosen``: sources that the asker named."""
    if profile.name in chosen:
        return UNSAID
    bidden = is_bidden(query, policy)
    if not bidden and query.type not in policy.types:
        return UNASKED.filled(name=profile.name)
    if what := _private(query):
        return PRIVATE.filled(what=what, name=profile.name)
    return UNSAID


def may_ask_outside(
    query: Query, profiles: tuple[SourceProfile, ...], only: Iterable[str], policy: OutsidePolicy
) -> bool:
    """Whether a public source may be asked, so that the names that must stay inside are needed."""
    wanted, chosen = choose(query, profiles, only)
    public = (each for each in profiles if each.public and not each.missing and (not wanted or each.name in chosen))
    return any(not why_not(query, each, chosen, policy) for each in public)


def choose(
    query: Query, profiles: tuple[SourceProfile, ...], only: Iterable[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """What the asker calls the sources that are to be asked (none: all), and the names of those that this means."""
    place = named_place(query, profiles)
    typed = frozenset(only) | frozenset(query.sources)
    placed = frozenset(each.name for each in profiles if place in each.names)
    return typed | frozenset(filter(None, (place,))), called(typed, profiles) | placed


def is_bidden(query: Query, policy: OutsidePolicy) -> bool:
    """Whether the question asks for the web."""
    return (
        Category.WEB in query.hints or Kind.WEB_PAGE in query.kinds or bool(_cues(policy.cues).search(fold(query.text)))
    )


def named_place(query: Query, profiles: tuple[SourceProfile, ...]) -> str:
    """What ``in:web`` names where no source knows a place of that name: the public sources; empty for anything else."""
    place = fold(query.container.name) if query.container else ""
    known = any(fold(each.name) == place for profile in profiles for each in profile.directory.containers)
    names = {fold(name): name for profile in profiles if profile.public for name in profile.names}
    if not place or known:
        return ""
    return names.get(place, Category.WEB.value if place in WEB and names else "")


def spoken(query: Query, policy: OutsidePolicy) -> Clause:
    """The question without the words that only say where to look."""
    cue = _cues(policy.cues).search(fold(query.text))
    saying = set(words(cue[0])) - {"documentation", "docs", "official", "공식", "문서"} if cue else set()
    return all_of(part for part in conjuncts(query.where) if not _says_where(part, frozenset(saying)))


def _says_where(part: Clause, saying: frozenset[str]) -> bool:
    if isinstance(part, Term):
        said = words(part.text)
        return bool(said) and all(any(_same(word, each) for each in saying) for word in said)
    return isinstance(part, Compare) and part.field is Field.CONTAINER and fold(str(part.value)) in WEB


def _same(word: str, cue: str) -> bool:
    """A Korean word stands in the question without the particle that the cue has, or with another."""
    return word == cue or (HANGUL.match(word) is not None and (cue.startswith(word) or word.startswith(cue)))


def _private(query: Query) -> Said:
    """What a question is about that nobody outside knows or should."""
    if query.mine or query.author:
        return Said("your own things") if query.mine else Said("what somebody here wrote")
    if query.people():
        return Said("people")
    if query.container and "." not in query.container.name:
        return Said("a place inside")
    # That somebody who asks how a thing stands means what is open makes no inside matter of it.
    surely = (part for part in conjuncts(query.where) if query.strength(part) >= CREDIBLE or query.kinds)
    fields = {part.field for part in surely if isinstance(part, Compare)}
    if fields & {Field.ASSIGNEE, Field.AUTHOR, Field.STATE}:
        return Said("work inside")
    return Said("things inside") if query.kinds and Kind.WEB_PAGE not in query.kinds else UNSAID


@lru_cache(maxsize=8)
def _cues(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Whole words; a Korean one may go on with a particle."""
    parts = []
    for phrase in phrases:
        text = fold(phrase.removesuffix("$")).strip()
        after = r"(?=[\s?.!]*$)" if phrase.endswith("$") else "" if is_syllable(text[-1:]) else r"(?!\w)"
        parts += [rf"(?<!\w){re.escape(text)}{after}"] if text else []
    return re.compile("|".join(parts) or r"(?!)")
