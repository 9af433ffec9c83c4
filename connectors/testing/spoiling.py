"""Exemplars with one thing gone wrong in them, of which no source may make that there is nothing."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connectors.contract import HitPage
    from connectors.testing.exemplar import Exchange, SourceExemplar


HUNG_UP = {"reply": (), "filler": 0, "hang_up": True}


def spoiled(exemplar: SourceExemplar) -> Iterator[tuple[str, SourceExemplar]]:
    """What was done to it, and the exemplar: each reply failing by itself; then none of the things in any to be read."""
    if exemplar.ask != "search" or exemplar.expect.error is not None:
        return
    for place, exchange in enumerate(exemplar.exchanges):
        failing = exchange.reply.model_copy(
            update={"status": HTTPStatus.INTERNAL_SERVER_ERROR, "body": None, "text": "", "filler": 0}
        )
        worse = exchange.model_copy(update={"reply": failing, "parts": exchange.parts})
        yield f"reply {place + 1} failed", _with(exemplar, "exchanges", place, worse)
    for place, line in enumerate(exemplar.lines[:-1]):  # the last one takes leave
        yield f"line {place + 1} broke off", _with(exemplar, "lines", place, line.model_copy(update=HUNG_UP))
    for place, run in enumerate(exemplar.runs):
        failed = run.reply.model_copy(update={"output": None, "text": "", "filler": 0, "status": 1})
        worse_run = run.model_copy(update={"reply": failed})
        yield f"start {place + 1} failed", _with(exemplar, "runs", place, worse_run)
    if exemplar.exchanges and exemplar.expect.hits:
        for empty in (_emptied, _emptied_inside):
            unread = tuple(_unreadable(each, empty) for each in exemplar.exchanges)
            yield "no thing in any reply could be read", exemplar.model_copy(update={"exchanges": unread})


def claims_nothing(page: HitPage) -> bool:
    """Whether a page says that there is nothing."""
    return page.asked and not (page.hits or page.notes or page.left_out or page.cursor)


def _with(exemplar: SourceExemplar, name: str, place: int, worse: object) -> SourceExemplar:
    parts = list(getattr(exemplar, name))
    parts[place] = worse
    return exemplar.model_copy(update={name: tuple(parts)})


def _unreadable(exchange: Exchange, empty: Callable[[Any], Any]) -> Exchange:
    reply = exchange.reply.model_copy(update={"body": empty(exchange.reply.body)})
    return exchange.model_copy(
        update={"reply": reply, "parts": tuple(_unreadable(each, empty) for each in exchange.parts)}
    )


def _emptied(body: Any) -> Any:
    """The same with nothing in the things that it lists."""
    if isinstance(body, dict):
        return {name: _emptied(value) for name, value in body.items()}
    if isinstance(body, list):
        return [{} if isinstance(each, dict) else each for each in body]
    return body


def _emptied_inside(body: Any) -> Any:
    """The same where things lie in lists of lists: nothing in the innermost."""
    if isinstance(body, dict):
        return {name: _emptied_inside(value) for name, value in body.items()}
    if isinstance(body, list):
        return [(_emptied_inside(each) if _lists(each) else {}) if isinstance(each, dict) else each for each in body]
    return body


def _lists(thing: Any) -> bool:
    """Whether there are things listed in it."""
    if isinstance(thing, dict):
        return any(map(_lists, thing.values()))
    return isinstance(thing, list) and any(isinstance(each, dict) for each in thing)
