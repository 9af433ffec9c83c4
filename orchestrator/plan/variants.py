"""Other names of the same thing (query expansion, synonyms): as alternatives in one query where the source has OR, else as sub-queries.

Only words are said differently, never phrases or ids, and every name widens what is asked: the question as asked is
always among what is sent. Names in one query share its limit of hits, names in queries of their own do not.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from orchestrator.plan.conditions import wanted_terms
from translators.capabilities import Fidelity
from translators.inflection import other_number
from translators.letters import has_hangul
from translators.query import (
    EVERYTHING,
    AllOf,
    AnyOf,
    Clause,
    Not,
    Query,
    Sort,
    Term,
    all_of,
    any_of,
    conjuncts,
    leaves,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from translators.capabilities import Capabilities

CHOICES = 4
"""Alternatives that a source without OR is asked for, one a request."""
MOST_KEPT = 256
"""Words of which it is known what each is called: every rung of every source asks again."""
WHOLES = 2
"""Ways to say the whole question in one query that takes few ORs: where such a source has searches without OR, each costs a request."""


def variants(query: Query, can: Capabilities, most: int) -> tuple[Query, ...]:
    """``query`` first, then at most ``most - 1`` others that say one of its keywords differently.

    Of alternatives that were typed (``okta OR saml``), a source without OR is asked for one after another, whatever ``most`` is.
    """
    if chosen := _one_by_one(query, can):
        return tuple(query.narrowed(where) for where in chosen)
    names = dict(query.variants)
    present = [word for word in dict.fromkeys(each.text for each in wanted_terms(query.where)) if names.get(word)]
    together = _takes_alternatives(can)
    freely = together and can.most_ors is None
    if not (freely and (query.joined or can.as_written)) and (not present or not (together or most > 1)):
        return (query,)
    if together:
        every = by_any_name(query, as_written=can.as_written) if freely else _by_name(query, names)
        if can.most_ors is not None and _ors(every) >= WHOLES:
            every = _as_many_as_fit(query, _wholes(query, present)[:WHOLES], can.most_ors)
        return (query.narrowed(every),)
    return tuple(query.narrowed(where) for where in _wholes(query, present)[:most])


def _one_by_one(query: Query, can: Capabilities) -> tuple[Clause, ...]:
    """Each of the first alternatives that a source can be asked for, and not for any of them; else nothing."""
    parts = conjuncts(query.where)
    implied = {each.clause for each in query.implied}
    choices = (each for each in parts if isinstance(each, AnyOf) and each not in implied)
    choice = next((each for each in choices if not can.can_ask_any(each.parts)), None)
    if choice is None or any(can.fidelity(leaf) is Fidelity.NONE for leaf in leaves(choice)):
        return ()
    ways = [all_of(one if part is choice else part for part in parts) for one in choice.parts]
    abroad = [said for way in ways if (said := across(query.narrowed(way)))]
    return tuple(islice(dict.fromkeys((*ways, *abroad)), CHOICES))


def by_any_name(query: Query, *, as_written: bool = False) -> Clause:
    """``query.where`` with each word under any of its names, and in one with the word beside it: who says 눈사람우체국 says both.

    ``as_written``: and each English word in singular and plural.
    """
    names = dict(query.variants)
    words = {word for pair in query.joined for word in pair}
    every = _by_name(query, names | {word: (*names.get(word, ()), *query.in_one_with(word)) for word in words})
    return _in_both_numbers(every) if as_written else every


def _in_both_numbers(where: Clause) -> Clause:
    words = dict.fromkeys(each.text for each in wanted_terms(where))
    others = {word: other for word in words if (other := other_number(word))}
    return _replace(where, {word: any_of((Term(word), Term(other))) for word, other in others.items()})


def in_one(query: Query, asked: Clause, can: Capabilities) -> tuple[Query, ...]:
    """The first two words that may be one as one, for a source without OR that is ``asked`` for one of them; else nothing."""
    pair = query.joined[0] if query.joined else ()
    one = Term("".join(pair))
    if (
        not has_hangul(one.text)
        or _takes_alternatives(can)
        or not {each.text for each in wanted_terms(asked)} & {*pair}
    ):
        return ()
    return (query.narrowed(_replace(asked, dict.fromkeys(pair, one))),)


def _by_name(query: Query, names: Mapping[str, Sequence[str]]) -> Clause:
    words = dict.fromkeys(each.text for each in wanted_terms(query.where))
    return _replace(query.where, {word: _any_name(word, tuple(names[word])) for word in words if names.get(word)})


@lru_cache(maxsize=MOST_KEPT)
def _any_name(word: str, names: tuple[str, ...]) -> Clause:
    return any_of((Term(word), *map(_meaning, names)))


def weighed(query: Query, can: Capabilities) -> Query:
    """``query`` with its lesser words among alternatives that nothing fails, for a source that ranks: who holds one comes first.

    ``a AND b`` becomes ``a AND b AND (a OR lesser)``: the same things match, which the source then orders by more words. As many
    as its ORs have room for; none where it orders by date, is told the lesser words in a way of its own, or would find them alone.
    """
    sorted_by_date = query.sort is not Sort.RELEVANCE and query.sort in can.sorts
    known = min(filter(_wanted, conjuncts(query.where)), key=_length, default=None)
    if known is None or sorted_by_date or can.weighs or can.any_word or not can.ranks:
        return query
    words = tuple(Term(word) for word, _ in sorted(query.lesser, key=_heaviest))
    if can.most_ors is not None:
        words = words[: max(0, can.most_ors - _ors(query.where) - _ors(known))]
    if not words or not can.can_ask_any((known, *words)):
        return query
    return query.narrowed(all_of((query.where, any_of((known, *words)))))


def _length(part: Clause) -> int:
    return sum(1 for _ in leaves(part))


def _heaviest(word: tuple[str, float]) -> float:
    return -word[1]


def _wholes(query: Query, present: Sequence[str]) -> tuple[Clause, ...]:
    """The whole question as asked, in the other language, then with each other name of its core.

    Where the whole is said in the other language, half of it is not: each costs a request.
    """
    first = min(present, key=lambda word: _rank(query, word))
    elsewhere = across(query)
    names = [name for name in dict(query.variants)[first] if not elsewhere or has_hangul(name) == has_hangul(first)]
    others = (_replace(query.where, {first: _meaning(name)}) for name in names)
    return tuple(dict.fromkeys((query.where, *((elsewhere,) if elsewhere else ()), *others)))


def _as_many_as_fit(query: Query, wholes: Sequence[Clause], room: int) -> Clause:
    """Whole questions as alternatives, ``room`` times OR at most; of what asks for any one word, words."""
    conditions = [part for part in conjuncts(query.where) if not _wanted(part)]
    own, *others = (all_of(part for part in conjuncts(each) if _wanted(part)) for each in wholes)
    for other in others:
        for part in other.parts if isinstance(other, AnyOf) else (other,):
            more = any_of((own, part))
            own = more if _ors(more) <= room else own
    return all_of((*conditions, own))


def _wanted(part: Clause) -> bool:
    """Whether it asks for words and nothing else."""
    return not isinstance(part, Not) and all(isinstance(leaf, Term) for leaf in leaves(part))


def _ors(where: Clause) -> int:
    match where:
        case AllOf(parts):
            return sum(map(_ors, parts))
        case AnyOf(parts):
            return sum(map(_ors, parts)) + max(0, len(parts) - 1)
        case _:
            return 0


def elsewhere(query: Query, can: Capabilities) -> tuple[Query, ...]:
    """The same said in the other language, as widely as it goes, for a source that has no OR to say it in; else nothing."""
    where = None if _takes_alternatives(can) else across(query, widely=True)
    return (query.narrowed(where),) if where else ()


def further(query: Query, can: Capabilities) -> tuple[Query, ...]:
    """One word by what else the other language calls it, for a source without OR: 승강기 for an elevator that was asked for as 엘리베이터."""
    words = [each.text for each in wanted_terms(query.where)]
    said = None if _takes_alternatives(can) or len(words) != 1 else across(query, widely=True)
    if said is None:
        return ()
    korean = query.in_korean
    names = [name for name in dict(query.variants).get(words[0], ()) if has_hangul(name) != korean]
    ways = (_replace(query.where, {words[0]: _meaning(name)}) for name in names)
    return tuple(query.narrowed(where) for where in dict.fromkeys(ways) if where != said)


def across(query: Query, *, widely: bool = False) -> Clause | None:
    """``query.where`` said in the other language: each word by its likeliest name there, if any has one.

    Or by as much of that as is a name too: customs is in customs clearance. What has none stays, being a name or a sign; but
    a Korean word that has none stands in no English text, and is left out. ``widely``: of a Korean compound its first word,
    which it begins with however it is spelled.
    """
    said: dict[str, Clause] = {}
    korean = query.in_korean
    for word, names in query.variants:
        others = [name for name in names if has_hangul(name) != korean]
        if others and has_hangul(word) == korean:
            name = min((name for name in others if _is_part(name, others[0])), key=len)
            said[word] = _meaning(name.split()[0] if widely and not korean else name)
    words = [each.text for each in wanted_terms(query.where)]
    if not any(word in said for word in words):
        return None
    unsaid = dict.fromkeys(filter(has_hangul, words), EVERYTHING) if korean else {}
    return _replace(query.where, unsaid | said)


def _is_part(name: str, whole: str) -> bool:
    """Whether what holds ``whole`` holds ``name``: customs in customs clearance, 출시 in 출시일."""
    return whole.startswith(name) if has_hangul(name) else set(name.split()) <= set(whole.split())


def _takes_alternatives(can: Capabilities) -> bool:
    """Words that are not sent at all are checked here, all at once."""
    return (can.any_of and can.any_of_text) or can.term is Fidelity.NONE


def _rank(query: Query, word: str) -> int:
    return query.essential.index(word) if word in query.essential else len(query.essential)


def _meaning(name: str) -> Clause:
    return all_of(Term(word) for word in name.split())


def _replace(where: Clause, said: dict[str, Clause]) -> Clause:
    """Only terms that are asked for are replaced: a negated word keeps its plain sense."""
    match where:
        case Term(text):
            return said.get(text, where)
        case AllOf(parts):
            return all_of(_replace(part, said) for part in parts)
        case AnyOf(parts):
            kept = [each for each in (_replace(part, said) for part in parts) if each != EVERYTHING]
            return any_of(kept) if kept else EVERYTHING
        case _:
            return where
