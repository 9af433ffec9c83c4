"""Cutting text into sentences, in both languages, without breaking addresses, versions and dates."""

from __future__ import annotations

import pytest

from orchestrator.answer.sentences import Sentence, read, sentences

CASES = {
    "korean": (
        "논의 감사합니다. REST로 결정했어요! 괜찮나요? 네",
        ["논의 감사합니다.", "REST로 결정했어요!", "괜찮나요?", "네"],
    ),
    "korean without a blank": ("REST로 갑니다.다음은 일정입니다.", ["REST로 갑니다.", "다음은 일정입니다."]),
    "korean date": ("기한은 2025. 1. 15. 까지입니다. 끝", ["기한은 2025. 1. 15. 까지입니다.", "끝"]),
    "english": ("We decided. It is REST! Fine? yes", ["We decided.", "It is REST!", "Fine?", "yes"]),
    "full width": ("决定了。次の文", ["决定了。", "次の文"]),
    "address": ("See https://e.example/a.b/c?d=e.f. Then go.", ["See https://e.example/a.b/c?d=e.f.", "Then go."]),
    "version": ("Use v2.3.1 or Node.js 20.4. Not older.", ["Use v2.3.1 or Node.js 20.4.", "Not older."]),
    "file": ("Open notes.final.txt now", ["Open notes.final.txt now"]),
    "abbreviation": (
        "Ask Dr. Kim, e.g. today, etc. about it. Thanks.",
        ["Ask Dr. Kim, e.g. today, etc. about it.", "Thanks."],
    ),
    "initial": ("J. Kim agreed. Good.", ["J. Kim agreed.", "Good."]),
    "month": ("Due Jan. 15 at 3 p.m. sharp. Really.", ["Due Jan. 15 at 3 p.m. sharp.", "Really."]),
    "number": ("See no. 7 please. He said no. Then left.", ["See no. 7 please.", "He said no.", "Then left."]),
    "pause": ("Wait... what? Hm… Done.", ["Wait... what?", "Hm…", "Done."]),
    "closing quote": ("“결정했습니다.” 라고 했다.", ["“결정했습니다.”", "라고 했다."]),
    "full stop first": (".NET 9 only. Yes.", [".NET 9 only.", "Yes."]),
    "item number": ("Plan: 1. first 2. second", ["Plan: 1.", "first 2.", "second"]),
    "bullets": ("- one\n* two\n• three\n1) four\n[x] five\n> six", ["one", "two", "three", "four", "five", "six"]),
    "numbered line": ("1. Ship it. 2. Tell them", ["Ship it.", "2. Tell them"]),
    "table": ("| 이름 | 상태 |\n| API | 완료 |", ["이름 | 상태", "API | 완료"]),
    "wrapped mail": (
        "We have decided to move the whole API migration to the\n24th of March because the load test is late.\nBye",
        [
            "We have decided to move the whole API migration to the",
            "24th of March because the load test is late.",
            "Bye",
        ],
    ),
    "wrapped long mail": (
        "Hello all, we have decided to move the whole API migration to the\n24th of March because of the load test.\n\nBye",
        [
            "Hello all, we have decided to move the whole API migration to the 24th of March because of the load test.",
            "Bye",
        ],
    ),
    "line of an address": (
        "The notes are at https://notes.example/2025/02/20/api-migration\nTold the partners.",
        ["The notes are at https://notes.example/2025/02/20/api-migration", "Told the partners."],
    ),
    "control characters": ("a\x1b[31mb\x00cd.\u202e e", ["a [31mb cd.", "e"]),
    "nothing": (" \n\t\n ", []),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_text_is_cut_where_people_would_cut_it(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


@pytest.mark.parametrize(
    "text",
    ["## 결정\n- REST로 만든다.", "결정:\nREST로 만든다.", "서론입니다.\n\n결정\nREST로 만든다."],
    ids=["marked", "colon", "by its place"],
)
def test_a_sentence_knows_its_heading(text: str) -> None:
    assert read(text)[-1] == Sentence("REST로 만든다.", text.strip("# ").split("\n")[-2].strip("# "))


@pytest.mark.parametrize(
    "text",
    ["정말요?\n네", "앞 줄\n뒤 줄\nREST", "- 하나\n- 둘", f"{'아주 긴 제목 ' * 10}\n본문", "## 결정.\n본문"],
    ids=["a question", "no blank line before", "a bullet", "too long", "a sentence"],
)
def test_other_lines_are_no_headings(text: str) -> None:
    assert {sentence.heading for sentence in read(text)[1:]} <= {"", "앞 줄"}


def test_the_first_of_several_lines_with_labels_is_no_heading_of_the_others() -> None:
    """A catalogue's page: what stands below its owner is not said of the owner."""
    page = read("결제 서비스입니다.\n\nOwner: 김민수\nrepo: acme/billing\n배포: EC2", wrapped=False)
    assert [(each.text, each.heading) for each in page] == [
        ("결제 서비스입니다.", ""),
        ("Owner: 김민수", ""),
        ("repo: acme/billing", ""),
        ("배포: EC2", ""),
    ]


def test_a_megabyte_is_not_read_to_its_end() -> None:
    assert sum(map(len, sentences("word. " * 200_000))) <= 20_000


def test_no_more_is_read_than_is_wanted() -> None:
    text = "- \n- one\n\n- two\n- three"
    assert read(text, 2) == read(text)[:2] == (Sentence("one"), Sentence("two"))


def test_a_later_passage_of_a_document_stands_under_its_headings_until_it_has_its_own() -> None:
    told = read("7일 안에 됩니다.\n\n교환:\n- 한 달 안에 됩니다.", heading="규정 › 환불")
    assert [each.heading for each in told if not each.names] == ["규정 › 환불", "교환:"]
