"""What reading one hit costs each source: the replies of its exemplars, nothing known from before, in microseconds of CPU.

Exemplars are short: a hit with a whole page in it costs more anywhere. What a source reads of each hit by a request of its own
is not counted, nor are sources that do not speak HTTP themselves.
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any

from connectors.errors import SourceError
from connectors.http import HttpSource, Reply
from connectors.registry import load_source, source_kinds
from connectors.testing.exemplar import filed_exemplars
from connectors.wire import ItemMemo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from connectors.testing.exemplar import Filed

ROUNDS = 200


def main() -> None:
    """One line for each source."""
    for kind in source_kinds():
        source = load_source(kind)
        if not issubclass(source, HttpSource):
            continue
        read = [each for filed in filed_exemplars(source) for each in _costs(source, filed)]
        hits = sum(count for count, _ in read)
        if hits:
            each = sum(count * cost for count, cost in read) / hits
            print(f"{kind:14} {each:6.1f} µs a hit, of {hits} hits in {len(read)} replies", flush=True)


def _costs(source: type[HttpSource], filed: Filed) -> Iterator[tuple[int, float]]:
    """Of each reply that holds hits: how many, and microseconds for each of them."""
    if filed.drawer != "exemplary":
        return
    given = {"kind": source.manifest.name, **filed.exemplar.settings}
    reader = source("bench", source.settings_type.model_validate(given))
    for exchange in filed.exemplar.exchanges:
        body: Any = exchange.reply.body
        try:
            hits = len(reader.parse(Reply(exchange.reply.status, body)).hits)
        except (SourceError, TypeError, KeyError, AttributeError):  # of a detail, of names
            continue
        if hits:
            yield hits, statistics.median(_timed(reader, Reply(200, body)) for _ in range(ROUNDS)) / hits


def _timed(reader: HttpSource, reply: Reply) -> float:
    reader.known = ItemMemo()
    started = time.thread_time_ns()
    reader.parse(reply)
    return (time.thread_time_ns() - started) / 1000


if __name__ == "__main__":
    main()
