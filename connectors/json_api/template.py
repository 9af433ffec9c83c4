"""Requests with placeholders: what a question says becomes a value in a parameter or in JSON, never a part of either."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from translators.said import Said

PLACEHOLDER = re.compile(r"\{([A-Za-z_]*)\}")
BOUNDS = {
    "since": "time",
    "until": "time",
    "created_since": "created",
    "created_until": "created",
    "updated_since": "updated",
    "updated_until": "updated",
}
FILTERS = {"author": "author", "assignee": "assignee", "container": "container", **BOUNDS}
PAGING = ("cursor", "offset", "page")
ALONE = re.compile(
    r"\{(?:question|author|assignee|container|cursor)\}"
)  # a name in the middle of a query could be any query
APART = re.compile(r"(?:.*\s)?\{text\}(?:\s.*)?", re.DOTALL)  # words and quoted phrases among others
KNOWN = ("text", "question", "limit", *PAGING, "sort", *FILTERS)


class Missing:
    """What stands where a placeholder has no value."""


MISSING: Final = Missing()


def placeholders(template: object) -> Iterator[str]:
    """Names of all placeholders in a template."""
    for text in _texts(template):
        yield from PLACEHOLDER.findall(text)


def check(template: object) -> None:
    """Raises ``ValueError`` for a placeholder that is not known, or that stands where a value could become syntax."""
    for text in _texts(template):
        for name in PLACEHOLDER.findall(text):
            if name not in KNOWN:
                there = ", ".join(f"{{{each}}}" for each in KNOWN)
                raise ValueError(
                    Said("there is no placeholder {{{name}}}; there are {there}").filled(name=name, there=there)
                )
        if (found := ALONE.search(text)) and not ALONE.fullmatch(text):
            raise ValueError(
                Said("{found} is to stand by itself: in the middle of a text it could change its meaning").filled(
                    found=found[0]
                )
            )
        if "{text}" in text and not APART.fullmatch(text):
            raise ValueError(Said("{text} is to stand by itself or between blanks"))


def fill(template: object, given: Mapping[str, str | int]) -> object:
    """``template`` with values in it. What has no value is left out.

    So is whatever is empty for that reason, and a table whose only placeholders have no value: ``{"order": "{sort}",
    "missing": "last"}`` says nothing without an order. Lists and tables around it stay with what else they hold.
    A placeholder by itself becomes the value, of its type; within a text it becomes part of the text.
    """
    match template:
        case str():
            return _filled_text(template, given)
        case Mapping():
            return _filled_table(template, given)
        case list():
            members = [fill(part, given) for part in template]
            left = [part for part in members if not isinstance(part, Missing)]
            return MISSING if members and not left else left
        case _:
            return template


def _filled_table(template: Mapping[object, object], given: Mapping[str, str | int]) -> object:
    parts = {name: fill(part, given) for name, part in template.items()}
    kept = {name: part for name, part in parts.items() if not isinstance(part, Missing)}
    unsaid = any(isinstance(template[name], str) for name in parts.keys() - kept.keys())
    said = any(True for name in kept for _ in placeholders(template[name]))
    return MISSING if (parts and not kept) or (unsaid and not said) else kept


def _texts(template: object) -> Iterator[str]:
    match template:
        case str():
            yield template
        case Mapping():
            for part in template.values():
                yield from _texts(part)
        case list():
            for part in template:
                yield from _texts(part)
        case _:
            pass


def _filled_text(template: str, given: Mapping[str, str | int]) -> object:
    names = PLACEHOLDER.findall(template)
    if any(name not in given for name in names):
        return MISSING
    if PLACEHOLDER.fullmatch(template):
        return given[names[0]]
    return PLACEHOLDER.sub(lambda found: str(given[found[1]]), template)
