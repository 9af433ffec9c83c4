"""What a clause means, in both languages, on whole documents and on snippets."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from translators.match import across_blanks, matches, same_container, same_person, squeezable
from translators.names import parts, same_name
from translators.query import (
    EVERYTHING,
    NOTHING,
    AllOf,
    AnyOf,
    Compare,
    Container,
    Field,
    Kind,
    Leaf,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    State,
    Term,
)
from translators.strategies import Paper

MAIL = Paper(
    title="출시 일정", snippet="배포를 다음 주 금요일로 미룹니다. Deploys stop; see ＡＰＩ v2 and ERR_CONN_4012."
)


@each_row(
    ("leaf", "expected"),
    [
        (Term("배포"), True),
        (Term("배포를"), True),
        (Term("포를"), False),
        (Term("금요일"), True),
        (Term("deploy"), True),
        (Term("DEPLOYS"), True),
        (Term("api"), True),
        (Term("ap"), False),
        (Term("err_conn_4012"), True),
        (Term("deployment"), False),
        (Phrase("다음 주"), True),
        (Phrase("주 다음"), False),
        (Phrase("배포를 다음"), True),
        (Phrase("deploy stop"), False),
        (Phrase("일정 배포를"), False),
        (Prefix("dep"), True),
        (Prefix("ploy"), False),
        (Prefix("출"), True),
        (Term(";"), True),
        (Term("§"), False),
        (Term("배포를 다음"), True),
    ],
)
def test_words_match_as_people_read_them(leaf: Leaf, expected: bool) -> None:
    """Korean particles, plurals, case and width make no difference; order, titles and word borders do."""
    assert matches(leaf, MAIL) is expected


def test_plurals_match_both_ways_for_terms_only() -> None:
    assert matches(Term("classes"), Paper(snippet="one class")) is True
    assert matches(Term("class"), Paper(snippet="two classes")) is True
    assert matches(Phrase("class"), Paper(snippet="two classes")) is False


def test_decomposed_hangul_is_the_same_word() -> None:
    """As file systems write it."""
    assert matches(Term("배포"), Paper(snippet="\u1107\u1162\u1111\u1169")) is True


def test_a_snippet_cannot_prove_an_absence() -> None:
    snippet = Paper(title="출시", snippet="배포 일정", complete=False)
    assert matches(Term("배포"), snippet) is True
    assert matches(Term("예산"), snippet) is None
    assert matches(Not(Term("예산")), snippet) is None
    assert matches(Not(Term("배포")), snippet) is False


@each_row("gap", ["…", " … ", "...", " ... "])
def test_a_phrase_does_not_reach_across_a_gap_in_a_snippet(gap: str) -> None:
    text = f"출시{gap}일정"
    assert matches(Phrase("출시 일정"), Paper(snippet=text, complete=False)) is None
    assert matches(Phrase("출시 일정"), Paper(snippet=text, complete=True)) is True


def test_joins_follow_kleene() -> None:
    yes, no, unknown = Term("배포"), Compare(Field.KIND, Op.EQ, Kind.MAIL), Term("예산")
    paper = Paper(snippet="배포", complete=False)
    assert [matches(part, paper) for part in (yes, no, unknown)] == [True, False, None]
    assert matches(AllOf((yes, unknown)), paper) is None
    assert matches(AllOf((unknown, no)), paper) is False
    assert matches(AnyOf((no, unknown)), paper) is None
    assert matches(AnyOf((unknown, yes)), paper) is True
    assert matches(EVERYTHING, paper) is True
    assert matches(NOTHING, paper) is False


@each_row(
    ("wanted", "actual", "expected"),
    [
        (Person("Sarah"), Person("Sarah Kim"), True),
        (Person("kim sarah"), Person("Sarah Kim"), True),
        (Person("sarah"), Person("sarah.kim"), True),
        (Person("sarah"), Person("sarah_kim"), True),
        (Person("sara"), Person("Sarah Kim"), False),
        (Person("민수"), Person("김민수"), True),
        (Person("김민수"), Person("김민수 (플랫폼)"), True),
        (Person("민"), Person("김민"), False),
        (Person("민수"), Person("김민서"), False),
        (Person("김민수"), Person("Minsu Kim"), None),
        (Person("!!"), Person("Sarah Kim"), False),
        (Person("!!"), Person("!!"), True),
        (Person("sarah", "U1"), Person("sarah", "U2"), False),
        (Person("anybody", "U1"), Person("Sarah Kim", "U1"), True),
        (Person("x", email="S@x.example"), Person("y", email="s@X.example"), True),
        (Person("sarah", "U1"), Person("Sarah Kim"), True),
        (Person("", me=True), Person("Sarah Kim", me=True), True),
        (Person("", me=True), Person("Sarah Kim"), None),
        (Person("sarah"), Person("", "U1"), None),
    ],
)
def test_people_are_the_same_by_id_address_or_name(wanted: Person, actual: Person, expected: bool | None) -> None:
    assert same_person(wanted, actual) is expected


@each_row(
    ("wanted", "actual", "expected"),
    [
        (Container("eng platform"), Container("eng-platform"), True),
        (Container("ENG_Platform"), Container("#eng-platform"), True),
        (Container("결제 플랫폼"), Container("결제-플랫폼"), True),
        (Container("공지"), Container("공지사항"), False),
        (Container("x", "C1"), Container("y", "C1"), True),
        (Container("x", "C1"), Container("x", "C2"), False),
        (Container("x", "C1"), Container("x"), True),
    ],
)
def test_places_are_the_same_by_id_or_name(wanted: Container, actual: Container, expected: bool) -> None:
    assert same_container(wanted, actual) is expected


def test_unknown_fields_cannot_tell() -> None:
    blank = Paper()
    for clause in (
        Compare(Field.AUTHOR, Op.EQ, Person("sarah")),
        Compare(Field.ASSIGNEE, Op.EQ, Person("sarah")),
        Compare(Field.CONTAINER, Op.EQ, Container("공지")),
        Compare(Field.STATE, Op.EQ, State.OPEN),
        Compare(Field.TIME, Op.GE, datetime(2025, 1, 1, tzinfo=UTC)),
    ):
        assert matches(clause, blank) is None


def test_author_and_assignee_are_two_people() -> None:
    paper = Paper(author=Person("김민수"), assignee=Person("박서연"), container=Container("공지"), state=State.DONE)
    assert matches(Compare(Field.AUTHOR, Op.EQ, Person("민수")), paper) is True
    assert matches(Compare(Field.ASSIGNEE, Op.EQ, Person("민수")), paper) is False
    assert matches(Compare(Field.CONTAINER, Op.EQ, Container("공지")), paper) is True
    assert matches(Compare(Field.STATE, Op.EQ, State.OPEN), paper) is False


def test_a_message_may_belong_to_a_thread_without_saying_so() -> None:
    thread = Compare(Field.KIND, Op.EQ, Kind.THREAD)
    assert matches(thread, Paper(kind=Kind.THREAD)) is True
    assert matches(thread, Paper(kind=Kind.MESSAGE)) is None
    assert matches(thread, Paper(kind=Kind.PAGE)) is False


OLD, NEW = datetime(2025, 1, 1, tzinfo=UTC), datetime(2025, 2, 1, tzinfo=UTC)
BETWEEN = datetime(2025, 1, 15, tzinfo=UTC)


@each_row(
    ("field", "kind", "expected"),
    [
        (Field.TIME, Kind.PAGE, True),
        (Field.TIME, Kind.MESSAGE, False),
        (Field.TIME, Kind.MAIL, False),
        (Field.CREATED, Kind.PAGE, False),
        (Field.UPDATED, Kind.PAGE, True),
    ],
)
def test_when_a_thing_happened_depends_on_its_kind(field: Field, kind: Kind, expected: bool) -> None:
    """Messages and mails happen once; pages and issues happen whenever they change."""
    paper = Paper(kind=kind, created=OLD, updated=NEW)
    assert matches(Compare(field, Op.GE, BETWEEN), paper) is expected
    assert matches(Compare(field, Op.LT, BETWEEN), paper) is not expected


def test_windows_are_half_open() -> None:
    paper = Paper(kind=Kind.MAIL, created=OLD)
    assert matches(Compare(Field.TIME, Op.GE, OLD), paper) is True
    assert matches(Compare(Field.TIME, Op.LT, OLD), paper) is False
    assert matches(Compare(Field.TIME, Op.EQ, OLD), paper) is True


def test_an_unknown_change_is_no_earlier_than_the_creation() -> None:
    page = Paper(kind=Kind.PAGE, created=NEW)
    assert matches(Compare(Field.TIME, Op.GE, BETWEEN), page) is True
    assert matches(Compare(Field.TIME, Op.LT, BETWEEN), page) is False
    assert matches(Compare(Field.TIME, Op.GE, NEW + timedelta(days=1)), page) is None
    assert matches(Compare(Field.TIME, Op.LT, NEW + timedelta(days=1)), page) is None


@each_row(
    ("clause", "text"),
    [
        (Term("API"), "API는 REST로 확정했습니다."),
        (Term("REST"), "API는 REST로 확정했습니다."),
        (Term("v2"), "v2부터 적용"),
        (Phrase("API v2"), "새 API v2를 씁니다"),
        (Term("Growth팀"), "Growth팀이 맡습니다"),
        (Term("2월"), "2월에 끝납니다"),
    ],
)
def test_a_particle_behind_a_latin_word_does_not_hide_it(clause, text):
    """Korean joins particles to words of any script."""
    assert matches(clause, Paper(snippet=text, complete=True)) is True


@each_row(
    ("wanted", "actual"),
    [
        ("jose", "José García"),
        ("garcia", "José García"),
        ("García", "Jose Garcia"),
        ("jose garcia", "García, José"),
        ("muller", "Anneliese Müller"),
        ("mueller", "Anneliese Müller"),
        ("Müller", "Anneliese Mueller"),
        ("soren", "Søren Å. Dahl"),
        ("weiss", "Karl Weiß"),
        ("ＳＡＲＡＨ", "Sarah Kim"),
        ("lukasz", "Łukasz Żółć"),
        ("오재훈", "오재훈님"),
        ("오재훈님", "오재훈"),
        ("재훈님", "오재훈"),
        ("오 재훈", "오재훈"),
        ("오재훈", "재훈 오"),
        ("재훈", "오재훈 (플랫폼)"),
        ("김민수", unicodedata.normalize("NFD", "김민수")),
        ("さくら", "田中 さくら"),
    ],
)
def test_names_are_compared_as_people_do(wanted: str, actual: str) -> None:
    """Without case, width, accents and honorifics, and by parts."""
    assert same_person(Person(wanted), Person(actual)) is True


@each_row(
    ("wanted", "actual"),
    [
        ("jose", "Josef García"),
        ("jos", "José García"),
        ("jose ruiz", "José García"),
        ("か", "が"),
        ("재훈", "오재훈영"),
        ("님", "오재훈님"),
        ("오", "오재훈"),
        ("ann", "Jo-Anne Smith"),
    ],
)
def test_other_names_are_other_people(wanted: str, actual: str) -> None:
    assert same_person(Person(wanted), Person(actual)) is False


def test_somebody_goes_by_what_stands_before_the_at() -> None:
    known = Person("박지현", email="jihyun.park@acme.example")
    assert same_person(Person("jihyun"), known) is True
    assert same_person(Person("park jihyun"), known) is True
    assert same_person(Person("acme"), known) is None
    assert same_person(Person("jihyun", email="jihyun@other.example"), known) is False


@given(st.text(max_size=30), st.text(max_size=30))
def test_a_name_is_its_own_and_part_of_any_that_holds_it(one: str, other: str) -> None:
    """Whatever it is written in."""
    assert same_name(one, one) is True
    assert same_name(one, other) in {True, False, None}
    if any(parts(one)):
        assert same_name(one, f"{one} {other}") is True


@each_row(
    ("term", "text", "holds"),
    [
        ("배포자동화", "배포 자동화를 시작합니다", True),
        ("배포자동화", "배포 자동화했습니다", True),
        ("배포 자동화", "배포자동화를 시작합니다", True),
        ("배포 자동화", "배포 자동화", True),
        ("커넥션풀", "커넥션 풀이 고갈됐습니다", True),
        ("커넥션풀", "커넥션 풀", True),
        ("커넥션풀", "커넥션 풀어 두기", False),  # another word begins with the last syllable
        ("회의실", "회의 실시 안내", False),
        ("결제서비스", "카드결제 서비스", False),  # begins inside a word
        ("폐색알람임계값", "폐색 알람 임계값은", True),
        ("폐색알람임계값", "폐색알람 임계값은", True),
        ("사일", "이 사 일", False),  # too short to be told
        ("pentest", "pen test", False),  # English blanks are left to spelling
    ],
)
def test_korean_words_are_the_same_with_and_without_blanks(term: str, text: str, holds: bool) -> None:
    assert matches(Term(term), Paper(title="안내", snippet=text, complete=True)) is holds


@each_row(
    ("leaf", "text", "holds"),
    [
        (Term("배"), "배가 늦게 옵니다", True),
        (Term("배"), "큰 배, 작은 섬", True),
        (Term("배"), "배터리를 분리해서 들고 타세요", False),
        (Phrase("배"), "배터리", False),
        (Term("고객 수"), "고객 수는 늘었습니다", True),
        (Phrase("고객 수"), "고객 수집 방법", False),
        (Prefix("배"), "배터리", True),
    ],
)
def test_a_korean_word_of_one_syllable_is_not_the_beginning_of_another(leaf: Leaf, text: str, holds: bool) -> None:
    assert matches(leaf, Paper(title="안내", snippet=text, complete=True)) is holds


def test_a_quoted_phrase_keeps_its_blanks() -> None:
    assert matches(Phrase("배포자동화"), Paper(title="", snippet="배포 자동화", complete=True)) is False


def test_no_word_runs_from_the_title_into_the_text() -> None:
    assert matches(Term("배포자동화"), Paper(title="배포", snippet="자동화", complete=True)) is False


def test_a_word_of_any_length_is_not_looked_for_across_blanks() -> None:
    """What a place costs is bounded, however long a hostile question is."""
    assert squeezable("가나" * 15) == "가나" * 15
    assert not squeezable("가나" * 16)
    assert across_blanks("가나가나가나다", f" {'가나 ' * 5000}") is False
