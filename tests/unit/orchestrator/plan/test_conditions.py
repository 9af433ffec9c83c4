"""Names become native ids only where exactly one entry fits."""

import pytest

from connectors.contract import SourceDirectory
from orchestrator.plan.conditions import resolve_names
from translators.imap import Imap
from translators.query import Compare, Container, Field, Not, Op, Person, Query, Term, all_of

PEOPLE = (
    Person("이하늘", "U1", "haneul@acme.test"),
    Person("김민수", "U2"),
    Person("Sarah Kim", "U3", "sarah@acme.test"),
    Person("Sarah Lee", "U4"),
    Person("박민수", "U5"),
    Person("정다운", "U6"),
)
DIRECTORY = SourceDirectory(
    PEOPLE, (Container("결제-개발", "C1"), Container("general", "C2"), Container("General", "C3"))
)


def by(person: Person) -> Compare:
    return Compare(Field.AUTHOR, Op.EQ, person)


@pytest.mark.parametrize(
    ("typed", "native_id"),
    [
        ("이하늘", "U1"),
        ("sarah kim", "U3"),
        ("다운", "U6"),
        ("Sarah", None),
        ("민수", None),
        ("nobody", None),
    ],
)
def test_a_person_is_resolved_only_when_unmistakable(typed, native_id):
    resolved = resolve_names(by(Person(typed)), DIRECTORY)
    assert resolved.value.native_id == native_id
    assert resolved.value.name == typed


def test_an_address_decides_among_namesakes():
    resolved = resolve_names(by(Person("Sarah", email="sarah@acme.test")), DIRECTORY)
    assert resolved.value.native_id == "U3"


def test_me_and_resolved_people_stay_as_they_are():
    for person in (Person("", me=True), Person("Sarah", native_id="U9")):
        assert resolve_names(by(person), DIRECTORY) == by(person)


@pytest.mark.parametrize(
    ("typed", "native_id"), [("결제 개발", "C1"), ("#결제-개발", "C1"), ("general", None), ("x", None)]
)
def test_a_container_is_resolved_by_its_name_however_it_is_spaced(typed, native_id):
    clause = Compare(Field.CONTAINER, Op.EQ, Container(typed))
    assert resolve_names(clause, DIRECTORY).value.native_id == native_id


def test_names_under_a_negation_are_resolved_too():
    clause = all_of([Term("배포"), Not(by(Person("김민수")))])
    assert resolve_names(clause, DIRECTORY) == all_of([Term("배포"), Not(by(Person("김민수", "U2")))])


@pytest.mark.parametrize("typed", ["jose", "garcia", "Garcia", "José", "jose.garcia"])
def test_a_source_that_compares_letter_by_letter_is_asked_by_the_address_that_its_directory_knows(typed):
    """No mail server finds José by jose; its own list of people says who that is."""
    jose = Person("José García", "jose.garcia@partner.example", "jose.garcia@partner.example")
    where = resolve_names(by(Person(typed)), SourceDirectory((*PEOPLE, jose)))
    assert Imap().translate(Query("?", where), Imap.can).native.args["criteria"] == [
        ["FROM", "jose.garcia@partner.example"]
    ]
