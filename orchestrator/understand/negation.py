"""What the asker does not want: except, not, besides, 말고, 빼고, 제외하고, without the traps (빼기로 했나, not only)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand.draft import BLANK, Role, Word
from orchestrator.understand.patterns import regex
from orchestrator.understand.people_ko import NOT_NAMED

if TYPE_CHECKING:
    from orchestrator.understand.draft import Draft

EXCLUDING = regex(
    r"\b(?P<cue>excluding|except(?:ing)?(?: for)?|besides|other than|apart from|aside from|but not|and not|(?:but )?not including|not counting|leave out|skip(?:ping)?(?= the)|rather than|instead of|ignoring|ignore|minus|leaving out|without counting)\s+",
    re.IGNORECASE,
)
NOT = regex(r"(?:^|[,;.?!(—–-]\s*|\s)(?P<cue>not|no)\s+(?P<rest>.+)", re.IGNORECASE)
KOREAN = regex(
    r"(?P<what>[^\s,;.?!(—–]+(?:\s[^\s,;.?!(—–]+)??)\s*(?P<cue>말고[는요]?|빼고[는요]?|제외하고(?:는|요)?|제외한|제외하면|제외해서|빼놓고|외에는?|이외에|아니고)(?=[^\w]|$)"
)
PAUSE = regex(r"[,;.?!()—–]")
# Plain substrings, tried first: most questions exclude nothing and should not pay for the patterns.
HINTS = (
    "not", "no ", "exc", "besides", "other than", "apart", "aside", "rather", "instead", "ignor", "minus", "leav", "without c", "skip",
)  # fmt: skip
HINTS_KO = ("말고", "빼", "제외", "외에")
DETERMINERS = frozenset(
    ["the", "a", "an", "any", "our", "my", "this", "that", "those", "these", "one", "ones", "from", "all"]
)
HEADS = frozenset({
    "one", "ones", "rules", "version", "versions", "stuff", "either", "article", "articles", "doc", "docs", "document", "documents", "page",
    "pages", "post", "posts", "file", "files", "email", "emails", "message", "messages", "ticket", "tickets", "item", "items", "result",
    "results", "related", "entities", "entity", "staff", "offices", "office", "employees", "workers", "customers", "clients", "orders", "accounts",
    "sites", "site", "region", "regions", "side", "parts", "part", "team", "teams", "cases", "requests",
})  # fmt: skip
STOPPERS = frozenset({
    "for", "in", "on", "at", "with", "who", "that", "which", "and", "or", "but", "please", "since", "from", "is", "are", "was", "were",
    "when", "where", "to", "about", "if", "as", "so", "because", "by", "of",
})  # fmt: skip


def read_negations(draft: Draft) -> None:
    """Collect excluded words and take them and their cue out of the text."""
    lower = draft.open.lower()
    if any(hint in lower for hint in HINTS):
        for match in list(EXCLUDING.finditer(draft.open)):
            _english(draft, match.start("cue"), match.end())
        for match in list(NOT.finditer(draft.open)):
            _bare_not(draft, match)
    if any(hint in draft.open for hint in HINTS_KO):
        for match in list(KOREAN.finditer(draft.open)):
            _korean(draft, match)


def _bare_not(draft: Draft, match: re.Match[str]) -> None:
    """A lone not or no excludes only after a pause: "refund rules, not the old ones", never "is it not done"."""
    start = match.start("cue")
    before = draft.open[:start].rstrip()
    rest = match["rest"].split()
    chosen = before.lower().endswith((" one", " ones", " version")) and rest[:1] and rest[0].lower() in DETERMINERS
    if not before or (before[-1] not in ",;.?!(—–-" and match["cue"].lower() == "not" and not chosen):
        return
    paused = before[-1] in ",;.?!(—–-"
    if not chosen and (not paused or not rest or rest[0].lower().strip(",.") in draft.lexicon.not_topic):
        return
    _english(draft, start, match.start("rest"))


def _english(draft: Draft, start: int, after: int) -> None:
    """The noun group after the cue, up to the next pause or preposition."""
    group: list[Word] = []
    for word in (word for word in draft.words if word.start >= after):
        gap = draft.open[group[-1].end if group else after : word.start]
        if BLANK in gap or PAUSE.search(gap) or (group and _stops(draft, word)):
            break
        if word.lower in DETERMINERS and not group:
            continue
        group.append(word)
        if len(group) == 3:  # noqa: PLR2004  (longer groups are clauses, not things)
            break
    last = group[-1].end if group else after
    while len(group) > 1 and group[-1].lower in HEADS:
        group.pop()
    if group:
        _exclude(draft, start, group[0].start, group[-1].end, until=last)


def _stops(draft: Draft, word: Word) -> bool:
    """A preposition or a verb ends the group: besides Rahul | knows the cluster."""
    return word.lower in STOPPERS or word.lower in draft.lexicon.acting_en or word.lower in draft.lexicon.authoring_en


def _korean(draft: Draft, match: re.Match[str]) -> None:
    words = list(draft.words_in(match.start("what"), match.end("what")))
    if not words:
        return
    last = words[-1]
    if len(words) > 1 and re.sub(r"[은는을를도]$", "", last.lower) in {
        "버전",
        "것",
        "거",
        "건",
        "쪽",
        "내용",
        "부분",
        "분",
    }:
        words, last = words[:-1], words[-2]
    _exclude(draft, last.start, last.start, last.end, until=match.end())


def _exclude(draft: Draft, claim_from: int, start: int, end: int, until: int | None = None) -> None:
    text = draft.text[start:end]
    name = re.sub(r"(?<=[가-힣A-Za-z])(?:님|씨)$", "", re.sub(r"(?:은|는|을|를)$", "", text) if len(text) > 2 else text)  # noqa: PLR2004
    if name in NOT_NAMED:
        name = text  # 대표님: a title alone keeps its 님
    draft.negated.append((start, name))
    draft.claim(claim_from, until or end, Role.NEGATED)
