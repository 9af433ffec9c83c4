"""What the things found are about, beside the words of the question: groups by what stands before those words.

"Mail migration", "the API migration", "DB 마이그레이션": who asks for the migration means one of these. A group is named
by a word that qualifies a word of the question in several hits, or by the project that they belong to.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.answer.cover import apart, covered, wanted
from orchestrator.answer.text import ADDRESS, STOP, quotable_line
from translators.inflection import numbers
from translators.letters import CASE_PARTICLES
from translators.match import HANGUL, WORD, fold, words
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from connectors.contract import Hit, HitKey
    from translators.query import Query

READ = 40  # hits that are grouped
TEXT = 600  # characters read of each
LEAST = 2  # hits of a group
MOST = 4  # groups
BESIDE = 3  # what qualifies the question's word counts so much,
PROJECT = 2  # and the project's name
NEW = 0.6  # of a group's hits are in no earlier group
LONGEST = 24  # characters of a name

Counterparts = Callable[[str], tuple[str, ...]]
"""What a word is called in the other language, likeliest first."""


def nothing_else(word: str) -> tuple[str, ...]:  # noqa: ARG001  (no word is known in two languages)
    """Where no words are known in two languages."""
    return ()


@record
class Theme:
    """Some of the hits, best first, the word that they share, and where most of them belong: a project, else a place."""

    label: str
    hits: tuple[HitKey, ...]
    context: str = ""


def find_themes(
    hits: Iterable[Hit], query: Query, called: Counterparts = nothing_else
) -> tuple[tuple[Theme, ...], int]:
    """Groups, largest first, and how many hits were looked at: those that hold every word of the question.

    A group is one whatever languages its hits are in, and is named in the asker's: ``called`` tells what a word is in the other.
    """
    asked = wanted(query)
    if not asked:
        return (), 0
    about = [hit for hit in _once(hits) if len(covered(_text(hit), asked)) == len(asked)][:READ]
    heads = _heads(query)
    found = {(hit.source, hit.id): Counter(dict(_qualifiers(hit, heads))) for hit in about}
    spellings = _spellings(about, found)
    names = _names((label for labels in found.values() for label in labels), query.language, called)
    one = {key: Counter({names[label]: count for label, count in labels.items()}) for key, labels in found.items()}
    by_key = {(hit.source, hit.id): hit for hit in about}
    chosen = _chosen(one, {name: spellings.get(name, name) for name in names.values()})
    return tuple(replace(each, context=_context(each, by_key)) for each in chosen), len(about)


def _names(labels: Iterable[str], language: str, called: Counterparts) -> dict[str, str]:
    """Each label as the asker's language has it: a word of the other by its counterpart, first of all one that was found."""
    listed = frozenset(labels)
    return {label: _name(label, listed, language, called) for label in listed}


def _name(label: str, listed: frozenset[str], language: str, called: Counterparts) -> str:
    if (HANGUL.match(label) is not None) == (language == "ko"):
        return label
    others = [fold(other) for other in called(label)]
    return next((other for other in others if other in listed), others[0] if others else label)


def _context(theme: Theme, hits: Mapping[HitKey, Hit]) -> str:
    """The project, else the place, to which more of the hits belong than to any other, where it is not the label again."""
    for belongs in (_project, _place):
        counts = Counter(name for key in theme.hits if (name := belongs(hits[key])))
        if counts and fold(best := min(counts, key=lambda name: (-counts[name], name))) != fold(theme.label):
            return best
    return ""


def _project(hit: Hit) -> str:
    project = hit.facts.get("project")
    return quotable_line(project) if isinstance(project, str) else ""


def _place(hit: Hit) -> str:
    return quotable_line(hit.container.name) if hit.container else ""


def _once(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Automatic copies ("Linear: X created …") and repeats of one title or text are one thing."""
    seen: set[str] = set()
    for hit in hits:
        said = " ".join(words(hit.title or hit.snippet[:TEXT]))
        if said and said not in seen:
            seen.add(said)
            yield hit


def _text(hit: Hit) -> str:
    return apart(f"{hit.title}\n{hit.snippet[:TEXT]}")


def _heads(query: Query) -> frozenset[str]:
    """The words of the question, their other names included, as single folded words; English ones in singular and plural."""
    names = (name for _, others in query.variants for name in others)
    heads = {word for text in (*query.keywords, *query.phrases, *names) for word in words(text)}
    return frozenset(heads.union(*(numbers(word) for word in heads if word.isascii())))


def _qualifiers(hit: Hit, heads: frozenset[str]) -> Iterator[tuple[str, int]]:
    """What stands straight before a word of the question, and the project, with what each counts."""
    project = hit.facts.get("project")
    if isinstance(project, str):
        yield from ((label, PROJECT) for word in words(project) if (label := _label(word, heads)))
    for text in (hit.title, hit.snippet[:TEXT]):
        said = words(ADDRESS.sub(" ", text))
        for before, word in itertools.pairwise(said):
            if _is_head(word, heads) and (label := _label(before, heads)):
                yield label, BESIDE


def _is_head(word: str, heads: frozenset[str]) -> bool:
    return word in heads or any(HANGUL.match(each) and word.startswith(each) for each in heads)


def _label(word: str, heads: frozenset[str]) -> str:
    """A word that can name a group, without its particle; "" for one that says nothing."""
    if HANGUL.match(word):
        word = next(
            (word.removesuffix(each) for each in CASE_PARTICLES if word.endswith(each) and len(word) > len(each) + 1),
            word,
        )
    telling = len(word) > 1 and not word.isdecimal() and not any(letter.isdecimal() for letter in word[:1])
    return word if telling and word not in STOP and not _is_head(word, heads) and len(word) <= LONGEST else ""


def _chosen(found: dict[HitKey, Counter[str]], spellings: dict[str, str]) -> tuple[Theme, ...]:
    """Greedily: what names most of the hits that no group holds yet."""
    held: defaultdict[str, list[HitKey]] = defaultdict(list)
    worth: Counter[str] = Counter()
    for key, labels in found.items():
        for label, counts in labels.items():
            held[label].append(key)
            worth[label] += counts
    themes: list[Theme] = []
    taken: set[HitKey] = set()
    for label in sorted(held, key=lambda each: (-len(held[each]), -worth[each], each)):
        fresh = [key for key in held[label] if key not in taken]
        if len(fresh) >= LEAST and len(fresh) >= NEW * len(held[label]) and len(themes) < MOST:
            themes.append(Theme(spellings.get(label, label), tuple(fresh)))
            taken.update(fresh)
    return tuple(themes)


def _spellings(hits: Sequence[Hit], found: dict[HitKey, Counter[str]]) -> dict[str, str]:
    """Each label as most hits write it: "API", not "api"."""
    wanted_labels = {label for labels in found.values() for label in labels}
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for hit in hits:
        project = hit.facts.get("project")
        for text in (hit.title, hit.snippet[:TEXT], project if isinstance(project, str) else ""):
            for match in WORD.finditer(text):
                label = _label(fold(match[0]), frozenset())
                if label in wanted_labels:
                    written[label][match[0][: len(label)]] += 1
    return {label: min(forms, key=lambda each: (-forms[each], each)) for label, forms in written.items()}
