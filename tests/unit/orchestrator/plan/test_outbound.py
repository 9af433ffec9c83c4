"""What may be said outside: every kind of thing that must stay inside, and what must not be taken for one."""

from __future__ import annotations

from connectors.contract import SourceDirectory
from orchestrator.plan.outbound import HOST, KEY, NAMED, PERSON, PLACE, Inside, Vocabulary, release
from tests.rows import each_row
from translators.query import (
    AnyOf,
    Compare,
    Container,
    Entity,
    EntityKind,
    Field,
    Identifier,
    IdKind,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Query,
    State,
    Term,
    all_of,
)

DIRECTORY = SourceDirectory(
    people=(
        Person("Sarah Kim", "U0123ABC9", "skim@acme.example"),
        Person("김민수", "U02", "minsu.k@acme.example"),
        Person("Mark Design"),
        Person("박 서연"),
    ),
    containers=(
        Container("eng-platform", "C0AB12CD3"),
        Container("design"),
        Container("공지"),
        Container("ENG", "7f3c"),
    ),
)
VOCABULARY = Vocabulary(
    words=("Project Atlas", "블루버드"),
    hosts=("corp.acme.example", "grafana"),
    public=("kubernetes",),
    common=frozenset({"design", "page", "release", "방법"}),
)


def inside(query: Query | None = None) -> Inside:
    return Inside.of(query or Query("?"), [DIRECTORY], VOCABULARY, ["forum.acme.example", ""])


@each_row(
    ("text", "why"),
    [
        ("Sarah Kim", PERSON),
        ("kim sarah", PERSON),
        ("sarah", PERSON),
        ("SARAH's", PERSON),
        ("sarahkim", PERSON),
        ("sarah_kim", PERSON),
        ("Ｓａｒａｈ", PERSON),
        ("skim", PERSON),
        ("김민수가", PERSON),
        ("민수한테", PERSON),
        ("김 민수", PERSON),
        ("김\u200b민수", PERSON),
        ("서연", PERSON),
        ("somebody@elsewhere.example", PERSON),
        ("Mark", PERSON),
        ("mark", PERSON),
        ("eng-platform", PLACE),
        ("Eng Platform", PLACE),
        ("공지에", PLACE),
        ("Design", PLACE),
        ("Project Atlas", NAMED),
        ("project_atlas", NAMED),
        ("블루버드는", NAMED),
        ("PHX-12", KEY),
        ("eng-12", KEY),
        ("acme/app#12", KEY),
        ("#1234", KEY),
        ("#eng-alerts", KEY),
        ("@minsu", KEY),
        ("<@U0123ABC>", KEY),
        ("<#C123|general>", KEY),
        ("U0123ABCD", KEY),
        ("7f3c0ffe-0123-4567-89ab-cdef01234567", KEY),
        ("wiki.corp.acme.example", HOST),
        ("https://grafana/d/1", HOST),
        ("http://wiki/x", HOST),
        ("forum.acme.example", HOST),
        ("db1.internal", HOST),
        ("printer.local", HOST),
        ("10.20.3.4", HOST),
        ("http://[fd00::1]/", HOST),
        ("wiki.corp.acme.example에서", HOST),
        ("https://grafana에서", HOST),
        ("PHX-12는", KEY),
        ("eng-12에서", KEY),
        ("169.254.169.254", HOST),
        ("\\\\files\\share", HOST),
        ("ssh://build.corp", HOST),
    ],
)
def test_what_stays_inside(text: str, why: str) -> None:
    assert inside().finds(text) == why
    assert inside().finds(f"how is {text} today") == why


@each_row(
    "text",
    [
        "design", "designs", "Kubernetes", "react", "UTF-8", "CVE-2024-1234", "RFC-9110", "GPT-4", "ISO-8601", "C#", "C++", ".NET",
        "Node.js", "@types/node", "react.dev", "https://docs.python.org/3/", "8.8.8.8", "v2.1.3", "3.14", "a.b", "쿠버네티스", "배포 방법",
        "platform", "atlas", "project", "sar", "김치", "민", "release page", "", " ", "and/or", "x", "ERR_CONN_4012",
    ],
)  # fmt: skip
def test_what_may_be_said(text: str) -> None:
    assert inside().finds(text) == ""


def test_what_the_question_names_stays_inside() -> None:
    """Though no source knows it yet: people, projects, teams, filters, keys, papers; a tool is known everywhere."""
    query = Query(
        "?",
        author=Person("Jane Doe", email="jd@acme.example"),
        container=Container("war room"),
        entities=(
            Entity(EntityKind.PERSON, "하늘"),
            Entity(EntityKind.PROJECT, "Phoenix"),
            Entity(EntityKind.TEAM, "Growth Squad"),
            Entity(EntityKind.TOOL, "Terraform"),
            Entity(EntityKind.PROJECT, "Pages"),
        ),
        ids=(
            Identifier(IdKind.TICKET, "phx-9"),
            Identifier(IdKind.FILE_NAME, "인사 평가.xlsx"),
            Identifier(IdKind.FILE_NAME, "Next.js"),
            Identifier(IdKind.ERROR_CODE, "ERR_CONN_4012"),
        ),
    )
    known = inside(query)
    for text in ("jane", "Doe", "jd", "war room", "하늘이", "phoenix", "growth squad", "see PHX-9", "인사 평가.xlsx"):
        assert known.finds(text), text
    for text in ("terraform", "pages", "Next.js", "ERR_CONN_4012"):
        assert not known.finds(text), text


def test_whom_the_question_means_is_no_word_of_the_language() -> None:
    query = Query("?", entities=(Entity(EntityKind.PERSON, "design"),))
    assert inside(query).finds("design") == PERSON


def test_public_words_may_be_said_whoever_is_called_so() -> None:
    directory = SourceDirectory(containers=(Container("Kubernetes"),))
    assert Inside.of(Query("?"), [directory], VOCABULARY).finds("Kubernetes") == ""
    assert Inside.of(Query("?"), [directory], Vocabulary()).finds("Kubernetes") == PLACE


# ---- clauses


def test_conditions_are_held_one_by_one_and_named() -> None:
    where = all_of([Term("deploy"), Term("sarah"), Phrase("release with PHX-12"), Not(Term("블루버드"))])
    found = release(where, inside())
    assert found.where == Term("deploy")
    assert found.held == (
        (Term("sarah"), PERSON),
        (Phrase("release with PHX-12"), KEY),
        (Not(Term("블루버드")), NAMED),
    )


def test_of_alternatives_those_that_may_be_said_stay() -> None:
    found = release(AnyOf((Term("k8s"), Term("블루버드"), Term("cluster"))), inside())
    assert found.where == AnyOf((Term("k8s"), Term("cluster")))
    assert len(found.held) == 1
    assert release(AnyOf((Term("sarah"), Term("블루버드"))), inside()).where == all_of([])


def test_a_name_that_is_spread_over_words_is_held_whole() -> None:
    found = release(all_of([Term("compare"), Term("project"), Term("atlas"), Term("terraform")]), inside())
    assert found.where == all_of([Term("compare"), Term("terraform")])
    assert [str(part) for part, _ in found.held] == ["project", "atlas"]


@each_row(
    ("leaf", "stays"),
    [
        (Compare(Field.AUTHOR, Op.EQ, Person("x")), True),
        (Compare(Field.ASSIGNEE, Op.EQ, Person("", me=True)), True),
        (Compare(Field.STATE, Op.EQ, State.OPEN), True),
        (Compare(Field.ID, Op.EQ, Identifier(IdKind.URL, "https://x.example")), True),
        (Compare(Field.CONTAINER, Op.EQ, Container("general")), True),
        (Compare(Field.CONTAINER, Op.EQ, Container("wiki.corp.acme.example")), True),
        (Compare(Field.CONTAINER, Op.EQ, Container("react.dev")), False),
        (Compare(Field.KIND, Op.EQ, Kind.WEB_PAGE), False),
    ],
)
def test_filters(leaf: Compare, stays: bool) -> None:
    assert bool(release(leaf, inside()).held) is stays


def test_lesser_words_are_held_as_others_are() -> None:
    query = Query(
        "?", keywords=("release", "Project"), lesser=(("Atlas", 0.3), ("Sarah", 0.5), ("owner", 0.2), ("2026년", 0.5))
    )
    within = Inside.of(query, [DIRECTORY], VOCABULARY)
    assert [word for word, _ in within.sayable(query).lesser] == ["owner", "2026년"]
