"""What is said of a source that has answered: nothing found is a claim, and each way in which it could be false bars it."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connectors.contract import Call, HitPage, LeftOut
from connectors.github import GitHubSource
from connectors.github.settings import GitHubSettings
from connectors.http import Reply
from connectors.manifest import Limits, Rate
from connectors.notes import Unread
from orchestrator.gather import Deadline, Gate, Source, fan_out
from orchestrator.model import Status
from tests.unit.orchestrator.gather.conftest import Kit
from translators.said import Said, said_in
from translators.translator import NativeQuery, Translation

KINDS = Said.given({"en": "issues: left out", "ko": "이슈: 제외함"})
NOTE = Said.given({"en": "1 of 1 messages could not be read", "ko": "메시지 1개 중 1개를 읽지 못했습니다"})
REMARK = Said.given({"en": "another link answered", "ko": "다른 링크에서 답했습니다"})


def outcome_of(in_virtual_time, source, step):
    async def ask():
        sources = {step.source: source}
        deadline = Deadline.of(3.0, 0.15, 0.1)
        return [each async for each in fan_out(Kit.plan_of(step), sources, deadline, Kit.asking())]

    return in_virtual_time(ask())[0]


def answered(in_virtual_time, *pages):
    """The outcome of one question in as many variants as there are pages."""
    texts = [f"q{number}" for number in range(len(pages))]
    pretend = Kit.Pretend("s", dict(zip(texts, pages, strict=True)))
    return outcome_of(in_virtual_time, Source(pretend, Gate(pretend.manifest.limits)), Kit.step("s", Kit.rung(*texts)))


PAGES = st.builds(
    HitPage,
    hits=st.sampled_from([(), Kit.page("a").hits]),
    cursor=st.sampled_from([None, None, "0"]),
    notes=st.sampled_from([(), (NOTE,)]),
    left_out=st.sampled_from([(), (LeftOut(KINDS, "own_rate_limit", 20.0),)]),
    remarks=st.sampled_from([(), (REMARK,)]),
    asked=st.booleans(),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # it makes a loop of its own each time
@given(st.lists(PAGES, min_size=1, max_size=4))
def test_nothing_found_is_claimed_only_of_what_was_asked_and_read_whole(in_virtual_time, pages):
    pages = [page if page.asked else replace(page, hits=(), cursor=None, left_out=()) for page in pages]
    outcome = answered(in_virtual_time, *pages)
    asked = [page for page in pages if page.asked]
    whole = not any(page.notes or page.left_out or page.cursor for page in asked)
    found = any(page.hits for page in asked)
    assert (outcome.status is Status.EMPTY) == (bool(asked) and whole and not found)
    assert (outcome.status is Status.SKIPPED) == (not asked)
    missing = any(page.left_out for page in asked)
    assert (outcome.status is Status.PARTIAL) == (bool(asked) and (missing or not (whole or found)))
    assert (outcome.problem is not None) == (outcome.status in {Status.PARTIAL, Status.SKIPPED})


def test_a_part_that_was_left_out_is_the_problem_of_the_whole_and_says_when_to_come_back(in_virtual_time):
    page = replace(Kit.page("a"), left_out=(LeftOut(KINDS, "own_rate_limit", 20.0),))
    for each in (page, replace(page, hits=())):
        outcome = answered(in_virtual_time, each)
        problem = outcome.problem
        assert (outcome.status, problem.code, problem.message, problem.retry_after) == (
            Status.PARTIAL,
            "own_rate_limit",
            KINDS,
            20.0,
        )
        assert said_in(problem.message, "ko") == said_in(KINDS, "ko")


def test_hits_that_could_all_not_be_read_are_no_empty_answer(in_virtual_time):
    note = Unread.of(8, 8, "results", "id: is missing")
    outcome = answered(in_virtual_time, HitPage(notes=(note,)))
    assert (outcome.status, outcome.problem.message) == (Status.PARTIAL, note)
    assert "결과 8개 중 8개" in said_in(outcome.problem.message, "ko")
    some = answered(in_virtual_time, replace(Kit.page("a"), notes=(note,)))
    assert (some.status, some.notes, some.problem) == (Status.OK, (note,), None)


def test_what_there_is_nothing_to_ask_for_was_not_asked(in_virtual_time):
    outcome = answered(in_virtual_time, HitPage(notes=(NOTE,), asked=False))
    assert (outcome.status, outcome.requests, outcome.problem.message) == (Status.SKIPPED, 0, NOTE)
    assert (
        said_in(answered(in_virtual_time, HitPage(asked=False)).problem.message, "ko")
        == "질문에 이 소스에 물을 것이 없습니다"
    )


def test_a_page_without_hits_is_not_the_end_where_it_names_another(in_virtual_time):
    pretend = Kit.Pretend("s", {"q": [Kit.page(cursor="1"), Kit.page("a")]})
    source = Source(pretend, Gate(pretend.manifest.limits))
    assert [hit.id for hit in outcome_of(in_virtual_time, source, Kit.step("s")).hits] == ["a"]


@pytest.mark.parametrize("asked_before", [0, 1])
def test_the_kind_of_which_our_own_limit_leaves_no_turn_is_named_with_the_limit_that_binds(
    in_virtual_time, asked_before
):
    """However high the limit of the whole source is: GitHub counts its searches apart."""

    class Empty:
        async def send(self, request, call):
            return Reply(200, {"total_count": 0, "incomplete_results": False, "items": []})

        async def aclose(self):
            pass

    async def ask():
        made = GitHubSource(
            "gh", GitHubSettings.model_validate({"kind": "github", "token": "t", "scopes": ["issues", "code"]})
        )
        made._transport, made.client = Empty(), ()  # nothing to import, which takes real time
        limits = Limits(
            rate=100_000, period=60.0, page=20, buckets={"search": Rate(rate=9, period=60.0), "code_search": Rate(rate=1, period=60.0)}
        )  # fmt: skip
        source = Source(made, Gate(limits))
        for _ in range(asked_before):
            await source.gate.enter("code_search")
        rung = replace(Kit.rung("q"), translations=(Translation(NativeQuery("github", "q")),))
        sources, deadline = {"gh": source}, Deadline.of(3.0, 0.15, 0.1)
        return [each async for each in fan_out(Kit.plan_of(Kit.step("gh", rung)), sources, deadline, Kit.asking())]

    (outcome,) = in_virtual_time(ask())
    if not asked_before:
        assert (outcome.status, outcome.problem) == (Status.EMPTY, None)
        return
    assert (outcome.status, outcome.problem.code, outcome.problem.retry_after) == (
        Status.PARTIAL,
        "own_rate_limit",
        60.0,
    )
    assert "code: left out, our own limit for it (1 requests in 60 s)" in outcome.problem.message
    assert "코드: 제외함" in said_in(outcome.problem.message, "ko")


async def test_a_limit_that_is_set_binds_what_is_counted_apart_as_well():
    limits = GitHubSource.manifest.limits
    for rate, share in ((limits.rate // 2, 0.5), (limits.rate * 1000, 1000.0), (1, 0.0)):
        made = GitHubSettings.model_validate({"kind": "github", "rate": rate})
        set_ = made.described(GitHubSource.manifest).limits
        assert set_.rate == rate
        assert {name: each.rate for name, each in set_.buckets.items()} == {
            name: max(1, int(each.rate * share)) for name, each in limits.buckets.items()
        }


def test_one_who_waits_for_a_turn_till_the_end_is_told_which_limit_it_was(in_virtual_time):
    """The gate's own words for the bucket, and not for the source."""

    class Waiting(Kit.Pretend):
        async def search(self, native, call: Call):
            await call.turn("apart")
            return Kit.page()

    limits = Limits(rate=1000, period=60.0, page=20, buckets={"apart": Rate(rate=2, period=2.9)})
    gate = Gate(limits)
    assert gate.describe() == "1000 requests in 60 s"
    assert gate.describe("apart") == "2 requests in 2.9 s"

    async def ask():
        source = Source(Waiting("s", {}, limits=limits), gate)
        for _ in range(2):
            await gate.enter("apart")
        return [
            each
            async for each in fan_out(
                Kit.plan_of(Kit.step("s")), {"s": source}, Deadline.of(3.0, 0.15, 0.1), Kit.asking()
            )
        ]

    (outcome,) = in_virtual_time(ask())
    assert outcome.status is Status.THROTTLED
    assert "2 requests in 2.9 s" in outcome.problem.message
