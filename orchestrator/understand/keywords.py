"""Which words a source must hold: the question without particles, endings and the words of asking."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import IntEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.understand.counts import counts, is_asked_shortly, is_count, measures
from orchestrator.understand.draft import NO_TIME, WORD, Role, Word
from orchestrator.understand.intent import ASKS
from orchestrator.understand.korean import NOUNS, VERBS, Stem, listed_stem, stem_of
from orchestrator.understand.places import PARTICLES as PARTICLES_EN
from orchestrator.understand.places import is_conditioned, is_heading, is_phrase, is_reduced, is_work, verbs
from translators.letters import PARTICLES
from translators.patterns import regex
from translators.query import Doubt, EntityKind, QueryType, Window

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.korean import Morph
    from translators.query import TypeScore

NAME = regex(r"[A-Z][a-z][\w-]*")
ON_CALL = regex(
    r"(?<![\w-])on call(?=[\s?!.]*$|\s+(?:schedule|rota|rotation|roster|calendar|engineer|duty|shift|list|person|lead|for|this|next|tonight|today|tomorrow|now|right|during|over|at|pay|allowance|compensation)\b)"
    r"|(?:(?<=\bis )|(?<=\bare )|(?<=\bwas )|(?<=\bwere )|(?<=\bbe )|(?<=\bbeing )|(?<=['’]s )|(?<=\bgoes ))on call(?! with)\b",
    re.IGNORECASE,
)
"""On duty, not on the phone."""
DEGREE = regex(
    r"\bhow (?P<degree>[a-z]{3,}) (?:(?:is|are|can|may|must|should|do|does|will) (?:the|an?|my|our|your|we|i|you|they|it|this|that)\b|(?:can|may|must|should) [\w-]+ (?:be|get|go|have)\b)",
    re.IGNORECASE,
)
"""By how much is asked, and of what the degree is: how high can pallets be stacked. In "how payroll is calculated" no subject is behind the verb."""
COUNTED = regex(r"(?<![가-힣])(몇|무슨|어떤|어느)\s*$")
"""A question word that makes the noun behind it part of the question."""
POINTERS = frozenset({"the", "this", "that", "which", "a", "next", "other", "another"})
JOINING = frozenset("a an the of in on at by for with to from and or is are was were not no".split())
"""Words of a phrase that are not looked up one by one."""
ABOUT = frozenset({"about", "regarding", "concerning"})
PLEASE = regex(r"(?<=[가-힣]{2})좀[요여용]?$")
RESOLVED = regex(r" ?(?:했|하|한|할|정|결정|확정|합의|됐|된|되)")
BEGGED = frozenset("주줘줄")
"""What a word of begging begins with: 보여 주세요."""
SEPARATORS = frozenset("/·,()|")
APART = regex(r"[^/·,()|]+")
PATH = regex(r"[-_.]")
KOREAN_QUESTION = regex(
    r"^(?:어[디딧딨딘]|뭘|뭔|누[구가군]|언제|뭐|무[엇슨]|얼마|몇|왜(?!곡)|어[떻떤때]|어느|[됐했있없싶]"
    r"|[하되좋같](?:$|[고는던면려게지나은을])|그런|이런|저런)"
)


class WordClass(IntEnum):
    """What the lists say of a word alone, before its place is looked at."""

    DROP = 0
    VAGUE = 1
    """Part of a name in a phrase (new business team), and nothing in a sentence."""
    ASKS = 2
    """A word of asking: it counts with a content word behind it (승인 절차 변경), and less elsewhere (접속 방법)."""
    BESIDE = 3
    """A noun of asking that counts beside a content word: call recordings, vacation days."""
    KEEP = 4


ACRONYMS = frozenset({"it", "us", "as"})
"""Function words that in capitals are none: information technology, the country, after-sales service."""
DETERMINED = regex(r"\b(?:the|our|your|my|their|an?)\s$", re.IGNORECASE)
BEFORE_A_NOUN = regex(r"\s[^\W\d_]")
"""What stands between an article and a noun is no pronoun: what is the it budget, WHO RUNS THE US OFFICE."""
COMMON_PLACES = frozenset(
    "ticket tickets blog blogs website websites web wiki chat drive repo repository"
    " 잔디 티켓 블로그 웹 웹사이트 홈페이지 인터넷 위키 채팅 메신저 드라이브 저장소".split()
)
"""Names of sources that are things at work, too."""
PRODUCTS = frozenset("slack linear notion outlook".split())
"""Names of sources that are everyday words, too."""
UNDECIDED = frozenset({WordClass.ASKS, WordClass.BESIDE})
SHORT = 4
"""A phrase of so many words is asked for with all of them."""
CONDITIONED = 1
"""So many are enough beside a window, a place, a person or a key."""
VERB = 0.2
"""What a word weighs that is the verb of asking: who owns, 누가 결정했나."""
OVERVIEWS = frozenset({QueryType.EXPLORATORY, QueryType.STATUS})
"""What a question for what happened in a time is read as."""
LATELY = 7
"""Days of which is told what is new where no time is said."""
NOUN = 0.3
"""What a word weighs that tells the kind of answer: the status, 문서."""


@dataclass(slots=True)
class KeywordCandidate:
    """A word on its way to be a keyword.

    ``bare``: no particle ends it, so a compound may go on behind it. ``verb``: it stands where a verb does. ``weight``:
    what it weighs where it is no keyword.
    """

    start: int
    end: int
    text: str
    call: WordClass
    bare: bool = True
    verb: bool = False
    weight: float = 0.0
    count: bool = False
    """Whether it says how many, in one word: 네편."""
    asks: bool = False
    """Whether the lists say that it asks, whatever became of it."""

    def __post_init__(self) -> None:
        self.asks = self.call is WordClass.ASKS


def read_keywords(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Collect keywords in order of appearance, and what weighs less; words of phrases come one by one."""
    for pattern in (draft.lexicon.phrasal, ON_CALL):
        for match in pattern.finditer(draft.open):
            draft.keywords.append((match.start(), match.group()))
            draft.claim(match.start(), match.end(), Role.NOISE)
    for start, phrase in draft.phrases:
        _phrase_words(draft, start, phrase)
    _weaken_degrees(draft)
    whole = is_phrase(draft, morphs)
    candidates = list(map(_Judge(draft, morphs, phrase=whole), draft.words))
    (_keep_all if whole else _join_compounds)(draft, candidates)
    ids = {found.text for _, found in draft.ids}
    for candidate in candidates:
        if candidate.call is WordClass.KEEP:
            parts = [(0, candidate.text)] if candidate.text in ids else _apart(candidate.text)
            draft.keywords.extend((candidate.start + start, text) for start, text in parts)
        elif candidate.call in UNDECIDED and candidate.weight:
            draft.lesser.append((candidate.start, candidate.text, candidate.weight))
    if not draft.phrases and not draft.ids:
        draft.keywords += _bare_places(draft, candidates)
    if len(draft.keywords) == 1:  # 브램블윅 앞 네편: it says which of them
        draft.keywords += [(one.start, one.text) for one in candidates if one.count]
    if not draft.keywords and not draft.phrases:
        _keep_what_is_left(draft, candidates)
        _note_verbs(draft, morphs)
    _unique(draft)


def _weaken_degrees(draft: Draft) -> None:
    for match in DEGREE.finditer(draft.open):
        draft.weaken(*match.span("degree"), VERB)


def read_lesser(draft: Draft, asked: TypeScore) -> None:
    """Where nothing else limits a question, what it names is looked for, though it weighs little elsewhere: when is the deploy, 회의 언제야, 뭐가 깨졌어.

    But not what tells the kind of answer, as 담당 in 누가 담당이야 and 일정 in 일정 언제야.
    """
    whose = draft.assignee or draft.worker or draft.mine
    if draft.keywords or draft.phrases or whose or is_conditioned(draft):
        return
    named = ((at, text) for at, text, weight in draft.lesser if weight >= NOUN)
    draft.keywords += [(at, text) for at, text in named if at in draft.verbs or text.lower() not in asked.words]
    _unique(draft)


def read_overview(draft: Draft, asked: TypeScore) -> QueryType:
    """Who asks for a summary, for news or for what changed names nothing to look for, but a time, of which all is told; the last days where none is said.

    What is named beside it, and how, makes it a question for that thing: what changed in the lease, 최신 버전. What no word says outright
    to be of another type is none: 어제 바뀐 거 뭐야 only looks like what asks for a decision. Of which type the question is then.
    """
    named = (draft.phrases, draft.ids, draft.entities, draft.kinds, draft.mine, draft.as_of, draft.future, draft.coming)
    if (asked.outright and asked.type not in OVERVIEWS) or any(named):
        return asked.type
    told = draft.lexicon.overview
    free = {word.start: word.lower for word in draft.words if word.role is None}
    said = [text.lower() for _, text in draft.keywords]
    said += [text.lower() for at, text, _ in draft.lesser if at in free]
    asked_for = said or not told.isdisjoint(free.values())
    if not asked_for or not told.issuperset(said) or not ABOUT.isdisjoint(free.values()):
        return asked.type
    if draft.window is None and not ASKS.search(draft.open.lower()) and "?" not in draft.open:
        return asked.type
    for at, text in draft.keywords:
        draft.lessen(at, text, NOUN)
    draft.keywords = []
    if draft.window is None:
        draft.window = Window(draft.now.date() - timedelta(days=LATELY), None)
        draft.doubts.append(Doubt("no_time", NO_TIME.filled(days=LATELY)))
    return asked.type if asked.type in OVERVIEWS else QueryType.EXPLORATORY


def _tells(draft: Draft, text: str) -> bool:
    """Whether a word says what a question is about, and not only what of it is asked for: a contact, a guide."""
    lexicon, lower = draft.lexicon, text.lower()
    return not any(lower in words for words in (lexicon.generic, lexicon.beside, lexicon.asking_en, lexicon.asking_ko))


def _bare_places(draft: Draft, candidates: Sequence[KeywordCandidate]) -> list[tuple[int, str]]:
    """Everyday words that sources are called by too, where they do not stand as places and little else tells what is asked: 잔디 언제 깎아, how much are tickets.

    Not a kind of things that is wanted (open tickets, an okta ticket), nor a place of which all is told (지난주 위키 요약). A product is one only where nothing else tells.
    """
    if draft.kinds or not draft.lexicon.overview.isdisjoint(each.text.lower() for each in candidates):
        return []
    telling = sum(_tells(draft, text) for _, text in draft.keywords)
    words, last = (COMMON_PLACES, draft.words[-1].start) if telling else (COMMON_PLACES | PRODUCTS, None)
    found = [(at, name) for at, name in draft.bare_places if name.lower() in words and at != last]
    return found if telling <= 1 else []


def _keep_what_is_left(draft: Draft, candidates: Sequence[KeywordCandidate]) -> None:
    """What is blocked, what was deployed: where no thing is named, what befell it, or what it is about, is all there is to look for."""
    draft.keywords += [
        (one.start, one.text)
        for before, one in pairwise(candidates)
        if draft.text[before.start : before.end].lower() in ABOUT and one.call in UNDECIDED
    ]
    for word in draft.words:
        begins = next((each for each in draft.lexicon.hindrances if word.lower.startswith(each)), None)
        said = begins or (draft.lexicon.happened.get(word.lower) if draft.window else None)
        if said and word.role is None:
            draft.keywords.append((word.start, said))


def _note_verbs(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Korean verbs that the list of words has: 뭐가 깨졌어. One that asks as its English name does weighs less (고쳤어).

    None that says nothing (알아), and none that somebody is asked to do (보여 줘).
    """
    known, lexicon = draft.lexicon.bilingual, draft.lexicon
    for word in draft.words:
        inside = [each for each in morphs if word.start <= each.start < word.end and word.role is None]
        begging = draft.text[word.end :].lstrip()[:1] in BEGGED or ("주", "VX") in {
            (each.form, each.tag) for each in inside
        }
        if begging or not any(each.tag in VERBS for each in inside[:2]):  # 그만/두
            continue
        if forms := known.verb(inside[0].form, word.lower):
            called = {part for name in known.together(forms[0])[:1] for part in name.split()}
            if not called or not called <= lexicon.stop_en:
                draft.verbs[word.start] = forms
                draft.lesser.append(
                    (word.start, forms[0], VERB if called and called <= lexicon.stop_en | lexicon.asking_en else NOUN)
                )


def _apart(text: str) -> list[tuple[int, str]]:
    """푸시/문자/메일 are three words, A/B and CI/CD are one, and so is a path."""
    if SEPARATORS.isdisjoint(text):
        return [(0, text)]
    parts = [(match.start(), match.group()) for match in APART.finditer(text)]
    whole = "/" in text and (any(len(part) <= 2 and part.isascii() for _, part in parts) or PATH.search(text))  # noqa: PLR2004
    return [(0, text)] if whole else parts


def _phrase_words(draft: Draft, start: int, phrase: str) -> None:
    for match in WORD.finditer(phrase):
        if match.group().lower() not in JOINING:
            draft.keywords.append((start + match.start(), match.group()))


class _Judge:
    """What becomes of each word: dropped, kept, or left to its neighbours."""

    def __init__(self, draft: Draft, morphs: Sequence[Morph], *, phrase: bool) -> None:
        self._draft = draft
        self._morphs = morphs
        self._ids = {(at, found.text) for at, found in draft.ids}
        self._people = {start for start, entity in draft.entities if entity.kind is EntityKind.PERSON}
        self._verbs = frozenset[int]() if phrase else verbs(draft)
        self._measures = frozenset(measures(draft))

    def __call__(self, word: Word) -> KeywordCandidate:
        draft = self._draft
        if (word.role is not None and word.keep is not True) or word.keep is False:
            return KeywordCandidate(word.start, word.end, word.text, WordClass.DROP, bare=False)
        if (word.start, word.text) in self._ids:
            return KeywordCandidate(
                word.start, word.end, word.text, WordClass.KEEP, bare=False
            )  # PAY-151 상태 is PAY-151
        if word.lower == "one" and _replaces_noun(draft, word):
            return KeywordCandidate(word.start, word.end, word.text, WordClass.DROP, bare=False)
        if word.hangul:
            return self._korean(word)
        if word.start in self._measures or counts(draft, word):
            return KeywordCandidate(word.start, word.end, word.bare, WordClass.ASKS, bare=False, verb=True, weight=VERB)
        kept = word.keep or _named(draft, word) or _is_acronym(draft, word, word.bare)
        call = WordClass.KEEP if kept else _english_call(draft, word.bare)
        verb, bare = word.start in self._verbs, word.start not in self._people
        plain = word.lower in draft.lexicon.plain
        if call is WordClass.ASKS and not verb and not plain and word.lower in draft.lexicon.gerunds:
            call = WordClass.KEEP  # what is done is a topic: the costs hearing
        weight = 0.0 if plain else VERB if verb else NOUN
        return KeywordCandidate(word.start, word.end, word.bare, call, bare=bare, verb=verb, weight=weight)

    def _korean(self, word: Word) -> KeywordCandidate:
        draft = self._draft
        inside = [morph for morph in self._morphs if word.start <= morph.start < word.end]
        listed = None if _resolved(draft, word) else listed_stem(word, draft.lexicon.whole)
        stem = listed or stem_of(draft.text, word, inside)
        if cut := PLEASE.search(stem.text):
            stem = replace(stem, text=stem.text[: cut.start()])
        kept = word.keep or _is_acronym(draft, word, stem.text)
        noun = bool(inside) and inside[0].tag in NOUNS and len(inside[0].form) > len("하나")
        call = WordClass.KEEP if kept else _korean_call(draft, stem, word, noun=noun)
        if not kept and is_count(inside):
            how_many = KeywordCandidate(word.start, word.end, stem.text, WordClass.ASKS, bare=False, verb=True)
            return replace(how_many, weight=VERB, count=True)
        if not kept and is_asked_shortly(draft, word, inside):
            call = WordClass.DROP
        counted = COUNTED.search(draft.open[: word.start])
        if counted and (call in UNDECIDED or counted[1] == "몇" or len(stem.text.removesuffix("이")) == 1):
            call = WordClass.DROP  # 몇 월, 어느 팀, 무슨 일이; but 어느 코스트센터
        return KeywordCandidate(
            word.start,
            word.end,
            stem.text,
            call,
            bare=stem.bare,
            verb=stem.verbal,
            weight=VERB if stem.verbal else NOUN,
        )


def _resolved(draft: Draft, word: Word) -> bool:
    """쓰기로 했다 is what somebody means to do, and no 쓰기 (writing)."""
    return word.text.endswith("기로") and RESOLVED.match(draft.text, word.end) is not None


def _replaces_noun(draft: Draft, word: Word) -> bool:
    """The English one, the mutual one, or the next one: "one" stands for a noun said before, unlike in phase one."""
    before = draft.text[: word.start].lower().split()[-2:]
    return (len(before) > 1 and before[0] in POINTERS) or (bool(before) and before[-1] in POINTERS)


def _named(draft: Draft, word: Word) -> bool:
    """A capital inside a sentence makes a name of an everyday word (Lot 88), unless every word has one."""
    if word.text == word.lower or not NAME.fullmatch(word.text) or draft.title_case:
        return False
    inside = draft.text[: word.start].rstrip()[-1:].isalnum()
    return inside and (word.lower not in draft.lexicon.stop_en or word.lower in {"lot", "bit", "will", "may"})


def _is_acronym(draft: Draft, word: Word, text: str) -> bool:
    """IT, US and AS in capitals are what is called so, unless all of an English question is in them; among Korean words alone, and behind an article, they are in any letters."""
    if text.lower() not in ACRONYMS:
        return False
    if DETERMINED.search(draft.text, max(0, word.start - 7), word.start) and BEFORE_A_NOUN.match(draft.text, word.end):
        return True
    latin = [each.text for each in draft.words if each.text.isascii() and each is not word]
    shouted = bool(latin) and not draft.hangul and all(map(str.isupper, latin))
    return (text.isupper() and not shouted) or (draft.hangul and not latin)


def _english_call(draft: Draft, text: str) -> WordClass:
    lexicon, plain = draft.lexicon, text.lower().replace("’", "'").replace("'", "")
    if len(text) == 1 and not text.isdigit():
        return WordClass.KEEP if text.isupper() and text not in "IA" else WordClass.DROP
    if plain in lexicon.stop_en:
        return WordClass.VAGUE if plain in lexicon.vague else WordClass.DROP
    if plain in lexicon.beside:
        return WordClass.BESIDE
    return WordClass.ASKS if plain in lexicon.asking_en else WordClass.KEEP


def _korean_call(draft: Draft, stem: Stem, word: Word, *, noun: bool) -> WordClass:
    """``noun``: morphology knows its beginning as a noun of several syllables, so that it is no form of a verb: 하나은행."""
    lexicon, lower = draft.lexicon, stem.text.lower()
    if not stem.content or word.text in PARTICLES or word.text.startswith("기준으로"):
        return WordClass.DROP
    if lower in lexicon.behind and stem.bare and not draft.open[: word.start].strip():
        return WordClass.ASKS  # 관련 기관: with nothing before it, it is a noun
    if lower in lexicon.beside:  # 이전한: as a verb it says more than the noun, which may be "before"
        return WordClass.KEEP if stem.verbal and lower not in lexicon.asking_ko else WordClass.BESIDE
    if _is_in(lower, lexicon.stop_ko) or _is_in(lower, lexicon.stop_en) or word.lower in lexicon.stop_ko:
        return WordClass.DROP
    if not noun and KOREAN_QUESTION.match(lower):
        return WordClass.DROP
    going = lower.removesuffix("중")
    asks = any(_is_in(each, words) for each in (going, word.lower) for words in (lexicon.asking_ko, lexicon.asking_en))
    return WordClass.ASKS if asks else WordClass.KEEP


def _is_in(lower: str, words: frozenset[str]) -> bool:
    """Whether a list has the word, with 들 (several) behind it or without."""
    return lower in words or lower.removesuffix("들") in words


def _keep_all(draft: Draft, candidates: list[KeywordCandidate]) -> None:
    """A noun phrase is asked for with all its words, but for what tells the kind of answer: link to the form.

    A long one, or one beside conditions, has enough to look for without the kind of answer at its end.
    """
    bare = not is_conditioned(draft)
    for index in range(len(candidates) - 1, -1, -1):
        one, word = candidates[index], draft.words[index]
        following = candidates[index + 1].call if _next_touches(draft, candidates, index) else WordClass.DROP
        if one.call in UNDECIDED and not is_heading(draft, index) and not is_reduced(draft, index):
            one.call = WordClass.KEEP
        elif one.call is WordClass.VAGUE:
            one.call = WordClass.KEEP if bare and following is WordClass.KEEP else WordClass.DROP
        elif index and word.lower in PARTICLES_EN and word.role is None and following is WordClass.KEEP:
            one.call = WordClass.KEEP if _touch(draft, candidates[index - 1], one) else one.call
    kept = [one for one in candidates if one.call is WordClass.KEEP]
    named = len(draft.keywords)
    while kept and named + len(kept) > (SHORT if bare else CONDITIONED) and kept[-1].asks:
        kept.pop().call = WordClass.ASKS
        if not draft.hangul:
            return


def _next_touches(draft: Draft, candidates: list[KeywordCandidate], index: int) -> bool:
    return index + 1 < len(candidates) and _touch(draft, candidates[index], candidates[index + 1])


def _join_compounds(draft: Draft, candidates: list[KeywordCandidate]) -> None:
    """Let undecided words of a sentence stay that are part of a name."""
    named = any(one.call is WordClass.KEEP for one in candidates)
    for run in _runs(draft, candidates):
        _decide(draft, run, named=named)
    if not draft.phrases and all(one.call is not WordClass.KEEP for one in candidates):
        for one in candidates:
            one.call = WordClass.KEEP if one.call is WordClass.BESIDE and not one.verb else one.call


def _runs(draft: Draft, candidates: list[KeywordCandidate]) -> Iterator[list[KeywordCandidate]]:
    """Words that touch, up to one with a particle: each run may be one compound. A verb stands alone."""
    run: list[KeywordCandidate] = []
    for one in candidates:
        if one.call <= WordClass.VAGUE or one.verb or (run and not (run[-1].bare and _touch(draft, run[-1], one))):
            yield run
            run = []
        if one.call > WordClass.VAGUE and not one.verb:
            run.append(one)
    yield run


def _decide(draft: Draft, run: list[KeywordCandidate], *, named: bool) -> None:
    """Words of asking count up to the last word that tells which: 배포 승인 절차 *변경* 내용, the status *page*."""
    telling = [
        at
        for at, one in enumerate(run)
        if one.call is WordClass.KEEP or (one.call is WordClass.BESIDE and len(run) > 1)
    ]
    if not any(one.call is WordClass.KEEP for one in run) and (is_work(draft) or (named and draft.hangul)):
        return  # 내 작업 상태, 진행 상황: the kind of thing
    last = telling[-1] if telling else -1
    if not draft.hangul or not telling:
        last = max(last, len(run) - 2)
    for one in run[: last + 1]:
        one.call = WordClass.KEEP


def _touch(draft: Draft, left: KeywordCandidate, right: KeywordCandidate) -> bool:
    return draft.open[left.end : right.start] in {" ", "-", "/"}


def _unique(draft: Draft) -> None:
    seen: dict[str, tuple[int, str]] = {}
    for position, text in sorted(draft.keywords):
        cleaned = text.strip("'’\"-_.,:;!?()[]{}<>…")
        if cleaned:
            seen.setdefault(cleaned.casefold(), (position, cleaned))
    draft.keywords = list(seen.values())
    draft.lesser = [each for each in draft.lesser if each[1].casefold() not in seen]
