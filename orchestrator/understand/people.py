"""People in the question, who wrote what is looked for, and whether it is about the asker's own things (my draft, 내가 올린, assigned to me)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand import people_en, people_ko
from orchestrator.understand.called import AS_A_LIST_EN, AS_A_LIST_KO, LEFT_EN, LEFT_KO, WORK_EN, WORK_KO
from orchestrator.understand.meaning import LIKELY
from orchestrator.understand.negation import WANTED
from orchestrator.understand.people_en import is_word
from orchestrator.understand.typos import is_known
from orchestrator.understand.work import read_work
from translators.patterns import regex
from translators.query import Category, Entity, EntityKind, Person, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.korean import Morph

# "my manager says" and "for my team" are not about the asker's own items, "my draft" and "assigned to me" are.
MINE_EN = regex(
    r"\bmy (?!(?:team|teams|company|org|department|group|manager's|boss's|colleague|colleagues|teammates?|office|understanding|knowledge|question|opinion)\b)[a-z]"
    r"|\bmine\b|\b(?:assigned|addressed|sent|shared|due|owed|reporting) (?:to|with|by) me\b|\bi(?:'ve|'d| have| had)? (?:ever |already |just |last |previously |once )?(?:said|wrote|written|sent|made|created|submitted|posted|shared|uploaded|filed|own|opened|reported|drafted|asked for|asked about|requested|booked|left|signed|worked on|was (?:assigned|tagged|mentioned))\b"
    r"|\b(?:did|have|had) i (?!(?:need|have to)\b)\w+|\b(?:do|am) i (?!(?:need|find|ask|get|set|use|go|talk|contact|report|request|submit an|submit a|file an|file a|book|access|connect|apply|enter|write|create|make|send)\b)\w+"
    r"|\bwhere i (?:am|was)\b|\btagging me\b|\bmention(?:ed|ing|s) me\b|\bmyself\b"
)  # fmt: skip
MINE_KO = regex(
    r"(?:^|[\s(])(?:내가|제가|나의|저의|본인이|내게|제게|나한테|저한테|나에게|저에게)\s+|(?:^|[\s(])(?:내|제|본인)\s+(?!생각|기억|의견|기준|이해|쪽|말|질문|경우|팀|부서)[가-힣A-Za-z]"
)
HOW_TO = regex(
    r"(?:so |hi,? |hey,? )*(?:who (?:do|can|should|would|could) (?:i|we)|how (?:do|can|should|would) (?:i|we)|how to|where (?:do|can) i|can i|should i|what happens)\b"
)
NOT_MINE_KO = regex(
    r"(?:내가|제가)\s+(?:알기로|듣기로|기억하기로|궁금|찾|이해|필요|보기에|생각|알고 있|문의|신청하려|해야|하려|쓰려|사용하려)|(?:제|내)\s?\d|(?:월|일|주|년|달|기간|시간|회사|조직|팀|부서|그룹|프로젝트|분기|이)\s+내\s(?!"
    + WORK_KO
    + r")"
)
SENT_EN = regex(
    r"\bi(?:'ve| have)? (?:ever |already |just |last )?(?:wrote|written|sent|posted|shared|uploaded|drafted|authored|said|published|made|created)\b|\b(?:did|have) i (?:write|send|sent|written|post|posted|share|shared|say|said)\b|\bmy (?:prs?|pull requests?|posts?|messages?|emails?|mails?|commits?)\b"
)
SENT_KO = regex(
    r"(?:내가|제가|본인이)\s+(?:[^\s]+\s+){0,3}?(?:올린|올렸|쓴|썼|작성|보낸|보냈|공유|만든|만들|공지|정리|남긴|게시|뭐라고|말한|말했|얘기한|얘기했)|(?:^|\s)(?:내|제)\s+(?:pr|커밋|글|메일)",
    re.IGNORECASE,
)
TASKS_EN = regex(
    rf"\bassigned to me\b|\bmy (?:(?P<open>{LEFT_EN}) |(?:own|assigned|current|active|\w+) )?(?P<kind>(?!work\b){WORK_EN}{AS_A_LIST_EN})\b"
)
TASKS_KO = regex(
    rf"(?<![가-힣])(?:내|제|나의|저의)\s+(?:(?P<open>{LEFT_KO}) |[^\s]+\s+)?(?P<kind>{WORK_KO}{AS_A_LIST_KO})(?=[\s?!.,~]|$|[은는이가을를의도만]|에|중|뭐)"
    rf"|(?<![가-힣])(?:나|저|내|제)(?:한테|에게|게)\s+(?:할당|배정|(?:온|들어온|넘어온) (?={WORK_KO}))"
)
MADE_EN = regex(r"\bmy [a-z]")
MADE_KO = regex(r"(?:^|[\s(])(?:내|제|나의|저의)\s+[가-힣A-Za-z]")
"""Something of one's own, whatever it is."""


FEW = 4
"""Keywords up to which it is looked up who is called by one of them: of two beside a name what they wrote is asked for."""


def read_mine(draft: Draft, _morphs: Sequence[Morph]) -> None:
    """Set ``mine`` and, where the words are that exact, make the asker the author or the assignee."""
    text = draft.open.lower().replace("’", "'")
    draft.mine = draft.mine or _is_mine(draft, text)
    if not draft.mine:
        return
    tasks = TASKS_EN.search(text) or TASKS_KO.search(text)
    if draft.assignee is None and tasks:
        _own(draft, tasks)
    elif draft.author is None and (SENT_EN.search(text) or SENT_KO.search(text)):
        draft.author = Person("", me=True)


def _own(draft: Draft, tasks: re.Match[str]) -> None:
    """Ask for what is assigned to the asker; what work is called is then no word that it must hold."""
    draft.assignee = Person("", me=True)
    draft.imply("assignee", LIKELY, tasks["kind"] or tasks.group())
    draft.hints.append((0, Category.TRACKER))
    if tasks["kind"]:
        draft.weaken(*tasks.span("kind"))
    if tasks["open"]:
        draft.states.append(State.OPEN)
        draft.imply("states", LIKELY, tasks["open"])
        draft.weaken(*tasks.span("open"))


def read_own(draft: Draft) -> None:
    """My documents, 내 문서: where nothing else tells them apart, they are what the asker wrote or is assigned."""
    told = draft.author or draft.assignee or draft.worker or draft.keywords or draft.phrases or draft.ids
    if draft.mine and not told and (MADE_EN.search(draft.open.lower()) or MADE_KO.search(draft.open)):
        draft.worker = Person("", me=True)
        draft.imply("worker", LIKELY)


def called(draft: Draft) -> tuple[tuple[str, Person], ...]:
    """The keywords by which one person whom the directory has is called, each with whom; of a question of many words nobody's."""
    if not draft.directory.people or len(draft.keywords) > FEW:
        return ()
    known = {at: Person(each.name, email=each.email) for at, each in draft.entities if _is_known(each)}
    people = ((text, known.get(at) or _namesake(draft, at, text)) for at, text in draft.keywords)
    return tuple((text, person) for text, person in people if person is not None)


def _namesake(draft: Draft, at: int, text: str) -> Person | None:
    """Who alone is called so, or sounds so where that is no word of either language; what is quoted is no word that is open."""
    index = next((index for index, word in enumerate(draft.words) if word.start == at), None)
    if text.isascii() and (index is None or is_word(draft, index, text)):
        return None
    found = draft.directory.person(text, fuzzy=False)
    somebody = found[0] if found else None if is_known(text, draft.lexicon) else draft.directory.heard(text)
    return Person(somebody.name, email=somebody.email) if somebody else None


def _is_known(entity: Entity) -> bool:
    return entity.kind is EntityKind.PERSON and entity.score == 1


def _is_mine(draft: Draft, text: str) -> bool:
    if draft.hangul and MINE_KO.search(text):
        return NOT_MINE_KO.search(text) is None
    return MINE_EN.search(text) is not None and HOW_TO.match(text.lstrip()) is None


def read_people(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Find people; an author is taken out of the keywords, anybody else named is a topic and stays."""
    for start, text in draft.negated:
        _excluded(draft, start, text)
    people_en.read_people_en(draft, morphs)
    people_ko.read_people_ko(draft, morphs)
    read_work(draft)
    read_mine(draft, morphs)


def _unknown(draft: Draft, lower: str) -> bool:
    lexicon = draft.lexicon
    return not any(
        lower in words
        for words in (lexicon.tools, lexicon.not_projects, lexicon.ordinary, lexicon.places, lexicon.generic)
    )


def _excluded(draft: Draft, start: int, text: str) -> None:
    """An excluded person is a person too."""
    family, _, title = text.partition(" ")
    titled = family in draft.lexicon.surnames and title in draft.lexicon.titles_ko
    found = draft.directory.person(text, fuzzy=False)
    korean = people_ko.is_full_name(draft, text) and draft.text[start + len(text) :].lstrip().startswith(
        draft.lexicon.titles_ko
    )
    named = (
        text[:1].isupper() and " " not in text and WANTED.search(draft.text.lower()) and _unknown(draft, text.lower())
    )
    if found or korean or titled or named or (text[:1].isupper() and text.lower() in draft.lexicon.given):
        name = found[0].name if found else (family if titled else text)
        if all(entity.name != name for _, entity in draft.entities):
            draft.entities.append((start, Entity(EntityKind.PERSON, name, found[1] if found else 0.8)))
