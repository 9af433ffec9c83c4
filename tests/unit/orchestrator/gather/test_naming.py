"""Ids and handles become the names people know."""

from dataclasses import replace

from connectors.contract import Hit, SourceDirectory
from orchestrator.gather.directories import names_by_id, with_names
from orchestrator.model import HitList, Outcome, Status
from translators.query import Category, Container, Kind, Person
from translators.translator import NativeQuery, Translation

NAMES = names_by_id(
    SourceDirectory(
        (Person("최서연", "U1", "seoyeon@acme.test"), Person("seoyeon.choi", "U1"), Person("봇", "U2")),
        (Container("결제", "C1"), Container("payments", "C1")),
    )
)


def outcome(*people):
    hits = tuple(Hit("s", str(n), Kind.MESSAGE, author=person) for n, person in enumerate(people))
    lists = (HitList(Translation(NativeQuery("plain", "q")), hits),)
    return Outcome("s", "S", Category.CHAT, Status.OK, lists)


def test_a_handle_becomes_the_full_name_with_its_address():
    (hit,) = with_names(outcome(Person("seoyeon.choi", "U1")), NAMES).hits
    assert hit.author == Person("최서연", "U1", "seoyeon@acme.test")


def test_assignees_are_named_too():
    found = outcome(None)
    hit = replace(found.hits[0], assignee=Person("", "U2"))
    (named,) = with_names(replace(found, lists=(replace(found.lists[0], hits=(hit,)),)), NAMES).hits
    assert (named.author, named.assignee.name) == (None, "봇")


def test_who_is_not_in_the_directory_stays_as_the_source_said():
    strangers = (Person("someone", "U9"), Person("no id"), None)
    found = outcome(*strangers)
    assert tuple(hit.author for hit in with_names(found, NAMES).hits) == strangers
    assert with_names(found, None) is found


def test_a_hit_that_says_it_all_already_is_left_as_it_is():
    found = outcome(Person("최서연", "U1", "seoyeon@acme.test"))
    assert with_names(found, NAMES).hits[0] is found.hits[0]


def test_a_place_of_which_only_the_id_is_known_gets_its_name():
    found = outcome(None, None, None)
    places = Container("C1", "C1"), Container("billing", "C1"), Container("C9", "C9")
    hits = tuple(replace(hit, container=place) for hit, place in zip(found.hits, places, strict=True))
    named = with_names(replace(found, lists=(replace(found.lists[0], hits=hits),)), NAMES).hits
    assert [str(hit.container) for hit in named] == ["결제", "billing", "C9"]
