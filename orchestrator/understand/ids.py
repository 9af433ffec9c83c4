"""Identifiers that are looked up as they stand: ticket keys, pull requests, URLs, error codes, file names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand.patterns import regex
from translators.query import Identifier, IdKind

if TYPE_CHECKING:
    from orchestrator.understand.draft import Draft

IDENTIFIER = regex(
    r"(?P<url>https?://[^\s<>\"'“”‘’「」]+)"
    r"|(?P<file>(?<![\w./@-])[\w-]+(?:\.[\w-]+)*\.(?:pdf|docx?|xlsx?|pptx?|csv|tsv|md|txt|json|ya?ml|toml|zip|png|jpe?g|svg|key|hwpx?|ipynb|py|js|ts|java|go|rs|sql|sh|log|html?|ini|cfg|conf)\b)"
    r"|(?P<error>\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b(?:0x[0-9A-Fa-f]{4,}|E[A-Z]{4,}|(?:ORA|HTTP|ERR|SQLSTATE)-?\d{3,6})\b)"
    r"|(?P<ticket>(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,7}(?![\w-]*\d{4}))"
    r"|(?P<pr>(?:\b(?:PR|MR|pull request|merge request)\s*(?:no\.?\s*)?#?\s?|#)(?P<number>\d{1,7})\b)",
    re.IGNORECASE,
)
MAY_HOLD = regex(r"[\d_]|\w\.\w|://|E[A-Z]{4}")
PERMALINK = regex(r"https?://[^/]*slack\.com/archives/|/browse/[A-Z]+-\d+|/pull/\d+|/issues?/[\w-]+|/c/[\w-]+")
# Standards and ranges look like ticket keys but name no ticket.
NO_TICKET = regex(
    r"(?:ISO|UTF|SHA|RFC|IEEE|COVID|MP|H|GPT|CVE|PEP|TLS|AES|RSA|MD|SOC|TOP|WEEK|Q|FY|WIN|ES)-\d", re.IGNORECASE
)
KINDS = {
    "url": IdKind.URL,
    "file": IdKind.FILE_NAME,
    "error": IdKind.ERROR_CODE,
    "ticket": IdKind.TICKET,
    "pr": IdKind.PULL_REQUEST,
}


def read_ids(draft: Draft) -> None:
    """Collect identifiers; they stay open text, because each is a keyword too."""
    if not MAY_HOLD.search(draft.open):
        return
    for match in IDENTIFIER.finditer(draft.open):
        kind = KINDS[next(name for name in KINDS if match[name])]
        text = match[0].rstrip(".,;:!?)")
        if kind in {IdKind.TICKET, IdKind.ERROR_CODE} and not text.isupper():
            continue
        if kind is IdKind.TICKET and NO_TICKET.match(text):
            continue
        if kind is IdKind.URL and PERMALINK.search(text):
            kind = IdKind.PERMALINK
        draft.ids.append((match.start(), Identifier(kind, text)))
