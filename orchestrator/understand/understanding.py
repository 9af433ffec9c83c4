"""Takes a question apart: one pass over the concerns, each claiming its part of the text."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from orchestrator.understand.ambiguity import is_ambiguous
from orchestrator.understand.directory import NOBODY
from orchestrator.understand.draft import EMPTY, LATIN, WRONG_KEYBOARD, Draft
from orchestrator.understand.filters import read_either, read_filters, read_minuses
from orchestrator.understand.ids import read_ids, read_quotes
from orchestrator.understand.intent import read_intent, read_search
from orchestrator.understand.keyboard import repaired_runs
from orchestrator.understand.keywords import read_keywords, read_lesser, read_overview
from orchestrator.understand.korean import analyse
from orchestrator.understand.lexicon import load_lexicon
from orchestrator.understand.meaning import meaning
from orchestrator.understand.modifiers import read_modifiers
from orchestrator.understand.negation import read_negations
from orchestrator.understand.people import called, read_own, read_people
from orchestrator.understand.projects import read_projects
from orchestrator.understand.sources import read_containers, read_sources
from orchestrator.understand.spacing import as_spaced, read_joined
from orchestrator.understand.text import clean
from orchestrator.understand.time import read_coming, read_time
from orchestrator.understand.variants import read_variants
from orchestrator.understand.work import read_flag, read_unfinished
from orchestrator.understand.worth import essential
from translators.letters import SYLLABLE
from translators.names import with_people_named
from translators.patterns import regex
from translators.query import Doubt, EntityKind, Query
from translators.question_words import ENGLISH_ASKS, KOREAN_ASKS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from orchestrator.understand.directory import Directory
    from orchestrator.understand.draft import SourceCategories
    from orchestrator.understand.korean import Morph
    from orchestrator.understand.lexicon import Lexicon

T = TypeVar("T")

FILTERED = regex(r"((?<!\S)-?[A-Za-z]{2,12}:(?:<[^<>\"]{2,110}>|\[~[^\[\]\s]{1,140}\]))")
"""A filter with a mention."""
ASKS_EN = regex(rf"\W*(?:{ENGLISH_ASKS})\b", re.IGNORECASE)
ASKS_KO = regex(rf"{KOREAN_ASKS}|[가-힣](?:요|까|나|니|지|죠|냐|야|어|해|줘)\W*$")
LATIN_WORD = regex(r"[a-z'-]+")
HANGUL = regex(r"[가-힣]+")
TYPED = regex(r"(?<!\S)-?[A-Za-z]+:\S+|\S+@\S+")
"""Filters, addresses of pages and of people."""


def understand(
    text: str,
    now: datetime,
    directory: Directory | None = None,
    *,
    lexicon: Lexicon | None = None,
    known: SourceCategories | None = None,
) -> Query:
    """The question as a :class:`Query`, read as if asked at ``now`` (aware; its zone is the asker's).

    ``known`` maps the names of the configured sources to their categories, so that ``source:`` can be checked.
    Pure and total: any string gives a Query; what could not be taken at its word is in ``Query.doubts``.

    >>> from datetime import datetime
    >>> from zoneinfo import ZoneInfo
    >>> monday = datetime(2026, 3, 23, 9, tzinfo=ZoneInfo("Asia/Seoul"))
    >>> query = understand("who owns the Okta rollout? after:2026-01-01", monday)
    >>> print(query.type, query.keywords)
    person ('Okta', 'rollout')
    >>> print(query.where)
    Okta AND rollout AND time >= 2026-01-01T00:00:00+09:00
    """
    lexicon = lexicon or load_lexicon()
    directory = directory or NOBODY
    cleaned, doubts = _read_as_meant(*clean(text), lexicon)
    cleaned = _with_names(cleaned, directory)
    draft = Draft(cleaned, now, lexicon, directory, known, doubts=doubts)
    if not cleaned.strip():
        return Query(text=cleaned, zone=_zone(now), doubts=(*doubts, Doubt("empty", EMPTY)))
    read_quotes(draft)
    read_filters(draft)
    read_minuses(draft)
    read_either(draft)
    read_ids(draft)
    draft.split_words()
    morphs = analyse(draft.open) if draft.hangul else ()
    read_containers(draft, morphs)
    read_time(draft)
    read_negations(draft, morphs)
    read_people(draft, morphs)
    read_projects(draft, morphs)
    read_sources(draft)
    read_modifiers(draft)
    read_search(draft)
    read_keywords(draft, morphs)
    read_own(draft)
    read_coming(draft)
    return _query(draft, morphs)


def _with_names(text: str, directory: Directory) -> str:
    """People who are mentioned as a source writes them by their names, but for those in filters, which keep the id."""

    def name_of(native_id: str) -> str | None:
        known = directory.member(native_id)
        return known.name if known else None

    parts = FILTERED.split(text) if "<" in text or "[~" in text else [text]
    return "".join(part if place % 2 else with_people_named(part, name_of) for place, part in enumerate(parts))


def _read_as_meant(text: str, doubts: list[Doubt], lexicon: Lexicon) -> tuple[str, list[Doubt]]:
    """Words typed with the wrong keyboard, and those between which blanks were left out, as they were meant; of the first a doubt says so."""
    meant = repaired_runs(text, lexicon)
    if meant != text:
        doubts = [*doubts, Doubt("wrong_keyboard", WRONG_KEYBOARD.filled(meant=meant))]
    return as_spaced(meant), doubts


def _query(draft: Draft, morphs: Sequence[Morph]) -> Query:
    scores = read_intent(draft)
    asked_for = read_overview(draft, scores[0])
    read_lesser(draft, scores[0])
    read_unfinished(draft, scores[0])
    read_flag(draft)
    where, implied = meaning(draft)
    people = called(draft)
    return Query(
        text=draft.text,
        where=where,
        type=asked_for,
        sort=draft.sort,
        zone=_zone(draft.now),
        language=_language(draft),
        written=_written(draft.text),
        scores=scores,
        keywords=tuple(text for _, text in draft.keywords),
        essential=essential(draft),
        variants=read_variants(draft, morphs, dict(people)),
        phrases=tuple(dict.fromkeys(text for _, text in sorted(draft.phrases))),
        entities=_in_order(draft.entities),
        ids=tuple(found for _, found in draft.ids),
        hints=_in_order(draft.hints),
        only=draft.only,
        sources=tuple(dict.fromkeys(draft.sources)),
        author=draft.author,
        container=draft.container,
        kinds=tuple(dict.fromkeys(draft.kinds)),
        negated=tuple(dict.fromkeys(text for _, text in sorted(draft.negated))),
        mine=draft.mine,
        window=draft.window,
        as_of=draft.as_of,
        flag=draft.flag,
        due=draft.due,
        day=draft.day.written if draft.day else (),
        called=people,
        ambiguous=is_ambiguous(draft),
        doubts=tuple(draft.doubts),
        implied=implied,
        lesser=_lesser(draft),
        joined=read_joined(draft),
    )


def _lesser(draft: Draft) -> tuple[tuple[str, float], ...]:
    """Each lesser word once, with the most it weighs, unless it is a keyword."""
    weights: dict[str, tuple[str, float]] = {}
    taken = {text.casefold() for _, text in draft.keywords}
    for _, text, weight in sorted(draft.lesser):
        shown, known = weights.get(text.casefold(), (text, 0.0))
        weights[text.casefold()] = shown, max(weight, known)
    return tuple(weights[key] for key in weights if key not in taken)


def _in_order(found: Sequence[tuple[int, T]]) -> tuple[T, ...]:
    """What was found, each once, as it stands in the question."""
    return tuple(dict.fromkeys(what for _, what in sorted(found, key=itemgetter(0)))) if found else ()


def _language(draft: Draft) -> str:
    """The language by which it is built, whatever the names in it: "who is 김하나" in English, "kafka retention 기본 며칠" in Korean."""
    text, lexicon = draft.text, draft.lexicon
    if text.isascii() or not SYLLABLE.search(TYPED.sub(" ", text)):
        return _written(text)
    said = TYPED.sub(" ", _without_people(draft))
    if ASKS_EN.match(said):
        return "ko" if ASKS_KO.search(said) else "en"
    english = _written(text) == "en" and not ASKS_KO.search(said) and _is_english(said, lexicon)
    return "en" if english else "ko"


def _without_people(draft: Draft) -> str:
    """The text without the Korean names of people, which may end as verbs do: 김하나, 박수지."""
    text = draft.text
    for at, named in draft.entities:
        if named.kind is EntityKind.PERSON and (word := HANGUL.match(text, at)):
            end = at + len(named.name) if text.startswith(named.name, at) else word.end()
            text = text[:at] + " " * (end - at) + text[end:]
    return text


def _written(text: str) -> str:
    """The script most letters are in; a Korean sentence keeps its particles, so a quarter of Hangul is enough.

    Filters and addresses are in no language, and count only where there is nothing else.
    """
    if text.isascii():
        return "en"
    said = TYPED.sub(" ", text)
    if not SYLLABLE.search(said) and not LATIN.search(said):
        said = text
    hangul, latin = len(SYLLABLE.findall(said)), len(LATIN.findall(said))
    return "ko" if hangul and hangul * 3 >= latin else "en"


def _is_english(said: str, lexicon: Lexicon) -> bool:
    """Whether a word is in it by which English is built."""
    return any(len(word) > 1 and word in lexicon.stop_en for word in LATIN_WORD.findall(said.lower()))


def is_in_no_language(text: str, lexicon: Lexicon) -> bool:
    """Whether it holds names, numbers and signs alone: mostly no Hangul, and no word by which English is built (okta rollout, PAY-142)."""
    return _written(text) == "en" and not ASKS_KO.search(text) and not _is_english(TYPED.sub(" ", text), lexicon)


def _zone(now: datetime) -> str:
    """A name from which the asker's zone can be rebuilt: an IANA key, else UTC or a fixed offset such as UTC+09:00."""
    key = getattr(now.tzinfo, "key", None)
    if isinstance(key, str):
        return key
    offset = now.utcoffset()
    if not offset:
        return "UTC"
    minutes = round(offset.total_seconds() / 60)
    return f"UTC{'+' if minutes > 0 else '-'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
