"""The common ground of web search engines: words, "phrases", -"without", alternatives, ``site:``, and dates beside them.

Manuals: see ``spelling``. Engines rank, and leave out what they hold for unimportant, so nothing they are asked is exact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from translators.capabilities import Capabilities, Fidelity
from translators.emit import BARE, RESERVED, as_typed, iso, judge_text, quoted, settle, shown, window
from translators.generate import TextGenerator
from translators.match import HANGUL, WORD
from translators.query import (
    EVERYTHING,
    AnyOf,
    Clause,
    Container,
    Field,
    Kind,
    Not,
    Phrase,
    Prefix,
    Query,
    Term,
    all_of,
    any_of,
    conjuncts,
)
from translators.said import Said
from translators.translator import Loss, LossKind, NativeQuery, Translation
from translators.verdicts import EXACT, Verdicts, approximate, refused

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from translators.capabilities import Verdict
    from translators.translator import Json

NOTHING_ELSE = Said("a web search finds web pages only")
NO_HOST = Said("a place on the web is a host name, and this is none")
SUBDOMAINS = Said("the hosts below it are searched as well")
NO_SUCH = Said("web search engines know nothing of the kind")
ONLY_ITS_WORDS = Said("only the commonest of its words could be asked for")
LEFT_OUT_ALSO = Said("asked to be left out as it is written, and checked again, as it may be inflected")
TOO_LONG = Said("web search engines read no longer questions")
DATED = Said("engines guess when a page was written")
MOST_WORDS, MOST_LETTERS = 32, 400  # Google reads 32 words, Brave 50 words and 400 characters


class WebGenerator(TextGenerator):
    """A condition in a line for a search box. Every hit is a page, and dates stand beside the line."""

    def words(self, leaf: Term | Phrase | Prefix) -> str:
        return phrase(leaf.text) if isinstance(leaf, Phrase) else word(leaf.text)

    def either(self, parts: tuple[Clause, ...]) -> str:
        return f"({self.either_of.join(filter(None, map(self.write, parts)))})"

    def container(self, where: Container) -> str:
        return f"site:{(where.native_id or where.name).casefold()}"


LINE = WebGenerator()


class WebVerdicts(Verdicts):
    """Engines guess, so nothing they are asked is exact."""

    lacks: ClassVar = dict.fromkeys((Field.AUTHOR, Field.ASSIGNEE, Field.STATE, Field.ID), NO_SUCH)
    kinds: ClassVar = {Kind.WEB_PAGE: EXACT}
    no_kind = NOTHING_ELSE

    def words(self, leaf: Term | Phrase | Prefix) -> Verdict:
        said = judge_text(leaf)
        return said if LINE.write(leaf) else refused(said.why or NO_SUCH)

    prefix = words

    def container(self, where: Container) -> Verdict:
        return approximate(SUBDOMAINS) if HOST.fullmatch(where.native_id or where.name) else refused(NO_HOST)

    def instant(self, _instant: datetime) -> Verdict:
        return approximate(DATED)


judge = WebVerdicts()


class Web:
    """``args`` holds ``since`` and ``until``: instants in UTC, ISO 8601, the first included, the second not."""

    name = "web"
    can = Capabilities(
        term=Fidelity.APPROXIMATE,
        phrase=Fidelity.APPROXIMATE,
        prefix=Fidelity.APPROXIMATE,
        fields={
            Field.CONTAINER: Fidelity.APPROXIMATE,
            Field.KIND: Fidelity.EXACT,
            Field.TIME: Fidelity.APPROXIMATE,
            Field.UPDATED: Fidelity.APPROXIMATE,
        },
        any_of=True,
        ranks=True,
        negates=frozenset({Term, Phrase}),
        note=Said("web search engines read words in their own ways"),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as a line for a search box, and dates beside it."""
        can = self.can.meet(can)
        query, spare = _simplified(query, can)
        settled = settle(query, can, judge, single=frozenset({Field.CONTAINER}))
        line = _Line()
        unsaid = tuple(part for part in conjuncts(settled.pushed) if not line.take(LINE.write(part)))
        for lesser in _lesser(query, line.text):
            line.take(lesser)
        checked = conjuncts(settled.residual or EVERYTHING)
        spared = frozenset(shown(part) for part in checked if (said := _left_out(part, can)) and line.take(said))
        residual = all_of((settled.residual or EVERYTHING, *spare, *unsaid))
        losses = (
            *(_told(loss, spared) for loss in settled.losses if loss.what not in set(map(shown, unsaid))),
            *(Loss(LossKind.CHECKED, shown(part), ONLY_ITS_WORDS) for part in spare),
            *(Loss(LossKind.CHECKED, shown(part), TOO_LONG) for part in unsaid),
        )
        native = NativeQuery(self.name, line.text, _dates(settled.pushed))
        return Translation(native, None if residual == EVERYTHING else residual, losses)


@dataclass(slots=True)
class _Line:
    """A query as far as engines read it."""

    text: str = ""

    def take(self, written: str) -> bool:
        """Whether there was room for ``written``."""
        longer = f"{self.text} {written}".strip()
        if len(longer) > MOST_LETTERS or len(longer.split()) > MOST_WORDS:
            return False
        self.text = longer
        return True


# ---- before: alternatives that no engine reads as they are meant


def _simplified(query: Query, can: Capabilities) -> tuple[Query, tuple[Clause, ...]]:
    """Alternatives of several words each become alternatives of one word each, which find more; the whole is checked.

    No engine documents how AND and OR bind, but all read ``(a OR b)`` alike.
    """
    parts, spare = [], []
    for part in conjuncts(query.where):
        if isinstance(part, AnyOf) and can.can_ask_any(part.parts) and not all(map(_is_text, part.parts)):
            spare.append(part)
            parts.append(_widened(part))
        else:
            parts.append(part)
    return query.narrowed(all_of(parts)), tuple(spare)


def _is_text(part: Clause) -> bool:
    return isinstance(part, Term | Phrase | Prefix)


def _widened(whole: AnyOf) -> Clause:
    """One word of each alternative; everything, where an alternative has none."""
    said = [
        next((leaf for leaf in sorted(conjuncts(part), key=_length) if _is_text(leaf)), None) for part in whole.parts
    ]
    return EVERYTHING if None in said else any_of(leaf for leaf in said if leaf is not None)


def _length(part: Clause) -> int:
    return -len(str(part))


# ---- writing


def _lesser(query: Query, line: str) -> Iterator[str]:
    """What tells the kind of page: engines rank, so it costs none. Not beside words of another language than its own."""
    if line:
        yield from (word(text) for text, _ in query.lesser if bool(HANGUL.search(text)) == bool(HANGUL.search(line)))


def _left_out(part: Clause, can: Capabilities) -> str:
    """What leaves out less than ``part`` does: pages with the very words."""
    match part:
        case Not(Term(text) as leaf) | Not(Phrase(text) as leaf) if type(leaf) in can.negates:
            said = phrase(text)
            return f"-{said}" if said else ""
        case _:
            return ""


def _told(loss: Loss, spared: frozenset[str]) -> Loss:
    return Loss(loss.kind, loss.what, LEFT_OUT_ALSO) if loss.what in spared else loss


def _dates(pushed: Clause) -> dict[str, Json]:
    since, until = window(conjuncts(pushed))
    return {name: iso(bound) for name, bound in (("since", since), ("until", until)) if bound}


# ---- words as web search engines read them, so that no text of a question is an operator of any of them
# Google: https://support.google.com/websearch/answer/2466433 ; Brave: https://search.brave.com/help/operators ;
# SearXNG, which reads commands of its own anywhere, inside quotes too: https://docs.searxng.org/user/search-syntax.html .

# A host below a registry: somewhere on the web. No channel or folder of one's own is called that.
HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24}", re.ASCII | re.IGNORECASE)
ASIDE = dict.fromkeys(map(ord, "*|()<>{}[]^~"), " ")  # * stands for any word in Google's quotes; the rest are operators
COMMAND = "!?:"  # SearXNG and DuckDuckGo: !bang, ?engine, :language, at the beginning of a word
SPAN = ".."  # Google: 10..50 is a range of numbers


def word(text: str) -> str:
    """A word bare where no engine could take it for anything else; anything else in quotes."""
    whole = as_typed(text)
    bare = BARE.fullmatch(whole) and whole.casefold() not in RESERVED and SPAN not in whole
    return whole if bare else phrase(text)


def phrase(text: str) -> str:
    """``text`` in quotes, without what engines read as commands even there; empty where no word is left."""
    words = (each.lstrip(COMMAND) for each in as_typed(text.translate(ASIDE)).replace(SPAN, " ").split())
    inside = quoted(" ".join(words))
    return inside if WORD.search(inside) else ""


TRANSLATOR = Web
