"""What of a result is its own: a reply's subject, the mail quoted below it and a notice of another thing are not."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import timedelta
from itertools import takewhile
from typing import TYPE_CHECKING

from connectors.passages import END
from orchestrator.answer.dates import days, newest_first
from orchestrator.answer.sentences import READ
from orchestrator.answer.signals import BLOCKED, SEEKING, UNMARKED
from orchestrator.answer.text import ADDRESS, quotable_line
from translators.match import happened
from translators.patterns import Sieve, regex
from translators.query import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from connectors.contract import Hit
    from orchestrator.model import Result

REPLY = regex(r"\s*(?:re|fwd?|aw|wg|sv|회신|답장|전달)\s?[:：]", re.IGNORECASE)
FORWARD = regex(r"\s*(?:fwd?|wg|전달)\s?[:：]", re.IGNORECASE)
QUOTED = regex(r"^\s{0,80}>.*\n?", re.MULTILINE)
ATTRIBUTION = regex(r"^[^\n>]{1,200}[:：][ \t]{0,9}\n(?=>)", re.MULTILINE)  # "On 3 May Ana wrote:"
# The same where a source gives a mail in one line: "Fine. Ana > On 3 May Ben wrote: > Could you?"
WROTE = regex(r"\s?(?:wrote|작성)[:：]\s?>")
BEGUN = regex(r"\s(?:>\s)?(?:On\s(?=[A-Z\d])|\d{4}년\s)")
QUESTION = Sieve(regex(rf"[?？](?=\s|$)|{SEEKING}|{UNMARKED}", re.IGNORECASE))
SPOKEN = frozenset({Kind.MESSAGE, Kind.THREAD})
TALK = SPOKEN | {Kind.MAIL}  # these stand in threads of each other
SPEAKING = SPOKEN | {Kind.MAIL, Kind.ISSUE}  # these speak of documents
WORK = frozenset({Kind.ISSUE, Kind.MILESTONE, Kind.PULL_REQUEST})
PLACED = SPOKEN | {Kind.ISSUE}  # the name of a channel or a project says what these are about
AS_WRITTEN = SPOKEN | {Kind.PAGE}  # a line of these is as long as its author made it
ATTRIBUTED = 160  # characters in which it is said who wrote what is quoted, and when
ROOT = 600  # characters of a conversation's first message that say what its replies are about
MOSTLY = 0.6  # of a sentence is the title of another thing: it is a notice of that
TELLING = 12  # characters of a title below which others may say the same by chance, of a reply that tells something
RUNNING = 56  # characters of a last line from which on it is prose, and ends in a full stop if it is whole

# Lines at the end of a letter in which its author's name is a signature: name, post, firm, telephone, address.
SIGNED = 5
SIGNING = regex(r"[\s,.!–—-]*(?:(?:드림|올림|배상)[\s,.!]*)?")
"""What may stand behind a name that signs."""

ConversationKey = tuple[str, str, str]


def is_reply(title: str) -> bool:
    """A subject that was taken over: what it says is the first mail's word."""
    return REPLY.match(title) is not None


def is_dated(hit: Hit, title: str) -> bool:
    """Whether the only day in a title is that of the thing itself, as minutes have it."""
    if hit.created is None:
        return False
    made = hit.created.date()
    return all(abs(each - made) <= timedelta(days=1) for each in days(title, made))


def own_text(hit: Hit) -> str:
    """Without what a mail quotes of the one before, as long as it says something itself; what it forwards is what it says."""
    if hit.kind is not Kind.MAIL or ">" not in hit.snippet or FORWARD.match(hit.title):
        return hit.snippet
    own = QUOTED.sub("", ATTRIBUTION.sub("", _unquoted(hit.snippet)))
    return own if own.strip() else hit.snippet


def signed(hit: Hit) -> tuple[str, tuple[str, ...]]:
    """What a letter says, and the lines with which it is signed: its author's name, or a part of it alone in a line, and what stands below."""
    text = own_text(hit)
    if hit.kind is not Kind.MAIL or hit.author is None or not hit.author.name.strip():
        return text, ()
    lines = text.splitlines(keepends=True)
    said = [place for place, line in enumerate(lines) if line.strip()]
    names = [hit.author.name.casefold(), *hit.author.name.casefold().split()]  # the whole one first
    for place in said[1:][-SIGNED:]:
        line = lines[place].strip()
        name = next((each for each in names if line.casefold().startswith(each)), "")
        if name and SIGNING.fullmatch(line, len(name)) and not _is_listing(lines[:place]):
            return "".join(lines[:place]), tuple(line.strip() for line in lines[place:] if line.strip())
    return text, ()


def _is_listing(lines: Sequence[str]) -> bool:
    """Whether what was said last announces what follows: "On call:" and names."""
    return next((line for line in reversed(lines) if line.strip()), "").rstrip().endswith((":", "："))


def _unquoted(text: str) -> str:
    """A text up to where somebody's mail is quoted in the same line."""
    if not (wrote := WROTE.search(text)):
        return text
    begun = [each.start() for each in BEGUN.finditer(text, max(0, wrote.start() - ATTRIBUTED), wrote.end())]
    return text[: begun[-1]] if begun and "\n" not in text[begun[-1] :].strip() else text


def text_of(hit: Hit) -> str:
    """All of it that is read: its title, its headings, and its text as far as sentences are taken from it."""
    return f"{hit.title}\n{hit.heading}\n{hit.snippet[:READ]}"


def is_blocked(hit: Hit) -> bool:
    """Whether other open work holds up a piece of work, or its title, its state, the column that it stands in or a label says that it is held up."""
    if hit.facts.get("blocked_by"):
        return True
    labels = hit.facts.get("labels") or ()
    said = (
        hit.title,
        hit.facts.get("state", ""),
        hit.facts.get("section", ""),
        *(labels if isinstance(labels, tuple) else ()),
    )
    return BLOCKED.search("\n".join(map(str, said))) is not None


def is_asking(hit: Hit) -> bool:
    """Whether a message asks something: what it says beside that is not what its author knows."""
    return hit.kind in SPOKEN and QUESTION.finds(hit.snippet)


def is_cut(hit: Hit, sentence: str) -> bool:
    """Whether a sentence stands where the source cut its text: prose at the end of a part of it, without a full stop."""
    if hit.complete or not sentence or END.fullmatch(sentence[-1]):
        return False
    last = hit.snippet.rstrip().rpartition("\n")[2]
    return len(last) >= RUNNING and quotable_line(last).endswith(sentence)


def titles_of(results: Sequence[Result]) -> tuple[tuple[str, str], ...]:
    """What things are called, each with its id."""
    named = ((each.hit.id, quotable_line(each.hit.title)) for each in results)
    return tuple((key, title) for key, title in named if len(title) >= TELLING)


def is_notice(hit: Hit, sentence: str, titles: Iterable[tuple[str, str]]) -> bool:
    """Whether a message says little but what another thing found is called: "X created K-1: <its title> <its address>"."""
    if hit.kind not in SPOKEN:
        return False
    named = [title for key, title in titles if title in sentence and key != hit.id]
    return bool(named) and max(map(len, named)) >= MOSTLY * len(ADDRESS.sub("", sentence))


def conversations(results: Iterable[Result]) -> Mapping[ConversationKey, tuple[Hit, ...]]:
    """The messages and mails of each conversation that were found, as they followed each other."""
    said: defaultdict[ConversationKey, list[Hit]] = defaultdict(list)
    for each in results:
        if each.hit.kind in TALK and happened(each.hit):
            said[conversation_of(each.hit)].append(each.hit)
    return {key: tuple(sorted(hits, key=lambda hit: -newest_first(happened(hit)))) for key, hits in said.items()}


def context_of(hit: Hit, said: Mapping[ConversationKey, Sequence[Hit]]) -> str:
    """What says what a message or an issue is about before it speaks: its place, what began the conversation, and what was said just before."""
    messages = said.get(conversation_of(hit), ()) if hit.kind in TALK else ()
    place = [hit.container.name] if hit.container and hit.kind in PLACED else []
    before = list(takewhile(lambda each: each.id != hit.id, messages))
    return "\n".join((*place, *(each.snippet[:ROOT] for each in (*before[:1], *before[1:][-1:]))))


def last_word(hit: Hit, said: Mapping[ConversationKey, Sequence[Hit]]) -> bool:
    """Whether a message is the newest reply of its conversation that tells something."""
    telling = [
        each for each in said.get(conversation_of(hit), ()) if len(each.snippet) >= TELLING and not is_asking(each)
    ]
    return len(telling) > 1 and telling[-1].id == hit.id


def conversation_of(hit: Hit) -> ConversationKey:
    """What a message or mail is part of: its source, its place and its thread. The mails of a thread lie in several mailboxes."""
    place = hit.container.name if hit.container and hit.kind in SPOKEN else ""
    return hit.source, place, hit.thread


def whole_of(hit: Hit) -> ConversationKey:
    """The conversation of a message or mail; anything else by itself."""
    return conversation_of(hit) if hit.kind in TALK else (hit.source, "", hit.id)
