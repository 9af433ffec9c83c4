"""Where an entry is from: the thing, its place, who did what is told, and how the thing stands. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from connectors.text import absolute_url, known_name
from orchestrator.answer.text import quotable_line, shorten
from orchestrator.digests.content import Origin
from orchestrator.digests.matters import WORK
from translators.match import CREATED_ONCE, happened

if TYPE_CHECKING:
    from connectors.contract import Hit
    from orchestrator.digests.reader import Reader
    from translators.query import Person

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
