"""Follow-up questions (pronouns, ellipsis, corrections), made whole from the question before them.

In this order: "not that one" asks the same again without what it led to. A fragment that names something of a kind that the
former question names too ("and in Korea?", "5월은?") stands in its place. A pronoun, or nothing to ask about, stands for the
former subject, and so does a fragment that asks for something else of it ("재발 방지 작업은?"). A whole question that names
nobody and nothing gets the most telling words of the former. Every other stands alone.

Dates, people, places and sources are carried on only with the whole of the former question; nothing of an answer ever is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.model import FollowUp
from orchestrator.understand import is_known
from translators.patterns import regex
from translators.question_words import ENGLISH_ASKS, KOREAN_ASKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from orchestrator.model import DialogueTurn
    from orchestrator.understand import Lexicon
    from translators.query import Query

MOST_LEFT_OUT = 30  # results that somebody did not mean
PRONOUN_KO = regex(
    r"(?:^|\s)(?:그거|그건|그게|그걸|그것|그때|그쪽|거기|이거|이건|이게|이걸|이것|저거|저건|해당|그\s?(?:이전|이후|전|후|뒤|다음)(?:에는|에|엔|은|부터)?(?![가-힣]))"
)
PRONOUN_EN = regex(
    r"\b(?:it|its|they|them|their)\b"
    r"|\b(?:that|this|those|these)\b(?=\s*(?:[?.!,]|$|(?:is|was|are|were|has|have|had|will|one|ones)\b))",
    re.IGNORECASE,
)
NOT_THAT = regex(
    r"^\W*+(?:(?:no|nope)\b[\s,.!]*+)?+(?:(?:i (?:do not|don['’]t|did not|didn['’]t) mean|not|that(?:['’]s| is) not)\s(?:that|this|it|these|those|the same)(?:\sones?)?+\b"
    r"|(?:that(?:['’]s| is|was)|this is)\s?(?:wrong|not (?:it|right|what i (?:asked|meant|mean)))\b"
    r"|(?:the |an)?other ones?\b|something else\b"
    r"|(?:아니요?+[\s,.!]++)?+(?:(?:그|이|저)\s?(?:거|것|게|건|쪽|사람|문서|날)\s?(?:말고는?+|아니고|아니라|아닌데요?+|아니[야요]|아니에요|아닙니다)|다른\s(?:거|것|건|게)(?![가-힣])))",
    re.IGNORECASE,
)
MEANT = regex(r"^\W*+(?:no\b[\s,.!]++)?+i (?:mean|meant)\b|^\W*+(?:no\b\s?[,.!]|아니요?+[\s,.!])", re.IGNORECASE)
MEANT_KO = regex(r"\s(?:말이[야에]요?|말한\s?(?:거|건데|겁니다)(?:[야예]요?)?|말입니다|얘기[야예]요?)\W*$")
LED_BY = regex(
    r"^\W*+(?:(?:and|also|but|so|then|or)\b[\s,]*+)?+(?:what about|how about)\b|^\W*+(?:and|also|but|so|then|or)\b"
    r"|^\W*+(?:그럼|그러면|그리고|그런데|근데|또)(?=[\s,])",
    re.IGNORECASE,
)
TOPIC_KO = regex(r"[가-힣A-Za-z\d](?:은|는|이는|도)(?:요)?[\s?？.!]*$")
ASKING = regex(
    rf"\b(?:tell|show|find|list|explain|give|{ENGLISH_ASKS})\b|알려|보여|찾아|설명해|정리해|{KOREAN_ASKS}",
    re.IGNORECASE,
)
THE = r"(?:\bthe\s)?"
PREPOSITION = regex(r"\b(in|at|for|from|with|on|by|to)\s(?:the\s)?([\w-]{1,60})", re.IGNORECASE)


def has_subject(query: Query) -> bool:
    """Whether a question says by itself what it is about."""
    return bool(query.keywords or query.phrases or query.ids)


def has_topic(query: Query) -> bool:
    """The same, or whether it names somebody or some place."""
    return has_subject(query) or bool(query.people() or query.author or query.container)


def goes_on(text: str, query: Query) -> bool:
    """Whether a message can only be about what was asked before it: it names no subject, or points back to one."""
    return not has_subject(query) or bool(PRONOUN_KO.search(text) or PRONOUN_EN.search(text) or NOT_THAT.search(text))


def subject_of(query: Query, without: Iterable[str] = ()) -> str:
    """What a question is about, as it was typed; quoted words stay quoted."""
    quoted = {word for phrase in query.phrases for word in phrase.casefold().split()}
    ids = [str(each) for each in query.ids]
    left = quoted | {each.casefold() for each in (*ids, *without)}
    words = [each for each in query.keywords if each.casefold() not in left]
    return " ".join((*(f'"{phrase}"' for phrase in query.phrases), *ids, *words))


def follow(
    text: str, turn: DialogueTurn, read: Callable[[str], Query], lexicon: Lexicon
) -> tuple[str, FollowUp] | None:
    """The question as it is meant after ``turn``, and what was done to it; ``None`` where it stands alone."""
    if not turn.text:
        return text, FollowUp(text, lost=True)
    denied = NOT_THAT.search(text)
    rest = _without(text, denied or MEANT.search(text), MEANT_KO.search(text))
    if denied and not has_subject(read(rest)):
        left_out = tuple(dict.fromkeys((*turn.led, *turn.left_out)))[:MOST_LEFT_OUT]
        return turn.text, FollowUp(text, turn.text, turn.fresh, left_out)
    bare = _without(rest, LED_BY.search(rest))
    query, former = read(PRONOUN_KO.sub(" ", bare)), read(turn.text)
    if not (has_topic(former) or has_subject(query)):
        return None
    asking = ASKING.search(bare) is not None
    fragment = bare != text or bool(TOPIC_KO.search(rest)) or not asking
    pairs = dict(_alike(query, former, bare, turn.text, lexicon))
    said = {each.casefold() for each in _said(former)}
    fresh = tuple(each for each in _said(query) if each.casefold() not in said) or turn.fresh
    if pairs and not (asking and query.type is not former.type) and _covers((*pairs.values(), *said), query):
        whole = turn.text
        for old, new in pairs.items():
            whole = _swapped(whole, old, new, article=f"the {new}".casefold() in bare.casefold())
        return whole, FollowUp(text, turn.text, fresh, turn.left_out)
    points = PRONOUN_KO.search(bare) or PRONOUN_EN.search(bare)
    others = (*pairs, *_said(query))
    if not has_subject(query) or points or _only_verbs(query, lexicon) or (fragment and not asking and not query.ids):
        carried = subject_of(former, others) or " ".join(former.people())
    elif _names(query, lexicon) or query.author or query.container:
        return None  # it names what it is about
    else:
        carried = _head(former, lexicon, others)
    taken = _joined(carried, rest if PRONOUN_KO.search(bare) else bare)
    return (taken, FollowUp(text, carried, fresh, turn.left_out)) if carried else None


def weighed(query: Query, followed: FollowUp | None) -> Query:
    """The words that a follow-up adds are the most telling; what is carried over can be done without first."""
    if followed is None or not followed.fresh:
        return query
    added = {each.casefold() for each in followed.fresh}
    fresh = tuple(each for each in (*query.keywords, *query.phrases, *map(str, query.ids)) if each.casefold() in added)
    essential = sorted(query.essential, key=lambda each: each.casefold() not in added)
    return replace(query, essential=tuple(essential), fresh=fresh)


def _only_verbs(query: Query, lexicon: Lexicon) -> bool:
    """Of 왜 올랐어 and 왜 늦어졌어 the subject was named before."""
    return not query.phrases and not query.ids and all(lexicon.bilingual.verb(each, each) for each in query.keywords)


def _said(query: Query) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*query.keywords, *query.phrases, *map(str, query.ids))))


def _without(text: str, *found: re.Match[str] | None) -> str:
    """The text but for these parts of it; the text where nothing else is in it that could be read."""
    left = text
    for each in sorted(filter(None, found), key=lambda match: -match.start()):
        left = f"{left[: each.start()]} {left[each.end() :]}"
    left = " ".join(left.split()).lstrip(",.!;:")
    return left.strip() if any(found) else text


def _covers(new: Iterable[str], query: Query) -> bool:
    """Nothing is named beside what stands in another's place."""
    known = {word for each in new for word in each.casefold().split()}
    return all(word in known for each in _said(query) for word in each.casefold().split())


def _alike(query: Query, former: Query, text: str, before: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """What of the former question something of this one is of a kind with, and stands for: a time, a person, an id, a place, a name."""
    if query.window and former.window and former.window.words in before:
        yield former.window.words, query.window.words
    words, known = query.keywords, former.keywords
    said = {each.casefold() for each in known}
    kinds: list[tuple[Iterable[str], Iterable[str]]] = [
        (query.people(), former.people()),
        (map(str, query.ids), map(str, former.ids)),
        (_places(words, lexicon), _places(known, lexicon)),
        ((), ()) if query.ids or former.ids else (_names(query, lexicon), _names(former, lexicon)),
    ]
    if alike := list(_of_one_preposition(words, known, text, before)):
        yield from alike
        return
    for new, old in kinds:
        ours, theirs = [each for each in dict.fromkeys(new) if each.casefold() not in said], list(dict.fromkeys(old))
        if len(ours) == 1 and len(theirs) == 1:
            yield theirs[0], ours[0]
            return
    if (
        len(words) == 1 and not query.ids and _names(query, lexicon) == [*words] and former.essential and not former.ids
    ):  # a name: the former is called by a common word
        yield former.essential[0], words[0]
        return
    yield from _before_one_head(words, known)


def _of_one_preposition(
    words: Iterable[str], known: Iterable[str], text: str, before: str
) -> Iterator[tuple[str, str]]:
    """Of "in Korea", where "in the EU" was asked."""
    asked, had = set(words), set(known)
    new = {each[1].casefold(): each[2] for each in PREPOSITION.finditer(text) if each[2] in asked}
    old = {each[1].casefold(): each[2] for each in PREPOSITION.finditer(before) if each[2] in had}
    yield from ((old[each], new[each]) for each in new if each in old and old[each] != new[each])


def _before_one_head(words: tuple[str, ...], known: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Of "the mail migration", where "the API migration" was asked; what both have stays."""
    if len(words) < 2 or words[-1] not in known:  # noqa: PLR2004
        return
    place = known.index(words[-1])
    if place > 0 and known[place - 1] not in words:
        yield f"{known[place - 1]} {words[-1]}", " ".join(words)


def _places(words: Iterable[str], lexicon: Lexicon) -> list[str]:
    return [each for each in words if each.casefold() in lexicon.places]


def _names(query: Query, lexicon: Lexicon) -> list[str]:
    """What a question calls by a name: read as one, an id, exact words, or no word of the language."""
    read = {part.casefold() for each in query.entities for part in (each.name, *each.name.split())}
    words = [
        each
        for each in query.keywords
        if each.casefold() not in lexicon.places and (each.casefold() in read or not is_known(each, lexicon))
    ]
    return [*words, *query.people(), *map(str, query.ids), *query.phrases]


def _head(former: Query, lexicon: Lexicon, without: Iterable[str]) -> str:
    """The names of the former question, else the word that tells most."""
    left = {each.casefold() for each in without}
    named = [each for each in dict.fromkeys(_names(former, lexicon)) if each.casefold() not in left]
    return " ".join(named) or next((each for each in former.essential if each.casefold() not in left), "")


def _swapped(text: str, old: str, new: str, *, article: bool) -> str:
    """The last place of ``old`` holds ``new``, whatever blanks and small letters it is written with."""
    words = r"\s+(?:the\s+)?".join(map(re.escape, old.split()))
    pattern = rf"{'' if article else THE}(?<![A-Za-z\d]){words}(?![A-Za-z\d])"
    found = list(re.finditer(pattern, text, re.IGNORECASE))
    return f"{text[: found[-1].start()]}{new}{text[found[-1].end() :]}" if found else f"{new} {text}"


def _joined(subject: str, text: str) -> str:
    """The subject in the place of the Korean pronoun for it, else before all."""
    rest = " ".join(PRONOUN_KO.sub(" ", text, count=1).split())
    return f"{subject} {rest if any(map(str.isalnum, rest)) else text}"
