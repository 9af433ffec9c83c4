"""The watch over quality: floors that only rise, figures that fall below them, and what the figures are counted from."""

from __future__ import annotations

import json
from datetime import date
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.model import Confidence, Part, Statement
from tests.quality import __main__ as command
from tests.quality.companies import Grade, figures, graded, unread
from tests.quality.figures import Figure, Floors, Measured, Row, failing, judged, table, together
from tests.quality.golden import wrongs
from tests.quality.labelled import bounds, kept_words, lost_words
from tests.quality.parts import parts
from translators.query import QueryType

if TYPE_CHECKING:
    from pathlib import Path

NDCG = Figure("ndcg_10", 0.2876, 60, noise=0.002)
EMPTY = Figure("empty_with_hits", 10, 60, fewer=True)


def judged_with(text: str, path: Path, *figures: Figure, skipped: str = "") -> list[Row]:
    path.write_text(text, "utf-8")
    return judged([Measured("herb", figures, skipped)], Floors.read(path))


# ---- floors


@pytest.mark.parametrize(
    ("figure", "before", "after"),
    [
        (NDCG, None, 0.285),
        (NDCG, 0.1, 0.285),
        (NDCG, 0.3, 0.3),
        (EMPTY, None, 10),
        (EMPTY, 12, 10),
        (EMPTY, 0, 0),
        (Figure("right", 27, 48), 26, 27),
        (Figure("right", 27, 48), 40, 40),
        (Figure("type", 1.0, 9), 0.5, 1.0),
        (Figure("alarms", 1 / 121, 121, fewer=True), None, 0.009),
    ],
)
def test_a_floor_is_raised_and_never_lowered(figure: Figure, before: float | None, after: float) -> None:
    assert figure.raised(before) == pytest.approx(after)
    assert before is not None or figure.holds(after)


def test_companies_are_told_together_and_what_nobody_has_read_of_them_apart(tmp_path: Path) -> None:
    (tmp_path / "about.json").write_text('{"unread": "even"}', "utf-8")
    rows = [Grade(f"d-{at:02}", "ko", at != 4, Confidence.LOW, right=at in {2, 3, 10}) for at in range(1, 11)]
    assert list(unread(tmp_path, rows)) == [Figure("right_unread", 2, 4)]
    (tmp_path / "about.json").write_text('{"unread": "all"}', "utf-8")
    assert list(unread(tmp_path, rows)) == [Figure("right_unread", 3, 9)]
    (tmp_path / "about.json").write_text("{}", "utf-8")
    assert not list(unread(tmp_path, rows))
    known = [Measured(f"company_{name}", (Figure("right", 3, 9), EMPTY)) for name in ("one", "two")]
    assert together([*known, Measured("herb", (NDCG,))]) == [
        Figure("right", 6, 18),
        Figure("empty_with_hits", 20, 120, fewer=True),
    ]


def test_floors_survive_being_written(tmp_path: Path) -> None:
    path = tmp_path / "floors.toml"
    floors = Floors.read(path)
    floors.raise_to([Measured("herb", (NDCG, EMPTY)), Measured("ko", skipped="not there")])
    floors.write(path)
    again = Floors.read(path)
    assert (again.of("herb", NDCG), again.of("herb", EMPTY), again.of("ko", NDCG)) == (0.285, 10, None)
    floors.raise_to([Measured("herb", (Figure("ndcg_10", 0.1, 60), Figure("empty_with_hits", 40, 60, fewer=True)))])
    assert (floors.of("herb", NDCG), floors.of("herb", EMPTY)) == (0.285, 10)


def test_what_falls_below_or_vanishes_fails(tmp_path: Path) -> None:
    text = "[herb]\nndcg_10 = 0.3\nright = 1\n[herb.at_most]\nempty_with_hits = 9\n"
    rows = judged_with(text, tmp_path / "floors.toml", NDCG, EMPTY)
    assert [(row.figure, row.state) for row in failing(rows)] == [
        ("ndcg_10", "below"),
        ("empty_with_hits", "below"),
        ("right", "gone"),
    ]
    assert "≤ 9  <-- below" in table(rows)
    kept = judged_with("[herb]\nndcg_10 = 0.287\n", tmp_path / "floors.toml", NDCG, EMPTY)
    assert [row.state for row in kept] == ["ok", "new"]
    assert failing(kept) == []


def test_a_part_that_is_not_at_hand_is_seen(tmp_path: Path) -> None:
    rows = judged_with("[herb]\nndcg_10 = 0.3\n", tmp_path / "floors.toml", skipped="needs ../shared")
    assert failing(rows) == []
    assert table(rows).splitlines()[1] == "herb  skipped: needs ../shared"


def test_the_command_fails_below_a_floor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    floors = tmp_path / "floors.toml"
    floors.write_text("[phrases]\nen = 0.9\n", "utf-8")
    monkeypatch.setattr(command, "FLOORS", floors)
    shown = Figure("en", 0.5, 2)
    monkeypatch.setattr(command, "all_of", lambda names, full: [Measured(name, (shown,)) for name in names])
    assert command.main(["--only", "phrases", "--json"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["rows"][0]["value"] == 0.5
    assert "phrases en: 0.500, and must be ≥ 0.900" in said.err
    monkeypatch.setattr(
        command, "all_of", lambda names, full: [Measured(name, (Figure("en", 0.95, 2),)) for name in names]
    )
    assert command.main(["--only", "phrases", "--raise"]) == 0
    assert Floors.read(floors).of("phrases", shown) == 0.95
    assert command.main(["--only", "nothing"]) == 2
    assert "phrases" in capsys.readouterr().err


def test_every_floor_belongs_to_a_part() -> None:
    floors = Floors.read(command.FLOORS)
    assert floors.parts.keys() <= parts().keys() | parts(full=True).keys()


# ---- phrases and windows


def test_a_word_that_several_keywords_spell_is_kept() -> None:
    kept = kept_words(["주소", "록", "Document Management"])
    assert {"주소록", "주소", "document", "management"} <= kept
    assert "록주소" not in kept


def test_a_lost_word_is_named() -> None:
    assert lost_words("the") == []  # a function word
    assert lost_words("payment gateway") == []
    assert lost_words("결제 서버") == []
    assert lost_words("-gateway") == ["-gateway"]  # excluded, so nothing of it is asked


def test_an_end_after_the_day_of_asking_is_open() -> None:
    today = date(2026, 5, 13)
    assert bounds("2026-05-01", "2026-06-01", today) == (date(2026, 5, 1), None)
    assert bounds(None, "2026-05-02T08:00:00", today) == (None, date(2026, 5, 3))


# ---- answers


def answer(*claims: str, confidence: Confidence = Confidence.HIGH) -> Any:
    statements = [Statement(each, Part.CLAIM, (1,)) for each in claims] + [Statement("결과 3개", Part.REMARK)]
    return SimpleNamespace(
        statements=statements,
        confidence=confidence,
        results=(),
        conflicts=(),
        query=SimpleNamespace(type=QueryType.TEMPORAL),
    )


def golden(*, answerable: bool = True) -> dict[str, Any]:
    return {
        "id": "k1",
        "lang": "ko",
        "answerable": answerable,
        "expect": ["(11월 10일|10 november)"],
        "evidence": ["s1"],
        "must_not": ["10월 15일"],
    }


def test_an_answer_is_graded_by_its_claims() -> None:
    right = graded(golden(), answer("출시는 11월  10일"), ["x", "s1"])
    assert (right.right, right.right_first, right.rank, right.high_but_wrong) == (True, True, 2, False)
    late = graded(golden(), answer("10월 15일", "11월 10일"), [])
    assert (late.right, late.right_first, late.wrong_first, late.rank) == (True, False, True, None)
    wrong = graded(golden(), answer("10월 15일"), ["s1"])
    assert (wrong.right, wrong.high_but_wrong) == (False, True)
    unknown = [
        graded(golden(answerable=False), answer("11월 10일", confidence=each), [])
        for each in (Confidence.LOW, Confidence.HIGH)
    ]
    assert [(each.abstained, each.high_but_wrong) for each in unknown] == [(True, False), (False, True)]
    counted = {each.name: (each.value, each.of) for each in figures([right, late, wrong, *unknown])}
    assert counted["right"] == counted["right_ko"] == (2, 3)
    assert counted["right_in_the_first_claim"] == (1, 3)
    assert (counted["evidence_in_the_top_1"], counted["evidence_in_the_top_3"]) == ((1, 3), (2, 3))
    assert (counted["high_but_wrong"], counted["abstained"], counted["wrong_first"]) == ((2, 5), (1, 2), (2, 3))


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ({"says": ["Friday|금요일"], "first": "금요일", "never": ["월요일"], "settled": True}, []),
        ({"says": ["Monday"]}, ["does not say Monday"]),
        ({"never": ["금요일"]}, ["says 금요일"]),
        ({"most": "low"}, ["is too sure: high"]),
    ],
)
def test_what_is_wrong_with_a_golden_answer_is_said(question: dict[str, Any], wrong: list[str]) -> None:
    assert list(wrongs(question, answer("배포는 금요일", "2번"))) == wrong


def test_an_answer_without_claims_is_wrong() -> None:
    assert len(list(wrongs({"first": "금요일", "by": ["김민수"]}, answer()))) == 2
