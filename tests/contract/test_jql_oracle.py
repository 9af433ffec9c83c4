"""JQL that we write, and JQL that the sandbox reads, held against Atlassian's own grammar (npm ``@atlaskit/jql-ast``)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import translators
from connectors.registry import load_source
from connectors.testing.exemplar import filed_exemplars
from orchestrator.sandbox.jira import grammar
from orchestrator.sandbox.jira.bodies import JiraError
from orchestrator.sandbox.jira.grammar import RESERVED
from tests.contract.oracles.jql.atlassian import Atlassian, why_not
from translators import strategies
from translators.exemplars import exemplars_from
from translators.jql import Jql
from translators.query import Phrase, Prefix, Query, Term

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_SECONDS = 600  # thousands of queries, where a deep run asks for them

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "-")


@pytest.fixture(scope="module")
def atlassian() -> Iterator[Atlassian]:
    """One process for all tests here: starting it takes longer than reading thousands of queries."""
    with Atlassian() as parser:
        yield parser


# ---- what we write


def test_every_exemplar_is_jql(atlassian: Atlassian) -> None:
    """Of the dialect and of the source, hostile ones included."""
    folder = Path(translators.__path__[0]) / "jql" / "exemplars"
    texts = [
        each.text for path in folder.glob("*.toml") for each in exemplars_from(tomllib.loads(path.read_text("utf-8")))
    ]
    texts += [filed.exemplar.native.text for filed in filed_exemplars(load_source("jira"))]
    assert len(texts) > 100
    assert {text: errors for text in texts if (errors := atlassian.read(text).errors)} == {}


@pytest.mark.timeout(MOST_SECONDS)
def test_whatever_is_asked_is_jql_and_bounded(atlassian: Atlassian) -> None:
    """No question makes a query that Jira cannot parse, or would refuse for lack of any restriction."""

    @given(strategies.queries(), strategies.capabilities() | st.just(Jql.can))
    def check(query: Query, can: strategies.Capabilities) -> None:
        text = Jql().translate(query, can).native.text
        reading = atlassian.read(text)
        assert reading.errors == [], text
        assert reading.where is not None, text

    check()


@pytest.mark.timeout(MOST_SECONDS)
def test_what_people_type_is_one_value_of_one_clause(atlassian: Atlassian) -> None:
    """Atlassian's parser sees ``text ~ "…"`` whatever is typed, and what it takes for the value holds every letter of it."""
    everything = Jql().translate(Query("?"), Jql.can).native.text

    @given(strategies.text_leaves())
    def check(leaf: Term | Phrase | Prefix) -> None:
        text = Jql().translate(Query("?", where=leaf), Jql.can).native.text
        if text == everything:
            return
        field, operator, operand = atlassian.read(text).where
        assert (field, operator, operand.keys()) == ("text", "~", {"value"})
        assert letters(leaf.text) in letters(operand["value"])

    check()


def letters(text: str) -> str:
    """Letters and digits, without case and in one spelling."""
    from translators.emit import as_typed

    return "".join(char for char in as_typed(text).casefold() if char.isalnum())


# ---- what the sandbox reads


@pytest.mark.timeout(MOST_SECONDS)
def test_the_sandbox_reads_our_jql_as_atlassian_does(atlassian: Atlassian) -> None:
    """The same tree: field, operator and value of each clause, joined in the same way, in the same order."""

    @given(strategies.queries())
    def check(query: Query) -> None:
        text = Jql().translate(query, Jql.can).native.text
        reading, ours = atlassian.read(text), grammar.parse(text)
        assert ours.where is not None
        assert simplified(tree(ours.where)) == simplified(reading.where), text
        assert [[name, {True: "DESC", False: "ASC", None: None}[down]] for name, down in ours.order] == reading.order

    check()


def tree(node: grammar.Node) -> Any:
    """A node of the sandbox's grammar as the oracle writes it."""
    match node:
        case grammar.All(nodes=nodes):
            return ["and", *map(tree, nodes)]
        case grammar.Any(nodes=nodes):
            return ["or", *map(tree, nodes)]
        case grammar.Not(node=inner):
            return ["not", tree(inner)]
        case grammar.Clause(field=field, operator=operator, operands=operands):
            return [field, operator, *map(operand, operands)]


def operand(value: grammar.Operand) -> Any:
    match value:
        case grammar.Value(text=text):
            return {"value": text}
        case grammar.Call(name=name, arguments=arguments):
            return {"function": name, "arguments": list(arguments)}
        case grammar.Empty():
            return {"keyword": "empty"}


def simplified(node: Any) -> Any:
    """Groups of one are their part, a group in a like group melts, and names are compared without case."""
    match node:
        case ["and" | "or" as join, *parts] if parts and isinstance(parts[0], list):
            done = [simplified(part) for part in parts]
            return [join, *(inner for part in done for inner in (part[1:] if part[0] == join else [part]))]
        case ["not", part]:
            return ["not", simplified(part)]
        case [field, operator, {"function": name, **rest}]:
            return [field.casefold(), operator, {"function": name.casefold(), **rest}]
        case _:
            return [node[0].casefold(), *node[1:]]


SOME_JQL = (
    'project = FOO AND text ~ "login \\"bug\\"" AND created >= -7d AND status NOT IN (Done, "In Progress") ORDER BY updated DESC',
    "assignee = currentUser() and (reporter != \"557058:a-b\" or reporter is empty) || labels in (a, 'b c')",
    "not (a = 1 or b = 2) and c is not null order by d asc, e",
    'cf[10010] = 3 && ! "Story Points" > 5',
    'text ~ "foo\\\\_bar\\\\*"',
    "summary ~ 'it\\'s' AND due < 2026-01-31",
    'text ~ "결제 서비스" and 담당자 = "김민수"',
    "updated >= startOfDay() and project = v2.1",
    "order by created",
)  # fmt: skip
NO_JQL = (
    'project = FOO AND (text ~ "x"', 'text ~ "a" OR', 'text ~ "foo\\_bar"', "text ~ C#", "assignee = a@b.c", "project = select",
    'text ~ "a', "text ~ a b", "= 1", "a ~", "a = b order by", "a in b", "a is", "a = )", "()", "a = 1 b = 2", 'text ~ "x"y"',
    "and = 1", "a = 1 and", "not", "a not b", "a in ()", "a = 1 order created",
)  # fmt: skip


@pytest.mark.parametrize("jql", SOME_JQL)
def test_both_read_the_examples(atlassian: Atlassian, jql: str) -> None:
    """Quoting, escapes, dates, lists, functions, custom fields, and both spellings of operators."""
    reading = atlassian.read(jql)
    assert reading.errors == []
    ours = grammar.parse(jql)
    assert (ours.where is None) == (reading.where is None)
    assert len(ours.order) == len(reading.order)


@pytest.mark.parametrize("jql", NO_JQL)
def test_both_refuse_what_is_not_jql(atlassian: Atlassian, jql: str) -> None:
    """The oracle can fail, and the sandbox refuses what it refuses."""
    assert atlassian.read(jql).errors
    with pytest.raises(JiraError):
        grammar.parse(jql)


def test_the_same_words_are_reserved(atlassian: Atlassian) -> None:
    """Every word that must be quoted must be quoted in the sandbox, and common ones need not be."""
    values = {"empty", "null"}  # that are not written as text
    assert {word for word in RESERVED if not atlassian.read(f"x = {word}").errors} == values
    for word in ("done", "todo", "PAY", "ENG-123", "at", "no", "the", "배포"):
        assert atlassian.read(f"x = {word}").errors == []
        grammar.parse(f"x = {word}")
