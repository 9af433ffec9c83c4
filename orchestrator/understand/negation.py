"""What the asker does not want: except, not, besides, 말고, 빼고, 제외하고, without the traps (빼기로 했나, not only)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand import negation_ko
from orchestrator.understand.draft import BLANK, Role, Word
from orchestrator.understand.meaning import HARDLY, LIKELY
from orchestrator.understand.places import DETERMINERS
from translators.patterns import regex
from translators.query import NEARLY_TYPED
from translators.question_words import ASKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.korean import Morph

EXCLUDING = regex(
    r"\b(?:(?P<sure>excluding|exclude|excl\.?|except(?:ing)?(?: for)?|other than|(?:any|every)(?:one|body|thing) but|(?:but )?not including"
    r"|not counting|without counting|leaving out|save for|barring|bar(?= (?:the|our|any) )|minus|w/o|(?:that|which) (?:aren't|isn't|are not|is not) (?:about|from|related to))"
    r"|(?P<told>leave out|skip(?:ping)?|ignoring|ignore|(?:i |we )?(?:don't|dont|don’t|do not) (?:want|need))"
    r"|(?P<rather>but not|and not|rather than|instead of)|(?P<adding>besides|apart from|aside from|in addition to|as well as|on top of))\s+",
    re.IGNORECASE,
)
"""What leaves something out; only where somebody is told to; where a statement does not go on; and what comes in addition."""
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
    "without c", "skip", "save for", "bar", "w/o", "don", "n't", "left out", "keep", "addition", "as well", "on top",
)  # fmt: skip
BEFORE_A_THING = DETERMINERS - {"each", "every", "no"} | {"one", "ones", "from"}  # "not every guide" leaves none out
DETERMINED = regex(r"(?:(?:the|a|an|any|our|those|these|from)\s+)+", re.IGNORECASE)
HEADS = frozenset({
    "one", "ones", "rules", "version", "versions", "stuff", "either", "article", "articles", "doc", "docs", "document", "documents", "page",
    "pages", "post", "posts", "file", "files", "email", "emails", "message", "messages", "ticket", "tickets", "result", "results", "related",
    "staff", "employees", "workers", "customers", "clients",
    "cases", "requests", "orders", "accounts", "entities", "entity", "side", "part", "parts", "please", "thread", "threads",
})  # fmt: skip
"""What stands for a thing, holds its text or is told apart by it (contractor staff); every other noun is a part of what is excluded."""
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
VERBAL_OR_DOING = VERBAL | AUXILIARY
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
WANTED = regex(r"\b(?:who|whom|people|person|anyone|experts?|somebody|someone|contacts?|colleagues?)\b")
"""Asks for people."""


def read_negations(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Collect excluded words and take them and their cue out of the text; what comes in addition stays a lesser word."""
    lower = draft.open.lower()
    if any(hint in lower for hint in HINTS):
        for match in list(EXCLUDING.finditer(draft.open)):
            _read_cue(draft, match)
        for match in list(LEFT_OUT.finditer(draft.open)):
            _left_out(draft, match)
        for match in list(NOT.finditer(draft.open)):
            _bare_not(draft, match)
    negation_ko.read_negation_ko(draft, morphs)


def _read_cue(draft: Draft, match: re.Match[str]) -> None:
    start, after = match.start(), match.end()
    if match["adding"]:
        if WANTED.search(draft.text.lower()) and draft.text[after : after + 1].isupper():
            _exclude(draft, start, after, HARDLY)  # who besides Ivan knows it: what is written of it may well name him
        else:
            _weaken(draft, start, after)
    elif match["told"]:
        before = draft.open[:start].split()
        if not before or before[-1][-1] in PAUSES or before[-1].lower() in {"and", "but", "please"}:
            _exclude(draft, start, after, NEARLY_TYPED)
    elif match["sure"] or _names_a_thing(draft, draft.open[:start], draft.open[after:]):
        sure = NEARLY_TYPED if match["sure"] else LIKELY
        _exclude(draft, start, after, HARDLY if _is_told(draft, start, after) else sure)


def _is_told(draft: Draft, start: int, after: int) -> bool:
    """Whether a fact is asked for that is told of all but one: which depot other than Cork *is* on Mulberry. What tells it may well name that one."""
    before = PAUSE.split(draft.open[:start])[-1].split()
    _, end = _group(draft, after)
    behind = PAUSE.split(draft.open[end:])[0].lower().split()
    return bool(before) and ASKS.match(before[0].lower()) is not None and not VERBAL_OR_DOING.isdisjoint(behind)


def _weaken(draft: Draft, start: int, after: int) -> None:
    """Besides email, what is there: answers may well speak of email, and need not."""
    group, end = _group(draft, after)
    for word in group:
        draft.lessen(word.start, word.bare)
    draft.claim(start, end if group else after, Role.NOISE)


def _names_a_thing(draft: Draft, before: str, after: str) -> bool:
    """Whether a thing stands behind *but not* or *instead of*: in "discussed but not implemented" none does, and "why A rather than B" is about both."""
    words = PAUSE.split(after.lower())[0].split()
    if not words or any(word in VERBAL for word in PAUSE.split(before.lower())[-1].split()):
        return False
    first = words[0]
    return first in BEFORE_A_THING or not (
        first in STATES
        or first in VERBAL
        or first in draft.lexicon.not_topic
        or first in draft.lexicon.acting_en
        or first.endswith(("ed", "ing", "ly"))
    )


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
        excludes = rest[0].strip(",.") not in draft.lexicon.not_topic and (
            rest[0] in BEFORE_A_THING or rest[0].strip(",.") not in STATES
        )
    elif match["cue"].lower() == "not":
        chosen = before.lower().endswith((" one", " ones", " version")) and rest[0] in BEFORE_A_THING
        typed = match["cue"].isupper() and not before.isupper()  # as search boxes have it: rollout NOT okta
        excludes = chosen or _between_things(draft, before, rest[0].strip(",.?!"), 1 if typed else 2)
    else:
        excludes = False
    if excludes:
        _exclude(draft, start, match.start("rest"))


def _rejects(draft: Draft, rest: str) -> bool:
    """Not the draft, the final guide: one thing put aside at the beginning, and behind a pause or *but* the one wanted."""
    thing, *wanted = INSTEAD.split(rest, maxsplit=1)
    words = thing.lower().split()
    named = [word for word in words if word not in BEFORE_A_THING]
    if not wanted or not wanted[0].strip() or not 0 < len(named) <= LONGEST:
        return False
    if any(word in STATES or word in VERBAL or word in draft.lexicon.not_topic for word in words):
        return False
    return words[0] in BEFORE_A_THING or _alike(wanted[0].lower().split(), named)


def _alike(wanted: list[str], thing: list[str]) -> bool:
    """Not flights, hotels: without an article, two things as short as each other."""
    plain = not any(
        word in VERBAL or word in STOPPERS or word.endswith(("ed", "ly", "ing")) for word in (*wanted, *thing)
    )
    return plain and len(wanted) <= LONGEST and thing[-1].endswith("s") and wanted[-1].rstrip("?!. ").endswith("s")


def _between_things(draft: Draft, before: str, after: str, least: int) -> bool:
    """Hotels not flights: ``least`` words without a verb that *not* could belong to (one and not: a label), and a thing behind it."""
    clause = PAUSE.split(before.lower())[-1].replace("’", "'").split()
    if len(clause) < least or clause[0] in AUXILIARY or clause[-1] in AUXILIARY:
        return False
    if any(word in VERBAL or word.endswith("n't") for word in clause) or BLANK in clause[-1]:
        return False
    return after not in STATES and after not in draft.lexicon.not_topic and not after.endswith(("ed", "ing", "ly"))


def _left_out(draft: Draft, match: re.Match[str]) -> None:
    """Contractors excluded, leave the drafts out."""
    name = "what" if match["what"] else "out"
    words = [word for word in draft.words_in(match.start(name), match.end(name)) if word.lower not in BEFORE_A_THING]
    if (
        not words
        or len(words) > LONGEST
        or any(word.role or word.lower in STOPPERS or word.lower in VERBAL for word in words)
    ):
        return
    while len(words) > 1 and words[-1].lower in HEADS:
        words.pop()
    _add(draft, words, NEARLY_TYPED)
    draft.claim(match.start(name if match["what"] else "verb"), match.end(), Role.NEGATED)


def _exclude(draft: Draft, start: int, after: int, strength: float = LIKELY) -> None:
    """The noun group after the cue, and another one joined to it by and, or."""
    group, end = _group(draft, after)
    if not group:
        determined = DETERMINED.match(draft.text, after)
        at = determined.end() if determined else after
        negation_ko.exclude_period(draft, at, start, at)
        return
    _add(draft, group, strength)
    joined = [word for word in draft.words if word.start >= end][:1]
    if joined and joined[0].lower in {"and", "or", "nor"} and draft.open[end : joined[0].start].isspace():
        second, last = _second(draft, joined[0].end)
        if second:
            _add(draft, second, strength)
            end = last
    draft.claim(start, end, Role.NEGATED)


def _second(draft: Draft, after: int) -> tuple[list[Word], int]:
    """Interns *and temps*: only what ends the clause, so that "not the draft and compare prices" keeps the prices."""
    ahead = PAUSE.split(draft.open[after:].split(BLANK)[0])[0].lower().split()
    ahead = [word for word in ahead if word not in BEFORE_A_THING]
    plain = [word for word in ahead if word not in STOPPERS and word not in draft.lexicon.asking_en]
    if not ahead or plain != ahead or len([word for word in ahead if word not in HEADS]) > 1:
        return [], after
    return _group(draft, after)


def _group(draft: Draft, after: int) -> tuple[list[Word], int]:
    """The noun group that begins at ``after``, up to the next pause or preposition, and where it ends."""
    group: list[Word] = []
    end, stands_in = after, False
    for word in (word for word in draft.words if word.start >= after):
        gap = draft.open[end : word.start]
        if word.role is not None or BLANK in gap or PAUSE.search(gap) or (group and _stops(draft, word)):
            break
        end = word.end
        if not group and (word.lower in BEFORE_A_THING or (stands_in and word.lower in STOPPERS)):
            stands_in = stands_in or word.lower in {"one", "ones", "that", "those"}
            continue  # the one for contractors: contractors
        group.append(word)
        if len(group) == LONGEST:
            break
    while len(group) > 1 and group[-1].lower in HEADS:
        group.pop()
    return group, end


def _stops(draft: Draft, word: Word) -> bool:
    """A preposition or a verb ends the group: besides Rahul | knows the cluster."""
    if word.lower in STOPPERS or word.lower in VERBAL_OR_DOING:
        return True
    rest = draft.open[word.end :].lstrip()
    if word.lower in NOUNS and (not rest or rest[0] in PAUSES):
        return False
    return word.lower in draft.lexicon.acting_en or word.lower in draft.lexicon.authoring_en


def _add(draft: Draft, group: list[Word], strength: float) -> None:
    start, end = group[0].start, group[-1].end
    negation_ko.add(draft, start, negation_ko.bare(draft.text[start:end]), strength)
