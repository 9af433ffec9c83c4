"""Requests held against what vendors publish of their APIs: OpenAPI documents, Google's discovery documents, GraphQL schemas.

A module ``tests/contract/vendors/<source>.py`` joins a source to its description: ``validator(folder of contracts)``
returns the check, which raises :class:`Invalid` for a request that the vendor would not accept.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from connectors.http import plain_json, plain_params

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from connectors.http import HttpRequest

    Check = Callable[[HttpRequest], None]


class Invalid(AssertionError):
    """The vendor's own description does not allow a request; the message says which and why."""


def either(*checks: Check) -> Check:
    """A check for a vendor who describes one API in several documents: one of them must know the request."""

    def check(request: HttpRequest) -> None:
        failures: list[Invalid] = []
        for each in checks:
            try:
                return each(request)
            except Invalid as failure:
                failures.append(failure)
        raise Invalid("; ".join(map(str, failures)))

    return check


# ---- OpenAPI, by openapi-core


def openapi(path: Path, *, prefix: str = "") -> Check:
    """A check against an OpenAPI 3 document. ``prefix``: what stands before a request's path in the document's."""
    document = _document(path)
    description = _description(path)
    server = urlsplit(document.get("servers", [{"url": "https://vendor.example"}])[0]["url"])

    def check(request: HttpRequest) -> None:
        from openapi_core.exceptions import OpenAPIError
        from openapi_core.testing import MockRequest

        address = f"{prefix}/{request.path.lstrip('/')}"
        template, operation = _operation(document, request.method, address)
        query = plain_params(request.params)
        unknown = query.keys() - {each["name"] for each in _parameters(document, template, operation)}
        if unknown:  # openapi-core lets these pass
            raise Invalid(f"{request.method} {template} knows no parameter {', '.join(sorted(unknown))}")
        sent = MockRequest(
            f"{server.scheme}://{server.netloc}",
            request.method.lower(),
            f"{server.path.rstrip('/')}{address}",
            view_args=_view_args(template, address),
            args=query,
            headers={"authorization": "Bearer t", **request.headers},
            content_type=_content_type(operation, request),
            data=b"" if request.json is None else json.dumps(plain_json(request.json)).encode(),
        )
        try:
            description.validate_request(sent)
        except OpenAPIError as failure:
            raise Invalid(f"{request.method} {template}: {_reasons(failure)}") from failure

    return check


@cache
def _description(path: Path) -> Any:
    from openapi_core import OpenAPI

    return OpenAPI.from_dict(_document(path))


def _document(path: Path) -> Any:
    """The document without how requests are signed: exemplars show that, and openapi-core does not know OAuth.

    An address without a scheme, as Atlassian writes one, is taken for one with https.
    """
    document = json.loads(path.read_text("utf-8"))
    for server in document.get("servers", ()):
        server["url"] = re.sub(r"^//", "https://", server["url"])
    for part in (document, *(operation for each in document["paths"].values() for operation in each.values())):
        if isinstance(part, dict):
            part.pop("security", None)
    return document


def _operation(document: Mapping[str, Any], method: str, address: str) -> tuple[str, Mapping[str, Any]]:
    """The path template, the one with the fewest parameters first, and the operation behind an address."""
    for template in sorted(document["paths"], key=lambda each: each.count("{")):
        if re.fullmatch(_pattern(template), address) and method.lower() in document["paths"][template]:
            return template, document["paths"][template][method.lower()]
    raise Invalid(f"the vendor describes no {method} {address}")


def _pattern(template: str) -> str:
    return "([^/]+)".join(map(re.escape, re.split(r"\{[^{}]+\}", template)))


def _view_args(template: str, address: str) -> dict[str, str]:
    """Values of the parameters in a path by name; Microsoft writes a hyphen into some."""
    found = re.fullmatch(_pattern(template), address)
    names = re.findall(r"\{([^{}]+)\}", template)
    return dict(zip(names, map(unquote, found.groups()), strict=True)) if found else {}


def _parameters(document: Mapping[str, Any], template: str, operation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    listed = [*document["paths"][template].get("parameters", ()), *operation.get("parameters", ())]
    return [_resolved(document, each) for each in listed]


def _resolved(document: Mapping[str, Any], value: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in value:
        found: Any = document
        for step in value["$ref"].removeprefix("#/").split("/"):
            found = found[step.replace("~1", "/")]
        value = found
    return value


def _content_type(operation: Mapping[str, Any], request: HttpRequest) -> str:
    offered = list(operation.get("requestBody", {}).get("content", {"application/x-www-form-urlencoded": {}}))
    return "application/json" if request.json is not None and "application/json" in offered else offered[0]


def _reasons(failure: Exception) -> str:
    inner = getattr(failure.__cause__, "schema_errors", ())
    return "; ".join(each.message for each in inner) or f"{failure} ({failure.__cause__})"


# ---- Google's discovery documents, by Google's client


def discovery(path: Path) -> Check:
    """A check against a Google discovery document: known method, known parameters, body of the described type."""
    from jsonschema import Draft202012Validator

    document = json.loads(path.read_text("utf-8"))
    methods = list(_methods(document))
    schemas = {"components": {"schemas": {name: closed(part) for name, part in document["schemas"].items()}}}

    def check(request: HttpRequest) -> None:
        address = request.path.lstrip("/")
        method = next((each for each in methods if _answers(each, request.method, address)), None)
        if method is None:
            raise Invalid(f"Google describes no {request.method} {address}")
        described = {**document.get("parameters", {}), **method.get("parameters", {})}
        for name, value in plain_params(request.params).items():
            _check_parameter(method["id"], name, value, described.get(name))
        missing = {
            name
            for name, each in method.get("parameters", {}).items()
            if each.get("required") and each["location"] == "query"
        } - request.params.keys()
        if missing:
            raise Invalid(f"{method['id']} needs {', '.join(sorted(missing))}")
        if request.json is not None:
            body = {"$ref": f"#/components/schemas/{method['request']['$ref']}", **schemas}
            errors = [each.message for each in Draft202012Validator(body).iter_errors(plain_json(request.json))]
            if errors:
                raise Invalid(f"{method['id']}: {'; '.join(errors)}")

    return check


def _methods(resource: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    own = list(resource.get("methods", {}).values())
    return own + [method for inner in resource.get("resources", {}).values() for method in _methods(inner)]


def _answers(method: Mapping[str, Any], verb: str, address: str) -> bool:
    """Paths may hold ``{name}`` (one segment) and ``{+name}`` (several)."""
    pattern = re.escape(method.get("flatPath", method["path"])).replace(r"\{", "{").replace(r"\}", "}")
    pattern = re.sub(r"\{(?:\\\+)?\w+\}", "[^/]+", pattern)
    return bool(method["httpMethod"] == verb and re.fullmatch(pattern, address))


def _check_parameter(method: str, name: str, value: str | list[str], described: Mapping[str, Any] | None) -> None:
    if described is None:
        raise Invalid(f"{method} knows no parameter {name}")
    values = value if isinstance(value, list) else [value]
    if len(values) > 1 and not described.get("repeated"):
        raise Invalid(f"{method} takes one {name}, {len(values)} are sent")
    shapes = {"integer": r"-?\d+", "boolean": "true|false", "number": r"-?\d+(\.\d+)?"}
    for each in values:
        if not re.fullmatch(shapes.get(described["type"], r"(?s).*"), each):
            raise Invalid(f"{method}: {name}={each!r} is no {described['type']}")
        if "enum" in described and each not in described["enum"]:
            raise Invalid(f"{method}: {name}={each!r} is none of {', '.join(described['enum'])}")


def closed(part: Mapping[str, Any]) -> Any:
    """A discovery schema as JSON Schema in which unknown keys are errors, as Google's parsers have it."""
    if "$ref" in part:
        return {"$ref": f"#/components/schemas/{part['$ref']}"}
    made = {key: value for key, value in part.items() if key in ("type", "enum")}
    if "properties" in part:
        made["properties"] = {name: closed(inner) for name, inner in part["properties"].items()}
        made["additionalProperties"] = False
    if "items" in part:
        made["items"] = closed(part["items"])
    return made


# ---- GraphQL, by graphql-core


def graphql(path: Path) -> Check:
    """A check of a document and its variables against a GraphQL schema; both travel in a JSON body."""
    schema = _schema(path)
    seen: dict[str, Any] = {}  # our documents are few and constant, and validating one takes a while

    def check(request: HttpRequest) -> None:
        from graphql import parse, validate
        from graphql.execution import get_variable_values

        body: Any = plain_json(request.json)
        if not isinstance(body, dict) or body.keys() != {"query", "variables"}:
            raise Invalid(f"{request.method} {request.path} carries no document with variables")
        if body["query"] not in seen:
            document = parse(body["query"])
            if errors := validate(schema, document):
                raise Invalid("; ".join(each.message for each in errors))
            seen[body["query"]] = document.definitions[0]
        operation = seen[body["query"]]
        declared = {each.variable.name.value for each in operation.variable_definitions or ()}
        if undeclared := body["variables"].keys() - declared:
            raise Invalid(f"the document declares no variable {', '.join(sorted(undeclared))}")
        values = get_variable_values(schema, operation.variable_definitions or (), body["variables"])
        if isinstance(values, list):
            raise Invalid("; ".join(each.message for each in values))

    return check


@cache
def _schema(path: Path) -> Any:
    from graphql import build_schema

    return build_schema(path.read_text("utf-8"), assume_valid=True, assume_valid_sdl=True)
