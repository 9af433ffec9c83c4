"""procrastinate over our own connections: one pool, one server that is started again when it ended, no libpq."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from procrastinate.connector import BaseAsyncConnector
from procrastinate.exceptions import ConnectorException, NoResult

from storage.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.database import Database

NAMED = re.compile(r"%\((\w+)\)s")
TEXTS = frozenset({"text", "varchar"})


class PooledConnector(BaseAsyncConnector):
    """What procrastinate asks of a database.

    Nothing is asked twice: a job that was taken by a question without a reply would be nobody's. ``on_broken`` is
    called instead, and whoever runs the worker lets it end and begins a new one, to which the job is a stalled one.
    """

    def __init__(self, database: Database, on_broken: Callable[[], None]) -> None:
        self._database = database
        self._on_broken = on_broken

    async def open_async(self, pool: object = None) -> None:
        """The database opens by itself."""

    async def close_async(self) -> None:
        """Somebody else's to close."""

    async def execute_query_async(self, query: str, **arguments: Any) -> None:
        await self.execute_query_all_async(query, **arguments)

    async def execute_query_one_async(self, query: str, **arguments: Any) -> dict[str, Any]:
        rows = await self.execute_query_all_async(query, **arguments)
        if not rows:
            raise NoResult
        return rows[0]

    async def execute_query_all_async(self, query: str, **arguments: Any) -> list[dict[str, Any]]:
        text, names = numbered(query)
        try:
            async with self._database.connection() as connection:
                statement = await connection.prepare(text)
                kinds = [each.name for each in statement.get_parameters()]
                values = [_fitting(arguments[name], kind) for name, kind in zip(names, kinds, strict=True)]
                return [_told(row) for row in await statement.fetch(*values)]
        except SourceError as failure:
            self._on_broken()
            raise ConnectorException(failure.message) from None


@cache
def numbered(query: str) -> tuple[str, tuple[str, ...]]:
    """A statement with its parameters numbered, and their names in that order: psycopg names them, PostgreSQL does not."""
    names = tuple(dict.fromkeys(NAMED.findall(query)))
    text = NAMED.sub(lambda found: f"${names.index(found[1]) + 1}", query)
    return text.replace("%%", "%"), names


def _fitting(value: Any, kind: str) -> Any:
    if isinstance(value, dict):
        return json.dumps(value)
    return str(value) if kind in TEXTS and value is not None else value


def _told(row: Any) -> dict[str, Any]:
    told = dict(row)
    if isinstance(told.get("args"), str):  # jsonb, which asyncpg leaves as it is written
        told["args"] = json.loads(told["args"])
    return told
