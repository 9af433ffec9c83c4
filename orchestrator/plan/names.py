"""Give the people and containers of a question their native ids in one source, as far as it knows them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from translators.match import same_container, same_person
from translators.mentions import at_home
from translators.names import folded
from translators.query import Clause, Compare, Container, Leaf, Person, map_leaves

if TYPE_CHECKING:
    from connectors.contract import SourceDirectory


def resolve_names(where: Clause, directory: SourceDirectory, dialect: str = "") -> Clause:
    """``where`` with ids filled in where exactly one entry of ``directory`` fits; ambiguous names stay as typed.

    The id of a mention goes to the sources of its own ``dialect`` as it is, and to no other.
    """

    def resolve(leaf: Leaf) -> Clause:
        if isinstance(leaf, Compare) and isinstance(leaf.value, Person | Container):
            leaf = replace(leaf, value=at_home(leaf.value, dialect))
        match leaf:
            case Compare(value=Person() as person) if not person.me and not person.native_id:
                return replace(leaf, value=find_person(person, directory) or person)
            case Compare(value=Container() as container) if not container.native_id:
                return replace(leaf, value=find_container(container, directory) or container)
            case _:
                return leaf

    return map_leaves(where, resolve)


def find_person(wanted: Person, directory: SourceDirectory) -> Person | None:
    """The one person meant by ``wanted``: by address, else by exact name, else by part of it. ``None`` if unsure."""
    fitting = [each for each in directory.people if same_person(wanted, each)]
    addressed = [each for each in fitting if wanted.email and each.email]
    exact = [each for each in fitting if folded(each.name) == folded(wanted.name)]
    found = {each.native_id: each for each in addressed or exact or fitting}
    return replace(next(iter(found.values())), name=wanted.name) if len(found) == 1 else None


def find_container(wanted: Container, directory: SourceDirectory) -> Container | None:
    """The one container of that name, ``None`` if there is none or several."""
    found = {each.native_id: each for each in directory.containers if same_container(wanted, each)}
    return next(iter(found.values())) if len(found) == 1 else None
