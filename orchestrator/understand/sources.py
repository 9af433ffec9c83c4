"""Where the asker thinks it is: hints at kinds of sources ("in the wiki", 슬랙에서) and named channels, folders, repositories.

And where alone the answer is wanted: "Slack에서만", "only in the wiki", "Notion only".
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.understand.draft import BLANK, Placed, Role
from orchestrator.understand.meaning import LIKELY
from translators.match import fold
from translators.patterns import regex
from translators.query import NEARLY_TYPED, Category, Container, Entity, EntityKind, Only
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.understand.draft import Draft, Word
    from orchestrator.understand.korean import Morph

CHANNEL = regex(
    r"(?<![\w#&/])#(?P<name>[^\W\d_][\w-]{1,79}|(?!\d+[가-힣]{1,4}(?!\w))\d+[\w-]*[^\W\d][\w-]*)(?:\s(?:채널(?:에서|에|의)?|channel)(?!\w))?"
)
SLUG = r"[A-Za-z0-9][\w.-]*(?:/[\w.-]+)?"
REPO_EN = regex(rf"\b(?P<name>{SLUG})(?:['’]s)?\s+(?:repo(?:sitory)?)\b", re.IGNORECASE)
REPO_OF = regex(r"\brepo(?:sitory)?\s+(?P<name>[A-Za-z0-9]+(?:[-_/.][A-Za-z0-9]+)+)", re.IGNORECASE)
REPO_KO = regex(rf"(?P<name>{SLUG})\s*(?:레포지토리|리포지토리|레포|저장소|repo)(?![A-Za-z])")
PR_IN = regex(
    r"\b(?:PR|MR|pull request)s?\b[^,.?!]{0,30}?\bin\s+(?P<name>[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)+)", re.IGNORECASE
)
UNKNOWN = 0.5
"""A place that is named and that no directory knows."""
PLACE = r"(?P<kind>스페이스|폴더|채널|보드|space|folder|channel)"
NAMED_KO = regex(
    r"(?P<name>[A-Za-z0-9][\w-]*|[가-힣][\w-]+)\s+(?P<kind>스페이스|폴더|채널|보드)(?P<tail>에서|에|안|내|의)?(?=$|[\s?!.,]|에|로|을|를)"
)
NAMED_EN = regex(rf"\b(?:[Ii]n|[Ff]rom|[Oo]n)\s+(?:the\s+|our\s+|my\s+)?(?P<name>[\w-]+(?:\s[A-Z][\w-]*)?)\s+{PLACE}\b")
CALLED = regex(r"[A-Z0-9#].*|\w++(?:-\w++)++|\w[^\W_]*+_\w++")
"""A name as places have them: with a capital, a digit or of words joined by hyphens."""
QUOTED_PLACE = regex(rf"[\"'“‘「](?P<name>[^\"'”’」]{{1,60}})[\"'”’」]\s*{PLACE}", re.IGNORECASE)
NOT_NAMES = frozenset(
    ["this", "that", "our", "my", "the", "a", "an", "your", "their", "which", "what", "any", "each", "every", "same", "right", "shared", "public", "private", "new", "old", "main", "team", "code", "git", "mono", "upstream", "github", "gitlab", "우리", "저희", "이", "그", "저", "공유", "개인", "팀", "전사", "회사", "공용", "해당", "어느", "무슨", "어떤", "새", "다른", "비공개", "공개", "유통", "판매", "온라인"]
)  # fmt: skip
# Plain substrings, tried first: most questions name no place and should not pay for the patterns.
PLACE_WORDS = ("스페이스", "폴더", "채널", "보드", "space", "folder", "channel")
MULTI_WORDS = ("drive", "point", "public", "pull", "web", "internet", "teams", "드라이브", "팀즈")
CODE_WORDS = ("repo", "레포", "리포", "저장소", "pr ", "prs ", "mr ", "pull request")
KIND_HINT = {
    "채널": Category.CHAT,
    "channel": Category.CHAT,
    "스페이스": Category.WIKI,
    "space": Category.WIKI,
    "폴더": Category.DRIVE,
    "folder": Category.DRIVE,
}
TOPICS = frozenset(["을", "를", "은", "는", "이", "가", "도", "만", "들", "중", "중에"])
PARTICLES = frozenset({
    "에서", "에다", "에", "으로", "로", "의", "이나", "나", "이랑", "랑", "과", "와", "에서의", "에는", "엔", "에도", "쪽에", "상에", "하고", "에서는", "으로도", "로도",
})  # fmt: skip
CAMPAIGNS = frozenset(
    {"blood", "food", "toy", "charity", "hard", "flash", "usb", "test", "recruitment", "hiring", "membership", "tape"}
)
"""Blood drive, hard drive: no place to search."""
BEFORE_EN = frozenset({
    "on", "in", "from", "via", "per", "through", "at", "by", "using", "over", "inside", "within", "public", "company", "internal", "latest",
    "my", "our",
})  # fmt: skip
AFTER_EN = frozenset(
    ["thread", "threads", "message", "messages", "page", "pages", "board", "channel", "post", "posts", "discussion", "discussions", "search", "ticket", "tickets", "issue", "issues", "chat", "conversation", "conversations", "doc", "docs", "article", "articles", "entry", "site", "folder", "attachment", "from", "about", "where", "with", "history", "comment", "comments", "link", "review"]
)  # fmt: skip
CARRIED = ("페이지", "스레드", "쓰레드", "메시지", "글", "보드", "폴더", "댓글", "채널", "스페이스")
CARRIERS = frozenset({
    "thread", "threads", "message", "messages", "page", "pages", "board", "boards", "channel", "channels", "post", "posts", "discussion",
    "discussions", "conversation", "conversations", "ticket", "tickets", "issue", "issues", "doc", "docs", "entry", "페이지", "스레드", "쓰레드",
    "문서", "보드", "채널", "글",
})  # fmt: skip
COMMON = frozenset({
    "ticket", "tickets", "email", "emails", "mail", "mails", "e-mail", "e-mails", "blog", "blogs", "website", "websites", "pr", "prs",
    "repo", "repos", "inbox",
})  # fmt: skip
BARE = 0.3
"""What the name of a place weighs that does not stand as one: it may be what is asked about."""
MULTI = regex(
    r"\b(?:(?:google drive|share ?point|one ?drive|public (?:web ?)?site|public website|pull requests?|web articles?|web pages?|public blog|(?:search|on) the (?:web|internet)(?= for\b|\W*$)|(?<=on )(?-i:Teams))(?![A-Za-z0-9_])|구글 ?드라이브|(?:ms |마이크로소프트 )?팀즈)",
    re.IGNORECASE,
)
MULTI_CATEGORY = {
    "pull": Category.CODE,
    "public": Category.WEB,
    "web": Category.WEB,
    "internet": Category.WEB,
    "teams": Category.CHAT,
    "팀즈": Category.CHAT,
}
"""By a word that each of them holds; the others are drives."""


def read_containers(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Find the one named place. It restricts the search, so it is no keyword."""
    lower = draft.text.lower()
    placed = any(word in lower for word in PLACE_WORDS)
    if placed:
        for match in QUOTED_PLACE.finditer(draft.text):
            _contain(draft, match, NEARLY_TYPED)
            draft.phrases = [(start, text) for start, text in draft.phrases if not match.start() <= start < match.end()]
    if "#" in lower:
        for match in CHANNEL.finditer(draft.open):
            _set_container(draft, match["name"], match.group(), NEARLY_TYPED)
            draft.hints.append((match.start(), Category.CHAT))
            draft.claim(match.start(), match.end(), Role.CONTAINER)
    if any(word in lower for word in CODE_WORDS):
        _read_repositories(draft)
    if placed:
        for match in (*NAMED_KO.finditer(draft.open), *NAMED_EN.finditer(draft.open)):
            if draft.directory.channel(match["name"]):
                _contain(draft, match, NEARLY_TYPED)
            elif match["name"].lower() not in NOT_NAMES and not _describes(match, morphs) and _frames(draft, match):
                _contain(draft, match, UNKNOWN)


def _frames(draft: Draft, match: re.Match[str]) -> bool:
    """In the design-reviews channel, 디자인 채널에서: a place nobody knows, where nothing else can stand; "in the Sales channel mix" is about a mix."""
    if "tail" in match.re.groupindex:
        return match["tail"] is not None or CALLED.fullmatch(match["name"]) is not None
    after = next((word for word in draft.words if word.start >= match.end()), None)
    noun = after is not None and after.lower not in draft.lexicon.stop_en | draft.lexicon.asking_en
    joined = noun and after is not None and draft.open[match.end() : after.start].isspace()
    return CALLED.fullmatch(match["name"]) is not None and not joined


def _read_repositories(draft: Draft) -> None:
    for pattern in (REPO_EN, REPO_KO, REPO_OF, PR_IN):
        for match in pattern.finditer(draft.open):
            if match["name"].lower() not in NOT_NAMES and BLANK not in match["name"]:
                draft.hints.append((match.start(), Category.CODE))
                _set_container(draft, match["name"], match.group(), LIKELY)
                draft.claim(match.start("name"), match.end("name"), Role.CONTAINER)


def _describes(match: re.Match[str], morphs: Sequence[Morph]) -> bool:
    """모아둔 폴더: the word before says what kind of folder, not which."""
    return any(morph.tag in {"ETM", "MM"} for morph in morphs if match.start("name") <= morph.start < match.end("name"))


def _contain(draft: Draft, match: re.Match[str], strength: float) -> None:
    _set_container(draft, match["name"].strip(), f"{match['name'].strip()} {match['kind']}", strength)
    if hint := KIND_HINT.get(match["kind"].lower()):
        draft.hints.append((match.start(), hint))
    draft.claim(match.start(), match.end(), Role.CONTAINER)
    if strength < LIKELY:
        for part in ("name", "kind"):
            draft.lessen(match.start(part), match[part])


def _set_container(draft: Draft, name: str, words: str, strength: float) -> None:
    if draft.container is None:
        draft.container = Container(draft.directory.channel(name) or name)
        draft.imply("container", strength, words.strip("# "))


def read_sources(draft: Draft) -> None:
    """Find words that name a kind of place and stand as a place, not as the subject ("Slack migration" is about Slack)."""
    _read_long_names(draft)
    for index, word in enumerate(draft.words):
        if word.role is None and not word.keep and (found := _named(draft, word)):  # GitHub Actions is kept
            if _compared(draft, index):
                word.keep = True
                draft.entities.append((word.start, Entity(EntityKind.TOOL, word.text, 0.8)))
            elif found.placed or _says_where(draft, index):
                _enter_place(draft, index, found)
            elif _may_be_place(draft, index):
                _enter_place(draft, index, found)
                draft.lessen(word.start, found.name, BARE)
                draft.bare_places.append((word.start, found.name))
    if draft.placed:
        read_only(draft)
    if draft.only is not None:
        bare = {at for at, _ in draft.bare_places}
        draft.lesser = [each for each in draft.lesser if each[0] not in bare]
        draft.bare_places = []


def _enter_place(draft: Draft, index: int, found: NamedSource) -> None:
    word, name = draft.words[index], found.name
    draft.hints.append((word.start, found.category))
    if not _is_kind(draft, index, name.lower()):
        draft.placed.append(Placed(word.start, word.start + len(name), name.lower(), found.category))
    word.role = Role.SOURCE
    if index + 1 < len(draft.words) and draft.words[index + 1].lower in CARRIERS:
        draft.words[index + 1].keep = False


def _read_long_names(draft: Draft) -> None:
    """Those of several words."""
    lower = draft.open.lower()
    if any(word in lower for word in MULTI_WORDS):
        for match in MULTI.finditer(draft.open):
            name = match.group().lower()
            category = next((each for word, each in MULTI_CATEGORY.items() if word in name), Category.DRIVE)
            draft.hints.append((match.start(), category))
            draft.placed.append(Placed(*match.span(), name, category))
            draft.claim(match.start(), match.end(), Role.SOURCE)


def _is_kind(draft: Draft, index: int, name: str) -> bool:
    """Only tickets: a kind of thing wherever it is, and no place as in "only in tickets" and 메일에서만."""
    placed = index > 0 and draft.words[index - 1].lower in BEFORE_EN
    return name in COMMON and not placed


def _compared(draft: Draft, index: int) -> bool:
    """Notion vs Coda: one of two things compared is no place to search."""
    near = [word.lower for word in (*draft.words[max(index - 1, 0) : index], *draft.words[index + 1 : index + 2])]
    return draft.words[index].text[0].isupper() and any(word in {"vs", "versus"} for word in near)


def _belongs_to_another(draft: Draft, index: int) -> bool:
    """SLA for P1 tickets, size of support emails: behind for, of or about and another noun, the word is the subject."""
    for word in reversed(draft.words[:index]):
        if word.lower in {"for", "of", "about", "to", "regarding", "per", "between"}:
            return word is not draft.words[index - 1] or word.lower != "per"
        if word.lower in draft.lexicon.stop_en or word.role is not None or word.lower in draft.lexicon.asking_en:
            return False
    return False


@record
class NamedSource:
    """The ``name`` of a kind of source, as typed and without its particle; ``placed``: the particle is one of places (슬랙에서)."""

    name: str
    category: Category
    placed: bool = False


def _named(draft: Draft, word: Word) -> NamedSource | None:
    """What a word names, if that is a kind of source."""
    known, lower = draft.lexicon.categories, word.lower
    if category := known.get(lower):
        return NamedSource(word.text, category)
    if not word.hangul:
        category = known.get(lower[:-2]) if lower.endswith(("'s", "’s")) else None
        return NamedSource(word.text[:-2], category) if category else None
    for size in range(len(lower) - 1, 0, -1):
        if category := known.get(lower[:size]):
            tail = lower[size:]
            placed = tail.removesuffix("만") in PARTICLES or tail == "만"
            if placed or tail in TOPICS:
                return NamedSource(word.text[:size], category, placed)
    return None


def _says_where(draft: Draft, index: int) -> bool:
    """Whether the words beside it make it a place: on slack, slack thread, 노션 페이지. Alone it may be what is asked about: 티켓 가격, linear bearings."""
    after = draft.words[index + 1 :]
    if draft.words[index].hangul:
        return any(each.lower.startswith(CARRIED) for each in after)
    return bool(index and draft.words[index - 1].lower in BEFORE_EN) or bool(after and after[0].lower in AFTER_EN)


def _may_be_place(draft: Draft, index: int) -> bool:
    word, before = draft.words[index], draft.words[index - 1] if index else None
    after = draft.words[index + 1 : index + 4]
    if word.hangul:
        return not any(next_word.lower.startswith(draft.lexicon.subjects_ko) for next_word in after[:2])
    if before and word.lower == "drive" and before.lower in CAMPAIGNS:
        return False
    if after and after[0].hangul and after[0].lower.startswith(draft.lexicon.subjects_ko):
        return False
    if word.lower in COMMON and _belongs_to_another(draft, index):
        return False
    slash = draft.open[word.end : word.end + 1] == "/" or draft.open[word.start - 1 : word.start] == "/"
    return not slash and not (after and after[0].lower in draft.lexicon.subjects_en)


CARRIER = r"(?:페이지|스레드|쓰레드|메시지|채널|문서|티켓|이슈|글|messages?|threads?|pages?|channels?|tickets?|issues?|docs?|posts?)"
BEHIND = regex(
    rf"(?:\s?{CARRIER})?(?:\s?(?:쪽|안|내))?(?:에서|에|으로|로)?만(?:요)?(?![가-힣])(?!\s아니)|(?:\s{CARRIER})?\s(?:only|alone)(?=[?.!,:;)]|$)",
    re.IGNORECASE,
)
BEFORE = regex(
    r"(?<!not )\b(?:(?:search|look|check)\s)?(?:only|just|solely|exclusively)\s(?:(?:search|look|check|ask|use|from|in|on|at|inside|within|via)\s){0,3}(?:(?:the|our|my)\s)?",
    re.IGNORECASE,
)
JOINT = regex(
    r"(?:(?:과|와|랑|이랑|하고|나|이나)\s?|\s?[,/&+]\s?|\s(?:and|or|및|또는)\s)(?:in\s|on\s|the\s|our\s){0,2}",
    re.IGNORECASE,
)
REACH = 48
"""Characters before a place within which "only" may stand."""


def read_only(draft: Draft) -> None:
    """Of the places in the question, find those beside which nothing is wanted, with those joined to them: "Slack과 노션에서만"."""
    places = sorted(draft.placed, key=lambda place: place.start)
    spans = {index: span for index, place in enumerate(places) if (span := _saying(draft.text, place))}
    if not spans:
        return
    chosen = [places[index] for index in sorted(_with_joined(draft.text, places, set(spans)))]
    start = min(chosen[0].start, *(start for start, _ in spans.values()))
    end = max(chosen[-1].end, *(end for _, end in spans.values()))
    named = tuple((tuple(_names(draft, place)), place.category) for place in chosen)
    draft.only = Only(named, NEARLY_TYPED, draft.text[start:end].strip())
    for first, last in spans.values():
        draft.claim(first, last, Role.SOURCE)


def _saying(text: str, place: Placed) -> tuple[int, int] | None:
    """From where to where a place is said to be the only one."""
    near = BEFORE.finditer(text, max(0, place.start - REACH), place.start)
    if before := next((match for match in near if match.end() == place.start), None):
        return before.start(), place.end
    behind = BEHIND.match(text, place.end)
    return (place.start, behind.end()) if behind else None


def _with_joined(text: str, places: list[Placed], sole: set[int]) -> set[int]:
    """Korean says "only" behind the last of several places, English before the first or behind the last."""
    joined = [JOINT.fullmatch(text, one.end, other.start) is not None for one, other in pairwise(places)]
    found = set(sole)
    for index in range(len(joined) - 1, -1, -1):
        if joined[index] and index + 1 in found:
            found.add(index)
    for index, together in enumerate(joined):
        if together and index in found:
            found.add(index + 1)
    return found


def _names(draft: Draft, place: Placed) -> Iterator[str]:
    """As the source may be called: by the word, or by the other names that this has."""
    yield fold(place.word)
    yield from map(fold, draft.lexicon.variants.get(place.word, ()))
