"""Where a word stands: in a noun phrase as people type it, where every word counts, or in what asks.

A question with a verb, a question word or courtesy is a sentence. In a sentence a word of asking counts where it says which
thing is meant (the *status* page), and little where it is the verb or the noun asked for (who *owns* it, its *status*).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.draft import Role
from orchestrator.understand.korean import MAKERS, VERBS, is_odd
from translators.patterns import regex
from translators.query import EntityKind, Sort

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.understand.draft import Draft, Word
    from orchestrator.understand.korean import Morph

# Closed classes of English, by what they say of the words behind them.
BE = frozenset(
    "am is are was were be been being isnt arent wasnt werent whos whats wheres whens hows thats theres its youre theyre im".split()
)
MODALS = frozenset(
    "do does did dont doesnt didnt has have had hasnt havent hadnt can could cant couldnt will would wont wouldnt shall should shouldnt might must cannot".split()
)
WH = frozenset("who whom whose what which when where why how whoever whatever whichever whether if".split())
SUBJECTS = frozenset("i we you he she it they me us him them ive id ill youve that there this these those".split())
SOMEBODY = frozenset(
    "anyone anybody someone somebody everyone everybody nobody anything something everything nothing any".split()
)
COURTESY = frozenset("please pls plz kindly thanks thank lets".split())
ADVERBS = frozenset(
    "also still currently just really actually already even ever never not yet now recently lately finally usually all both first last then only".split()
)
DETERMINERS = frozenset(
    "the a an this that these those my our your his her its their any some each every all no".split()
)
PREPOSITIONS = frozenset("of to for on about in from with at by regarding re concerning behind".split())
PARTICLES = frozenset("up off out down away".split())
"""With a word before them in a phrase they are part of its name: sign off sheet, stand up desk."""
CLAUSES = BE | MODALS | WH | SUBJECTS | SOMEBODY | COURTESY
ALWAYS_VERBS = frozenset(
    "tell give find explain describe summarize summarise remind locate fetch bring send compare".split()
)
"""At the beginning these ask, whatever follows."""
TAKING = DETERMINERS | {"me", "us"}
"""What stands behind an imperative and behind no noun: show the."""
ABOUT = frozenset("about on regarding re concerning".split())
GETTING = frozenset("get gets got getting".split())
BEFORE_VERBS = MODALS | SUBJECTS | SOMEBODY | COURTESY | frozenset({"who", "whoever", "and", "or"})
SAID = frozenset({Role.QUOTE, Role.FILTER, Role.IDENTIFIER})
UNSAID = regex(r"(?:ed|ing|en|one|nt|old|ut|ade)$")
"""Endings of participles, those of sent, sold, put and made among them."""
PARTICIPLE = regex(r"ed$")
FINITE = regex(r"(?:ed|[^s]s)$")


def is_phrase(draft: Draft, morphs: Sequence[Morph]) -> bool:
    """Whether the question has no verb and asks in no other way."""
    if draft.author is not None and "author" not in draft.typed:
        return False  # sent by, 올린: who wrote was told in a clause
    if is_work(draft):
        return False
    if draft.hangul:
        return _is_phrase_ko(draft, morphs)
    words = [word for word in draft.words if word.role not in SAID]
    if any(_takes_object(draft, index) for index in range(1, len(draft.words))):
        return False
    return not any(_asks(word) for word in words) and not (words and _commands(draft, words))


def is_work(draft: Draft) -> bool:
    """Whether somebody's own work is asked for, whatever it is called: 내 작업, my tasks."""
    return draft.mine or draft.worker is not None or draft.assignee is not None


def _takes_object(draft: Draft, index: int) -> bool:
    """Whether a word of asking is a verb, since a determiner follows: the drill Wei ran the day before."""
    words = draft.words
    if words[index].role is not None or index + 1 >= len(words) or words[index + 1].lower not in DETERMINERS:
        return False
    return is_weak(draft, words[index]) and draft.open[words[index].end : words[index + 1].start] == " "


def _asks(word: Word) -> bool:
    plain = plain_of(word)
    return plain in CLAUSES and (word.text not in {"IT", "US"})


def plain_of(word: Word) -> str:
    """The word in small letters, contractions without their apostrophe: who's is whos."""
    return word.lower.replace("’", "'").replace("'", "") if "'" in word.text or "’" in word.text else word.lower


def _commands(draft: Draft, words: list[Word]) -> bool:
    """Show the, find, search for; and "budget approved?", which leaves out its verb."""
    first, last = words[0], words[-1]
    if first.lower in ALWAYS_VERBS and len(words) > 1:
        return True
    asking = draft.lexicon.asking_en
    if first.lower in asking and len(words) > 1 and words[1].lower in TAKING:
        return True
    if first.lower in draft.lexicon.plain and len(words) > 1 and words[1].lower == "for":
        return True  # looking for
    return draft.text.rstrip().endswith("?") and last.lower in asking and UNSAID.search(last.lower) is not None


def _is_phrase_ko(draft: Draft, morphs: Sequence[Morph]) -> bool:
    """No verb that is no noun (주기 is no verb), no question word, no courtesy."""
    if TOPIC.search(draft.open):
        return False  # 상태는?
    for word in draft.words:
        if word.role in SAID or not word.hangul:
            continue
        inside = [morph for morph in morphs if word.start <= morph.start < word.end]
        if not inside or draft.open[word.start : word.end].strip("\ufffc") == "":
            continue
        tags = [morph.tag for morph in inside]
        verbal = any(tag in VERBS or tag in MAKERS or tag in {"VCP", "VCN", "EF"} for tag in tags)
        if verbal and not is_odd(inside) and tags[-1] != "ETN":
            return False
        if any(morph.form in QUESTIONS and morph.tag in {"NP", "MM", "MAG", "NR"} for morph in inside):
            return False
    return True


TOPIC = regex(r"(?<=[가-힣])[은는][\s?!.~]*$")
QUESTIONS = frozenset("누구 누 뭐 무엇 무어 어디 언제 얼마 왜 어떻게 어느 어떤 무슨 몇 며칠 얼마나".split())


def is_conditioned(draft: Draft) -> bool:
    """Whether the question says more than its words: when, where, by whom, of which kind."""
    found = (
        draft.window,
        draft.author,
        draft.container,
        draft.hints,
        draft.kinds,
        draft.negated,
        draft.filtered,
        draft.ids,
        draft.typed,
    )
    return any(found) or any(entity.kind is not EntityKind.TEAM for _, entity in draft.entities)


def verbs(draft: Draft) -> frozenset[int]:
    """Where words of asking begin that stand where an English verb does.

    That is behind its subject, an auxiliary, "to" or "please", and behind the subject where an auxiliary came before it.
    """
    words = draft.words
    weak = [not word.hangul and is_weak(draft, word) for word in words]
    found = {word.start for index, word in enumerate(words) if weak[index] and _is_verb(draft, index)}
    if draft.text.rstrip().endswith("?") and words and weak[-1] and UNSAID.search(words[-1].lower):
        found.add(words[-1].start)  # budget approved?
    inverted = next((index for index, word in enumerate(words) if plain_of(word) in BE | MODALS), None)
    if inverted is None:
        found.update(words[at].start for at in _finite(draft, weak))
    elif subject := _subject(draft, inverted):
        last = next((at for at in reversed(subject[1:]) if weak[at]), 0)
        said = words[last].lower
        end = said not in draft.lexicon.beside
        deed = last == subject[-1] and said not in draft.lexicon.gerunds  # "the public hearing" names a thing
        participle = deed and end and UNSAID.search(said) is not None
        if last and (participle or (end and plain_of(words[inverted]) in MODALS and not said.endswith("s"))):
            found.add(words[last].start)
    return frozenset(found)


def _finite(draft: Draft, weak: Sequence[bool]) -> Iterator[int]:
    """The verb behind the noun of which or what, where no auxiliary is: which tug company *covers* weekends."""
    words = draft.words
    if not words or words[0].lower not in {"which", "what"}:
        return
    for at in range(2, len(words)):
        if weak[at] and FINITE.search(words[at].lower) and words[at - 1].lower not in draft.lexicon.stop_en:
            yield at
            return


def is_weak(draft: Draft, word: Word) -> bool:
    """Whether the word may ask."""
    return word.lower in draft.lexicon.asking_en or word.lower in draft.lexicon.beside


def _is_verb(draft: Draft, index: int) -> bool:
    words, word = draft.words, draft.words[index]
    at = index - 1
    while at >= 0 and words[at].lower in ADVERBS:
        at -= 1
    before = plain_of(words[at]) if at >= 0 else ""
    participle = UNSAID.search(word.lower) is not None
    if not before:
        return _imperative(words, index)
    if before == "to":
        return not (at > 0 and is_weak(draft, words[at - 1]))  # link to update notes
    if before in {"what", "which"}:
        return participle or word.lower in draft.lexicon.plain or not _noun_follows(draft, index)
    if before in BE or before in GETTING:
        return participle
    return before in BEFORE_VERBS


def _subject(draft: Draft, auxiliary: int) -> range:
    """The words that touch behind an auxiliary and its article, if there is more than one: did the *board agree*."""
    words, first = draft.words, auxiliary + 1
    while first < len(words) and (words[first].lower in DETERMINERS or words[first].lower in ADVERBS):
        first += 1
    last = first
    while last < len(words) and _noun_follows(draft, last):
        last += 1
    return range(first, last + 1) if first < last < len(words) else range(0)


def _imperative(words: Sequence[Word], index: int) -> bool:
    following = words[index + 1].lower if index + 1 < len(words) else ""
    return words[index].lower in ALWAYS_VERBS or following in TAKING


def _noun_follows(draft: Draft, index: int) -> bool:
    words = draft.words
    if index + 1 >= len(words) or draft.open[words[index].end : words[index + 1].start] != " ":
        return False
    return words[index + 1].lower not in draft.lexicon.stop_en and words[index + 1].role is None


def is_heading(draft: Draft, index: int) -> bool:
    """Whether a phrase begins with the kind of answer, and what it is about follows: link to X, progress report on the X.

    "of" before a bare noun makes one expression: point of sale, end of life.
    """
    words, at = draft.words, index
    if draft.sort is not Sort.RELEVANCE:
        return False  # the latest deploy of X is one of those that happened
    if any(
        word.role is None and word.lower not in draft.lexicon.stop_en and not is_weak(draft, word)
        for word in words[:index]
    ):
        return False
    if any(word.role is None and word.lower in PREPOSITIONS for word in words[:index]):
        return False
    if at + 2 >= len(words) or (before := words[at + 1].lower) not in PREPOSITIONS:
        return False
    following = words[at + 2]
    named = following.text[:1].isupper() or following.role is not None or following.keep is True
    return named or following.lower in DETERMINERS or before in ABOUT


def is_reduced(draft: Draft, index: int) -> bool:
    """Whether a participle stands for a clause: the budget approved in May, but approved vendors."""
    return PARTICIPLE.search(draft.words[index].lower) is not None and index > 0 and not _noun_follows(draft, index)
