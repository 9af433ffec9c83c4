"""Linear's GraphQL API, as far as reading and searching issues needs it, over the issues of a corpus."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    ExecutionResult,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLSyntaxError,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    build_schema,
    execute_sync,
    get_named_type,
    parse,
    validate,
)

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.linear.filters import parse_day, parse_moment
from orchestrator.sandbox.linear.nodes import IssueSearch
from orchestrator.sandbox.linear.resolve import HOUR_MS, REQUESTS_PER_HOUR, Root, extensions, resolve
from orchestrator.sandbox.linear.store import Tracker
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply

TOKEN = "lin_api_sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
OAUTH_TOKEN = "lin_oauth_sandbox"  # noqa: S105
MAX_TOKENS = 10_000
"""Words and marks in one document; more is refused before it is parsed."""
__all__ = ["EMULATOR", "LinearEmulator"]


class LinearError(Exception):
    """A request refused as a whole."""

    def __init__(self, status: int, errors: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(str(status))
        self.status = status
        self.errors = errors


class LinearEmulator:
    """Linear over the issues of a corpus."""

    source = "linear"
    base_path = "/graphql"

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN, OAUTH_TOKEN)
        self._clock = situation.clock
        self._tracker = Tracker(situation)
        self._index = IssueSearch(self._tracker.issues)
        schema()  # built now, not in the first request

    def answer(self, request: WireRequest) -> WireReply:
        """400 for what does not validate, 200 with `errors` for what fails in a field."""
        asked: Mapping[str, Any] = {}
        try:
            self._admit(request)
            asked = _read_body(request)
            document = _parsed(asked["query"])
            points = _measured(document, asked)
            root = Root(self._tracker, self._index, self._clock())
            result = _executed(document, asked, root)
        except RecursionError:
            error = _error("GRAPHQL_PARSE_FAILED", 400, "The document or its variables are nested too deeply.")
            return json_reply(400, {"errors": [error]}, headers=self._limits())
        except LinearError as error:
            return json_reply(error.status, {"errors": error.errors}, headers=self._limits(), asked=asked)
        value = {"data": _whole_numbers(result.data)} | (
            {"errors": [_formatted(e) for e in result.errors]} if result.errors else {}
        )
        return json_reply(200, value, headers=self._limits(points), asked=asked, hits=root.hits)

    def refuse(self, fault: Fault) -> WireReply:
        """Throttling is HTTP 400 with `RATELIMITED`; when to come back is in the reset header, in epoch milliseconds."""
        status = fault.refusal or 500
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            error = _error("RATELIMITED", 429, "Rate limit exceeded. Only 2500 requests are allowed per 1 hour.")
            wait = int((fault.retry_after or 0) * 1000)
            return json_reply(400, {"errors": [error]}, headers=self._limits(remaining=0, wait=wait))
        code = {401: "AUTHENTICATION_ERROR", 403: "FORBIDDEN"}.get(status, "INPUT_ERROR")
        error = _error(
            code if status < HTTPStatus.INTERNAL_SERVER_ERROR else "INTERNAL_SERVER_ERROR",
            status,
            f"A fault of the sandbox: HTTP {status}.",
        )
        return json_reply(status, {"errors": [error]})

    def too_large(self) -> WireReply:
        return json_reply(413, {"errors": [_error("INPUT_ERROR", 413, "Request body too large.")]})

    def origins(self) -> Mapping[str, str]:
        """By id, identifier and URL."""
        return {name: i.row for i in self._tracker.issues for name in (i.id, i.identifier, i.url)}

    def _admit(self, request: WireRequest) -> None:
        if request.path.rstrip("/") != self.base_path:
            raise _refused(404, "INPUT_ERROR", "Not found.")
        if request.method != "POST":
            raise _refused(405, "INPUT_ERROR", "Only POST is allowed.")
        given = request.headers.get("authorization", "").strip()
        bearer = request.bearer
        if bearer is not None and bearer.startswith("lin_api_"):
            hint = "It looks like you're trying to use an API key as a Bearer token. Remove the Bearer prefix."
            raise _refused(400, "AUTHENTICATION_ERROR", hint)
        if bearer not in self.tokens and (given != self.tokens[0] or given.startswith("lin_oauth_")):
            raise _refused(401, "AUTHENTICATION_ERROR", "Authentication required, not authenticated")

    def _limits(
        self, points: float | None = None, remaining: int = REQUESTS_PER_HOUR - 1, wait: int = HOUR_MS
    ) -> Mapping[str, str]:
        reset = int(self._clock().timestamp() * 1000) + wait
        headers = {
            "X-RateLimit-Requests-Limit": str(REQUESTS_PER_HOUR),
            "X-RateLimit-Requests-Remaining": str(remaining),
            "X-RateLimit-Requests-Reset": str(reset),
        }
        return headers if points is None else headers | {"X-Complexity": str(round(points))}


def _read_body(request: WireRequest) -> Mapping[str, Any]:
    if not request.headers.get("content-type", "").strip().casefold().startswith("application/json"):
        raise _refused(400, "INPUT_ERROR", "The content type must be application/json.")
    try:
        value = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise _refused(400, "INPUT_ERROR", "The request body is not JSON.") from error
    if not isinstance(value, dict) or not isinstance(value.get("query"), str) or not value["query"].strip():
        raise _refused(400, "INPUT_ERROR", "The request body must be an object with a non-empty `query` string.")
    if not isinstance(value.get("variables") or {}, dict):
        raise _refused(400, "INPUT_ERROR", "`variables` must be an object.")
    if not isinstance(value.get("operationName"), str | None):
        raise _refused(400, "INPUT_ERROR", "`operationName` must be a string.")
    return {name: value.get(name) for name in ("query", "variables", "operationName") if value.get(name) is not None}


def _parsed(query: str) -> DocumentNode:
    try:
        document = parse(query, max_tokens=MAX_TOKENS)
        problems = validate(schema(), document)
    except GraphQLSyntaxError as error:
        raise LinearError(400, [_formatted(error, "GRAPHQL_PARSE_FAILED")]) from error
    if problems:
        raise LinearError(400, [_formatted(problem, "GRAPHQL_VALIDATION_FAILED") for problem in problems])
    return document


def _measured(document: DocumentNode, asked: Mapping[str, Any]) -> float:
    points = Complexity(document, asked.get("variables", {})).points()
    if points > MAX_POINTS:
        raise _refused(400, "INPUT_ERROR", f"Query too complex: {points:.0f} points, at most {MAX_POINTS} are allowed.")
    return points


def _executed(document: DocumentNode, asked: Mapping[str, Any], root: Root) -> ExecutionResult:
    result = execute_sync(
        schema(),
        document,
        root_value=root,
        variable_values=asked.get("variables"),
        operation_name=asked.get("operationName"),
        field_resolver=resolve,
    )
    for error in result.errors or ():
        original = error.original_error
        if original is not None and not isinstance(original, GraphQLError):
            raise original  # our own mistake: a caller must not take it for Linear's answer
    if result.data is None and result.errors and not any(error.path for error in result.errors):
        raise LinearError(400, [_formatted(error, "GRAPHQL_VALIDATION_FAILED") for error in result.errors])
    return result


def _whole_numbers(value: Any) -> Any:
    """Floats without a fraction as integers, which is how JavaScript writes them."""
    match value:
        case dict():
            return {name: _whole_numbers(member) for name, member in value.items()}
        case list():
            return [_whole_numbers(member) for member in value]
        case float() if value.is_integer():
            return int(value)
        case _:
            return value


def _formatted(error: GraphQLError, code: str = "INPUT_ERROR") -> Mapping[str, Any]:
    shown: dict[str, Any] = {"message": error.message}
    if error.locations:
        shown["locations"] = [{"line": place.line, "column": place.column} for place in error.locations]
    if error.path:
        shown["path"] = error.path
    return shown | {"extensions": error.extensions or extensions(code, 400, error.message)}


def _error(code: str, status: int, message: str) -> Mapping[str, Any]:
    return {"message": message, "extensions": extensions(code, status, message)}


def _refused(status: int, code: str, message: str) -> LinearError:
    return LinearError(status, [_error(code, status, message)])


# ---- Linear's GraphQL schema, and its measure of a query: 0.1 point a scalar, 1 an object, and a connection as often as it may return

_SDL = Path(__file__).with_name("schema.graphql").read_text("utf-8")


@cache
def schema() -> GraphQLSchema:
    """The schema, with scalars that read Linear's dates and durations."""
    built = build_schema(_SDL)
    for name, read in (("DateTimeOrDuration", parse_moment), ("TimelessDateOrDuration", parse_day)):
        scalar = built.type_map[name]
        if isinstance(scalar, GraphQLScalarType):
            for hook in ("parse_value", "coerce_input_value"):  # graphql-core 3.2 and 3.3 name it differently
                setattr(scalar, hook, read)
    return built


def sdl() -> str:
    """The schema's source, for tests that compare it with Linear's."""
    return _SDL


MAX_POINTS = 10_000
DEFAULT_PAGE = 50


class Complexity:
    """Points of the operations of a valid document."""

    def __init__(self, document: DocumentNode, variables: Mapping[str, Any]) -> None:
        self._variables = variables
        self._operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
        fragments = (node for node in document.definitions if isinstance(node, FragmentDefinitionNode))
        self._fragments = {node.name.value: node for node in fragments}
        self._costs: dict[str, float] = {}

    def points(self) -> float:
        """The dearest operation, for only one of them runs."""
        root = schema().query_type
        return max((self._selected(node.selection_set, root) for node in self._operations), default=0.0)

    def _selected(self, selections: SelectionSetNode | None, parent: GraphQLObjectType | None) -> float:
        if selections is None or parent is None:
            return 0.0
        total = 0.0
        for node in selections.selections:
            match node:
                case FieldNode():
                    total += self._field(node, parent)
                case InlineFragmentNode():
                    total += self._selected(node.selection_set, parent)
                case FragmentSpreadNode():
                    total += self._fragment(node.name.value, parent)
        return total

    def _fragment(self, name: str, parent: GraphQLObjectType) -> float:
        if name not in self._costs:
            self._costs[name] = self._selected(self._fragments[name].selection_set, parent)
        return self._costs[name]

    def _field(self, node: FieldNode, parent: GraphQLObjectType) -> float:
        field = parent.fields.get(node.name.value)
        kind = get_named_type(field.type) if field else None
        if not isinstance(kind, GraphQLObjectType):
            return 0.1
        inside = self._selected(node.selection_set, kind)
        paged = kind.name.endswith(("Connection", "SearchPayload"))
        return 1 + inside * (self._page(node) if paged else 1)

    def _page(self, node: FieldNode) -> int:
        for argument in node.arguments or ():
            if argument.name.value in ("first", "last"):
                match argument.value:
                    case IntValueNode(value=text):
                        return max(0, int(text))
                    case VariableNode(name=name):
                        value = self._variables.get(name.value)
                        return min(value, MAX_POINTS) if isinstance(value, int) and value > 0 else DEFAULT_PAGE
        return DEFAULT_PAGE


EMULATOR = LinearEmulator
