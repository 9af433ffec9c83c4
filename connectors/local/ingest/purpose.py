"""What a document says it is for: fields of its front matter, the first words of a README, lines of a wiki's properties."""

from __future__ import annotations

import csv
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from connectors.text import plain_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.passages import DocumentSection

LONGEST = 500  # characters of a description: it is embedded with every part of its document
MOST, LONGEST_EXAMPLE = 8, 200  # examples, and characters of each
DESCRIBING = ("description", "summary", "excerpt", "abstract", "설명", "요약", "소개")
SHOWING = ("usage_examples", "examples", "usage", "questions", "사용_예", "사용_예시", "예시", "질문")
FIELD = re.compile(r"([^\W\d_][\w -]{0,40}):(?:[ \t](.*))?$")
BLOCK = re.compile(r"[|>][+-]?[0-9]?$")
SAYING = 20  # characters from which a paragraph says something
LETTER = re.compile(r"[^\W\d_]")

Fields = dict[str, tuple[str, ...]]


def described(text: str) -> str:
    """A description on one line, cut where it goes on too long."""
    return plain_line(text)[:LONGEST].strip()


def shown(examples: Sequence[str]) -> tuple[str, ...]:
    """Examples of use, each on one line: the first of them, and those that are not too long."""
    lines = (plain_line(each) for each in examples)
    return tuple(dict.fromkeys(each for each in lines if each and len(each) <= LONGEST_EXAMPLE))[:MOST]


def fields_of(front: str) -> Fields:
    """The fields of a front matter by their names in lower case with underscores, each with its values.

    Of YAML what people write there: a value on the line of its name or on those under it, folded or not, in quotes, and
    lists in either form. What is nested deeper is read as text.
    """
    found: dict[str, list[str]] = {}
    name, listed = "", False
    for line in front.splitlines():
        field = FIELD.match(line) if line[:1].strip() else None
        if field is not None and not line.startswith("- "):
            name, listed = re.sub(r"[ -]+", "_", field[1].strip().lower()), False
            value = (field[2] or "").strip()
            found[name] = [] if BLOCK.match(value) else _values(value)
            continue
        told = line.strip()
        if not name or not told or told.startswith("#"):
            continue
        if told.startswith("- "):
            found[name].append(_unquoted(told[2:]))
            listed = True
        elif found[name]:
            found[name][-1] = f"{found[name][-1]} {_unquoted(told)}"
        elif not listed:
            found[name] = [_unquoted(told)]
    return {name: tuple(filter(None, values)) for name, values in found.items()}


def purpose_of(fields: Mapping[str, Sequence[str]]) -> tuple[str, tuple[str, ...]]:
    """Description and examples of use among fields; empty where there are none."""
    description = next((" ".join(fields[name]) for name in DESCRIBING if fields.get(name)), "")
    examples = [each for name in SHOWING for each in fields.get(name, ())]
    return described(description), shown(examples)


def opening_of(name: str, sections: Sequence[DocumentSection]) -> str:
    """The first paragraph of a README, which says what the rest of its folder is for; nothing of another file."""
    if not PurePosixPath(name).stem.casefold().startswith("readme"):
        return ""
    paragraphs = (part for section in sections for part in section.text.split("\n\n"))
    return next((described(each) for each in paragraphs if _says_something(each)), "")


def _says_something(paragraph: str) -> bool:
    """No title underlined by hand, and no row of badges."""
    lines = [line.strip() for line in paragraph.splitlines() if line.strip()]
    return len(paragraph.strip()) >= SAYING and all(line[0] not in "[!<" and LETTER.search(line) for line in lines)


def _values(value: str) -> list[str]:
    if value.startswith("[") and value.endswith("]"):
        row = next(csv.reader([value[1:-1]], skipinitialspace=True), [])
        return [_unquoted(each) for each in row]
    return [_unquoted(value)] if value else []


def _unquoted(value: str) -> str:
    told = value.strip()
    return told[1:-1] if len(told) > 1 and told[0] == told[-1] and told[0] in "\"'" else told
