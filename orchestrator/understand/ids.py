"""Identifiers that are looked up as they stand: ticket keys, pull requests, URLs, error codes, file names.

Exact phrases: text in straight, curly or Korean quotes, kept letter by letter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand.draft import NO_PARTNER, Role
from translators.letters import PARTICLES
from translators.patterns import regex
from translators.query import Doubt, Identifier, IdKind

if TYPE_CHECKING:
    from orchestrator.understand.directory import Directory
    from orchestrator.understand.draft import Draft

# An apostrophe inside a word is no quote: the single forms open after a space and close before one or a particle.
QUOTE = regex(
    r"(?P<value>(?:(?<![\w:/#@])[A-Za-z]{2,12}:|(?<!\S)-)(?:\"[^\"]*\"|'[^']*'|“[^”]*”|‘[^’]*’|「[^」]*」))|"
    r"\"(?P<straight>[^\"]*)\"|“(?P<curly>[^”]*)”|„(?P<low>[^“”]*)[“”]|«(?P<angle>[^»]*)»|「(?P<corner>[^」]*)」|『(?P<double>[^』]*)』"
    r"|(?<![\w'’])'(?P<single>[^'\s][^']{0,200}?)'(?![A-Za-z0-9'])|‘(?P<curled>[^‘’]{1,200})’"
)
LOOSE = regex(r"[\"“”„«»「」『』]")
MARKS = frozenset("\"'“”„«»「」『』‘")
"""What any of the above needs."""


def read_quotes(draft: Draft) -> None:
    """Collect the phrases. They stay open text until keywords are cut from them; the marks themselves are blanked."""
    if MARKS.isdisjoint(draft.open):
        return
    for match in list(QUOTE.finditer(draft.open)):
        name = match.lastgroup or ""
        if name == "value":  # from:"Kim Min-su" and -"old draft" are read as filters
            continue
        inner = match[name].strip()
        if inner:
            start = match.start(name) + (len(match[name]) - len(match[name].lstrip()))
            draft.phrases.append((start, inner))
        draft.claim(match.start(), match.end(), Role.QUOTE)
    if LOOSE.search(draft.open) and LOOSE.search(QUOTE.sub(" ", draft.open)):
        draft.doubts.append(Doubt("unbalanced_quote", NO_PARTNER))


IDENTIFIER = regex(
    r"(?P<url>https?://[^\s<>\"'“”‘’「」]+)"
    r"|(?P<mail><[^\s<>@\"]+@[^\s<>@\"]+>)"
    r"|(?P<numbered>(?<![\w./@-])[a-z0-9][a-z0-9_-]{0,38}/[a-z0-9_.-]{1,100}#\d{1,7}(?![a-z0-9_]))"
    r"|(?P<file>(?<![\w./@-])[\w-]+(?:\.[\w-]+)*\.(?:pdf|docx?|xlsx?|pptx?|csv|tsv|md|txt|json|ya?ml|toml|zip|png|jpe?g|svg|key|hwpx?|ipynb|py|js|ts|java|go|rs|sql|sh|log|html?|ini|cfg|conf|swift|kts?|cpp|hpp|cs|rb|php|scala|tsx|jsx|vue|dart)(?![a-z0-9_]))"
    r"|(?P<error>\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|0x[0-9A-Fa-f]{4,}|E[A-Z]{4,}|(?:ORA|HTTP|ERR|SQLSTATE)-?\d{3,6})(?![a-z0-9_]))"
    r"|(?P<ticket>(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,7}(?![\w-]*\d{4}))"
    r"|(?P<pr>(?:\b(?:PR|MR|pull request|merge request)\s*(?:no\.?\s*)?#?\s?|#)(?P<number>\d{1,7})(?![a-z0-9_]))",
    re.IGNORECASE,
)
"""What Korean letters follow is no part of an identifier, but the end of the word: ``ENG-12를``."""
MAY_HOLD = regex(r"[\d_]|\w\.\w|://|<\S+@|E[A-Z]{4}")
LINE = regex(r":\d+(?::\d+)?(?![A-Za-z0-9_])")
"""Where in a file: main.ts:12:5."""
GLUED = regex(r"(?<=[!-~])[가-힣]{1,4}$")
PERMALINK = regex(r"https?://[^/]*slack\.com/archives/|/browse/[A-Z]+-\d+|/pull/\d+|/issues?/[\w-]+|/c/[\w-]+")
# Standards, degrees and ranges look like ticket keys but name no ticket.
NO_TICKET = regex(
    r"(?:ISO|UTF|SHA|RFC|IEEE|COVID|MP|H|GPT|CVE|PEP|TLS|AES|RSA|MD|SOC|TOP|WEEK|Q|FY|WIN|ES|SEV|PRIO|TIER|LEVEL|PHASE|STAGE|LV|PG)-\d",
    re.IGNORECASE,
)
KEYED = regex(r"[A-Za-z][A-Za-z0-9]{1,9}-\d{1,7}")
COPULAS = frozenset({"인데", "인가요", "인지", "이에요", "예요", "입니다", "이요", "이죠", "이거", "관련"})
KINDS = {
    "url": IdKind.URL,
    "mail": IdKind.PERMALINK,
    "numbered": IdKind.PULL_REQUEST,
    "file": IdKind.FILE_NAME,
    "error": IdKind.ERROR_CODE,
    "ticket": IdKind.TICKET,
    "pr": IdKind.PULL_REQUEST,
}


def _address(text: str) -> str:
    """A URL without the punctuation and the particle behind it; Korean letters of its own path stay."""
    text = text.rstrip(".,;:!?)…")
    tail = GLUED.search(text)
    if tail is None or tail.group() not in PARTICLES | COPULAS:
        return text
    return text[: tail.start()].rstrip(".,;:!?)")


def may_be_keyed(word: str) -> bool:
    """Whether a word is built like the key of a ticket that was not typed in capitals."""
    return not word.isupper() and KEYED.fullmatch(word) is not None and NO_TICKET.match(word) is None


def _of_a_project(text: str, directory: Directory) -> bool:
    """Whether what stands before the number is a tracker's own key, however it was typed: pay-142. Such keys are capitals, as no channel is."""
    key = directory.channel(text.partition("-")[0])
    return key is not None and key.isupper()


def read_ids(draft: Draft) -> None:
    """Collect identifiers; they stay open text, because each is a keyword too."""
    if not MAY_HOLD.search(draft.open):
        return
    for match in IDENTIFIER.finditer(draft.open):
        kind = KINDS[next(name for name in KINDS if match[name])]
        text = _address(match[0]) if kind is IdKind.URL else match[0].rstrip(".,;:!?)")
        if kind is IdKind.TICKET and _of_a_project(text, draft.directory):
            text = text.upper()
        if kind in {IdKind.TICKET, IdKind.ERROR_CODE} and not text.isupper():
            continue
        if kind is IdKind.TICKET and NO_TICKET.match(text):
            continue
        if kind is IdKind.URL and PERMALINK.search(text):
            kind = IdKind.PERMALINK
        if kind is IdKind.FILE_NAME and (line := LINE.match(draft.open, match.end())):
            draft.claim(*line.span(), Role.NOISE)
        draft.ids.append((match.start(), Identifier(kind, text)))
