"""Whom and what an organisation on GitHub knows by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from connectors.contract import Call, SourceDirectory
from connectors.errors import Forbidden
from connectors.github.wire import Actor, OwnerData, Repository
from connectors.paging import read_list
from connectors.wire import read, read_each
from translators.query import Container, Person
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from connectors.github.requests import Requests
    from connectors.github.settings import GitHubSettings
    from connectors.http import HttpRequest, Reply
    from translators.translator import Json

    SendRequest = Callable[[HttpRequest, Call], Awaitable[Reply]]

LISTED = 100  # people or repositories a page
NO_ORGANISATION = Said("GitHub knows no organisation {org}, or not for this token")


@record
class DirectoryReader:
    """Reads the names that the settings allow to be known."""

    settings: GitHubSettings
    requests: Requests
    send: SendRequest

    async def directory(self, call: Call) -> SourceDirectory:
        """Members of ``org``, and its repositories unless ``repos`` names those that count; else nobody."""
        people, few_people = await self._listed("members", call)
        named: list[object] = [{"nameWithOwner": repo} for repo in self.settings.repositories]
        repositories, few = (named, ()) if named else await self._listed("repositories", call)
        members, unread = read_each(Actor, people, _names, "people")
        places, unread_places = read_each(Repository, repositories, _places, "repositories")
        return SourceDirectory(
            tuple(person for each in members for person in each),
            tuple(place for each in places for place in each),
            (*few_people, *few, *unread, *unread_places),
        )

    async def _listed(self, document: str, call: Call) -> tuple[list[object], tuple[str, ...]]:
        """The nodes of a list, page by page within reason, and a note if there were more or it may not be read."""
        if not self.settings.org:
            return [], ()

        async def page(more: Mapping[str, Json] | None) -> tuple[tuple[object, ...], Mapping[str, Json] | None]:
            asked = {"owner": self.settings.org, "first": LISTED, **(more or {})}
            owner = read(
                OwnerData, data_of(await self.send(self.requests.graphql(document, asked), call)), "GitHub"
            ).owner
            if owner is None or owner.listed is None:
                raise Forbidden(NO_ORGANISATION.filled(org=self.settings.org))
            cursor = owner.listed.pageInfo.next
            return owner.listed.nodes, None if cursor is None else {"after": cursor}

        return await read_list(page, self.settings.directory_pages, document)


def data_of(reply: Reply) -> object:
    """The ``data`` of a reply in GraphQL."""
    return reply.data.get("data") if isinstance(reply.data, Mapping) else None


def _names(member: Actor) -> tuple[Person, ...]:
    return tuple(Person(name, member.login) for name in dict.fromkeys((member.name, member.login)) if name)


def _places(repository: Repository) -> tuple[Container, ...]:
    full = repository.full_name
    return Container(full.rpartition("/")[2], full), Container(full, full)
