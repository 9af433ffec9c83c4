"""The folded words of texts, all hits of a question read at once and each only once however many stages ask."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from translators.letters import PLAIN, plain_words
from translators.match import fold
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import Hit

DESCRIPTION, EXAMPLES = "description", "examples"  # facts: what a hit is for
FIELD = "\x03"  # stands between the parts of a text
NO_LETTER = "\x02"
# Stands between parts of many texts while they are folded in one go: Python skips as many letters at a time as what it looks for has.
MARK = NO_LETTER * 5
BETWEEN = f" {MARK} "
# Korean puts particles straight behind foreign words ("API를", "v2로"), so that a run ends where Hangul begins or ends.
RUN = regex(r"[가-힣]+|[^\W가-힣]+")
FOREIGN_DIGIT = regex(r"[^\D0-9]")  # compatibility forms are ASCII already, ٣ and ३ are not
# Of what is ASCII, byte to byte; the marks stay.
FOLDED = bytes(code if chr(code) == NO_LETTER else PLAIN[code] for code in range(256))
BOTH = (True, False)


def _words(text: str) -> list[str]:
    if text.isascii():
        return plain_words(text)
    return RUN.findall(FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), fold(text)))


@lru_cache(maxsize=1024)
def folded_words(text: str) -> tuple[str, ...]:
    """Runs of letters, digits and underscores in one script, without case and compatibility forms; digits are ASCII."""
    return tuple(_words(text))


def spaced(text: str) -> str:
    """The same words, each between blanks: `` w `` finds a word and `` w`` the beginning of one, as a substring."""
    return f" {' '.join(_words(text))} "


class Text(NamedTuple):
    """The words of a hit, each run between blanks. ``whole`` is all of them; nothing matches across the parts."""

    title: str
    body: str
    names: str
    url: str
    whole: str

    @classmethod
    def of(cls, hit: Hit, limit: int) -> Text:
        """``limit``: characters read of a snippet."""
        return texts_of((hit,), limit)[0]


def texts_of(hits: Sequence[Hit], limit: int) -> list[Text]:
    """One for each hit. A pass over all of them costs a fraction of one over each."""
    written = [_written(hit, limit) for hit in hits]
    plain = [title.isascii() and body.isascii() and named.isascii() for title, body, named in written]
    folded = {
        kind: iter(_folded([part for parts, own in zip(written, plain, strict=True) if own is kind for part in parts]))
        for kind in BOTH
    }
    texts = []
    for hit, kind in zip(hits, plain, strict=True):
        title, body, own_id = islice(folded[kind], 3)
        author, assignee, place = hit.author, hit.assignee, hit.container
        people = _people(author.name if author else "", assignee.name if assignee else "", place.name if place else "")
        names = f"{people}{own_id}"
        texts.append(Text(title, body, names, hit.url, f"{title}{FIELD}{body}{FIELD}{names}"))
    return texts


def _written(hit: Hit, limit: int) -> tuple[str, str, str]:
    """Title and headings, text, and the id with what the hit is for; marks in them are no text."""
    title, named, facts = hit.title, hit.id, hit.facts
    if facts:
        title = f"{title} {heading}" if (heading := hit.heading) else title
        named = f"{named} {purpose_of(hit)}" if DESCRIPTION in facts or EXAMPLES in facts else named
    if "_" in title:  # a file is also found by the words of its name: UK_price_list.xlsx
        title = f"{title} {title.replace('_', ' ')}"
    body = hit.snippet[:limit]
    if NO_LETTER in body or NO_LETTER in title or NO_LETTER in named:
        return title.replace(NO_LETTER, " "), body.replace(NO_LETTER, " "), named.replace(NO_LETTER, " ")
    return title, body, named


def purposes_of(hit: Hit) -> tuple[str, ...]:
    """What a hit says that it is for, and each question that it says it answers."""
    description, examples = hit.facts.get(DESCRIPTION, ""), hit.facts.get(EXAMPLES, ())
    listed = examples if isinstance(examples, tuple) else (str(examples),)
    return tuple(filter(None, (str(description), *listed)))


def purpose_of(hit: Hit) -> str:
    """The same as one text."""
    return " ".join(purposes_of(hit))


@lru_cache(maxsize=1024)
def _people(*names: str) -> str:
    return spaced(" ".join(names)).rstrip()


def _folded(parts: list[str]) -> list[str]:
    """The words of each part between blanks."""
    joined = f" {BETWEEN.join(parts)} "
    if not joined.isascii():
        return f" {' '.join(filter(None, map(_runs, joined.split())))} ".split(MARK)
    words = joined.encode().translate(FOLDED)
    while b"  " in words:  # a few passes over all of it cost a fifth of taking it apart into words
        words = words.replace(b"  ", b" ")
    return words.decode().split(MARK)


@lru_cache(maxsize=16_384)
def _runs(word: str) -> str:
    """What stands between two blanks, folded; most words of a question's hits occur many times in them."""
    return word if word == MARK else " ".join(_words(word))
