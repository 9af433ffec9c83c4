"""What happens in an invented company: each kind of matter told in several places, as people tell things, and asked about.

A reply says little; minutes hold three matters; what was said first is taken back later. The questions are made beside the matters,
before anybody is asked. Grades: 3 says it, 2 is the talk in which it is said, 1 is about the matter or was so once.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tests.ranking.company import DOCS, FIRST, LAST, REMARKS_EN, REMARKS_KO, Company, Matter, filler, minutes, small

if TYPE_CHECKING:
    from collections.abc import Callable


def reviewed(matter: Matter) -> None:
    """A document is written, shown in the project's channel and talked over there."""
    company, project = matter.company, matter.project
    kind = matter.chance.choice(DOCS)
    author, *readers = (each["id"] for each in matter.chance.sample(company.people, 4))
    named = kind[matter.lang == "ko"]
    title = f"{matter.t()} {named}" if matter.chance.random() < 0.5 else f"{project.name} {matter.t()} {named}"
    body = matter.said(
        (
            "# {t}\n## Purpose\nThis describes the {t} for {p}: what it is for, who uses it and what it must do.\n## Scope\nThe {other} in all sites, without the old ones.\n## Open points\nWho operates it at night is not settled.",
        ),
        (
            "# {t}\n## 목적\n{p}의 {t}가 무엇을 위한 것이고 누가 쓰며 무엇을 해야 하는지 적는다.\n## 범위\n옛 사업장을 뺀 모든 곳의 {other}.\n## 남은 점\n야간 운영 담당은 정해지지 않았다.",
        ),
    ) + filler(matter)
    page = (company.file if matter.chance.random() < 0.5 else company.page)(
        title, project.name, matter.when, author, body
    )
    opening = matter.said(
        (
            f"Hi team, I have put the {named} for the {{t}} here: https://docs.example/{page} Please have a look and tell me what is missing.",
            f"The {named} is ready for review: https://docs.example/{page} It covers the {{t}}.",
        ),
        (
            f"안녕하세요, {{t}} {named} 올렸습니다: https://docs.example/{page} 빠진 점 있으면 알려 주세요.",
            f"{named} 검토 부탁드립니다: https://docs.example/{page} {{t}} 내용입니다.",
        ),
    )
    remarks = [(who, matter.said(REMARKS_EN, REMARKS_KO)) for who in readers]
    replies = [
        turn
        for who, remark in remarks
        for turn in ((who, remark), *([(author, small(matter))] if matter.chance.random() < 0.6 else []))
    ]
    ids = company.talk(matter.channel(), matter.when, [(author, opening), *replies])
    spoken = {each: (2 if company_text(company, each) in {text for _, text in remarks} else 1) for each in ids[1:]}
    matter.question(
        (f"Who wrote the {kind[0]} for the {{t}}{{of}}?", f"find the author of the {{t}} {kind[0]}{{of}}"),
        (f"{{of}}{{t}} {kind[1]} 누가 썼어?", f"{{of}}{{t}} {kind[1]} 작성자"),
        {page: 3, ids[0]: 3, **dict.fromkeys(ids[1:], 1)},
    )
    matter.question(
        (
            f"What was said about the {kind[0]} for the {{t}}{{of}} in the review?",
            f"feedback on the {{t}} {kind[0]}{{of}}",
            f"who reviewed the {{t}} {kind[0]}{{of}}",
        ),
        (f"{{of}}{{t}} {kind[1]} 검토 의견이 뭐였어?", f"{{of}}{{t}} {kind[1]}에 누가 의견을 냈지?"),
        {**{each: grade + 1 for each, grade in spoken.items()}, ids[0]: 2, page: 1},
    )
    if matter.chance.random() < 0.6:
        matter.question(
            (f"where is the {kind[0]} for the {{t}}{{of}}", f"link to the {{t}} {kind[0]}{{of}}"),
            (f"{{of}}{{t}} {kind[1]} 어디 있어?", f"{{of}}{{t}} {kind[1]} 링크 좀"),
            {page: 3, ids[0]: 2},
        )


def company_text(company: Company, made: str) -> str:
    """The text of a row."""
    return str(company.rows[int(made.rsplit("-", 1)[1])]["text"])


def decided(matter: Matter) -> None:
    """Two ways are weighed in a thread, one is taken, the minutes say so; now and then it is taken back."""
    company = matter.company
    ways = (
        ("buy it", "build it ourselves", "keep the old one", "give it to a partner"),
        ("사기로", "직접 만들기로", "기존 것을 쓰기로", "협력사에 맡기기로"),
    )[matter.lang == "ko"]
    taken, rejected = matter.chance.sample(ways, 2)
    one, two, three = (each["id"] for each in matter.chance.sample(company.people, 3))
    ids = company.talk(
        matter.channel(),
        matter.when,
        [
            (
                one,
                matter.said(
                    ("How do we go on with the {t}?", "We need a decision on the {t} this week."),
                    ("{t} 어떻게 할까요?", "이번 주에 {t} 결정이 필요합니다."),
                ),
            ),
            (two, matter.said((f"I would rather {rejected}, it is cheaper.",), (f"{rejected} 하면 더 쌉니다.",))),
            (
                three,
                matter.said(("The numbers of last year speak against it.",), ("작년 숫자를 보면 아닌 것 같습니다.",)),
            ),
            (
                one,
                matter.said(
                    (f"Agreed then: we {taken}.", f"Decision: {taken}, from next month on."),
                    (f"그럼 {taken} 결정하겠습니다.", f"결정: 다음 달부터 {taken} 합니다."),
                ),
            ),
        ],
    )
    grades = {ids[3]: 3, ids[0]: 2, ids[1]: 1, ids[2]: 1}
    matter.later(0, 3)
    if matter.chance.random() < 0.6:
        grades[minutes(matter, matter.said((f"{{t}}: we {taken}.",), (f"{{t}}: {taken} 함.",)))] = 3
    if matter.chance.random() < 0.35:
        matter.later(20, 60)
        mail = company.mail(
            matter.said(("Change of plan: {t}",), ("계획 변경: {t}",)),
            matter.when,
            one,
            matter.said(
                (f"Hello all,\n\nwe take back what we said about the {{t}} for {{p}} and {rejected} instead.\n\nBest",),
                (f"안녕하세요.\n\n{{p}} {{t}} 결정을 바꿔 {rejected} 했습니다.\n\n감사합니다.",),
            ),
        )
        grades = dict.fromkeys(grades, 1) | {mail: 3}
    matter.question(
        ("What did we decide about the {t}{of}?", "decision on the {t}{of}", "how do we go on with the {t}{of}?"),
        ("{of}{t} 어떻게 하기로 했어?", "{of}{t} 결정 내용 알려줘", "{of}{t} 결론이 뭐야?"),
        grades,
    )


def moved(matter: Matter) -> None:
    """A date is set and moved, in different places."""
    company, project = matter.company, matter.project
    days = [(matter.when + timedelta(days=60 + 25 * at)) for at in range(3)]
    shown = [day.strftime("%d %B") if matter.lang == "en" else f"{day.month}월 {day.day}일" for day in days]
    one, two = (each["id"] for each in matter.chance.sample(company.people, 2))
    old = company.talk(
        matter.channel(),
        matter.when,
        [
            (
                one,
                matter.said(
                    (f"The {{t}} is planned for {shown[0]}.", f"We go live with the {{t}} on {shown[0]}."),
                    (f"{{t}}는 {shown[0]}로 잡았습니다.", f"{{t}} 오픈은 {shown[0]}입니다."),
                ),
            ),
            (two, small(matter)),
        ],
    )
    plan = company.page(
        matter.said(("{p} schedule",), ("{p} 일정표",)),
        project.name,
        matter.when,
        one,
        matter.said(
            (f"| item | date |\n| {{t}} | {shown[0]} |\n| kick-off | done |",),
            (f"| 항목 | 날짜 |\n| {{t}} | {shown[0]} |\n| 착수 | 완료 |",),
        )
        + filler(matter),
    )
    grades = {old[0]: 1, old[1]: 0, plan: 1}
    matter.later(5, 30)
    new = company.talk(
        matter.channel(),
        matter.when,
        [
            (
                two,
                matter.said(
                    ("The supplier needs longer. What does that mean for us?",),
                    ("업체가 시간이 더 필요하답니다. 저희는 어떻게 되나요?",),
                ),
            ),
            (
                one,
                matter.said(
                    (
                        f"Then the {{t}} moves to {shown[1]}.",
                        f"New date for the {{t}}: {shown[1]}, no longer {shown[0]}.",
                    ),
                    (f"그럼 {{t}}는 {shown[1]}로 미룹니다.", f"{{t}} 새 날짜는 {shown[1]}입니다. {shown[0]} 아닙니다."),
                ),
            ),
        ],
    )
    grades |= {new[1]: 3, new[0]: 1}
    if matter.chance.random() < 0.5:
        matter.later(1, 5)
        grades[
            company.mail(
                matter.said(("{p}: new dates",), ("{p} 일정 변경 안내",)),
                matter.when,
                one,
                matter.said(
                    (f"Dear all,\n\nthe {{t}} will be on {shown[1]}.\n\nRegards",),
                    (f"안녕하세요.\n\n{{t}}는 {shown[1]}에 합니다.\n\n감사합니다.",),
                ),
            )
        ] = 3
    matter.question(
        ("When is the {t}{of}?", "when do we go live with the {t}{of}?", "date of the {t}{of}"),
        ("{of}{t} 언제야?", "{of}{t} 날짜 알려줘", "{of}{t} 언제로 바뀌었어?"),
        {each: grade for each, grade in grades.items() if grade},
    )


def priced(matter: Matter) -> None:
    """An offer as a file, what was paid in a message, the limit on a page."""
    company, project = matter.company, matter.project
    price = matter.chance.randint(12, 980) * 100
    one, two = (each["id"] for each in matter.chance.sample(company.people, 2))
    vendor = f"{matter.chance.choice(FIRST).title()}{matter.chance.choice(LAST)} GmbH"
    offer = company.file(
        matter.said((f"Offer {vendor} {{t}}",), (f"{vendor} {{t}} 견적",)),
        project.name,
        matter.when,
        one,
        matter.said(
            (f"Position | Price\n{{t}} | EUR {price + 700:,}\nTravel | EUR 300",),
            (f"항목 | 금액\n{{t}} | {price + 700:,}유로\n출장 | 300유로",),
        ),
        "spreadsheet",
    )
    matter.later(3, 12)
    ids = company.talk(
        matter.channel(),
        matter.when,
        [
            (two, matter.said(("What do we pay for the {t} now?",), ("{t} 결국 얼마에 하나요?",))),
            (
                one,
                matter.said(
                    (f"EUR {price:,} after a long call with {vendor}.",),
                    (f"{vendor}와 통화해서 {price:,}유로로 깎았습니다.",),
                ),
            ),
            (two, small(matter)),
        ],
    )
    issue = company.issue(
        project,
        matter.said(("Order the {t}",), ("{t} 발주",)),
        matter.when,
        one,
        matter.said(("As offered, see the file.",), ("견적서 참고.",)),
        "In Progress",
        [(one, matter.said((f"Ordered for EUR {price:,}.",), (f"{price:,}유로로 발주함.",)))],
    )
    matter.question(
        ("How much does the {t}{of} cost?", "price of the {t}{of}", "what do we pay for the {t}{of}?"),
        ("{of}{t} 얼마야?", "{of}{t} 비용", "{of}{t} 가격이 얼마였지?"),
        {ids[1]: 3, issue: 3, ids[0]: 2, offer: 1},
    )
    matter.question(
        ("Who supplies the {t}{of}?", "which vendor delivers the {t}{of}"),
        ("{of}{t} 어느 업체에서 해?", "{of}{t} 거래처"),
        {offer: 3, ids[1]: 3, ids[0]: 1},
    )


def failed(matter: Matter) -> None:
    """Something breaks; talk, an issue with its cause, a page that looks back."""
    company, project = matter.company, matter.project
    causes = (
        ("a worn cable", "an expired key", "a full disk", "a wrong setting after the update", "a misread manual"),
        ("낡은 케이블", "만료된 키", "꽉 찬 디스크", "업데이트 뒤 잘못된 설정", "잘못 읽은 설명서"),
    )[matter.lang == "ko"]
    cause = matter.chance.choice(causes)
    one, two, three = (each["id"] for each in matter.chance.sample(company.people, 3))
    ids = company.talk(
        matter.channel(),
        matter.when,
        [
            (
                one,
                matter.said(
                    ("The {t} is down since this morning.", "Something is wrong with the {t}, nobody can use it."),
                    ("{t}가 아침부터 안 됩니다.", "{t}에 문제가 있습니다. 아무도 못 써요."),
                ),
            ),
            (two, matter.said(("Looking into it.",), ("보고 있습니다.",))),
            (two, matter.said((f"It was {cause}. Works again.",), (f"{cause} 때문이었습니다. 다시 됩니다.",))),
            (three, small(matter)),
        ],
    )
    grades = {ids[2]: 3, ids[0]: 2, ids[1]: 1}
    issue = company.issue(
        project,
        matter.said(("{t} fails", "Outage of the {t}"), ("{t} 장애", "{t} 중단")),
        matter.when,
        one,
        matter.said(("Nobody can work with it since eight.",), ("8시부터 아무도 못 씁니다.",)),
        "Done",
        [(two, matter.said((f"Cause: {cause}.",), (f"원인: {cause}.",)))],
    )
    grades[issue] = 3
    matter.later(1, 6)
    if matter.chance.random() < 0.6:
        grades[
            company.page(
                matter.said(("Looking back: {t} outage", "Postmortem {p}"), ("{t} 장애 회고", "{p} 장애 보고")),
                project.name,
                matter.when,
                two,
                matter.said(
                    (
                        f"## What happened\nThe {{t}} stood still for {matter.chance.randint(1, 9)} hours.\n## Cause\n{cause.capitalize()}.\n## What we do\nCheck it every month.",
                    ),
                    (
                        f"## 무슨 일이\n{{t}}가 {matter.chance.randint(1, 9)}시간 멈췄다.\n## 원인\n{cause}.\n## 대책\n매달 점검한다.",
                    ),
                )
                + filler(matter),
            )
        ] = 3
    matter.question(
        ("Why did the {t}{of} fail?", "cause of the {t} outage{of}", "what was wrong with the {t}{of}?"),
        ("{of}{t} 왜 안 됐어?", "{of}{t} 장애 원인이 뭐야?", "{of}{t} 무슨 문제였어?"),
        grades,
    )


def under_way(matter: Matter) -> None:
    """Work, as the issue and the last message say."""
    company, project = matter.company, matter.project
    done = matter.chance.randint(3, 9) * 10
    one, two = (each["id"] for each in matter.chance.sample(company.people, 2))
    before = company.say(
        matter.channel(),
        matter.when,
        one,
        matter.said((f"{{t}}: {done - 30} % done.",), (f"{{t}} {done - 30}% 진행했습니다.",)),
    )
    issue = company.issue(
        project, matter.said(("Finish the {t}", "{t}"), ("{t} 마무리", "{t}")), matter.when, one, matter.said(("All sites must have it.",), ("모든 사업장에 적용.",)), matter.chance.choice(["In Progress", "Blocked"]),
        [(one, matter.said((f"{done} % are through, we wait for the last site.",), (f"{done}% 끝났고 마지막 사업장을 기다립니다.",)))],
    )  # fmt: skip
    matter.later(6, 20)
    ids = company.talk(
        matter.channel(),
        matter.when,
        [
            (
                two,
                matter.said(
                    ("Any news on the {t}?", "Where are we with the {t}?"),
                    ("{t} 어떻게 되고 있어요?", "{t} 진행 상황 아시는 분?"),
                ),
            ),
            (one, matter.said((f"{done} %, the rest next week.",), (f"{done}%이고 나머지는 다음 주예요.",))),
        ],
    )
    matter.question(
        ("How far are we with the {t}{of}?", "status of the {t}{of}", "is the {t}{of} finished?"),
        ("{of}{t} 어디까지 됐어?", "{of}{t} 진행 상황", "{of}{t} 다 끝났어?"),
        {issue: 3, ids[1]: 3, ids[0]: 2, before: 1},
    )


def owned(matter: Matter) -> None:
    """Who looks after it: on the page, and handed over in a message."""
    company, project = matter.company, matter.project
    one, two = (each["id"] for each in matter.chance.sample(company.people, 2))
    old, new = company.name_of(one), company.name_of(two)
    page = company.page(
        matter.said(("Who does what in {p}", "{p} contacts"), ("{p} 담당자", "{p} 역할 분담")), project.name, matter.when, one,
        matter.said((f"- {{t}}: {old}\n- reports: {company.name_of(matter.someone())}\n- travel: {company.name_of(matter.someone())}",), (f"- {{t}}: {old}\n- 보고: {company.name_of(matter.someone())}\n- 출장: {company.name_of(matter.someone())}",)),
    )  # fmt: skip
    matter.later(10, 50)
    handed = company.talk(
        matter.channel(),
        matter.when,
        [
            (
                one,
                matter.said(
                    (f"From Monday on {new} looks after the {{t}}.", f"I hand the {{t}} over to {new}."),
                    (f"월요일부터 {{t}}는 {new} 님이 맡습니다.", f"{{t}} 담당을 {new} 님께 넘깁니다."),
                ),
            ),
            (two, small(matter)),
        ],
    )
    matter.question(
        ("Who is responsible for the {t}{of}?", "owner of the {t}{of}", "whom do I ask about the {t}{of}?"),
        ("{of}{t} 담당자 누구야?", "{of}{t} 누가 맡고 있어?", "{of}{t} 누구한테 물어봐야 해?"),
        {handed[0]: 3, page: 1, handed[1]: 1},
    )


def rule(matter: Matter, count: int) -> str:
    """As it stands on a page."""
    return matter.said(
        (
            f"The {{t}} is checked every {count} days, and by two people.",
            f"At most {count} of the {{t}} may be open at once.",
        ),
        (f"{{t}}는 {count}일마다 두 사람이 점검한다.", f"{{t}}는 한 번에 {count}건까지만 열어 둔다."),
    )


def ruled(matter: Matter) -> None:
    """A rule that a page holds, an older edition of it, and somebody who asks and is answered."""
    company, project = matter.company, matter.project
    number, one, two = matter.chance.randint(3, 30), *(each["id"] for each in matter.chance.sample(company.people, 2))
    old = company.page(
        matter.said(("{t} rules 2025", "Guideline {t} (old)"), ("{t} 규정 2025", "{t} 지침 (구)")),
        project.name,
        matter.when - timedelta(days=300),
        one,
        rule(matter, number + 4) + filler(matter),
    )
    new = company.page(
        matter.said(("{t} rules 2026", "Guideline {t}"), ("{t} 규정 2026", "{t} 지침")),
        project.name,
        matter.when,
        one,
        rule(matter, number) + filler(matter),
    )
    ids = company.talk(
        matter.channel(),
        matter.when,
        [
            (two, matter.said(("What are the rules for the {t} again?",), ("{t} 규정이 어떻게 되죠?",))),
            (one, matter.said((f"{number}, as in the guideline of this year.",), (f"올해 지침대로 {number}입니다.",))),
        ],
    )
    matter.question(
        ("What are the rules for the {t}{of}?", "guideline for the {t}{of}", "how often is the {t}{of} checked?"),
        ("{of}{t} 규정이 뭐야?", "{of}{t} 지침", "{of}{t} 기준 알려줘"),
        {new: 3, ids[1]: 2, ids[0]: 1, old: 1},
    )


TOLD: tuple[Callable[[Matter], None], ...] = (
    reviewed,
    reviewed,
    decided,
    moved,
    priced,
    failed,
    under_way,
    owned,
    ruled,
)
