"""Names in two scripts that sound alike, and those that do not."""

from __future__ import annotations

import pytest

from orchestrator.understand.directory import Directory, DirectoryPerson
from orchestrator.understand.sounds import heard, likeness

ALIKE = """
데이빗 David|데이비드 David|에밀리 Emily|첸 Chen|톰 Tom|베커 Becker|사라 Sarah|마이클 Michael|토레스 Torres|프리야 Priya|제이크 Jake|그레이스 Grace
홀로웨이 Holloway|한나 Hannah|서연 Seoyeon|최 Choi|지현 Jihyun|도윤 Doyoon|민서 Minseo|태영 Taeyoung|현우 Hyunwoo|이 Lee|조지 George|피터 Peter
마틴 Martin|소피 Sophie|크리스 Chris|샬롯 Charlotte|엘리자베스 Elizabeth|제임스 James|요한 Johan|하비에르 Javier|앤드류 Andrew|라이언 Ryan
울리히 Ulrich|하인리히 Heinrich|바흐 Bach|발라이히 Ballreich|뮐러 Müller|호세 José
캘럼 Callum|애런 Aaron|앨런 Alan|클레어 Claire|재닛 Janet|베스 Beth|에이미 Amy|재키 Jackie
"""
APART = """
팀 Tom|민수 Minji|다나 Daniel|사라 Siri|마이클 Mitchell|지현 Jihoon|톰 Thomas|노션 Nolan|슬랙 Sarah|카프카 Kevin|알렌 Lena|레나 Allen|히로 Kiro
"""


def best(pair: str) -> float:
    """How alike the readings are that are most alike."""
    korean, latin = pair.split()
    return max((likeness(one, other) for one in heard(korean) for other in heard(latin)), default=0.0)


def pairs(table: str) -> list[str]:
    return [pair for line in table.split("\n") for pair in line.split("|") if pair]


@pytest.mark.parametrize("pair", pairs(ALIKE))
def test_the_same_name(pair: str) -> None:
    """As Koreans spell foreign names, and as Koreans romanise theirs."""
    assert best(pair) > 0


@pytest.mark.parametrize("pair", pairs(APART))
def test_another_name(pair: str) -> None:
    """Other consonants, or in a short name another vowel."""
    assert best(pair) == 0


@pytest.mark.parametrize("name", ["", "김·", "O'Neil", "r2d2", "ø", "가A"])
def test_what_is_no_name_has_no_sound(name: str) -> None:
    """Any string is taken."""
    assert heard(name) == frozenset()
    assert Directory((DirectoryPerson("Tom Baker"),)).heard(name) is None


@pytest.mark.parametrize("written", ["Hyerin Yeo", "Hye-Rin Yeo", "Hye Rin Yeo", "Yeo Hye-rin", "Yeo Hye Rin"])
@pytest.mark.parametrize("name", ["여혜린", "혜린", "여 혜린"])
def test_a_korean_given_name_of_one_word_two_or_a_hyphen(written: str, name: str) -> None:
    """The family's name before it or behind. Others of that family, and a given name that is nearly the same, are somebody else."""
    others = (DirectoryPerson("Soo-Min Yeo"), DirectoryPerson("Hye Kyung Kwak"), DirectoryPerson("Tom Baker"))
    somebody = DirectoryPerson(written)
    assert Directory((somebody, *others)).heard(name) is somebody
    assert Directory(others).heard(name) is None


@pytest.mark.parametrize("asked", ["Hyerin Yeo", "Hye-Rin Yeo", "Hye Rin Yeo", "Yeo Hye Rin"])
def test_a_korean_name_in_latin_letters_finds_who_is_written_in_hangul(asked: str) -> None:
    assert Directory((DirectoryPerson("여혜린"), DirectoryPerson("곽수민"))).heard(asked) == DirectoryPerson("여혜린")


@pytest.mark.parametrize(
    ("family", "written"),
    [
        ("정", "Jung"),
        ("정", "Chung"),
        ("서", "Suh"),
        ("허", "Hur"),
        ("성", "Sung"),
        ("엄", "Um"),
        ("석", "Suk"),
        ("전", "Chun"),
    ],
)
def test_a_family_as_it_spells_itself(family: str, written: str) -> None:
    """ㅓ is an u in most of them."""
    somebody = DirectoryPerson(f"Min-Ho {written}")
    assert Directory((somebody, DirectoryPerson("Min-Ho Kim"))).heard(f"{family}민호") is somebody


PLACES = Directory(
    (DirectoryPerson("Ulrike Ballreich"),),
    channels=("lantern-house", "Two Rivers", "nightjar", "general", "고객지원", "fjordheim", "aalen-plant"),
)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("랜턴하우스", "lantern house"),
        ("투리버스", "Two Rivers"),
        ("나이트자", "nightjar"),
        ("리버스", "Rivers"),
        ("알렌", "aalen"),
        ("얼룬", None),
        ("발라이히", "Ballreich"),
        ("고객지원", None),
        ("회의록", None),
        ("Nightjar", None),
        ("", None),
    ],
)
def test_a_name_that_is_written_in_latin_letters(word: str, name: str | None) -> None:
    """Of a word in Hangul; where it has two consonants the vowels must be much alike, too. The name comes as words."""
    assert PLACES.sounding(word) == name
    assert Directory().sounding(word) is None
