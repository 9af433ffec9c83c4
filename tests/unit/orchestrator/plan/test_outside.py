"""When the web is asked: by the words of a question, by the asker, by the kind of question; and never for private matters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from connectors.contract import SourceDirectory
from orchestrator.gather import directories
from orchestrator.model import Status
from orchestrator.plan import OutsidePolicy, PlanLimits, SourceProfile, Vocabulary, make_plan, may_ask_outside
from orchestrator.settings import load_settings
from translators.query import (
    Category,
    Compare,
    Container,
    Entity,
    EntityKind,
    Field,
    Kind,
    Op,
    Person,
    Query,
    QueryType,
    State,
    Term,
    all_of,
)
from translators.registry import load_dialect
from translators.said import said_in

WEB, SLACK = load_dialect("web"), load_dialect("slack")
INSIDE = SourceProfile(
    "slack",
    "Slack",
    Category.CHAT,
    SLACK,
    SLACK.can,
    SourceDirectory((Person("Sarah Kim", "U1"),), (Container("internet"),)),
)
OUTSIDE = SourceProfile("web", "Web", Category.WEB, WEB, WEB.can, public=True)
CUES = load_settings({}, {}).outside.cues
POLICY = OutsidePolicy(frozenset(), CUES, Vocabulary(words=("Atlas",)))


def query(text: str = "", *words: str, **more: object) -> Query:
    said = words or ("react",)
    return Query(text, all_of(map(Term, said)), keywords=said, **more)  # type: ignore[arg-type]


def reason(
    asked: Query, *only: str, policy: OutsidePolicy = POLICY, profiles: tuple[SourceProfile, ...] = (INSIDE, OUTSIDE)
) -> str:
    plan = make_plan(asked, profiles, only, PlanLimits(), policy)
    (skipped,) = [each for each in plan.skipped if each.source == "web"] or [None]
    assert may_ask_outside(asked, profiles, only, policy) or skipped
    return "" if skipped is None else skipped.reason


def sent(asked: Query, *only: str) -> str:
    plan = make_plan(asked, (INSIDE, OUTSIDE), only, PlanLimits(), POLICY)
    (step,) = (each for each in plan.steps if each.source == "web")
    (rung,) = step.rungs
    return " | ".join(each.native.text for each in rung.translations)


@pytest.mark.parametrize(
    "text",
    [
        "react on the web", "search the web for react", "react on the internet?", "search online for react", "react hooks online", "react online?",
        "google it: react", "what do the official docs of react say", "웹에서 react 찾아줘", "인터넷에서 react", "구글에서 react 검색", "구글링 react",
        "react 공식 문서에 뭐라고", "온라인에서 react", "ＯＮ ＴＨＥ ＷＥＢ react",
    ],
)  # fmt: skip
def test_words_that_bid_it(text: str) -> None:
    assert reason(query(text)) == ""


@pytest.mark.parametrize(
    "text",
    [
        "react",
        "online store revenue",
        "google drive link",
        "the website team",
        "spider web",
        "web server config",
        "구글 드라이브 문서",
        "온라인 매출 지표",
        "",
    ],
)
def test_words_that_do_not(text: str) -> None:
    assert "--source web" in reason(query(text))


def test_hints_kinds_and_types() -> None:
    assert reason(query("x", hints=(Category.WEB,))) == ""
    assert reason(query("x", kinds=(Kind.WEB_PAGE,))) == ""
    policy = replace(POLICY, types=frozenset({QueryType.FACTUAL}))
    assert reason(query("x", type=QueryType.FACTUAL), policy=policy) == ""
    assert reason(query("x", type=QueryType.STATUS), policy=policy) != ""


PRIVATE = (
    ({"mine": True}, "your own things"),
    ({"author": Person("sarah")}, "what somebody here wrote"),
    ({"entities": (Entity(EntityKind.PERSON, "Sarah"),)}, "people"),
    ({"container": Container("general")}, "a place inside"),
    ({"kinds": (Kind.MAIL,)}, "things inside"),
)


@pytest.mark.parametrize(("more", "what"), PRIVATE)
def test_private_matters_stay_though_a_word_bids_it(more: dict[str, object], what: str) -> None:
    asked = query("react on the web", **more)
    assert what in reason(asked)
    assert reason(asked, "web") == ""
    assert reason(replace(asked, sources=("web",))) == ""


def test_work_is_private() -> None:
    for leaf in (Compare(Field.STATE, Op.EQ, State.OPEN), Compare(Field.ASSIGNEE, Op.EQ, Person("x"))):
        asked = query("react on the web")
        assert "work inside" in reason(asked.narrowed(all_of([asked.where, leaf])))


def test_a_host_is_no_place_inside() -> None:
    where = all_of([Term("react"), Compare(Field.CONTAINER, Op.EQ, Container("react.dev"))])
    assert sent(Query("react on the web", where, container=Container("react.dev"))) == "react site:react.dev"


def test_in_web_is_the_web_unless_somebody_has_a_place_of_that_name() -> None:
    where = all_of([Term("react"), Compare(Field.CONTAINER, Op.EQ, Container("web"))])
    asked = Query("in:web react", where, container=Container("web"))
    plan = make_plan(asked, (INSIDE, OUTSIDE), (), PlanLimits(), POLICY)
    assert [(step.source, step.rungs[0].translations[0].native.text) for step in plan.steps] == [("web", "react")]
    assert [(each.source, each.reason) for each in plan.skipped] == [("slack", "only web was to be asked")]
    place = Query("in:internet react", asked.where, container=Container("internet"))
    assert [step.source for step in make_plan(place, (INSIDE, OUTSIDE), (), PlanLimits(), POLICY).steps] == ["slack"]
    nobody = make_plan(asked, (INSIDE,), (), PlanLimits(), POLICY)
    assert [step.source for step in nobody.steps] == ["slack"]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("react on the web", ("react", "web"), "react"),
        ("구글에서 react", ("구글", "react"), "react"),
        ("search online for react", ("search", "online", "react"), "react"),
        ("official documentation of react", ("documentation", "react"), "documentation react"),
        ("web server on the web", ("web", "server"), "server"),
    ],
)
def test_words_that_say_where_are_not_searched_for(text: str, words: tuple[str, ...], expected: str) -> None:
    assert sent(query(text, *words)) == expected


def test_it_is_asked_once_and_as_asked() -> None:
    """No ladder: engines broaden by themselves."""
    assert sent(query("on the web", "a", "b", "c", "d")) == "a b c d"


def test_nothing_left_is_told_with_what_was_held() -> None:
    said = reason(query("on the web", "Atlas"))
    assert "(Atlas)" in said
    assert "nothing of that is sent out" in said


@pytest.mark.parametrize("only", [(), ("web", "slack")])
def test_before_all_names_are_known_nobody_outside_is_asked(only: tuple[str, ...]) -> None:
    unread = replace(INSIDE, directory=SourceDirectory(), unread="they could not be read")
    plan = make_plan(query("react on the web"), (unread, OUTSIDE), only, PlanLimits(), POLICY)
    assert [(each.source, each.status) for each in plan.skipped] == [("web", Status.SKIPPED)]
    assert f"{INSIDE.title}: they could not be read" in plan.skipped[0].reason


def test_a_glossary_of_the_site_tells_nothing() -> None:
    """Other names of a thing may be names of the inside."""
    asked = replace(query("react on the web"), variants=(("react", ("Atlas", "reactjs")),))
    assert sent(asked) == "(react OR reactjs)"


def test_what_is_not_connected_is_not_asked_for_its_names() -> None:
    missing = replace(OUTSIDE, missing="no token")
    assert not may_ask_outside(query("react on the web"), (INSIDE, missing), (), POLICY)
    assert not may_ask_outside(query("react on the web"), (INSIDE, OUTSIDE), ("slack",), POLICY)


@pytest.mark.parametrize(
    ("asked", "profiles", "korean"),
    [
        (query("react 성능"), (INSIDE, OUTSIDE), "--source web 옵션을 줄 때만 묻습니다"),
        (query("웹에서 내 문서", mine=True), (INSIDE, OUTSIDE), "본인의 것에 관한 질문입니다"),
        (query("웹에서 Atlas", "Atlas"), (INSIDE, OUTSIDE), "밖으로 보내지 않습니다"),
        (
            query("웹에서 react"),
            (replace(INSIDE, unread=directories.BEING_READ), OUTSIDE),
            "Slack: 이름을 아직 읽고 있습니다",
        ),
    ],
)
def test_why_it_is_not_asked_is_said_in_korean(asked: Query, profiles: tuple[SourceProfile, ...], korean: str) -> None:
    assert korean in said_in(reason(asked, profiles=profiles), "ko")


def test_that_others_were_chosen_is_said_in_korean() -> None:
    assert said_in(reason(query("react"), "slack"), "ko") == "slack만 묻도록 했습니다"


def test_what_is_held_back_is_said_in_korean() -> None:
    plan = make_plan(query("웹에서 Atlas react", "Atlas", "react"), (INSIDE, OUTSIDE), (), PlanLimits(), POLICY)
    (step,) = [each for each in plan.steps if each.source == "web"]
    losses = [loss for each in step.rungs[0].translations for loss in each.losses if loss.what == "Atlas"]
    assert [said_in(loss.why, "ko") for loss in losses] == ["보내지 않음: 내부에만 있는 이름입니다"]
