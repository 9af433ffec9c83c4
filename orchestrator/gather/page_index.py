"""Which of the pages that are kept in memory hold the words of a question (an inverted index of passages), the rarer words first (inverse document frequency)."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from functools import partial, reduce
from itertools import count, islice, takewhile
from typing import TYPE_CHECKING, assert_never

from connectors.passages import in_pieces
from translators.match import forms_of, matches, squeezable, stands_in, takes_endings, words
from translators.query import AllOf, AnyOf, Compare, Not, Phrase, Prefix, Term, all_of, conjuncts, only_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from connectors.contract import Hit
    from translators.query import Clause

LONGEST = 600  # characters of a passage: words of a question that stand further apart are seldom said of each other
NEAR = 0.6  # share of the weight of the best page that makes another worth showing,
HALF = 0.5  # and of that of all the words that any page holds
TWO = 2  # words that it holds, of several: one alone is held by chance,
RARE = 2  # unless no more pages hold it, and nothing else is at hand
MOST_FORMS = 200  # words of the pages that begin with one of the question


class PageIndex:
    """Pages by id, with their texts. A change costs as much as the page is long, a question as much as there are passages that hold its words."""

    def __init__(self) -> None:
        self._pages: dict[str, Hit] = {}
        self._passages: dict[str, dict[int, str]] = {}
        self._page_of: dict[int, str] = {}
        self._holders: defaultdict[str, array[int]] = defaultdict(partial(array, "I"))  # a quarter of what sets take
        self._in_order: list[str] | None = None
        self._count = count()
        self.characters = 0

    @property
    def pages(self) -> Mapping[str, Hit]:
        """What is kept, by id."""
        return self._pages

    def put(self, page: Hit) -> None:
        """Keep a page, in place of what was kept of it before."""
        self.drop(page.id)
        passages = tuple(in_pieces(page.snippet, LONGEST)) or ("",)  # one without text is found by its title
        self._passages[page.id] = {next(self._count): each for each in passages}
        self._pages[page.id] = page
        for number, passage in self._passages[page.id].items():
            self._page_of[number] = page.id
            for word in _words(page, passage):
                self._holders[word].append(number)
        self.characters += len(page.snippet)
        self._in_order = None

    def drop(self, page_id: str) -> None:
        """Keep it no longer."""
        page = self._pages.pop(page_id, None)
        if page is None:
            return
        for number, passage in self._passages.pop(page_id).items():
            del self._page_of[number]
            for word in _words(page, passage):
                self._holders[word].remove(number)
                if not self._holders[word]:
                    del self._holders[word]
        self.characters -= len(page.snippet)
        self._in_order = None

    def fitting(self, meaning: Clause, most: int, known: Collection[str] = ()) -> list[tuple[bool, Hit]]:
        """The ``most`` pages of which a passage holds the rarest words of a question, none of whose conditions they break; each with whether it holds all words.

        ``known``: pages that are at hand. Who holds a part of the words is told only where that is more than any of those hold. With nothing
        at hand and none that holds two, one rare word will do.
        """
        rest = all_of(part for part in conjuncts(meaning) if not only_words(part))  # what was quoted must be there
        found: dict[str, bool] = {}
        for number, whole in self._worth_telling(tuple(filter(_is_text, conjuncts(meaning))), known):
            found.setdefault(self._page_of[number], whole)
        new = ((whole, self._pages[page]) for page, whole in found.items() if page not in known)
        return list(islice((each for each in new if matches(rest, each[1]) is not False), most))

    def _worth_telling(self, wanted: Sequence[Clause], known: Collection[str]) -> Iterator[tuple[int, bool]]:
        """The passages that hold enough of what is wanted, the best first, each with whether it holds all of it."""
        holders = [self._holding(part) for part in wanted]
        pages = [len({self._page_of[number] for number in each}) for each in holders]
        rarities = [self._rarity(each) for each in pages]
        weight: defaultdict[int, float] = defaultdict(float)
        held: Counter[int] = Counter()
        for each, rarity in zip(holders, rarities, strict=True):
            held.update(each)
            for number in each:
                weight[number] += rarity
        at_hand = max((each for number, each in weight.items() if self._page_of[number] in known), default=0.0)
        least = max(NEAR * max(weight.values(), default=0.0), HALF * sum(rarities))
        few = () if known else (each for each, many in zip(holders, pages, strict=True) if many <= RARE)
        rare: set[int] = set().union(*few)
        for number in sorted(weight, key=lambda number: (-weight[number], number)):
            if weight[number] < least:
                return
            whole = held[number] == len(wanted)
            if whole or (held[number] >= TWO and weight[number] > at_hand):
                rare.clear()
                yield number, whole
            elif number in rare:
                yield number, False

    def _rarity(self, pages: int) -> float:
        """Of what so many pages hold, as BM25 has it; of what none holds, nothing."""
        return math.log(1 + (len(self._pages) - pages + 0.5) / (pages + 0.5)) if pages else 0.0

    def _holding(self, part: Clause) -> set[int]:
        """The passages that hold what is asked for in words."""
        match part:
            case AllOf(parts):
                return reduce(set.intersection, map(self._holding, parts))
            case AnyOf(parts):
                return set().union(*map(self._holding, parts))
            case Term() | Phrase() | Prefix():
                return self._holding_leaf(part)
            case Not() | Compare():
                return set()
            case _:
                assert_never(part)

    def _holding_leaf(self, leaf: Term | Phrase | Prefix) -> set[int]:
        *head, last = words(leaf.text) or [""]
        kind = type(leaf)
        forms: Iterable[str] = self._beginning(last) if takes_endings(last, kind) else forms_of(last, kind)
        found = self._holding_any(forms)
        for word in head:
            found &= self._holding_any([word])
        squeezed = squeezable(leaf.text) if kind is Term else ""  # it may stand in several words
        begun = self._holding_any((*(squeezed[:end] for end in range(1, len(squeezed))), *self._beginning(squeezed)))
        unsure = (found if head else set()) | (begun - found)
        return (found - unsure) | {number for number in unsure if stands_in(leaf, self._texts(number))}

    def _holding_any(self, forms: Iterable[str]) -> set[int]:
        return set().union(*(self._holders.get(form, ()) for form in forms))

    def _beginning(self, word: str) -> Sequence[str]:
        """The words of all pages that begin with one; none with nothing."""
        if not word:
            return ()
        if self._in_order is None:
            self._in_order = sorted(self._holders)
        first = bisect_left(self._in_order, word)
        following = self._in_order[first : first + MOST_FORMS]
        return tuple(takewhile(lambda each: each.startswith(word), following))

    def _texts(self, number: int) -> tuple[str, str]:
        page = self._page_of[number]
        return self._pages[page].title, self._passages[page][number]


def _is_text(clause: Clause) -> bool:
    """Whether it asks for text, and for nothing else."""
    match clause:
        case Term() | Phrase() | Prefix():
            return True
        case AllOf(parts) | AnyOf(parts):
            return bool(parts) and all(map(_is_text, parts))
        case _:
            return False


def _words(page: Hit, passage: str) -> set[str]:
    """Those of a passage and of the title that it stands under."""
    return {*words(page.title), *words(passage)}
