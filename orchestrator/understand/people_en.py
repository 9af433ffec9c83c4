"""People named in Latin script: by directory, by a list of given names, by capital and verb ("Sanjay posted")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.authors import (
    CLAN,
    ROMANISED,
    does_en,
    does_ko,
    following,
    is_author_en,
    is_author_ko,
    is_certain,
    is_passive,
)
from orchestrator.understand.directory import person_of
from orchestrator.understand.draft import Role, without_possessive
from orchestrator.understand.meaning import imply_person, set_worker
from orchestrator.understand.people_ko import is_title
from orchestrator.understand.people_words import (
    ABSENT,
    AUXILIARY,
    BESIDE,
    BY,
    HONORIFICS,
    OWNED,
    RANKS,
    ROLES,
    SENT,
    SUBJECTS_DO,
)
from translators.letters import unaccented
from translators.patterns import regex
from translators.query import Entity, EntityKind, Person

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft, Word
    from orchestrator.understand.korean import Morph

KOREAN_TAIL = regex(r"(?P<name>[A-Z][A-Za-z.-]*[A-Za-z])(?P<title>님|씨)?(?P<tail>[가-힣]*)$")
LONG_SYLLABLE = 6
UNSURE = 0.5
"""The score of a capital that no directory and no list of names has, and of which only its neighbours tell that it is a person."""
ENGLISH_ENDINGS = frozenset({
    "line", "site", "time", "up", "in", "on", "off", "out", "end", "day", "way", "team", "air", "wide", "like", "free",
})  # fmt: skip
INITIALS = regex(r"[A-Z]{2,}s")
"""URLs, PRs: several of what is called by its initials."""


def read_people_en(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Find people, then the author among them."""
    words = draft.words
    index = 0
    while index < len(words):
        size = _name_at(draft, index)
        if size:
            _found(draft, index, size, morphs)
        index += size or 1


def _name_at(draft: Draft, index: int) -> int:
    """How many words from ``index`` on are one person's name."""
    word = draft.words[index]
    if word.role is not None or word.hangul or not word.text[0].isalpha():
        return _korean_context(draft, index)
    if draft.directory.people:
        for size in (3, 2):
            if _in_directory(draft, index, size):
                return size
    name = word.bare
    if name[0].isupper() and not name.isupper() and is_title(draft, index + 1):  # Kim 부장님
        draft.words[index + 1].keep = False
        return 1
    known = not is_word(draft, index, name) and draft.directory.person(
        name,
        fuzzy=len(name) > 4 and name[0].isupper(),  # noqa: PLR2004
    )
    if _titled(draft, index) or (not known and (_is_given(draft, index, name) or _is_heard(draft, name))):
        return 2 if _surname_follows(draft, index) else 1
    return 1 if known else 0


def is_word(draft: Draft, index: int, name: str) -> bool:
    """When will the office move, May we park here: what is a word is nobody, where somebody is called so, unless it is written or used as a name."""
    lexicon, lower = draft.lexicon, name.lower()
    if index and name[0].isupper() and not draft.text.isupper():
        return False
    if lower in lexicon.stop_en or lower in lexicon.asking_en:
        return not (index and draft.words[index - 1].lower in BESIDE)
    return (lower in lexicon.doubtful or lower in lexicon.everyday) and not _cued(draft, index)


def _is_heard(draft: Draft, name: str) -> bool:
    """Whether somebody's name in the other script sounds like this one, which no list has: Haesol, where the directory has 편해솔.

    What is the name of something else, letter by letter, is nobody's that only sounds alike: Jeonju is 전주, and no 현주.
    """
    lexicon, lower = draft.lexicon, name.lower()
    listed = (lexicon.tools, lexicon.project_names, lexicon.places, lexicon.ordinary, lexicon.everyday)
    known = any(lower in words for words in listed) or lexicon.bilingual.is_name(name)
    return name.istitle() and not known and draft.directory.heard(name) is not None


def _titled(draft: Draft, index: int) -> bool:
    """Dr. Okonkwo: a title before a capital; the title itself is nothing to search for."""
    before = draft.words[index - 1] if index else None
    if (
        before is None
        or not (before.lower in HONORIFICS or before.text in RANKS)
        or not draft.words[index].text[0].isupper()
    ):
        return False
    if draft.text[before.end : draft.words[index].start] not in {" ", ". "}:
        return False
    before.keep = False
    return True


def _in_directory(draft: Draft, index: int, size: int) -> bool:
    """A name of several words, misspelt perhaps if each has its capital."""
    group = draft.words[index : index + size]
    if len(group) < size or any(word.role for word in group):
        return False
    capitals = all(word.text[0].isupper() for word in group)
    return draft.directory.person(_bare_text(draft, group), fuzzy=capitals) is not None


def _bare_text(draft: Draft, group: list[Word]) -> str:
    return without_possessive(draft.text[group[0].start : group[-1].end])


def _is_given(draft: Draft, index: int, name: str) -> bool:
    lexicon, word, lower = draft.lexicon, draft.words[index], unaccented(name.lower())
    listed = lower in lexicon.given
    if name in RANKS or not (listed or name[0].isupper()) or lower in lexicon.tools or lower in lexicon.project_names:
        return False
    capital = name[0].isupper() and not (name.isupper() and len(name) > 2)  # noqa: PLR2004
    if not capital:
        return listed and lower not in lexicon.doubtful and lower not in lexicon.ordinary and _cued(draft, index)
    if lower in lexicon.places or lower in lexicon.not_projects or lower in lexicon.ordinary:
        return False
    if listed:
        return lower not in lexicon.doubtful or _cued(draft, index)
    if ROMANISED.match(name) or CLAN.match(name):
        return (_syllables(name) if "-" in name else word.possessive) or _cued(draft, index)
    return _strongly_cued(draft, index, word)


def _syllables(name: str) -> bool:
    """Romanised Korean and Chinese given names have two short syllables and no English word in them."""
    parts = name.lower().split("-")
    return max(map(len, parts)) < LONG_SYLLABLE and parts[1] not in ENGLISH_ENDINGS


def _cued(draft: Draft, index: int) -> bool:
    before = draft.words[index - 1].lower if index else ""
    return before in BESIDE or before in AUXILIARY or _verb_or_thing(draft, index)


def _verb_or_thing(draft: Draft, index: int) -> bool:
    word, after = draft.words[index], following(draft, index)
    if word.possessive:
        return _made_follows(draft, index) or after in {"team", "manager", "org", "group"}
    return after in draft.lexicon.authoring_en or after in draft.lexicon.acting_en


def _made_follows(draft: Draft, index: int) -> bool:
    return any(word.lower in draft.lexicon.made for word in draft.words[index + 1 : index + 4])


def _strongly_cued(draft: Draft, index: int, word: Word) -> bool:
    """A capitalised word nobody knows is a person only beside words that have people as subject or author."""
    if INITIALS.fullmatch(word.bare) or _is_thing(draft, index, word.bare.lower()):
        return False
    before = draft.words[index - 1].lower if index else ""
    if before in ROLES or (before in BY and index) or _asked_for(draft, index) or _beside_a_person(draft, index):
        return True
    if before in {"is", "was", "will"} and any(other.lower in ABSENT for other in draft.words[index + 1 : index + 5]):
        return True
    after = following(draft, index)
    if word.possessive:
        return after in OWNED
    if before in {"did", "does", "has"} and after in draft.lexicon.acting_en | SUBJECTS_DO:
        return True
    human = after in draft.lexicon.authoring_en or after in {
        "mentioned",
        "said",
        "says",
        "agreed",
        "proposed",
        "approved",
        "suggested",
    }
    return human and (index > 0 or after in draft.lexicon.authoring_en) and before not in {"the", "a", "our", "project"}


def _is_thing(draft: Draft, index: int, lower: str) -> bool:
    """Decks shared by Dana: what was shared, and who did it is named behind."""
    if is_passive(draft, index):
        return True
    begins = index == 0 and lower.removesuffix("s") != lower
    return begins and (lower in draft.lexicon.made or lower in draft.lexicon.heads_en)


def _asked_for(draft: Draft, index: int) -> bool:
    """Who is Desta, and nothing behind it."""
    asked = [word.lower for word in draft.words[max(index - 2, 0) : index]]
    return index + 1 == len(draft.words) and (asked == ["who", "is"] or asked[-1:] == ["who's"])


def _beside_a_person(draft: Draft, index: int) -> bool:
    """Marguerite and Piotr: joined to a name that is listed and no word beside."""
    for step in (-1, 1):
        join, other = index + step, index + 2 * step
        if not (0 <= other < len(draft.words) and draft.words[join].lower in {"and", "or"}):
            continue
        name = draft.words[other].bare
        if name[:1].isupper() and name.lower() in draft.lexicon.given - draft.lexicon.doubtful:
            return True
    return False


def _surname_follows(draft: Draft, index: int) -> bool:
    word = draft.words[index]
    if index + 1 >= len(draft.words) or word.possessive or not word.text[0].isupper():
        return False
    after = draft.words[index + 1]
    lower = after.bare.lower()
    gap = draft.text[word.end : after.start]
    glued = after.hangul and KOREAN_TAIL.match(after.text) is not None  # Daniel Kim이
    capital = after.text[0].isupper() and not after.bare.isupper() and (glued or not after.hangul)
    known = (
        lower in draft.lexicon.tools
        or lower in draft.lexicon.not_projects
        or lower in draft.lexicon.places
        or lower in draft.lexicon.ordinary
    )
    return gap == " " and after.role is None and capital and not known


def _korean_context(draft: Draft, index: int) -> int:
    """Daniel이랑, Sophie가, Kevin님: a Latin name with a Korean particle glued on."""
    word = draft.words[index]
    match = KOREAN_TAIL.match(word.text) if word.role is None and word.hangul else None
    if match is None:
        return 0
    lower = match["name"].lower()
    if match["name"].isupper() and (lower in draft.lexicon.not_projects or lower in draft.lexicon.titles_en):
        return 0  # CTO님: the title of the person named before
    if match["title"] or (
        lower in draft.lexicon.given and lower not in draft.lexicon.tools and not match["tail"].startswith("팀")
    ):
        return 1
    return 0


def _found(draft: Draft, index: int, size: int, morphs: Sequence[Morph]) -> None:
    group = draft.words[index : index + size]
    last = group[-1]
    tail = KOREAN_TAIL.match(last.text) if last.hangul else None
    text = draft.text[group[0].start : last.start] + tail["name"] if tail else _bare_text(draft, group)
    person, score = person_of(draft.directory, text)
    sure = tail is not None or is_certain(draft, index, size) or _named_as_writer(draft, index)
    score = score if sure else min(score, UNSURE)
    draft.entities.append(
        (group[0].start, Entity(EntityKind.PERSON, text if score < 1 else person.name, score, person.email))
    )
    writes = is_author_ko(draft, index, size, tail["tail"], morphs) if tail else is_author_en(draft, index, size)
    author = draft.author is None and writes and sure
    for word in group:
        word.keep = not author
        if author:
            word.role = Role.AUTHOR
    if author:
        draft.author = Person(person.name if score == 1.0 else text, email=person.email)
        imply_person(draft, "author", group[0].start, text, known=score == 1.0)
    elif tail:
        last.keep = False
        draft.keywords.append((group[0].start, text))
    doing = does_ko(draft, index, size, tail["tail"], morphs) if tail else sure and does_en(draft, index, size)
    if doing and not author and draft.author is None:
        set_worker(draft, group, Person(person.name if score == 1.0 else text, email=person.email), doing)


def _named_as_writer(draft: Draft, index: int) -> bool:
    """Dr. Okonkwo, written by Okonkwo, mail from Okonkwo: no word list is needed to tell that somebody is named."""
    before = [word.lower for word in draft.words[max(index - 2, 0) : index]]
    titled = bool(before) and (before[-1] in HONORIFICS or draft.words[index - 1].text in RANKS)
    by = len(before) > 1 and before[-1] in BY and before[0] in draft.lexicon.authoring_en
    return titled or by or (len(before) > 1 and before[-1] == "from" and before[0] in SENT)
