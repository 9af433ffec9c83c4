"""A company that says the same in every place, the questions of each kind to it, and what of an answer lies inside what was asked."""

from __future__ import annotations

from typing import Any

KINDS = ("slack", "notion", "linear", "gmail", "asana", "drive")
DAY = "2026-11-17T09:00:00+09:00"
PEOPLE = [
    {"id": "U01", "name": "Sarah Kim", "handle": "sarah", "email": "sarah@acme.example"},
    {"id": "U02", "name": "이하늘", "handle": "haneul", "email": "haneul@acme.example"},
]
OF = {"slack": "message", "gmail": "mail", "notion": "page", "drive": "document", "linear": "issue"}
BESIDES: dict[str, dict[str, Any]] = {
    "slack": {"container": "general", "container_id": "C01"},
    "gmail": {"to": ["U01"], "labels": ["INBOX"]},
    "linear": {"team": "FAL", "state": "In Progress", "priority": 2, "assignee": "U02", "assignee_name": "이하늘"},
}


def told(source: str, name: str, text: str, title: str = "", **more: Any) -> dict[str, Any]:
    """An item of a small company, of the same day as all the others."""
    own = {"thread": name} if source == "gmail" else {"key": f"FAL-{name}"} if source == "linear" else {}
    return {
        "id": f"{source}-{name}", "source": source, "kind": OF[source], "title": title, "text": text, "author": "U01", "author_name": "Sarah Kim",
        "container": "", "created": DAY, "updated": DAY, **BESIDES.get(source, {}), **own, **more,
    }  # fmt: skip


MATTERS = [
    # one matter, told in each kind of place in as many words
    told("slack", "1", "The Falcon launch plan lies on the table, 11 items are listed. 팔콘 출시 계획입니다, 항목 11개."),
    told("gmail", "1", "The Falcon launch plan lies on the table, 12 items are listed. 팔콘 출시 계획입니다, 항목 12개.", "Falcon launch 팔콘 출시"),
    told("notion", "1", "The Falcon launch plan lies on the table, 13 items are listed. 팔콘 출시 계획입니다, 항목 13개.", "Falcon launch 팔콘 출시"),
    told("drive", "1", "The Falcon launch plan lies on the table, 14 items are listed. 팔콘 출시 계획입니다, 항목 14개.", "Falcon launch 팔콘 출시"),
    told("linear", "1", "The Falcon launch plan lies on the table, 15 items are listed. 팔콘 출시 계획입니다, 항목 15개.", "Falcon launch 팔콘 출시"),
    # another, each step of the ladders
    told("notion", "minutes", "Osprey: everybody was there and it is 3 December, after 21 tests.", "Meeting notes: Osprey"),
    told("slack", "conclusion", "Osprey: we will go with 3 December, after 22 tests."),
    told("gmail", "confirmation", "Osprey: I confirm that it is 3 December, after 23 tests.", "Osprey"),
    told("slack", "message", "Osprey: it may well be 3 December, with 24 tests."),
    told("notion", "policy", "Osprey: it is 3 December, with 25 tests.", "Policy: Osprey"),
    told("drive", "shared", "Osprey: it is 3 December, with 26 tests.", "Osprey"),
    told("gmail", "notice", "Osprey: it is 3 December, with 27 tests.", "Announcement: Osprey"),
    told("linear", "issue", "Osprey: it is 3 December, with 28 tests.", "Osprey"),
    told("notion", "report", "Osprey: it is 3 December, with 29 tests.", "Status update: Osprey"),
    told("gmail", "mail", "Osprey: it is 3 December, with 30 tests.", "Osprey"),
    told("slack", "heron", "We decided on the Heron date: it is 3 December, 31 tests."),
    told("drive", "heron", "The Heron date may well be 3 December, 32 tests.", "Heron date"),
    told("linear", "heron", "The Heron date may well be 3 December, 33 tests.", "Heron date"),
    told("slack", "결론", "흰수리 일정은 12월 3일로 결정했습니다. 시험 31건."),
    told("drive", "문서", "흰수리 일정은 12월 3일 같습니다. 시험 32건.", "흰수리 일정"),
    told("linear", "과제", "흰수리 일정은 12월 3일 같습니다. 시험 33건.", "흰수리 일정"),
    # one word for several things
    told("notion", "db", "Phoenix moves the database to PostgreSQL 17.", "Database migration plan (Phoenix)"),
    told("slack", "db", "The Phoenix database migration starts on Monday.", container="phoenix", container_id="C02"),
    told("linear", "db", "Rehearse the database migration of Phoenix twice.", "Database migration: rehearsal"),
    told("notion", "cloud", "All services leave AWS for GCP.", "Cloud migration AWS to GCP"),
    told("slack", "cloud", "Cloud migration: 14 of 18 services run on GCP now.", container="platform", container_id="C03"),
    told("linear", "cloud", "Move the rest of the cloud migration to GCP.", "Cloud migration: last four services"),
    told("gmail", "box", "Mailboxes go from Exchange to O365 on Saturday.", "Mail migration this Saturday"),
    told("gmail", "box2", "The mail migration from Exchange to O365 is done.", "Re: Mail migration this Saturday"),
    told("slack", "box", "Mail migration: sign in to Outlook again, please.", container="it-help", container_id="C04"),
    told("notion", "정산", "올해부터 정산 규정이 바뀝니다.", "정산 규정"),
    told("slack", "정산", "정산 규정 질문은 여기로 주세요."),
    told("drive", "정산", "정산 규정 초안을 봐 주세요.", "정산 규정 초안"),
    told("notion", "보안", "보안 규정은 분기마다 봅니다.", "보안 규정"),
    told("slack", "보안", "보안 규정 교육은 금요일입니다."),
    told("drive", "보안", "보안 규정 사본입니다.", "보안 규정 사본"),
]  # fmt: skip


TYPES = {
    "decision": ("What did we decide about the Falcon launch?", "팔콘 출시에 대해 무엇을 결정했나요?"),
    "status": ("What is the status of the Falcon launch?", "팔콘 출시 지금 어디까지 진행됐나요?"),
    "document": ("Where is the document for the Falcon launch?", "팔콘 출시 문서 어디 있나요?"),
    "person": ("Who is working on the Falcon launch?", "팔콘 출시는 누가 담당하나요?"),
    "factual": ("What is the policy on the Falcon launch?", "팔콘 출시 규정이 어떻게 되나요?"),
    "temporal": ("When did the Falcon launch happen?", "팔콘 출시는 언제 했나요?"),
    "exploratory": ("What do we know about the Falcon launch?", "팔콘 출시에 대해 우리가 아는 것은?"),
}


def inside(reply: dict[str, Any]) -> list[dict[str, Any]]:
    """The results that satisfy what was asked, as far as anybody can tell; the others say first that they do not."""
    return [
        each for each in reply["results"] if not each["why"][0].startswith(("outside what was asked", "요청한 조건 밖"))
    ]
