"""Whether other numbers of ranking would serve the people of a site better: learnt on some of them, judged by others, later, by other questions.

The numbers that were learnt here, as a layer of settings of their own: written whole, and taken back byte for byte.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from orchestrator.evaluate import (
    Figure,
    interval,
    ndcg,
    reciprocal_rank,
)
from orchestrator.files import put_whole
from orchestrator.learning.weighing import fitted, order_of
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import (
        Collection,
        Iterator,
        Mapping,
        Sequence,
    )
    from datetime import date
    from pathlib import Path

    from orchestrator.learning.judgments import GradedImpression
    from orchestrator.rank import RankingConfig

HEAD = """# Written by `fedsearch tune` on {day}, from {judgments} judgments of {people} people. `fedsearch tune --undo` takes it back.
# Your own settings stand above these.
"""


def write_tuned(path: Path, text: str) -> None:
    """Put the file in place; what stood there is kept beside it under a number. Raises ``OSError``."""
    if path.exists():
        path.replace(path.with_name(f"{path.name}.{max(_before(path), default=0) + 1}"))
    put_whole(path, text)


def undo_tuned(path: Path) -> bool:
    """Put back what stood there before; ``False`` where nothing was written. Raises ``OSError``."""
    if not path.exists():
        return False
    if before := max(_before(path), default=0):
        path.with_name(f"{path.name}.{before}").replace(path)
    else:
        path.unlink()
    return True


def _before(path: Path) -> Iterator[int]:
    """The numbers of what stood there."""
    for each in path.parent.glob(f"{path.name}.*"):
        number = each.name.removeprefix(f"{path.name}.")
        if number.isascii() and number.isdigit():
            yield int(number)


def tuned_text(numbers: Mapping[str, Any], day: date, judgments: int, people: int) -> str:
    """As TOML: tables of numbers, and nothing else."""
    head = HEAD.format(day=day.isoformat(), judgments=judgments, people=people)
    return head + "".join(_tables(numbers, ("ranking", "numbers")))


def _tables(table: Mapping[str, Any], place: Sequence[str]) -> Iterator[str]:
    plain = {name: value for name, value in table.items() if isinstance(value, float)}
    if plain:
        lines = "".join(f"{name} = {value}\n" for name, value in plain.items())
        yield f"\n[{'.'.join(place)}]\n{lines}"
    for name, value in table.items():
        if name not in plain:
            yield from _tables(value, (*place, name))


FOLDS = 5  # groups of people
HELD_BACK = 0.4  # of the judgments, the latest
FEWEST = 40  # judgments held back, below which nothing is said
SURE = 0.99  # of the chance that a difference is none; whoever tunes every week tries often
DEPTH = 10

TOO_FEW = f"too few judgments to learn from: {{count}} could be held back, {FEWEST} are needed"
NO_BETTER = "nothing is kept: over what was held back the difference may be chance"
BETTER = "over what was held back the order is better beyond chance"


@record
class FeedbackRow:
    """How the present order does by the judgments of one kind of question."""

    name: str
    judgments: int
    ndcg_10: Figure
    mrr_10: Figure


@record
class FeedbackFigures:
    """``people``: who judged; ``torn``: lines that could not be read; ``unreplayed``: judgments of orders that were not ours to work out anew."""

    whole: FeedbackRow
    types: tuple[FeedbackRow, ...]
    people: int
    shown: int
    torn: int = 0
    unreplayed: int = 0


@record
class TuningRow:
    """Held-back judgments of a kind of question: nDCG@10 as it is and as it would be, each judgment counted by its weight and by how seldom its place is looked at."""

    name: str
    judgments: int
    before: float
    after: float
    low: float
    high: float


@record
class Tuning:
    """What came of it. ``numbers``: what pays, none where nothing does; ``examined``: looks at a place fall with its rank to this power."""

    why: str
    judgments: int
    people: int
    rows: tuple[TuningRow, ...]
    numbers: Mapping[str, Any]
    examined: float

    @property
    def better(self) -> bool:
        """Whether there is anything to keep."""
        return bool(self.numbers)


@record
class _Trial:
    """One held-back judgment."""

    who: str
    type: str
    weight: float
    before: float
    after: float


def figures_of(judged: Sequence[GradedImpression], config: RankingConfig, shown: int, torn: int) -> FeedbackFigures:
    """The present order against the judgments."""
    by_type: dict[str, list[GradedImpression]] = defaultdict(list)
    for each in judged:
        by_type[str(each.shown.type)].append(each)
    return FeedbackFigures(
        _row("all", judged, config),
        tuple(_row(name, by_type[name], config) for name in sorted(by_type)),
        len({each.who for each in judged}),
        shown,
        torn,
        sum(not each.shown.is_ours for each in judged),
    )


def _row(name: str, judged: Sequence[GradedImpression], config: RankingConfig) -> FeedbackRow:
    lists = [(order_of(each.shown, config), each.grades) for each in judged]
    gains = [_ndcg(order, grades) for order, grades in lists]
    firsts = [reciprocal_rank([str(at) for at in order], _named(grades), DEPTH) for order, grades in lists]
    return FeedbackRow(name, len(judged), Figure.of(gains), Figure.of(firsts))


def tuned(
    judged: Sequence[GradedImpression], begin: RankingConfig, present: RankingConfig, kept: Collection[str] = ()
) -> Tuning:
    """``begin``: the numbers without what was learnt here before; ``present``: those in use; ``kept``: tables that a site has set by hand.

    Each judgment that is held back is judged by numbers that were learnt from other people, from earlier days and from other questions.
    What is written in the end is learnt from all.
    """
    usable = [each for each in judged if each.shown.is_ours and len(each.grades) > 1]
    trials = _trials(usable, begin, present, kept)
    people = len({each.who for each in usable})
    found = fitted(usable, begin, kept)
    if len(trials) < FEWEST:
        return Tuning(TOO_FEW.format(count=len(trials)), len(usable), people, (), {}, found.examined)
    types = sorted({each.type for each in trials})
    by_type = [_compared(name, [each for each in trials if each.type == name]) for name in types]
    whole = _compared("all", trials)
    better = whole.low > 0.0 and bool(found.numbers)
    numbers = found.numbers if better else {}
    why = BETTER if better else NO_BETTER
    return Tuning(why, len(usable), people, (whole, *by_type), numbers, found.examined)


def _trials(
    judged: Sequence[GradedImpression], begin: RankingConfig, present: RankingConfig, kept: Collection[str]
) -> list[_Trial]:
    """The latest judgments, person by person; one who is alone is judged by time and questions."""
    cut = math.ceil(len(judged) * (1.0 - HELD_BACK))
    early, late = judged[:cut], judged[cut:]
    folds = FOLDS if len({each.who for each in judged}) > 1 else 1
    trials: list[_Trial] = []
    for fold in range(folds):
        held = [each for each in late if _fold(each.who, folds) == fold]
        asked = {each.question for each in held}
        taught = [each for each in early if folds == 1 or _fold(each.who, folds) != fold]
        taught = [each for each in taught if each.question not in asked]
        if held and taught:
            found = fitted(taught, begin, kept)
            after = begin.with_numbers(found.numbers)
            trials += [_trial(each, present, after, found.examined) for each in held]
    return trials


def _fold(who: str, folds: int) -> int:
    return hashlib.sha256(who.encode()).digest()[0] % folds


def _trial(each: GradedImpression, present: RankingConfig, after: RankingConfig, examined: float) -> _Trial:
    # The share of what was wanted that stood in places so seldom looked at: it speaks for others that were not seen there.
    seldom = math.fsum(grade * place**examined for place, grade in enumerate(each.grades, 1)) / math.fsum(each.grades)
    before, then = (_ndcg(order_of(each.shown, config), each.grades) for config in (present, after))
    return _Trial(each.who, str(each.shown.type), each.weight * seldom, before, then)


def _compared(name: str, trials: Sequence[_Trial]) -> TuningRow:
    """The interval is the wider of two: drawn from judgments, and from people, since what one person does is much alike."""
    by_person: dict[str, list[_Trial]] = defaultdict(list)
    for each in trials:
        by_person[each.who].append(each)
    ways = [[[each] for each in trials]] + ([list(by_person.values())] if len(by_person) > 1 else [])
    bounds = [interval(drawn, share=SURE, figure=_difference) for drawn in ways]
    weight = math.fsum(each.weight for each in trials)
    before = math.fsum(each.weight * each.before for each in trials) / weight
    after = math.fsum(each.weight * each.after for each in trials) / weight
    low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
    return TuningRow(name, len(trials), before, after, low, high)


def _difference(drawn: Sequence[Sequence[_Trial]]) -> float:
    every = [each for some in drawn for each in some]
    return math.fsum(each.weight * (each.after - each.before) for each in every) / math.fsum(
        each.weight for each in every
    )


def _ndcg(order: Sequence[int], grades: Sequence[float]) -> float:
    return ndcg([str(at) for at in order], _named(grades), DEPTH)


def _named(grades: Sequence[float]) -> Mapping[str, float]:
    return {str(at): grade for at, grade in enumerate(grades)}
