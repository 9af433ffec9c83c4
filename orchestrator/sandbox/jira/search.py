"""Evaluate JQL over the issues of a site.

Nothing but `IS EMPTY` matches what has no value: neither `=` nor `!=`, as Jira documents. `NOT` therefore turns
operators around instead of taking the rest.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any as AnyValue

from orchestrator.sandbox.index import TextIndex
from orchestrator.sandbox.jira import textquery
from orchestrator.sandbox.jira.bodies import refused
from orchestrator.sandbox.jira.fields import DATES, TEXTS, Reader, check, held, known
from orchestrator.sandbox.jira.grammar import Clause, Node, Query, Value, parse
from orchestrator.sandbox.jira.store import Issue, Site
from orchestrator.sandbox.logic import All, Any, Not

SUMMARY_WEIGHT = 2.0

_OPPOSITES = {
    "=": "!=", "!=": "=", "~": "!~", "!~": "~", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
    "in": "not in", "not in": "in", "is": "is not", "is not": "is",
}  # fmt: skip
_TESTS: Mapping[str, Callable[[AnyValue, AnyValue], bool]] = {
    "=": lambda value, wanted: value == wanted,
    "!=": lambda value, wanted: value != wanted,
    "<": lambda value, wanted: bool(value < wanted),
    "<=": lambda value, wanted: bool(value <= wanted),
    ">": lambda value, wanted: bool(value > wanted),
    ">=": lambda value, wanted: bool(value >= wanted),
}

Numbers = frozenset[int]


class IssueSearch:
    """Search over one site; the indexes are built once."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self.all: Numbers = frozenset(range(len(site.issues)))
        self.indexes: Mapping[str, TextIndex] = {
            "summary": TextIndex((issue.summary,) for issue in site.issues),
            "description": TextIndex((issue.description,) for issue in site.issues),
            "comment": TextIndex([each.text for each in issue.comments] for issue in site.issues),
        }

    def find(self, jql: str, now: datetime) -> Sequence[Issue]:
        """The issues that match, in the order asked for, else the best first. Raises `JiraError`."""
        query = parse(jql)
        if query.where is None:
            raise refused("Unbounded JQL queries are not allowed here. Please add a search restriction to your query.")
        evaluation = _Evaluation(self, self._site, Reader(self._site, now))
        numbers = evaluation.numbers(query.where)
        found = sorted(numbers, key=lambda number: (-evaluation.score(number), -self._site.issues[number].number))
        return _ordered([self._site.issues[number] for number in found], query)

    def having(self, test: Callable[[Issue], bool]) -> Numbers:
        """The issues that pass a test."""
        return frozenset(number for number, issue in enumerate(self._site.issues) if test(issue))


class _Evaluation:
    """One query at one time; what text it looked for counts in the order of results."""

    def __init__(self, search: IssueSearch, site: Site, reader: Reader) -> None:
        self._search = search
        self._site = site
        self._reader = reader
        self._scores: dict[int, float] = {}

    def score(self, number: int) -> float:
        """How well an issue fits the words."""
        return self._scores.get(number, 0.0)

    def numbers(self, node: Node, *, negated: bool = False) -> Numbers:
        """The issues that a node matches; under a NOT, those that its opposite matches."""
        match node:
            case Not(node=inner):
                return self.numbers(inner, negated=not negated)
            case All(nodes=nodes) | Any(nodes=nodes):
                parts = [self.numbers(each, negated=negated) for each in nodes]
                both = isinstance(node, All) is not negated
                return self._search.all.intersection(*parts) if both else frozenset().union(*parts)
            case Clause():
                return self._clause(node, _OPPOSITES[node.operator] if negated else node.operator)

    def _clause(self, clause: Clause, operator: str) -> Numbers:
        field = check(clause)
        if field in TEXTS and operator in ("~", "!~"):
            return self._text(field, clause, operator)
        values = [self._reader.wanted(field, operand) for operand in clause.operands]
        positive = operator in ("=", "in", "is")
        if operator in ("in", "not in", "is", "is not") or None in values or field == "labels":
            return self._search.having(
                lambda issue: _among(held(issue, field), values) is positive and _has(issue, field, values)
            )
        return self._search.having(lambda issue: _passes(held(issue, field), operator, values[0]))

    def _text(self, field: str, clause: Clause, operator: str) -> Numbers:
        (operand,) = clause.operands
        if not isinstance(operand, Value):
            raise refused(f"The field '{clause.field}' can only be searched for text.")
        wanted = textquery.parse(operand.text, clause.field)
        indexes = self._search.indexes if field == "text" else {field: self._search.indexes[field]}
        found: Numbers = frozenset().union(*(textquery.found(wanted, index) for index in indexes.values()))
        if operator == "!~":
            return self._search.all - found
        for name, index in indexes.items():
            weight = SUMMARY_WEIGHT if name == "summary" else 1.0
            matched = [textquery.matches(term, index) for term in textquery.terms(wanted)]
            for number, score in index.score(matched, set().union(*matched)).items():
                self._scores[number] = self._scores.get(number, 0.0) + weight * score
        return found


def _among(value: AnyValue, wanted: Iterable[AnyValue]) -> bool:
    """Whether a value is one of those wanted, or, where there are several, one of them is."""
    return any(each in wanted for each in value) if isinstance(value, list) else value in wanted


def _has(issue: Issue, field: str, values: Sequence[AnyValue]) -> bool:
    """What is empty passes only where EMPTY itself is spoken of."""
    return None in values or held(issue, field) is not None


def _passes(value: AnyValue, operator: str, wanted: AnyValue) -> bool:
    return value is not None and _TESTS[operator](value, wanted)


def _ordered(issues: Sequence[Issue], query: Query) -> Sequence[Issue]:
    found = list(issues)
    for name, descending in reversed(query.order):
        field = known(name)
        if field in TEXTS - {"summary"}:
            raise refused(f"Not able to sort using field '{name[:100]}'.")
        down = descending if descending is not None else field in DATES | {"priority", "key"}
        found.sort(key=partial(_sortable, field), reverse=down)
    return found


def _sortable(field: str, issue: Issue) -> tuple[bool, AnyValue]:
    """By the value of a field, people and projects by name, with what is empty at one end."""
    value = held(issue, field)
    return (False, ()) if value is None else (True, getattr(value, "name", value))
