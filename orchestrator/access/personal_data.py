"""What is kept of one person wherever it lies, shown and forgotten (erasure, the right to be forgotten)."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Protocol

from orchestrator.access.roles import Grantee, NoSuchRole, role_id
from orchestrator.lines import count_lines, drop_lines
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from orchestrator.access.connecting import Connecting
    from orchestrator.access.roles import RoleBook

STAYS = Said(
    "What stays: the audit log where one is kept, backups that were made before, and digests that the settings define."
)


async def nobody() -> Mapping[str, int]:
    """Owners of a place in which people stand by digests alone."""
    return {}


@record
class PersonalStore:
    """One place where something is kept of people. ``name``: stable, for programs; ``title``: of what lies there, for people.

    ``erase``: forgets somebody's for good, and says how much that was; ``owners``: how much there is of whom; ``count``: of one person,
    where that is found without asking for all. Each raises ``OSError`` or :class:`connectors.errors.SourceError` where the place cannot be reached.
    """

    name: str
    title: Said
    erase: Callable[[str], Awaitable[int]]
    owners: Callable[[], Awaitable[Mapping[str, int]]] = nobody
    count: Callable[[str], Awaitable[int]] | None = None

    async def kept_of(self, principal: str) -> int:
        """How much of somebody's is there."""
        return await self.count(principal) if self.count else (await self.owners()).get(principal, 0)


class PersonalData:
    """All such places, in the order in which they are emptied: what still does something in somebody's name comes first.

    Whatever fails leaves the later ones as they were, and the same can be asked for again.
    """

    def __init__(self, stores: Sequence[PersonalStore]) -> None:
        self._stores = tuple(stores)

    @property
    def titles(self) -> Mapping[str, Said]:
        """What lies where, for people."""
        return {store.name: store.title for store in self._stores}

    async def kept(self, principal: str) -> Mapping[str, int]:
        """How much is kept of somebody, by the name of the place; places with nothing among them."""
        return {store.name: await store.kept_of(principal) for store in self._stores}

    async def forget(self, principal: str, noted: Callable[[], Awaitable[None]]) -> Mapping[str, int]:
        """Forget all of it; how much that was. ``noted`` is told before, and nothing is forgotten where it raises."""
        await noted()
        return {store.name: await store.erase(principal) for store in self._stores}

    async def owners(self) -> Mapping[str, Mapping[str, int]]:
        """Of whom something is kept, and how much, by the name of the place."""
        found: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for store in self._stores:
            for principal, count in (await store.owners()).items():
                found[principal][store.name] = count
        return dict(sorted(found.items()))


def accounts_store(connecting: Connecting) -> PersonalStore:
    """Accounts of their own that people have connected; their vendors are told, too."""

    async def count(principal: str) -> int:
        found, broken = await connecting.vault.of(principal)
        return len(found) + len(broken)

    async def erase(principal: str) -> int:
        return len(await connecting.forget(principal, None, _noted_already))

    async def owners() -> Mapping[str, int]:
        return Counter(each.principal for each in await connecting.vault.listed())

    return PersonalStore("accounts", Said("accounts connected of one's own"), erase, owners, count)


async def _noted_already(_: Sequence[str]) -> None: ...


def lines_store(name: str, title: Said, file: Path, key: str) -> PersonalStore:
    """A file of one JSON object a line (:mod:`orchestrator.lines`), each of whom its ``key`` names."""

    async def erase(principal: str) -> int:
        return await asyncio.to_thread(drop_lines, file, lambda row: row.get(key) == principal)

    async def owners() -> Mapping[str, int]:
        return await asyncio.to_thread(_people_in, file, key)

    return PersonalStore(name, title, erase, owners)


def _people_in(file: Path, key: str) -> Mapping[str, int]:
    found: Counter[str] = Counter()

    def seen(row: Mapping[str, Any]) -> bool:
        if isinstance(whose := row.get(key), str):
            found[whose] += 1
        return False

    count_lines(file, seen)
    return found


def roles_store(roles: RoleBook) -> PersonalStore:
    """What somebody may that was given to them by their id; a role by their address or a group is not known to be theirs."""

    async def owners() -> Mapping[str, int]:
        given = await asyncio.to_thread(roles.all)
        return {each.name: 1 for each in given if each.grantee is Grantee.PERSON}

    async def erase(principal: str) -> int:
        try:
            await asyncio.to_thread(roles.take, role_id(Grantee.PERSON, principal))
        except NoSuchRole:
            return 0
        return 1

    return PersonalStore("roles", Said("a role given to this one person"), erase, owners)


class PersonalLog(Protocol):
    """A log in which people stand by digests: :class:`orchestrator.access.usage.UsageLog` and others of its kind."""

    async def kept_of(self, principal: str) -> int: ...

    async def erase(self, principal: str) -> int: ...


def log_store(name: str, title: Said, log: PersonalLog) -> PersonalStore:
    """What stands in a log."""
    return PersonalStore(name, title, log.erase, count=log.kept_of)
