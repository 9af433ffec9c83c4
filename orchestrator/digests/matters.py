"""From what sources returned to matters: one entry for the same thing in several places, for a thread, and for talk without one.

Where an entry is from: the thing, its place, who did what is told, and how the thing stands. Pure.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from connectors.text import absolute_url, known_name
from orchestrator.answer.own import WORK
from orchestrator.answer.text import quotable_line, shorten
from orchestrator.digests.content import Origin
from orchestrator.model import Plan, Ranking
from orchestrator.rank import (
    RankContext,
    dedupe,
    group_matters,
    merge_twins,
    rank,
)
from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.matters import ADDRESS, KEY
from translators.match import CREATED_ONCE, happened
from translators.query import Kind
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from connectors.contract import Hit
    from orchestrator.digests.reader import Reader
    from orchestrator.digests.scanning import ScanResult
    from orchestrator.model import Outcome, Result
    from orchestrator.rank import RankingConfig
    from translators.query import Person, Query

COMPARED = 400  # results that are compared with each other
# What is about the same question shares its subject; a week's news share none, and must have more in common to be one.
WORDS, SHARE = 8, 0.5
ToldEvent = tuple[str, str, "datetime"]  # source, id, when: a page that is changed again is another event
PAUSE = timedelta(minutes=30)
TALK = frozenset({Kind.MESSAGE, Kind.THREAD})


@record
class Matter:
    """Results about one thing, and all their hits, oldest first."""

    results: tuple[Result, ...]
    hits: tuple[Hit, ...]

    @property
    def latest(self) -> datetime:
        """When something happened last."""
        return max(filter(None, map(happened, self.hits)))


def event_of(hit: Hit) -> ToldEvent | None:
    """What a hit says has happened; ``None`` of things without a date."""
    when = happened(hit)
    return None if when is None else (hit.source, hit.id, when)


def fresh(found: ScanResult, is_new: Callable[[ToldEvent], bool]) -> Outcome | None:
    """What a source had, without what is outside of what is known of it, undated, or told already."""
    if found.outcome is None:
        return None

    def wanted(hit: Hit) -> bool:
        event = event_of(hit)
        return event is not None and found.span.since <= event[2] < found.covered and is_new(event)

    lists = tuple(replace(each, hits=tuple(filter(wanted, each.hits))) for each in found.outcome.lists)
    return replace(found.outcome, lists=lists)


def find_matters(
    found: Sequence[ScanResult], query: Query, now: datetime, config: RankingConfig, is_new: Callable[[ToldEvent], bool]
) -> tuple[Matter, ...]:
    """Matters by their latest event, newest first."""
    outcomes = [outcome for each in found if (outcome := fresh(each, is_new)) is not None]
    steps = tuple(step for each in found if each.plan is not None for step in each.plan.steps)
    own = config.matters
    compared = own.model_copy(
        update={"results": max(COMPARED, own.results), "words": max(WORDS, own.words), "share": max(SHARE, own.share)}
    )
    worth = config.model_copy(update={"matters": compared})
    context = RankContext(query, now, Plan(query, steps), worth)
    ranking = rank(outcomes, context, (dedupe, merge_twins, _group))
    return tuple(sorted(_joined(ranking), key=lambda each: (each.latest, each.hits[0].id), reverse=True))


def _group(ranking: Ranking, context: RankContext) -> Ranking:
    """What ranking relates; but a standup or weekly report, which names several pieces of work, is about none of them."""
    works = _works(ranking.results)
    lists = {id(each) for each in ranking.results if _is_list(each.hit, works)}
    about_one = replace(ranking, results=tuple(each for each in ranking.results if id(each) not in lists))
    related = iter(group_matters(about_one, context).results)
    return replace(ranking, results=tuple(each if id(each) in lists else next(related) for each in ranking.results))


def _works(results: Iterable[Result]) -> Mapping[str, tuple[str, str]]:
    """Pieces of work by the keys and addresses that others name them by."""
    named = {}
    for hit in (hit for each in results for hit in (each.hit, *each.also) if hit.kind in WORK):
        for name in (str(hit.facts.get("key", hit.id)), canonical_url(hit.url)):
            named[name] = (hit.source, hit.id)
    return named


def _is_list(hit: Hit, works: Mapping[str, tuple[str, str]]) -> bool:
    if hit.kind in WORK:
        return False
    text = f"{hit.title}\n{hit.snippet}"
    said = (*KEY.findall(text), *(canonical_url(each.rstrip(".,;:")) for each in ADDRESS.findall(text)))
    return len({works[name] for name in said if name in works}) > 1


class _Joining:
    """Which results are of one matter. Two pieces of work that their source keeps apart stay two matters."""

    def __init__(self, results: Sequence[Result]) -> None:
        self._leader = list(range(len(results)))
        self._works = [{hit.source: hit.id for hit in (each.hit, *each.also) if hit.kind in WORK} for each in results]

    def root(self, at: int) -> int:
        while self._leader[at] != at:
            at = self._leader[at]
        return at

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.root(one), self.root(other)))
        works, more = self._works[first], self._works[second]
        if first != second and all(works.get(source, number) == number for source, number in more.items()):
            self._leader[second] = first
            self._works[first] = {**works, **more}


def _joined(ranking: Ranking) -> Iterable[Matter]:
    """Results that ranking relates, or that are of one thread."""
    places = {(hit.source, hit.id): at for at, each in enumerate(ranking.results) for hit in (each.hit, *each.also)}
    joining = _Joining(ranking.results)
    for at, result in enumerate(ranking.results):
        for key in result.related:
            joining.join(at, places[key])
    threads: dict[tuple[str, ...], int] = {}
    for at, result in enumerate(ranking.results):
        for hit in (result.hit, *result.also):
            if thread := _thread(hit):
                joining.join(at, threads.setdefault(thread, at))
    groups: dict[int, list[Result]] = {}
    for at, result in enumerate(ranking.results):
        groups.setdefault(joining.root(at), []).append(result)
    yield from map(matter_of, groups.values())


def matter_of(results: Iterable[Result]) -> Matter:
    """These results as one matter."""
    told = tuple(results)
    hits = [hit for each in told for hit in (each.hit, *each.also)]
    return Matter(told, tuple(sorted(hits, key=_when)))


def _when(hit: Hit) -> tuple[datetime, str, str]:
    event = event_of(hit)
    assert event is not None
    return event[2], hit.source, hit.id


def _thread(hit: Hit) -> tuple[str, ...]:
    """What messages of one conversation have in common, as their source says it; empty for other things."""
    place = str(hit.facts.get("channel_id", ""))
    for name in ("thread_ts", "thread", "ts"):
        if value := hit.facts.get(name):
            return (hit.source, place, str(value))
    return ()


def conversations(matters: Iterable[Matter]) -> Iterator[Matter]:
    """The same matters, those that are talk joined with their neighbours in time in the same place."""
    spoken: dict[tuple[str, str], list[Matter]] = {}
    for matter in matters:
        if place := _place(matter):
            spoken.setdefault(place, []).append(matter)
        else:
            yield matter
    for talk in spoken.values():
        yield from _by_pauses(sorted(talk, key=_begins))


def _by_pauses(talk: list[Matter]) -> Iterator[Matter]:
    together = [talk[0]]
    last = talk[0].latest
    for matter in talk[1:]:
        if _begins(matter) > last + PAUSE:
            yield _one(together)
            together = []
        together.append(matter)
        last = max(last, matter.latest)
    yield _one(together)


def _one(together: list[Matter]) -> Matter:
    return together[0] if len(together) == 1 else matter_of(result for each in together for result in each.results)


def _begins(matter: Matter) -> datetime:
    return min(filter(None, map(happened, matter.hits)))


def _place(matter: Matter) -> tuple[str, str] | None:
    """Where all of it was said; ``None`` for what is more than talk in one place."""
    places = {(hit.source, hit.container.name) for hit in matter.hits if hit.container and hit.kind in TALK}
    only = len(places) == 1 and all(hit.container and hit.kind in TALK for hit in matter.hits)
    return places.pop() if only else None


NAME = 60  # characters


def origin_of(hit: Hit, reader: Reader) -> Origin:
    """Of what happened at ``reader.since`` or later. The hit has a date."""
    when = happened(hit)
    assert when is not None
    new = _is_new(hit, reader.since)
    work = hit.kind in WORK
    return Origin(
        hit.source,
        hit.id,
        quotable_line(hit.title),
        absolute_url(hit.url),
        _actor(hit, new=new),
        hit_place(hit, reader),
        when,
        new=new,
        state=shorten(str(hit.facts.get("state", "")), NAME) if work else "",
        finished=work and _finished(hit, reader.since),
        assignee=_name(hit.assignee) if work else "",
    )


def hit_place(hit: Hit, reader: Reader) -> str:
    """The source, and where in it."""
    title = reader.titles.get(hit.source, hit.source)
    return f"{title} {shorten(hit.container.name, NAME)}" if hit.container and hit.container.name else title


def voice(hit: Hit, reader: Reader) -> str:
    """Whose words those of a message are, and where they were said."""
    return ", ".join(filter(None, (_name(hit.author), hit_place(hit, reader))))


def _is_new(hit: Hit, since: datetime) -> bool:
    return hit.kind not in CREATED_ONCE and hit.created is not None and hit.created >= since


def _actor(hit: Hit, *, new: bool) -> str:
    """Who did what is told. Whoever once began a page or an issue has not thereby changed it since."""
    if new or hit.kind in CREATED_ONCE:
        return _name(hit.author)
    return known_name(shorten(str(hit.facts.get("edited_by", "")), NAME))


def _finished(hit: Hit, since: datetime) -> bool:
    """Whether its source says that it was done with in this time."""
    said = str(hit.facts.get("completed", ""))
    try:
        when = datetime.fromisoformat(said)
    except ValueError:
        return False
    return (when if when.tzinfo else when.replace(tzinfo=UTC)) >= since


def _name(person: Person | None) -> str:
    return shorten(person.name or person.email or "", NAME) if person else ""
