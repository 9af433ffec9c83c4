"""What a Korean question excludes: 말고, 빼고, 제외하고, 외에, 아닌 것, without the traps (하지 말고, 빼기로 했나, 제외 대상)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.authors import MADE_KO
from orchestrator.understand.draft import BLANK, Role, Word
from orchestrator.understand.korean import NOMINAL
from orchestrator.understand.meaning import HARDLY, LIKELY
from orchestrator.understand.people_ko import NOT_NAMED
from translators.patterns import regex
from translators.query import NEARLY_TYPED
from translators.question_words import asks

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.korean import Morph

EVEN = 0.5
"""Whoever is put aside may well be named in what is looked for."""
RARELY = 0.2
"""What a statement puts aside mostly is: of 5,774 questions to an encyclopedia eight do so, and all eight answers name it."""
END = r"(?=\s*(?:[,;.)!]|$))"
CUE = regex(
    r"(?<=[^\s,(])\s*(?P<also>(?:말고|빼고|제외하고|제하고)도)(?=\W|$)"
    r"|(?<=[^\s,(])\s*(?P<cue>말[고구](?:[는요]|서)?|빼[고구](?:[는요]|서)?|빼놓고|제외하[고구](?:[는요])?|제외한|제외하면|제외해서"
    rf"|제외(?:요|로)?{END}|제외(?=\s(?:전부|전체|모든|모두|나머지|다른)))(?=\W|$)"
    rf"|(?<=\S)\s+(?P<beside>이?외에?(?=\s(?:다른|나머지|모든|전체|전부|모두)))(?=\W|$)"
    rf"|(?<=\S)\s+(?P<adding>이?외에[는도]?)(?=\W|$)"
    rf"|(?<=\S)\s+(?P<apart>이?외{END}|제하고|뺀(?=\s(?:것|거|나머지|전체|전부|모든|다른|\S+[은는이가]?\s?(?:몇|얼마)))"
    rf"|빼면{END}|빼면(?=\s(?:얼마|몇|총))|아닌(?=\s(?:것|거|건|걸|곳|데|쪽|사람|분|다른)))(?=\W|$)"
    rf"|(?<=[은는])\s+(?P<topic>됐고요?|빼\s?(?:주세요|줘요?|주시고)|필요\s?없고요?|제외(?:요|로)?{END})(?=\W|$)"
    r"|(?<=[이가게])\s+(?P<denied>아니[고라](?:요)?)(?=\W|$)"
)
VERBS = frozenset({"cue", "apart", "denied"})
"""The groups of cues that are verbs as well."""
# Somebody else, another one: what is written of it may well name the one that is put aside.
STRENGTH = {"cue": NEARLY_TYPED, "beside": HARDLY, "adding": HARDLY}
"""How sure each group of cues is; the others are likely."""
# Plain substrings, tried first.
HINTS = ("말", "빼", "뺀", "제외", "외", "제하고", "아니", "아닌", "됐고", "없고")
PAUSE = regex(r"[,;.?!()—–…\n]")
EMPTY = frozenset({"버전", "것", "거", "게", "건", "쪽", "내용", "부분", "분", "데", "관련", "때"})
"""Nouns that stand for the word before them."""
BROAD = frozenset({
    "본사", "지사", "지점", "서버", "팀", "부서", "공장", "라인", "인력", "직원", "센터", "본부", "매장", "점포", "지역", "채널", "계정", "환경", "사업부", "캠퍼스",
    "창고", "사옥", "고객", "업체", "법인", "병동", "노선", "리그", "학과", "학년",
})  # fmt: skip
"""Nouns that exclude too much without the word before them, as those of asking do: 테스트 서버 is not every server, 메일 이전 no other 이전."""
WRITTEN = frozenset("메시지 알림 공지 파일 이슈 티켓 생각 말 얘기 이야기 발언".split())
"""What somebody wrote, sent or said, beside what people make (MADE_KO)."""
POINTING = frozenset(
    "그거 이거 저거 그것 이것 저것 그 이 저 제 내 누구 뭐 어디 나 저희 우리 아무 얘기 이야기 말 그런 이런".split()
)
"""What cannot be looked for and so cannot be excluded."""
LONGEST = 3
"""Words before the cue that are looked at."""
JOINS = frozenset({"과", "와", "이랑", "랑", "하고"})
WANTED = regex(r"(?:사람|분|분들|누구|누가|담당자?)(?=[은는이가을를도요?\s]|$)")
"""Asks for people."""
PARTICLE = regex(r"(?<=..)(?:은|는|을|를)$|(?<=[쪽것건분거])(?:은|는|을|를)$")
HONORIFIC = regex(r"(?<=[가-힣A-Za-z])(?:님|씨)$")
SUBJECT = regex(r"(?<=\w)[이가]$")
WRITER = regex(r"(?<=\w)(?:이|가|께서)$")


def read_negation_ko(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Collect excluded words and take them and their cue out of the text."""
    if not morphs or not any(hint in draft.open for hint in HINTS):
        return
    for match in list(CUE.finditer(draft.open)):
        _exclude(draft, match, morphs)


def bare(text: str) -> str:
    """A name without particle and honorific; a title alone keeps its 님 (대표님)."""
    plain = PARTICLE.sub("", text)
    name = HONORIFIC.sub("", plain)
    return plain if name in NOT_NAMED else name


def add(draft: Draft, at: int, text: str, strength: float) -> None:
    """Enter an exclusion and how sure it is."""
    draft.negated.append((at, text))
    draft.imply(f"-{text}", strength, text)


def exclude_period(draft: Draft, at: int, start: int, end: int) -> None:
    """Where the words of the window stand at ``at``, they are what is excluded, and no window: not last year's."""
    said = draft.window.words if draft.window else ""
    if said and at >= 0 and draft.text.startswith(said, at):
        add(draft, at, said, LIKELY)
        draft.window = None
        draft.lesser = [each for each in draft.lesser if not at <= each[0] < at + len(said)]
        draft.claim(start, max(end, at + len(said)), Role.NEGATED)


def _exclude(draft: Draft, match: re.Match[str], morphs: Sequence[Morph]) -> None:
    """The noun group before the cue."""
    cue = next(name for name, found in match.groupdict().items() if found)
    until = match.start(cue)
    words = _before(draft, until)
    if all(_text(draft, word, until) in EMPTY for word in words):
        # 작년 거 말고, 지난달 말고
        edge = len(draft.text[: words[0].start if words else until].rstrip())
        at = edge - len(draft.window.words if draft.window else "")
        exclude_period(draft, at, at, match.end())
        return
    if cue != "also" and (writer := _writer(draft, words, until, morphs)) is not None:
        _exclude_writer(draft, writer)
        draft.claim(writer.start, match.end(), Role.NEGATED)
        return
    while len(words) > 1 and _text(draft, words[-1], until) in EMPTY:
        until = words.pop().start
    if not _is_noun(words[-1], until, morphs, denied=cue == "denied"):
        return
    person = _names_somebody(draft, words, until)
    wanted = draft.open[match.end() :]
    if cue == "also" or (cue == "adding" and not (person and WANTED.search(wanted))):
        draft.lessen(words[-1].start, _text(draft, words[-1], until))
        draft.claim(words[-1].start, match.end(), Role.NOISE)
        return
    told = cue in VERBS and _is_told(draft, words[-1], match.end(), morphs)
    strength = RARELY if told else STRENGTH.get(cue, LIKELY)
    for at, name in (names := _names(draft, words, until, morphs, denied=cue == "denied", wanted=wanted)):
        if name not in POINTING:
            # 검색 오류 안드로이드 말고: what stands before may be a part of it or what is looked for
            unsure = EVEN if person else LIKELY if at > words[0].start else strength
            add(draft, at, name, min(strength, unsure))
    draft.claim(min(at for at, _ in names), match.end(), Role.NEGATED)


def _is_noun(word: Word, until: int, morphs: Sequence[Morph], *, denied: bool) -> bool:
    """No verb (하지 말고, 수립하는 말고) and nowhere (로드맵에서 뺀 것: what was taken out of it is asked for)."""
    inside = [morph for morph in morphs if word.start <= morph.start < min(word.end, until)]
    tag = inside[-1].tag if inside else "NNG"
    return not (tag in {"ETM", "EF", "EC", "EP", "JKB", "MAG", "VV", "VA", "XSV"} or (tag == "JKS" and not denied))


def _is_told(draft: Draft, word: Word, behind: int, morphs: Sequence[Morph]) -> bool:
    """Whether the cue is a verb of a statement that goes on: who was fielded 와그너를 빼고 is told beside his name.

    Whoever leaves something out says 와그너 빼고. With the mark of a part of a sentence (를, 이) that is meant where nothing is told of the rest: a
    thing is named (초안을 빼고 제안서) or a wish follows (초안을 빼고 보여줘).
    """
    inside = [morph for morph in morphs if word.start <= morph.start < word.end]
    if not any(morph.tag in {"JKO", "JKC", "JKS"} for morph in inside):
        return False
    told = {morph.start for morph in morphs if morph.start >= behind and morph.tag in {"VV", "XSV"}}
    return any(
        not asks(other.lower) and any(other.start <= at < other.end for at in told)
        for other in draft.words
        if other.start >= behind
    )


def _names_somebody(draft: Draft, words: list[Word], until: int) -> bool:
    """강태오님, 윤 팀장, or somebody of the directory."""
    last = draft.text[words[-1].start : min(words[-1].end, until)]
    titled = PARTICLE.sub("", last).removesuffix("님") in draft.lexicon.titles_ko and len(last) > 1
    return titled or _is_person(draft, words[-1])


def _writer(draft: Draft, words: list[Word], until: int, morphs: Sequence[Morph]) -> Word | None:
    """Who it is in 봇이 올린 글 말고 and 지현님 메일 말고: whose words are excluded, whatever they are."""
    what = _text(draft, words[-1], until)
    if len(words) < 2 or not (what in EMPTY | WRITTEN or MADE_KO.fullmatch(what)):  # noqa: PLR2004
        return None
    if _is_person(draft, words[-2]):
        return words[-2]
    if len(words) < LONGEST:
        return None
    writer, verb = words[-3:-1]
    inside = [morph for morph in morphs if verb.start <= morph.start < verb.end]
    written = any(morph.form in draft.lexicon.authoring_ko for morph in inside) and inside[-1].tag == "ETM"
    return writer if written and WRITER.search(writer.text) else None


def _is_person(draft: Draft, word: Word) -> bool:
    """지현님, or somebody of the directory."""
    text = PARTICLE.sub("", word.text)
    name = HONORIFIC.sub("", text)
    honoured = name != text and name not in NOT_NAMED
    return honoured or draft.directory.person(name, fuzzy=False) is not None


def _exclude_writer(draft: Draft, writer: Word) -> None:
    """As an author: what others say about the bot is still wanted."""
    name = bare(WRITER.sub("", writer.text))
    if name in POINTING:
        return
    known = draft.directory.person(name, fuzzy=False)
    name = known[0].name if known else name
    add(draft, writer.start, name, LIKELY)
    draft.excluded_authors.append(name)


def _before(draft: Draft, until: int) -> list[Word]:
    """The words of the same clause that end where the cue begins, three at most."""
    words: list[Word] = []
    edge = until
    for word in reversed([word for word in draft.words if word.start < until]):
        gap = draft.open[min(word.end, edge) : edge]
        if BLANK in gap or PAUSE.search(gap) or word.role is not None or len(words) == LONGEST:
            break
        words.insert(0, word)
        edge = word.start
    return words


def _text(draft: Draft, word: Word, until: int) -> str:
    return bare(draft.text[word.start : min(word.end, until)])


def _names(
    draft: Draft, words: list[Word], until: int, morphs: Sequence[Morph], *, denied: bool, wanted: str
) -> list[tuple[int, str]]:
    """What is excluded: the last word, with the word before it where that is part of it, and what is joined to it."""
    last, name = words[-1], _text(draft, words[-1], until)
    if denied:
        name = SUBJECT.sub("", name)
    before = words[-2] if len(words) > 1 else None
    if before is None:
        return [(last.start, name)]
    if _holder(draft, before, name):
        return [(before.start, before.text if len(before.text) > 1 else f"{before.text} {name.removesuffix('님')}")]
    inside = [morph for morph in morphs if before.start <= morph.start < before.end]
    if inside and inside[-1].tag in {"JC", "JKB"} and inside[-1].form in JOINS:
        return [(before.start, draft.text[before.start : inside[-1].start]), (last.start, name)]
    whole = any(name in nouns for nouns in (BROAD, draft.lexicon.asking_ko, draft.lexicon.beside))
    size = max(1 + whole, min(_run(words[:-1], morphs), _wanted(draft, wanted, morphs)))
    if size == 1 or not inside or inside[-1].tag not in NOMINAL:
        return [(last.start, name)]
    first = words[-size] if size <= len(words) else words[0]
    return [(first.start, f"{draft.text[first.start : before.start]}{bare(before.text)} {name}")]


def _run(words: list[Word], morphs: Sequence[Morph]) -> int:
    """How many words the noun group has: those before the last that end in a noun, and the last."""
    count = 1
    for word in reversed(words):
        inside = [morph for morph in morphs if word.start <= morph.start < word.end]
        if not inside or inside[-1].tag not in NOMINAL:
            break
        count += 1
    return count


def _wanted(draft: Draft, behind: str, morphs: Sequence[Morph]) -> int:
    """How many nouns name what is wanted instead: 창고 이전 말고 시스템 전환 is two for two, and 검색 오류 안드로이드 말고 아이폰 one for one."""
    at = len(draft.open) - len(behind)
    count = 0
    for word in (word for word in draft.words if word.start >= at):
        inside = [morph for morph in morphs if word.start <= morph.start < word.end]
        if PAUSE.search(draft.open[at : word.start]) or not any(morph.tag in NOMINAL for morph in inside[:1]):
            break
        if any(morph.tag in {"XSV", "ETM", "EF", "EC"} for morph in inside):
            break
        at, count = word.end, count + 1
    return count


def _holder(draft: Draft, word: Word, title: str) -> bool:
    """Whether a person's name stands before a title: 박 과장, 이하늘 매니저."""
    titled = title.removesuffix("님") in draft.lexicon.titles_ko and len(title) > 1
    whole = len(word.text) == 3 and word.text[0] in draft.lexicon.common_surnames  # noqa: PLR2004  (family name and two syllables)
    named = whole or word.text in draft.lexicon.surnames
    return titled and named and word.text not in NOT_NAMED
