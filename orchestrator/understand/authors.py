"""Whether the person at a place of a question, English or Korean, wrote, sent or said what is looked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand.draft import Role, without_possessive
from orchestrator.understand.meaning import DOING, HARDLY
from orchestrator.understand.people_words import (
    ADVERBS,
    AGES,
    ALL_OF_IT,
    ASKED,
    BY,
    HONORIFICS,
    RANKS,
    SAYS,
    SENT,
    SUBJECTS_DO,
    VIEWS,
)
from translators.letters import unaccented
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.korean import Morph

ROMANISED = regex(r"[A-Z][a-z]{1,6}-[A-Za-z][a-z]{1,6}$")
CLAN = regex(r"(?:O['’]|Mc|Mac|D['’])[A-Z][a-z]+$")
"""O'Malley, McAllister."""
WHAT = frozenset({"what", "which", "all", "everything", "anything"})
BEING = frozenset({"is", "are", "was", "were", "be", "been", "being", "got", "gets", "of", "for", "with", "about"})
WORK = frozenset({"fix", "fixed", "handle", "handled", "handles", "work", "worked"})
"""Verbs of work among those of saying, deciding and leading."""
DID = frozenset({"did", "built", "made", "set"})
PAST = regex(r"[a-z]{2,}(?<!e)ed")
TOPIC = frozenset({"", "on", "about", "of", "regarding", "in", "towards", "toward", "for"})
"""Behind a view stands what it is about, or nothing: not "Dana's view count"."""


def is_author_en(draft: Draft, index: int, size: int) -> bool:
    """Whether the ``size`` words from ``index`` on name the author."""
    words, last = draft.words, draft.words[index + size - 1]
    before = words[index - 1].lower if index else ""
    after = following(draft, index + size - 1)
    if _says(draft, index, size, after) or (before == "from" and index > 1 and words[index - 2].lower in SENT):
        return True
    if last.possessive:
        return _possessed_thing(draft, index + size)
    if before in BY:
        verb = words[index - 2].lower if index > 1 else ""
        return verb in draft.lexicon.authoring_en or not verb.endswith(("ed", "led", "run"))
    if is_passive(draft, index + size - 1):
        return False
    if after in draft.lexicon.authoring_en and after not in {"make", "made"}:
        return not (before in {"and", "or"} and index > 1 and words[index - 2].keep)
    return after in {"made", "make"} and before != "decision"


def does_en(draft: Draft, index: int, size: int) -> float:
    """How sure it is that the ``size`` words from ``index`` on name who did what is looked for: what did Dana ship, bugs Dana fixed."""
    words, last = draft.words, draft.words[index + size - 1]
    after = following(draft, index + size - 1)
    before = words[index - 1].lower if index else ""
    if last.possessive or not after or before in BEING or is_passive(draft, index + size - 1):
        return 0  # why was Dana replaced: it was done to her
    said = after in draft.lexicon.acting_en and after not in WORK
    if index > 1 and before in ASKED and words[index - 2].lower in WHAT:
        return HARDLY if said or after in SUBJECTS_DO else DOING
    if said:
        return HARDLY
    return DOING if index and (after in DID or PAST.fullmatch(after)) and after not in draft.lexicon.not_topic else 0


def is_passive(draft: Draft, index: int) -> bool:
    """Whether a verb and *by* follow: the decks shared by Dana."""
    return [word.lower for word in draft.words[index + 2 : index + 3]] == ["by"]


def following(draft: Draft, index: int) -> str:
    """The next word that is no adverb, unless a pause comes first; a capital is no verb (Technical Specifications Document)."""
    end, possessive = draft.words[index].end, draft.words[index].possessive
    for word in draft.words[index + 1 : index + 4]:
        if draft.text[end : word.start].strip():
            return ""
        if word.lower not in ADVERBS:
            return word.lower if possessive or word.text[:1].islower() or word.hangul else ""
        end = word.end
    return ""


def _says(draft: Draft, index: int, size: int, after: str) -> bool:
    """What somebody said or thinks is asked for. Only of a certain person: a firm or a document has no such author."""
    words, end = draft.words, index + size
    titled = index > 0 and (words[index - 1].lower in HONORIFICS or words[index - 1].text in RANKS)
    lead = [word.lower for word in words[: index - titled][-2:]]
    if words[end - 1].possessive:
        topic = words[end + 1].lower if end + 1 < len(words) else ""
        said = end < len(words) and words[end].lower in VIEWS and topic in TOPIC
    elif lead[-1:] == ["of"]:
        said = lead[0] in VIEWS
    else:
        before = lead[-1] if lead else ""
        said = lead == ["according", "to"] or (after in SAYS and (before in ASKED or before in ALL_OF_IT))
    return said and (titled or is_certain(draft, index, size))


def is_certain(draft: Draft, index: int, size: int) -> bool:
    """A person by directory, in Hangul by what found it, or by a name of the lists."""
    group = draft.words[index : index + size]
    first = group[0].bare
    if group[0].hangul or unaccented(first.lower()) in draft.lexicon.given:
        return True
    if ROMANISED.match(first) or CLAN.match(first):
        return True
    name = without_possessive(draft.text[group[0].start : group[-1].end])
    return draft.directory.person(name, fuzzy=False) is not None or draft.directory.heard(name) is not None


def _possessed_thing(draft: Draft, start: int) -> bool:
    """What follows 's is something people make, before any preposition."""
    for word in draft.words[start : start + 4]:
        if word.lower in draft.lexicon.made:
            return True
        if word.lower in draft.lexicon.stop_en and word.lower not in AGES:
            return False
    return False


SUBJECT = frozenset({"이", "가", "이가", "께서", "께서는", "은", "는", "이는"})
WORK_KO = frozenset("하 진행 작업 처리 구현 배포 개발 수정 완료 해결 설계 준비 조사 분석 맡 담당 고치 끝내".split())
"""Verbs of work; who approved or asked for a thing is named in what others wrote."""
DID_KO = regex(r"\S*(?:[한된던른은인긴]|[가-힣]는|신)(?=\s)|\S*(?:했|하고|하는)")
MADE_KO = regex(
    r"(?:pr|mr|커밋|adr|rfc|prd|ppt|메일|글|문서|노트|댓글|발표|자료|리포트|보고서|제안서|의견|코멘트|슬라이드|덱|블로그|피드백|회고|정리|메모|스레드|쓰레드)",
    re.IGNORECASE,
)
VIEW_KO = regex(r"(?:의견|생각|입장|견해|코멘트|반응|말씀|말)(?:은|는|이|을|를|으?로는?|대로|도|요|에)?(?=[\s?!.,]|$)")
"""What somebody thinks or said, behind the name: 수민님 생각은, 태호님 말로는."""
WORDS_KO = regex(r"(?:말|말씀|얘기|이야기|의견|코멘트|답변?|생각)(?![가-힣]{3})")
"""What 한, 남긴 go before: 한 말, 남긴 의견."""
QUOTED_KO = regex(
    r"(?:뭐[라래]|머[라래]|무어라|어떻게 말|무슨 (?:말|얘기|이야기)|어떤 (?:말|얘기|이야기|의견|생각|입장)|무슨 생각)"
)
"""Asks what was said."""
SPOKE = frozenset({"말", "말하", "말씀", "말씀하", "얘기", "얘기하", "이야기", "이야기하"})
SPOKEN = regex(r"(?:말|말씀|얘기|이야기)\s?(?:한|했던|하신|하셨던|해준|해 준|해주신)(?=\s|$)")
OF_WORDS = regex(r"(?:한|했던|하신|하셨던|하는|남긴|남기신|남겼던|준|주신)\s")
JOINED = regex(r"(?:이랑|랑|하고|과|와)$")


def is_author_ko(draft: Draft, index: int, size: int, tail: str, morphs: Sequence[Morph]) -> bool:
    """Whether the ``size`` words from ``index`` on, with particle ``tail``, name the author."""
    words, after = draft.words, index + size
    end = words[after - 1].end
    if tail in SUBJECT:
        if first_verb(draft, end, morphs) in draft.lexicon.authoring_ko:
            return True
        return not _joined(draft, index) and _says_ko(draft, end, morphs)
    if after >= len(words):
        return False
    if tail == "에":
        return words[after].text.startswith("따르면")
    return tail in {"", "의"} and (MADE_KO.match(words[after].text) is not None or _view(draft, index, after))


def does_ko(draft: Draft, index: int, size: int, tail: str, morphs: Sequence[Morph]) -> float:
    """How sure it is that the person there did what is looked for: 정우진이 진행한 인터뷰."""
    if tail not in SUBJECT:
        return 0
    verb = _first_verb(draft, draft.words[index + size - 1].end, morphs)
    if verb is None or not DID_KO.search(draft.open, verb.start):
        return 0
    return DOING if verb.form in WORK_KO else HARDLY


def first_verb(draft: Draft, end: int, morphs: Sequence[Morph]) -> str:
    """The first verb after the person, skipping 대해, 통해 and the like."""
    found = _first_verb(draft, end, morphs)
    return found.form if found else ""


def _first_verb(draft: Draft, end: int, morphs: Sequence[Morph]) -> Morph | None:
    busy = {place for word in draft.words if word.role is Role.TIME for place in range(word.start, word.end)}
    rest = [morph for morph in morphs if morph.start >= end and morph.start not in busy]
    for position, morph in enumerate(rest):
        verbal = morph.tag.startswith("VV")
        verbal = verbal or (morph.tag.startswith("VX") and morph.form == "만들")
        made = morph.tag in {"NNG", "XR", "NNP"} and position + 1 < len(rest) and rest[position + 1].tag == "XSV"
        if morph.form not in {"대하", "관하", "통하", "위하", "따르", "의하"} and (verbal or made):
            return morph
    return None


def _joined(draft: Draft, index: int) -> bool:
    """Elena랑 민수님이: what several said is not the words of one."""
    return index > 0 and JOINED.search(draft.words[index - 1].text) is not None


def _says_ko(draft: Draft, end: int, morphs: Sequence[Morph]) -> bool:
    """사라가 … 한 말, 뭐라고 했어, 말한 것: what somebody said is asked for."""
    verb = _first_verb(draft, end, morphs)
    if verb is None:  # 뭐래
        return QUOTED_KO.search(draft.open, end) is not None
    if QUOTED_KO.search(draft.open, end, verb.start + 1):
        return True
    clause = draft.open[verb.start :]
    if verb.form in SPOKE:
        return SPOKEN.match(clause) is not None
    said = OF_WORDS.match(clause)
    return said is not None and WORDS_KO.match(clause, said.end()) is not None


def _view(draft: Draft, index: int, after: int) -> bool:
    return not _joined(draft, index) and is_view(draft, after)


def is_view(draft: Draft, index: int) -> bool:
    """Whether the word there only says that somebody's words are wanted: 의견, 생각은, 말로는."""
    return index < len(draft.words) and VIEW_KO.match(draft.text, draft.words[index].start) is not None
