"""Whose words are asked for, names in the other script, titles, and whose words are excluded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from orchestrator.understand import Directory, DirectoryPerson
from translators.query import Compare, Field, Not, Op, Person, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query

STAFF = Directory(
    people=(
        DirectoryPerson("Oliver Becker", ("oliver.becker",), (), "oliver@example.com"),
        DirectoryPerson("Natalie Chen", (), (), "natalie@example.com"),
        DirectoryPerson("David Novak", (), (), "david@example.com"),
        DirectoryPerson("임채원", ("chaewon.lim",), (), "chaewon@example.com"),
        DirectoryPerson("문지호", (), (), "jiho@example.com"),
        DirectoryPerson("김다은"),
        DirectoryPerson("김성민"),
        DirectoryPerson("Buildbot"),
    )
)


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("what did Ingrid say about the tender", "Ingrid"),
        ("has Rafael commented on the draft budget", "Rafael"),
        ("what does Dr. Okonkwo think of the dosing table", "Okonkwo"),
        ("everything Bilal said about parking", "Bilal"),
        ("according to Wanda, when do we move", "Wanda"),
        ("Camille's take on remote work", "Camille"),
        ("opinions of Hiroshi on the pilot", "Hiroshi"),
        ("what did 최서연 say about caching", "최서연"),
        ("임채원님이 캐시에 대해 한 말", "임채원"),
        ("한지민님이 주차에 대해 뭐라고 했어", "한지민"),
        ("오세라님이 뭐래 예산", "오세라"),
        ("장하은님이 말한 배포 순서", "장하은"),
        ("이하늘 매니저가 연차에 대해 하신 말씀", "이하늘"),
        ("송민재님 생각은 어때 재시도 정책", "송민재"),
        ("강도현님에 따르면 언제 열려", "강도현"),
        ("올리비아가 출시에 대해 남긴 의견", "올리비아"),
        ("Camille이 예외에 대해 한 말", "Camille"),
    ],
)
def test_whose_words_are_asked_for(ask: Callable[..., Query], text: str, author: str) -> None:
    """What somebody said or thinks is searched among what they wrote, and their name is no word to find."""
    query = ask(text)
    assert query.author == Person(author)
    assert author in query.people()
    assert author not in query.keywords
    assert not {"의견", "생각", "말", "view", "take"} & set(query.keywords)


@pytest.mark.parametrize(
    "text",
    [
        "what did Velmora say about the freeze",
        "what did Kafka say in the log",
        "according to our website, what are support hours",
        "Rafael mentioned procurement",
        "the vendor that Bilal mentioned",
        "Camille's view count dashboard",
        "what did the team say about Wanda",
        "고객사가 환불에 대해 뭐라고 했어",
        "벨모라가 동결에 대해 뭐라고 했어",
        "장하은님이 승인한 건",
        "임윤호님이랑 고가영님이 얘기한 모델",
    ],
)
def test_words_of_nobody_certain(ask: Callable[..., Query], text: str) -> None:
    """A firm, a program or a page is no author; nor is who only stands beside what is asked."""
    assert ask(text).author is None


@pytest.mark.parametrize(
    "text", ["Find the demo URLs shared by team members", "Decks posted by the board", "PRs shared last week"]
)
def test_what_was_shared_is_nobody(ask: Callable[..., Query], text: str) -> None:
    """A capital before *shared* may be the thing and not the one who shared it."""
    query = ask(text)
    assert (query.author, query.people()) == (None, ())


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("올리버 베커가 샌드박스에 대해 보낸 메일", "Oliver Becker"),
        ("나탈리 첸이 쓴 제안서", "Natalie Chen"),
        ("데이빗이 올린 견적", "David Novak"),
        ("데이비드 의견", "David Novak"),
        ("what did Chaewon say about quota", "임채원"),
        ("Chaewon's slides", "임채원"),
        ("Jiho Moon's notes", "문지호"),
    ],
)
def test_a_name_in_the_other_script(ask: Callable[..., Query], text: str, author: str) -> None:
    """Whoever of the directory sounds like it."""
    query = ask(text, STAFF)
    assert str(query.author) == author
    assert set(query.keywords).isdisjoint({"데이빗", "데이빗이", "첸이", "첸", "베커"})


@pytest.mark.parametrize(
    "text", ["What did Haesol get done last week?", "Is Haesol away on Friday?", "Haesol's leaflet"]
)
def test_a_romanised_name_that_no_list_has(ask: Callable[..., Query], text: str) -> None:
    """The directory has it in Hangul: no neighbour need tell that it is a person's."""
    staff = Directory((DirectoryPerson("편해솔"), DirectoryPerson("조밀라")))
    assert ask(text, staff).people() == ("편해솔",)
    assert ask("Milla cheese order", Directory((DirectoryPerson("편해솔"),))).people() == ()


def test_a_foreign_name_without_a_directory(ask: Callable[..., Query]) -> None:
    """A listed given name and what follows it are one name; the particle is none of it."""
    query = ask("나탈리 첸이 보낸 메일")
    assert query.author == Person("나탈리 첸")
    assert query.keywords == ()


def test_a_topic_is_searched_in_both_scripts(ask: Callable[..., Query]) -> None:
    """Others write the name as the directory does."""
    query = ask("데이빗이 승인한 할인", STAFF)
    assert query.people() == ("David Novak",)
    assert dict(query.variants)["데이빗"] == ("David",)


def test_who_is_called_by_a_short_name_is_searched_as_the_directory_writes_it(ask: Callable[..., Query]) -> None:
    """A name of two consonants tells of nobody by its sound alone, unless nobody else is called so."""
    query = ask("이네스 쉬는 동안 휴가 누가 챙겨요", Directory(people=(*STAFF.people, DirectoryPerson("Inês Moura"))))
    assert dict(query.variants)["이네스"] == ("Inês",)


def test_a_foreign_name_that_no_list_has(ask: Callable[..., Query]) -> None:
    """The directory has it in Latin letters, and morphology takes it for a name: no particle need tell that it is a person's."""
    staff = Directory((DirectoryPerson("Tom Rayne"), DirectoryPerson("Kevin Moon")))
    assert ask("톰 다리 다친 건 언제야?", staff).people() == ("Tom Rayne",)
    assert ask("케빈 일정", staff).people() == ("Kevin Moon",)


@pytest.mark.parametrize(
    "text", ["노션이 느려요", "서류가 올라온 날", "사례가 바뀐 이유", "팀이 정한 규칙", "나탈리 슬랙이 안 되는 이유"]
)
def test_words_that_only_sound_alike(ask: Callable[..., Query], text: str) -> None:
    """A thing is nobody, whoever sounds like it."""
    near = Directory(tuple(DirectoryPerson(name) for name in ("Nathan Seo", "Sarah Kim", "Tim Roh", "Cyrus Lake")))
    assert ask(text, near).people() == ()


def test_a_family_name_and_a_title(ask: Callable[..., Query]) -> None:
    """Who alone has the name is meant; otherwise the name stays, and is searched with its title only."""
    assert ask("문 소장님이 보낸 공문", STAFF).author == Person("문지호", email="jiho@example.com")
    assert ask("임 책임이 올린 표", STAFF).author == Person("임채원", email="chaewon@example.com")
    query = ask("김 팀장이 확정한 일정", STAFF)
    assert query.people() == ("김",)
    assert query.keywords == ("김 팀장",)
    assert ask("김 팀장님 일정").keywords == ("김 팀장",)
    assert ask("박 씨 연락처").keywords == ("연락처",)


@pytest.mark.parametrize(
    ("text", "keywords", "people"),
    [
        ("문소장 휴가 때 누가 대신해", ("문지호", "휴가"), ("문지호",)),
        ("임책임이랑 정한 할당량", ("임채원", "할당량"), ("임채원",)),
        ("남궁과장 연락처", ("남궁",), ("남궁",)),  # two are called so
        ("맹부장 휴가", ("맹부장", "휴가"), ()),  # nobody is
        ("본부장 결재", ("본부장", "결재"), ()),
        ("지우대리가 말한 할당량", ("할당량",), ("한지우",)),
        ("한의사 초빙", ("한의사", "초빙"), ()),  # a word by itself
        ("문의사항 정리", ("문의사항", "정리"), ()),
        ("임교수 초빙", ("임채원", "초빙"), ("임채원",)),
    ],
)
def test_a_family_name_and_a_title_in_one_word(
    ask: Callable[..., Query], text: str, keywords: tuple[str, ...], people: tuple[str, ...]
) -> None:
    """맹부장 is somebody where the directory has one of that name, and a word like others elsewhere."""
    staff = Directory((*STAFF.people, *map(DirectoryPerson, ("남궁솔", "남궁민", "한지우"))))
    query = ask(text, staff)
    assert query.people() == people
    assert query.keywords == keywords


def test_who_is_named_by_title_is_looked_for_as_written_too(ask: Callable[..., Query]) -> None:
    assert dict(ask("문소장 휴가", STAFF).variants)["문지호"][0] == "문소장"
    assert dict(ask("문 소장님 휴가", STAFF).variants)["문지호"][0] == "문소장"


@pytest.mark.parametrize(
    ("text", "place"), [("노리치 올해 연말 언제부터 쉬어?", "Norwich"), ("고베로 언제 가", "Kobe")]
)
def test_a_place_that_is_spelled_like_a_full_name_is_nobody(ask: Callable[..., Query], text: str, place: str) -> None:
    query = ask(text)
    assert not query.people()
    assert place in next(names for _, names in query.variants)


def test_a_place_is_nobody_who_only_sounds_alike(ask: Callable[..., Query]) -> None:
    """Jeonju is 전주 letter by letter, and Hyeonju is who she is."""
    staff = Directory((DirectoryPerson("도현주"),))
    query = ask("what is the rent of the shop in Jeonju", staff)
    assert query.people() == ()
    assert dict(query.variants)["Jeonju"] == ("전주",)
    assert ask("what did Hyeonju say about Jeonju", staff).people() == ("도현주",)


@pytest.mark.parametrize("text", ["CTO가 승인한 예산", "what budget did the CTO approve"])
def test_a_role_is_nobody_and_is_searched(ask: Callable[..., Query], text: str) -> None:
    """It names no one, and texts hold it."""
    query = ask(text)
    assert query.people() == ()
    assert "CTO" in query.keywords


@pytest.mark.parametrize(
    ("text", "name", "keywords"),
    [
        ("봇이 올린 글 말고 사람이 쓴 PAY-151 얘기", "봇", ("PAY-151",)),
        ("Buildbot이 올린 메시지 제외하고 배포 실패", "Buildbot", ("배포", "실패")),
        ("한지민님이 보낸 메일 말고 견적 요청", "한지민", ("견적", "요청")),
        ("한지민님 메일 말고 견적 요청", "한지민", ("견적", "요청")),
    ],
)
def test_whose_words_are_excluded(ask: Callable[..., Query], text: str, name: str, keywords: tuple[str, ...]) -> None:
    """The writer is excluded as an author; no word of the clause is excluded or searched."""
    query = ask(text, STAFF)
    assert query.negated == (name,)
    assert query.keywords == keywords
    assert Not(Compare(Field.AUTHOR, Op.EQ, Person(name))) in conjuncts(query.where)


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("캘럼 언제 와?", {"캘럼": "Callum Reid"}),
        ("when is Callum back", {"Callum": "Callum Reid"}),
        ("지호 휴가 언제까지야", {"지호": "문지호"}),
        ("when will the office move", {}),  # a Will works here
        ("노션 언제 고쳐", {}),  # sounds like Nathan, and is a word
        ("창고 언제 열어", {}),
        ("Callum crane permit harbour gate rota", {}),  # of the crane
    ],
)
def test_who_a_word_may_name_without_being_read_as_a_person(
    ask: Callable[..., Query], text: str, called: dict[str, str]
) -> None:
    names = ("Callum Reid", "문지호", "Will Stone", "Nathan Seo")
    staff = Directory(tuple(map(DirectoryPerson, names)))
    assert {word: person.name for word, person in ask(text, staff).called} == called
    assert ask(text).called == ()
