"""A name in a filter that no source knows is said, and only where that is known."""

import pytest

from connectors.contract import SourceDirectory
from orchestrator.plan import PlanLimits, SourceProfile, make_plan
from orchestrator.plan.unknown import nearest, unknown_names
from translators.capabilities import Capabilities, Fidelity
from translators.query import Category, Compare, Container, Field, Not, Op, Person, Query, Term, all_of
from translators.registry import load_dialect
from translators.said import said_in

CAN = Capabilities(fields={Field.AUTHOR: Fidelity.EXACT, Field.CONTAINER: Fidelity.EXACT})
PEOPLE = (Person("김민수", "U1"), Person("김태영", "U2"), Person("Sarah Kim", "U3", "sarah@acme.test"))
CHANNELS = (Container("결제-개발", "C1"), Container("deploys", "C2"))
DIRECTORY = SourceDirectory(PEOPLE, CHANNELS)


def source(name="slack", directory=DIRECTORY, **facts):
    return SourceProfile(name, name.title(), Category.CHAT, load_dialect("slack"), CAN, directory, **facts)


def asked(value, language="en", field=None):
    field = field or (Field.CONTAINER if isinstance(value, Container) else Field.AUTHOR)
    return Query("q", all_of([Term("API"), Compare(field, Op.EQ, value)]), language=language)


def said(query, *profiles):
    return [said_in(doubt.message, query.language) for doubt in unknown_names(query, profiles or (source(),))]


@pytest.mark.parametrize(
    ("value", "language", "message"),
    [
        (Person("nobody"), "en", "nobody is called “nobody” in Slack"),
        (Person("nobody"), "ko", "Slack에 “nobody” 이름을 쓰는 사람이 없습니다"),
        (Person("김"), "ko", "Slack에 “김” 이름을 쓰는 사람이 없습니다; 비슷한 이름: 김민수, 김태영"),
        (Container("deploy"), "en", "no place is called “deploy” in Slack; nearest: deploys"),
        (Container("없는채널"), "ko", "Slack에 “없는채널” 채널이나 공간이 없습니다"),
    ],
)
def test_whom_and_what_no_source_knows_is_said_with_the_nearest(value, language, message):
    assert said(asked(value, language)) == [message]


@pytest.mark.parametrize(
    "value", [Person("sarah"), Person("민수"), Person("x", email="sarah@acme.test"), Container("#결제 개발")]
)
def test_who_is_known_in_any_spelling_raises_no_doubt(value):
    assert said(asked(value)) == []


def test_one_source_that_knows_the_name_is_enough():
    assert said(asked(Person("nobody")), source(), source("linear", SourceDirectory((Person("nobody"),)))) == []


@pytest.mark.parametrize(
    "profile",
    [
        source("linear", SourceDirectory(), unread="its names could not be read"),
        source("linear", SourceDirectory((Person("Jo"),), notes=("only the first 1 people were read",))),
    ],
)
@pytest.mark.parametrize("value", [Person("nobody"), Container("nowhere")])
def test_nothing_is_said_where_a_source_might_know(profile, value):
    assert said(asked(value), source(), profile) == []


def test_sources_that_list_nobody_prove_nothing_and_are_not_named():
    mail = source("gmail", SourceDirectory())
    assert said(asked(Person("nobody")), mail) == []
    assert said(asked(Person("nobody")), mail, source()) == ["nobody is called “nobody” in Slack"]


def test_an_address_is_looked_for_only_where_addresses_are_told():
    bare = source("notion", SourceDirectory((Person("김민수"),)))
    assert said(asked(Person("jo@acme.test", email="jo@acme.test")), bare) == []
    assert said(asked(Person("jo@acme.test", email="jo@acme.test")), bare, source()) == [
        "nobody is called “jo@acme.test” in Slack"
    ]


def test_a_name_that_is_ruled_out_is_checked_too():
    where = Not(Compare(Field.AUTHOR, Op.EQ, Person("nobody")))
    assert len(unknown_names(Query("q", where), (source(),))) == 1


@pytest.mark.parametrize(
    ("language", "signed", "message"),
    [
        ("en", "shared", "“me” is taken as whoever signed in to Slack; no account of your own is connected"),
        ("ko", "shared", "“나”를 Slack에 로그인한 계정으로 읽었습니다; 본인 계정은 연결되어 있지 않습니다"),
        ("en", "none", "“me” is nobody known here; no account is connected that could say who asks"),
    ],
)
def test_me_without_an_account_of_ones_own_is_said(language, signed, message):
    assert said(asked(Person("", me=True), language), source(signed=signed)) == [message]


def test_me_with_an_account_of_ones_own_is_known():
    assert said(asked(Person("", me=True)), source(), source("linear", signed="person")) == []


def test_the_doubt_reaches_the_plan_and_public_sources_are_not_asked_for_names():
    plan = make_plan(asked(Person("nobody")), [source()], (), PlanLimits())
    assert [doubt.code for doubt in plan.query.doubts] == ["unknown_person"]
    assert said(asked(Person("nobody")), source(public=True)) == []


def test_the_nearest_are_few_and_alike():
    names = ["deploys", "deploy-log", "redeploy", "deployment", "random"]
    assert nearest("deploy", names) == ("deploy-log", "deployment", "deploys")
    assert nearest("depolys", names)[0] == "deploys"
    assert nearest("민수", ["random"]) == ()
