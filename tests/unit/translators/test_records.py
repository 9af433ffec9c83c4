"""Records that are made quickly are the same records."""

import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

from translators.records import made_quickly


@dataclass(frozen=True, slots=True)
class Plain:
    name: str
    rank: int = 0
    facts: dict[str, int] = field(default_factory=dict)


@made_quickly
@dataclass(frozen=True, slots=True)
class Quick:
    name: str
    rank: int = 0
    facts: dict[str, int] = field(default_factory=dict)


@pytest.mark.parametrize(
    ("arguments", "named"), [(("a",), {}), (("a", 1), {}), (("a", 1, {"b": 2}), {}), (("a",), {"facts": {}, "rank": 3})]
)
def test_it_is_made_of_the_same_arguments(arguments, named):
    made, usual = Quick(*arguments, **named), Plain(*arguments, **named)
    assert [getattr(made, each.name) for each in fields(Quick)] == [getattr(usual, each.name) for each in fields(Plain)]
    assert repr(made).replace("Quick", "Plain") == repr(usual)
    assert type(made) is Quick


def test_each_has_what_is_made_for_it_alone():
    assert Quick("a").facts is not Quick("a").facts


def test_it_stays_frozen_equal_replaceable_and_can_be_carried():
    made = Quick("a", 1)
    with pytest.raises(FrozenInstanceError):
        made.rank = 2
    assert made == Quick("a", rank=1) != Quick("a")
    assert replace(made, rank=5) == Quick("a", 5)
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize(("arguments", "named"), [((), {}), (("a", 1, {}, 2), {}), (("a",), {"other": 1})])
def test_wrong_arguments_are_refused(arguments, named):
    with pytest.raises(TypeError):
        Quick(*arguments, **named)


class Working:
    def __post_init__(self):
        """Something."""


class Naming:
    name: str
    rank: int = field(kw_only=True)


class Filling:
    name: str
    rank: int = field(init=False)


@pytest.mark.parametrize("record", [Working, Naming, Filling])
def test_what_is_not_made_of_its_fields_in_their_order_is_not_taken(record):
    with pytest.raises(TypeError, match=f"{record.__name__} is not made of its fields alone"):
        made_quickly(dataclass(frozen=True, slots=True)(record))
