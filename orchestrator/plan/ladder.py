"""The broadening ladder (query relaxation): the same question with less and less asked of the answer.

What prose implies goes first, the less sure before the nearly certain; then dates that were typed, then the place, then
the name of somebody, for what they wrote themselves; then the lesser keywords: half of them; all but the core and any one of the others; all but the core, where the core is a name;
a broader term for a narrow one ("database migration" for "PostgreSQL migration"); all but any one; all, where it is asked who it is on a day. A source that ranks and
takes alternatives goes from all of the words to any one of them: what holds more of them comes first there. A status question keeps its dates to the last, because stale news is worse than none. Phrases, and
authors and negations that were typed, are never given up, nor is what the question names by an id that a source can be
asked for: the ladder ends at any one of those, since what leaves them out is about something else.

A place that is named for what a question is about stands for its name: in the channel #proj-phoenix nobody needs to say Phoenix.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum, auto
from itertools import chain, islice, pairwise, product
from typing import TYPE_CHECKING

from orchestrator.plan.conditions import says_something
from orchestrator.plan.lazily import lazily
from orchestrator.plan.thesaurus import broader_terms
from translators.capabilities import TIMES, Capabilities, Fidelity
from translators.emit import shown
from translators.inflection import numbers
from translators.match import fold, words
from translators.query import (
    NEARLY_TYPED,
    AnyOf,
    Clause,
    Compare,
    Field,
    Leaf,
    Op,
    Query,
    QueryType,
    Term,
    all_of,
    any_of,
    conjuncts,
    leaves,
    only_words,
)
from translators.records import record
from translators.said import Said, filled_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from orchestrator.plan.thesaurus import Concept
    from translators.query import Container, Person, Query

LONG = 2  # letters (or syllables) from which a word in the name of a place says what it is about
MOST = 5  # places looked into


def places_named(
    query: Query, keywords: Sequence[Term], places: Iterable[Container]
) -> Iterator[tuple[Term, tuple[Container, ...]]]:
    """The keyword that places are named for, under any of its names, and these places; those that share most of the other words stand first.

    Only of the first keyword and of names, and only of the first of them that any place is named for.
    """
    split = [(place, words(place.name.replace("_", " "))) for place in places]
    names = {part for entity in query.entities for part in words(entity.name)}
    wanted = [(each, words(each.text)) for each in keywords]
    called = dict(query.variants)
    for position, (term, parts) in enumerate(wanted):
        if position and not (len(parts) == 1 and parts[0] in names):
            continue
        cores = _cores(term, called)
        found = [(place, name) for place, name in split if any(_is_for(name, core) for core in cores)]
        if found:
            asked = {part for _, each in wanted for part in each}
            ordered = sorted(found, key=lambda each: (-_shared(asked, each[1]), each[0].name))
            yield term, tuple(place for place, _ in ordered[:MOST])
            return


def _cores(term: Term, called: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """The names of a keyword that are one word, each in singular and plural: 클레임 is of the project Claims."""
    said = (words(term.text), *map(words, called.get(term.text, ())))
    return frozenset(form for each in said if len(each) == 1 for form in numbers(each[0]))


def _is_for(name: Sequence[str], core: str) -> bool:
    """Whether a place of these words is named for one: for a short one where it is all of the name (앱)."""
    return core in name and (len(core) >= LONG or len(name) == 1)


def _shared(asked: Iterable[str], name: Sequence[str]) -> int:
    """How many words of a question a name shares, in singular or plural."""
    return sum(not numbers(word).isdisjoint(name) for word in asked)


ALTERNATIVES = 5  # words of which any one will do: GitHub takes five AND, OR and NOT in one query
BESIDE = 2  # broader terms of a word, and words beside them
PLACED = 2  # of these for each place, where a source must be asked for one after another
BESIDE_THEM = 2  # words beside a name, with which what they wrote is asked for
THE_REST = Said("all but one of {words}")
INSTEAD = Said("{word} (instead: {terms})")
THE_REST_BUT_CORE = Said("all but {core} and one of {words}")


@record
class Broader:
    """What is asked at once, any of which will do, and what it gave up, in words.

    ``height``: how many steps of the whole ladder lie below it, those too that a source needs not be asked. ``by_word``: each
    of what is asked is one word, beside what is never given up.
    """

    asked: tuple[Clause, ...]
    dropped: tuple[str, ...] = ()
    height: int = 0
    by_word: bool = False

    @property
    def where(self) -> Clause:
        """The meaning of all that is asked."""
        return any_of(self.asked)


@record
class SourceReach:
    """What one source can be asked: its powers, how many queries at once, the places it knows by name.

    ``things``: ids of the question that this source or another has things by. ``projects``: its places are projects, and what is
    in one is of it without saying so. ``thesaurus``: what narrow words are kinds of (:mod:`orchestrator.plan.thesaurus`).
    """

    can: Capabilities = field(default_factory=Capabilities)
    queries: int = 3
    places: tuple[Container, ...] = ()
    things: frozenset[str] = frozenset()
    projects: bool = False
    thesaurus: Mapping[str, Concept] = field(default_factory=dict)

    def any_of(self, parts: tuple[Clause, ...], most: int) -> tuple[Clause, ...]:
        """Alternatives as one clause where the source takes them so, or none of them (we check); else the first ``most``."""
        unasked = all(self.can.fidelity(leaf) is Fidelity.NONE for each in parts for leaf in leaves(each))
        if not parts or not (unasked or self.can.can_ask_any(parts)):
            return parts[:most]
        return (any_of(parts),)


class MinimumMatch(Enum):
    """How many of the keywords must occur (minimum should match), from all to any one; ``BY_THEM``: all but whoever is named, who wrote it; ``BROADER``: one of two by what it is a kind of; ``DAY``: none, where it is asked who it is on a day that the source writes."""

    ALL = auto()
    BY_THEM = auto()
    HALF = auto()
    CORE_AND_ONE = auto()
    CORE = auto()
    BROADER = auto()
    ONE = auto()
    DAY = auto()


PUT_FIRST = frozenset({MinimumMatch.ALL, MinimumMatch.HALF, MinimumMatch.CORE_AND_ONE, MinimumMatch.CORE})
"""What a source that ranks, asked for any one of the words, puts first by itself, under the same conditions."""
INSTEADS = frozenset({MinimumMatch.BY_THEM, MinimumMatch.BROADER, MinimumMatch.DAY})
ANYTHING = SourceReach()


@lazily
def ladder(query: Query, reach: SourceReach = ANYTHING) -> Iterator[Broader]:
    """The question as asked, then each broader meaning; steps that would change nothing are left out."""
    last: tuple[Clause, ...] = (query.where,)
    yield Broader(last)
    parts = _Parts.of(query, reach)
    height = 0
    for kept, lost in parts.steps():
        asked = parts.asked(kept, lost)
        if asked and asked != last:
            last = asked
            height += 1
            if not (kept in PUT_FIRST and parts.ranked):
                by_word = kept is MinimumMatch.ONE and len(asked) > 1
                yield Broader(asked, parts.dropped(kept, lost), height, by_word)


@record
class _Parts:
    """A question by what may be given up. ``words`` come from least to most dispensable; ``named``: the first is a name.

    ``things`` are the ids that stay beside whatever words do; ``doubtful`` and ``implied`` the conditions that prose
    implies, less and more surely; ``choices`` are words between which OR was typed, beside others.
    """

    query: Query
    reach: SourceReach
    times: tuple[Clause, ...]
    place: tuple[Clause, ...]
    words: tuple[Term, ...]
    named: bool
    things: tuple[Term, ...]
    doubtful: tuple[Clause, ...] = ()
    implied: tuple[Clause, ...] = ()
    choices: tuple[Clause, ...] = ()

    @classmethod
    def of(cls, query: Query, reach: SourceReach) -> _Parts:
        parts = conjuncts(query.where)
        terms = {part.text: part for part in parts if isinstance(part, Term)}
        known = [terms[text] for text in query.essential or query.keywords if text in terms]
        things = tuple(each for each in known if each.text in reach.things)
        known = [each for each in known if each not in things]
        words = tuple(sorted(known, key=lambda each: not is_coined(each.text)))
        names = {part.casefold() for entity in query.entities for part in (entity.name, *entity.name.split())}
        named = bool(words) and (is_coined(words[0].text) or words[0].text.casefold() in names)
        times = tuple(part for part in parts if isinstance(part, Compare) and part.field in TIMES)
        place = tuple(part for part in parts if isinstance(part, Compare) and part.field is Field.CONTAINER)
        doubtful = tuple(each.clause for each in query.implied if each.strength < NEARLY_TYPED)
        implied = tuple(each.clause for each in query.implied if each.strength >= NEARLY_TYPED)
        choices = tuple(part for part in parts if isinstance(part, AnyOf) and only_words(part)) if words else ()
        return cls(query, reach, times, place, words, named, things, doubtful, implied, choices)

    def steps(self) -> Iterator[tuple[MinimumMatch, frozenset[Clause]]]:
        """How many words are kept, and which conditions are lost."""
        fewer, last = tuple(MinimumMatch)[1:], self.query.type is QueryType.STATUS
        kept = frozenset(self.times) if last else frozenset()
        lost: frozenset[Clause] = frozenset()
        for conditions in (self.doubtful, self.implied, () if last else self.times, self.place):
            lost |= frozenset(conditions) - kept
            yield MinimumMatch.ALL, lost
        yield from ((words, lost) for words in fewer)
        if last:
            yield MinimumMatch.ONE, lost | kept

    @property
    def ranked(self) -> bool:
        """Whether one request for any of the words finds, in that order, what requests for several of them would."""
        return len(self.words) > 1 and self.reach.can.ranks and self.reach.can.can_ask_any(self.words)

    @property
    def _half(self) -> int:
        return (len(self.words) + 1) // 2

    def asked(self, words: MinimumMatch, lost: frozenset[Clause]) -> tuple[Clause, ...]:
        """What is asked at once; nothing where nothing would be left that things can be about."""
        things = (*self.things, *self.choices) if words is MinimumMatch.ONE else ()
        gone = {*self.words, *things, *lost}
        narrow = self._narrow[0] if words is MinimumMatch.BROADER else None
        said = (self._whole(each, gone, narrow) for each in self._said(words))
        telling = says_something if says_something(self.query.where) else conjuncts
        return tuple(each for each in said if telling(each))

    def _whole(self, said: tuple[Clause, ...], lost: set[Clause], narrow: Term | None = None) -> Clause:
        """In the order of the question, so that what says the same is sent once; alternatives and places at the end.

        ``narrow``: in whose place the first of what is said stands.
        """
        own = tuple(said[0] if part == narrow else part for part in conjuncts(self.query.where))
        return all_of((*(part for part in own if part in said or part not in lost), *said))

    def _said(self, words: MinimumMatch) -> Iterable[tuple[Clause, ...]]:
        core, further = self.words[:1], self.words[1 : ALTERNATIVES + 1]
        match words:
            case MinimumMatch.ALL:
                return (self.words,)
            case MinimumMatch.HALF:
                return (self.words[: self._half],)
            case MinimumMatch.CORE_AND_ONE:
                placed = () if self.place else self._placed()
                others = self.reach.any_of(further, self.reach.queries) if len(further) > 1 else ()
                return tuple(islice(chain(placed, ((*core, each) for each in others)), self.reach.queries))
            case MinimumMatch.CORE:
                return (core,) if self.named else ()
            case MinimumMatch.BY_THEM | MinimumMatch.BROADER | MinimumMatch.DAY:
                return self._by_something_else(words)
            case MinimumMatch.ONE:
                return ((each,) for each in self.reach.any_of(self._last[:ALTERNATIVES], self.reach.queries))

    def _by_something_else(self, words: MinimumMatch) -> Iterable[tuple[Clause, ...]]:
        """What stands in place of a word that is given up."""
        if words is MinimumMatch.BY_THEM:
            return self._by_them()
        return self._broader() if words is MinimumMatch.BROADER else self._of_the_day()

    def _of_the_day(self) -> Iterator[tuple[Clause, ...]]:
        """Rosters name the day and seldom say of what they are in the words of the question: who answers support this Saturday."""
        if self.query.type is QueryType.PERSON:
            named = tuple(all_of(map(Term, each.split())) for each in self.query.day)
            yield from ((each,) for each in self.reach.any_of(named, self.reach.queries))

    def _by_them(self) -> tuple[tuple[Clause, ...], ...]:
        """What the one who is named wrote, with the other words: who is away says so, and not by name (캘럼 언제 와, is Dana on leave)."""
        person, others = self._author
        if person is None or self.query.author is not None:
            return ()
        wrote = Compare(Field.AUTHOR, Op.EQ, person)
        return () if self.reach.can.fidelity(wrote) is Fidelity.NONE else ((wrote, *others),)

    @property
    def _author(self) -> tuple[Person | None, tuple[Term, ...]]:
        """The one person whom words of the question name, where few others are beside them, and these."""
        called = dict(self.query.called)
        others = tuple(each for each in self.words if each.text not in called)
        one = len({person.name for person in called.values()}) == 1 and len(others) <= BESIDE_THEM
        return next(iter(called.values())) if one else None, others

    def _broader(self) -> Iterator[tuple[Clause, ...]]:
        """Broader terms for the first word that has such, and any of the next words: alone they would be about anything."""
        narrow, terms = self._narrow
        if narrow is None:
            return
        others = self.reach.any_of(tuple(each for each in self.words if each != narrow)[:BESIDE], 1)
        wider = tuple(all_of(Term(word) for word in term.split()) for term in terms)
        yield from product(self.reach.any_of(wider, BESIDE), others)

    @property
    def _narrow(self) -> tuple[Term | None, tuple[str, ...]]:
        """The first of several words that has broader terms, and these."""
        language, thesaurus = "ko" if self.query.in_korean else "en", self.reach.thesaurus
        known = ((each, broader_terms(each.text, language, thesaurus)) for each in self.words[:ALTERNATIVES])
        found = (each for each in known if each[1] and len(self.words) > 1)
        return next(found, (None, ()))

    @property
    def _last(self) -> tuple[Leaf, ...]:
        """Of which any one is asked for in the end."""
        return self.things or (*self.words, *(leaf for each in self.choices for leaf in leaves(each)))

    def _placed(self) -> Iterator[tuple[Clause, ...]]:
        """The core may stand in the name of the place instead: in #proj-phoenix nobody says Phoenix."""
        if self.reach.can.fields.get(Field.CONTAINER, Fidelity.NONE) is Fidelity.NONE:
            return
        for core, places in places_named(self.query, self.words, self.reach.places):
            others = tuple(each for each in self.words if each != core)[:ALTERNATIVES]
            whole = self.reach.projects and not others
            called = {fold(core.text), *_cores(core, dict(self.query.variants))} if whole else ()
            named = (each for each in places if others or fold(each.name) in called)
            inside = tuple(Compare(Field.CONTAINER, Op.EQ, each) for each in named)
            further: list[tuple[Clause, ...]] = [(each,) for each in self.reach.any_of(others, PLACED)] or [()]
            looked_into = self.reach.any_of(inside, self.reach.queries)
            yield from ((place, *each) for each, place in product(further, looked_into))

    def dropped(self, words: MinimumMatch, lost: frozenset[Clause]) -> tuple[str, ...]:
        """What was given up, as the person said it."""
        implied = {each.clause: each.words for each in self.query.implied}
        gone = (part for part in conjuncts(self.query.where) if part in lost)
        said = (implied.get(part) or _words_for(self.query, part) for part in gone)
        lesser = self._instead(words) if words in INSTEADS else self._lesser(words)
        return tuple(dict.fromkeys((*said, *lesser)))

    def _lesser(self, words: MinimumMatch) -> tuple[str, ...]:
        texts = tuple(each.text for each in self.words)
        said = THE_REST_BUT_CORE if words is MinimumMatch.CORE_AND_ONE else THE_REST
        match words:
            case MinimumMatch.ALL:
                return ()
            case MinimumMatch.ONE if len(self.things) == 1:
                return texts
            case MinimumMatch.HALF:
                return texts[self._half :]
            case MinimumMatch.CORE:
                return (*texts[self._half :], *texts[1 : self._half])
            case _:
                asked = (leaf for each in self._said(words) for part in each for leaf in leaves(part))
                sent = dict.fromkeys(leaf.text for leaf in asked if isinstance(leaf, Term))
                core = texts[0] if words is MinimumMatch.CORE_AND_ONE else ""
                shown = ", ".join(each for each in sent if each != core)
                if not shown:
                    return (core,)
                return (filled_in(said, self.query.language, core=core, words=shown),)

    def _instead(self, words: MinimumMatch) -> Iterator[str]:
        """The words that are left out, and what stands for the narrow one, or for a name: nobody asked for that."""
        if words is MinimumMatch.BY_THEM:
            person, others = self._author
            yield self._in_place_of((each for each in self.words if each not in others), f"from:{person}")
            return
        if words is MinimumMatch.DAY:
            yield self._in_place_of(self.words, ", ".join(self.query.day))
            return
        narrow, terms = self._narrow
        asked = (leaf for each in self._broader() for part in each for leaf in leaves(part))
        sent = {leaf.text for leaf in asked if isinstance(leaf, Term)}
        yield from (each.text for each in self.words if each.text not in sent and each != narrow)
        shown = ", ".join(term for term in terms if sent.issuperset(term.split()))
        yield self._in_place_of(filter(None, (narrow,)), shown)

    def _in_place_of(self, words: Iterable[Term], terms: str) -> str:
        return filled_in(INSTEAD, self.query.language, word=" ".join(each.text for each in words), terms=terms)


def is_coined(text: str) -> bool:
    """Written as no ordinary word is, so a name wherever it stands: a small letter with a capital behind it, or a digit."""
    return any(small.islower() and (big.isupper() or big.isdigit()) for small, big in pairwise(text))


def _words_for(query: Query, part: Clause) -> str:
    if isinstance(part, Compare) and part.field in TIMES:
        return (query.window.words if query.window else "") or "dates"
    if isinstance(part, Compare) and part.field is Field.CONTAINER:
        return f"in:{part.value}"
    if isinstance(part, Compare) and part.field is Field.STATE:
        return f"is:{part.value}"
    return shown(part)
