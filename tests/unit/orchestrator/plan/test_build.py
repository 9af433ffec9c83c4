"""A plan says for every configured source what it will be asked, or why it will not be."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.contract import SourceDirectory
from orchestrator.model import Status
from orchestrator.plan import PlanLimits, SourceProfile, called, make_plan
from tests.unit.orchestrator.plan.profiles import TEXT, WITH_OR, Plain, ask, profile
from translators.capabilities import Capabilities, Fidelity
from translators.query import (
    NEARLY_TYPED,
    Category,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Implied,
    Op,
    Query,
    Term,
    all_of,
)

TITLES = Capabilities(term=Fidelity.APPROXIMATE)


class Counting(Plain):
    """The same, counting."""

    def __init__(self):
        self.translated = 0

    def translate(self, query, can):
        self.translated += 1
        return super().translate(query, can)


def test_every_source_has_a_step_or_a_reason():
    profiles = [profile("slack"), profile("mail", missing="no token; get one"), profile("wiki")]
    plan = make_plan(ask("api"), profiles, ("slack", "mail"), PlanLimits())
    assert [step.source for step in plan.steps] == ["slack"]
    assert {skip.source: skip.status for skip in plan.skipped} == {
        "mail": Status.NOT_CONNECTED,
        "wiki": Status.SKIPPED,
    }
    assert plan.skipped[1].reason == "only mail, slack was to be asked"


@given(st.permutations(["slack", "notion", "linear", "gmail"]))
def test_the_order_of_configuration_is_irrelevant(names):
    plan = make_plan(ask("api", "일정"), [profile(name) for name in names], (), PlanLimits())
    assert [step.source for step in plan.steps] == ["gmail", "linear", "notion", "slack"]


def test_a_source_typed_in_the_question_restricts_like_the_option():
    plan = make_plan(ask("api", sources=("wiki",)), [profile("slack"), profile("wiki")], (), PlanLimits())
    assert [step.source for step in plan.steps] == ["wiki"]


def test_a_category_stands_for_all_its_sources():
    profiles = [profile("slack"), profile("teams"), profile("notion", Category.WIKI)]
    plan = make_plan(ask("api"), profiles, ("chat",), PlanLimits())
    assert [step.source for step in plan.steps] == ["slack", "teams"]


@pytest.mark.parametrize("by_filter", [False, True])
def test_a_source_is_asked_alone_by_its_own_name_though_a_category_is_called_so(by_filter):
    there = [profile("wiki", Category.WIKI), profile("handbook", Category.WIKI), profile("mail", Category.CHAT)]
    for names, asked in ((("wiki",), {"wiki"}), (("mail",), {"mail"}), (("wiki", "handbook"), {"wiki", "handbook"})):
        query = ask("q", sources=names if by_filter else ())
        plan = make_plan(query, there, () if by_filter else names, PlanLimits())
        assert {step.source for step in plan.steps} == asked
    assert called(("wiki",), there[1:]) == {"handbook"}
    assert called(("gone",), there) == frozenset()


def test_a_hinted_category_counts_more_and_the_others_are_still_asked():
    profiles = [profile("slack"), profile("wiki", Category.WIKI, priority=0.5)]
    plan = make_plan(ask("api", hints=(Category.WIKI,)), profiles, (), PlanLimits())
    assert {step.source: step.weight for step in plan.steps} == {"slack": 1.0, "wiki": 1.5}


def test_rungs_that_would_send_nothing_new_are_left_out():
    """A source that sees none of what is given up is asked once."""
    plan = make_plan(ask("a", "b", "c"), [profile("x", can=Capabilities())], (), PlanLimits())
    natives = [translation.native.text for rung in plan.steps[0].rungs for translation in rung.translations]
    residuals = [str(t.residual) for rung in plan.steps[0].rungs for t in rung.translations]
    assert set(natives) == {"everything"}
    assert residuals == ["a OR b OR c"]  # what holds none of the words is no hit; which of them it holds only orders


def test_names_are_resolved_in_each_sources_own_directory():
    where = all_of([Term("a"), Compare(Field.CONTAINER, Op.EQ, Container("개발"))])
    known = profile("slack", directory=SourceDirectory(containers=(Container("개발", "C1"),)))
    plan = make_plan(Query("a", where), [known], (), PlanLimits())
    residual = plan.steps[0].rungs[0].translations[0].residual
    assert residual.value.native_id == "C1"


def test_a_source_without_or_is_asked_for_one_word_by_each_name_it_has_in_the_other_language():
    """Where too little is found by the likelier ones: 휴가 is vacation, and the page is called Leave."""
    query = ask("휴가", language="ko", variants=(("휴가", ("vacation", "leave", "time off")),))

    def sent(can):
        plan = make_plan(query, [profile("x", can=can)], (), PlanLimits())
        return [[each.native.text for each in rung.translations] for rung in plan.steps[0].rungs]

    assert sent(TEXT) == [["휴가", "vacation"], ["leave", "time AND off"]]
    assert len(sent(WITH_OR)) == 1
    several = ask("휴가", "신청", language="ko", variants=(("휴가", ("vacation", "leave")),))
    plan = make_plan(several, [profile("x", can=TEXT)], (), PlanLimits())
    assert [each.native.text for each in plan.steps[0].rungs[-1].translations] == ["휴가", "vacation", "신청", "leave"]


def test_a_rung_is_translated_when_it_is_looked_at():
    """Most questions find enough as asked, and never need what would be asked next."""
    plain = Counting()
    plan = make_plan(ask("x", "y"), [SourceProfile("s", "S", Category.CHAT, plain, TEXT)], (), PlanLimits())
    assert plain.translated == 0
    assert plan.steps[0].rungs[0].translations[0].native.text == "x AND y"
    assert plain.translated == 1
    assert len(plan.steps[0].rungs) > 1 < plain.translated


def test_sources_of_a_kind_share_what_is_translated_for_them():
    """Eight workspaces of one vendor are translated for once; one that can do less is translated for apart."""

    def planned(*powers):
        plain = Counting()
        profiles = [SourceProfile(f"s{n}", "S", Category.CHAT, plain, can) for n, can in enumerate(powers)]
        plan = make_plan(ask("x", "y"), profiles, (), PlanLimits())
        assert all(len(step.rungs) for step in plan.steps)
        return plan, plain.translated

    (_, once), (plan, thrice) = planned(TEXT), planned(TEXT, TEXT, Capabilities())
    assert thrice == once + planned(Capabilities())[1] > once > 0
    assert [step.rungs[0].translations[0].native.text for step in plan.steps] == ["x AND y", "x AND y", "everything"]


IN_PAYMENTS = Compare(Field.CONTAINER, Op.EQ, Container("payments"))


@pytest.mark.parametrize(
    ("implied", "by_word"), [((), False), ((Implied(IN_PAYMENTS, NEARLY_TYPED, "in the payments channel"),), True)]
)
def test_no_typed_place_is_given_up_for_one_word_at_a_time(implied, by_word):
    can = replace(TEXT, fields={Field.CONTAINER: Fidelity.EXACT})
    asked = ask("outage", "export")
    asked = replace(asked, where=all_of((asked.where, IN_PAYMENTS)), implied=implied)
    (step,) = make_plan(asked, [profile("slack", can=can)], (), PlanLimits()).steps
    assert step.by_word is by_word


@pytest.mark.parametrize(("can", "words", "is_ranked"), [
    (replace(TEXT, any_of=True, ranks=True), ("outage", "export"), True),
    (replace(TEXT, any_of=True), ("outage", "export"), False),
    (replace(TEXT, any_of=True, ranks=True), ("outage",), False),
])  # fmt: skip
def test_a_step_says_whether_any_of_the_words_is_asked_for_at_once_and_ranked(can, words, is_ranked):
    (step,) = make_plan(ask(*words), [profile("drive", can=can)], (), PlanLimits()).steps
    assert step.ranked is is_ranked


WITH_IDS = Capabilities(term=Fidelity.EXACT, fields={Field.ID: Fidelity.EXACT})
ISSUE = Identifier(IdKind.TICKET, "PAY-151")


def test_what_asks_for_a_thing_itself_is_marked_in_its_step():
    plan = make_plan(ask("PAY-151", "상태", ids=(ISSUE,)), [profile("linear", can=WITH_IDS)], (), PlanLimits())
    (step,) = plan.steps
    assert [(each.thing, each.native.text) for each in step.fetches] == [(ISSUE, "id = PAY-151")]
    assert step.rungs[0].translations[0].native == step.fetches[0].native


def test_no_source_is_asked_past_an_id_that_one_of_them_has_things_by():
    """Slack has no issues, and still what it says without the key is not what was asked for."""
    profiles = [profile("linear", can=WITH_IDS), profile("slack")]
    plan = make_plan(ask("PAY-151", "상태", ids=(ISSUE,)), profiles, (), PlanLimits())
    sent = {step.source: [each.native.text for rung in step.rungs for each in rung.translations] for step in plan.steps}
    assert sent == {
        "linear": ["id = PAY-151", "PAY-151 AND 상태", "PAY-151"],
        "slack": ["PAY-151 AND 상태", "PAY-151"],
    }


def test_an_id_that_no_source_can_fetch_is_given_up_like_a_word():
    plan = make_plan(ask("PAY-151", "상태", ids=(ISSUE,)), [profile("slack", can=WITH_OR)], (), PlanLimits())
    assert plan.steps[0].rungs[-1].translations[0].native.text == "PAY-151 OR 상태"
    assert plan.steps[0].fetches == ()


def test_a_file_name_is_fetched_and_given_up_like_a_word():
    """Who asks for minutes.pdf may have its name from memory."""
    name = Identifier(IdKind.FILE_NAME, "minutes.pdf")
    plan = make_plan(ask("minutes.pdf", "결제", ids=(name,)), [profile("drive", can=WITH_IDS)], (), PlanLimits())
    sent = [each.native.text for rung in plan.steps[0].rungs for each in rung.translations]
    assert sent == ["id = minutes.pdf", "minutes.pdf AND 결제", "minutes.pdf", "결제"]


@pytest.mark.parametrize(("page", "most"), [(100, 50), (30, 30), (10, 20), (0, 20)])
def test_what_one_request_brings_for_nothing_is_taken(page, most):
    """``page`` 0: each hit costs the source a request of its own, so that no more are asked for than are wanted."""
    plan = make_plan(ask("k8s", "배포"), [profile("slack", page=page)], (), PlanLimits(hits=20, at_once=50))
    assert plan.steps[0].most == most
    assert plan.steps[0].limit == 20
