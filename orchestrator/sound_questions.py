"""Whether a question can be asked at all, of the sources that there are; what is wrong with one that cannot is said in its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.model import BadAsk, NoSources, NothingAsked
from orchestrator.understand.ids import may_be_keyed
from translators.query import EVERYTHING, Compare, Container, Person, leaves
from translators.said import Said, joined, said_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from orchestrator.model import Ask
    from orchestrator.plan import SourceProfile
    from translators.query import Query

NOTHING_SAID = Said("nothing here says what to look for; name a thing, a person, a place or a time")
UNKNOWN_SOURCE = Said("no source is called {name!r}; configured are: {known}")
NONE = Said("none")
EMPTY = Said("the question is empty; ask something, for example: what did we decide about the API migration?")
NOTHING_CONFIGURED = Said(
    "no source is configured; `fedsearch init` sets one up, and `fedsearch demo` shows answers without any"
)


def check_question(ask: Ask, query: Query, profiles: Sequence[SourceProfile], absent: Callable[[str], str]) -> None:
    """Raises :class:`BadAsk` and :class:`NoSources`. ``absent``: why a source of a name is not there, if anything is known of it."""
    if not ask.text.strip():
        raise BadAsk(said_in(EMPTY, ask.language))
    named = {name for profile in profiles for name in profile.names}
    unknown = [name for name in (*ask.sources, *query.sources) if name not in named]
    if unknown:
        known = ", ".join(profile.name for profile in profiles) or NONE
        told = UNKNOWN_SOURCE.filled(name=unknown[0], known=known)
        why = absent(unknown[0])
        raise BadAsk(said_in(joined("; ", filter(None, (told, why))), query.language))
    if not profiles:
        raise NoSources(said_in(NOTHING_CONFIGURED, query.language))
    if _says_nothing(query):
        raise NothingAsked(said_in(NOTHING_SAID, query.language))


def _says_nothing(query: Query) -> bool:
    """Whether everything there is would answer: no word is searched for, nothing limits it, and no cue says what is wanted.

    What the trained part finds typical of a type (marked ``~``) is no such cue: it finds something in everything.
    """
    limited = query.where != EVERYTHING or query.ids or query.hints or query.sources or query.mine
    return not limited and all(word.startswith("~") for score in query.scores[:1] for word in score.words)


def waits_for_names(query: Query) -> bool:
    """Whether the names that sources know would help: a filter names a person or a place, or a word may begin with a tracker's key (pay-142)."""
    values = (leaf.value for leaf in leaves(query.where) if isinstance(leaf, Compare))
    named = any(isinstance(value, Container) or (isinstance(value, Person) and not value.me) for value in values)
    return named or (not query.ids and any(map(may_be_keyed, query.keywords)))
