"""Exact phrases: text in straight, curly or Korean quotes, kept letter by letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.draft import NO_PARTNER, Role
from translators.patterns import regex
from translators.query import Doubt

if TYPE_CHECKING:
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
