"""What is ours in a receipt is said in the asker's language, and once."""

import pytest

from connectors.notes import Unread
from orchestrator.documents.words import said_notes
from orchestrator.gather import asking, climb


@pytest.mark.parametrize(
    ("note", "english", "korean"),
    [
        (
            Unread.of(4, 4, "pages", text=True),
            "the text of 4 of 4 pages could not be read",
            "페이지 4개 중 4개의 본문을 읽지 못했습니다",
        ),
        (
            Unread.of(2, 20, "mails", "HTTP 500"),
            "2 of 20 mails could not be read (HTTP 500)",
            "메일 20개 중 2개를 읽지 못했습니다 (HTTP 500)",
        ),
        (
            Unread.of(1, 3, "sprockets"),
            "1 of 3 sprockets could not be read",
            "3개 중 1개를 읽지 못했습니다",
        ),
        (
            climb.NO_BROADER.filled(why=asking.SHARED),
            f"not asked for anything broader: {asking.SHARED}",
            "더 넓게 묻지 않음: 소스가 허용하는 호출을 모두의 질문이 나누어 쓰고, 이 질문의 몫은 다 썼습니다",
        ),
        (
            climb.FIRST_PAGE.filled(why=asking.TOO_LATE.filled(usual=0.8, left=0.1)),
            "only the first page was read, not asked further: it usually takes 0.80 s and 0.10 s were left",
            "첫 쪽만 읽음: 더 묻지 않음: 보통 0.80초 걸리는데 0.10초가 남았습니다",
        ),
        ("Google chose what it searched for", "Google chose what it searched for", "Google chose what it searched for"),
    ],
)
def test_a_note_in_both_languages(note, english, korean):
    assert said_notes([note], "en") == [english]
    assert said_notes([note], "ko") == [korean]


def test_what_could_not_be_read_is_told_once():
    unread = [Unread.of(count, count, "pages", text=True) for count in (4, 6, 2)]
    assert said_notes([*unread, "another", *unread], "en") == ["the text of 6 of 6 pages could not be read", "another"]


def test_what_could_not_be_read_of_other_things_is_told_apart():
    unread = [Unread.of(1, 2, "pages"), Unread.of(1, 2, "pages", text=True), Unread.of(1, 2, "mails")]
    assert len(said_notes(unread, "ko")) == len(unread)
