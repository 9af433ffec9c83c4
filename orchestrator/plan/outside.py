"""Whether a question is for the outside: the web is asked when the question or the asker wants it, and not otherwise. Pure.

What a source that is read outside is asked: once, as asked, and nothing that must stay inside. Pure.
"""

from __future__ import annotations

import re
from dataclasses import field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.model import Rung
from orchestrator.plan.outbound import Vocabulary, release
from orchestrator.plan.profile import called
from orchestrator.plan.variants import variants
from translators.emit import shown
from translators.letters import is_syllable
from translators.match import HANGUL, fold, words
from translators.query import (
    CREDIBLE,
    Category,
    Compare,
    Field,
    Kind,
    Not,
    Phrase,
    Prefix,
    QueryType,
    Term,
    all_of,
    conjuncts,
    leaves,
)
from translators.records import record
from translators.said import UNSAID, Said
from translators.translator import Loss, LossKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from orchestrator.plan.outbound import Inside, Released
    from orchestrator.plan.profile import SourceProfile, Translate
    from translators.query import Clause, Query
    from translators.translator import NativeQuery, Translation

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
    if fields & {Field.ASSIGNEE, Field.AUTHOR, Field.STATE, Field.DUE}:
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


NAMES = 2  # of a word: search engines know further ones themselves, and take few words
HELD = Said("not sent: {why}")


def public_rungs(
    asked: Query, profile: SourceProfile, inside: Inside, translate: Translate, most: int
) -> tuple[Rung, ...] | Said:
    """One rung: search engines broaden by themselves, and each request may cost. Or why there is nothing to send.

    ``most``: queries at once. ``asked``: the question without the words that only say where to look.
    """
    fresh: dict[str, Translation] = {}
    # Two words in one are nothing that a search engine needs, nor anything by which what must stay inside is known.
    asked = replace(asked, variants=tuple((word, names[:NAMES]) for word, names in asked.variants), joined=())
    for each in variants(asked, profile.can, most):  # a site's own glossary may hold names as well
        released = release(each.where, inside)
        translation = _with_held(translate(each.narrowed(released.where), profile), released)
        if _says_something(released.where) and not inside.finds(_written(translation.native)):
            fresh.setdefault(str(translation.native), translation)
    if fresh:
        return (Rung(tuple(fresh.values())),)
    held = ", ".join(shown(part) for part, _ in release(asked.where, inside).held)
    return NOTHING_LEFT.filled(held=held or ITS_WORDS)


def _with_held(translation: Translation, released: Released) -> Translation:
    """What was held back is checked on what comes back, as far as that can be told, and named in the receipt."""
    if not released.held:
        return translation
    parts = [part for part, _ in released.held]
    residual = all_of((*conjuncts(translation.residual or all_of(())), *parts))
    losses = (Loss(LossKind.CHECKED, shown(part), HELD.filled(why=why)) for part, why in released.held)
    return replace(translation, residual=residual, losses=(*translation.losses, *losses))


def _says_something(where: Clause) -> bool:
    """Whether anything is left to look for: filters, and words to be left out, find nothing by themselves."""
    wanted = (part for part in conjuncts(where) if not isinstance(part, Not | Compare))
    return any(isinstance(leaf, Term | Phrase | Prefix) for part in wanted for leaf in leaves(part))


def _written(native: NativeQuery) -> str:
    """All of a native query as text: what is about to leave is looked at once more, whoever wrote it."""
    return " ".join((native.text, *_texts(native.args)))


def _texts(value: object) -> Sequence[str]:
    if isinstance(value, str):
        return () if value[:4].isdigit() and value[-1:] == "Z" else (value,)  # an instant
    inner: Sequence[object] = (
        list(value.values()) if hasattr(value, "values") else value if isinstance(value, list | tuple) else ()
    )
    return [text for each in inner for text in _texts(each)]
