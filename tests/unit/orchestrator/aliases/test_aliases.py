"""What texts teach of names, what is kept of it and for whom, and how a question uses it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from orchestrator.access import lines_store
from orchestrator.aliases import NAMES, Alias, AliasEvidence, AliasRepository, also_called, read_aliases, taught
from orchestrator.aliases import repository as module
from orchestrator.understand import load_lexicon, understand
from translators.said import Said

NOW = datetime(2026, 11, 20, tzinfo=UTC)
TOGETHER = load_lexicon().bilingual.together


def pairs(*texts: str, title: str = "") -> list[tuple[str, str]]:
    things = [AliasEvidence("wiki", title, text) for text in texts]
    return [(each.name, each.other) for each in read_aliases(things, lambda word: bool(TOGETHER(word)))]


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Summary: Harbor Desk, formerly known as TideLine, is set to open", ("Harbor Desk", "TideLine")),
        ("# Quillon (formerly Vestrel)", ("Quillon", "Vestrel")),
        ("Harbor, previously called Tide, opens in May", ("Harbor", "Tide")),
        ("Harbor aka Tide opens in May", ("Harbor", "Tide")),
        ("Harbor, formerly known as tiDeX, is advanced", ("Harbor", "tiDeX")),
        ("The pump is now called Harbor, no longer Tide. Please use it", ("Harbor", "Tide")),
        ("Tide has been renamed to Harbor", ("Harbor", "Tide")),
        ("we renamed from Tide Two to Harbor today", ("Harbor", "Tide Two")),
        ("Harbor, also known as the Blue Desk, is ours", ("Harbor", "Blue Desk")),
        ("# 하버 (구 타이드)\n예약 시스템", ("하버", "타이드")),
        ("이번 달에 타이드에서 하버로 이름을 바꿉니다", ("하버", "타이드")),
        ("서비스명을 타이드에서 하버로 변경합니다", ("하버", "타이드")),
        ("## 예약창구(Booking Desk)", ("예약창구", "Booking Desk")),
        ("## Booking Desk (예약창구)", ("Booking Desk", "예약창구")),
    ],
)
def test_one_thing_that_says_so_teaches_a_name(text, pair):
    assert pairs(text) == [pair]


@pytest.mark.parametrize(
    "text",
    [
        "회의(Zoom)에서 봅시다",
        "## 회의(Zoom)",
        "the team (see below) was formerly run by Kim",
        "PAY-12 (closed), 처리됨(ERR_REFUND_409)",
        "Kim (Seoul)",
        "the offices in Osaka Tower (north) moved",
        "Jane Doe (formerly Acme) joins us",
        "김철수(전 네이버) 님이 합류합니다",
        "moved to June (originally May)",
        "Nightly Export Service (NES) is down",
        "예약창구(Booking Desk)에서 봅시다",
        "Harbor (formerly Harbor Desk)",
        "it is now called",
    ],
)
def test_what_only_stands_beside_a_word_teaches_nothing(text):
    assert pairs(text) == []


def test_what_two_things_write_by_the_way_is_a_name():
    assert pairs("예약창구(Booking Desk)에서", "예약창구(Booking Desk)로") == [("예약창구", "Booking Desk")]
    assert pairs("Quillon (formerly Vestrel) opens", "our Quillon (formerly Vestrel)") == [("Quillon", "Vestrel")]


def test_a_question_is_asked_by_the_other_name_too_and_keeps_its_own():
    known = [Alias("Harbor Desk", "TideLine")]
    query = understand("When does TideLine open?", NOW)
    assert taught(query, known) == (("TideLine", "Harbor Desk"),)
    assert dict(also_called(query, known).variants)["TideLine"][0] == "Harbor Desk"
    assert also_called(query, known).where == query.where
    back = also_called(understand("Harbor Desk opening hours", NOW), known)
    assert {dict(back.variants)[word][0] for word in ("Harbor", "Desk")} == {"TideLine"}


def test_a_question_that_says_both_names_or_neither_stays_as_it_is():
    known = [Alias("Harbor", "Tide")]
    for text in ("Is Harbor the former Tide?", "when is lunch"):
        query = understand(text, NOW)
        assert also_called(query, known) is query


def run(story):
    return asyncio.run(story)


def test_names_outlive_the_process_and_are_their_owners_alone(tmp_path):
    first, second = AliasRepository.in_folder(tmp_path), AliasRepository.in_folder(tmp_path)
    harbor, mail = (
        Alias("Harbor", "Tide", "wiki", "Rename"),
        Alias("Moru", "Nabi", "gmail", "a subject", "https://mail.example/1"),
    )
    assert run(first.learn("kim", [harbor, mail], unkept=["gmail"])) == (harbor, mail)
    assert run(first.learn("kim", [replace(harbor, name="tide", other="HARBOR")])) == ()
    assert run(first.of("kim")) == (harbor, mail)
    assert run(second.of("kim")) == (harbor, replace(mail, title="")), "of what may not be stored no text is"
    assert run(second.of("lee")) == ()


def test_what_is_taken_back_is_not_learnt_again_unless_by_hand(tmp_path):
    harbor = Alias("Harbor", "Tide", "wiki")
    repository = AliasRepository.in_folder(tmp_path)
    run(repository.learn("kim", [harbor]))
    run(repository.forget("kim", Alias("tide", "harbor")))
    for again in (repository, AliasRepository.in_folder(tmp_path)):
        assert run(again.of("kim")) == ()
        assert run(again.learn("kim", [harbor])) == ()
    assert run(repository.learn("kim", [harbor], by_hand=True)) == (harbor,)
    assert run(AliasRepository.in_folder(tmp_path).of("kim")) == (harbor,)


def test_a_torn_file_loses_its_torn_lines_alone(tmp_path):
    kept = json.dumps({"owner": "kim", "name": "Harbor", "other": "Tide"})
    (tmp_path / "names.jsonl").write_text(
        f'{kept}\n{{"owner": "kim", "na\n[1]\n{{"owner": 1, "name": 2, "other": 3}}\n'
    )
    assert [each.name for each in run(AliasRepository.in_folder(tmp_path).of("kim"))] == ["Harbor"]


def test_a_disk_that_takes_nothing_costs_no_answer(tmp_path):
    (tmp_path / "taken").write_text("")
    repository = AliasRepository.in_folder(tmp_path / "taken")
    harbor = Alias("Harbor", "Tide")
    assert run(repository.learn("kim", [harbor])) == (harbor,)
    assert run(repository.of("kim")) == (harbor,)


def test_whoever_says_a_name_is_told_where_it_cannot_be_kept(tmp_path):
    (tmp_path / "taken").write_text("")
    harbor = Alias("Harbor", "Tide")
    with pytest.raises(OSError, match="taken"):
        run(AliasRepository.in_folder(tmp_path / "taken").learn("kim", [harbor], by_hand=True))
    with pytest.raises(OSError, match="taken"):
        run(AliasRepository.in_folder(tmp_path / "taken").forget("kim", harbor))


def test_of_a_file_that_has_grown_too_long_what_was_said_last_counts(tmp_path, monkeypatch):
    repository = AliasRepository.in_folder(tmp_path)
    for number in range(40):
        run(repository.learn("kim", [Alias(f"하버{number}", f"Tide {number}")]))
    monkeypatch.setattr(module, "LONGEST_FILE", 1000)
    kept = [each.name for each in run(AliasRepository.in_folder(tmp_path).of("kim"))]
    assert kept[-1] == "하버39"
    assert "하버0" not in kept


def test_a_person_who_is_forgotten_is_known_no_more_to_any_process_and_may_be_taught_again(tmp_path):
    harbor, quillon = Alias("Harbor", "Tide"), Alias("Quillon", "Vestrel")
    here, elsewhere = AliasRepository.in_folder(tmp_path), AliasRepository.in_folder(tmp_path)
    store = lines_store("names", Said("names"), tmp_path / NAMES, "owner")

    async def story():
        for who in ("kim", "lee"):
            await here.learn(who, (harbor, quillon))
        await here.forget("kim", quillon)
        assert await elsewhere.of("kim") == (harbor,)
        assert await store.owners() == {"kim": 3, "lee": 2}, "what was taken back stands there as well"
        assert await store.erase("kim") == 3
        assert "kim" not in (tmp_path / "names.jsonl").read_text("utf-8")
        for each in (here, elsewhere, AliasRepository.in_folder(tmp_path)):
            assert await each.of("kim") == ()
            assert await each.of("lee") == (harbor, quillon)
        assert await store.owners() == {"lee": 2}
        assert await store.erase("nobody") == 0
        assert await here.learn("kim", (quillon,)) == (quillon,), "nothing is left of what was taken back"

    run(story())
