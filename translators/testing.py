"""DialectContract: what every dialect must keep, ours and yours. It needs pytest and Hypothesis.

In a test module::

    from translators.testing import DialectContract

    TestKql = DialectContract.of(Kql(), Path("kql/exemplars"))
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from translators import strategies
from translators.capabilities import TIMES, Capabilities, Fidelity
from translators.emit import shown
from translators.exemplars import Exemplar, exemplars_from, loss_line
from translators.match import HANGUL, matches
from translators.query import (
    EVERYTHING,
    AllOf,
    AnyOf,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    State,
    Term,
    all_of,
    any_of,
    conjuncts,
    leaves,
)
from translators.registry import bring_messages
from translators.said import said_in
from translators.translator import LossKind, NativeQuery, Translator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from translators.query import Clause, Leaf
    from translators.translator import Json, Translation

    Example = tuple[Query, Capabilities, Sequence[strategies.Paper]]
    Law = Callable[[Query, Capabilities, Sequence[strategies.Paper]], None]

QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
SIMPLE = re.compile(r"\w[\w.-]*")
OPERATORS = frozenset({"OR", "AND", "NOT", "AROUND", "NEAR", "XOR"})
KOREAN_SHARE = 1 / 3
HOSTILE_CASES = 5
HARMLESS = "harmless"
HARMLESS_IN_KOREAN = "무해한"  # which a dialect may ask for otherwise, for the sake of particles
WORD = "§"
BROKEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
NOTHING_OFFERED = Capabilities()
EXAMPLES = 400
NEXT = 8  # documents that each question is held against
try_many = settings(max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, report_multiple_bugs=False)
"""On how many examples a law is tried, and whether the smallest is looked for on which it fails."""


class DialectContract:
    """Subclass it with ``translator`` and ``exemplars``, or call :meth:`of`; pytest does the rest.

    ``syntax`` is false for languages whose text has no operators at all: there, nothing can be injected. ``by_word``
    is true for languages in which the words of a text are asked for one by one.
    """

    translator: ClassVar[Translator]
    exemplars: ClassVar[tuple[Exemplar, ...]] = ()
    syntax: ClassVar[bool] = True
    by_word: ClassVar[bool] = False

    @staticmethod
    def of(
        translator: Translator, exemplars: Path, *, syntax: bool = True, by_word: bool = False
    ) -> type[DialectContract]:
        """The contract for one dialect; ``exemplars`` is a folder of TOML files (see ``translators.exemplars``)."""
        bring_messages(translator)
        found = tuple(chain.from_iterable(map(_read, sorted(exemplars.glob("*.toml")))))
        members: dict[str, Any] = {"translator": translator, "exemplars": found, "syntax": syntax, "by_word": by_word}
        return type(f"Test{translator.name.title()}", (DialectContract,), members)

    # ---- exemplars

    def test_exemplar_is_translated_as_written(self) -> None:
        """Of each exemplar the whole translation equals the expected one: text, arguments, residual and every loss."""
        wrong = [line for exemplar in self.exemplars for line in self._differences(exemplar)]
        assert not wrong, "\n".join(wrong)

    def test_exemplars_show_every_clause_in_both_languages(self) -> None:
        """A reader learns the whole dialect from its exemplars, in Korean as in English, attacks included."""
        nodes = [node for exemplar in self.exemplars for node in _nodes(exemplar.query.where)]
        missing = {Term, Phrase, Prefix, Not, AnyOf} - {type(node) for node in nodes}
        assert not missing, f"no exemplar has: {', '.join(sorted(kind.__name__ for kind in missing))}"
        unseen = set(Field) - {node.field for node in nodes if isinstance(node, Compare)}
        assert not unseen, f"no exemplar compares: {', '.join(sorted(unseen))}"
        korean = sum(exemplar.query.language == "ko" for exemplar in self.exemplars)
        assert korean >= KOREAN_SHARE * len(self.exemplars), "fewer than a third of the exemplars are Korean"
        assert sum(exemplar.hostile for exemplar in self.exemplars) >= HOSTILE_CASES, "too few hostile exemplars"

    # ---- laws

    def test_any_query_is_translated(self) -> None:
        """Total: no query raises; what comes out is one line of text and plain JSON, in the dialect's own name."""

        def check(query: Query, can: Capabilities, _: Sequence[strategies.Paper]) -> None:
            native = self.translator.translate(query, can).native
            assert native.dialect == self.translator.name
            assert not _broken(native.text), f"control characters in {native.text!r}"
            assert not any(map(_broken, _strings(native.args))), f"control characters in {native.args!r}"
            json.dumps(_plain_json(native.args)).encode()

        hold(check)

    def test_same_query_same_translation(self) -> None:
        """Deterministic: no clock, no chance, no memory."""

        def check(query: Query, can: Capabilities, _: Sequence[strategies.Paper]) -> None:
            assert self.translator.translate(query, can) == self.translator.translate(query, can)

        hold(check)

    def test_residual_never_rejects_what_was_asked_for(self) -> None:
        """Widen, never narrow: a document that satisfies the question passes our own check."""

        def check(query: Query, can: Capabilities, documents: Sequence[strategies.Paper]) -> None:
            residual = self.translator.translate(query, can).residual or EVERYTHING
            for each in documents:
                assert matches(residual, each) is not False or matches(query.where, each) is not True

        hold(check)

    def test_everything_lost_is_named(self) -> None:
        """Each condition left for us is a loss "checked here"; so is each approximation, and an order not kept."""

        def check(query: Query, can: Capabilities, _: Sequence[strategies.Paper]) -> None:
            found = self.translator.translate(query, can)
            named = {loss.what for loss in found.losses if loss.kind is LossKind.CHECKED}
            unnamed = {shown(part) for part in conjuncts(found.residual or EVERYTHING)} - named
            assert not unnamed, f"checked by us without a word: {unnamed}"
            assert all(loss.why for loss in found.losses), "a loss without a reason"
            kinds = {loss.kind for loss in found.losses}
            kept = query.sort is Sort.RELEVANCE or query.sort in can.sorts & self.translator.can.sorts
            assert kept or LossKind.DROPPED in kinds, f"the order {query.sort} is lost without a word"

        hold(check)
        if Sort.URGENT in self.translator.can.sorts:
            usual, urgent = (
                self.translator.translate(Query("?", where=Term("zebra"), sort=sort), self.translator.can).native
                for sort in (Sort.RELEVANCE, Sort.URGENT)
            )
            assert usual != urgent, "no source puts the most urgent first by itself, and this one is not asked to"
        for leaf in SAMPLES:
            if self.translator.can.fidelity(leaf) is Fidelity.APPROXIMATE:
                assert self.translate(leaf).losses, f"{leaf} is approximated without a word"

    def test_every_reason_is_said_in_korean(self) -> None:
        """People are told what was lost in their language."""

        def check(query: Query, can: Capabilities, _: Sequence[strategies.Paper]) -> None:
            self._check_reasons(self.translator.translate(query, can))

        hold(check)
        for leaf in SAMPLES:
            for part in (leaf, Not(leaf), any_of([leaf, Term("zebra")])):
                self._check_reasons(self.translate(part))

    def test_no_condition_vanishes(self) -> None:
        """Each condition is sent, or checked, or named as lost."""
        everything = self.translate(EVERYTHING).native
        for leaf in SAMPLES:
            found = self.translate(leaf)
            accounted = found.native != everything or found.residual is not None or found.losses
            assert accounted or _always_true(leaf), f"{leaf} is neither sent, nor checked, nor named"
        for leaf in (Term("zebra"), Phrase("zebra quagga"), Term("얼룩말")):
            found = self.translate(all_of([Term(HARMLESS), leaf]))
            kept = [found.native.text, *_strings(found.native.args), str(found.residual)]
            assert any(leaf.text in text for text in kept), f"{leaf} is neither sent nor checked"

    def test_what_the_source_cannot_do_is_not_sent(self) -> None:
        """A source may offer less than its language: what its capabilities deny stays with us."""
        everything = self.translate(EVERYTHING, NOTHING_OFFERED).native
        for part in (*SAMPLES, Not(Term("zebra")), AnyOf((Term("zebra"), Term("quagga")))):
            found = self.translate(part, NOTHING_OFFERED)
            assert found.native == everything, f"{part} was sent to a source that can do nothing"
            assert found.residual == part
        for name in self.translator.can.fields:
            fields = {**self.translator.can.fields, name: Fidelity.NONE}
            for leaf in (leaf for leaf in SAMPLES if isinstance(leaf, Compare) and leaf.field is name):
                found = self.translate(leaf, replace(self.translator.can, fields=fields))
                assert found.native == everything, f"{leaf} was sent though {name} is denied"

    def test_user_text_stays_text(self) -> None:
        """No text of a question becomes syntax: the shape is that of a harmless word, or nothing is sent."""
        everything = self.translate(EVERYTHING).native
        for text in strategies.HOSTILE:
            for build in (Term, Phrase, lambda text: Not(Term(text)), lambda text: Not(Phrase(text))):
                found = self.translate(build(text)).native
                usual = [self.translate(build(word)).native for word in (HARMLESS, HARMLESS_IN_KOREAN)]
                same = any(self._alike(found, each) for each in usual)
                assert same or found == everything, f"{text!r} became syntax: {found}"

    def test_an_instant_is_the_same_in_every_zone(self) -> None:
        """Whoever asks from elsewhere means the same instant; a day counted by their clock would narrow the window."""
        for leaf in SAMPLES:
            if not isinstance(leaf, Compare) or not isinstance(leaf.value, datetime):
                continue
            for moment in (leaf.value + timedelta(hours=hours) for hours in range(0, 24, 3)):
                asked = [replace(leaf, value=moment.astimezone(zone)) for zone in strategies.ZONES]
                sent = {self._written(self.translate(each).native) for each in asked}
                assert len(sent) == 1, f"{asked[0]} is asked for differently in other zones: {sorted(sent)}"

    def test_a_fetch_answers_no_more_than_its_question(self) -> None:
        """An id that is asked for pushes nothing aside: not what must hold as well, no alternative, no negation."""
        everything = self.translate(EVERYTHING).native
        natives = {leaf: self.translate(leaf).native for leaf in (*IDS, *BESIDE)}
        sent = {leaf: native for leaf, native in natives.items() if native != everything}
        for thing in (leaf for leaf in IDS if leaf in sent):
            assert self.translate(Not(thing)).native != sent[thing], f"{thing} is fetched though it is not wanted"
            for other in (leaf for leaf in natives if natives[leaf] != sent[thing]):
                for both in (all_of([thing, other]), all_of([other, thing])):
                    self._check_both(both, sent)
                either = self.translate(any_of([thing, other])).native
                alone = [leaf for leaf in (thing, other) if sent.get(leaf) == either]
                assert not alone, f"of {thing} or {other}, only {alone[0]} is asked for"

    # ---- how the checks ask

    def _differences(self, exemplar: Exemplar) -> Iterator[str]:
        found = self.translate(exemplar.query.where, query=exemplar.query)
        for name, wanted, came in (
            ("text", exemplar.text, found.native.text),
            ("arguments", _plain_json(exemplar.args), _plain_json(found.native.args)),
            ("residual", exemplar.residual, found.residual),
            ("losses", list(exemplar.losses), list(map(loss_line, found.losses))),
        ):
            if came != wanted:
                yield f"{exemplar.says!r}: as {name} {wanted!r} was expected, {came!r} came"

    def _check_reasons(self, found: Translation) -> None:
        english = [loss.why for loss in found.losses if loss.why and not HANGUL.search(said_in(loss.why, "ko"))]
        assert not english, f"in English only: {english[0]}"

    def _check_both(self, both: Clause, sent: Mapping[Leaf, NativeQuery]) -> None:
        """Where but one of two conditions is sent, the other is checked."""
        found = self.translate(both)
        checked = {*leaves(found.residual or EVERYTHING)}
        parts = [part for part in leaves(both) if sent.get(part) != found.native]
        forgotten = [part for part in parts if len(parts) == 1 and part not in checked]
        assert not forgotten, f"of {both}, {forgotten[0]} is neither sent nor checked"

    def _written(self, native: NativeQuery) -> str:
        return f"{native.text} {json.dumps(_plain_json(native.args), sort_keys=True)}"

    def _alike(self, found: NativeQuery, usual: NativeQuery) -> bool:
        return self._fits(found.args, usual.args) and (
            not self.syntax or self._same_shape(_shape(found), _shape(usual))
        )

    def _same_shape(self, found: str, usual: str) -> bool:
        again = f"( {re.escape(usual)})*" if self.by_word else ""
        return re.fullmatch(f"{re.escape(usual)}{again}", found) is not None

    def _fits(self, found: Json, usual: Json) -> bool:
        """Whether structured parts are the same but for text where the harmless word stands."""
        match usual:
            case str() if usual in (HARMLESS, HARMLESS_IN_KOREAN):
                return isinstance(found, str)
            case Mapping():
                if not isinstance(found, Mapping) or found.keys() != usual.keys():
                    return False
                return all(self._fits(found[key], inner) for key, inner in usual.items())
            case list() | tuple():
                if not isinstance(found, list | tuple):
                    return False
                each = [usual[0]] * len(found) if self.by_word and len(usual) == 1 and found else usual
                return len(found) == len(each) and all(map(self._fits, found, each))
            case _:
                return found == usual

    def translate(self, where: Clause, can: Capabilities | None = None, query: Query | None = None) -> Translation:
        """The translation of one clause, by default for a source that speaks the whole language."""
        asked = query or Query(text="?", where=where)
        return self.translator.translate(asked, self.translator.can if can is None else can)


def hold(law: Law) -> None:
    """A law of any query to a source with any capabilities, and of any documents there.

    To draw an example takes many times as long as to translate it, so all laws of all dialects look at the same ones, drawn
    once a process. Where one fails, Hypothesis looks for the smallest that does.
    """
    for example in drawn(try_many.max_examples):
        try:
            law(*example)
        except Exception as failure:
            failure.add_note(f"for {example}")
            if Phase.shrink in try_many.phases:
                documents = st.lists(strategies.documents(), min_size=1, max_size=NEXT)
                try_many(given(strategies.queries(), strategies.capabilities(), documents)(law))()
            raise


@cache
def drawn(many: int) -> tuple[Example, ...]:
    """So many examples, the same ones on every machine."""
    found: list[tuple[Query, Capabilities, strategies.Paper]] = []

    @settings(try_many, max_examples=many, phases=[Phase.generate])
    @given(strategies.queries(), strategies.capabilities(), strategies.documents())
    def draw(query: Query, can: Capabilities, document: strategies.Paper) -> None:
        found.append((query, can, document))

    draw()
    papers = [document for *_, document in found] * 2
    return tuple((query, can, papers[place : place + NEXT]) for place, (query, can, _) in enumerate(found))


# ---- what they ask with

SINCE = strategies.NOON
SAMPLES: tuple[Leaf, ...] = (
    Term("zebra"),
    Term("얼룩말"),
    Phrase("zebra quagga"),
    Prefix("zebr"),
    *(Compare(name, Op.EQ, Person("", me=True)) for name in (Field.AUTHOR, Field.ASSIGNEE)),
    Compare(Field.CONTAINER, Op.EQ, Container("general")),
    *(Compare(Field.KIND, Op.EQ, kind) for kind in Kind),
    *(Compare(Field.STATE, Op.EQ, state) for state in State),
    Compare(Field.ID, Op.EQ, Identifier(IdKind.TICKET, "ENG-123")),
    *(Compare(Field.ID, Op.EQ, Identifier(IdKind.PERMALINK, text)) for text in strategies.IDS if "://" in text),
    *(Compare(name, op, SINCE) for name in sorted(TIMES) for op in (Op.GE, Op.LT)),
    *(Compare(Field.DUE, op, SINCE.date()) for op in (Op.GE, Op.LT)),
)


IDS: tuple[Compare, ...] = tuple(
    Compare(Field.ID, Op.EQ, Identifier(IdKind.PERMALINK if "://" in text else kind, text))
    for text in strategies.IDS
    for kind in ((IdKind.TICKET, IdKind.PULL_REQUEST, IdKind.FILE_NAME) if "://" not in text else (IdKind.PERMALINK,))
)
BESIDE: tuple[Leaf, ...] = (
    Term("zebra"),
    Compare(Field.AUTHOR, Op.EQ, Person("sarah")),
    Compare(Field.TIME, Op.GE, SINCE),
)


def _read(path: Path) -> tuple[Exemplar, ...]:
    return exemplars_from(tomllib.loads(path.read_text(encoding="utf-8")))


def _always_true(leaf: Leaf) -> bool:
    """Where a source holds but one kind of thing, asking for that kind asks nothing."""
    return isinstance(leaf, Compare) and leaf.field is Field.KIND


def _shape(native: NativeQuery) -> str:
    """The text with each quoted run and each bare word replaced by ``§``; what is left is syntax."""
    unquoted = QUOTED.sub(WORD, native.text)
    return SIMPLE.sub(lambda word: word[0] if word[0] in OPERATORS else WORD, unquoted)


def _nodes(clause: Clause) -> Iterator[Clause]:
    yield clause
    match clause:
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _nodes(part)
        case Not(part):
            yield from _nodes(part)
        case _:
            pass


def _plain_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain_json(inner) for key, inner in value.items()}
    return [_plain_json(inner) for inner in value] if isinstance(value, list | tuple) else value


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)


def _broken(text: str) -> bool:
    """Whether a text holds what no wire, terminal or log should see: control, format and unpaired characters."""
    return any(unicodedata.category(char) in BROKEN for char in text)
