"""What every dialect needs after the split: reasons for people, and text that cannot turn into syntax."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from translators.capabilities import Fidelity, Verdict
from translators.match import WORD
from translators.query import (
    EVERYTHING,
    NOTHING,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Leaf,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    Term,
    all_of,
    conjuncts,
    leaves,
)
from translators.records import record
from translators.said import Said, joined
from translators.split import Judge, split
from translators.translator import Loss, LossKind, order_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from translators.capabilities import Capabilities

ASKS_ONE = Said("only one can be asked for at a time")
NO_NEGATION = Said("the source cannot be asked to leave this out")
NO_ALTERNATIVES = Said("alternatives do not fit into one query of this source")
FETCHED = Said("the thing itself is fetched, whatever else is asked of it")
ONE_FETCH = Said("an id is fetched by itself and cannot stand in a query of this source")
NO_MEANING = Said("nothing can satisfy this")
NO_CHECK = Said("the source cannot be asked for this")
OWN_IDEA = Said("the source has its own idea of this")
NO_ORDER = Said("the source cannot put its results in this order")
NO_LETTERS = Said("it holds no letter or digit to search for")

# Words that are operators somewhere; no word of a question is ever one.
RESERVED = frozenset({"or", "and", "not", "around", "near", "xor"})
BARE = re.compile(r"\w[\w.-]*")
QUOTES = dict.fromkeys(map(ord, '"\\“”„‟〝〞〟＂'), " ")
ADDRESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9.-]+")
# Where days are counted by a clock that we do not know: the last zone on earth in which a day begins, and the first.
WESTERNMOST, EASTERNMOST = timezone(timedelta(hours=-12)), timezone(timedelta(hours=14))
DAY, SECOND, INSTANT = timedelta(days=1), timedelta(seconds=1), timedelta(microseconds=1)
EARLIEST = datetime(2, 1, 1, tzinfo=UTC)
LATEST = datetime(9998, 12, 31, tzinfo=UTC)
SHOWN = 120
UNCHECKED = frozenset({Fidelity.WIDER, Fidelity.NONE})


# ---- from the split to the translation


@record
class Settled:
    """What a dialect writes down (``pushed``), what is left for us, and what to tell people."""

    pushed: Clause
    residual: Clause | None
    losses: tuple[Loss, ...]


def settle(
    query: Query, can: Capabilities, judge: Judge, single: frozenset[Field] = frozenset(), *, fetches: bool = False
) -> Settled:
    """Split ``query`` and account for every condition that the native query will not carry as it was meant.

    ``single`` names fields of which the language takes one value: the first is asked for, further ones are checked.
    ``fetches``: an id cannot stand in a query but is read by a request of its own, so whatever is asked beside it is
    checked on what comes back, and an id among alternatives or negated is not asked for at all.
    """
    if fetches:
        if (thing := _fetchable(query.where, can, judge)) is not None:
            return _fetching(thing, query)
        judge = _without_ids(judge)
    cut = split(query.where, can, judge)
    pushed, spare = _one_each(cut.pushed, single)
    residual = all_of((cut.residual or EVERYTHING, *spare))
    asked = frozenset(leaves(pushed))
    losses = [
        *(
            Loss(LossKind.APPROXIMATED, shown(leaf), _why(leaf, can, judge))
            for leaf in cut.approximated
            if leaf in asked
        ),
        *(
            Loss(LossKind.CHECKED, shown(part), ASKS_ONE if part in spare else _reason(part, can, judge))
            for part in conjuncts(residual)
        ),
    ]
    if query.sort is not Sort.RELEVANCE and query.sort not in can.sorts:
        losses.append(Loss(LossKind.DROPPED, order_name(query.sort), NO_ORDER))
    return Settled(pushed, None if residual == EVERYTHING else residual, tuple(losses))


def _fetchable(where: Clause, can: Capabilities, judge: Judge) -> Compare | None:
    """The first id that must hold and has the shape of this source's ids."""
    for part in conjuncts(where):
        if isinstance(part, Compare) and part.field is Field.ID and _fidelity(part, can, judge) is Fidelity.EXACT:
            return part
    return None


def _fetching(thing: Compare, query: Query) -> Settled:
    """One thing needs no order, so a wish for one is no loss."""
    rest = [part for part in conjuncts(query.where) if part != thing]
    losses = tuple(Loss(LossKind.CHECKED, shown(part), FETCHED) for part in rest)
    return Settled(thing, all_of(rest) if rest else None, losses)


def _without_ids(judge: Judge) -> Judge:
    def judged(leaf: Leaf) -> Verdict:
        verdict = judge(leaf)
        fetchable = verdict.fidelity is Fidelity.EXACT and isinstance(leaf, Compare) and leaf.field is Field.ID
        return Verdict(Fidelity.NONE, ONE_FETCH) if fetchable else verdict

    return judged


def barring(judge: Judge, barred: Mapping[Leaf, Said]) -> Judge:
    """The same judge, for whom these leaves cannot be said where they stand, each with the reason."""

    def judged(leaf: Leaf) -> Verdict:
        return Verdict(Fidelity.NONE, barred[leaf]) if leaf in barred else judge(leaf)

    return judged


def literals(pushed: Clause) -> Iterator[tuple[Leaf, bool]]:
    """The leaves of a clause without alternatives, each with whether it is negated."""
    for part in conjuncts(pushed):
        yield from ((leaf, isinstance(part, Not)) for leaf in leaves(part))


def _one_each(pushed: Clause, single: frozenset[Field]) -> tuple[Clause, tuple[Clause, ...]]:
    seen: set[Field] = set()
    kept: list[Clause] = []
    spare: list[Clause] = []
    for part in conjuncts(pushed):
        repeated = isinstance(part, Compare) and part.field in single and part.field in seen
        (spare if repeated else kept).append(part)
        if isinstance(part, Compare):
            seen.add(part.field)
    return all_of(kept), tuple(spare)


def _reason(part: Clause, can: Capabilities, judge: Judge) -> Said:
    """Why a condition is left for us: the node that stood in the way, else the leaves that did."""
    if isinstance(part, Not):
        return NO_NEGATION
    if part == NOTHING:
        return NO_MEANING
    if isinstance(part, AnyOf) and not can.can_ask_any(part.parts):
        return NO_ALTERNATIVES
    reasons = dict.fromkeys(_why(leaf, can, judge) for leaf in leaves(part) if _fidelity(leaf, can, judge) in UNCHECKED)
    return joined("; ", reasons) or NO_NEGATION


def _fidelity(leaf: Leaf, can: Capabilities, judge: Judge) -> Fidelity:
    return can.fidelity(leaf).weakened(judge(leaf).fidelity)


def _why(leaf: Leaf, can: Capabilities, judge: Judge) -> Said:
    """The judge's reason if it was the judge who thought less of the leaf, else the source's."""
    verdict, offered = judge(leaf), can.fidelity(leaf)
    if verdict.why and offered.weakened(verdict.fidelity) is verdict.fidelity:
        return verdict.why
    return NO_CHECK if offered is Fidelity.NONE else can.note or OWN_IDEA


# ---- text that stays text


def as_typed(text: str) -> str:
    """One line without control, format, private or broken characters; composed, so that servers compare it as typed."""
    composed = unicodedata.normalize("NFC", text)
    if not composed.isprintable():  # so Python calls what holds nothing of the categories C and Z but the blank
        composed = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in composed)
    return " ".join(composed.split())


TYPED = re.compile(r"""(?:^|(?<=\s))(?:-(?=\S)|\w+:(?=[^\s/]))(?:"[^"]*"|\S+)""")


def sentence(query: Query) -> str:
    """The question as it was said, in its own language, without the filters that were typed: for who searches by meaning."""
    return as_typed(TYPED.sub(" ", as_typed(query.text)))


def shown(clause: Clause) -> str:
    """A clause as a person may see it in a receipt: one line, not endless."""
    text = as_typed(str(clause))
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def quoted(text: str) -> str:
    """``text`` in double quotes, for languages without an escape: quotes and backslashes inside become blanks."""
    return f'"{as_typed(text.translate(QUOTES))}"'


def spelled(text: str) -> str:
    """A word bare where it can only be a word, else quoted."""
    word = as_typed(text)
    return word if BARE.fullmatch(word) and word.casefold() not in RESERVED else quoted(word)


def name_parts(name: str) -> list[str]:
    """The words of a person's name; ``sarah_kim`` has two."""
    return WORD.findall(as_typed(name).replace("_", " "))


def mail_address(who: Person) -> str:
    """The person's mail address, or nothing where none is known that can only be one, and be sent as it stands."""
    return next((text for text in (who.email, who.native_id) if text and ADDRESS.fullmatch(text)), "")


def judge_text(leaf: Term | Phrase | Prefix) -> Verdict:
    """Text without a letter or digit is not sent: no language says what it would do with it."""
    return Verdict() if WORD.search(as_typed(leaf.text)) else Verdict(Fidelity.NONE, NO_LETTERS)


def judge_container_name(where: Container) -> Verdict:
    """We take blanks, ``-`` and ``_`` in a name for the same; a source asked by name does not."""
    if re.search(r"[\s_-]", where.name):
        return Verdict(Fidelity.APPROXIMATE, Said("asked by the name exactly as written"))
    return Verdict()


# ---- time


def utc(instant: datetime) -> datetime:
    """``instant`` in UTC, kept a year away from the ends of the calendar so that arithmetic on it cannot overflow."""
    if instant.year <= EARLIEST.year:
        return EARLIEST
    return LATEST if instant.year > LATEST.year else min(instant.astimezone(UTC), LATEST)


def iso(instant: datetime) -> str:
    """ISO 8601 in UTC."""
    return utc(instant).isoformat().replace("+00:00", "Z")


def whole_second(op: Op, instant: datetime) -> datetime:
    """The second in UTC that loses nothing of a window that begins (``GE``) or ends at ``instant``."""
    moment = utc(instant)
    second = moment.replace(microsecond=0)
    return second if op is Op.GE or second == moment else second + SECOND


def whole_day(op: Op, instant: datetime) -> date:
    """The day that a window begins at, or the first that it leaves out: nothing of it is lost in any zone on earth."""
    if op is Op.GE:
        return utc(instant).astimezone(WESTERNMOST).date()
    return (utc(instant) - INSTANT).astimezone(EASTERNMOST).date() + DAY


def window(pushed: Iterable[Clause]) -> tuple[datetime | None, datetime | None]:
    """The latest beginning and the earliest end in ``pushed``, in UTC: of several bounds the narrowest serves."""
    bounds = [
        (part.op, utc(part.value)) for part in pushed if isinstance(part, Compare) and isinstance(part.value, datetime)
    ]
    return (
        max((instant for op, instant in bounds if op is Op.GE), default=None),
        min((instant for op, instant in bounds if op is Op.LT), default=None),
    )
