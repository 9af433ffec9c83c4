"""Whom a digest is for, by all that the sources call them, and what is theirs or said to them. Pure.

What a sentence asks of somebody, and whether it speaks of the reader, in Korean and English.
"""

from __future__ import annotations

import re
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from translators.match import HANGUL
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from connectors.contract import Hit
    from translators.query import Person

ENDING_IN_L = "".join(chr(first + 8) for first in range(ord("가"), ord("힣") + 1, 28))  # 할, 될, 줄 …
REQUEST = re.compile(
    r"\b(?:please|pls|plz)\b|\b(?:can|could|would|will) you\b|\bneed(?:s)? you to\b|\blet (?:me|us) know\b|\basap\b"
    r"|\byour (?:review|approval|sign-?off|input|confirmation|feedback|decision|action)\b|\bwaiting (?:for|on) you\b"
    r"|\b(?:please )?(?:review|confirm|approve|sign off|reply|respond|send|update|check) (?:\S+ ){0,6}(?:by|before|until|today|tomorrow)\b"
    r"|\baction (?:required|needed)\b|\bremind(?:er)?\b.{0,60}\bbefore\b"
    r"|부탁|[해어아여줘]\s?주(?:세요|십시오|시[면겠길기]|실)|주시[면겠길기]|주실|바랍니다|해\s?줘|해\s?주라|해야 (?:합니다|해요|함)"
    r"|(?:검토|확인|승인|회신|답변|공유|의견)(?:이|을|를)?\s?(?:필요|요청|요망|바람)|까지\s?(?:제출|회신|확인|검토|승인|완료|공유)",
    re.IGNORECASE,
)
# Somebody says what they will do, and by when. A promise without a day is mostly a courtesy.
PROMISE = re.compile(
    rf"[{ENDING_IN_L}]게요?[\s.!~…)]*$|(?<![알르되])겠습니다[\s.!~…)]*$|\bI(?:['’]ll| will|['’]m going to| am going to)\b",
    re.IGNORECASE,
)
BY_WHEN = re.compile(
    r"까지|오늘|내일|모레|(?:이번|다음)\s?주|[월화수목금토일]요일|\d월\s?\d{1,2}일|\d/\d"
    r"|\b(?:by|before|until|today|tonight|tomorrow|(?:this|next) week|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
# Whom a text begins with: "Hi Jihyun,", "@jihyun", "지현님".
GREETED = re.compile(r"\s*(?:(?i:hi|hey|hello|dear)\s+([A-Z][A-Za-z’'-]+)|([가-힣]{2,4})\s?(?:님|씨)(?=[\s,!~]))")
MENTIONED = re.compile(r"(?<!\w)@([A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?|[가-힣]{2,4})")
TO_ALL = re.compile(r"(?i:all|team|everyone|everybody|folks|guys|there|channel|here)")
HONORIFICS = r"(?:\s?(?:님|씨|매니저|팀장|리더|대표|이사|선임|책임|수석|과장|차장|부장|대리|프로))"
KOREAN_NAME = 3  # syllables of a full name
SHORTEST = 2


class ReaderNames:
    """How the reader is called: whole names, handles and addresses; a Korean given name with a title behind it."""

    def __init__(self, names: Iterable[str], handles: Iterable[str] = ()) -> None:
        """``handles`` are theirs only behind an @."""
        parts = [part for name in names if (part := _pattern(name.strip()))]
        parts += [rf"(?<!\w)@{re.escape(each)}(?![A-Za-z0-9._-]*[A-Za-z0-9])" for each in handles if each]
        self._pattern = re.compile("|".join(parts), re.IGNORECASE) if parts else None

    def __bool__(self) -> bool:
        return self._pattern is not None

    def named_in(self, text: str) -> bool:
        """Whether a text speaks of the reader."""
        return self._pattern is not None and self._pattern.search(text) is not None


def _pattern(name: str) -> str:
    bare = name.lstrip("@")
    if len(bare) < SHORTEST:
        return ""
    if HANGUL.match(bare):
        given = rf"|(?<![가-힣]){re.escape(bare[1:])}{HONORIFICS}" if len(bare) == KOREAN_NAME else ""
        return rf"(?<![가-힣]){re.escape(bare)}{given}"
    return rf"(?<![\w.]){re.escape(bare)}(?![A-Za-z0-9_])"  # "@jihyun님" is one word


OPENING = 80  # characters in which somebody is greeted
WORD = re.compile(r"[A-Za-z][A-Za-z’'.-]*|[가-힣]+")
SHORTEST_NAME = 6  # characters of a source's id for somebody that others may be mentioned by
NAMES = 3  # that one person goes by: in two scripts, and a handle
FEW = 3  # somebody whom a mail goes to with at most so many is meant by it
NOBODY = ReaderNames(())
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@record
class Reader:
    """Whom a digest is for: ``names`` are all that the sources call them, ``others`` how they call everybody else, ``people`` who
    is meant by an id in a text.

    ``today`` in their zone; ``ahead``: days; ``since``: what happened from then on is told. ``talk``: by source and place,
    when whose messages came that are in no thread.
    """

    names: ReaderNames
    known_as: frozenset[str]
    today: date
    titles: Mapping[str, str]
    language: str = "en"
    ahead: int = 7
    since: datetime = LONG_AGO
    others: ReaderNames = NOBODY
    people: Mapping[str, str] = field(default_factory=dict)
    talk: Mapping[tuple[str, str], Sequence[tuple[datetime, Person | None]]] = field(default_factory=dict)

    @property
    def soon(self) -> date:
        """The last day that is near enough to be told of."""
        return self.today + timedelta(days=self.ahead)

    def is_meant(self, hit: Hit) -> bool:
        """Whether it is assigned to the reader."""
        return hit.assignee is not None and self.is_person(hit.assignee.name, hit.assignee.email)

    def wrote(self, hit: Hit) -> bool:
        """Whether it is the reader's own."""
        return hit.author is not None and self.is_person(hit.author.name, hit.author.email)

    def shown(self, text: str) -> str:
        """With the names of people who are mentioned by an id."""
        return MENTIONED.sub(lambda found: f"@{self.people.get(found[1], found[1])}", text)

    def is_person(self, *called: str | None) -> bool:
        """Whether one of these is the reader."""
        return any(each and each.casefold() in self.known_as for each in called)

    def is_addressed(self, hit: Hit) -> bool:
        """A mail to the reader, and not to everybody."""
        to = hit.facts.get("to")
        return isinstance(to, tuple) and len(to) <= FEW and self._is_among(to)

    def is_for_others(self, hit: Hit, said: str) -> bool:
        """Whether a sentence of it is said to somebody else: by whom the mail goes to, who is greeted or mentioned."""
        opening = hit.snippet.lstrip().partition("\n")[0][:OPENING]
        if not self.known_as or self.names.named_in(said) or any(map(self._is_called, WORD.findall(opening))):
            return False
        to = hit.facts.get("to")
        if isinstance(to, tuple) and to:
            return not self._is_among(to)
        greeted = [found for text in (hit.snippet, said) if (found := GREETED.match(text))]
        called = {name for found in greeted for name in found.groups() if name and not TO_ALL.fullmatch(name)}
        called |= {name for name in MENTIONED.findall(said) if not TO_ALL.fullmatch(name)}
        return bool(called) and not any(map(self._is_called, called)) and self._are_names(called, greeted)

    def _is_among(self, to: Sequence[str]) -> bool:
        return any(self.is_person(each) or self.names.named_in(each) for each in to)

    def _is_called(self, word: str) -> bool:
        """By a first name, too."""
        parts = {part for each in self.known_as for part in re.split(r"[\s.@]+", each)}
        return word.casefold() in self.known_as | parts or self.names.named_in(word)

    def _are_names(self, called: Iterable[str], greeted: Sequence[re.Match[str]]) -> bool:
        """A title behind it is given to customers, too: such a one is somebody only where the sources know them."""
        korean = {found[2] for found in greeted if found[2]}
        return any(each not in korean for each in called) or any(self.others.named_in(found[0]) for found in greeted)


def knowing(reader: Reader, hits: Iterable[Hit]) -> Reader:
    """The same with what the sources tell of people: who has the reader's name or address has that address and name."""
    people = _own_addresses({each for hit in hits for each in (hit.author, hit.assignee) if each is not None})
    known = set(reader.known_as)
    while known and (more := {said for each in people if known & _called(each) for said in _called(each)} - known):
        known |= more
    mine = [each for each in people if known & _called(each)]
    handles = [each.partition("@")[0] for each in known if "@" in each]
    handles += [each.native_id for each in mine if each.native_id and len(each.native_id) >= SHORTEST_NAME]
    others = [said for each in people if not known & _called(each) for said in _called(each)]
    by_id = {
        each.native_id: each.name
        for each in people
        if each.native_id and each.name and len(each.native_id) >= SHORTEST_NAME
    }
    names = ReaderNames(sorted(known), dict.fromkeys(handles))
    return replace(
        reader,
        names=names if known else reader.names,
        known_as=frozenset(known),
        others=ReaderNames(others),
        people=by_id,
    )


def _own_addresses(people: set[Person]) -> set[Person]:
    """The same people; an address that more names share than one person has belongs to nobody alone."""
    names: dict[str, set[str]] = {}
    for each in people:
        names.setdefault((each.email or "").casefold(), set()).add(each.name.casefold())
    shared = {address for address, by in names.items() if len(by) > NAMES}
    return {replace(each, email=None) if (each.email or "").casefold() in shared else each for each in people}


def _called(person: Person) -> set[str]:
    return {said.casefold() for said in (person.name, person.email) if said}
