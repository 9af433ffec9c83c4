"""When an answer is another one, and when it is the same in other words, or only a source was silent."""

from datetime import UTC, datetime

import pytest

from orchestrator.digests.alerts import has_changed, new_claims
from orchestrator.digests.content import Alert, Ground, Told
from orchestrator.digests.message import as_data, from_data, message_of

AT = datetime(2026, 11, 20, tzinfo=UTC)
FIRST = "2026-10-27, 박지현: “API 마이그레이션은 11월 16일에 시작하기로 했습니다”"
MOVED = "2026-11-19, 박지현: “API 마이그레이션은 12월 7일에 시작하기로 했습니다”"


def ground(number, happened=AT, source="notion"):
    return Ground(source, str(number), f"회의록 {number}", "https://acme.example/1", happened)


BEFORE = Told((FIRST,), (ground(1),))


@pytest.mark.parametrize(
    ("now", "changed"),
    [
        (BEFORE, False),
        (Told((MOVED,), (ground(2),)), True),
        (Told((FIRST, MOVED), (ground(1), ground(2))), True),
        (Told((FIRST,), (ground(1), ground(3))), False),  # the same, said once more
        (Told((), (), ("notion",)), False),  # it did not answer: nobody knows
        (Told((), ()), True),  # what it stood on is gone
        (Told((FIRST.replace("했습니다”", "했습니다.”"),), (ground(1),)), False),
    ],
)
def test_what_counts_as_a_change(now, changed):
    assert has_changed(now, BEFORE) is changed


def test_the_first_answer_is_told_if_there_is_one():
    assert has_changed(BEFORE, None)
    assert not has_changed(Told((), ()), None)


def test_a_date_that_differs_is_never_the_same_in_other_words():
    assert new_claims(Told((MOVED,), ()), BEFORE) == (MOVED,)


@pytest.mark.parametrize(("language", "now", "before"), [("ko", "지금", "이전"), ("en", "Now", "Before")])
def test_an_alert_says_what_has_changed(language, now, before):
    told = Told((MOVED,), (ground(2),))
    alert = Alert("mig", "", language, "Asia/Seoul", "언제 시작하나요?", AT, told, BEFORE, changed=True)
    shown = message_of(alert).plain
    assert shown.index(now) < shown.index("12월 7일") < shown.index(before) < shown.index("11월 16일")
    assert "회의록 2" in shown
    assert from_data(as_data(alert)) == alert


@pytest.mark.parametrize(
    ("language", "first", "stands_on", "none", "changed", "same"),
    [
        ("ko", "첫 답변: ", "근거", "아직 답이 없습니다: ", "답이 바뀌었습니다: ", "답이 그대로입니다: "),
        (
            "en",
            "A first answer: ",
            "It stands on",
            "No answer yet: ",
            "The answer has changed: ",
            "The answer is the same: ",
        ),
    ],
)
def test_only_a_changed_answer_is_headed_so(language, first, stands_on, none, changed, same):
    def alert(now, before):
        told = has_changed(now, before)
        return message_of(Alert("mig", "", language, "Asia/Seoul", "언제?", AT, now, before, changed=told))

    new = alert(BEFORE, None)
    assert new.title.startswith(first)
    assert stands_on in new.plain
    assert alert(Told((), ()), None).title.startswith(none)
    assert alert(Told((MOVED,), (ground(2),)), BEFORE).title.startswith(changed)
    assert alert(BEFORE, BEFORE).title.startswith(same)


def test_grounds_are_shown_by_the_title_of_their_source():
    named = Ground("wiki2", "1", "회의록", "https://acme.example/1", AT, "Notion")
    shown = message_of(
        Alert("mig", "", "ko", "Asia/Seoul", "언제?", AT, Told((FIRST,), (named,)), None, changed=True)
    ).plain
    assert "  Notion" in shown
    assert "wiki2" not in shown


@pytest.mark.parametrize(
    ("language", "title", "said"),
    [
        ("ko", "답을 확인하지 못했습니다: 언제?", "응답하지 않은 곳: 지라, Slack."),
        ("en", "The answer could not be looked up: 언제?", "Did not answer: 지라, Slack."),
    ],
)
@pytest.mark.parametrize("before", [BEFORE, None])
def test_where_nobody_answered_nothing_is_called_the_same(language, title, said, before):
    now = Told((), (), ("jira", "notion", "slack"), ("지라", "Slack"))
    shown = message_of(Alert("mig", "", language, "Asia/Seoul", "언제?", AT, now, before, changed=False))
    assert shown.title == title
    assert said in shown.plain
