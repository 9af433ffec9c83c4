"""Saved searches: what an answer says, and what has changed in it since it was told last. Pure.

An answer has changed where what it states or what it stands on has, not where the same came in other words or order:
statements count by what they cite, evidence by the thing itself and when that changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.text import absolute_url
from orchestrator.answer.choosing import repeats
from orchestrator.answer.text import quotable_line, shorten
from orchestrator.digests.content import Ground, Told
from orchestrator.digests.rendering import Item, Outline, OutlineBlock
from orchestrator.digests.schedules import zone_of
from orchestrator.digests.wording import say
from orchestrator.documents.answer import answer_document
from orchestrator.documents.view import view_of
from orchestrator.model import ANSWERED, Status
from translators.match import happened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orchestrator.digests.content import Alert
    from orchestrator.model import Answer, Result

TITLE = 160  # characters


def told_by(answer: Answer) -> Told:
    """What an answer says and stands on; only what it cites, so that a new neighbour further down changes nothing."""
    claims = tuple(each.text for each in view_of(answer_document(answer)).lines if each.part == "claim")
    cited = {each.number: each.result for each in answer.citations}
    titles = {each.source: each.title for each in answer.outcomes}
    silent = tuple(sorted(each.source for each in answer.outcomes if each.status not in ANSWERED))
    away = tuple(
        each.title
        for each in answer.outcomes
        if each.status not in ANSWERED and each.status is not Status.SKIPPED  # that one has nothing to do with it
    )
    return Told(claims, tuple(_ground(cited[number], titles) for number in sorted(cited)), silent, away)


def has_changed(now: Told, before: Told | None) -> bool:
    """Whether the answer is another one. The first is; and what only a silent source took with it is no change."""
    if before is None:
        return bool(now.claims)
    if new_claims(now, before) or (new_grounds(now, before) and not _same_claims(now, before)):
        return True
    gone = [each for each in before.grounds if _key(each) not in set(map(_key, now.grounds))]
    vanished = [each for each in gone if each.source not in now.silent]
    return bool(vanished) and not _same_claims(now, before)


def new_claims(now: Told, before: Told | None) -> tuple[str, ...]:
    """What is said now and was not before, in these or nearly these words."""
    old = before.claims if before else ()
    return tuple(each for each in now.claims if not any(_same(each, other) for other in old))


def new_grounds(now: Told, before: Told | None) -> tuple[Ground, ...]:
    """What the answer stands on now and did not before, or that has been changed."""
    old = {(*_key(each), each.happened) for each in before.grounds} if before else set()
    return tuple(each for each in now.grounds if (*_key(each), each.happened) not in old)


def outline_of(alert: Alert) -> Outline:
    """An alert as it is read."""
    language, before = alert.language, alert.before
    at = alert.at.astimezone(zone_of(alert.zone)).strftime("%Y-%m-%d %H:%M")
    blocks = [_lines(say(language, "now"), alert.now.claims)]
    if before is not None:
        kept = set(map(_key, alert.now.grounds))
        gone = [each for each in before.grounds if _key(each) not in kept and each.source not in alert.now.silent]
        blocks += [
            _lines(say(language, "before"), before.claims),
            _grounds(say(language, "new"), new_grounds(alert.now, before)),
            _grounds(say(language, "gone"), gone),
        ]
    else:
        blocks.append(_grounds(say(language, "stands on"), alert.now.grounds))
    title = alert.title or f"{say(language, _standing(alert))}: {shorten(alert.question, TITLE)}"
    shown = tuple(each for each in blocks if each.items)
    away = say(language, "away", sources=", ".join(alert.now.away)) if alert.now.away else ""
    notice = say(language, "nothing") if not shown and not away else ""
    below = f"{say(language, 'asked')}: {quotable_line(alert.question)} ({at})"
    return Outline(title, below, language, shown, notice, (away,) if away else ())


def _standing(alert: Alert) -> str:
    """What a saved search that never ran before says is no change; and where somebody was silent, no answer is not the same as before."""
    if alert.changed:
        return "first" if alert.before is None else "changed"
    if not alert.now.claims and alert.now.away:
        return "unread"
    return "none yet" if alert.before is None else "unchanged"


def _lines(heading: str, claims: Sequence[str]) -> OutlineBlock:
    return OutlineBlock(heading, tuple(Item(each) for each in claims))


def _grounds(heading: str, grounds: Sequence[Ground]) -> OutlineBlock:
    return OutlineBlock(heading, tuple(Item(each.title, each.url, (each.place or each.source,)) for each in grounds))


def _same_claims(now: Told, before: Told) -> bool:
    return not new_claims(now, before) and not new_claims(before, now)


def _same(one: str, other: str) -> bool:
    return one == other or (repeats(one, other) and repeats(other, one))


def _key(ground: Ground) -> tuple[str, str]:
    return ground.source, ground.id


def _ground(result: Result, titles: Mapping[str, str]) -> Ground:
    hit = result.hit
    title = shorten(hit.title, TITLE) or shorten(hit.snippet, TITLE) or hit.id
    return Ground(hit.source, hit.id, title, absolute_url(hit.url), happened(hit), titles.get(hit.source, ""))
