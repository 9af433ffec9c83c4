"""What a source that is read outside is asked: once, as asked, and nothing that must stay inside. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.model import Rung
from orchestrator.plan.outbound import release
from orchestrator.plan.outside import ITS_WORDS, NOTHING_LEFT
from orchestrator.plan.variants import variants
from translators.emit import shown
from translators.query import Compare, Not, Phrase, Prefix, Term, all_of, conjuncts, leaves
from translators.said import Said
from translators.translator import Loss, LossKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.plan.outbound import Inside, Released
    from orchestrator.plan.profile import SourceProfile, Translate
    from translators.query import Clause, Query
    from translators.translator import NativeQuery, Translation

NAMES = 2  # of a word: search engines know further ones themselves, and take few words
HELD = Said("not sent: {why}")


def public_rungs(
    asked: Query, profile: SourceProfile, inside: Inside, translate: Translate, most: int
) -> tuple[Rung, ...] | Said:
    """One rung: search engines broaden by themselves, and each request may cost. Or why there is nothing to send.

    ``most``: queries at once. ``asked``: the question without the words that only say where to look.
    """
    fresh: dict[str, Translation] = {}
    # Two words in one are nothing that a search engine needs, nor anything by which what must stay inside is known.
    asked = replace(asked, variants=tuple((word, names[:NAMES]) for word, names in asked.variants), joined=())
    for each in variants(asked, profile.can, most):  # a site's own glossary may hold names as well
        released = release(each.where, inside)
        translation = _with_held(translate(each.narrowed(released.where), profile), released)
        if _says_something(released.where) and not inside.finds(_written(translation.native)):
            fresh.setdefault(str(translation.native), translation)
    if fresh:
        return (Rung(tuple(fresh.values())),)
    held = ", ".join(shown(part) for part, _ in release(asked.where, inside).held)
    return NOTHING_LEFT.filled(held=held or ITS_WORDS)


def _with_held(translation: Translation, released: Released) -> Translation:
    """What was held back is checked on what comes back, as far as that can be told, and named in the receipt."""
    if not released.held:
        return translation
    parts = [part for part, _ in released.held]
    residual = all_of((*conjuncts(translation.residual or all_of(())), *parts))
    losses = (Loss(LossKind.CHECKED, shown(part), HELD.filled(why=why)) for part, why in released.held)
    return replace(translation, residual=residual, losses=(*translation.losses, *losses))


def _says_something(where: Clause) -> bool:
    """Whether anything is left to look for: filters, and words to be left out, find nothing by themselves."""
    wanted = (part for part in conjuncts(where) if not isinstance(part, Not | Compare))
    return any(isinstance(leaf, Term | Phrase | Prefix) for part in wanted for leaf in leaves(part))


def _written(native: NativeQuery) -> str:
    """All of a native query as text: what is about to leave is looked at once more, whoever wrote it."""
    return " ".join((native.text, *_texts(native.args)))


def _texts(value: object) -> Sequence[str]:
    if isinstance(value, str):
        return () if value[:4].isdigit() and value[-1:] == "Z" else (value,)  # an instant
    inner: Sequence[object] = (
        list(value.values()) if hasattr(value, "values") else value if isinstance(value, list | tuple) else ()
    )
    return [text for each in inner for text in _texts(each)]
