"""A ladder is translated as far as somebody looks, and then reads like the tuple of it all."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from orchestrator.codec import encode
from orchestrator.plan.lazily import lazily


@lazily
def counted(made: list[int], most: int) -> Iterator[int]:
    for number in range(most):
        made.append(number)
        yield number


@pytest.mark.parametrize(
    ("look", "seen", "made"),
    [
        (lambda rungs: rungs[0], 0, 1),
        (lambda rungs: rungs[:1], (0,), 1),
        (lambda rungs: rungs[1:3], (1, 2), 3),
        (lambda rungs: next(iter(rungs)), 0, 1),
        (lambda rungs: (rungs[2], rungs[0]), (2, 0), 3),
        (lambda rungs: rungs[3:9], (3, 4), 5),
        (lambda rungs: rungs[-1], 4, 5),
        (lambda rungs: rungs[:-3], (0, 1), 5),
        (lambda rungs: rungs[2:], (2, 3, 4), 5),
        (len, 5, 5),
        (tuple, (0, 1, 2, 3, 4), 5),
    ],
)
def test_as_much_is_made_as_is_looked_at_and_once(
    look: Callable[[Sequence[int]], object], seen: object, made: int
) -> None:
    told: list[int] = []
    rungs = counted(told, 5)
    assert (told, look(rungs), look(rungs)) == (list(range(made)), seen, seen)


def test_what_is_not_there_is_missed_as_in_a_tuple() -> None:
    with pytest.raises(IndexError):
        counted([], 2)[2]
    with pytest.raises(IndexError):
        counted([], 0)[0]
    assert not counted([], 0)[:1]


def test_it_is_equal_to_the_tuple_of_it_all_and_is_written_down_like_one() -> None:
    assert counted([], 3) == (0, 1, 2) == counted([], 3)
    assert counted([], 3) != (0, 1)
    assert hash(counted([], 3)) == hash((0, 1, 2))
    assert repr(counted([], 3)) == "(0, 1, 2)"
    assert encode(counted([], 3)) == [0, 1, 2]
