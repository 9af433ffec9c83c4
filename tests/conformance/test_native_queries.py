"""A question in each source's own language: what chat and the tracker are sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.conformance.marks import requirement
from tests.conformance.matters import inside

if TYPE_CHECKING:
    from tests.conformance.company import Company

pytestmark = pytest.mark.asyncio(loop_scope="module")


def first_of(company: Company, source: str) -> Any:
    """The first query that ``source`` was sent: the question as asked, before it was broadened.

    Ask in words that have no other language: both of two go out together, and either may arrive first.
    """
    sent = company.sent(source)
    assert sent, f"{source} was not asked"
    return sent[0]


@requirement("1.19", "Chat: an author, by handle or by the name that the directory knows, becomes from:<@USERID>", where="translators/slack orchestrator/plan/conditions.py")  # fmt: skip
@pytest.mark.parametrize("who", ["minsu.kim", '"Minsu Kim"', "김민수"])
async def test_chat_author(company, who):
    await company.ask(f"API from:{who}")
    assert first_of(company, "slack") == "API from:<@U01KMS0A1>"


@requirement("1.20", "Chat: an author typed as Slack writes them, from:<@USERID>, is that person", where="orchestrator/understand/filters.py")  # fmt: skip
async def test_chat_author_by_id(company):
    reply = await company.ask("API from:<@U01KMS0A1>")
    assert first_of(company, "slack") == "API from:<@U01KMS0A1>"
    assert reply["question"]["author"] == "김민수"


@requirement(
    "1.21", "Chat: a place becomes in: and the channel", where="translators/slack orchestrator/plan/conditions.py"
)
@pytest.mark.parametrize("typed", ["결제-개발", "#결제-개발"])
async def test_chat_place(company, typed):
    await company.ask(f"API in:{typed}")
    assert first_of(company, "slack") == "API in:<#C01PAY0003>"


@requirement("1.22", "Chat: after: and before: mean what the person meant, though Slack excludes the day it is told, in a zone that it does not say", where="translators/slack/verdicts.py")  # fmt: skip
async def test_chat_window(company):
    """Each bound a day further than typed: the day itself, and whatever zone; what is too much is left out here."""
    reply = await company.ask("API after:2026-10-15 before:2026-10-28 source:slack")
    assert first_of(company, "slack") == "API after:2026-10-13 before:2026-10-29"
    found = [each["created"] for each in inside(reply)]
    assert found
    assert min(found) >= "2026-10-14T15"
    assert max(found) < "2026-10-27T15"


@requirement("1.23", "Chat: type:thread becomes is:thread, type:file has:file", where="translators/slack")
async def test_chat_kinds(company):
    await company.ask("API type:thread")
    assert first_of(company, "slack") == "API is:thread"
    await company.ask("API type:file")
    assert first_of(company, "slack") == "API has:file"


@requirement("1.24", "Chat: a word not wanted and a phrase are written as Slack writes them", where="translators/slack")
async def test_chat_words(company):
    await company.ask('"connection pool" -draft')
    assert first_of(company, "slack") == '"connection pool" -draft'


# ---- the tracker


@requirement("1.25", "Tracker (Asana): an author becomes created_by.any, somebody's tasks assignee.any", where="translators/asana")  # fmt: skip
async def test_tracker_people(company):
    await company.ask("API from:minsu.kim")
    made = first_of(company, "asana")
    assert set(made) & {"created_by.any", "assignee.any"}
    assert made["text"] == "API"
    reply = await company.ask("API assignee:minsu.kim")
    assert "assignee.any" in first_of(company, "asana")
    assert {each["assignee"] for each in reply["results"] if each["source"] == "asana"} <= {"김민수"}


@requirement("1.26", "Tracker (Asana): a place becomes a project of the workspace", where="translators/asana connectors/asana")  # fmt: skip
@pytest.mark.parametrize("typed", ["in:Reliability", 'in:"API v2"'])
async def test_tracker_place(company, typed):
    reply = await company.ask(f"API {typed}")
    assert "projects.any" in first_of(company, "asana")
    assert {each["container"] for each in reply["results"] if each["source"] == "asana"} <= {"Reliability", "API v2"}
    assert all("/workspaces/" in each.path for each in company.requests("asana"))


@requirement(
    "1.27",
    "Tracker (Asana): after: and before: become a window of the last change",
    where="translators/asana/__init__.py",
    differs="`modified_at`, an instant, in place of `modified_on`, a day of which Asana does not say in what zone it begins.",
    setting="none is needed: the window asked for is the same, with the asker's own zone.",
)
async def test_tracker_window(company):
    await company.ask("API after:2026-10-15 before:2026-10-28")
    asked = first_of(company, "asana")
    assert asked["modified_at.after"] == "2026-10-14T14:59:59Z"
    assert asked["modified_at.before"] == "2026-10-27T15:00:00Z"


@requirement("1.28", "Tracker (Asana): type:milestone becomes resource_subtype=milestone", where="translators/asana")
async def test_tracker_milestones(company):
    await company.ask("API type:milestone")
    assert first_of(company, "asana")["resource_subtype"] == "milestone"


@requirement("1.29", "Tracker (Asana): a status question looks for what is not completed, beside the rest", where="translators/asana orchestrator/plan")  # fmt: skip
@pytest.mark.parametrize("question", ["status of the API migration", "API 마이그레이션 진행 상황"])
async def test_tracker_status(company, question):
    await company.ask(question)
    assert any(each.get("completed") == "false" for each in company.sent("asana"))
    assert any("completed" not in each for each in company.sent("asana"))


@requirement("1.29")
@pytest.mark.parametrize("question", ["anything overdue?", "기한 지난 거 있어?"])
async def test_tracker_overdue(company, question):
    """What is late is asked for by its due date, and that none is so is said of all that was asked for."""
    await company.ask(question)
    asked = first_of(company, "asana")
    assert (asked["completed"], set(asked) & {"due_on.before", "due_on.after", "text"}) == ("false", {"due_on.before"})


@requirement("1.30", "Tracker (Asana): “my tasks” becomes assignee.any=me", where="orchestrator/understand/people.py translators/asana")  # fmt: skip
@pytest.mark.parametrize("question", ["my tasks", "내 작업"])
async def test_tracker_mine(company, question):
    await company.ask(question)
    assert first_of(company, "asana")["assignee.any"] == "me"


@requirement("1.30")
async def test_tracker_mine_is_unfinished(company):
    await company.ask("my tasks")
    assert first_of(company, "asana").get("completed") == "false"
