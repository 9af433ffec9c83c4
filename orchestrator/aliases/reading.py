"""Read from what somebody wrote that one thing has two names.

Only what is said in so many words counts: "Moru, formerly known as Nabi", "renamed from Nabi to Moru", "모루(구 나비)", and a name with
its counterpart in the other script: "예약창구(Booking Desk)". Such a pair may also be a word and what it is done with
("회의(Zoom)"), and "formerly" alone may tell where a person worked; so these count in a heading, or where two things say it,
and never for a word that a dictionary translates.
An acronym behind what it stands for teaches nothing: whoever writes one does not write the other, and asking for both cost
more than it found.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from translators.letters import has_hangul, holds_any
from translators.match import fold
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MOST_WORDS = 4
LONGEST = 40  # characters of a name
NEAR = 90  # characters on either side of what joins two names
TWICE = 2  # things that must say what one alone may say by the way
READ = 4000  # characters of a thing

INSIDE = regex(r"\(([^()\n]{2,60})\)")
KNOWN_AS = regex(
    r"\b(?:(?:formerly|previously|originally) (?:known as|called|named)|also known as|a\.k\.a\.|aka):? ", re.IGNORECASE
)
FORMERLY = regex(r"\bformerly:? (?!known as |called |named )", re.IGNORECASE)
"""Of a person it tells where they worked: "Jane Doe (formerly Acme)"."""
NOW = regex(r"\b(?:now (?:called|known as|named)|renamed(?: to| as)?|rebranded(?: to| as)?) ", re.IGNORECASE)
FROM = regex(r"\b(?:renamed|rebranded) from ", re.IGNORECASE)
NO_LONGER = regex(r",? (?:no longer|instead of|formerly|was) ", re.IGNORECASE)
KOREAN_BEFORE = regex(r"(?:구|옛|구칭|옛 이름|이전 이름|구 명칭|이전 명칭|변경 전)(?::| )\s*")
KOREAN_NOW = regex(r"(\S{2,20})에서 (\S{2,20}?)(?:으로|로) (?:제품명|서비스명|이름|명칭|사명|코드명|채널명)")
KOREAN_OF = regex(
    r"(?:제품명|서비스명|이름|명칭|사명|코드명|채널명)[이을은는] (\S{2,20})에서 (\S{2,20}?)(?:으로|로)(?= )"
)
LATIN_WORD = regex(r"(?:[A-Z0-9]|[a-z]{1,12}[A-Z])[\w.+&'-]*")
HANGUL_WORD = regex(r"[가-힣A-Za-z0-9+-]+")
CODE = regex(r"[\d_]")
ENDS = ",.;:!?)]\"'”’"
LEADING = frozenset("The A An Our This That New In Of For And Or With To".split())
MARKUP = "#*_>-•|[] \t\"'“”‘’"
HEADING = regex(r"\s*(?:#{1,6} |\*\*|\|)")


@record
class AliasEvidence:
    """A thing that somebody wrote, and where it stands."""

    source: str
    title: str
    text: str
    url: str = ""


@record
class Alias:
    """``name`` and ``other`` are one thing, as a thing of ``source`` says."""

    name: str
    other: str
    source: str = ""
    title: str = ""
    url: str = ""

    @property
    def key(self) -> frozenset[str]:
        """The same for both directions and any capitals."""
        return frozenset((fold(self.name), fold(self.other)))


@record
class _Pair:
    """``explicit``: said in so many words, and not only written side by side; ``heading``: where that weighs more."""

    name: str
    other: str
    explicit: bool = True
    heading: bool = False


SIGNS = tuple(
    " now |known as|ormerly |reviously |riginally |a.k.a.|aka |enamed |ebranded |이름|명칭|사명|제품명|코드명|스명|널명".split(
        "|"
    )
)


JOINTS = ("ormerly", "eviously ", "iginally ", "known as", "a.k.a.", "aka", "now ", "enamed ", "ebranded ")
"""Of which every English pattern holds one, in any capitals."""


def may_teach(text: str) -> bool:
    """Whether it is worth reading: most texts say nothing of the kind, and it is asked of all that comes back."""
    if "(" in text:  # whatever sign there is besides is Korean or holds a joint
        return has_hangul(text) or _joins(text)
    return holds_any(text, SIGNS)


def _joins(text: str) -> bool:
    return holds_any(text.casefold(), JOINTS)


def read_aliases(things: Iterable[AliasEvidence], is_word: Callable[[str], bool]) -> tuple[Alias, ...]:
    """What ``things`` teach, each pair once. ``is_word``: whether a dictionary translates a word, which is no name then."""
    said: Counter[frozenset[str]] = Counter()
    found: dict[frozenset[str], Alias] = {}
    for each in things:
        pairs: dict[frozenset[str], tuple[Alias, bool]] = {}
        for line in filter(may_teach, (each.title, *each.text[:READ].splitlines())):
            for pair in _pairs(line, heading=line is each.title or HEADING.match(line) is not None):
                alias = Alias(pair.name, pair.other, each.source, each.title, each.url)
                if _are_names(pair, is_word):
                    sure = pair.explicit or pair.heading
                    pairs[alias.key] = alias, sure or pairs.get(alias.key, (alias, False))[1]
        for key, (alias, sure) in pairs.items():
            said[key] += TWICE if sure else 1
            found.setdefault(key, alias)
    return tuple(alias for key, alias in found.items() if said[key] >= TWICE)


def _pairs(line: str, *, heading: bool) -> Iterator[_Pair]:
    korean = has_hangul(line)
    if korean:
        yield from _beside(line, heading=heading)
    if _joins(line):
        yield from _joined(line, heading=heading)
    if korean:
        for pattern in (KOREAN_NOW, KOREAN_OF):
            for found in pattern.finditer(line):
                yield _Pair(found[2].strip(MARKUP), found[1].strip(MARKUP))


def _beside(line: str, *, heading: bool) -> Iterator[_Pair]:
    """What stands before brackets and what stands in them; one of the two is Korean."""
    for inside in INSIDE.finditer(line):
        yield from _bracketed(line[max(0, inside.start() - NEAR) : inside.start()], inside[1].strip(), heading=heading)


def _joined(line: str, *, heading: bool) -> Iterator[_Pair]:
    for pattern in (KNOWN_AS, FORMERLY):
        for joint in pattern.finditer(line):
            name = _ending(line[max(0, joint.start() - NEAR) : joint.start()].rstrip(" ,("))
            other = _beginning(line[joint.end() : joint.end() + NEAR].partition(")")[0])
            yield _Pair(name, other, explicit=pattern is KNOWN_AS, heading=heading)
    for joint in FROM.finditer(line):
        old, to, new = line[joint.end() : joint.end() + NEAR].partition(" to ")
        if to:
            yield _Pair(_beginning(new), _beginning(old))
    for joint in NOW.finditer(line):
        new = _beginning(line[joint.end() : joint.end() + NEAR])
        after = line[joint.end() + len(new) : joint.end() + len(new) + NEAR]
        past = NO_LONGER.match(after)
        subject = line[max(0, joint.start() - NEAR) : joint.start()].removesuffix(" ").removesuffix(" is")
        subject = subject.removesuffix(" been").removesuffix(" has").removesuffix(" was")
        yield _Pair(new, _beginning(after[past.end() :]) if past else _ending(subject))


def _bracketed(before: str, inside: str, *, heading: bool) -> Iterator[_Pair]:
    """``before (inside)``."""
    before = before.rstrip()
    if formerly := KOREAN_BEFORE.match(inside):
        yield _Pair(_whole(before) or _last(before, 1), inside[formerly.end() :].strip(MARKUP))
    elif KNOWN_AS.match(inside) or FORMERLY.match(inside):
        return  # read as any sentence is
    elif has_hangul(before[-1:]) and not has_hangul(inside):
        if (other := _beginning(inside)) == inside:
            yield _Pair(_whole(before) or _last(before, len(inside.split())), other, explicit=False, heading=heading)
    elif has_hangul(inside) and before[-1:].isalnum() and before[-1:].isascii() and (name := _ending(before)):
        yield _Pair(name, inside.strip(MARKUP), explicit=False, heading=heading)


def _ending(text: str) -> str:
    """The name that ``text`` ends with: words that begin with a capital; or one Korean word."""
    words: list[str] = []
    for word in reversed(text.split()):
        word = word.lstrip(MARKUP + "(") if words else word.strip(MARKUP)  # noqa: PLW2901 — what is left of it
        if not LATIN_WORD.fullmatch(word):
            break
        words.insert(0, word)
    while words and words[0] in LEADING:
        del words[0]
    return " ".join(words) or (_last(text, 1) if has_hangul(text[-1:]) else "")


def _beginning(text: str) -> str:
    """The name that ``text`` begins with, up to the first sign or small letter."""
    words: list[str] = []
    for word in text.removeprefix("the ").removeprefix("The ").split():
        bare = word.strip(MARKUP).rstrip(ENDS)
        if not LATIN_WORD.fullmatch(bare) and not (not words and HANGUL_WORD.fullmatch(bare) and has_hangul(bare)):
            break
        words.append(bare)
        if word.rstrip(MARKUP)[-1:] in ENDS or has_hangul(bare):
            break
    return " ".join(words)


def _last(text: str, count: int) -> str:
    """The last ``count`` words."""
    words = text.split()[-count:]
    return " ".join(words).strip(MARKUP) if all(HANGUL_WORD.fullmatch(each.strip(MARKUP)) for each in words) else ""


def _whole(before: str) -> str:
    """All that stands on the line, where it is short enough to be a name."""
    line = before.strip(MARKUP)
    return line if len(before) < NEAR and _last(line, MOST_WORDS) == line else ""


def _are_names(pair: _Pair, is_word: Callable[[str], bool]) -> bool:
    one, other = fold(pair.name), fold(pair.other)
    both = (pair.name, pair.other)
    apart = one not in other and other not in one
    beside = not any(is_word(name) or CODE.search(name) for name in both)
    return apart and all(map(_is_name, both)) and (pair.explicit or beside)


def _is_name(text: str) -> bool:
    words = text.split()
    if not words or len(words) > MOST_WORDS or not 2 <= len(text) <= LONGEST or not any(map(str.isalpha, text)):  # noqa: PLR2004
        return False
    return text[-1] not in "다요음함" if has_hangul(text) else any(letter.isupper() for letter in text)
