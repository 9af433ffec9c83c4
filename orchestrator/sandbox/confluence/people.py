"""Evaluate the CQL of the people search: who is a user, which, and whose name begins so."""

from collections.abc import Callable, Sequence

from orchestrator.sandbox.confluence.grammar import Call, Clause, CqlError, Query
from orchestrator.sandbox.confluence.store import account_id
from orchestrator.sandbox.corpus import Person
from orchestrator.sandbox.index import composed, words
from orchestrator.sandbox.logic import Tree

_EQUAL = frozenset({"=", "!=", "in", "not in"})

Test = Callable[[Person], bool]


def find_people(query: Query, people: Sequence[Person]) -> Sequence[Person]:
    """The people a query matches, in the order of the directory and in no other."""
    if query.order:
        raise CqlError("people come in no order")

    def meeting(clause: Clause) -> frozenset[int]:
        test = _test(clause.field, clause.operator, [_plain(value) for value in clause.values])
        return frozenset(number for number, person in enumerate(people) if test(person))

    found = Tree[Clause](query.condition).satisfying(frozenset(range(len(people))), meeting)
    return [people[number] for number in sorted(found)]


def _test(field: str, operator: str, values: Sequence[str]) -> Test:
    if field == "type" and operator == "=" and values[0].casefold() == "user":
        return lambda _: True
    if field == "user.fullname" and operator == "~":
        beginnings = words(composed(values[0]))
        return lambda person: _begins(words(composed(person.name)), beginnings)
    if field in ("user", "user.accountid") and operator in _EQUAL:
        return lambda person: (account_id(person) in values) is (operator in ("=", "in"))
    raise CqlError(f"people cannot be asked for by {field!r} {operator!r}")


def _begins(name: Sequence[str], beginnings: Sequence[str]) -> bool:
    return bool(beginnings) and all(any(word.startswith(each) for word in name) for each in beginnings)


def _plain(value: str | Call) -> str:
    if isinstance(value, Call):
        raise CqlError(f"no function {value.name}() here")
    return value
