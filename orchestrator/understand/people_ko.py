"""People named in Hangul: 민수님, 김 팀장, 이하늘 매니저, full names whose syllables are those of names, and foreign names (에밀리 첸, 데이빗)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.understand.authors import SUBJECT, WORK_KO, does_ko, first_verb, is_author_en, is_author_ko, is_view
from orchestrator.understand.directory import person_of
from orchestrator.understand.draft import Role
from orchestrator.understand.meaning import imply_person, set_worker
from translators.patterns import regex
from translators.query import Entity, EntityKind, Person

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft, Word
    from orchestrator.understand.korean import Morph

TAILS = frozenset(
    "이 가 이가 은 는 이는 을 를 께 께서 께서는 에게 에게서 한테 한테서 와 과 랑 이랑 하고 의 도 에".split()
)
HONORIFICS = frozenset("님씨")
TOLD_FOREIGN = frozenset({"께", "에게", "에게서", "한테", "한테서"})
PARTICLE = r"(?:이랑|랑|이가|이는|이|가|은|는|을|를|께서는|께서|께|에게서|에게|한테서|한테|와|과|하고|의|도|만|까지|부터|처럼|보다|이나|나|이라는|라는|이?었나요?|였나요?|이?었지|였지|였죠|인가요|인가|인지|이에요|예요|이고|이며|에)?"
ROLE = regex(r"C[A-Z]O|PM|PO|VP|HR|대표|팀장|담당자|매니저|리더")
HONORIFIC = regex(rf"(?P<name>[가-힣]{{1,5}}?)(?P<title>님|씨)(?:들)?(?P<tail>{PARTICLE})$")
PLAIN = regex(rf"(?P<name>[가-힣]{{2,4}}?)(?P<tail>{PARTICLE})$")
FULL = regex(rf"(?P<name>[가-힣]{{3}}|(?:남궁|황보|제갈|사공|선우|서문|독고)[가-힣]{{2}})(?P<tail>{PARTICLE})$")
GIVEN = regex(r"(?P<name>[가-힣]{2})(?P<tail>이가|이는|이|가|께서)$")
TOLD = regex(r"(?P<name>[가-힣]{2,3}?)(?P<tail>이?(?:한테서?|에게서?|께))$")
"""Particles that only persons have."""
JOINED = regex(r"(?P<name>[가-힣]{2})(?P<tail>이랑|랑|이하고|하고|과|와)$")
BEFORE_NAMES = frozenset(
    "담당 담당자 리더 팀장 매니저 신입 대표 부장 과장 차장 대리 인턴 오너 후임 전임 동료 작성자 리뷰어 발표자 강사 팀원 책임자".split()
)
"""Words for persons, before their names."""
OCCUPATIONS = frozenset("사자원장관인")
"""Last syllables of what people are: 담당 조산사."""
SAYING = frozenset(
    "얘기 이야기 말 말하 언급 제안 추천 부탁 약속 주장 설명 요청 물어보 맡 반려 승인 묻 담당 번역 반대 찬성 담당하 퇴사 입사 휴직".split()
)
"""Verbs that only persons have as their subject."""


def read_foreign(draft: Draft, index: int, morphs: Sequence[Morph]) -> tuple[str, str, int] | None:
    """Name, particle and number of words where a foreign name begins at ``index``."""
    word = draft.words[index]
    possible = bool(draft.directory.people) or word.text in draft.lexicon.given_ko
    name = _name(draft, word, morphs) if possible else None
    if name is None:
        return None
    after = draft.words[index + 1] if index + 1 < len(draft.words) else None
    beside = after is not None and name == word.text and draft.text[word.end : after.start] == " "
    if after and beside and after.role is None and after.keep is None and (last := _name(draft, after, morphs)):
        whole, tail = f"{name} {last}", after.text[len(last) :]
        known = draft.directory.person(whole, fuzzy=False) or draft.directory.heard(whole)
        if known or (name in draft.lexicon.given_ko and tail):
            return whole, _particle(tail), 2
    tail = word.text[len(name) :]
    unlisted = not draft.lexicon.bilingual.together(name)  # a name, if it sounds like one
    heard = (unlisted or _has_a_cue(draft, index, tail)) and draft.directory.heard(name)
    return (name, _particle(tail), 1) if heard else None


def _particle(tail: str) -> str:
    return tail[1:] if tail[:1] in HONORIFICS else tail


def _has_a_cue(draft: Draft, index: int, tail: str) -> bool:
    """A particle of persons, a subject's particle, or words of somebody behind it: 데이빗 의견."""
    return tail[:1] in HONORIFICS or tail in SUBJECT or tail in TOLD_FOREIGN or (not tail and is_view(draft, index + 1))


def _name(draft: Draft, word: Word, morphs: Sequence[Morph]) -> str | None:
    """The word without its particle, if morphology takes it for a proper noun and no list for a thing or a place."""
    lexicon = draft.lexicon
    for morph in morphs:
        if morph.start > word.start:
            break
        if morph.start != word.start or morph.tag != "NNP" or not word.hangul:
            continue
        name = draft.text[morph.start : morph.end]
        listed = (
            lexicon.tools,
            lexicon.places,
            lexicon.codenames,
            lexicon.generic,
            lexicon.stop_ko,
            lexicon.categories,
        )
        thing = any(name in words for words in listed) or name in lexicon.project_names
        return None if thing or _particle(word.text[len(name) :]) not in TAILS | {""} else name
    return None


def is_full_name(draft: Draft, text: str) -> bool:
    """Whether three or four syllables begin with a family name and go on like a given name."""
    lexicon = draft.lexicon
    if not 2 <= len(text) <= 5:  # noqa: PLR2004
        return False
    for size in (2, 1):
        family, given = text[:size], text[size:]
        if family in lexicon.surnames and 1 <= len(given) <= 2:  # noqa: PLR2004
            return True
    return False


def read_people_ko(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Find people, then the author among them."""
    for index, word in enumerate(draft.words):
        if word.role is not None or not word.hangul or word.keep is not None:
            continue
        found = _titled(draft, index, morphs) or read_foreign(draft, index, morphs) or _listed(draft, index)
        if found := found or _untitled(draft, index, morphs):
            _record(draft, index, found, morphs)


def _titled(draft: Draft, index: int, morphs: Sequence[Morph]) -> tuple[str, str, int] | None:
    """Name, particle and number of words for 민수님이, 이하늘 매니저가, 김 팀장님은."""
    word = draft.words[index]
    if match := HONORIFIC.match(word.text):
        name = _without_title(draft, match["name"])
        if name and name not in draft.lexicon.stop_ko and NOT_NAMED.isdisjoint({name, name + match["title"]}):
            return name, match["tail"], 1
    known = draft.directory.people
    if known and (match := _in_one(draft.lexicon.titles_ko).match(word.text)) and _is_somebody(draft, match):
        return match["name"], match["tail"], 1
    if index + 1 < len(draft.words) and word.text.isalpha():
        after = draft.words[index + 1]
        match = _titles(draft.lexicon.titles_ko).match(after.text)
        if match and _may_be_titled(draft, word, morphs, honoured=after.text.startswith("씨") or "님" in after.text):
            return word.text, match["tail"], 2
    return None


def _is_somebody(draft: Draft, match: re.Match[str]) -> bool:
    """Whether somebody is called so, by family or given name, and it is no word with the title: 한의사."""
    name, lexicon, directory = match["name"], draft.lexicon, draft.directory
    called = directory.has_family(name) if name in lexicon.surnames else directory.person(name, fuzzy=False)
    return bool(called) and not lexicon.bilingual.together(match[0].removesuffix(match["tail"]))


def is_title(draft: Draft, index: int) -> bool:
    """Whether a word is a Korean title, with 님 or a particle behind it or without."""
    return index < len(draft.words) and _titles(draft.lexicon.titles_ko).match(draft.words[index].text) is not None


def _may_be_titled(draft: Draft, word: Word, morphs: Sequence[Morph], *, honoured: bool) -> bool:
    name, lexicon = word.text, draft.lexicon
    if name in lexicon.stop_ko or name in lexicon.places or name in lexicon.generic or name in NOT_NAMED:
        return False
    if name in lexicon.surnames or name in lexicon.given_ko:
        return True
    if is_full_name(draft, name) and (honoured or (len(name) > 2 and _name_like(draft, name))):  # noqa: PLR2004
        return honoured or not _plain_noun(word.start, word.end, morphs)
    if len(name) != 2 or not _given_name(draft, name):  # noqa: PLR2004
        return False
    return _proper(draft, word, name, morphs)


def _plain_noun(start: int, end: int, morphs: Sequence[Morph]) -> bool:
    """부재중: a word of the dictionary stands inside, so the syllables are no name's."""
    return any(
        morph.tag == "NNG" and not morph.unknown and morph.end - morph.start > 1
        for morph in morphs
        if start <= morph.start < end
    )


NOT_NAMED = frozenset(
    ["고객", "손님", "선생", "사용자", "회원", "부모", "작가", "대표", "팀장", "부장", "차장", "과장", "이사", "사장", "회장", "부사장", "본부장", "실장", "파트장", "그룹장", "센터장", "매니저", "상무", "전무", "대리", "주임", "선임", "책임", "수석", "리더", "기사", "주인", "담당자", "개발자", "디자이너", "기획자", "변호사", "교수", "박사", "의사", "간호사", "형", "누나", "언니", "오빠", "아버", "어머", "하느", "예수", "하", "여러분", "관리자", "작성자", "승인자", "사장", "신입", "동료", "팀원", "반장", "조장", "위원", "위원장", "점장", "간호사", "약사", "기자", "선배", "후배", "권한", "신규", "기존", "전임", "전체", "현장", "공장", "구매", "인사", "기획", "홍보", "전산", "정보", "전략", "경영", "이전", "현재", "주관", "신임", "임시", "부재", "유관", "국내", "차기", "하위", "상위", "전사", "사내", "연구", "안전", "기술", "방문", "심사", "문서", "배포", "서명", "승인", "선임"]
)  # fmt: skip


@lru_cache(maxsize=4)
def _titles(titles: tuple[str, ...]) -> re.Pattern[str]:
    """매니저, 매니저님이: a title as a word of its own."""
    words = "|".join(title for title in titles if len(title) > 1)
    return regex(rf"(?:(?:{words})(?:님|씨)?|님|씨|(?:C[A-Z]{{1,2}}O|PM|PO|VP|TL|EM|HRBP|SM)님?)(?P<tail>{PARTICLE})$")


@lru_cache(maxsize=4)
def _in_one(titles: tuple[str, ...]) -> re.Pattern[str]:
    """맹부장, 현주대리가: a name and a title in one word, which is a word like others where nobody is called so (본부장)."""
    words = "|".join(title for title in titles if len(title) > 1)
    return regex(rf"(?!(?:{words})(?:{PARTICLE})$)(?P<name>[가-힣]{{1,4}}?)(?:{words})(?P<tail>{PARTICLE})$")


def _without_title(draft: Draft, name: str) -> str:
    for title in draft.lexicon.titles_ko:
        if len(title) > 1 and name.endswith(title):
            return name[: -len(title)]
    return name


def _listed(draft: Draft, index: int) -> tuple[str, str, int] | None:
    """A person of the directory, by name or nickname, with a particle or without."""
    if not draft.directory.people:
        return None
    match = PLAIN.match(draft.words[index].bare)
    for name in {draft.words[index].bare, match["name"] if match else ""}:
        if name and draft.directory.person(name, fuzzy=False):
            return name, draft.words[index].text[len(name) :], 1
    return None


def _untitled(draft: Draft, index: int, morphs: Sequence[Morph]) -> tuple[str, str, int] | None:
    """A name without a title: only where its syllables are those of names and morphology takes it for a name whole."""
    word = draft.words[index]
    if (borrowed := PLAIN.match(word.text)) and borrowed["name"] in draft.lexicon.given_ko and borrowed["tail"]:
        return borrowed["name"], borrowed["tail"], 1
    if (match := FULL.match(word.text)) and _is_family_and_given(draft, index, match, morphs):
        return match["name"], match["tail"], 1
    if (match := JOINED.match(word.text)) and _joined(draft, index, match["name"], morphs):
        return match["name"], match["tail"], 1
    for pattern, acts in ((TOLD, False), (GIVEN, True)):
        match = pattern.match(word.text)
        if not match or not _given_name(draft, match["name"]) or not _proper(draft, word, match["name"], morphs):
            continue
        verb = first_verb(draft, word.end, morphs) if acts else ""
        if not acts or verb in SAYING or verb in draft.lexicon.authoring_ko:
            return match["name"], match["tail"], 1
    return None


def _joined(draft: Draft, index: int, name: str, morphs: Sequence[Morph]) -> bool:
    """현우랑 진아가: two given names, each taken for a name."""
    if index + 1 >= len(draft.words) or not _given_name(draft, name):
        return False
    after = draft.words[index + 1]
    other = (GIVEN.match(after.text) or TOLD.match(after.text)) if after.hangul else None
    named = other is not None and _given_name(draft, other["name"]) and _proper(draft, after, other["name"], morphs)
    return named and _proper(draft, draft.words[index], name, morphs)


def _is_family_and_given(draft: Draft, index: int, match: re.Match[str], morphs: Sequence[Morph]) -> bool:
    """A family name that is frequent and a given name: taken for a name whole where it is no word or place (노리치), or behind a word for persons."""
    name, word, lexicon = match["name"], draft.words[index], draft.lexicon
    frequent = name[0] in lexicon.common_surnames or name[:2] in lexicon.common_surnames
    if not (frequent and is_full_name(draft, name) and _name_like(draft, name)):
        return False
    before = draft.words[index - 1] if index else None
    apart = bool(match["tail"]) or before is None or before.keep is False or not before.hangul
    if apart and _proper(draft, word, name, morphs) and not lexicon.bilingual.together(name):
        return True
    introduced = before is not None and before.text in BEFORE_NAMES
    verb = first_verb(draft, word.end, morphs) if match["tail"] in SUBJECT else ""
    makes = verb in WORK_KO or verb in draft.lexicon.authoring_ko
    makes = makes and not any(name in words for words in (lexicon.codenames, lexicon.emblems, lexicon.loanwords))
    called = name[-1] == "이" and match["tail"] == "가"  # 한별이가 is 한별
    introduced = introduced or verb in SAYING or (makes and not called)
    return introduced and name[-1] not in OCCUPATIONS and not _plain_noun(word.start, word.end, morphs)


def _proper(draft: Draft, word: Word, name: str, morphs: Sequence[Morph]) -> bool:
    lexicon = draft.lexicon
    if name in lexicon.stop_ko or name in lexicon.asking_ko or name in lexicon.generic or name in lexicon.places:
        return False
    if name in lexicon.codenames:
        return False
    end = word.start + len(name)
    return any(morph.start == word.start and morph.end == end and morph.tag == "NNP" for morph in morphs)


def _given_name(draft: Draft, name: str) -> bool:
    """Whether its last two syllables are those of given names."""
    return all(syllable in draft.lexicon.syllables for syllable in name[-2:])


def _name_like(draft: Draft, name: str) -> bool:
    """Whether the syllables behind the family name are those of given names."""
    if name[:2] in draft.lexicon.surnames:
        return all(syllable in draft.lexicon.syllables for syllable in name[2:])
    return all(syllable in draft.lexicon.syllables for syllable in name[-2:] if len(name) > 2)  # noqa: PLR2004


def _searched(draft: Draft, name: str, text: str) -> str | None:
    """What to search for somebody by: a family name alone is in every text, and goes with its title (김 팀장) or not at all."""
    if len(name) > 1:
        return name
    title = _title(draft, text[1:])
    return title and f"{name} {title}"


def _title(draft: Draft, behind: str) -> str | None:
    """The title that stands behind a name."""
    return next((each for each in draft.lexicon.titles_ko if len(each) > 1 and each in behind), None)


def _record(draft: Draft, index: int, mention: tuple[str, str, int], morphs: Sequence[Morph]) -> None:
    """Enter a person: ``mention`` is name, particle and number of words."""
    name, tail, size = mention
    group = draft.words[index : index + size]
    start, said = group[0].start, draft.text[group[0].start : group[-1].end]
    if name in draft.lexicon.surnames and (title := _title(draft, said[len(name) :])):
        draft.titled[start] = name + title
    if name in draft.lexicon.surnames and (only := draft.directory.family(name)):
        name = only.name
    found, score = person_of(draft.directory, name)
    shown = found.name if score == 1.0 else name
    draft.entities.append((start, Entity(EntityKind.PERSON, shown, score, found.email)))
    writes = is_author_ko(draft, index, size, tail, morphs) or is_author_en(draft, index, size)
    author = draft.author is None and writes
    for word in group:
        word.keep = False
        word.role = Role.AUTHOR if author else None
    before = draft.words[index - 1] if index else None
    if before and ROLE.fullmatch(before.text):
        before.keep = False  # CFO 윤재희님: the role says nothing more
    if author and is_view(draft, index + size):
        draft.words[index + size].keep = False
    if author:
        draft.author = Person(shown, email=found.email)
        imply_person(draft, "author", start, name, known=score == 1.0)
    elif word_of := _searched(draft, name, draft.text[start : group[-1].end]):
        draft.keywords.append((start, word_of))
    if not author and draft.author is None and (doing := does_ko(draft, index, size, tail, morphs)):
        set_worker(draft, group, Person(shown, email=found.email), doing)
