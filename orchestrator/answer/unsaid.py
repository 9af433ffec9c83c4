"""What nobody says: words of a question that nothing quoted holds, and questions that somebody asked and nobody answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.cover import TermAlternatives, covered, covered_by
from orchestrator.answer.own import context_of, conversation_of, is_asking
from orchestrator.answer.signals import wanted_beside
from orchestrator.answer.wording import is_plain
from translators.match import HANGUL, fold
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orchestrator.answer.quote import Quote
    from orchestrator.model import Result
    from translators.query import Query

LOOKED_AT = 8  # results, best first
LEAST = 2  # words that whoever asks the same says: one alone many have in common
HALF = 0.5  # and of the question's words
STEM = 4  # letters at least in which two forms of a word are alike
ENDING = 2  # letters in which they may differ
SYLLABLES = 2  # of a Korean word at least, of which the last may be one that makes a word of another
# Of a person the word tells as what they are wanted; and nearly every sentence sounds like a rule.
BY_THE_WORD = frozenset({QueryType.PERSON, QueryType.FACTUAL})


def unsaid(quotes: Sequence[Quote], words: Mapping[str, TermAlternatives], query: Query) -> tuple[str, ...]:
    """The words that nothing quoted holds, where they would tell what is asked for: no sentence sounds like its answer.

    Of a text in the other language nobody can tell by words: it may say all of them in its own.
    """
    if not quotes or (query.type not in BY_THE_WORD and is_plain(query, quotes)):
        return ()
    read = [each.result for each in quotes]
    texts = [fold(f"{each.hit.title}\n{each.hit.snippet}") for each in read]
    if any(bool(HANGUL.search(text)) != query.in_korean for text in texts):
        return ()
    held = covered_by(read, words).union(*(each.held for each in quotes))
    return tuple(word for word in words if word not in held and _is_strange(word, texts))


def _is_strange(word: str, texts: Sequence[str]) -> bool:
    """No text has a word that begins like it: "thawed" tells of what "thaw" asks, "숙박 한도" of what "숙박비" does."""
    folded = fold(word)
    if HANGUL.match(folded):
        stem, least = folded[: max(SYLLABLES, len(folded) - 1)], SYLLABLES
    else:
        stem, least = folded[: max(STEM, len(folded) - ENDING)], STEM
        if stem[-1:] == stem[-2:-1]:  # "planned" is of "plan"
            stem = stem[:-1]
    return len(stem) < least or not any(stem in text for text in texts)


def unanswered(
    results: Sequence[Result], quotes: Sequence[Quote], words: Mapping[str, TermAlternatives], query: Query
) -> Result | None:
    """The message that asks what is asked, where nothing else holds as many of its words and no quote sounds like an answer.

    Of a question of one word it must ask for the same kind of thing, a place or a number: many say that word.
    A quote sounds like one that is on the matter and says the kind of thing that is asked for, in a reply as well as elsewhere.
    """
    looked_at = results[:LOOKED_AT]
    if not any(is_asking(each.hit) for each in looked_at):
        return None
    # In a channel named for a matter nobody says its name.
    told = (f"{each.hit.title}\n{each.hit.snippet}\n{context_of(each.hit, {})}" for each in looked_at)
    held = [len(covered(each, words)) for each in told]
    most = max(held, default=0)
    wants = wanted_beside(query.text)
    least = 1 if wants and len(words) == 1 else LEAST
    if most < max(least, HALF * len(words)):
        return None
    best = [each for each, count in zip(looked_at, held, strict=True) if count == most]
    if not all(is_asking(each.hit) and (least > 1 or wanted_beside(each.hit.snippet) == wants) for each in best):
        return None
    asked_in = {conversation_of(each.hit) for each in best}
    said = [each for each in quotes if each.signal and not is_asking(each.result.hit)]
    answered = any(conversation_of(each.result.hit) in asked_in or len(each.held) >= most for each in said)
    return None if answered else best[0]
