"""Evaluate the CQL of the people search: who is a user, which, and whose name begins so."""

from collections.abc import Callable, Sequence

from orchestrator.sandbox.confluence.grammar import Call, Clause, CqlError, Node, Query
from orchestrator.sandbox.confluence.store import account_id
from orchestrator.sandbox.corpus import Person
from orchestrator.sandbox.index import composed, words
from orchestrator.sandbox.logic import All, Any, Not

_EQUAL = frozenset({"=", "!=", "in", "not in"})

Test = Callable[[Person], bool]


def find_people(query: Query, people: Sequence[Person]) -> Sequence[Person]:
    """The people a query matches, in the order of the directory and in no other."""
    if query.order:
        raise CqlError("people come in no order")
    test = _test(query.condition)
    return [person for person in people if test(person)]


def _test(node: Node) -> Test:
    match node:
        case Not(node=inner):
            test = _test(inner)
            return lambda person: not test(person)
        case All(nodes=nodes):
            tests = [_test(each) for each in nodes]
            return lambda person: all(test(person) for test in tests)
        case Any(nodes=nodes):
            tests = [_test(each) for each in nodes]
            return lambda person: any(test(person) for test in tests)
        case Clause(field=field, operator=operator, values=values):
            return _clause(field, operator, [_plain(value) for value in values])


def _clause(field: str, operator: str, values: Sequence[str]) -> Test:
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
