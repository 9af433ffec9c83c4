"""What the things found are about, beside the words of the question: groups by what stands before those words.

"Mail migration", "the API migration", "DB 마이그레이션": who asks for the migration means one of these. A group is named
by a word that qualifies a word of the question in several hits, or by the project that they belong to.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.answer.cover import apart, covered, wanted
from orchestrator.answer.text import ADDRESS
from orchestrator.answer.wording import STOP
from translators.match import HANGUL, WORD, fold, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from connectors.contract import Hit
    from translators.query import Query

READ = 40  # hits that are grouped
TEXT = 600  # characters read of each
LEAST = 2  # hits of a group
MOST = 4  # groups
BESIDE = 3  # what qualifies the question's word counts so much,
PROJECT = 2  # and the project's name
NEW = 0.6  # of a group's hits are in no earlier group
LONGEST = 24  # characters of a name
PARTICLES = ("에서", "으로", "부터", "까지", "을", "를", "이", "가", "은", "는", "의", "에", "로", "과", "와", "도")

Key = tuple[str, str]  # source and id of a hit


@dataclass(frozen=True, slots=True)
class Theme:
    """Some of the hits, best first, and the word that they share, as it is written."""

    label: str
    hits: tuple[Key, ...]


def find_themes(hits: Iterable[Hit], query: Query) -> tuple[tuple[Theme, ...], int]:
    """Groups, largest first, and how many hits were looked at: those that hold every word of the question."""
    asked = wanted(query)
    if not asked:
        return (), 0
    about = [hit for hit in _once(hits) if len(covered(_text(hit), asked)) == len(asked)][:READ]
    heads = _heads(query)
    found = {(hit.source, hit.id): Counter(dict(_qualifiers(hit, heads))) for hit in about}
    return _chosen(found, _spellings(about, found)), len(about)


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
    """The words of the question, their other names included, as single folded words."""
    names = (name for _, others in query.variants for name in others)
    return frozenset(word for text in (*query.keywords, *query.phrases, *names) for word in words(text))


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
    return (
        word in heads
        or word.rstrip("s") in heads
        or any(HANGUL.match(each) and word.startswith(each) for each in heads)
    )


def _label(word: str, heads: frozenset[str]) -> str:
    """A word that can name a group, without its particle; "" for one that says nothing."""
    if HANGUL.match(word):
        word = next(
            (word.removesuffix(each) for each in PARTICLES if word.endswith(each) and len(word) > len(each) + 1), word
        )
    telling = len(word) > 1 and not word.isdecimal() and not any(letter.isdecimal() for letter in word[:1])
    return word if telling and word not in STOP and not _is_head(word, heads) and len(word) <= LONGEST else ""


def _chosen(found: dict[Key, Counter[str]], spellings: dict[str, str]) -> tuple[Theme, ...]:
    """Greedily: what names most of the hits that no group holds yet."""
    held: defaultdict[str, list[Key]] = defaultdict(list)
    worth: Counter[str] = Counter()
    for key, labels in found.items():
        for label, counts in labels.items():
            held[label].append(key)
            worth[label] += counts
    themes: list[Theme] = []
    taken: set[Key] = set()
    for label in sorted(held, key=lambda each: (-len(held[each]), -worth[each], each)):
        fresh = [key for key in held[label] if key not in taken]
        if len(fresh) >= LEAST and len(fresh) >= NEW * len(held[label]) and len(themes) < MOST:
            themes.append(Theme(spellings.get(label, label), tuple(fresh)))
            taken.update(fresh)
    return tuple(themes)


def _spellings(hits: Sequence[Hit], found: dict[Key, Counter[str]]) -> dict[str, str]:
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
