"""How well a text matches the words of the question, on one scale for all sources.

A word counts by how rare it is among the candidates (BM25's inverse document frequency over the candidate set), by
where it was found, and by how it was meant: phrases and ids are exact, a Korean word matches what begins with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.lexical import folded_words, spaced
from translators.match import HANGUL, words
from translators.query import IdKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import Hit
    from orchestrator.rank.config import KeywordWorth
    from translators.query import Query

LONG = 3  # syllables from which a Korean word is recognised across a blank


@dataclass(frozen=True, slots=True)
class Text:
    """The folded words of a hit, each run between blanks, so that a word is found as a substring."""

    title: str
    body: str
    names: str
    url: str

    @property
    def whole(self) -> str:
        """Everything in which words are looked for; nothing matches across the parts."""
        return f"{self.title}\n{self.body}\n{self.names}"


@dataclass(frozen=True, slots=True)
class Form:
    """One spelling and its inflections, as substrings; ``stem`` is what they begin with, and the quick test."""

    stem: str
    needles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A word of the question: what is looked for (as asked, by other names, across a blank), what it counts."""

    text: str
    forms: tuple[Form, ...]
    others: tuple[Form, ...] = ()
    weight: float = 1.0
    compound: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """How well one hit matches: ``score`` 0 to 1, the words found, and those among them found in the title."""

    score: float
    found: tuple[str, ...] = ()
    titled: tuple[str, ...] = ()


def match_keywords(query: Query, hits: Sequence[Hit], worth: KeywordWorth, limit: int) -> tuple[Match, ...]:
    """One match per hit. A question without words is matched by everything. ``limit``: characters read of a text."""
    wanted = _wanted(query, worth)
    if not wanted:
        return (Match(1.0),) * len(hits)
    texts = [_text(hit, limit) for hit in hits]
    table = [_row(text, wanted, worth) for text in texts]
    weights = _weights(wanted, table)
    return tuple(_match(row, wanted, weights, worth) for row in table)


# ---- what is looked for


def _wanted(query: Query, worth: KeywordWorth) -> tuple[Wanted, ...]:
    variants = dict(query.variants)
    named = {part.casefold() for entity in query.entities for part in entity.name.split()}
    weights = {word: worth.entity if word.casefold() in named else 1.0 for word in query.keywords}
    keywords = (_keyword(word, variants.get(word, ()), weight) for word, weight in weights.items())
    phrases = (Wanted(text, _exact(text), weight=worth.phrase) for text in query.phrases)
    ids = (_identifier(each.kind, each.text, worth) for each in query.ids)
    # Keywords that are also an id or a phrase are counted once, as the more exact.
    wanted = {each.text: each for each in (*keywords, *phrases, *ids) if each.forms or each.address}
    return tuple(wanted.values())


def _keyword(word: str, variants: tuple[str, ...], weight: float) -> Wanted:
    others = tuple(form for variant in variants for form in _inflected(variant))
    squeezed = "".join(words(word))
    compound = squeezed if len(squeezed) >= LONG and HANGUL.match(squeezed) else ""
    return Wanted(word, _inflected(word), others, weight, compound)


def _identifier(kind: IdKind, text: str, worth: KeywordWorth) -> Wanted:
    address = canonical_url(text) if kind in {IdKind.URL, IdKind.PERMALINK} else ""
    return Wanted(text, _exact(text), weight=worth.id, address=address)


def _exact(text: str) -> tuple[Form, ...]:
    """Particles may follow a Korean word even in a phrase. Nothing but symbols has no form."""
    joined = " ".join(folded_words(text))
    if not joined:
        return ()
    needle = f" {joined}" if HANGUL.match(joined[-1]) else f" {joined} "
    return (Form(needle, (needle,)),)


def _inflected(text: str) -> tuple[Form, ...]:
    """English plurals, either way."""
    exact = _exact(text)
    if not exact or not exact[0].stem.endswith(" "):
        return exact
    bare = exact[0].stem[:-1]
    singular = [bare.removesuffix(end) for end in ("es", "s") if bare.endswith(end) and len(bare) > len(end) + LONG]
    shapes = (bare, f"{bare}s", f"{bare}es", *singular)
    return (Form(singular[0] if singular else bare, tuple(f"{shape} " for shape in shapes)),)


# ---- where it is found


def _text(hit: Hit, limit: int) -> Text:
    people = (person for person in (hit.author, hit.assignee) if person)
    names = " ".join((*(person.name for person in people), hit.container.name if hit.container else "", hit.id))
    return Text(spaced(hit.title), spaced(hit.snippet[:limit]), spaced(names), hit.url)


def _row(text: Text, wanted: Sequence[Wanted], worth: KeywordWorth) -> list[float]:
    whole = text.whole
    return [_found(each, text, whole, worth) for each in wanted]


def _found(wanted: Wanted, text: Text, whole: str, worth: KeywordWorth) -> float:
    """What the best place is worth, 0 where there is none."""
    if wanted.address and wanted.address == canonical_url(text.url):
        return 1.0
    place = _place(wanted.forms, text, worth) if _is_in(wanted.forms, whole) else 0.0
    if place >= worth.body:
        return place
    other = _place(wanted.others, text, worth) * worth.variant if _is_in(wanted.others, whole) else 0.0
    across = _across(wanted.compound, text, worth) * worth.compound if wanted.compound else 0.0
    return max(place, other, across)


def _place(forms: tuple[Form, ...], text: Text, worth: KeywordWorth) -> float:
    """For forms that are somewhere in the text."""
    if _is_in(forms, text.title):
        return worth.title
    if _is_in(forms, text.body):
        return worth.untitled if text.title.isspace() else worth.body
    return worth.names


def _is_in(forms: tuple[Form, ...], text: str) -> bool:
    """The inner loop of ranking: plain loops, since ``any`` over a generator takes three times as long."""
    for form in forms:
        if form.stem in text:
            for needle in form.needles:
                if needle in text:
                    return True
    return False


def _across(compound: str, text: Text, worth: KeywordWorth) -> float:
    if compound in text.title.replace(" ", ""):
        return worth.title
    return worth.body if compound in text.body.replace(" ", "") else 0.0


# ---- what it counts


def _weights(wanted: Sequence[Wanted], table: list[list[float]]) -> list[float]:
    """Rare words count more; one that no candidate holds tells none from another and counts least."""
    counts = [sum(1 for row in table if row[column]) for column in range(len(wanted))]
    return [each.weight * _rarity(count, len(table)) for each, count in zip(wanted, counts, strict=True)]


def _rarity(count: int, total: int) -> float:
    return 1.0 + (math.log((total + 1) / (count + 0.5)) if count else 0.0)


def _match(row: list[float], wanted: Sequence[Wanted], weights: list[float], worth: KeywordWorth) -> Match:
    score = math.fsum(value * weight for value, weight in zip(row, weights, strict=True)) / math.fsum(weights)
    found = tuple(each.text for each, value in zip(wanted, row, strict=True) if value)
    titled = tuple(each.text for each, value in zip(wanted, row, strict=True) if value >= worth.title)
    return Match(min(1.0, score), found, titled)
