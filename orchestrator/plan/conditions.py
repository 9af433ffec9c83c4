"""What prose implies, as one source is asked for it: a reading with less than certainty may order, and never excludes (a soft filter).

A condition that was typed goes out and is checked. One that prose implies goes out by how sure it is: nearly typed, it is
asked for first and given up first; likely, it is asked for beside a request without it; less sure, it only orders. Words
are no conditions at all: whatever a source was asked for, a hit that lacks one of them stays a hit.

People and containers get their native ids in the source, as far as it knows them. Of conditions of which one must hold (who is assigned, or who
wrote it), those stay that can hold there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from translators.capabilities import Fidelity
from translators.emit import shown
from translators.match import same_container, same_person
from translators.names import at_home, folded
from translators.query import (
    NEARLY_TYPED,
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Implied,
    Leaf,
    Not,
    Person,
    Query,
    Term,
    all_of,
    any_of,
    conjuncts,
    leaves,
    map_leaves,
    only_words,
)
from translators.records import record
from translators.said import Said
from translators.translator import Loss, LossKind, Translation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from connectors.contract import SourceDirectory
    from orchestrator.plan.profile import SourceProfile
    from translators.capabilities import Capabilities


def known_alternatives(where: Clause, can: Capabilities) -> Clause:
    """``where`` without those alternatives that are false of everything in the source.

    A message is assigned to nobody, so its author decides. All others stay: a source that cannot be asked for either of two is
    asked for more, and what it sends is checked here.
    """
    return all_of(_known_alternative(part, can) for part in conjuncts(where))


def _known_alternative(part: Clause, can: Capabilities) -> Clause:
    if not isinstance(part, AnyOf):
        return part
    known = [each for each in part.parts if not (isinstance(each, Compare) and each.field in can.absent)]
    return any_of(known) if known else part


def resolve_names(where: Clause, directory: SourceDirectory, dialect: str = "") -> Clause:
    """``where`` with ids filled in where exactly one entry of ``directory`` fits; ambiguous names stay as typed.

    The id of a mention goes to the sources of its own ``dialect`` as it is, and to no other.
    """

    def resolve(leaf: Leaf) -> Clause:
        if isinstance(leaf, Compare) and isinstance(leaf.value, Person | Container):
            leaf = replace(leaf, value=at_home(leaf.value, dialect))
        match leaf:
            case Compare(value=Person() as person) if not person.me and not person.native_id:
                return replace(leaf, value=find_person(person, directory) or person)
            case Compare(value=Container() as container) if not container.native_id:
                return replace(leaf, value=find_container(container, directory) or container)
            case _:
                return leaf

    return map_leaves(where, resolve)


def find_person(wanted: Person, directory: SourceDirectory) -> Person | None:
    """The one person meant by ``wanted``: by address, else by exact name, else by part of it. ``None`` if unsure."""
    fitting = [each for each in directory.people if same_person(wanted, each)]
    addressed = [each for each in fitting if wanted.email and each.email]
    exact = [each for each in fitting if folded(each.name) == folded(wanted.name)]
    found = {each.native_id: each for each in addressed or exact or fitting}
    return replace(next(iter(found.values())), name=wanted.name) if len(found) == 1 else None


def find_container(wanted: Container, directory: SourceDirectory) -> Container | None:
    """The one container of that name, ``None`` if there is none or several."""
    found = {each.native_id: each for each in directory.containers if same_container(wanted, each)}
    return next(iter(found.values())) if len(found) == 1 else None


WORTH_ASKING = 0.5
"""The strength from which a condition is asked for beside a request without it."""
UNSURE = Said("implied by “{words}” and not typed (sureness {strength:.1f} of 1): it orders, and excludes nothing")
TELLING = frozenset({Field.ID, Field.AUTHOR, Field.ASSIGNEE, Field.CONTAINER})
"""The fields by which things are told apart where no word is asked for."""
ALSO = Said("{why}; {unsure}")


@record
class Form:
    """One way to put a question to one source: ``where`` is asked; of ``implied``, what is not in it orders what comes back."""

    where: Clause
    implied: tuple[Implied, ...] = ()

    @property
    def unasked(self) -> Iterator[Implied]:
        """The implied conditions that this form leaves out."""
        asked = frozenset(conjuncts(self.where))
        return (each for each in self.implied if each.clause not in asked)


def forms_of(asked: Clause, query: Query, profile: SourceProfile, *, first: bool) -> tuple[Form, ...]:
    """``asked``, a rung of ``query``, in the names of one source; the ``first`` rung with likely conditions and without them.

    None where all that the question tells its things apart by is what nothing in the source has: whose a mail is to do.
    """
    if says_something(query.where) and not says_something(query.where, but=profile.can.absent):
        return ()
    known = {part: _known(part, profile) for part in conjuncts(query.where)}
    implied = tuple(replace(each, clause=known.get(each.clause, each.clause)) for each in query.implied)
    parts = tuple(known[part] if part in known else _known(part, profile) for part in conjuncts(asked))
    sure = {each.clause: each for each in implied}
    likely = [part for part in parts if part in sure and WORTH_ASKING <= sure[part].strength < NEARLY_TYPED]
    sent = [part for part in likely if first and _can_be_asked(part, profile)]
    plain = tuple(part for part in parts if part not in sure or sure[part].strength >= NEARLY_TYPED)
    without = Form(all_of(plain), implied)
    if not sent:
        return (without if says_something(without.where) else Form(all_of(parts), implied),)
    said = {word.casefold() for part in sent for word in sure[part].words.split()}
    kept = (part for part in parts if part in sent or (part in plain and not _is_one_of(part, said)))
    form = Form(all_of(kept), implied)
    return (form, without) if says_something(without.where) else (form,)


def says_something(where: Clause, *, but: AbstractSet[Field] = frozenset()) -> bool:
    """Whether it asks for anything that things can be about or belong to: everything of last week is no question.

    ``but``: fields that do not count.
    """
    wanted = (leaf for part in conjuncts(where) if not isinstance(part, Not) for leaf in leaves(part))
    return any(not isinstance(leaf, Compare) or leaf.field in TELLING - but for leaf in wanted)


def _known(part: Clause, profile: SourceProfile) -> Clause:
    return resolve_names(known_alternatives(part, profile.can), profile.directory, profile.translator.name)


def _can_be_asked(part: Clause, profile: SourceProfile) -> bool:
    """Whether the source knows the field at all: what it cannot be asked for orders, and what implies it stays a word."""
    return all(profile.can.fidelity(leaf) is not Fidelity.NONE for leaf in leaves(part))


def _is_one_of(part: Clause, words: set[str]) -> bool:
    return isinstance(part, Term) and part.text.casefold() in words


def as_implied(translation: Translation, form: Form, words: Sequence[Term]) -> Translation:
    """``translation`` of a form with what excludes parted from what orders, and with the reasons for the latter.

    ``words`` are those of the question where the source was asked for none: of everything it has, what holds no word of the
    question is no hit.
    """
    residual = conjuncts(translation.residual) if translation.residual is not None else ()
    must = [part for part in residual if not (only_words(part) or _is_implied(part, form.implied))]
    must += [any_of(words)] if words else []
    preferred = (*form.unasked, *(each for each in form.implied if each.clause in residual))
    told = {shown(each.clause): each for each in form.implied}
    losses = [_ordered(loss, told.get(loss.what), must) for loss in translation.losses]
    losses += [Loss(LossKind.ORDERED, shown(each.clause), _unsure(each)) for each in form.unasked]
    return replace(
        translation,
        residual=all_of(must) if must else None,
        losses=tuple(dict.fromkeys(losses)),
        preferred=tuple(dict.fromkeys(preferred)),
    )


def _is_implied(part: Clause, implied: Sequence[Implied]) -> bool:
    """Whether a condition is one of these, or what is left of one that was sent in part."""
    found = frozenset((leaf, isinstance(each.clause, Not)) for each in implied for leaf in leaves(each.clause))
    return bool(found) and all((leaf, isinstance(part, Not)) in found for leaf in leaves(part))


def wanted_terms(where: Clause) -> Iterator[Term]:
    """The words that are asked for, alternatives included; none that are excluded."""
    match where:
        case Term():
            yield where
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from wanted_terms(part)
        case _:
            return


def _ordered(loss: Loss, implied: Implied | None, must: Sequence[Clause]) -> Loss:
    """What is checked and may not exclude is told so; a word needs no more than that."""
    if loss.kind is not LossKind.CHECKED or any(loss.what == shown(part) for part in must):
        return loss
    why = ALSO.filled(why=loss.why, unsure=_unsure(implied)) if implied else loss.why
    return Loss(LossKind.ORDERED, loss.what, why)


def _unsure(implied: Implied) -> Said:
    return UNSURE.filled(words=implied.words or shown(implied.clause), strength=implied.strength)
