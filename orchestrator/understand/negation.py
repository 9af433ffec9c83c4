"""What the asker does not want: except, not, besides, 말고, 빼고, 제외하고, without the traps (빼기로 했나, not only)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand import negation_ko
from orchestrator.understand.draft import BLANK, Role, Word
from orchestrator.understand.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.korean import Morph

EXCLUDING = regex(
    r"\b(?P<cue>excluding|excl\.?|except(?:ing)?(?: for)?|besides|other than|(?:any|every)(?:one|body|thing) but"
    r"|apart from|aside from|but not|and not|(?:but )?not including|not counting|leave out|skip(?:ping)?(?= the)|rather than|instead of"
    r"|ignoring|ignore|minus|leaving out|without counting|save for|barring|bar(?= (?:the|our|any) )|w/o"
    r"|(?:i |we )?(?:don't|dont|don’t|do not) (?:want|need)|(?:that|which) (?:aren't|isn't|are not|is not) (?:about|from|related to))\s+",
    re.IGNORECASE,
)
LEFT_OUT = regex(
    r"(?:(?:^|[,;(—–-])\s*(?:but |with )?(?P<what>[^,;.?!()]+?) (?:excluded|left out)(?=\s*(?:[,;.)!]|$))"
    r"|(?P<verb>\b(?:leave|leaving|keep|keeping) )(?P<out>(?:\S+ ){1,4}?)out\b(?=\s*(?:[,;.)!]|$)))",
    re.IGNORECASE,
)
NOT = regex(r"(?:^|[,;.?!(—–-]\s*|\s)(?P<cue>not|no)\s+(?P<rest>.+)", re.IGNORECASE)
PAUSE = regex(r"[,;.?!()—–]")
PAUSES = ",;.?!(—–-"
INSTEAD = regex(r"\s*[,;—–]\s*(?:but\s+)?|\s+but\s+", re.IGNORECASE)
# Plain substrings, tried first: most questions exclude nothing and should not pay for the patterns.
HINTS = (
    "not", "no ", "exc", "besides", "other than", "e but", "y but", "g but", "apart", "aside", "rather", "instead", "ignor", "minus", "leav",
    "without c", "skip", "save for", "bar", "w/o", "don", "n't", "left out", "keep",
)  # fmt: skip
DETERMINERS = frozenset(
    ["the", "a", "an", "any", "our", "my", "this", "that", "those", "these", "one", "ones", "from", "all"]
)
DETERMINED = regex(r"(?:(?:the|a|an|any|our|those|these|from)\s+)+", re.IGNORECASE)
HEADS = frozenset({
    "one", "ones", "rules", "version", "versions", "stuff", "either", "article", "articles", "doc", "docs", "document", "documents", "page",
    "pages", "post", "posts", "file", "files", "email", "emails", "message", "messages", "ticket", "tickets", "item", "items", "result",
    "results", "related", "entities", "entity", "staff", "offices", "office", "employees", "workers", "customers", "clients", "orders", "accounts",
    "sites", "site", "region", "regions", "side", "parts", "part", "team", "teams", "cases", "requests", "please", "thread", "threads",
})  # fmt: skip
STOPPERS = frozenset({
    "for", "in", "on", "at", "with", "who", "that", "which", "and", "or", "but", "please", "since", "from", "is", "are", "was", "were",
    "when", "where", "to", "about", "if", "as", "so", "because", "by", "of", "just", "only",
})  # fmt: skip
VERBAL = frozenset({
    "is", "are", "was", "were", "be", "been", "am", "has", "have", "had", "can", "could", "will", "would", "should", "may", "might", "must",
    "why", "if", "whether", "or", "it's", "that's", "i'm", "we're", "they're", "there's", "what's", "who's", "decided", "agreed", "chose", "sure", "maybe",
})  # fmt: skip
"""Words that make a *not* behind them, in the same clause, part of what is said."""
AUXILIARY = frozenset({"do", "does", "did"})
STATES = frozenset({
    "to", "yet", "in", "on", "at", "out", "up", "due", "paid", "sent", "done", "met", "sold", "made", "given", "shown", "seen", "written", "built",
    "held", "set", "kept", "left", "ready", "available", "working", "able", "valid", "sure", "enough", "so", "very", "much", "many", "now", "here", "for",
    "applicable", "my", "it", "me", "responding", "show", "showing", "open", "opening", "load", "loading", "sync", "syncing",
})  # fmt: skip
"""Behind a bare *not* these go on with a statement and name no thing."""
NOUNS = frozenset({
    "report", "reports", "post", "posts", "review", "reviews", "draft", "drafts", "comment", "comments", "update", "updates", "design", "designs",
    "record", "records", "request", "requests", "summary", "note", "notes",
})  # fmt: skip
"""Verbs of writing that are things where the clause ends."""
LONGEST = 3
"""Longer groups are clauses, not things."""


def read_negations(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Collect excluded words and take them and their cue out of the text."""
    lower = draft.open.lower()
    if any(hint in lower for hint in HINTS):
        for match in list(EXCLUDING.finditer(draft.open)):
            _exclude(draft, match.start("cue"), match.end())
        for match in list(LEFT_OUT.finditer(draft.open)):
            _left_out(draft, match)
        for match in list(NOT.finditer(draft.open)):
            _bare_not(draft, match)
    negation_ko.read(draft, morphs)


def _bare_not(draft: Draft, match: re.Match[str]) -> None:
    """A lone not or no excludes after a pause ("refund rules, not the old ones") or between two things, never in "is it not done"."""
    start = match.start("cue")
    before, rest = draft.open[:start].rstrip(), match["rest"].lower().split()
    if not rest:
        return
    if not before:
        if match["cue"].lower() == "not" and _rejects(draft, match["rest"]):
            _exclude(draft, start, match.start("rest"))
        return
    if before[-1] in PAUSES:
        excludes = rest[0].strip(",.") not in draft.lexicon.not_topic
    elif match["cue"].lower() == "not":
        chosen = before.lower().endswith((" one", " ones", " version")) and rest[0] in DETERMINERS
        excludes = chosen or _between_things(draft, before, rest[0].strip(",.?!"))
    else:
        excludes = False
    if excludes:
        _exclude(draft, start, match.start("rest"))


def _rejects(draft: Draft, rest: str) -> bool:
    """Not the draft, the final guide: one thing put aside at the beginning, and behind a pause or *but* the one wanted."""
    thing, *wanted = INSTEAD.split(rest, maxsplit=1)
    words = thing.lower().split()
    named = [word for word in words if word not in DETERMINERS]
    if not wanted or not wanted[0].strip() or not 0 < len(named) <= LONGEST:
        return False
    if any(word in STATES or word in VERBAL or word in draft.lexicon.not_topic for word in words):
        return False
    return words[0] in DETERMINERS or _alike(wanted[0].lower().split(), named)


def _alike(wanted: list[str], thing: list[str]) -> bool:
    """Not flights, hotels: without an article, two things as short as each other."""
    plain = not any(
        word in VERBAL or word in STOPPERS or word.endswith(("ed", "ly", "ing")) for word in (*wanted, *thing)
    )
    return plain and len(wanted) <= LONGEST and thing[-1].endswith("s") and wanted[-1].rstrip("?!. ").endswith("s")


def _between_things(draft: Draft, before: str, after: str) -> bool:
    """Hotels not flights: two words or more without a verb that *not* could belong to, and a thing behind it."""
    clause = PAUSE.split(before.lower())[-1].replace("’", "'").split()
    if len(clause) < 2 or clause[0] in AUXILIARY or clause[-1] in AUXILIARY:  # noqa: PLR2004  (one word and not: a label)
        return False
    if any(word in VERBAL or word.endswith("n't") for word in clause) or BLANK in clause[-1]:
        return False
    return after not in STATES and after not in draft.lexicon.not_topic and not after.endswith(("ed", "ing", "ly"))


def _left_out(draft: Draft, match: re.Match[str]) -> None:
    """Contractors excluded, leave the drafts out."""
    name = "what" if match["what"] else "out"
    words = [word for word in draft.words_in(match.start(name), match.end(name)) if word.lower not in DETERMINERS]
    if (
        not words
        or len(words) > LONGEST
        or any(word.role or word.lower in STOPPERS or word.lower in VERBAL for word in words)
    ):
        return
    while len(words) > 1 and words[-1].lower in HEADS:
        words.pop()
    _add(draft, words[0].start, words[-1].end)
    draft.claim(match.start(name if match["what"] else "verb"), match.end(), Role.NEGATED)


def _exclude(draft: Draft, start: int, after: int) -> None:
    """The noun group after the cue, and another one joined to it by and, or."""
    end = _group(draft, after)
    if end is None:
        determined = DETERMINED.match(draft.text, after)
        at = determined.end() if determined else after
        negation_ko.exclude_period(draft, at, start, at)
        return
    joined = [word for word in draft.words if word.start >= end][:1]
    if joined and joined[0].lower in {"and", "or", "nor"} and draft.open[end : joined[0].start].isspace():
        end = _second(draft, joined[0].end) or end
    draft.claim(start, end, Role.NEGATED)


def _second(draft: Draft, after: int) -> int | None:
    """Interns *and temps*: only what ends the clause, so that "not the draft and compare prices" keeps the prices."""
    ahead = PAUSE.split(draft.open[after:].split(BLANK)[0])[0].lower().split()
    ahead = [word for word in ahead if word not in DETERMINERS]
    plain = [word for word in ahead if word not in STOPPERS and word not in draft.lexicon.asking_en]
    if not ahead or plain != ahead or len([word for word in ahead if word not in HEADS]) > 1:
        return None
    return _group(draft, after)


def _group(draft: Draft, after: int) -> int | None:
    """Enter the noun group that begins at ``after``, up to the next pause or preposition; gives its end."""
    group: list[Word] = []
    for word in (word for word in draft.words if word.start >= after):
        gap = draft.open[group[-1].end if group else after : word.start]
        if word.role is not None or BLANK in gap or PAUSE.search(gap) or (group and _stops(draft, word)):
            break
        if word.lower in DETERMINERS and not group:
            continue
        group.append(word)
        if len(group) == LONGEST:
            break
    if not group:
        return None
    end = group[-1].end
    while len(group) > 1 and group[-1].lower in HEADS:
        group.pop()
    _add(draft, group[0].start, group[-1].end)
    return end


def _stops(draft: Draft, word: Word) -> bool:
    """A preposition or a verb ends the group: besides Rahul | knows the cluster."""
    if word.lower in STOPPERS:
        return True
    rest = draft.open[word.end :].lstrip()
    if word.lower in NOUNS and (not rest or rest[0] in PAUSES):
        return False
    return word.lower in draft.lexicon.acting_en or word.lower in draft.lexicon.authoring_en


def _add(draft: Draft, start: int, end: int) -> None:
    draft.negated.append((start, negation_ko.bare(draft.text[start:end])))
