"""Asana's REST API, by Asana's own description."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import Invalid, openapi

if TYPE_CHECKING:
    from pathlib import Path

    from connectors.http import HttpRequest
    from tests.contract.vendors.descriptions import Check

MOST = 100
SEARCH = "/tasks/search"
# The generated lists of fields stop at a reference to a user or to another task; the guide to input and output goes on by dots:
# https://developers.asana.com/docs/inputoutput-options
STOPS_AT = frozenset({"created_by", "dependencies", "dependents"})
LISTS = ("assignee", "created_by", "projects")


def validator(contracts: Path) -> Check:
    """Requests to Asana, relative to the address of its API.

    ``limit`` of a search stands in the words of the description and not in its list of parameters.
    """
    described = openapi(contracts / "asana_search.openapi.json")

    def check(request: HttpRequest) -> None:
        params = dict(request.params)
        if request.path.endswith(SEARCH):
            limit = str(params.pop("limit", MOST))
            if not limit.isdecimal() or not 1 <= int(limit) <= MOST:
                raise Invalid(f"between 1 and {MOST} tasks can be asked for, not {limit}")
            _check_lists(params)
        if (fields := params.get("opt_fields")) is not None:
            heads = {name: name.partition(".")[0] for name in str(fields).split(",")}
            params["opt_fields"] = ",".join(
                dict.fromkeys(head if head in STOPS_AT else name for name, head in heads.items())
            )
        with warnings.catch_warnings():  # about a word in Asana's own description
            warnings.filterwarnings("ignore", "Use of allowEmptyValue", DeprecationWarning)
            described(replace(request, params=params))

    return check


def _check_lists(params: dict[str, str | tuple[str, ...]]) -> None:
    """What the description says in words: comma-separated numbers; for people also ``me`` and mail addresses."""
    for name, value in params.items():
        field, _, kind = name.partition(".")
        if field not in LISTS or kind not in ("any", "not", "all"):
            continue
        for each in str(value).split(","):
            person = field != "projects" and (each == "me" or ("@" in each and " " not in each))
            if not person and not (each.isascii() and each.isdecimal()):
                raise Invalid(f"{name} lists {each!r}, which names nothing")
