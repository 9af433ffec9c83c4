"""Where something is kept of people, put together for whoever shows and forgets it."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from orchestrator.assembly.accounts import accounts_of, database_of
from orchestrator.assembly.administration import role_book, usage_log
from orchestrator.assembly.learning import learning_log
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from datetime import datetime
    from pathlib import Path

    from orchestrator.access import PersonalData, PersonalStore
    from orchestrator.digests import DefinitionRepository
    from orchestrator.settings import Settings

FEEDBACK = "feedback.jsonl"  # in the data folder


@asynccontextmanager
async def personal_data_of(
    settings: Settings, clock: Callable[[], datetime], *, with_roles: bool
) -> AsyncIterator[PersonalData]:
    """All places of an installation. A database that nobody has used yet is not started to look into it.

    ``with_roles``: what somebody may as well, which nobody takes from themselves: it might be the last who can give it. Raises :class:`connectors.errors.Misconfigured`.
    """
    from orchestrator.access import PersonalData, accounts_store, lines_store, log_store, roles_store
    from orchestrator.aliases import NAMES
    from orchestrator.digests import DefinitionRepository

    async with AsyncExitStack() as opened:
        database = database_of(settings)
        opened.push_async_callback(database.aclose)
        stores = [digests_store(DefinitionRepository(database, None))]
        if settings.accounts.secret.get_secret_value() and database.is_made:
            connecting = accounts_of(settings)
            await opened.enter_async_context(connecting.vault)
            stores.insert(0, accounts_store(connecting))
        data = settings.storage.path
        stores += [roles_store(role_book(settings))] if with_roles else []
        stores += [
            lines_store("names", Said("other names of things, learnt from questions"), data / NAMES, "owner"),
            last_question_store(data),
            lines_store("judgments", Said("judgments of answers, with the questions"), data / FEEDBACK, "principal"),
            log_store("reactions", Said("what was shown and done with it, in numbers"), learning_log(settings, clock)),
            log_store("use", Said("questions counted in the figures of use"), usage_log(settings, clock)),
        ]
        yield PersonalData(stores)


def digests_store(definition_repository: DefinitionRepository) -> PersonalStore:
    """Digests and saved searches that people defined, with all that was made of them."""
    from orchestrator.access import PersonalStore

    title = Said("digests and saved searches of one's own, with what they told")
    return PersonalStore("digests", title, definition_repository.erase, definition_repository.owners)


def last_question_store(folder: Path) -> PersonalStore:
    """What was asked last at the command line of this machine, which is its account's alone."""
    from orchestrator.access import PersonalStore
    from orchestrator.surfaces.cli.following import NAME
    from orchestrator.surfaces.cli.names import OURS

    path = folder / NAME

    async def erase(principal: str) -> int:
        there = (await owners()).get(principal, 0)
        if there:
            path.unlink(missing_ok=True)
        return there

    async def owners() -> Mapping[str, int]:
        return {OURS: 1} if path.exists() else {}

    return PersonalStore("question", Said("the last question at the command line"), erase, owners)
