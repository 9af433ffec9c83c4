"""The broadening ladder gives things up in the right order and never what must stay; which places are named for what a question is about."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations, pairwise

import pytest

from connectors.errors import Misconfigured
from orchestrator.packaged import config_dir
from orchestrator.plan import load_thesaurus
from orchestrator.plan.ladder import ALTERNATIVES, MOST, SourceReach, is_coined, ladder, places_named
from orchestrator.plan.thesaurus import broader_terms
from translators.capabilities import Capabilities, Fidelity
from translators.query import (
    AllOf,
    AnyOf,
    Compare,
    Container,
    Entity,
    EntityKind,
    Field,
    Implied,
    Not,
    Op,
    Person,
    Phrase,
    Query,
    QueryType,
    State,
    Term,
    Window,
    all_of,
    conjuncts,
    leaves,
)

SINCE = Compare(Field.TIME, Op.GE, datetime(2026, 4, 1, tzinfo=UTC))
UNTIL = Compare(Field.TIME, Op.LT, datetime(2026, 7, 1, tzinfo=UTC))
CHANNEL = Compare(Field.CONTAINER, Op.EQ, Container("결제-개발"))
WORDS_ONLY = Capabilities(term=Fidelity.EXACT)
WITH_OR = Capabilities(term=Fidelity.EXACT, any_of=True)
WORDS = ("PostgreSQL", "마이그레이션", "일정", "timeline")


def query(*further, type=QueryType.DECISION, words=WORDS):  # noqa: A002 - the field's own name
    where = all_of([*map(Term, words), *further])
    return Query("q", where, type, keywords=words, essential=words, window=Window(None, None, "지난 2분기"))


def test_dates_then_place_then_lesser_words_then_all_but_the_core():
    rungs = ladder(query(SINCE, UNTIL, CHANNEL))
    gone = ("지난 2분기", "in:결제-개발")
    assert [rung.dropped for rung in rungs] == [
        (),
        gone[:1],
        gone,
        (*gone, "일정", "timeline"),
        (*gone, "all but PostgreSQL and one of 마이그레이션, 일정, timeline"),
        (*gone, "일정", "timeline", "마이그레이션"),
        (*gone, "all but one of PostgreSQL, 마이그레이션, 일정, timeline"),
    ]
    assert [str(rung.where) for rung in rungs[3:]] == [
        "PostgreSQL AND 마이그레이션",
        "PostgreSQL AND (마이그레이션 OR 일정 OR timeline)",
        "PostgreSQL",
        "PostgreSQL OR 마이그레이션 OR 일정 OR timeline",
    ]


THESAURUS = load_thesaurus(config_dir() / "language" / "thesaurus.toml")


@pytest.mark.parametrize(
    ("words", "language", "asked", "told"),
    [
        (("PostgreSQL", "migration", "Q2"), "en", ["(database OR db OR 데이터베이스) AND (migration OR Q2)"],
         ("PostgreSQL (instead: database, db, 데이터베이스)",)),
        (("쿠버네티스", "설정", "문서", "초안"), "ko", ["(클러스터 OR (컨테이너 AND 오케스트레이션) OR cluster) AND (설정 OR 문서)"],
         ("초안", "쿠버네티스(대신 클러스터, 컨테이너 오케스트레이션, cluster)")),
        (("migration", "Kafka"), "en", ["migration AND ((message AND queue) OR messaging OR (메시지 AND 큐))"],
         ("Kafka (instead: message queue, messaging, 메시지 큐)",)),
        (("Kafka",), "en", [], ()),
        (("payroll", "calendar"), "en", [], ()),
    ],
)  # fmt: skip
def test_a_narrow_word_gives_way_to_a_broader_one_after_the_core_and_before_any_one(words, language, asked, told):
    where = all_of(map(Term, words))
    narrow = Query("q", where, keywords=words, essential=words, language=language)
    before = ladder(narrow, SourceReach(WITH_OR))
    rungs = ladder(narrow, SourceReach(WITH_OR, thesaurus=THESAURUS))
    added = [rung for rung in rungs if rung.where not in {each.where for each in before}]
    assert [str(rung.where) for rung in added] == asked
    assert [(rung.asked, rung.dropped) for rung in rungs if rung not in added] == [
        (rung.asked, rung.dropped) for rung in before
    ]
    if added:
        assert added[0].dropped == told
        assert rungs.index(added[0]) == len(rungs) - 2


def test_a_source_without_or_is_asked_for_two_broader_terms_with_the_next_word():
    where = all_of(map(Term, ("Kubernetes", "setup", "notes")))
    words = ("Kubernetes", "setup", "notes")
    rungs = ladder(Query("q", where, keywords=words, essential=words), SourceReach(WORDS_ONLY, thesaurus=THESAURUS))
    assert [str(each) for each in rungs[-2].asked] == ["cluster AND setup", "container AND orchestration AND setup"]
    assert rungs[-2].dropped == ("notes", "Kubernetes (instead: cluster, container orchestration)")


def test_a_site_says_what_its_own_things_are(tmp_path):
    own = tmp_path / "own.toml"
    own.write_text('[[concept]]\nof = "Falcon, 팔콘"\nen = "payment gateway"\nko = "결제 게이트웨이"\n', "utf-8")
    thesaurus = load_thesaurus(config_dir() / "language" / "thesaurus.toml", own)
    assert broader_terms("falcon", "en", thesaurus) == ("payment gateway", "결제 게이트웨이")
    assert broader_terms("팔콘", "ko", thesaurus)[0] == "결제 게이트웨이"
    assert broader_terms("MySQL", "ko", thesaurus)[0] == "데이터베이스"
    own.write_text('[[concept]]\nname = "Falcon"\n', "utf-8")
    with pytest.raises(Misconfigured, match=r"own\.toml: concept\.0"):
        load_thesaurus(config_dir() / "language" / "thesaurus.toml", own)


def test_a_status_question_gives_up_its_dates_last():
    """Stale news is worse than none."""
    rungs = ladder(query(SINCE, CHANNEL, type=QueryType.STATUS))
    assert all(SINCE in conjuncts(each) for rung in rungs[:-1] for each in rung.asked)
    assert SINCE not in leaves(rungs[-1].where)
    assert rungs[1].dropped == ("in:결제-개발",)
    assert rungs[-1].dropped[0] == "지난 2분기"


def test_each_rung_allows_all_that_the_one_before_allows():
    """Every document that a rung matches is matched by the next; words are sets of what a document holds."""
    rungs = ladder(query(SINCE, CHANNEL))
    held = [set(chosen) for size in range(len(WORDS) + 1) for chosen in combinations(WORDS, size)]
    allowed = [[words for words in held if holds(rung.where, words)] for rung in rungs]
    assert all(all(words in wider for words in narrower) for narrower, wider in pairwise(allowed))


def holds(where, words):
    match where:
        case AllOf(parts):
            return all(holds(part, words) for part in parts)
        case AnyOf(parts):
            return any(holds(part, words) for part in parts)
        case Term(text):
            return text in words
        case _:
            return True


def test_a_source_without_or_is_asked_for_the_first_alternatives_one_by_one_and_only_they_are_named():
    rungs = ladder(query(), SourceReach(WORDS_ONLY, queries=2))
    assert [str(each) for each in rungs[2].asked] == ["PostgreSQL AND 마이그레이션", "PostgreSQL AND 일정"]
    assert rungs[2].dropped == ("all but PostgreSQL and one of 마이그레이션, 일정",)
    assert [str(each) for each in rungs[-1].asked] == ["PostgreSQL", "마이그레이션"]


def test_a_source_with_or_is_asked_once():
    assert [len(rung.asked) for rung in ladder(query(), SourceReach(WITH_OR, queries=2))] == [1, 1, 1, 1, 1]


def test_a_source_that_sees_no_words_is_asked_once_and_we_check():
    assert {len(rung.asked) for rung in ladder(query(), SourceReach(Capabilities(), queries=2))} == {1}


def test_no_more_words_are_alternatives_than_the_strictest_language_takes():
    words = tuple(f"단어{n}" for n in range(40))
    asked = Query("q", all_of(map(Term, words)), keywords=words, essential=words)
    assert len(list(leaves(ladder(asked)[-1].where))) == ALTERNATIVES


def test_what_was_given_up_is_said_in_the_askers_language():
    asked = Query("q", all_of(map(Term, "가나다")), keywords=tuple("가나다"), language="ko")
    assert [rung.dropped[-1] for rung in ladder(asked)[2:]] == [
        "가 및 나, 다 중 하나만 남기고 나머지",
        "가, 나, 다 중 하나만 남기고 나머지",
    ]


def test_a_core_that_is_no_name_is_not_asked_for_alone():
    """On its own "bugs" finds anything, and enough of it that nothing better is looked for."""
    words = ("bugs", "number", "maximum")
    asked = Query("q", all_of(map(Term, words)), keywords=words, essential=words)
    assert Term("bugs") not in [rung.where for rung in ladder(asked)]
    known = replace(asked, entities=(Entity(EntityKind.PROJECT, "Bugs"),))
    assert Term("bugs") in [rung.where for rung in ladder(known)]


@pytest.mark.parametrize(
    ("text", "coined"),
    [
        ("VizForce", True),
        ("k8s", True),
        ("v2", True),
        ("Processing", False),
        ("API", False),
        ("결제", False),
        ("2027", False),
    ],
)
def test_what_is_written_as_no_word_is_a_name(text, coined):
    assert is_coined(text) is coined


def test_a_coined_name_is_the_core_whatever_else_stands_first():
    words = ("Researcher", "changes", "VizForce")
    asked = Query("q", all_of(map(Term, words)), keywords=words, essential=words)
    assert [rung.where for rung in ladder(asked)][-2] == Term("VizForce")


IN_CHANNELS = Capabilities(term=Fidelity.EXACT, fields={Field.CONTAINER: Fidelity.EXACT})
PLACES = (Container("lunch", "C0"), Container("dev-phoenix", "C1"), Container("bug-phoenix", "C2"))
PHOENIX = ("Phoenix", "bugs", "owner")


def test_places_named_for_the_core_are_looked_into_with_the_other_words():
    asked = Query("q", all_of(map(Term, PHOENIX)), keywords=PHOENIX, essential=PHOENIX)
    rung = ladder(asked, SourceReach(IN_CHANNELS, 2, PLACES))[2]
    assert [str(each) for each in rung.asked] == [
        "bugs AND container = bug-phoenix",
        "bugs AND container = dev-phoenix",
    ], "no more at once than a source is asked"
    assert {leaf.value.native_id for leaf in leaves(rung.where) if isinstance(leaf, Compare)} == {"C1", "C2"}


@pytest.mark.parametrize("words", [("Phoenix",), ("Phoenix", "rollout"), ("피닉스", "출시")])
def test_a_source_that_ranks_is_asked_without_what_was_typed_once(words):
    """Any one of several words puts first what holds them all; of one word there is nothing broader."""
    place = Compare(Field.CONTAINER, Op.EQ, Container("dev"))
    asked = Query("q", all_of((*map(Term, words), place)), keywords=words, essential=words)
    steps = ladder(asked, SourceReach(replace(WITH_OR, ranks=True)))
    assert [str(rung.where) for rung in steps] == [f"{' AND '.join(words)} AND container = dev", " OR ".join(words)]


@pytest.mark.parametrize("words", [("Phoenix", "rollout", "plan", "owner"), ("피닉스", "출시", "계획", "담당")])
def test_a_source_that_ranks_is_asked_for_all_of_the_words_and_then_for_any_one(words):
    asked = Query("q", all_of(map(Term, words)), keywords=words, essential=words)
    ranked, whole = (ladder(asked, SourceReach(replace(WITH_OR, ranks=each))) for each in (True, False))
    assert [str(rung.where) for rung in ranked] == [" AND ".join(words), " OR ".join(words)]
    assert [rung.height for rung in ranked] == [0, len(whole) - 1], "as much is given up as in small steps"
    assert [rung.height for rung in whole] == list(range(len(whole)))
    alone = ladder(asked, SourceReach(replace(WORDS_ONLY, ranks=True)))
    assert len(alone) == len(whole), "who takes no alternatives goes step by step"


def test_places_are_one_query_where_a_source_takes_alternatives():
    asked = Query("q", all_of(map(Term, PHOENIX)), keywords=PHOENIX, essential=PHOENIX)
    rung = ladder(asked, SourceReach(replace(IN_CHANNELS, any_of=True), 2, PLACES))[2]
    assert [str(each) for each in rung.asked] == [
        "(container = bug-phoenix OR container = dev-phoenix) AND (bugs OR owner)",
        "Phoenix AND (bugs OR owner)",
    ]


@pytest.mark.parametrize("can", [WORDS_ONLY, Capabilities()], ids=["no places", "nothing"])
def test_a_source_that_cannot_be_asked_for_places_is_not(can):
    asked = Query("q", all_of(map(Term, PHOENIX)), keywords=PHOENIX, essential=PHOENIX)
    rungs = ladder(asked, SourceReach(can, 2, PLACES))
    assert not [leaf for rung in rungs for leaf in leaves(rung.where) if isinstance(leaf, Compare)]


def test_a_place_that_the_question_names_is_given_up_for_no_other():
    where = all_of([*map(Term, PHOENIX), CHANNEL])
    asked = Query("q", where, keywords=PHOENIX, essential=PHOENIX)
    rungs = ladder(asked, SourceReach(IN_CHANNELS, 2, PLACES))
    assert {leaf for rung in rungs for leaf in leaves(rung.where) if isinstance(leaf, Compare)} == {CHANNEL}


@pytest.mark.parametrize(
    "kept",
    [Phrase("정확한 문구"), Not(Term("초안")), Compare(Field.AUTHOR, Op.EQ, Person("이하늘")), Not(Phrase("old plan"))],
    ids=str,
)
def test_phrases_authors_and_negations_are_never_given_up(kept):
    assert all(kept in conjuncts(each) for rung in ladder(query(SINCE, kept)) for each in rung.asked)


def test_a_question_of_one_word_has_one_rung():
    assert len(ladder(query(words=("migration",)))) == 1


def test_a_question_of_dates_alone_keeps_them():
    """Dropping them would ask for everything there is."""
    assert [rung.where for rung in ladder(query(SINCE, words=()))] == [SINCE]


def test_keywords_serve_where_nothing_says_which_are_essential():
    asked = Query("q", all_of(map(Term, ("a", "b", "c"))), keywords=("a", "b", "c"))
    assert [str(rung.where) for rung in ladder(asked)] == ["a AND b AND c", "a AND b", "a AND (b OR c)", "a OR b OR c"]


def test_dates_without_the_words_they_came_from_are_called_dates():
    asked = Query("q", all_of([Term("a"), SINCE]), keywords=("a",))
    assert ladder(asked)[1].dropped == ("dates",)


@pytest.mark.parametrize(("words", "told"), [("", "is:open"), ("진행 중인", "진행 중인")])
def test_a_state_is_told_by_the_words_that_imply_it_or_as_one_would_type_it(words: str, told: str):
    opened = Compare(Field.STATE, Op.EQ, State.OPEN)
    where = all_of([Term("webhook-relay"), opened])
    asked = Query("q", where, keywords=("webhook-relay",), implied=(Implied(opened, 0.95, words),))
    assert {each for rung in ladder(asked) for each in rung.dropped} == {told}


def keyed(*words):
    return Query("q", all_of(map(Term, words)), keywords=words, essential=words)


def test_what_the_question_names_by_an_id_stays_to_the_end():
    """Without it a question about PAY-151 becomes one about any status."""
    rungs = ladder(keyed("PAY-151", "결제", "서명", "상태"), SourceReach(WITH_OR, things=frozenset({"PAY-151"})))
    assert all(Term("PAY-151") in leaves(rung.where) for rung in rungs)
    assert rungs[-1].where == Term("PAY-151")
    assert rungs[-1].dropped == ("결제", "서명", "상태")


def test_of_several_ids_any_one_will_do_in_the_end():
    rungs = ladder(keyed("PAY-151", "PAY-142", "비교"), SourceReach(WITH_OR, things=frozenset({"PAY-151", "PAY-142"})))
    assert [str(rung.where) for rung in rungs] == ["PAY-151 AND PAY-142 AND 비교", "PAY-151 OR PAY-142"]
    assert rungs[-1].dropped == ("all but one of PAY-151, PAY-142",)


def test_an_id_that_nobody_has_things_by_is_a_word_like_others():
    rungs = ladder(keyed("ERR_CONN_4012", "결제"), SourceReach(WITH_OR))
    assert str(rungs[-1].where) == "ERR_CONN_4012 OR 결제"


def named(
    words: tuple[str, ...], places: tuple[str, ...], *names: str, **called: tuple[str, ...]
) -> list[tuple[str, list[str]]]:
    entities = tuple(Entity(EntityKind.PROJECT, name) for name in names)
    query = Query("q", entities=entities, variants=tuple(called.items()))
    found = places_named(query, [Term(word) for word in words], map(Container, places))
    return [(term.text, [place.name for place in known]) for term, known in found]


@pytest.mark.parametrize(
    ("word", "place"),
    [
        ("Phoenix", "proj-phoenix"),
        ("phoenix", "PHOENIX_dev"),
        ("결제", "결제-개발"),
        ("LeadForce", "bug-iangarcia-LeadForce"),
    ],
)
def test_a_place_is_named_by_a_whole_word_of_its_name(word: str, place: str) -> None:
    assert named((word,), (place, "random")) == [(word, [place])]


@pytest.mark.parametrize(
    ("word", "place"), [("port", "report-review"), ("v", "v-team"), ("", "general"), ("!!!", "!!!")]
)
def test_part_of_a_word_a_letter_and_symbols_name_nothing(word: str, place: str) -> None:
    assert named((word,), (place,)) == []


def test_a_place_is_named_by_what_the_word_is_called_in_the_other_language() -> None:
    """A word of one syllable names only what has no other words."""
    assert named(("Jeonju", "rent"), ("우산-전주", "현주"), Jeonju=("전주",)) == [("Jeonju", ["우산-전주"])]
    assert named(("app", "release"), ("앱", "앱-qa"), app=("앱", "애플리케이션")) == [("app", ["앱"])]
    assert named(("release", "app"), ("앱",), app=("앱",)) == []  # no name, and not what the question is about


@pytest.mark.parametrize(
    ("word", "place", "called"),
    [
        ("claim", "Claims", ()),
        ("claims", "claim-desk", ()),
        ("클레임", "Claims", ("claim", "complaint")),
        ("class", "clas", ()),
    ],
)
def test_a_place_is_named_in_singular_and_plural(word: str, place: str, called: tuple[str, ...]) -> None:
    assert named((word,), (place, "random"), **{word: called}) == [(word, [place])]


def test_the_place_that_holds_more_of_the_question_comes_first() -> None:
    places = ("develop-phoenix", "bug-phoenix", "planning-phoenix")
    assert named(("Phoenix", "bugs"), places)[0][1] == ["bug-phoenix", "develop-phoenix", "planning-phoenix"]


def test_a_name_that_is_not_the_core_counts_too_and_an_ordinary_word_does_not() -> None:
    places = ("proj-phoenix", "owners")
    assert named(("status", "Phoenix"), places, "Phoenix") == [("Phoenix", ["proj-phoenix"])]
    assert named(("status", "owners"), places) == []


def test_a_workspace_of_a_thousand_such_places_is_not_asked_for_all() -> None:
    (found,) = named(("phoenix",), tuple(f"phoenix-{number}" for number in range(1000)))
    assert len(found[1]) == MOST


@pytest.mark.parametrize(
    ("words", "called", "asked"),
    [
        (("캘럼",), {"캘럼": "Callum Baird"}, ["author = Callum Baird"]),
        (("민수", "휴가"), {"민수": "김민수"}, ["휴가 AND author = 김민수"]),
        (("Dana", "Fox", "leave"), {"Dana": "Dana Fox", "Fox": "Dana Fox"}, ["leave AND author = Dana Fox"]),
        (("Jun", "Callum"), {"Jun": "Jun Kim", "Callum": "Callum Baird"}, []),  # which of two
        (("Callum", "crane", "permit", "harbour"), {"Callum": "Callum Baird"}, []),  # what is asked is of the crane
        (("leave",), {}, []),
    ],
)
def test_who_is_named_may_have_written_it_themselves(words, called, asked):
    """Who is away says so, and not by name."""
    named = Query("q", all_of(map(Term, words)), keywords=words, essential=words)
    known = replace(named, called=tuple((word, Person(name)) for word, name in called.items()))
    by_author = Capabilities(term=Fidelity.EXACT, any_of=True, fields={Field.AUTHOR: Fidelity.EXACT})
    before, rungs = ladder(named, SourceReach(by_author)), ladder(known, SourceReach(by_author))
    added = [rung for rung in rungs if rung.where not in {each.where for each in before}]
    assert [str(rung.where) for rung in added] == asked
    assert ladder(known, SourceReach(WITH_OR)) == ladder(named, SourceReach(WITH_OR))
    for rung in added:
        assert rungs.index(rung) == 1
        assert rung.dropped == (f"{' '.join(called)} (instead: from:{next(iter(called.values()))})",)


@pytest.mark.parametrize(
    ("type_", "asked"),
    [(QueryType.PERSON, ["11/28 OR (11월 AND 28일)"]), (QueryType.FACTUAL, [])],
)
def test_a_roster_is_found_by_the_day_where_it_is_asked_who(type_, asked):
    """It seldom says of what it is in the words of the question."""
    whose = Query("q", Term("support"), type_, keywords=("support",), essential=("support",))
    before = ladder(whose, SourceReach(WITH_OR))
    rungs = ladder(replace(whose, day=("11/28", "11월 28일")), SourceReach(WITH_OR))
    assert [str(rung.where) for rung in rungs[len(before) :]] == asked
    assert rungs[: len(before)] == before
    assert all(rung.dropped == ("support (instead: 11/28, 11월 28일)",) for rung in rungs[len(before) :])
