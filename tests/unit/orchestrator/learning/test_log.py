"""What is written down of use: numbers and digests alone, for so many days, and never at the price of an answer."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from connectors.contract import Hit
from orchestrator.learning import LearningLog, judgments_of, read_use
from orchestrator.model import ASKED, RERANKED, Answer, Ask, Citation, FollowUp, Plan, Principal, Result
from translators.query import EVERYTHING, Kind, Query, Sort

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)
NUMBERS = {
    "relevance": 0.9,
    "fused": 1.0,
    "keywords": 0.123456789,
    "freshness": 0.5,
    "authority": 0.4,
    "completeness": 0.3,
}
WHO = Principal("minji@acme.example")
QUESTION = "연봉 협상은 어떻게 하나요?"


def result(name: str, **factors: float) -> Result:
    hit = Hit("wiki", name, Kind.PAGE, "연봉 협상 안내", f"https://wiki.example/{name}", "salary secrets")
    return Result(hit, (), 0.5, {**NUMBERS, **factors}, features={"talk": 0.25})


def answer(*results: Result, sort: Sort = Sort.RELEVANCE) -> Answer:
    query = Query(EVERYTHING, QUESTION, sort=sort)
    return Answer(Plan(query, ()), results, (), citations=(Citation(1, results[-1]),))


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def log(tmp_path, clock) -> LearningLog:
    return LearningLog(tmp_path / "learning", lambda: b"s" * 32, clock, 60)


def written(tmp_path) -> str:
    return "".join(path.read_text("utf-8") for path in sorted((tmp_path / "learning").iterdir()))


async def test_what_was_shown_and_done_comes_back_as_a_judgment(log, tmp_path) -> None:
    await log.shown(Ask(QUESTION, NOW, WHO), answer(result("a"), result("b", **{ASKED: 0.5})))
    await log.reacted(WHO.id, "  연봉 협상은 어떻게  하나요? ", "opened", "wiki", "b")
    use = read_use(tmp_path / "learning")
    first, second = use.shown[0].items
    assert (first.factors["keywords"], first.features, first.tier, first.cited) == (0.12346, {"talk": 0.25}, 0.0, False)
    assert (second.tier, second.cited) == (0.5, True)
    assert use.shown[0].is_ours
    assert [each.grades for each in judgments_of(use)] == [(0.0, 0.3)]


async def test_a_question_is_known_as_typed_and_as_it_was_meant(log, tmp_path) -> None:
    follow = FollowUp("그건 언제?")
    await log.shown(Ask("연봉 협상 언제?", NOW, WHO, follow=follow), answer(result("a"), result("b")))
    await log.reacted(WHO.id, "그건 언제?", "opened", "wiki", "a")
    await log.reacted(WHO.id, "연봉 협상 언제?", "right", "wiki", "b")
    assert [each.grades for each in judgments_of(read_use(tmp_path / "learning"))] == [(0.3, 1.0)]


async def test_it_holds_no_text_no_name_and_no_id(log, tmp_path) -> None:
    await log.shown(Ask(QUESTION, NOW, WHO), answer(result("page-17")))
    await log.reacted(WHO.id, QUESTION, "wrong", "wiki", "page-17")
    text = written(tmp_path)
    assert not any(said in text for said in ("연봉", "salary", "minji", "acme", "wiki", "page-17", "\\u"))
    shown, did = map(json.loads, text.splitlines())
    assert (shown["who"], shown["asked"], shown["items"][0][0]) == (did["who"], [did["asked"]], did["item"])
    assert (tmp_path / "learning" / "2026-11-20.jsonl").stat().st_mode & 0o077 == 0


async def test_the_same_words_have_another_digest_elsewhere(log, tmp_path, clock) -> None:
    other = LearningLog(tmp_path / "other", lambda: b"t" * 32, clock, 60)
    for each in (log, other):
        await each.reacted(WHO.id, QUESTION, "opened", "wiki", "a")
    (ours,), (theirs,) = (read_use(tmp_path / name).reactions for name in ("learning", "other"))
    assert {ours.who, ours.asked, ours.item}.isdisjoint({theirs.who, theirs.asked, theirs.item})


async def test_old_days_are_deleted_whole(log, tmp_path, clock) -> None:
    for days in (0, 30, 61):
        clock.now = NOW + timedelta(days=days)
        await log.reacted(WHO.id, QUESTION, "opened", "wiki", "a")
    (tmp_path / "learning" / "notes.jsonl").write_text("mine", "utf-8")
    clock.now = NOW + timedelta(days=62)
    await log.reacted(WHO.id, QUESTION, "opened", "wiki", "a")
    kept = sorted(path.name for path in (tmp_path / "learning").iterdir())
    assert kept == ["2026-12-20.jsonl", "2027-01-20.jsonl", "2027-01-21.jsonl", "notes.jsonl"]


async def test_nothing_is_written_where_nothing_shall_be_kept(tmp_path, clock) -> None:
    log = LearningLog(tmp_path / "learning", lambda: b"s" * 32, clock, 0)
    await log.shown(Ask(QUESTION, NOW, WHO), answer(result("a")))
    await log.reacted(WHO.id, QUESTION, "right", "wiki", "a")
    assert not (tmp_path / "learning").exists()


async def test_a_disk_that_takes_nothing_costs_no_answer(tmp_path, clock) -> None:
    (tmp_path / "learning").write_text("a file where the folder should be", "utf-8")
    log = LearningLog(tmp_path / "learning", lambda: b"s" * 32, clock, 60)
    await log.shown(Ask(QUESTION, NOW, WHO), answer(result("a")))
    assert (tmp_path / "learning").is_file()


@pytest.mark.parametrize(
    "told", [answer(result("a", **{RERANKED: 0.3}), result("b")), answer(result("a"), result("b"), sort=Sort.NEWEST)]
)
async def test_an_order_that_was_not_ours_is_kept_as_it_was(log, tmp_path, told) -> None:
    await log.shown(Ask(QUESTION, NOW, WHO), told)
    await log.reacted(WHO.id, QUESTION, "opened", "wiki", "a")
    assert not read_use(tmp_path / "learning").shown[0].is_ours


async def test_answers_that_nobody_reacted_to_are_counted_and_not_held(log, tmp_path) -> None:
    for question in ("하나", "둘", "셋"):
        await log.shown(Ask(question, NOW, WHO), answer(result("a")))
    await log.reacted("somebody else", "둘", "opened", "wiki", "a")
    use = read_use(tmp_path / "learning")
    assert (len(use.shown), use.answers, use.torn) == (1, 3, 0)


async def test_lines_that_are_not_ours_are_counted_and_left_alone(log, tmp_path) -> None:
    await log.reacted(WHO.id, QUESTION, "opened", "wiki", "a")
    torn = [
        "",
        "{",
        "[]",
        '{"did": "shown"}',
        '{"did": "danced", "at": "2026-11-20T10:00:00+00:00", "who": "x", "asked": "y"}',
    ]
    path = tmp_path / "learning" / "2026-11-20.jsonl"
    path.write_text(path.read_text("utf-8") + "\n".join(torn), "utf-8")
    use = read_use(tmp_path / "learning")
    assert (len(use.reactions), use.torn) == (1, 5)


async def test_what_stands_there_of_somebody_is_counted_and_taken_out(log, tmp_path) -> None:
    other = Principal("boram@acme.example")
    for who in (WHO, other):
        await log.shown(Ask(QUESTION, NOW, who), answer(result("a"), result("b")))
        await log.reacted(who.id, QUESTION, "opened", "wiki", "b")
    assert (await log.kept_of(WHO.id), await log.kept_of("nobody")) == (2, 0)
    assert await log.erase(WHO.id) == 2
    assert (await log.kept_of(WHO.id), await log.kept_of(other.id)) == (0, 2)
    assert len(judgments_of(read_use(tmp_path / "learning"))) == 1
