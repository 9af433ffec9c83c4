"""Digests and saved searches that people define themselves, in the database: whoever reads it next sees them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import SecretStr, ValidationError

from connectors.errors import Misconfigured
from orchestrator.digests.definitions import OWN, SEARCHES, defined_by, own_name
from orchestrator.digests.run_repository import DIGESTS
from orchestrator.settings.digests import DigestSettings, SearchSettings
from storage.logs import log_of
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from orchestrator.digests.definitions import Definition, Definitions
    from storage.database import Database

SECRET = "secret"  # noqa: S105 - the name of a setting
SOME = """
    SELECT digest, name, person, kind, told, sealed FROM digest_definitions
    WHERE ($1::text[] IS NULL OR person = ANY($1)) AND ($2::text IS NULL OR digest = $2) ORDER BY digest
"""
# One person at a time, so that nobody has more than they may by asking twice at once.
ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('fedsearch/definitions/' || $1, 0))"
COUNT = "SELECT count(*) FROM digest_definitions WHERE person = $1 AND digest <> $2"
PUT = """
    INSERT INTO digest_definitions (digest, name, person, kind, told, sealed) VALUES ($1, $2, $3, $4, $5::jsonb, $6)
    ON CONFLICT (digest) DO UPDATE SET told = excluded.told, sealed = excluded.sealed, changed = now()
"""
OWNERS = "SELECT person, count(*) FROM digest_definitions GROUP BY person"
# Those that cannot be read any more, too, and runs of such as were removed.
ALL_OF = """
    SELECT digest FROM digest_definitions WHERE person = $1
    UNION SELECT digest FROM digest_runs WHERE person = $1 AND starts_with(digest, $2)
"""
ERASE = (
    "DELETE FROM digest_plans WHERE digest = $1",
    "DELETE FROM digest_marks WHERE digest = $1",
    "DELETE FROM digest_runs WHERE digest = $1",
)

log = log_of(__name__)


class Sealing(Protocol):
    """Keeps a secret for what it is bound to (:class:`orchestrator.access.sealing.Seal`)."""

    def seal(self, data: bytes, *bound: str) -> bytes: ...

    def open(self, sealed: bytes, *bound: str) -> bytes: ...


@record
class StoredDefinition:
    """A definition that a person made, under the name that they gave."""

    name: str
    wished: Definition

    @property
    def full(self) -> str:
        """What it is kept under."""
        before = SEARCHES if isinstance(self.wished, SearchSettings) else ""
        return own_name(self.wished.person, f"{before}{self.name}")


class DefinitionRepository:
    """Raises only :class:`connectors.errors.SourceError`. Without ``seal`` no secret can be kept."""

    def __init__(self, database: Database, seal: Sealing | None) -> None:
        database.register(DIGESTS)
        self._database = database
        self._seal = seal

    @property
    def is_there(self) -> bool:
        """Whether there may be any: a database that nobody has used yet is not started to find out."""
        return self._database.is_made

    async def some(self, people: Sequence[str] | None = None, full: str | None = None) -> tuple[StoredDefinition, ...]:
        """Definitions (of these people, of this full name); one that cannot be read is left out, and the log says why."""
        whose = None if people is None else list(people)
        rows = await self._database.run(lambda each: each.fetch(SOME, whose, full))
        return tuple(made for row in rows if (made := self._read(row)) is not None)

    async def put(self, made: StoredDefinition, most: int) -> bool:
        """Keep a definition, in place of the one of that name; ``False`` where its person has ``most`` others."""
        wished, kind = made.wished, "search" if isinstance(made.wished, SearchSettings) else "digest"
        told = json.dumps(wished.model_dump(mode="json", exclude={SECRET, "person"}), ensure_ascii=False)
        values = (made.full, made.name, wished.person, kind, told, self._sealed(made))

        async def put(connection: Any) -> bool:
            async with connection.transaction():
                await connection.execute(ALONE, wished.person)
                if await connection.fetchval(COUNT, wished.person, made.full) >= most:
                    return False
                await connection.execute(PUT, *values)
            return True

        return await self._database.run(put)

    async def remove(self, full: str) -> bool:
        """Forget a definition, and all that was read, told and sent for it; whether there was one."""

        async def erase(connection: Any) -> bool:
            async with connection.transaction():
                statement = "DELETE FROM digest_definitions WHERE digest = $1 RETURNING digest"
                if await connection.fetchval(statement, full) is None:
                    return False
                for each in ERASE:
                    await connection.execute(each, full)
            return True

        return await self._database.run(erase)

    async def erase(self, person: str) -> int:
        """Forget every definition of somebody's, and all that was read, told and sent for them; how many there were."""

        async def erase(connection: Any) -> int:
            async with connection.transaction():
                await connection.execute(ALONE, person)
                theirs = [row["digest"] for row in await connection.fetch(ALL_OF, person, OWN)]
                gone = await connection.fetch("DELETE FROM digest_definitions WHERE person = $1 RETURNING 1", person)
                for full in theirs:
                    for each in ERASE:
                        await connection.execute(each, full)
            return len(gone)

        return await self._database.run(erase) if self.is_there else 0

    async def owners(self) -> Mapping[str, int]:
        """How many definitions there are of whom; those that cannot be read count too."""
        rows = await self._database.run(lambda each: each.fetch(OWNERS)) if self.is_there else ()
        return {row["person"]: row["count"] for row in rows}

    def _sealed(self, made: StoredDefinition) -> bytes | None:
        if made.wished.secret is None:
            return None
        if self._seal is None:
            raise Misconfigured(
                Said("a secret can be kept only where accounts.secret is set (`fedsearch accounts key`)")
            )
        return self._seal.seal(made.wished.secret.get_secret_value().encode(), "digest", made.full)

    def _read(self, row: Any) -> StoredDefinition | None:
        kind = SearchSettings if row["kind"] == "search" else DigestSettings
        try:
            made = StoredDefinition(
                row["name"], kind.model_validate({**json.loads(row["told"]), "person": row["person"]})
            )
        except ValidationError as failure:
            field = ".".join(map(str, failure.errors()[0]["loc"]))
            log.warning("a person's digest cannot be read", digest=row["digest"], field=field)
            return None
        if row["sealed"] is None:
            return made
        return replace(made, wished=made.wished.model_copy(update={SECRET: self._opened(row["sealed"], made.full)}))

    def _opened(self, sealed: bytes, full: str) -> SecretStr | None:
        """``None`` where no key opens it any more: then what it signs is not sent, and the digest says why."""
        try:
            return None if self._seal is None else SecretStr(self._seal.open(sealed, "digest", full).decode())
        except Exception as failure:  # noqa: BLE001 - each way of sealing has errors of its own
            log.warning("the secret of a person's digest cannot be read", digest=full, reason=str(failure))
            return None


class DefinitionCatalogue:
    """What is defined now: by the settings (``fixed``), and by people who are still let in."""

    def __init__(
        self, fixed: Definitions, definition_repository: DefinitionRepository, is_let_in: Callable[[str], bool]
    ) -> None:
        self.fixed = fixed
        self._repository = definition_repository
        self._is_let_in = is_let_in

    async def definitions(self, people: Sequence[str] | None = None) -> Definitions:
        """Everything, of people only what is of these; read anew each time, since other processes change it."""
        return await self._with(people, None)

    async def knowing(self, name: str) -> Definitions:
        """What is enough to find one by its full name: where the settings have it, no database is asked."""
        if self.fixed.name_of(name) in self.fixed.by_name:
            return self.fixed
        return await self._with(None, name if defined_by(name) == "person" else None)

    async def _with(self, people: Sequence[str] | None, full: str | None) -> Definitions:
        if not self._repository.is_there:
            return self.fixed
        found = await self._repository.some(people, full)
        made: Mapping[str, Definition] = {
            each.full: each.wished for each in found if self._is_let_in(each.wished.person)
        }
        return replace(self.fixed, by_name={**made, **self.fixed.by_name})
