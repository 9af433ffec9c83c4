"""Records are what Python's own frozen, slotted dataclasses are, with methods that are written when they are looked at."""

import inspect
import pickle
import re
from copy import copy
from dataclasses import KW_ONLY, FrozenInstanceError, dataclass, field, fields, replace
from typing import Generic, TypeVar, get_type_hints

import pytest

from translators.records import record

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Plain:
    name: str
    rank: int = 0
    facts: dict[str, int] = field(default_factory=dict)
    hidden: str = field(default="", repr=False, compare=False)


@record
class Quick:
    name: str
    rank: int = 0
    facts: dict[str, int] = field(default_factory=dict)
    hidden: str = field(default="", repr=False, compare=False)


@record
class Worked:
    """Not made of its fields alone."""

    name: str
    _: KW_ONLY
    rank: int
    length: int = field(init=False)
    seen: list[str] = field(init=False, default_factory=list)
    kind: str = field(init=False, default="worked")

    def __post_init__(self):
        object.__setattr__(self, "length", len(self.name))


@record
class Named:
    name: str


@record
class Filed:
    """Equal by all of it, found by its name."""

    name: str
    facts: dict[str, int] = field(hash=False)


@record
class Ranked(Named, Generic[T]):
    rank: T


class Bare(Quick):
    """Inherits from a record and is not declared as one."""

    def louder(self):
        return self.name.upper()


@record
class Loud:  # noqa: PLW1641 - that it has a hash all the same is what is looked at
    """Some of its methods are its own."""

    name: str

    def __repr__(self):
        return self.name.upper()

    def __eq__(self, other):
        return isinstance(other, Loud) and self.name.upper() == other.name.upper()


@pytest.mark.parametrize(
    ("arguments", "named"), [(("a",), {}), (("a", 1), {}), (("a", 1, {"b": 2}), {}), (("a",), {"facts": {}, "rank": 3})]
)
def test_it_is_made_of_the_same_arguments(arguments, named):
    made, usual = Quick(*arguments, **named), Plain(*arguments, **named)
    assert [getattr(made, each.name) for each in fields(Quick)] == [getattr(usual, each.name) for each in fields(Plain)]
    assert repr(made).replace("Quick", "Plain") == repr(usual)
    assert type(made) is Quick


def test_who_asks_what_it_is_made_of_is_told_the_same():
    told, usual = inspect.signature(Quick), inspect.signature(Plain)
    assert list(told.parameters) == list(usual.parameters)
    assert get_type_hints(Quick.__init__) == get_type_hints(Plain.__init__)
    assert (Quick.__match_args__, Quick.__slots__) == (Plain.__match_args__, Plain.__slots__)


def test_each_has_what_is_made_for_it_alone():
    assert Quick("a").facts is not Quick("a").facts


def test_it_stays_frozen_equal_replaceable_and_can_be_carried():
    made = Quick("a", 1, hidden="here")
    for change in (lambda: setattr(made, "rank", 2), lambda: setattr(made, "other", 2), lambda: delattr(made, "rank")):
        with pytest.raises(FrozenInstanceError):
            change()
    assert made == Quick("a", rank=1) != Quick("a")
    assert made != Plain("a", 1)
    assert replace(made, rank=5) == Quick("a", 5)
    assert pickle.loads(pickle.dumps(made)).hidden == copy(made).hidden == "here"
    assert len({Named("a"), Named("a"), Named("b")}) == 2
    assert hash(Filed("a", {"b": 1})) == hash(Filed("a", {})) != hash(Filed("b", {}))
    with pytest.raises(TypeError, match="unhashable"):
        hash(made)


def test_what_is_not_made_of_its_fields_alone_is_made_and_carried_whole():
    made = Worked("four", rank=1)
    assert repr(made) == "Worked(name='four', rank=1, length=4, seen=[], kind='worked')"
    object.__setattr__(made, "length", 7)
    assert pickle.loads(pickle.dumps(made)) == copy(made) == made != Worked("four", rank=1)
    with pytest.raises(TypeError):
        Worked("four", 1)


def test_what_is_made_of_another_record_is_one():
    made = Ranked("a", 2)
    assert (made.name, made.rank, repr(made)) == ("a", 2, "Ranked(name='a', rank=2)")
    assert pickle.loads(pickle.dumps(made)) == made != Named("a")
    with pytest.raises(FrozenInstanceError):
        made.name = "b"


def test_what_inherits_from_a_record_without_being_declared_is_made_as_what_it_is():
    made = Bare("a", rank=2)
    assert (type(made), made.louder(), made.facts, repr(made)[:21]) == (Bare, "A", {}, "Bare(name='a', rank=2")
    assert type(pickle.loads(pickle.dumps(made))) is type(copy(made)) is Bare
    assert pickle.loads(pickle.dumps(made)) == made != Quick("a", rank=2)
    with pytest.raises(FrozenInstanceError):
        made.name = "b"


def test_what_a_class_says_itself_stays():
    assert (repr(Loud("a")), Loud("a") == Loud("A"), hash(Loud("a")) == hash(("a",))) == ("A", True, True)


@pytest.mark.parametrize(
    ("arguments", "named", "refused"),
    [((), {}, "missing 1 required"), (("a", 1, {}, "", 2), {}, "takes from 2 to 5"), (("a",), {"other": 1}, "other")],
)
def test_wrong_arguments_are_refused(arguments, named, refused):
    with pytest.raises(TypeError, match=re.escape("Quick.__init__()") + ".*" + refused):
        Quick(*arguments, **named)
