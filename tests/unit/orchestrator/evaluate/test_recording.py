"""What the sources answered comes back from a file as it was, and ranks the same."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType

import pytest

from connectors.contract import Hit
from orchestrator.codec import decode, encode
from orchestrator.evaluate import (
    JudgedQuestion,
    Recorded,
    best_possible,
    half_of,
    interval,
    read_recording,
    replay,
    write_recording,
)
from orchestrator.model import Answer, HitList, Outcome, Plan, Problem, Status, Step
from orchestrator.rank import RankingConfig
from translators.query import (
    Category,
    Compare,
    Entity,
    EntityKind,
    Field,
    Kind,
    Not,
    Op,
    Person,
    Query,
    QueryType,
    Term,
    Window,
    all_of,
)
from translators.said import Said, said_in
from translators.translator import Loss, LossKind, NativeQuery, Translation

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)
CONFIG = RankingConfig.load(Path(__file__).parents[4] / "config" / "ranking.toml")


def recorded(text: str = "배포 일정", good: str = "a") -> Recorded:
    where = all_of([Term("배포"), Not(Term("draft")), Compare(Field.TIME, Op.GE, NOW)])
    query = Query(
        text,
        where,
        QueryType.STATUS,
        keywords=("배포", "일정"),
        variants=(("배포", ("deploy",)),),
        entities=(Entity(EntityKind.PERSON, "김민수"),),
        window=Window(date(2026, 11, 1), None, "11월부터"),
    )
    hits = (
        Hit("slack", "b", Kind.MESSAGE, snippet="점심", created=NOW, facts=MappingProxyType({"labels": ("x",)})),
        Hit("slack", "a", Kind.MESSAGE, snippet="배포 일정은 금요일", author=Person("김민수"), score=0.5, created=NOW),
    )
    found = HitList(Translation(NativeQuery("slack", "배포", MappingProxyType({"sort": "score"}))), hits)
    loss = Loss(LossKind.CHECKED, "draft", "cannot be asked")
    outcome = Outcome(
        "slack",
        "Slack",
        Category.CHAT,
        Status.PARTIAL,
        (found,),
        0.1,
        1,
        losses=(loss,),
        problem=Problem("x", "y", 2.0),
    )
    plan = Plan(query, (Step("slack", "Slack", Category.CHAT, ()),))
    return Recorded(JudgedQuestion(text, text, {good: 1.0}), NOW, plan, (outcome,), {"slack": {"a": "a", "b": "b"}})


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "x.rec"
    assert write_recording(path, [recorded(), recorded("two")]) == 2
    assert list(read_recording(path)) == [recorded(), recorded("two")]


def test_a_recorded_question_is_ranked_and_scored_again() -> None:
    right, wrong = replay([recorded()], CONFIG), replay([recorded(good="b")], CONFIG)
    assert right.mean("ndcg_10") == right.mean("mrr_10") == 1.0
    assert wrong.mean("mrr_10") == 0.5
    assert best_possible([recorded(good="b")]).mean("ndcg_10") == 1.0
    assert right.gain("mrr_10", wrong) == (0.5, 0.5)
    assert "1 questions" in str(right)


def test_hits_of_no_known_origin_are_nobodys() -> None:
    stray = replace(recorded(), origins={})
    assert replay([stray], CONFIG).mean("recall_100") == 0.0
    assert stray.corpus_id("slack", "a") == "?slack:a"


def test_an_answer_is_recorded_with_what_stands_behind_its_hits() -> None:
    one = recorded()
    answer = Answer(one.plan, (), one.outcomes)
    made = Recorded.of(one.question, NOW, answer, {"slack": {"a": "corpus-1", "https://elsewhere": "corpus-2"}})
    assert made.origins == {"slack": {"a": "corpus-1"}}


def test_nothing_but_our_nouns_is_written_or_built() -> None:
    with pytest.raises(TypeError, match="Path is no noun"):
        encode(Path())
    with pytest.raises(TypeError, match="bytes is no noun"):
        encode(b"bytes")
    with pytest.raises(ValueError, match="'Popen' is nothing"):
        decode({"@": "Popen", "args": "true"})


def test_a_file_that_is_no_recording_is_refused_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.rec"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write('{"id": 1}\n')
    with pytest.raises(ValueError, match=r"x\.rec:1: no recorded question"):
        list(read_recording(path))


def test_intervals_hold_the_mean_and_narrow_with_more_questions() -> None:
    few, many = interval([0.0, 1.0] * 5), interval([0.0, 1.0] * 200)
    assert few[0] < many[0] < 0.5 < many[1] < few[1]
    assert interval([]) == (0.0, 0.0)
    assert interval([0.3] * 9) == pytest.approx((0.3, 0.3))


def test_halves_are_stable_and_both_filled() -> None:
    halves = [half_of(f"q{n}") for n in range(200)]
    assert 70 < sum(halves) < 130
    assert half_of("q1") == half_of("q1")
    report = replay([recorded(f"q{n}") for n in range(6)], CONFIG)
    assert len(report.half(0).rows) + len(report.half(1).rows) == 6
    assert replay([], CONFIG).mean("ndcg_10") == 0.0


def test_what_is_said_in_both_languages_is_kept_so() -> None:
    why = Said.given({"en": "cannot be asked", "ko": "물을 수 없습니다"})
    again = decode(json.loads(json.dumps(encode(Loss(LossKind.CHECKED, "draft", why)))))
    assert (again.why, said_in(again.why, "ko")) == ("cannot be asked", "물을 수 없습니다")
    assert encode(Loss(LossKind.CHECKED, "draft", "told otherwise")) == {
        "@": "Loss",
        "kind": encode(LossKind.CHECKED),
        "what": "draft",
        "why": "told otherwise",
    }
