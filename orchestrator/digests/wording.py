"""The words of a digest, in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.digests.content import SectionKind, Why
from translators.said import Said, filled_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from orchestrator.digests.content import Coverage, Digest, DigestEntry, Group

PLACES = 4  # that are named where something is not shown
MESSAGES: Mapping[str, Said] = {
    SectionKind.ACTIONS: Said("For you to do"),
    SectionKind.DECISIONS: Said("Decided"),
    SectionKind.MENTIONS: Said("You were mentioned"),
    SectionKind.UPDATES: Said("What happened"),
    SectionKind.DOCUMENTS: Said("Documents changed"),
    Why.REQUEST: Said("asked of you"),
    Why.PROMISED: Said("you said you would"),
    Why.ASSIGNED: Said("assigned to you"),
    Why.DUE: Said("due {day}"),
    Why.OVERDUE: Said("overdue since {day}"),
    Why.QUESTION: Said("open question"),
    "daily": Said("Daily digest"),
    "weekly": Said("Weekly digest"),
    "spanning": Said("Digest"),
    "span": Said("{since} – {until} ({zone})"),
    "unanswered": Said("Unanswered questions"),
    "made": Said("new, by {author}"),
    "made by nobody": Said("new"),
    "became": Said("became {state}"),
    "finished": Said("finished"),
    "state": Said("state: {state}"),
    "assignee": Said("assigned to {name}"),
    "nothing": Said("Nothing new."),
    "nothing_known": Said("Nothing new in what could be read; see what is missing."),
    "other": Said("Other"),
    "also": Said("also in {places}"),
    "count": Said("{count} messages or changes"),
    "left": Said("and {count} more"),
    "left in": Said("and {count} more: {places}"),
    "elsewhere": Said("{count} elsewhere"),
    "gaps": Said("What is missing"),
    "gap_range": Said("{title}: read up to {covered} of {until}; {problem}. The rest comes with the next one."),
    "gap_part": Said("{title}: {problem}"),
    "gap_none": Said("{title}: {problem}"),
    "no_reason": Said("it could not be read to the end"),
    "totals": Said("{events} events, {matters} matters, from {sources}."),
    "late": Said(
        "{count} of them happened before that: their source did not list them yet (looked at again from {again})."
    ),
    "totals_none": Said("no source"),
    "source_count": Said("{title} {events}"),
    "changed": Said("The answer has changed"),
    "unchanged": Said("The answer is the same"),
    "unread": Said("The answer could not be looked up"),
    "away": Said("Did not answer: {sources}."),
    "now": Said("Now"),
    "before": Said("Before"),
    "asked": Said("Question"),
    "first": Said("A first answer"),
    "none yet": Said("No answer yet"),
    "stands on": Said("It stands on"),
    "new": Said("New"),
    "gone": Said("No longer there"),
    "dense": Said("more than {count} things between {since} and {until}; the others cannot be told"),
}


def say(language: str, key: str, **values: object) -> str:
    """One phrase in the reader's language."""
    return filled_in(MESSAGES[key], language, **values)


def heading(digest: Digest) -> str:
    """What stands above a digest."""
    return digest.title or f"{say(digest.language, digest.period)}: {digest.name}"


def reason(entry: DigestEntry, language: str) -> str:
    """Why an entry is an action; "" for other entries."""
    if entry.why is Why.NONE:
        return ""
    day = entry.due.isoformat() if entry.due else ""
    told = say(language, entry.why, day=day)
    with_day = entry.due is not None and entry.why not in {Why.DUE, Why.OVERDUE}
    return f"{told}, {say(language, Why.DUE, day=day)}" if with_day else told


def doings(entry: DigestEntry, language: str) -> tuple[str, ...]:
    """Who did what is told, and how a piece of work stands; of the reader's own it is known whose it is."""
    origin = entry.origin
    told = [origin.author]
    if origin.new:
        told = [say(language, "made", author=origin.author) if origin.author else say(language, "made by nobody")]
    if origin.finished:
        told.append(say(language, "became", state=origin.state) if origin.state else say(language, "finished"))
    elif origin.state and not entry.quoted:
        told.append(say(language, "state", state=origin.state))
    if origin.assignee and entry.why in {Why.NONE, Why.REQUEST, Why.QUESTION}:
        told.append(say(language, "assignee", name=origin.assignee))
    return tuple(filter(None, told))


def left(group: Group, language: str) -> str:
    """How many entries are not shown, and where they are to be found; "" where all are."""
    if not group.left:
        return ""
    most = group.where[:PLACES]
    places = [say(language, "source_count", title=place, events=count) for place, count in most]
    if rest := group.left - sum(count for _, count in most):
        places.append(say(language, "elsewhere", count=rest))
    if not most:
        return say(language, "left", count=group.left)
    return say(language, "left in", count=group.left, places=", ".join(places))


def gap(each: Coverage, digest: Digest) -> str:
    """What is missing of one source, and why."""
    problem = each.problem or say(digest.language, "no_reason")
    if not each.asked:
        return say(digest.language, "gap_none", title=each.title, problem=problem)
    if each.covered >= each.until:
        return say(digest.language, "gap_part", title=each.title, problem=problem)
    days = {"covered": moment(each.covered, digest), "until": moment(each.until, digest)}
    return say(digest.language, "gap_range", title=each.title, problem=problem.rstrip("."), **days)


def nothing(digest: Digest) -> str:
    """What stands in an empty digest: that nothing was found is not that there was nothing."""
    return say(digest.language, "nothing_known" if digest.gaps else "nothing")


def totals(digest: Digest) -> str:
    """The last line."""
    counted = [
        say(digest.language, "source_count", title=each.title, events=each.events)
        for each in digest.coverage
        if each.asked
    ]
    sources = ", ".join(counted) or say(digest.language, "totals_none")
    return say(digest.language, "totals", events=digest.events, matters=digest.matters, sources=sources)


def late(digest: Digest) -> str:
    """What is told although it happened in the time of an earlier one; "" where nothing is."""
    again = [each.again for each in digest.coverage if each.late and each.again]
    count = sum(each.late for each in digest.coverage)
    return say(digest.language, "late", count=count, again=moment(min(again), digest)) if again else ""


def span(digest: Digest) -> str:
    """From when to when, in the reader's zone."""
    since, until = moment(digest.since, digest), moment(digest.until, digest)
    return say(digest.language, "span", since=since, until=until, zone=digest.zone)


def moment(when: object, digest: Digest) -> str:
    """``2026-11-20 09:00`` in the reader's zone."""
    from datetime import datetime

    from orchestrator.digests.schedules import zone_of

    assert isinstance(when, datetime)
    return when.astimezone(zone_of(digest.zone)).strftime("%Y-%m-%d %H:%M")
