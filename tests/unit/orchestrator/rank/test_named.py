"""What the question names by key or address stands first; what no source has is said, and nothing is put in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from orchestrator.model import Absent, Fetch, HitList, Plan, Problem, Status
from orchestrator.rank import PROFILES, collect, rank
from translators.query import Category, Identifier, IdKind, Sort, Term
from translators.translator import Loss, LossKind, NativeQuery, Translation

PAGE = "https://www.notion.so/acme/guide-0123456789abcdef0123456789abcdef"
ISSUE = Identifier(IdKind.TICKET, "PAY-151")
FETCHED = NativeQuery("linear", "", {"id": "PAY-151"})
LOOSE = Loss(LossKind.APPROXIMATED, "PAY-151", "its search takes parts of words")


def asking(world: Any, *ids: Identifier, fetched: bool = False, **facts: Any) -> Any:
    """A context whose Linear is asked for the issue itself, if ``fetched``."""
    texts = tuple(each.text for each in ids)
    context = world.ask(" ".join(texts), ids=ids, keywords=texts, **facts).context
    fetches = (Fetch(ids[0], FETCHED),) if fetched else ()
    steps = tuple(replace(each, fetches=fetches) if each.source == "linear" else each for each in context.plan.steps)
    return replace(context, plan=Plan(context.query, steps))


def fetch(*hits: Any) -> HitList:
    return HitList(Translation(FETCHED), hits)


def search(*hits: Any) -> HitList:
    """What Linear's own search has, which finds keys that are alike."""
    return HitList(Translation(NativeQuery("linear", "PAY-151"), losses=(LOOSE,)), hits)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    ("wanted", "facts"),
    [
        (ISSUE, {"source": "linear", "name": "PAY-151"}),
        (Identifier(IdKind.URL, f"{PAGE}?pvs=4"), {"source": "notion", "name": "x", "url": PAGE}),
    ],
)
def test_the_thing_goes_before_all_that_quote_it(
    world: Any, names: Any, profile: str, wanted: Identifier, facts: dict[str, Any]
) -> None:
    thing = world.hit(facts["source"], facts["name"], "서명 오류", age=400, url=facts.get("url", ""))
    quoting = [world.hit("slack", name, f"{wanted.text} {wanted.text}") for name in "abc"]
    outcomes = [world.outcome("slack", quoting), world.outcome(facts["source"], [thing])]
    ranking = rank(outcomes, asking(world, wanted), PROFILES[profile])
    assert names(ranking)[0] == f"{facts['source']}:{facts['name']}"
    assert ranking.results[0].why[0] == "what the question names"
    scores = [each.score for each in ranking.results]
    assert scores == sorted(scores, reverse=True)


def test_what_a_source_has_by_an_id_is_the_thing_whatever_its_own_id_says(world: Any) -> None:
    outcome = world.outcome("linear", fetch(world.hit("linear", "uuid")), search(world.hit("linear", "PAY-152")))
    results = collect([outcome], asking(world, ISSUE, fetched=True, language="ko")).results
    assert [(each.hit.id, each.why) for each in results if each.factors] == [("uuid", ("질문에 적힌 바로 그 항목",))]


def test_the_thing_goes_before_what_is_newer_where_the_newest_was_asked_for(world: Any, names: Any) -> None:
    hits = [world.hit("linear", "PAY-152", "PAY-151", age=1), world.hit("linear", "PAY-151", age=90)]
    ranking = rank([world.outcome("linear", hits)], asking(world, ISSUE, sort=Sort.NEWEST))
    assert names(ranking) == ["linear:PAY-151", "linear:PAY-152"]


def test_the_same_thing_in_two_sources_is_told_by_what_was_named(world: Any) -> None:
    url = "https://linear.app/acme/issue/PAY-151/signature"
    copy, own = world.hit("drive", "copy", url=url), world.hit("linear", "uuid", url=url)
    outcomes = [world.outcome("drive", [copy]), world.outcome("linear", fetch(own))]
    (result,) = rank(outcomes, asking(world, ISSUE, fetched=True)).results
    assert (result.hit.id, result.also) == ("uuid", (copy,))


def test_an_error_code_names_no_thing(world: Any) -> None:
    code = Identifier(IdKind.ERROR_CODE, "ERR_409")
    assert not collect([world.outcome("linear", [world.hit("linear", "err_409")])], asking(world, code)).results[0].why


def test_an_id_that_its_source_does_not_have_is_absent_and_what_looks_like_it_is_set_aside(world: Any) -> None:
    mention = world.hit("linear", "PAY-3", "see PAY-151")
    linear = world.outcome("linear", fetch(), search(world.hit("linear", "PAY-152", "other"), mention))
    slack = world.outcome("slack", [world.hit("slack", "believed", "cut off")])
    ranking = collect([linear, slack], asking(world, ISSUE, fetched=True))
    assert ranking.absent == (Absent("PAY-151", ("Linear",)),)
    assert [each.hit.id for each in ranking.results] == ["PAY-3", "believed"]
    assert [(each.hit.id, each.reason) for each in ranking.dropped] == [("PAY-152", "does not hold PAY-151")]


@pytest.mark.parametrize(
    "facts",
    [
        {"status": Status.PARTIAL, "problem": Problem("timed_out", "late")},
        {"status": Status.THROTTLED},
        {"lists": ()},
    ],
)
def test_a_source_that_did_not_tell_proves_no_absence(world: Any, facts: dict[str, Any]) -> None:
    linear = world.outcome("linear", fetch(), search(world.hit("linear", "PAY-152", "other")))
    ranking = collect([replace(linear, **facts)], asking(world, ISSUE, fetched=True))
    assert ranking.absent == ()
    assert ranking.dropped == ()


def test_an_index_of_copies_proves_no_absence_and_may_have_the_thing(world: Any) -> None:
    key = Identifier(IdKind.TICKET, "HUM-204")
    own = NativeQuery("hybrid", "", {"id": "HUM-204"})
    context = asking(world, key, fetched=True)
    index = replace(context.plan.steps[0], source="local", category=Category.INDEX, fetches=(Fetch(key, own),))
    quoting = HitList(Translation(NativeQuery("hybrid", "HUM-204")), (world.hit("local", "a.md", "HUM-204: no seal"),))
    empty = replace(world.outcome("local", []), lists=(HitList(Translation(own), ()), quoting))
    alone = replace(context, plan=Plan(context.query, (index,)))
    assert collect([empty], alone).absent == ()
    beside = replace(context, plan=Plan(context.query, (*context.plan.steps, index)))
    linear = world.outcome("linear", fetch())
    assert collect([linear, empty], beside).absent == (Absent("HUM-204", ("Linear",)),)
    has = replace(empty, lists=(HitList(Translation(own), quoting.hits),))
    assert collect([linear, has], beside).absent == ()


def test_what_was_found_is_not_absent_and_its_neighbours_stay(world: Any) -> None:
    linear = world.outcome(
        "linear", fetch(world.hit("linear", "PAY-151")), search(world.hit("linear", "PAY-152", "other"))
    )
    ranking = collect([linear], asking(world, ISSUE, fetched=True))
    assert (ranking.absent, len(ranking.results)) == ((), 2)


def test_a_condition_that_fails_is_named_before_a_missing_id(world: Any) -> None:
    hit = world.hit("linear", "PAY-152", "other", complete=True)
    listed = replace(search(hit), translation=Translation(NativeQuery("linear", "y"), Term("API"), (LOOSE,)))
    ranking = collect([world.outcome("linear", fetch(), listed)], asking(world, ISSUE, fetched=True))
    assert ranking.dropped[0].reason == "does not satisfy: API"
