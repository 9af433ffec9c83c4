"""What the fields of Linear's schema give, and the errors its endpoint reports."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from http import HTTPStatus
from typing import Any

from graphql import GraphQLError, GraphQLObjectType, GraphQLResolveInfo, get_named_type

from orchestrator.sandbox.linear.filters import holds, snake
from orchestrator.sandbox.linear.nodes import ORGANIZATION, IssueSearch, Node, Team, User
from orchestrator.sandbox.linear.store import Tracker

_KINDS = {
    "AUTHENTICATION_ERROR": "authentication error",
    "FORBIDDEN": "forbidden",
    "GRAPHQL_PARSE_FAILED": "graphql error",
    "GRAPHQL_VALIDATION_FAILED": "graphql error",
    "INPUT_ERROR": "invalid input",
    "INTERNAL_SERVER_ERROR": "internal error",
    "RATELIMITED": "ratelimited",
}


def extensions(code: str, status: int, message: str) -> dict[str, Any]:
    """The `extensions` of an error: code, type, and a sentence for people."""
    return {
        "code": code,
        "type": _KINDS[code],
        "statusCode": status,
        "userError": status < HTTPStatus.INTERNAL_SERVER_ERROR,
        "userPresentableMessage": message,
    }


def input_error(message: str) -> GraphQLError:
    """A field error about an argument: HTTP 200 with `errors`."""
    return GraphQLError(message, extensions=extensions("INPUT_ERROR", 400, message))


def not_found(kind: str) -> GraphQLError:
    """A field error for an id that names nothing."""
    presentable = f"Could not find referenced {kind}."
    return GraphQLError(f"Entity not found: {kind}", extensions=extensions("INPUT_ERROR", 400, presentable))


MAX_PAGE = 250
DEFAULT_PAGE = 50
REQUESTS_PER_HOUR = 2500
HOUR_MS = 3_600_000


@dataclass(slots=True)
class Root:
    """The query type: one per request; `hits` counts what searches found."""

    tracker: Tracker
    index: IssueSearch
    now: datetime
    hits: int = field(default=0)

    def search_issues(self, *, term: str, **arguments: Any) -> Mapping[str, Any]:
        """SearchIssues."""
        boosted = _named(self.tracker.teams, arguments.get("teamId"))
        found = self.index.find(term, comments=bool(arguments.get("includeComments")), boosted=boosted)
        kept = self._filtered(found, arguments)
        ordered = _ordered(kept, arguments["orderBy"]) if arguments.get("orderBy") else kept
        self.hits += len(ordered)
        return {**connection(ordered, arguments), "totalCount": len(ordered)}

    def issues(self, **arguments: Any) -> Mapping[str, Any]:
        """Issues by filter, newest first."""
        found = _ordered(self._filtered(self.tracker.issues, arguments), arguments.get("orderBy"))
        self.hits += len(found)
        return connection(found, arguments)

    def issue(self, *, id: str) -> Node:  # noqa: A002 - the argument's name in the schema
        """One issue, by id or identifier."""
        found = self.tracker.by_name.get(id)
        if found is None:
            raise not_found("Issue")
        self.hits += 1
        return found

    def viewer(self) -> User:
        """Whose token it is."""
        return self.tracker.viewer

    def user(self, *, id: str) -> User:  # noqa: A002
        """One member; `me` is the viewer."""
        found = self.tracker.viewer if id == "me" else _named(self.tracker.users, id)
        if found is None:
            raise not_found("User")
        return found

    def users(self, **arguments: Any) -> Mapping[str, Any]:
        """Members by filter."""
        return connection(self._filtered(self.tracker.users, arguments), arguments)

    def team(self, *, id: str) -> Team:  # noqa: A002
        """One team, by id or key."""
        found = next((team for team in self.tracker.teams if id in (team.id, team.key)), None)
        if found is None:
            raise not_found("Team")
        return found

    def teams(self, **arguments: Any) -> Mapping[str, Any]:
        """Teams by filter."""
        return connection(self._filtered(self.tracker.teams, arguments), arguments)

    def organization(self) -> Mapping[str, Any]:
        """The workspace."""
        return {"id": ORGANIZATION, "name": "Acme", "urlKey": ORGANIZATION}

    def rate_limit_status(self) -> Mapping[str, Any]:
        """The budget of requests; it is never used up here except by a fault."""
        limit = {
            "type": "requests",
            "requestedAmount": 1,
            "allowedAmount": REQUESTS_PER_HOUR,
            "remainingAmount": REQUESTS_PER_HOUR - 1,
            "period": HOUR_MS,
            "reset": int(self.now.timestamp() * 1000) + HOUR_MS,
        }
        return {"identifier": self.tracker.viewer.id, "kind": "apiKey", "limits": [limit]}

    def _filtered(self, nodes: Iterable[Any], arguments: Mapping[str, Any]) -> Sequence[Any]:
        return [node for node in nodes if holds(node, arguments.get("filter"), self.now)]


def resolve(source: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
    """The default resolver: an entry of a page, a method of the root, or an attribute of a node."""
    if isinstance(source, Mapping):
        return source.get(info.field_name)
    value = getattr(source, snake(info.field_name))
    if isinstance(source, Root):
        method: Callable[..., Any] = value
        return method(**arguments)
    kind = get_named_type(info.return_type)
    if isinstance(kind, GraphQLObjectType) and kind.name.endswith("Connection"):
        root: Root = info.root_value
        kept = [node for node in value if holds(node, arguments.get("filter"), root.now)]
        return connection(
            _ordered(kept, arguments.get("orderBy")) if info.field_name == "comments" else kept, arguments
        )
    return _written(value)


def connection(nodes: Sequence[Any], arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """A Relay page; cursors are ids, as Linear's are."""
    first, last = arguments.get("first"), arguments.get("last")
    for size in (first, last):
        if size is not None and not 1 <= size <= MAX_PAGE:
            raise input_error(f"Argument Validation Error: first and last must be between 1 and {MAX_PAGE}.")
    if first is not None and last is not None:
        raise input_error("Argument Validation Error: first and last cannot be given together.")
    start = _place(nodes, arguments["after"]) + 1 if arguments.get("after") else 0
    end = _place(nodes, arguments["before"]) if arguments.get("before") else len(nodes)
    if last is not None:
        start = max(start, end - last)
    else:
        end = min(end, start + (first or DEFAULT_PAGE))
    shown = nodes[start:end]
    ends = {"startCursor": shown[0].id, "endCursor": shown[-1].id} if shown else {}
    page = {"hasNextPage": end < len(nodes), "hasPreviousPage": start > 0, **ends}
    return {"nodes": shown, "edges": [{"node": node, "cursor": node.id} for node in shown], "pageInfo": page}


def _place(nodes: Sequence[Node], cursor: str) -> int:
    place = next((place for place, node in enumerate(nodes) if node.id == cursor), None)
    if place is None:
        raise input_error("Argument Validation Error: the cursor is not one of this list.")
    return place


def _ordered(nodes: Sequence[Any], order: str | None) -> Sequence[Any]:
    name = snake(order or "createdAt")
    return sorted(sorted(nodes, key=lambda node: node.id), key=lambda node: getattr(node, name), reverse=True)


def _named(nodes: Iterable[Any], number: str | None) -> Any:
    return next((node for node in nodes if node.id == number), None)


def _written(value: Any) -> Any:
    """Dates as Linear writes them."""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%S.") + f"{value.microsecond // 1000:03d}Z"
    return value.isoformat() if isinstance(value, date) else value
