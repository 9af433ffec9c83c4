"""The local index, asked for real: a filter never leaves out what the question wants, and lets nothing else through."""

import asyncio
from datetime import datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connectors.local import retrieval
from connectors.local.documents import PUBLIC, Document
from connectors.local.retrieval import RetrievalScope
from connectors.local.store import IndexStore
from connectors.passages import Passage
from storage.database import Database
from translators.capabilities import Fidelity
from translators.hybrid import Hybrid
from translators.hybrid.verdicts import forms
from translators.match import matches, words
from translators.query import Compare, Field, Not, Person, Phrase, Query, QueryType, Term, leaves
from translators.strategies import WORDS, Paper, clauses, documents

ME = "sarah@x.example"


@pytest.fixture
def runner(index_url):
    """One loop and one index for all examples."""
    with asyncio.Runner() as loop:
        index = IndexStore(Database(index_url, 2))
        yield loop, index
        loop.run(index.aclose())


def kept(n, paper):
    """A paper as it is put into the index."""
    return Document(
        "files", str(n), paper.title, (Passage(paper.snippet),), (PUBLIC,), kind=paper.kind, author=paper.author,
        assignee=paper.assignee, container=paper.container, state=paper.state, created=paper.created, updated=paper.updated,
    )  # fmt: skip


def is_me(who):
    return who is not None and ME in {who.email, who.native_id}


def seen_by_me(paper):
    """Who is "me" is known by address or id alone."""
    people = {}
    for name in ("author", "assignee"):
        who = getattr(paper, name)
        people[name] = who and Person(who.name, who.native_id, who.email, me=is_me(who))
    return type(paper)(
        **{**{slot: getattr(paper, slot) for slot in paper.__slots__}, **people, "complete": True, "id": "", "url": ""}
    )


def sane(asked: Any) -> bool:
    """Times at the ends of the calendar are kept as the nearest that can be: there, before and after are one."""
    moments = (
        [leaf.value for leaf in leaves(asked) if isinstance(leaf, Compare)]
        if not isinstance(asked, Paper)
        else [asked.created, asked.updated]
    )
    return all(1970 <= moment.year <= 9000 for moment in moments if isinstance(moment, datetime))


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    st.lists(documents().filter(sane), min_size=1, max_size=5), st.lists(clauses().filter(sane), min_size=1, max_size=6)
)
def test_a_filter_is_what_the_question_means(runner, papers, asked):
    """Everything that certainly satisfies the question is found; what certainly does not is found only if that is said."""
    loop, index = runner
    papers = [seen_by_me(paper) for paper in papers]
    loop.run(index.delete_source("files"))
    loop.run(index.upsert([kept(n, paper) for n, paper in enumerate(papers)]))
    names = loop.run(index.database.run(lambda each: each.fetch("SELECT id, native_id::int AS n FROM documents")))
    numbers = {row["id"]: row["n"] for row in names}
    for where in asked:
        translation = Hybrid().translate(Query("?", where=where), Hybrid.can)
        scope = RetrievalScope((PUBLIC,), translation.native.args.get("filter"), (ME,))
        found = {
            numbers[each.document]
            for each in loop.run(index.database.run(lambda each, scope=scope: retrieval.newest(each, scope, 100)))
        }
        exactly = translation.residual is None and not any(isinstance(leaf, Term) for leaf in leaves(where))
        for n, paper in enumerate(papers):
            truth = matches(where, paper)
            assert truth is not True or n in found, f"{paper} satisfies {where}, and {scope.condition} leaves it out"
            assert not exactly or truth is not False or n not in found, (
                f"{paper} does not satisfy {where}: {scope.condition}"
            )


@given(st.sampled_from(WORDS) | st.text(max_size=8))
def test_a_word_that_is_not_wanted_is_left_out_in_every_form(text):
    """As a term means it: what is pushed and what is left for us say the same together."""
    translation = Hybrid().translate(Query("?", where=Not(Term(text))), Hybrid.can)
    if len(words(text)) == 1 and translation.residual is None:
        assert translation.native.args["filter"] == {"without": [forms(words(text)[0])[0]]}


def test_a_source_that_cannot_check_phrases_is_not_asked_by_them():
    weak = Hybrid.can.meet(type(Hybrid.can)(term=Fidelity.APPROXIMATE))
    where = Not(Term("deploy"))
    translation = Hybrid().translate(Query("?", where=where), weak)
    assert (translation.native.args.get("filter"), translation.residual) == (None, where)


def test_typed_filters_do_not_stand_in_the_question():
    said = '-draft from:sarah in:"eng platform" when https://x.example/a:b ends after:2025-01-01 9:30'
    native = Hybrid().translate(Query(said, where=Phrase("x")), Hybrid.can).native
    assert native.args["question"] == "when https://x.example/a:b ends"


@pytest.mark.parametrize("kind", QueryType)
def test_how_things_stand_asks_for_what_is_new(kind):
    args = Hybrid().translate(Query("배포 status", Term("배포"), kind), Hybrid.can).native.args
    assert args.get("new") is (True if kind is QueryType.STATUS else None)


def test_an_id_is_a_condition_like_another():
    from translators.query import Identifier, IdKind, Op, all_of

    thing = Compare(Field.ID, Op.EQ, Identifier(IdKind.TICKET, "ENG-12"))
    native = Hybrid().translate(Query("?", where=all_of([thing, Phrase("deploy")])), Hybrid.can).native
    assert native.args["filter"] == {"all": [{"id": "ENG-12"}, {"words": ["deploy"]}]}
