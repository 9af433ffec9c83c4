"""Wikitext of MediaWiki as a person reads it, lightly: marks and templates go, words stay."""

from __future__ import annotations

import re

from connectors.markup import from_html

# Each bounded: a text of opening marks alone would else be searched to its end from every one of them.
LINK = re.compile(r"\[\[([^\[\]|\n]{1,300})(?:\|([^\[\]\n]{0,500}))?\]\]")
EXTERNAL = re.compile(r"\[(https?://[^\s\[\]]{1,2000})(?:[ \t]+([^\[\]\s][^\[\]\n]{0,499}))?\]")
REFERENCE = re.compile(r"<ref\b[^<>]{0,200}(?:/>|>[^<>]{0,2000}</ref>)", re.IGNORECASE)
SWITCH = re.compile(r"__[A-Z]{3,20}__")
NESTING = re.compile(r"\{\{|\}\}")
NOT_WORDS = ("file", "image", "category", "파일", "그림", "분류")
TABLE = ("{|", "|}", "|-")


def from_wikitext(text: str) -> str:
    """Plain text of a page or of a part of it, with a line for each of its paragraphs, items and rows of tables."""
    text = _without_templates(text)
    text = REFERENCE.sub("", text)
    for _ in range(2):  # a caption may hold a link
        text = LINK.sub(_link, text)
    text = EXTERNAL.sub(lambda match: f"{match[2]} ({match[1]})" if match[2] else match[1], text)
    text = SWITCH.sub("", text.replace("'''", "").replace("''", ""))
    return from_html("<br>".join(_line(line) for line in text.split("\n")))


def _without_templates(text: str) -> str:
    """What stands outside of ``{{ }}``; a brace that nothing closes is no template."""
    kept: list[str] = []
    opened: list[int] = []  # how much was kept before each
    start = 0
    for mark in NESTING.finditer(text):
        if mark[0] == "{{":
            kept.append(text[start : mark.start()])
            opened.append(len(kept))
            start = mark.start()
        elif opened:
            del kept[opened.pop() :]
            start = mark.end()
    return "".join((*kept, text[start:]))


def _link(match: re.Match[str]) -> str:
    target, label = match[1].strip(), match[2]
    if target.partition(":")[0].strip().casefold() in NOT_WORDS:
        return ""
    return (label or target.lstrip(":")).strip()


def _line(line: str) -> str:
    """Without the marks that begin, and of a heading end, it."""
    bare = line.strip()
    if bare.startswith(TABLE):
        return ""
    if bare[:1] in {"|", "!"}:
        cells = bare[1:].replace("!!", "||").split("||")
        return " | ".join(each.rpartition("|")[2].strip() for each in cells)
    return bare.strip("=").strip() if bare[:1] == "=" == bare[-1:] else bare.lstrip("*#:;").strip()
