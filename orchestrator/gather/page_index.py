"""Which of the pages that are kept in memory hold the words of a question (an inverted index of passages), the rarer words first (inverse document frequency)."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import defaultdict
from functools import partial, reduce
from itertools import count, islice, takewhile
from typing import TYPE_CHECKING, assert_never

from connectors.passages import in_pieces
from translators.match import forms_of, matches, stands_in, takes_endings, words
from translators.query import AllOf, AnyOf, Compare, Not, Phrase, Prefix, Term, all_of, conjuncts, only_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from connectors.contract import Hit
    from translators.query import Clause

LONGEST = 600  # characters of a passage: words of a question that stand further apart are seldom said of each other
NEAR = 0.6  # share of the weight of the best page that makes another worth showing,
HALF = 0.5  # and of that of all the words that any page holds
TWO = 2  # words that it holds, of several: one alone is held by chance
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

        ``known``: pages that are at hand. Who holds a part of the words is told only where that is more than any of those hold.
        """
        wanted = [part for part in conjuncts(meaning) if _is_text(part)]
        rest = all_of(part for part in conjuncts(meaning) if not only_words(part))  # what was quoted must be there
        weight: dict[int, float] = {}  # of passages
        held: dict[int, int] = {}
        whole = 0.0  # of the words that any page holds
        for part in wanted:
            holders = self._holding(part)
            pages = len({self._page_of[number] for number in holders})
            rarity = math.log(1 + (len(self._pages) - pages + 0.5) / (pages + 0.5))  # BM25's, without counts
            whole += rarity if holders else 0.0
            for number in holders:
                weight[number] = weight.get(number, 0.0) + rarity
                held[number] = held.get(number, 0) + 1
        at_hand = max((each for number, each in weight.items() if self._page_of[number] in known), default=0.0)
        least = max(NEAR * max(weight.values(), default=0.0), HALF * whole)
        worth = (
            number
            for number, each in weight.items()
            if each >= least
            and held[number] >= min(TWO, len(wanted))
            and (each > at_hand or held[number] == len(wanted))
        )
        near = sorted(worth, key=lambda number: (-weight[number], number))
        best: dict[str, int] = {}
        for number in near:
            best.setdefault(self._page_of[number], number)
        new = ((page, number) for page, number in best.items() if page not in known)
        found = ((held[number] == len(wanted), self._pages[page]) for page, number in new)
        return list(islice((each for each in found if matches(rest, each[1]) is not False), most))

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
        found = set().union(*(self._holders.get(form, ()) for form in forms))
        for word in head:
            found &= set(self._holders.get(word, ()))
        return {number for number in found if stands_in(leaf, self._texts(number))} if head else found

    def _beginning(self, word: str) -> Sequence[str]:
        """The words of all pages that begin with one."""
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
