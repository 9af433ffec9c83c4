"""Every source of ours keeps the contract, and what it sends is what the vendor's own description allows."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from connectors.exemplar import Filed, filed_exemplars
from connectors.registry import load_source, source_kinds
from connectors.testing import source_contract

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from connectors.exemplar import Exchange, ExpectedRequest

# A folder that is added is held to the contract without a line here.
for _kind in source_kinds():
    globals()[f"Test{_kind.title()}"] = source_contract(load_source(_kind))


# ---- what is sent, against the vendors' own descriptions

# Exemplars that send something the vendor refuses, to show what becomes of the refusal.
REFUSED_ON_PURPOSE = {"linear": {"invalid_filter"}}


def exchanges(kind: str) -> Iterator[tuple[Filed, Exchange]]:
    """Every exchange of a source's exemplars with a request that the vendor should accept, parts of batches too."""
    for filed in filed_exemplars(load_source(kind)):
        if filed.path.stem in REFUSED_ON_PURPOSE.get(kind, ()):
            continue
        for exchange in filed.exemplar.exchanges:
            yield from ((filed, part) for part in exchange.parts or (exchange,))


def contract(shared: Path, name: str) -> Path:
    """A vendor's description, which is not part of the project."""
    path = shared / "contracts" / name
    if not path.is_file():
        pytest.skip(f"{name} is not beside this checkout")
    return path


@cache
def openapi(path: Path) -> Any:
    """A description for openapi-core."""
    pytest.importorskip("openapi_core", reason="openapi-core is not installed")
    from openapi_core import OpenAPI

    return OpenAPI.from_dict(json.loads(path.read_text("utf-8")))


def check_against_openapi(description: Any, host: str, request: ExpectedRequest, path: str) -> None:
    """Raise if the description does not allow the request."""
    from openapi_core.testing import MockRequest

    sent = MockRequest(
        host,
        request.method.lower(),
        path,
        args={name: str(value) for name, value in request.query.items()},
        headers={name: value.replace("{token}", "t") for name, value in request.headers.items()},
        content_type=request.headers.get("content-type", "application/x-www-form-urlencoded"),
        data=b"" if request.body is None else json.dumps(request.body).encode(),
        view_args=path_parameters(path),
    )
    description.validate_request(sent)


def path_parameters(path: str) -> dict[str, str]:
    """The parameters in a path of Notion's; openapi-core's mock request does not find them by itself."""
    found = re.search(r"/(page|block)s/([0-9a-f-]{36})(?:/|$)", path)
    return {f"{found[1]}_id": found[2]} if found else {}


def test_slack_would_accept_what_is_sent(shared: Path) -> None:
    """Every request to Slack is valid by a description derived from its reference."""
    description = openapi(contract(shared, "slack_search_2026.openapi.json"))
    known = json.loads(contract(shared, "slack_search_2026.openapi.json").read_text("utf-8"))["paths"]
    for _, exchange in exchanges("slack"):
        method = exchange.request.path.removeprefix("/api")
        check_against_openapi(description, "https://slack.com", exchange.request, f"/api{method}")
        operation = known[method][exchange.request.method.lower()]
        named = {each["name"] for each in operation.get("parameters", ())}
        assert exchange.request.query.keys() <= named, f"{method} knows no {exchange.request.query.keys() - named}"


def test_notion_would_accept_what_is_sent(shared: Path) -> None:
    """Every request to Notion is valid by its own description."""
    description = openapi(contract(shared, "notion_search.openapi.json"))
    for _, exchange in exchanges("notion"):
        check_against_openapi(description, "https://api.notion.com", exchange.request, exchange.request.path)


def test_the_description_of_notion_refuses_a_wrong_filter(shared: Path) -> None:
    """The check above can fail: ``database`` is no value of the filter since 2025-09-03."""
    description = openapi(contract(shared, "notion_search.openapi.json"))
    request = next(exchange.request for _, exchange in exchanges("notion"))
    wrong = request.model_copy(update={"body": {"filter": {"property": "object", "value": "database"}}})
    with pytest.raises(Exception, match=r"(?i)invalid|request body"):
        check_against_openapi(description, "https://api.notion.com", wrong, "/v1/search")


@cache
def linear_schema(path: Path) -> Any:
    """Linear's own schema."""
    from graphql import build_schema

    return build_schema(path.read_text("utf-8"), assume_valid=True, assume_valid_sdl=True)


def test_linear_would_accept_what_is_sent(shared: Path) -> None:
    """Every document and its variables are valid by Linear's own schema."""
    from graphql import parse, validate
    from graphql.execution import get_variable_values

    schema = linear_schema(contract(shared, "linear.schema.graphql"))
    for filed, exchange in exchanges("linear"):
        body: Any = exchange.request.body
        document = parse(body["query"])
        assert validate(schema, document) == [], filed.name
        operation: Any = document.definitions[0]
        values = get_variable_values(schema, operation.variable_definitions or (), body["variables"])
        assert not isinstance(values, list), f"{filed.name}: {values}"
        declared = {each.variable.name.value for each in operation.variable_definitions or ()}
        assert body["variables"].keys() <= declared, f"{filed.name}: a variable that the document does not declare"


def test_the_schema_of_linear_refuses_a_wrong_filter(shared: Path) -> None:
    """The check above can fail: the exemplar of a refused filter is refused by the schema as well."""
    from graphql import parse
    from graphql.execution import get_variable_values

    schema = linear_schema(contract(shared, "linear.schema.graphql"))
    (filed,) = (each for each in filed_exemplars(load_source("linear")) if each.path.stem == "invalid_filter")
    body: Any = filed.exemplar.exchanges[0].request.body
    operation: Any = parse(body["query"]).definitions[0]
    assert isinstance(get_variable_values(schema, operation.variable_definitions or (), body["variables"]), list)


def test_gmail_would_accept_what_is_sent(shared: Path) -> None:
    """Every request to Gmail is one that Google's client builds from the discovery document."""
    from googleapiclient.discovery import build_from_document

    document = json.loads(contract(shared, "gmail.v1.search.discovery.json").read_text("utf-8"))
    users = build_from_document(document, developerKey="unused").users()
    for _, exchange in exchanges("gmail"):
        request = exchange.request
        if request.path == "/batch":
            continue
        given = {name: list(v) if isinstance(v, tuple) else v for name, v in request.query.items() if name != "alt"}
        match request.path.removeprefix("/gmail/v1/users/me/").split("/"):
            case ["messages"]:
                built = users.messages().list(userId="me", **given)
            case ["messages", message]:
                built = users.messages().get(userId="me", id=message, **given)
            case other:
                assert other == ["profile"]
                built = users.getProfile(userId="me", **given)
        expected = {(name, value) for name, value in query_pairs(request)} | {("key", "unused")}
        assert built.method == request.method
        assert set(pairs_of(built.uri)) == expected


def query_pairs(request: ExpectedRequest) -> Iterator[tuple[str, str]]:
    """Each parameter with each of its values."""
    for name, value in request.query.items():
        yield from ((name, each) for each in (value if isinstance(value, tuple) else (value,)))


def pairs_of(uri: str) -> list[tuple[str, str]]:
    """The query of a URI."""
    from urllib.parse import parse_qsl, urlsplit

    return parse_qsl(urlsplit(uri).query)
