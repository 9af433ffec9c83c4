"""What in a question measures, counts or asks in short, and is nothing to look for: how big, our two farms, 한포대, 몇 대 뽑음."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand.korean import VERBS
from translators.patterns import regex
from translators.question_words import KOREAN_ASKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.understand.draft import Draft, Word
    from orchestrator.understand.korean import Morph

HOW_MUCH = regex(
    r"\bhow (?P<measure>[a-z]+)(?P<away> away| from| up| down)? (?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had) "
    r"(?:the|an?|our|my|your|their|his|her|its|this|that|these|those|i|we|you|he|she|they|it|there|people|everyone|everybody)\b",
    re.IGNORECASE,
)
"""How big is the fine: before a verb and what it is asked of stands a measure, and no thing, as in "how backups are tested"."""
WHICH_PLACE = regex(r"\b(?:which|what) place\b(?! names?\b)", re.IGNORECASE)
NUMBERS = frozenset("two three four five six seven eight nine ten".split())
NUMERALS = frozenset("한 두 세 네 석 넉 서 너 닷 다섯 여섯 일곱 여덟 아홉 열 스무".split())
MEASURES = frozenset(
    "박스 상자 포대 봉지 접시 그릇 묶음 다발 켤레 자루 세트 사람 시간 군데 가지 병 잔 컵 팩 통 캔 줄 판 톤 달 주 곳 층 칸 끼 벌 쪽".split()
)
"""Nouns that are counted by, beside those that are nothing else (개, 명, 대)."""
ASKED_SHORTLY = regex(KOREAN_ASKS)


def measures(draft: Draft) -> Iterator[int]:
    """Where the words begin that only say what is measured, or that a place is asked for."""
    if draft.hangul:
        return
    for match in HOW_MUCH.finditer(draft.open):
        yield match.start("measure")
        if match["away"]:
            yield match.start("away") + 1
    yield from (match.end() - len("place") for match in WHICH_PLACE.finditer(draft.open))


def counts(draft: Draft, word: Word) -> bool:
    """Whether a number in words counts what follows (our two wind farms, which of the three bids) and is no part of a name (phase one, Two Rivers)."""
    if word.lower not in NUMBERS or word.text != word.lower:
        return False
    at, lexicon = draft.words.index(word), draft.lexicon
    after = draft.words[at + 1 : at + 3]
    if not after or draft.open[word.end : after[0].start] != " " or (at and _names(draft, draft.words[at - 1], word)):
        return False
    return any(each.lower.endswith("s") for each in after) or after[0].lower in lexicon.stop_en


def _names(draft: Draft, before: Word, number: Word) -> bool:
    """Whether a noun stands straight before a number: tier two."""
    lexicon, lower = draft.lexicon, before.lower
    says = (lexicon.stop_en, lexicon.plain, lexicon.asking_en, lexicon.beside)
    beside = draft.open[before.end : number.start] == " "
    return before.role is None and beside and not any(lower in words for words in says)


def is_count(morphs: Sequence[Morph]) -> bool:
    """한포대, 세개, 두장씩: how many, in one word."""
    if len(morphs) < 2 or morphs[0].tag not in {"MM", "NR"} or morphs[0].form not in NUMERALS:  # noqa: PLR2004
        return False
    return (morphs[1].tag == "NNB" or morphs[1].form in MEASURES) and all(
        each.tag[0] == "J" or each.tag == "XSN" for each in morphs[2:]
    )


def is_asked_shortly(draft: Draft, word: Word, morphs: Sequence[Morph]) -> bool:
    """몇 대 뽑음?, 누가 고침: a verb at the end of what is asked in short, and no noun."""
    last = not draft.open[word.end :].strip(" ?!.~")
    made = len(morphs) > 1 and morphs[0].tag in VERBS and morphs[-1].tag == "ETN" and morphs[-1].form != "기"
    return last and made and ASKED_SHORTLY.search(draft.open[: word.start]) is not None
