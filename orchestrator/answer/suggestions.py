"""What to do next where the answer is empty or weak: concrete things, in the asker's language."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from orchestrator.answer.gaps import told_of
from orchestrator.answer.text import shorten
from orchestrator.answer.wording import say, say_hits
from orchestrator.model import Confidence, Status
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.answer.gaps import Gaps
    from orchestrator.model import Dropped, Outcome, Plan, Skipped
    from translators.query import Query, Window

TEXT = 80  # characters of a filter or reason that are repeated
OTHER_NAMES = 3
REASONS = 3
FEW = 2  # keywords from which a question can be shortened no further


def suggest(confidence: Confidence, dropped: Sequence[Dropped], gaps: Gaps, plan: Plan) -> tuple[str, ...]:
    """Missing sources always; ways to change the question only where little or nothing was found."""
    parts = list(_sources(gaps, plan))
    if confidence in {Confidence.NONE, Confidence.LOW}:
        parts += _left_out(dropped, plan.query)
        parts += _filters(plan.query)
        parts += _words(plan.query)
        parts += _tried((*gaps.answered, *gaps.partly), plan.query)
    return tuple(dict.fromkeys(parts))


def _sources(gaps: Gaps, plan: Plan) -> Iterator[str]:
    for key, outcomes in (("failed_source", gaps.silent), ("partial_source", gaps.cut)):
        for outcome in outcomes:
            yield say(plan.query, key, source=outcome.title, reason=told_of(outcome, plan))
    yield from _skipped(plan.skipped, plan.query)


def _skipped(skipped: Sequence[Skipped], query: Query) -> Iterator[str]:
    """Each source by itself that can be connected; those that were not asked for one reason together."""
    unasked: dict[str, list[str]] = {}
    for each in skipped:
        reason = said_in(each.reason, query.language).rstrip(".")
        if each.status is Status.NOT_CONNECTED:
            yield say(query, "connect", source=each.title, reason=reason)
        else:
            unasked.setdefault(reason, []).append(each.title)
    for reason, titles in unasked.items():
        key = "not_asked" if len(titles) == 1 else "none_asked"
        yield say(query, key, source=", ".join(titles), reason=reason)


def _left_out(dropped: Sequence[Dropped], query: Query) -> Iterator[str]:
    for reason, count in Counter(each.reason for each in dropped).most_common(REASONS):
        yield say(query, "was_dropped", hits=say_hits(query, count), reason=shorten(reason, TEXT))


def _filters(query: Query) -> Iterator[str]:
    """Each filter that was asked for, as it can be given up."""
    if query.window:
        yield say(query, "without_window", value=_window(query.window))
    if query.author:
        yield say(query, "without_author", value=shorten(str(query.author), TEXT))
    if query.container:
        yield say(query, "without_place", value=shorten(str(query.container), TEXT))
    for kind in query.kinds:
        yield say(query, "without_kind", value=kind)
    for phrase in query.phrases:
        yield say(query, "without_phrase", value=shorten(phrase, TEXT))
    for word in query.negated:
        yield say(query, "without_negated", value=shorten(word, TEXT))


def _window(window: Window) -> str:
    return shorten(window.words, TEXT) or f"{window.start or ''}~{window.end or ''}"


def _words(query: Query) -> Iterator[str]:
    core = query.essential or query.keywords
    if len(core) > FEW:
        yield say(query, "fewer_words", value=shorten(" ".join(core[:FEW]), TEXT))
    names = [name for word, others in query.variants if word in core[:FEW] for name in others]
    if names:
        yield say(query, "other_name", value=shorten(", ".join(names[:OTHER_NAMES]), TEXT))


def _tried(outcomes: Sequence[Outcome], query: Query) -> Iterator[str]:
    """Broader questions that were asked already, each once with the sources that were asked it."""
    asked: dict[str, dict[str, None]] = {}
    for outcome in outcomes:
        for given_up in (", ".join(hit_list.dropped) for hit_list in outcome.lists if hit_list.rung):
            asked.setdefault(given_up, {})[outcome.title] = None
    rungs = (
        f"{say(query, 'without', dropped=shorten(given_up, TEXT))} ({', '.join(titles)})"
        for given_up, titles in asked.items()
    )
    if asked:
        yield say(query, "tried", tried="; ".join(rungs))
