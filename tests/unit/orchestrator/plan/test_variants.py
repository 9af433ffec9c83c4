"""By which names a source is asked for the words of a question: in one query or several, in the other language, with lesser words."""

from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.contract import Hit
from orchestrator.plan import PlanLimits, SourceProfile, make_plan
from orchestrator.plan.variants import across, elsewhere, further, variants, weighed
from tests.unit.orchestrator.plan.profiles import TEXT, WITH_OR, ask, profile
from translators.capabilities import Capabilities, Fidelity
from translators.match import matches
from translators.query import (
    AnyOf,
    Category,
    Compare,
    Container,
    Field,
    Kind,
    Not,
    Op,
    Phrase,
    Query,
    Sort,
    Term,
    all_of,
    any_of,
)
from translators.registry import load_dialect
from translators.split import split

K8S = Query(
    "k8s 배포",
    all_of([Term("k8s"), Term("배포"), Not(Term("k8s-test"))]),
    essential=("k8s", "배포"),
    variants=(("k8s", ("Kubernetes", "쿠버네티스", "container orchestration")), ("배포", ("deploy",))),
    language="ko",
)


def test_a_source_without_or_is_asked_in_the_other_language_then_for_each_name_of_the_core():
    said = variants(K8S, TEXT, 3)
    assert [str(each.where) for each in said] == [
        "k8s AND 배포 AND NOT k8s-test",
        "k8s AND deploy AND NOT k8s-test",
        "Kubernetes AND 배포 AND NOT k8s-test",
    ]


def test_a_source_with_or_gets_all_names_in_one_query():
    (only,) = variants(K8S, WITH_OR, 3)
    assert str(only.where) == (
        "(k8s OR Kubernetes OR 쿠버네티스 OR (container AND orchestration)) AND (배포 OR deploy) AND NOT k8s-test"
    )


def test_a_source_that_finds_words_as_they_are_written_is_asked_in_both_numbers():
    """A term is meant in either: what such a source would leave out is asked for beside it, whichever language asks."""
    as_written = replace(WITH_OR, as_written=True)
    (only,) = variants(
        Query("용어", Term("용어"), variants=(("용어", ("term", "terminology")),), language="ko"), as_written, 3
    )
    assert str(only.where) == "용어 OR term OR terms OR terminology OR terminologies"
    asked = Query("open invoices", all_of([Term("invoices"), Not(Term("draft")), Phrase("two weeks")]))
    assert str(variants(asked, as_written, 3)[0].where) == '(invoices OR invoice) AND NOT draft AND "two weeks"'
    assert variants(asked, WITH_OR, 3) == (asked,)


SNOWMAN = Query(
    "눈사람 우체국 표지",
    all_of(map(Term, ("눈사람", "우체국", "표지"))),
    keywords=("눈사람", "우체국", "표지"),
    essential=("눈사람", "우체국", "표지"),
    variants=(("우체국", ("post office",)),),
    joined=(("눈사람", "우체국"), ("우체국", "표지")),
    language="ko",
)


def test_words_side_by_side_are_asked_for_as_one_word_too():
    """Who writes 눈사람우체국 means both; where it costs no request every pair is asked for so."""
    (only,) = variants(SNOWMAN, WITH_OR, 3)
    assert str(only.where) == (
        "(눈사람 OR 눈사람우체국) AND (우체국 OR (post AND office) OR 눈사람우체국 OR 우체국표지) AND (표지 OR 우체국표지)"
    )
    few = replace(WITH_OR, most_ors=5)
    assert "눈사람우체국" not in str(variants(SNOWMAN, few, 3)[0].where)
    any_word = replace(SNOWMAN, where=any_of(map(Term, SNOWMAN.keywords)), variants=())
    assert variants(any_word, few, 3) == (any_word,)


def test_a_source_without_or_is_asked_for_the_first_two_words_as_one():
    plan = make_plan(SNOWMAN, [profile("slack")], (), PlanLimits(variants=3))
    said = [each.native.text for each in plan.steps[0].rungs[-1].translations]
    assert said == ["눈사람", "눈사람우체국", "우체국", "post AND office", "표지"]


def test_a_source_that_approximates_words_is_asked_for_any_of_them_if_it_can_be():
    assert len(variants(K8S, Capabilities(term=Fidelity.APPROXIMATE, any_of=True), 2)) == 1
    structured_only = Capabilities(term=Fidelity.APPROXIMATE, any_of=True, any_of_text=False)
    assert len(variants(K8S, structured_only, 2)) == 2


def test_a_source_that_sees_more_than_was_asked_gets_all_names_in_one_query_and_all_are_checked():
    seen_wider = Capabilities(term=Fidelity.WIDER, any_of=True)
    (only,) = variants(K8S, seen_wider, 3)
    cut = split(only.where, seen_wider)
    assert str(cut.pushed) == "(k8s OR Kubernetes OR 쿠버네티스 OR (container AND orchestration)) AND (배포 OR deploy)"
    assert cut.residual == only.where


def test_words_that_a_source_is_not_asked_for_are_checked_under_all_their_names_at_once():
    blind = Capabilities()
    (only,) = variants(K8S, blind, 3)
    assert split(only.where, blind).residual == only.where
    assert matches(only.where, Hit("x", "1", Kind.PAGE, snippet="쿠버네티스 deploy", complete=True)) is True


@given(st.sampled_from(list(Fidelity)), st.booleans(), st.booleans(), st.integers(1, 4))
def test_whatever_the_source_can_do_the_question_as_asked_is_within_what_is_sent(fidelity, any_of, texts, most):
    """Law 1: names widen. What the plain question matches, some query of ours matches as well."""
    said = variants(K8S, Capabilities(term=fidelity, any_of=any_of, any_of_text=texts), most)
    hit = Hit("x", "1", Kind.PAGE, snippet="k8s 배포", complete=True)
    assert matches(K8S.where, hit) is True
    assert any(matches(each.where, hit) is True for each in said)
    assert len(said) <= most


def test_a_negated_word_is_never_replaced():
    asked = Query("x", all_of([Term("x"), Not(Term("k8s"))]), variants=(("k8s", ("Kubernetes",)),))
    assert variants(asked, TEXT, 3) == (asked,)
    assert not any(isinstance(part, AnyOf) for part in variants(asked, WITH_OR, 3)[0].where.parts)


def test_broader_rungs_say_one_thing_more_in_the_other_language_to_a_source_without_or():
    """Quota is finite: names times rungs would spend Slack's minute on two questions."""
    plan = make_plan(K8S, [profile("slack")], (), PlanLimits(variants=3))
    sent = [[each.native.text for each in rung.translations] for rung in plan.steps[0].rungs]
    assert sent[1:] == [["k8s"], ["k8s", "배포", "deploy"]]
    assert len(sent[0]) == 3


def test_alternatives_of_a_rung_are_bounded_like_variants():
    words = tuple(f"w{number}" for number in range(12))
    plan = make_plan(ask(*words), [profile("slack")], (), PlanLimits(variants=3))
    assert max(len(rung.translations) for rung in plan.steps[0].rungs) == 3


MOVE = Query(
    "부산 창고 이전 뷁뷁 APAC",
    all_of(
        [Term("부산"), Term("창고"), Term("이전"), Term("뷁뷁"), Term("APAC"), Phrase("계약 이전"), Not(Term("창고"))]
    ),
    essential=("부산", "창고", "이전", "뷁뷁", "APAC"),
    variants=(
        ("부산", ("Busan", "Pusan")),
        ("창고", ("distribution center", "center", "창고동")),
        ("이전", ("move", "relocation", "previous")),
        ("APAC", ("아태",)),
    ),
    language="ko",
)


def test_the_whole_question_is_said_in_the_other_language_and_only_its_own_words_are():
    """Phrases, exclusions and what was typed in the other language stay; a Korean word without a counterpart is left out."""
    assert str(across(MOVE)) == 'Busan AND center AND move AND APAC AND "계약 이전" AND NOT 창고'


def test_what_has_no_counterpart_is_not_said_differently():
    assert across(Query("뷁뷁", Term("뷁뷁"), variants=(("뷁뷁", ("뷁 뷁",)),), language="ko")) is None
    assert across(Query("zebra", Term("zebra"))) is None


def test_of_a_korean_compound_its_first_word_is_asked_for_more_widely():
    asked = Query("hygiene inspection", Term("inspection"), variants=(("inspection", ("위생 점검", "위생점검")),))
    assert str(across(asked)) == "위생 AND 점검"
    assert str(across(asked, widely=True)) == "위생"
    assert elsewhere(asked, WITH_OR) == ()
    assert [str(each.where) for each in elsewhere(asked, TEXT)] == ["위생"]


def test_one_word_has_further_names_for_a_source_without_or():
    asked = Query("elevator", Term("elevator"), variants=(("elevator", ("엘리베이터", "승강기", "lift")),))
    assert [str(each.where) for each in elsewhere(asked, TEXT)] == ["엘리베이터"]
    assert [str(each.where) for each in further(asked, TEXT)] == ["승강기"]
    assert further(asked, WITH_OR) == ()
    assert further(asked.narrowed(all_of([Term("elevator"), Term("Haesol")])), TEXT) == ()


def test_a_word_without_a_counterpart_never_asks_for_everything():
    either = MOVE.narrowed(any_of([Term("뷁뷁"), Term("창고")]))
    assert str(across(either)) == "center"


FEW_ORS = Capabilities(term=Fidelity.EXACT, phrase=Fidelity.EXACT, any_of=True, most_ors=5)


def test_a_source_that_takes_few_ors_gets_whole_questions_as_alternatives():
    (only,) = variants(MOVE, FEW_ORS, 3)
    assert str(only.where) == (
        '"계약 이전" AND NOT 창고 AND ((부산 AND 창고 AND 이전 AND 뷁뷁 AND APAC) OR (Busan AND center AND move AND APAC))'
    )


def test_a_source_that_takes_few_ors_is_asked_for_any_word_within_them():
    words = [Term(each) for each in ("부산", "창고", "이전", "뷁뷁")]
    (only,) = variants(MOVE.narrowed(any_of(words)), FEW_ORS, 1)
    assert str(only.where) == "부산 OR 창고 OR 이전 OR 뷁뷁 OR Busan OR center"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("고객 신뢰를 우리는 어떻게 생각하나요? in:general -draft", "고객 신뢰를 우리는 어떻게 생각하나요?"),
        ("How do we think about customer trust? after:2025-01-01", "How do we think about customer trust?"),
    ],
)
def test_who_searches_by_meaning_gets_the_sentence_beside_the_words(text, question):
    words = ("고객", "신뢰") if "고객" in text else ("customer", "trust")
    asked = Query(text, all_of(map(Term, words)), keywords=words, essential=words)
    for name in ("words", "slack_rts"):
        dialect = load_dialect(name)
        for meaning, public, said in ((True, False, question), (False, False, None), (True, True, None)):
            source = SourceProfile(
                "s", "S", Category.CHAT, dialect, replace(dialect.can, meaning=meaning), public=public
            )
            plan = make_plan(asked, [source], ["s"], PlanLimits())
            for native in (each.native for step in plan.steps for rung in step.rungs for each in rung.translations):
                assert native.args.get("question") == said
                assert any(word in native.text for word in words)


RANKING = Capabilities(term=Fidelity.EXACT, any_of=True, ranks=True)


class TestLesserWords:
    """What asks or tells the kind of answer is in the first request of a source that ranks, and nothing fails it."""

    question = replace(ask("audit", "exporter"), lesser=(("PR", 0.5), ("reviewed", 0.2)))

    def test_beside_a_word_that_is_asked_for_anyway(self):
        asked = weighed(self.question, RANKING).where
        assert asked == all_of((Term("audit"), Term("exporter"), any_of(map(Term, ("audit", "PR", "reviewed")))))

    @pytest.mark.parametrize(
        "text", ["the exporter writes an audit trail", "PR reviewed", "reviewed the audit exporter PR"]
    )
    def test_the_same_things_match(self, text):
        hit = Hit("x", "1", Kind.PAGE, snippet=text, complete=True)
        assert matches(weighed(self.question, RANKING).where, hit) is matches(self.question.where, hit)

    def test_beside_the_shortest_of_what_is_asked_for(self):
        wide = any_of(map(Term, ("audit", "감사")))
        asked = weighed(self.question.narrowed(all_of((wide, Term("exporter")))), RANKING).where
        assert asked == all_of((wide, Term("exporter"), any_of(map(Term, ("exporter", "PR", "reviewed")))))

    def test_the_heaviest_where_few_alternatives_fit(self):
        asked = weighed(self.question, replace(RANKING, most_ors=1)).where
        assert asked == all_of((Term("audit"), Term("exporter"), any_of((Term("audit"), Term("PR")))))
        assert weighed(self.question, replace(RANKING, most_ors=0)) == self.question

    @pytest.mark.parametrize(
        "can",
        [
            replace(RANKING, ranks=False),
            replace(RANKING, any_of=False),
            replace(RANKING, any_of_text=False),
            replace(RANKING, weighs=True),
            replace(RANKING, any_word=True),
        ],
    )
    def test_not_where_they_would_order_nothing(self, can):
        assert weighed(self.question, can) == self.question

    def test_not_where_the_newest_come_first(self):
        newest = replace(self.question, sort=Sort.NEWEST)
        assert weighed(newest, replace(RANKING, sorts=frozenset(Sort))) == newest
        assert weighed(newest, RANKING) != newest

    def test_not_without_a_word_to_stand_beside(self):
        only_place = replace(ask(), lesser=(("notes", 0.3),), where=Compare(Field.CONTAINER, Op.EQ, Container("ops")))
        assert weighed(only_place, RANKING) == only_place

    def test_in_the_first_request_alone(self):
        one = profile("wiki", Category.WIKI, RANKING)
        (step,) = make_plan(self.question, [one], (), PlanLimits()).steps
        first, *others = ([each.native.text for each in rung.translations] for rung in step.rungs)
        assert "reviewed" in "".join(first)
        assert others
        assert "reviewed" not in "".join(chain.from_iterable(others))

    @pytest.mark.parametrize("dialect", ["cql", "drive", "github", "kql"])
    def test_shipped_languages_that_rank_carry_them(self, dialect):
        loaded = load_dialect(dialect)
        one = SourceProfile("one", "One", Category.WIKI, loaded, loaded.can)
        (step,) = make_plan(self.question, [one], (), PlanLimits()).steps
        first = step.rungs[0].translations
        assert any("reviewed" in each.native.text for each in first)
        assert all(each.residual is None for each in first)
