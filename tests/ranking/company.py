"""What an invented company is made of: people, projects, what they write where, and judged questions about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import random


class Thing(NamedTuple):
    """What a matter is about, in both languages, and said otherwise."""

    en: str
    en_other: str
    ko: str
    ko_other: str

    def named(self, lang: str, *, other: bool = False) -> str:
        """In a language."""
        return (self.en_other if other else self.en) if lang == "en" else (self.ko_other if other else self.ko)


@dataclass(slots=True)
class Project:
    """``former``: what it was called before; ``code``: of its issues."""

    name: str
    former: str
    code: str
    lead: str
    lang: str
    channels: tuple[str, ...]
    issues: int = 0

    def next_key(self) -> str:
        """Of an issue."""
        self.issues += 1
        return f"{self.code}-{self.issues}"


@dataclass(slots=True)
class Company:
    """``rows``: what the sandbox serves; ``golden``: judged questions."""

    name: str
    chance: random.Random
    trade: dict[str, Any]
    people: list[dict[str, str]] = field(default_factory=list)
    projects: list[Project] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    golden: list[dict[str, Any]] = field(default_factory=list)

    # ---- who and where

    @property
    def wiki(self) -> str:
        """Where pages are."""
        return next(each for each in self.trade["sources"] if each in {"confluence", "notion"})

    @property
    def tracker(self) -> str:
        """Where issues are."""
        return next(each for each in self.trade["sources"] if each in {"jira", "linear"})

    def has(self, source: str) -> bool:
        """Whether it uses that."""
        return source in self.trade["sources"]

    def person(self, *but: str) -> dict[str, str]:
        """Somebody else."""
        return self.chance.choice([each for each in self.people if each["id"] not in but])

    def name_of(self, person: str) -> str:
        """As people call them."""
        return next(each["name"] for each in self.people if each["id"] == person)

    # ---- what is written

    def _row(self, source: str, kind: str, when: datetime, author: str, text: str, **more: Any) -> str:
        made = f"{self.name}-{len(self.rows):05d}"
        self.rows.append(
            {
                "id": made,
                "source": source,
                "kind": kind,
                "created": when.isoformat(),
                "author": author,
                "author_name": self.name_of(author),
                "text": text,
                **more,
            }
        )
        return made

    def say(self, channel: str, when: datetime, author: str, text: str, thread: str = "") -> str:
        """A message."""
        return self._row(
            "slack", "message", when, author, text, container=channel, **({"thread": thread} if thread else {})
        )

    def talk(self, channel: str, when: datetime, said: list[tuple[str, str]]) -> list[str]:
        """A thread: who says what, one after the other."""
        first = self.say(channel, when, *said[0])
        ids = [first]
        for who, text in said[1:]:
            when += timedelta(minutes=self.chance.randint(2, 180))
            ids.append(self.say(channel, when, who, text, first))
        return ids

    def page(self, title: str, place: str, when: datetime, author: str, text: str) -> str:
        """A wiki page."""
        return self._row(self.wiki, "page", when, author, text, title=title, container=place, updated=when.isoformat())

    def issue(
        self,
        project: Project,
        title: str,
        when: datetime,
        author: str,
        text: str,
        state: str,
        comments: list[tuple[str, str]],
    ) -> str:
        """With its comments."""
        later = when + timedelta(days=self.chance.randint(1, 9))
        told = [
            {
                "text": text,
                "created": (later + timedelta(hours=at)).isoformat(),
                "author": who,
                "author_name": self.name_of(who),
            }
            for at, (who, text) in enumerate(comments)
        ]
        owner = self.person(author)["id"]
        return self._row(
            self.tracker, "issue", when, author, text, title=title, key=project.next_key(), team=project.code, project=project.name,
            container=project.name, state=state, assignee=owner, assignee_name=self.name_of(owner), labels=[], comments=told,
            updated=later.isoformat(),
        )  # fmt: skip

    def mail(self, title: str, when: datetime, author: str, text: str) -> str:
        """Where there is mail; else it is said in a channel for all."""
        if not self.has("gmail"):
            return self.say("general", when, author, f"{title}\n{text}")
        to = [self.person(author)["id"] for _ in range(3)]
        made = f"{self.name}-{len(self.rows):05d}"
        return self._row(
            "gmail",
            "mail",
            when,
            author,
            text,
            title=title,
            to=[self.people[0]["id"], *to],
            cc=[],
            thread=made,
            attachments=[],
        )

    def file(self, title: str, place: str, when: datetime, author: str, text: str, kind: str = "document") -> str:
        """Where there are files; else a page."""
        if not self.has("drive"):
            return self.page(title, place, when, author, text)
        return self._row("drive", kind, when, author, text, title=title, container=place, updated=when.isoformat())

    def ask(self, lang: str, text: str, grades: dict[str, int]) -> None:
        """A judged question."""
        self.golden.append(
            {
                "id": f"{self.name}-q{len(self.golden):03d}",
                "lang": lang,
                "question": text,
                "answerable": True,
                "grades": grades,
            }
        )

    def pick(self, lang: str, english: tuple[str, ...], korean: tuple[str, ...]) -> str:
        """One way to say it."""
        return self.chance.choice(english if lang == "en" else korean)


@dataclass(slots=True)
class Matter:
    """One thing of one project, and the languages in which it is told and asked."""

    company: Company
    project: Project
    thing: Thing
    when: datetime
    lang: str
    asked: str
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = self.company.chance

    def t(self, *, other: bool = False) -> str:
        """The thing, as it is called where it is told."""
        return self.thing.named(self.lang, other=other)

    def q(self) -> str:
        """The thing, as it is called in a question; sometimes in other words."""
        return self.thing.named(self.asked, other=self.chance.random() < 0.25)

    def channel(self) -> str:
        """One of the project's."""
        return self.chance.choice(self.project.channels)

    def of(self) -> str:
        """The project in a question; not everybody names it."""
        if self.chance.random() < 0.2:
            return ""
        return f" of {self.project.name}" if self.asked == "en" else f"{self.project.name} "

    def said(self, english: tuple[str, ...], korean: tuple[str, ...]) -> str:
        """One way to say it, filled in."""
        return self.company.pick(self.lang, english, korean).format(
            t=self.t(), p=self.project.name, other=self.t(other=True)
        )

    def someone(self, *but: str) -> str:
        """An id."""
        return self.company.person(*but)["id"]

    def later(self, least: int, most: int) -> None:
        """Time passes."""
        self.when += timedelta(days=self.chance.randint(least, most), minutes=self.chance.randint(0, 500))

    def question(self, english: tuple[str, ...], korean: tuple[str, ...], grades: dict[str, int]) -> None:
        """Put it down."""
        text = self.company.pick(self.asked, english, korean).format(t=self.q(), of=self.of())
        self.company.ask(self.asked, " ".join(text.split()), grades)


# ---- what is said of nothing in particular

FIRST = ("bri kor lum ve tas qui nor fal mer zan dro pel sky ost har wil tam gre nov cal").split()
LAST = ("ance ith ora ell ium ex ona ard ivo une ask esk alt enna ort ula").split()
SMALL_EN = (
    "Thanks, will do.",
    "Looks fine to me.",
    "ok",
    "+1",
    "I'll have a look after lunch.",
    "Good point.",
    "Can we talk about it on Thursday?",
    "Done.",
)
SMALL_KO = (
    "네, 알겠습니다.",
    "좋습니다.",
    "확인했습니다.",
    "넵",
    "오후에 보겠습니다.",
    "좋은 의견이네요.",
    "목요일에 이야기할까요?",
    "처리했습니다.",
)
DOCS = (
    ("requirements document", "요구사항 문서"),
    ("design document", "설계 문서"),
    ("test report", "시험 보고서"),
    ("vision paper", "비전 문서"),
    ("risk assessment", "위험 평가서"),
    ("cost estimate", "견적서"),
    ("migration plan", "이전 계획서"),
)
REMARKS_EN = (
    "In the second chapter the numbers do not agree with the table.",
    "I would add what happens when the {other} fails.",
    "Could you say who signs it off?",
    "The part about {other} is too long for readers from outside.",
    "Please add a paragraph on data protection.",
    "The goals should be measurable, as 20 % fewer complaints.",
    "I miss a comparison with what others do.",
)
REMARKS_KO = (
    "2장 숫자가 표와 다릅니다.",
    "{other}가 안 될 때 어떻게 하는지도 넣어 주세요.",
    "누가 승인하는지 적어 주시겠어요?",
    "{other} 부분이 외부 사람이 읽기에는 깁니다.",
    "개인정보 보호 내용을 한 문단 추가해 주세요.",
    "목표는 민원 20% 감소처럼 잴 수 있어야 합니다.",
    "다른 회사 사례 비교가 빠졌습니다.",
)


def small(matter: Matter) -> str:
    """What says nothing."""
    return matter.company.pick(matter.lang, SMALL_EN, SMALL_KO)


def filler(matter: Matter) -> str:
    """Further sections of a page, about other things."""
    things = [
        Thing(*each.split(" | "))
        for each in matter.chance.sample(matter.company.trade["things"], matter.chance.randint(0, 4))
    ]
    made = (
        matter.company.pick(
            matter.lang,
            (
                "\n## {t}\nNothing new about the {t}; the team meets again in two weeks.",
                "\n## {t}\nSee the separate page. The {t} is not part of this.",
                "\n## {t}\nThe {t} was tried in spring and worked, with some complaints about the noise.",
            ),
            (
                "\n## {t}\n{t}는 새로운 소식이 없고 2주 뒤 다시 모인다.",
                "\n## {t}\n별도 문서 참고. {t}는 여기서 다루지 않는다.",
                "\n## {t}\n{t}는 봄에 시험했고 소음 민원이 조금 있었다.",
            ),
        ).format(t=each.named(matter.lang))
        for each in things
    )
    return "".join(made)


def minutes(matter: Matter, line: str) -> str:
    """Notes of a meeting about three matters, this among them."""
    lines = [
        line,
        *(
            f"{Thing(*each.split(' | ')).named(matter.lang)}: {small(matter)}"
            for each in matter.chance.sample(matter.company.trade["things"], 2)
        ),
    ]
    matter.chance.shuffle(lines)
    day = matter.when.date().isoformat()
    title = (
        f"{day} {matter.project.name} meeting notes" if matter.lang == "en" else f"{day} {matter.project.name} 회의록"
    )
    return matter.company.page(
        title,
        matter.project.name,
        matter.when,
        matter.someone(),
        "\n".join(f"- {each}" for each in lines) + filler(matter),
    )
