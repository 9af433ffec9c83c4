"""The rules by themselves: what goes on from what, what is heard once, who may see what."""

from datetime import datetime

import pytest

from connectors.contract import Hit
from orchestrator.dialogue import goes_on, subject_of
from orchestrator.model import DialogueTurn, HitList, Outcome, Principal, Status
from orchestrator.surfaces.bot.inquiring import sifted
from orchestrator.surfaces.bot.memory import THREAD_SECONDS, SeenEvents, Threads
from orchestrator.surfaces.bot.platform import Attendance, ChatLocation, Member, PlaceKind, Readers
from orchestrator.surfaces.bot.rights import MOST_PLACES, NOBODY, Doorkeeper, Right, alone, audience_of
from orchestrator.surfaces.bot.wishes import language_wished, only_in, small_talk
from orchestrator.understand import load_lexicon, understand
from translators.query import Category, Container, Kind, Query
from translators.translator import NativeQuery, Translation

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
LEXICON = load_lexicon()


def read(text):
    return understand(text, NOW, None, lexicon=LEXICON)


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("그건 누가 정했어?", True),
        ("누가 담당이야?", True),
        ("이번 달에는?", True),
        ("그럼 그 전에는 언제였어?", True),
        ("그 다음은 누가 맡아?", True),
        ("그거 예산에 영향 있어?", True),
        ("who decided that?", True),
        ("does it affect billing?", True),
        ("and last month?", True),
        ("why?", True),
        ("웹훅 재시도 정책은?", False),
        ("Where is the runbook for webhook-relay?", False),
        ("the mail that Minsu sent about the Okta rollout", False),
        ("PAY-61 상태 알려줘", False),
    ],
)
def test_what_goes_on_from_the_question_before(text, on):
    assert goes_on(text, read(text)) is on


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("API 마이그레이션 일정에 대해 무엇을 결정했나요?", "API 마이그레이션"),
        ("what did we decide last week about the API migration from:minsu in:#platform", "API migration"),
        ('who wrote "exact words" in the retry policy', '"exact words" retry policy'),
        ("PAY-61 status", "PAY-61"),
        ("그건 누가 정했어?", ""),
    ],
)
def test_what_is_carried_on(text, subject):
    assert subject_of(read(text)) == subject


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("고마워요!", "welcome"), ("네, 감사합니다 :+1:", "welcome"), ("thank you very much", "welcome"), ("ok 👍👍", "welcome"), ("ㅎㅎ", "welcome"),
        ("안녕", "help"), ("help", "help"), ("help 안녕", "help"), ("hi there!", "help"), ("뭘 할 수 있어?", "help"), ("what can you do?", "help"),
        ("ㅇㅋ", "welcome"), ("넵넵", "welcome"), ("아 그렇군요", "welcome"), ("good job", "welcome"), ("never mind", "welcome"), ("땡큐~", "welcome"), ("좋은 아침이에요", "help"),
        ("good practice guide", ""), ("좋아요 버튼 기능", ""), ("최고 매출 달", ""), ("ok button color", ""), ("수고비 지급", ""),
        ("help desk hours", ""), ("안녕 인사 규정", ""), ("cool storage policy", ""), ("고마워요, 그럼 시작일은?", ""), ("hello world 예제", ""), ("", ""),
    ],
)  # fmt: skip
def test_what_asks_nothing(text, told):
    assert small_talk(text) == told


@pytest.mark.parametrize(
    ("text", "language"),
    [("in Korean please", "ko"), ("한국어로 답해줘", "ko"), ("영어로 다시 설명해 주세요", "en"), ("please answer in English", "en"),
     ("in Korean market share", ""), ("한국어로 된 가이드", ""), ("영어", "")],
)  # fmt: skip
def test_a_language_that_is_wished_for(text, language):
    assert language_wished(text) == language


@pytest.mark.parametrize(
    ("text", "place"),
    [("Slack에서만", "in Slack"), ("슬랙에서만 찾아줘", "in 슬랙"), ("only in Slack", "in Slack"), ("just Notion please", "in Notion"),
     ("in Slack only", "in Slack"), ("Slack에서", ""), ("only three of us decided that?", "in three of us decided that"), ("언제 시작해?", "")],
)  # fmt: skip
def test_a_place_that_alone_is_wanted(text, place):
    assert only_in(text) == place


def test_a_thread_is_remembered_for_a_day():
    now = 0.0
    threads = Threads(lambda: now)
    here, there = ChatLocation("T", "C", "1.1"), ChatLocation("T", "C", "2.2")
    threads.remember(here, DialogueTurn("API"))
    threads.remember(here, None)
    assert (threads.turn(here), threads.turn(there)) == (DialogueTurn("API"), None)
    now = THREAD_SECONDS + 1
    assert threads.turn(here) is None


def test_a_delivery_is_heard_once():
    now = 0.0
    once = SeenEvents(lambda: now)
    assert [once.is_new("a"), once.is_new("a"), once.is_new("b"), once.is_new(""), once.is_new("")] == [
        True,
        False,
        True,
        True,
        True,
    ]
    now = 7201.0
    assert once.is_new("a")


# ---- who may see what


def member(name, **more):
    return Member(name, Principal(f"{name}@acme.example"), **more)


A, B, GUEST, STRANGER = member("A"), member("B"), member("G", guest=True), member("S", outsider=True)
HERE = "C1"
RIGHTS = {"web": Right.PUBLIC, "wiki": Right.OPEN, "chat": Right.PLATFORM, "mine": Right.OWN, "old": Right.CLOSED}


class Rooms:
    """A platform that knows its places only."""

    def __init__(self, **places):
        self.places, self.asked = places, []

    async def readers(self, place):
        self.asked.append(place)
        return self.places.get(place, Readers())


def hit(source, place=None, number=1):
    return Hit(source, f"{source}-{number}", Kind.MESSAGE, container=Container("x", place) if place else None)


PUBLIC_PLACE, PAIR = Readers(everyone=True), Readers(members=frozenset("AB"))
IN_PUBLIC = audience_of(HERE, A, Attendance(PlaceKind.OPEN, (A, B)), 10)
IN_PRIVATE = audience_of(HERE, A, Attendance(PlaceKind.CLOSED, (A, B)), 10)
WITH_GUEST = audience_of(HERE, A, Attendance(PlaceKind.CLOSED, (A, GUEST)), 10)
WITH_STRANGER = audience_of(HERE, A, Attendance(PlaceKind.CLOSED, (A, STRANGER)), 10)
UNKNOWN = audience_of(HERE, A, Attendance(PlaceKind.CLOSED, None), 10)
DIRECT = audience_of(HERE, A, Attendance(PlaceKind.DIRECT, ()), 10)
KNOWN = frozenset({("mine", "mine-1")})


@pytest.mark.parametrize(
    ("audience", "seen"),
    [
        # web, wiki, said here, public place, place of A and B, unknown place, nowhere, own (found by all), own (not), closed, unheard of
        (IN_PUBLIC, "yyyynnnynnn"),
        (IN_PRIVATE, "yyyyynnynnn"),
        (WITH_GUEST, "ynynnnnynnn"),
        (WITH_STRANGER, "ynnnnnnnnnn"),
        (UNKNOWN, "ynnnnnnnnnn"),
        (DIRECT, "yynyynnyynn"),
        (alone(GUEST), "ynnnnnnyynn"),
        (alone(STRANGER), "ynnnnnnnnnn"),
    ],
)
async def test_who_may_see_what(audience, seen):
    door = Doorkeeper(RIGHTS, Rooms(C2=PUBLIC_PLACE, C3=PAIR))
    hits = [
        hit("web"),
        hit("wiki"),
        hit("chat", HERE),
        hit("chat", "C2"),
        hit("chat", "C3"),
        hit("chat", "C4"),
        hit("chat"),
        hit("mine"),
        hit("mine", number=2),
        hit("old"),
        hit("new"),
    ]
    allowed = [await door.allows(each, audience, KNOWN) for each in hits]
    assert "".join("y" if each else "n" for each in allowed) == seen


async def test_of_own_rights_nothing_counts_before_the_others_were_asked():
    door = Doorkeeper(RIGHTS, Rooms())
    assert not await door.allows(hit("mine"), IN_PRIVATE, None)
    assert await door.allows(hit("mine"), DIRECT, None)


def test_many_people_are_not_asked_one_by_one():
    many = tuple(member(f"M{n}") for n in range(11))
    assert audience_of(HERE, A, Attendance(PlaceKind.CLOSED, many), 10).others == (NOBODY,)
    assert IN_PRIVATE.others == ("B@acme.example",)
    assert IN_PUBLIC.others == (NOBODY,)


async def test_places_are_asked_once_a_question_and_not_without_end():
    rooms = Rooms(**{f"C{n}": PUBLIC_PLACE for n in range(100)})
    door = Doorkeeper(RIGHTS, rooms)
    seen = [await door.allows(hit("chat", f"C{n}"), DIRECT, None) for n in (1, 1, *range(100))]
    assert len(rooms.asked) == MOST_PLACES
    assert seen.count(True) == MOST_PLACES + 2


async def test_what_is_left_says_nothing_of_what_was_taken_away():
    def outcome(*hits):
        one = HitList(
            Translation(NativeQuery("web", "x")),
            tuple(each.placed(each.source, n) for n, each in enumerate(hits, 1)),
            total=len(hits),
        )
        return Outcome("chat", "Chat", Category.CHAT, Status.OK, (one,), notes=(f"{len(hits)} read",), age=1.0)  # fmt: skip

    door = Doorkeeper(RIGHTS, Rooms(C2=PUBLIC_PLACE))
    shown, secret = hit("chat", "C2", 1), hit("chat", "C9", 2)
    without = await sifted(outcome(shown), door, IN_PUBLIC, None)
    assert await sifted(outcome(secret, shown, secret), door, IN_PUBLIC, None) == without
    nothing = await sifted(outcome(secret), door, IN_PUBLIC, None)
    assert (nothing.status, nothing.hits, nothing.notes) == (Status.EMPTY, (), ())


def test_a_question_without_words_has_no_subject():
    assert subject_of(Query("?")) == ""
