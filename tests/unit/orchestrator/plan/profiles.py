"""Sources to plan for, whose dialect writes a clause as its own text."""

from typing import ClassVar

from orchestrator.plan import SourceProfile
from translators.capabilities import Capabilities, Fidelity
from translators.query import (
    Category,
    Query,
    Term,
    all_of,
)
from translators.split import split
from translators.translator import NativeQuery, Translation

TEXT = Capabilities(term=Fidelity.EXACT)
WITH_OR = Capabilities(term=Fidelity.EXACT, any_of=True)


class Plain:
    """A dialect that writes a clause as its own text."""

    name: ClassVar[str] = "plain"
    can: ClassVar[Capabilities] = TEXT

    def translate(self, query, can):
        done = split(query.where, can)
        return Translation(NativeQuery("plain", str(done.pushed)), done.residual)


def profile(name, category=Category.CHAT, can=TEXT, **kwargs):
    return SourceProfile(name, name.title(), category, Plain(), can, **kwargs)


def ask(*words, **kwargs):
    return Query(" ".join(words), all_of(map(Term, words)), keywords=words, essential=words, **kwargs)
