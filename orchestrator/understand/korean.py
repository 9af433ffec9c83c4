"""Korean morphology through kiwipiepy, loaded once and only when a question holds Hangul.

Where the noun of a Korean eojeol ends: particles, endings and 하다 cut off, with a check on what morphology proposes.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from storage.loading import lacking
from translators.letters import PARTICLES, is_syllable
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Word

_LOADING = threading.Lock()

# Tails of an eojeol: particles, endings, the copula, verb- and adjective-making suffixes, auxiliary verbs.
TAIL = frozenset(
    {"JKS", "JKC", "JKG", "JKO", "JKB", "JKV", "JKQ", "JX", "JC", "EP", "EF", "EC", "ETN", "ETM", "VCP", "VCN"}
)
MAKERS = frozenset({"XSV", "XSA"})
VERBS = frozenset({"VV", "VA", "VX", "VV-R", "VV-I", "VA-R", "VA-I", "VX-R", "VX-I"})
NOMINAL = frozenset(
    {"NNG", "NNP", "NNB", "NR", "SL", "SH", "SN", "XR", "XPN", "XSN", "W_SERIAL", "W_HASHTAG", "UN", "SW", "SO", "SP"}
)


@record
class Morph:
    """One morpheme with its place in the text; ``tag`` is of the Sejong set."""

    form: str
    tag: str
    start: int
    end: int
    unknown: bool = False
    """Whether no dictionary has it."""


@lru_cache(maxsize=1)
def _kiwi() -> Any:
    """Without names in several words: of 10,420 questions two were read otherwise for them, for 190 MB and as long again to load."""
    try:
        from kiwipiepy import Kiwi
    except ModuleNotFoundError as failure:
        raise lacking(failure) or failure from None
    return Kiwi(num_workers=1, load_multi_dict=False)


def warm() -> None:
    """Load the model (more than a second, once). Call it in a thread at start-up so that no question waits for it."""
    with _LOADING:
        _kiwi().tokenize("서버 점검 일정이 언제였나요")


def analyse(text: str) -> Sequence[Morph]:
    """The morphemes of ``text`` in order. Thread-safe: loading is serialised and analysing is read-only in Kiwi."""
    with _LOADING:
        kiwi = _kiwi()
    return [
        Morph(token.form, token.tag, token.start, token.start + token.len, token.oov) for token in kiwi.tokenize(text)
    ]


NOT_CONTENT = frozenset({"MAG", "MAJ", "MM", "IC", "NP"})
NOUNS = frozenset({"NNG", "NNP", "SL"})
NAMING = NOUNS | {"ETN", "XSN"}
NAME = 3
"""Syllables at least of a foreign name that a particle is cut from."""
SPLIT = frozenset({"서", "로", "지", "터"})
"""What is left of a particle whose beginning was taken for the end of a name: 에서, 으로, 까지, 부터."""
CLAUSE = regex(r"로|에|\s*(?:전|후|위|때문|쉽|쉬|어렵|어려|바라|바랍|시작|좋|힘들|편)")
"""What makes a clause of a verb with 기: 배포하기 전, 쓰기 쉬운."""


DEFINING = frozenset({"란", "이란"})
DEFINED = regex(r"\s*(?:무엇|뭐|뭔|뭘|무슨|어떤)")
"""뉴트란 is a name unless it is asked what that is."""


@record
class Stem:
    """``text`` without its tail. ``bare``: nothing was cut. ``verbal``: a 하다-verb. ``content``: there is a noun at all."""

    text: str
    bare: bool = False
    verbal: bool = False
    content: bool = True


# Nouns of one syllable that do stand before a particle; any other lone syllable is a broken word (원인 is no 원+이+ㄴ).
SYLLABLES = frozenset(
    "중 후 뒤 앞 밖 쪽 거 것 분 제 저 나 너 때 곳 데 옆 내 네 안 앱 팀 글 표 값 키 웹 봇 법 칩 덱 툴 돈 말 집 방 층 책 길 땅 물 빛 색 줄 칸 탭 폼 핀 룰 룸 딜 큐 맵 맥 램 랙 락 런 팁 팩 펜 폰 풀 홈 힘 핑 훅 캡 콜 컵 캠 셀 샵 숍 뜻 짐 쌀 술 빵 밥 뷰 씬 톡 컷 샷 맛 옷 롤 펀 답 흠 홀 숲 벽 톤 텀 볼 팬".split()
)  # fmt: skip


def listed_stem(word: Word, nouns: frozenset[str]) -> Stem | None:
    """A noun of the list, alone or with a particle behind it; morphology breaks such words (의도 is no 의+도)."""
    if word.lower in nouns:
        return Stem(word.text, bare=True)
    for size in range(len(word.text) - 1, 1, -1):
        if word.lower[:size] in nouns and word.text[size:] in PARTICLES:
            return Stem(word.text[:size])
    return None


def stem_of(text: str, word: Word, morphs: Sequence[Morph]) -> Stem:  # noqa: PLR0911  (a ladder of rules, one a line)
    """The stem of ``word`` in ``text``, given the morphemes of its eojeol."""
    whole = text[word.start : word.end]
    if not morphs:
        return Stem(whole, bare=True)
    if (
        morphs[0].tag == "NNB"
        and len(morphs[0].form) == 1
        and all(morph.tag == "NNB" or morph.tag in TAIL for morph in morphs)
    ):
        return Stem(whole, content=False)
    if name := _unbroken_name(whole, morphs):
        return name
    if is_odd(morphs) or _is_gerund(text, morphs):
        tail = next((morph.start for at, morph in enumerate(morphs) if at and _is_tail(text, morphs, at)), word.end)
        last = max(at for at, morph in enumerate(morphs) if morph.tag in NAMING)
        end = word.end if last + 1 == len(morphs) else max(morphs[last].end, tail)
        return Stem(text[word.start : end], bare=end == word.end)
    if morphs[0].tag in VERBS or all(morph.tag in NOT_CONTENT or morph.tag.startswith("J") for morph in morphs):
        return Stem(whole, content=False)
    if morphs[0].tag in NOT_CONTENT and any(morph.tag in VERBS or morph.tag in MAKERS for morph in morphs):
        return Stem(whole, content=False)  # 잘하시는: an adverb before a verb
    cut = next((at for at in range(1, len(morphs)) if _is_tail(text, morphs, at)), None)
    if cut is None:
        return _plural(Stem(whole, bare=True))
    first = morphs[cut]
    stem = text[word.start : max(first.start, word.start)]
    adjective = first.tag == "XSA"
    if len(stem) == 1 and len(whole) > 1 and is_syllable(stem) and not _stands(whole, stem, morphs):
        return _unbroken(whole, first, defined=DEFINED.match(text, word.end) is not None)
    return _plural(
        Stem(
            stem,
            verbal=first.tag in MAKERS,
            content=bool(stem) and not adjective and not (len(stem) == 1 and first.tag in MAKERS),
        )
    )


def _unbroken_name(whole: str, morphs: Sequence[Morph]) -> Stem | None:
    """A name that morphology does not know: what it took for a verb at the end is part of it, and a particle may be more than it took.

    사우샘프턴 is no 사우샘프 with 털다 behind it, and 사우샘프턴에서 is 사우샘프턴. A last syllable may well be the name's own.
    """
    if not morphs[0].unknown or morphs[0].tag not in NOUNS or any(each.tag[0] in "XE" for each in morphs[1:2]):
        return None
    verb = any(each.tag in VERBS for each in morphs[1:2])
    if not verb and len(morphs) > 1 and whole[morphs[1].start - morphs[0].start :] not in SPLIT:
        return None
    least = 1 if verb else 2
    cut = next((at for at in range(NAME, len(whole) - least + 1) if whole[at:] in PARTICLES), len(whole))
    return Stem(whole[:cut], bare=cut == len(whole))


def is_odd(morphs: Sequence[Morph]) -> bool:
    """Whether morphology made a verb and a noun of one word without a blank: 해온링크 is no 해 온 링크.

    People do leave out the blank (쓴글); to keep such a word whole costs less than to lose a name.
    """
    return morphs[0].tag in VERBS and any(morph.tag in NOUNS for morph in morphs)


def _is_gerund(text: str, morphs: Sequence[Morph]) -> bool:
    """주기, 달리기: a noun made of a verb, or one that looks so; but not before 전, 위해 and what else makes a clause of it."""
    made = len(morphs) > 1 and morphs[0].tag in VERBS and morphs[1].tag == "ETN"
    return made and all(morph.tag[0] == "J" for morph in morphs[2:]) and not CLAUSE.match(text, morphs[1].end)


def _stands(whole: str, stem: str, morphs: Sequence[Morph]) -> bool:
    """Whether a noun of one syllable is before its particle, 배는, and no word of two was broken: by itself it is read the same."""
    if stem in SYLLABLES:
        return True
    particles = morphs[0].tag in NOUNS and all(morph.tag[0] == "J" for morph in morphs[1:])
    return particles and [morph.tag[:2] for morph in analyse(whole)] == [morph.tag[:2] for morph in morphs]


def _unbroken(whole: str, first: Morph, *, defined: bool) -> Stem:
    """A word morphology broke after one syllable: two syllables and a particle, or all of it. ``defined``: whether it is asked what that is."""
    if whole[2:] in PARTICLES and (defined or whole[2:] not in DEFINING):
        return Stem(whole[:2])
    return Stem(whole, bare=True, content=len(whole) > 2 or first.tag not in MAKERS)  # noqa: PLR2004


def _is_tail(text: str, morphs: Sequence[Morph], at: int) -> bool:
    """All that follows is tail, and its first piece can stand behind a noun: 리뷰어 is no 리뷰 with an ending."""
    first, rest = morphs[at], morphs[at:]
    if not all(
        morph.tag in TAIL or morph.tag in MAKERS or morph.tag in VERBS or morph.tag in {"NNB", "NP"} for morph in rest
    ):
        return False
    if first.tag in MAKERS or first.tag in VERBS:
        return True
    if first.tag in {"VCP", "VCN"}:
        return True
    if first.tag == "NNB":
        return len(rest) == 1 and first.form in {"님", "씨", "들"}
    surface = text[first.start : first.end]
    return first.tag.startswith("J") and surface in PARTICLES


def _plural(stem: Stem) -> Stem:
    plain = stem.text
    for suffix in ("님들", "분들", "들", "님"):
        if plain.endswith(suffix) and len(plain) - len(suffix) >= 2:  # noqa: PLR2004  (건들, 아들 stay)
            return Stem(plain[: -len(suffix)], stem.bare, stem.verbal, stem.content)
    return stem
