"""Other names a keyword goes by (synonyms), in this language and the other; marked as variants, never replacing a phrase or an identifier."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.understand.keyboard import repair
from orchestrator.understand.nicknames import called_too
from orchestrator.understand.spacing import spellings
from orchestrator.understand.time.tokens import korean_number
from orchestrator.understand.typos import LEAST, is_listed
from translators.inflection import base_forms
from translators.letters import has_hangul
from translators.patterns import regex
from translators.query import EntityKind
from translators.romanization import SHORTEST, in_hangul, romanized

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.korean import Morph
    from orchestrator.understand.lexicon import Lexicon
    from translators.query import Person

CAPITAL = regex(r"[A-Z][a-z]+")
GROUP = 3  # words side by side that may have one counterpart together
SPELLINGS = 2  # of what words have for a counterpart together; the rest of the room is for their own
NAMES = frozenset({EntityKind.PERSON, EntityKind.PROJECT, EntityKind.TOOL})
"""What goes by its own name in every language."""
DIVIDED = 5
"""Words without a meaning to morphology whose parts are looked for; each costs many looks into the dictionary."""
MOST = 3
"""Each variant may cost a request."""
WITH_COUNTERPARTS = 4
"""What a word is called in the other language included: enough for two names of each of two senses."""
INFLECTED = 2
"""Forms of a Korean verb that are looked for beside the one that was typed."""
NUMBERED = regex(r"(SEV|PRIO|TIER|LEVEL|PHASE|STAGE|LV|PG)(-?)(\d{1,3})", re.IGNORECASE)
"""Degrees and versions that people write with a hyphen or without, and that are no tickets."""
NUMERAL = regex(r"(?=.{3,12}$)(?=.*[백천만])[일이삼사오육칠팔구십백천]+(?:만[일이삼사오육칠팔구십백천]*)?")
"""Of two syllables it may be a city (이천, 사천)."""
SUFFIXES = frozenset({"s", "es", "ment", "ing", "ed", "line", "lines"})


def counterparts(draft: Draft) -> dict[int, tuple[str, ...]]:
    """What the keywords are called in the other language, by where they stand; the longest words side by side first, names never."""
    entities = (entity.name.casefold() for _, entity in draft.entities if entity.kind in NAMES)
    names = {part for name in entities for part in (name, *name.split())}
    known = draft.lexicon.bilingual
    words = [
        (position, text)
        for position, text in sorted((*draft.keywords, *((at, text) for at, text, _ in draft.lesser)))
        if text.casefold() not in names and not (_is_capital(draft, position, text) and not known.is_name(text))
    ]
    found: dict[int, tuple[str, ...]] = {}
    for start, end, together in _expressions(draft, words):
        for position, _ in words:
            if start <= position < end:
                found.setdefault(position, together[:SPELLINGS])
    for position, text in words:
        inflected = draft.verbs.get(position, ())[1:][-INFLECTED:]
        called = (*found.get(position, ()), *inflected, *(_called(draft, text) or _of_other_spelling(draft, text)))
        found[position] = tuple(sorted(called, key=lambda name: not draft.directory.names_a_thing(name)))
    return found


def _called(draft: Draft, text: str) -> tuple[str, ...]:
    """What a word is called in the other language; a Korean one whose English name is listed is taken for no compound: 롤아웃 is rollout, and no *out*."""
    known = draft.lexicon.bilingual
    listed = has_hangul(text) and not all(map(has_hangul, _listed(draft, text.casefold())))
    return known.together(text) if listed else known.counterparts(text)


def _of_other_spelling(draft: Draft, text: str) -> tuple[str, ...]:
    """What a word is called that people spell otherwise as well: 센타 is center as 센터 is."""
    spelled = (each for each in _listed(draft, text.casefold()) if has_hangul(each) == has_hangul(text))
    return next(filter(None, map(draft.lexicon.bilingual.counterparts, spelled)), ())


def _expressions(draft: Draft, keywords: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """What words side by side are called in the other language, longest first: where they begin and end, and the names.

    In English all words count, which together may mean something else than alone, or nothing: to turn round, opening night.
    """
    known = draft.lexicon.bilingual
    places = {at for at, _ in keywords}
    english = (word for word in draft.words if not word.hangul and (not word.role or word.start in places))
    korean = ((at, at + len(text), text) for at, text in keywords if has_hangul(text))
    said = sorted([*((word.start, word.end, word.bare) for word in english), *korean])
    after = (*(text for *_, text in said[1:]), "")
    begin = [
        at
        for at, ((*_, text), rest) in enumerate(zip(said, after, strict=False))
        if has_hangul(text) or known.begins_expression(text, rest)
    ]
    for length in range(GROUP, 1, -1):
        for at in begin:
            group = said[at : at + length]
            between = (draft.text[end:start] for (_, end, _), (start, *_) in pairwise(group))
            if len(group) < length or any(each not in {" ", "-"} for each in between):
                continue
            if together := known.together(" ".join(text for *_, text in group)):
                yield group[0][0], group[-1][1], together


def _by_sound(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """What nothing else is known of as a name in the other script: 해솔 is Haesol, 해솔도서관 Haesol library, Nuri and seryu 누리 and 세류.

    A name without its capital, as people type, is a word that is in none of our lists and long enough to be no English one by chance.
    """
    known = lexicon.bilingual
    if not has_hangul(text):
        small = text.islower() and len(text) >= LEAST
        names = in_hangul(text) if small or CAPITAL.fullmatch(text) else ()
        if names and small and any(is_listed(form, lexicon) for form in base_forms(text)):
            return ()
        return tuple(sorted(names, key=lambda name: not known.counterparts(name)))  # a word of the language first
    for at in range(len(text) - SHORTEST, SHORTEST - 1, -1):
        if (thing := known.together(text[at:])) and (name := romanized(text[:at])):
            return (f"{name} {thing[0]}", name)
    return tuple(filter(None, (romanized(text),)))


def _is_capital(draft: Draft, position: int, text: str) -> bool:
    """Whether a capital inside a sentence makes a name of a word: Harvest. Several side by side may be a title, which has words in the other language as well."""
    if position <= 0 or draft.title_case or CAPITAL.fullmatch(text) is None:
        return False
    first, _, before = draft.text[:position].rstrip().rpartition(" ")
    behind = draft.text[position + len(text) :].split(maxsplit=1)[:1]
    beside = [*([before] if first else []), *behind]  # what begins the sentence has a capital in any case
    return not any(map(CAPITAL.match, beside))


def read_variants(
    draft: Draft, morphs: Sequence[Morph], people: Mapping[str, Person]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """For each keyword with alternatives, those alternatives, best first. ``people``: who alone is called by one of them."""
    ids = {found.text.casefold() for _, found in draft.ids}
    quoted = [(start, start + len(text)) for start, text in draft.phrases]
    called = counterparts(draft)
    named = {start for start, entity in draft.entities if entity.kind in NAMES}
    divided = 0
    found: list[tuple[str, tuple[str, ...]]] = []
    for position, text in draft.keywords:
        if draft.coming and position == draft.coming[0] and len(draft.coming[1]) > 1:
            found.append((text, draft.coming[1][1:]))
            continue
        if text.casefold() in ids or any(start <= position < end for start, end in quoted):
            continue
        inside = [morph for morph in morphs if position <= morph.start and morph.end <= position + len(text)]
        divided += any(morph.unknown for morph in inside)
        apart = spellings(text, inside, tries=divided <= DIVIDED)
        names = _alternatives(draft, position, text, apart)
        listed = _useful(text, names, MOST) if names else ()
        others = _useful(text, (*listed, *called.get(position, ())), WITH_COUNTERPARTS)
        if not others and position not in named:
            known = draft.lexicon.bilingual
            ours = draft.directory.sounding(text) or _in_the_other_script(people.get(text), text)
            others = (ours,) if ours else known.misspelt(text)[:MOST] or _by_sound(text, draft.lexicon)
        if others:
            found.append((text, others))
    taken = {text for _, text in draft.keywords}
    for position, text, _ in draft.lesser:  # they are not asked for, but found by either name
        day = draft.day.written if draft.day else ()
        otherwise = day[1:] if text in day[:1] else called.get(position, ())
        others = () if text.isupper() or text in taken else _useful(text, otherwise, WITH_COUNTERPARTS)
        if others:
            found.append((text, others))
    return tuple(dict(found).items())


def _alternatives(draft: Draft, position: int, text: str, apart: Sequence[str]) -> list[str]:
    listed = [
        *filter(None, (draft.titled.get(position),)),
        *_numbered(text),
        *_other_name(draft, position, text),
        *_other_script_first(text, _listed(draft, text.casefold())),
    ]
    meant = repair(text, draft.lexicon)
    repaired = [meant, *draft.lexicon.variants.get(meant.casefold(), ())] if meant else []
    return [*repaired, *apart[:1], *listed, *apart[1:]]


def _numbered(text: str) -> list[str]:
    """SEV1 for SEV-1 and the other way: to a source that compares words these are two. 1,500 for 천오백."""
    if NUMERAL.fullmatch(text) and (number := korean_number(text)):
        return [f"{number:,}", str(number)]
    match = NUMBERED.fullmatch(text)
    return [f"{match[1]}{'' if match[2] else '-'}{match[3]}"] if match else []


def _listed(draft: Draft, text: str) -> Sequence[str]:
    """What the lists say of a word, or of what it is a form of: refunds is 환불 as refund is."""
    return next((names for form in base_forms(text) if (names := draft.lexicon.variants.get(form))), ())


def _other_name(draft: Draft, position: int, text: str) -> list[str]:
    """The given name of somebody whom the directory writes otherwise: David for 데이빗, 서연 for Seoyeon, Elizabeth for Liz."""
    for start, entity in draft.entities:
        korean = has_hangul(entity.name)
        written = text in entity.name if korean else text.casefold() in entity.name.casefold().split()
        otherwise = not written and (korean != has_hangul(text) or called_too(text))
        if start == position and entity.kind is EntityKind.PERSON and otherwise:
            return [_given(entity.name)]
    return []


def _in_the_other_script(person: Person | None, text: str) -> str:
    """The given name of whoever is called ``text``, who is written otherwise: Inês for 이네스; "" for nobody."""
    return _given(person.name) if person and has_hangul(person.name) != has_hangul(text) else ""


def _given(name: str) -> str:
    return name[1:] if has_hangul(name) else name.split(maxsplit=1)[0]


def _other_script_first(text: str, names: Sequence[str]) -> Sequence[str]:
    """A colleague who writes the other language is missed for sure; a synonym may turn up beside the word anyway."""
    korean = has_hangul(text)
    return names and sorted(names, key=lambda name: has_hangul(name) == korean)


def _useful(text: str, names: Sequence[str], most: int) -> tuple[str, ...]:
    """At most ``most``, without the word itself and without what any source finds by the same search."""
    kept = [text]
    for name in names:
        if len(kept) <= most and not any(_alike(name, other) for other in kept):
            kept.append(name)
    return tuple(kept[1:])


def _alike(one: str, other: str) -> bool:
    """Payment and payments, deploy and deployment, on-call and oncall: stemming and folding in the source find both."""
    if NUMBERED.fullmatch(one):
        return one.casefold() == other.casefold()
    left, right = one.casefold().replace("-", ""), other.casefold().replace("-", "")
    if left == right:
        return True
    if len(left) > len(right):
        left, right = right, left
    return left.isascii() and right.startswith(left) and right[len(left) :] in SUFFIXES
