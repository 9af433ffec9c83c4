"""Companies made by a seed, with judged questions: what people do (:mod:`tests.ranking.matters`) and all that stands around it.

A channel carries a project's name, or its former one, and its messages do not; most of what is there answers no question.
"""

from __future__ import annotations

import json
import random
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.ranking.company import DOCS, FIRST, LAST, Company, Matter, Project, Thing
from tests.ranking.matters import TOLD

TRADES = tomllib.loads(Path(__file__).with_name("trades.toml").read_text("utf-8"))
NOW = datetime(2026, 9, 1, 9, tzinfo=UTC)
PROJECTS, MATTERS, PEOPLE, QUESTIONS = 14, 9, 26, 100
GIVEN = (
    "민서 지훈 하윤 도윤 서연 준호 유나 태현 가은 성민 Anna Marco Priya Tom Elena Oskar Mei Luca Nora Ravi Ines Paul Hana Joao Mia Karl"
).split()
FAMILY = (
    "김 이 박 최 정 강 윤 한 오 서 Berg Rossi Nair Ward Costa Lind Chen Bruni Falk Iyer Vidal Kern Mori Silva Hahn Otto"
).split()


IDLE_EN = (
    "Is the {t} documented somewhere?",
    "I saw something about the {t} at the fair.",
    "{p} lunch on Friday?",
    "The {t} again...",
    "Who has the key of the meeting room?",
    "Reminder: time sheets.",
    "The {t} demo went well, thanks to all.",
    "We should talk about {t} next quarter.",
    "Printer on floor 3 is broken.",
    "Happy birthday!",
)
IDLE_KO = (
    "{t} 문서 어디 있나요?",
    "전시회에서 {t} 비슷한 걸 봤어요.",
    "금요일에 {p} 점심 할까요?",
    "또 {t}네요...",
    "회의실 열쇠 누가 갖고 있어요?",
    "근무표 입력해 주세요.",
    "{t} 시연 잘 끝났습니다. 감사합니다.",
    "{t}는 다음 분기에 이야기하시죠.",
    "3층 프린터 고장입니다.",
    "생일 축하합니다!",
)


def idle(company: Company, project: Project, most: int) -> None:
    """What people say besides, and what a chat says by itself."""
    for _ in range(most):
        chance = company.chance
        thing = Thing(*chance.choice(company.trade["things"]).split(" | "))
        when = NOW - timedelta(days=chance.randint(1, 400), minutes=chance.randint(0, 900))
        place, who = chance.choice((*project.channels, "random")), company.person()["id"]
        lang = project.lang if chance.random() < 0.8 else "en"
        text = company.pick(lang, IDLE_EN, IDLE_KO).format(t=thing.named(lang), p=project.name)
        if chance.random() < 0.1:
            text = f"{company.name_of(who)} has joined the channel"
        company.say(place, when, who, text)


TALK_EN = (
    "About the {t}: I think we are on the way, but the {other} worries me.",
    "Can you show the numbers of the {t} again?",
    "Last time we said that the {t} waits for the budget.",
    "I agree, and the team of {p} agrees too.",
    "Let us not forget the people who use it every day.",
    "We looked at three vendors for the {t} and one of them was late.",
    "Fine. Next point: the {t}.",
    "Who takes that with him for next week?",
    "It is written in the {doc}, chapter four I believe.",
    "Yes, but the date is not ours to set.",
)
TALK_KO = (
    "{t}는 가고 있는 것 같은데 {other}가 걱정입니다.",
    "{t} 숫자 다시 보여 주시겠어요?",
    "지난번에 {t}는 예산을 기다린다고 했습니다.",
    "동의합니다. {p} 팀도 같은 생각이에요.",
    "매일 쓰는 사람들을 잊지 맙시다.",
    "{t} 업체 세 곳을 봤는데 한 곳은 늦었습니다.",
    "좋습니다. 다음은 {t}입니다.",
    "다음 주까지 누가 맡을까요?",
    "{doc} 4장에 적혀 있을 겁니다.",
    "네, 하지만 날짜는 우리가 정하는 게 아닙니다.",
)


def talked(company: Company, project: Project) -> None:
    """A meeting written down word for word: long, about everything of the project, and seldom an answer."""
    chance = company.chance
    when = NOW - timedelta(days=chance.randint(5, 380))
    present = chance.sample(company.people, 5)
    lines = []
    for _ in range(chance.randint(25, 90)):
        thing, kind = Thing(*chance.choice(company.trade["things"]).split(" | ")), chance.choice(DOCS)
        line = company.pick(project.lang, TALK_EN, TALK_KO).format(
            t=thing.named(project.lang),
            other=thing.named(project.lang, other=True),
            p=project.name,
            doc=kind[project.lang == "ko"],
        )
        lines.append(f"{chance.choice(present)['name']}: {line}")
    day = when.date().isoformat()
    title = f"{project.name} weekly meeting {day}" if project.lang == "en" else f"{project.name} 주간 회의 {day}"
    company.page(title, project.name, when, present[0]["id"], "\n".join(lines))


def gathered(company: Company, project: Project) -> None:
    """A long file that lists everything of a project with a word on each."""
    chance = company.chance
    parts = []
    for each in chance.sample(company.trade["things"], 16):
        thing = Thing(*each.split(" | "))
        said = (
            (chance.choice(TALK_EN), chance.choice(TALK_EN))
            if project.lang == "en"
            else (chance.choice(TALK_KO), chance.choice(TALK_KO))
        )
        told = " ".join(said).format(
            t=thing.named(project.lang),
            other=thing.named(project.lang, other=True),
            p=project.name,
            doc=chance.choice(DOCS)[project.lang == "ko"],
        )
        parts.append(f"## {thing.named(project.lang)}\n{told}")
    title = f"{project.name} handbook" if project.lang == "en" else f"{project.name} 안내서"
    company.file(title, project.name, NOW - timedelta(days=chance.randint(50, 380)), project.lead, "\n".join(parts))


def invent(name: str, trade: str, seed: int) -> Company:
    """The same company for the same seed."""
    chance = random.Random(seed)
    company = Company(name, chance, TRADES[trade])
    for at in range(PEOPLE):
        family, given = FAMILY[(at * 7 + seed) % len(FAMILY)], GIVEN[(at * 5 + seed) % len(GIVEN)]
        shown = f"{family}{given}" if not (family + given).isascii() and len(family) == 1 else f"{given} {family}"
        company.people.append(
            {
                "id": f"U{at:02d}",
                "name": shown,
                "handle": f"user{at:02d}",
                "email": f"user{at:02d}@{name}.example",
                "title": "",
                "team": "",
            }
        )
    names = chance.sample([f"{one}{two}".title() for one in FIRST for two in LAST], 2 * PROJECTS)
    for called, former in zip(names[:PROJECTS], names[PROJECTS:], strict=True):
        lang = "ko" if chance.random() < company.trade["korean"] else "en"
        usual = called if chance.random() < 0.8 else former  # a channel keeps the name that it was made with
        channels = tuple(
            f"{kind}-{usual}".lower() for kind in chance.sample(["proj", "dev", "plan", "bugs", "team"], 3)
        )
        company.projects.append(
            Project(
                called, former, called[:3].upper() + str(len(company.projects)), company.person()["id"], lang, channels
            )
        )
    for project in company.projects:
        company.page(
            f"{project.name} (formerly {project.former})",
            project.name,
            NOW - timedelta(days=380),
            project.lead,
            f"{project.name}, formerly {project.former}, is led by {company.name_of(project.lead)}.",
        )
        for thing in chance.sample(company.trade["things"], MATTERS):
            told = chance.choice(TOLD)
            asked = project.lang if chance.random() < 0.85 else ("ko" if project.lang == "en" else "en")
            told(
                Matter(
                    company,
                    project,
                    Thing(*thing.split(" | ")),
                    NOW - timedelta(days=chance.randint(70, 360), minutes=chance.randint(0, 600)),
                    project.lang,
                    asked,
                )
            )
        idle(company, project, 90)
        gathered(company, project)
        for _ in range(5):
            talked(company, project)
    company.golden = sorted(chance.sample(company.golden, QUESTIONS), key=lambda each: each["id"])
    return company


COMPANIES = (
    ("velmora", "shipping", 11),
    ("haneulmart", "retail", 22),
    ("quillabs", "laboratory", 33),
    ("ostware", "software", 44),
)


def lay_out(company: Company, folder: Path) -> None:
    """As companies of tests/data are laid out: about.json, corpus/*.jsonl, golden.jsonl."""
    (folder / "corpus").mkdir(parents=True, exist_ok=True)
    about = {"name": company.name, "now": NOW.isoformat(), "owner": company.people[0]["id"]}
    (folder / "about.json").write_text(json.dumps(about), "utf-8")
    for source in company.trade["sources"]:
        _write(folder / "corpus" / f"{source}.jsonl", [row for row in company.rows if row["source"] == source])
    _write(folder / "corpus" / "people.jsonl", company.people)
    _write(folder / "golden.jsonl", company.golden)


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    if rows:
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
