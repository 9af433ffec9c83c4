"""The part of GitHub's GraphQL schema that is emulated, and what its fields give."""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from graphql import GraphQLError, GraphQLSchema, build_schema

from orchestrator.sandbox.github.grammar import QueryError
from orchestrator.sandbox.github.render import instant, pieces
from orchestrator.sandbox.github.search import ForgeSearch, Found
from orchestrator.sandbox.github.store import WEB, Forge, Thing, User
from orchestrator.sandbox.index import Text

MAX_PAGE = 100
MAX_RESULTS = 1000
POINTS_PER_HOUR = 5000
_SDL = Path(__file__).with_name("schema.graphql").read_text("utf-8")

Source = dict[str, Any]


@cache
def schema() -> GraphQLSchema:
    """The schema."""
    return build_schema(_SDL)


def sdl() -> str:
    """The schema's source, for tests that compare it with GitHub's."""
    return _SDL


class Graph:
    """The root of one request; `hits` counts what its searches found."""

    def __init__(self, forge: Forge, index: ForgeSearch, reset: datetime) -> None:
        self._forge = forge
        self._index = index
        self._reset = reset
        self.hits = 0

    def root(self) -> Source:
        """The fields of the query type."""
        return {
            "search": self._search,
            "repository": self._repository,
            "nodes": self._nodes,
            "organization": lambda _, login: self._owner(login, "Organization"),
            "repositoryOwner": lambda _, login: self._owner(login, "RepositoryOwner"),
            "viewer": lambda _: self._user(self._forge.viewer),
            "rateLimit": self._rate_limit,
        }

    def _search(self, _: object, *, query: str, type: str, **page: Any) -> Source:  # noqa: A002 - the argument's name
        found = self._found(query, type)
        items: Sequence[Any] = found.items[:MAX_RESULTS]
        self.hits += len(found.items)
        shown = _connection("search", items, page)
        nodes = [self._thing(thing) for thing in shown["items"]]
        return {
            **dict.fromkeys(("discussionCount", "issueCount", "repositoryCount", "userCount"), 0),
            f"{type.lower()}Count": len(found.items),
            "pageInfo": shown["pageInfo"],
            "nodes": nodes,
            "edges": [
                {"cursor": cursor, "node": node, "textMatches": _matches(thing, found.words)}
                for cursor, node, thing in zip(shown["cursors"], nodes, shown["items"], strict=True)
            ],
        }

    def _found(self, query: str, kind: str) -> Found:
        """A query that REST would refuse finds nothing here."""
        try:
            match kind:
                case "DISCUSSION":
                    return self._index.discussions(query)
                case "ISSUE":
                    return self._index.issues(query)
                case _:
                    return Found((), ())
        except QueryError:
            return Found((), ())

    def _repository(self, _: object, *, owner: str, name: str, **more: Any) -> Source:
        del more
        found = self._forge.repositories.get(f"{owner}/{name}".casefold())
        if found is None:
            raise _not_found("Repository", f"the name '{owner}/{name}'")
        return {
            **_named(found),
            "issueOrPullRequest": lambda _, number: self._numbered(found, number, "issue or pull request"),
            "discussion": lambda _, number: self._numbered(found, number, "Discussion"),
        }

    def _nodes(self, _: object, *, ids: Sequence[str]) -> Sequence[Source | GraphQLError]:
        """A thing for each id, or an error in its place."""
        found = [(each, self._forge.by_node.get(each)) for each in ids]
        return [
            self._thing(thing) if thing else _not_found("node", f"the global id of '{each}'") for each, thing in found
        ]

    def _numbered(self, repository: str, number: int, what: str) -> Source:
        thing = self._forge.by_name.get(f"{repository}#{number}".casefold())
        if thing is None or (thing.kind == "discussion") is not (what == "Discussion"):
            raise _not_found(what, f"the number of {number}")
        self.hits += 1
        return self._thing(thing)

    def _owner(self, login: str, what: str) -> Source:
        found = self._forge.owners.get(login.casefold())
        if found is None:
            raise _not_found(what, f"the login of '{login}'")
        own = [
            name for name in self._forge.repositories.values() if name.partition("/")[0].casefold() == found.casefold()
        ]
        return {
            "__typename": "Organization",
            "login": found,
            "name": found.title(),
            "url": f"{WEB}/{found}",
            "membersWithRole": _listing("membersWithRole", [self._user(user) for user in self._forge.members]),
            "repositories": _listing("repositories", [_named(name) for name in own]),
        }

    def _thing(self, thing: Thing) -> Source:
        kind = {"discussion": "Discussion", "issue": "Issue", "pull": "PullRequest"}[thing.kind]
        return {
            "__typename": kind,
            "id": thing.node,
            "number": thing.number,
            "title": thing.title,
            "body": thing.body,
            "bodyText": thing.body,
            "url": thing.url,
            "createdAt": instant(thing.created),
            "updatedAt": instant(thing.updated),
            "closed": thing.closed,
            "author": self._user(thing.author) if thing.author else None,
            "repository": _named(thing.repository),
            "labels": _listing("labels", [{"name": name} for name in thing.labels]),
            "assignees": _listing("assignees", [self._user(user) for user in thing.assignees]),
            "comments": self._comments(thing),
            "milestone": {"title": thing.milestone} if thing.milestone else None,
            "stateReason": "COMPLETED" if thing.closed else None,
            "category": {"name": thing.category},
            "isAnswered": bool(thing.comments),
            "upvoteCount": 1,
            "isDraft": thing.draft,
            "merged": thing.merged,
        }

    def _comments(self, thing: Thing) -> Callable[..., Source]:
        nodes = [
            {
                "id": f"IC_{each.number}",
                "body": each.body,
                "createdAt": instant(each.created),
                "author": self._user(each.author) if each.author else None,
            }
            for each in thing.comments
        ]
        listing = _listing("comments", nodes)
        return lambda info, **page: listing(info, **page) if page else {"totalCount": len(nodes)}

    def _user(self, user: User) -> Source:
        return {
            "__typename": "User",
            "login": user.login,
            "name": user.name,
            "url": f"{WEB}/{user.login}",
            "repositories": _listing("repositories", []),
        }

    def _rate_limit(self, _: object, **more: Any) -> Source:
        del more
        left = POINTS_PER_HOUR - 1
        return {"limit": POINTS_PER_HOUR, "remaining": left, "used": 1, "cost": 1, "resetAt": instant(self._reset)}


def _named(repository: str) -> Source:
    return {"name": repository.partition("/")[2], "nameWithOwner": repository, "url": f"{WEB}/{repository}"}


def _matches(thing: Thing, found: Sequence[Text]) -> list[Mapping[str, str]]:
    texts = [("title", thing.title), ("body", thing.body), *(("comments.body", each.body) for each in thing.comments)]
    return [{"property": name, "fragment": piece} for name, text in texts for piece in pieces(text, found)]


def _listing(name: str, nodes: Sequence[Source]) -> Callable[..., Source]:
    def listed(_: object, **page: Any) -> Source:
        shown = _connection(name, nodes, page)
        return {"nodes": shown["items"], "totalCount": len(nodes), "pageInfo": shown["pageInfo"]}

    return listed


def _connection(name: str, items: Sequence[Any], page: Mapping[str, Any]) -> Source:
    """A page forwards, or the last of all: https://docs.github.com/en/graphql/guides/using-pagination-in-the-graphql-api ."""
    last, size = page.get("last"), page.get("first")
    if size is None and last is not None:
        size, items = last, items[-last:] if last > 0 else ()
    if size is None:
        message = f"You must provide a `first` or `last` value to properly paginate the `{name}` connection."
        raise _error("MISSING_PAGINATION_BOUNDARIES", message)
    if not 0 <= size <= MAX_PAGE:
        message = (
            f"Requesting {size} records on the `{name}` connection exceeds the `first` limit of {MAX_PAGE} records."
        )
        raise _error("EXCESSIVE_PAGINATION", message)
    start = _position(page.get("after"))
    shown = items[start : start + size]
    cursors = [_cursor(start + place + 1) for place in range(len(shown))]
    info = {
        "hasNextPage": start + size < len(items),
        "hasPreviousPage": start > 0,
        "startCursor": cursors[0] if cursors else None,
        "endCursor": cursors[-1] if cursors else None,
    }
    return {"items": shown, "cursors": cursors, "pageInfo": info}


def _cursor(place: int) -> str:
    return base64.b64encode(f"cursor:{place}".encode()).decode()


def _position(after: str | None) -> int:
    if after is None:
        return 0
    try:
        name, _, place = base64.b64decode(after, validate=True).decode("ascii").partition(":")
    except (binascii.Error, ValueError):
        name, place = "", ""
    if name != "cursor" or not place.isdigit() or len(place) > len(str(10**9)):
        raise _error("INVALID_CURSOR_ARGUMENTS", f"`{after[:40]}` does not appear to be a valid cursor.")
    return int(place)


def _not_found(what: str, how: str) -> GraphQLError:
    return _error("NOT_FOUND", f"Could not resolve to a {what} with {how}.")


def _error(kind: str, message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"type": kind})
