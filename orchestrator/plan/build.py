"""Choose sources and write down what each will be asked, rung by rung."""

from __future__ import annotations

from dataclasses import field, replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from orchestrator.model import ONE_THING, Fetch, Plan, Rung, Skipped, Status, Step
from orchestrator.plan.alone import Alone
from orchestrator.plan.conditions import Form, as_implied, forms_of, wanted_terms
from orchestrator.plan.ladder import Broader, SourceReach, is_coined, ladder
from orchestrator.plan.lazily import lazily
from orchestrator.plan.outbound import Inside
from orchestrator.plan.outside import UNREAD, OutsidePolicy, choose, public_rungs, spoken, why_not
from orchestrator.plan.unknown import unknown_names
from orchestrator.plan.variants import by_any_name, elsewhere, further, in_one, variants, weighed
from translators.capabilities import TIMES, Fidelity
from translators.emit import sentence
from translators.query import EVERYTHING, Category, Compare, Field, Op, Term, all_of, conjuncts, only_words
from translators.records import record
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from orchestrator.plan.profile import SourceProfile, Translate
    from orchestrator.plan.thesaurus import Concept
    from translators.query import Clause, Identifier, Query
    from translators.translator import Translation

    Fetches = Mapping[str, tuple[tuple[Identifier, Translation], ...]]

BY_NAME = 4  # requests for single words, by what each is called, for each variant that a source may be sent
GIVEN_UP = TIMES | {Field.CONTAINER}  # conditions that the ladder gives up though they were typed
MOST_FETCHES = 3  # ids of one question that are fetched directly; a pasted list of a hundred keys is searched for
HINTED = 3.0  # "in Slack" says where the answer is believed to be; the others are still asked, and count less
ONLY_THESE = Said("only {names} was to be asked")
OF_SOURCE = Said("{title}: {said}")
INSIDE_ONLY = OutsidePolicy()  # outside, only whom the asker names or the question hints at


@record
class PlanLimits:
    """How much may be asked: hits per source (``at_once`` where one request brings more for nothing), sub-queries at once, seconds for everything.

    ``thesaurus``: by which broader terms.
    """

    hits: int = 20
    at_once: int = 20
    variants: int = 3
    budget: float = 3.0
    thesaurus: Mapping[str, Concept] = field(default_factory=dict)


def make_plan(
    query: Query,
    profiles: Sequence[SourceProfile],
    only: Iterable[str],
    limits: PlanLimits,
    outside: OutsidePolicy = INSIDE_ONLY,
) -> Plan:
    """What goes where. ``only`` names the sources or categories wanted (empty: all); the rest are skipped and say so.

    ``outside``: when public sources are asked, and what must not be said to them.
    """
    wanted, chosen = choose(query, tuple(profiles), only)
    steps: list[Step] = []
    skipped: list[Skipped] = []
    translate = _translating()
    reasons = {profile.name: _reason_to_skip(profile, wanted, chosen) for profile in profiles}
    asked = [profile for profile in profiles if reasons[profile.name] is None]
    fetches = {profile.name: tuple(_fetches(query, profile)) for profile in asked if not profile.public}
    query = replace(query, doubts=(*query.doubts, *unknown_names(query, asked)))
    alone = Alone.of(query, asked)
    query = replace(query, doubts=(*query.doubts, *alone.doubts))
    words = tuple(each for each in conjuncts(by_any_name(query)) if only_words(each))
    meaning = all_of((*words, query.typed))
    ladders = _Ladders(fetches, translate)
    for profile in sorted(profiles, key=lambda each: each.name):
        reason = reasons[profile.name]
        if reason is not None:
            skipped.append(reason)
        elif profile.public:
            site = _Site(tuple(profiles), chosen, outside)
            found = _public_step(query, profile, limits, site, translate)
            steps += [found] if isinstance(found, Step) else []
            skipped += [found] if isinstance(found, Skipped) else []
        else:
            step = alone.asked(_step(query, profile, limits, ladders))
            steps.append(replace(step, meaning=meaning))
    return Plan(query, tuple(steps), tuple(skipped), limits.budget)


@record
class _Site:
    """What asking outside depends on: all sources, those that the asker named, and the policy."""

    profiles: tuple[SourceProfile, ...]
    chosen: frozenset[str]
    policy: OutsidePolicy


def _public_step(
    query: Query, profile: SourceProfile, limits: PlanLimits, site: _Site, translate: Translate
) -> Step | Skipped:
    reason = why_not(query, profile, site.chosen, site.policy)
    ours = [each for each in site.profiles if not each.public]
    unread = [OF_SOURCE.filled(title=each.title, said=each.unread) for each in ours if each.unread]
    if not reason and unread:
        reason = UNREAD.filled(sources=joined("; ", unread))
    if reason:
        return Skipped(profile.name, profile.title, Status.SKIPPED, reason)
    hosts = (each.host for each in ours)
    inside = Inside.of(query, (each.directory for each in ours), site.policy.vocabulary, hosts)
    asked = inside.sayable(query.narrowed(spoken(query, site.policy)))
    rungs = public_rungs(asked, profile, inside, translate, limits.variants)
    if isinstance(rungs, str):
        return Skipped(profile.name, profile.title, Status.SKIPPED, rungs)
    return _placed(query, profile, limits, rungs)


def _reason_to_skip(profile: SourceProfile, wanted: frozenset[str], chosen: frozenset[str]) -> Skipped | None:
    if wanted and profile.name not in chosen:
        reason = ONLY_THESE.filled(names=", ".join(sorted(wanted)))
        return Skipped(profile.name, profile.title, Status.SKIPPED, reason)
    if profile.missing:
        return Skipped(profile.name, profile.title, Status.NOT_CONNECTED, profile.missing)
    return None


def _translating() -> Translate:
    """Translation that is done once for all sources that speak a dialect with the same powers."""
    done: dict[tuple[int, int, Clause, tuple[tuple[str, float], ...]], Translation] = {}

    def translate(query: Query, profile: SourceProfile) -> Translation:
        key = id(profile.translator), id(profile.can), query.where, query.lesser  # nothing else differs within a plan
        if key not in done:
            done[key] = _meant(profile.translator.translate(query, profile.can), query, profile)
        return done[key]

    return translate


def _meant(translation: Translation, query: Query, profile: SourceProfile) -> Translation:
    """With the question as a sentence beside its words, for a source that searches by meaning; never said outside."""
    native = translation.native
    if not profile.can.meaning or profile.public or not native.text or not (question := sentence(query)):
        return translation
    return replace(translation, native=replace(native, args={**native.args, "question": question}))


@record
class _Ladder:
    """The rungs of one source, and whether the last asks for one word at a time, or for any and is ranked.

    ``coined``: whether one of these is a name written as no word is.
    """

    rungs: Sequence[Rung]
    by_word: bool
    ranked: bool
    coined: bool


class _Ladders:
    """The rungs of a plan, made once for all sources that are told the same in the same words.

    ``fetches``: what each source is asked for by its id.
    """

    def __init__(self, fetches: Fetches, translate: Translate) -> None:
        self.fetches = fetches
        self.translate = translate
        self.things = frozenset(
            thing.text for found in fetches.values() for thing, _ in found if thing.kind in ONE_THING
        )
        self._made: list[tuple[SourceProfile, _Ladder]] = []

    def of(self, profile: SourceProfile, make: Callable[[], _Ladder]) -> _Ladder:
        """Those of a source that is told the same, else what ``make`` makes."""
        for other, ladder_of_it in self._made:
            if _are_told_the_same(profile, other):
                return ladder_of_it
        self._made.append((profile, make()))
        return self._made[-1][1]


def _are_told_the_same(one: SourceProfile, other: SourceProfile) -> bool:
    """Whether they speak a dialect with the same powers and know the same names, and are trackers or not."""
    alike = one.translator is other.translator and one.can == other.can and one.directory == other.directory
    return alike and (one.category is Category.TRACKER) == (other.category is Category.TRACKER)


def _step(query: Query, profile: SourceProfile, limits: PlanLimits, ladders: _Ladders) -> Step:
    own = ladders.fetches[profile.name]

    def climbed() -> _Ladder:
        places, projects = profile.directory.containers, profile.category is Category.TRACKER
        reach = SourceReach(profile.can, limits.variants, places, ladders.things, projects, limits.thesaurus)
        words = () if own else _asked_one_by_one(query)
        by_word = len(reach.any_of(words, len(words))) > 1
        ranked = len(words) > 1 and profile.can.can_ask_any(words) and profile.can.ranks and not profile.can.any_word
        fetched = tuple(translation for _, translation in own)
        rungs = _rungs(query, profile, reach, ladders.translate, fetched, placing=by_word or ranked)
        return _Ladder(rungs, by_word, ranked, coined=any(is_coined(each.text) for each in words))

    ladder_of_it = climbed() if own else ladders.of(profile, climbed)
    placed = _placed(query, profile, limits, ladder_of_it.rungs)
    found = ladder_of_it
    placed = replace(
        placed, by_word=found.by_word, ranked=found.ranked, coined=found.coined, implied=bool(query.implied)
    )
    return replace(placed, fetches=tuple(Fetch(thing, found.native) for thing, found in own)) if own else placed


def _asked_one_by_one(query: Query) -> tuple[Term, ...]:
    """The words of which the last rung asks for any one; none where typed dates or places are given up for it."""
    given_up = (each for each in conjuncts(query.typed) if isinstance(each, Compare) and each.field in GIVEN_UP)
    return () if any(given_up) else tuple(each for each in conjuncts(query.where) if isinstance(each, Term))


def _placed(query: Query, profile: SourceProfile, limits: PlanLimits, rungs: Sequence[Rung]) -> Step:
    hinted = HINTED if profile.category in query.hints else 1.0
    weight = profile.priority * hinted
    page = min(limits.at_once, profile.page)
    return Step(profile.name, profile.title, profile.category, rungs, weight, limits.hits, page, profile.signed)


@lazily
def _rungs(
    query: Query,
    profile: SourceProfile,
    reach: SourceReach,
    translate: Translate,
    fetches: tuple[Translation, ...],
    *,
    placing: bool,
) -> Iterator[Rung]:
    """Translated rungs, each when it is looked at; a rung that would send nothing new is left out.

    Other names are tried along with the question as asked. Broader rungs say one thing in the other language as well, which
    was not said before, and each other once: a source that needs a query for every name would have its quota spent on a few questions.
    ``placing``: what comes back may be placed on the rung that it satisfies. Of a source without OR the last rung is then each word and what the other language calls it, the most telling word first, and as far as
    there is room what else it calls them. Of a question of one word the last rung is what else the other language calls that.
    """
    sent: set[str] = set()
    unasked = (
        () if profile.can.term is not Fidelity.NONE else tuple(wanted_terms(variants(query, profile.can, 1)[0].where))
    )

    def asked(form: Form, ways: Iterable[Query]) -> list[Translation]:
        return [as_implied(translate(each, profile), form, unasked) for each in ways]

    def own_way(form: Form, most: int, *, first: bool) -> list[Translation]:
        ways = variants(query.narrowed(form.where), profile.can, most)
        return asked(form, (weighed(each, profile.can) for each in ways) if first else ways)

    def other_way(form: Form) -> list[Translation]:
        return asked(form, elsewhere(query.narrowed(form.where), profile.can)) if reach.queries > 1 else []

    def as_one(form: Form) -> list[Translation]:
        return asked(form, in_one(query, form.where, profile.can)) if reach.queries > 1 else []

    def further_ways(form: Form) -> list[Translation]:
        return asked(form, further(query.narrowed(form.where), profile.can)) if reach.queries > 1 else []

    def under_other_names(broader: Broader) -> Rung:
        forms = (form for each in broader.asked for form in forms_of(each, query, profile, first=False))
        ways = chain.from_iterable(map(further_ways, forms))
        return Rung(_unsent(ways, sent)[: BY_NAME * reach.queries], broader.dropped, broader.height)

    steps = ladder(query, reach)
    for height, broader in enumerate(steps):
        first = not height
        forms = [form for each in broader.asked for form in forms_of(each, query, profile, first=first)]
        if broader.by_word and placing:
            both = chain.from_iterable(
                (*own_way(form, 1, first=False), *as_one(form), *other_way(form)) for form in forms
            )
            besides = chain.from_iterable(further_ways(form) for form in forms)
            fresh = _unsent(chain(both, besides), set())[: BY_NAME * reach.queries]
        else:
            # What is asked beside what leaves it out costs one request more, and not one for each name.
            most = [reach.queries if first and form is forms[-1] else 1 for form in forms]
            own = (own_way(form, each, first=first) for form, each in zip(forms, most, strict=True))
            fresh = _unsent(chain(fetches if first else (), *own), sent)
            others = () if first else (_unsent(other_way(form), sent) for form in forms)
            fresh += next(filter(None, others), ())
        if fresh:
            meaning = by_any_name(query.narrowed(broader.where)) if placing else EVERYTHING
            yield Rung(fresh, broader.dropped, broader.height, meaning)
    yield from () if placing else islice(filter(_asks, map(under_other_names, reversed(steps))), 1)


def _asks(rung: Rung) -> bool:
    return bool(rung.translations)


def _fetches(query: Query, profile: SourceProfile) -> Iterator[tuple[Identifier, Translation]]:
    """What the question names by key or address is fetched directly, by whichever sources know such ids (law 6)."""
    if Field.ID not in profile.can.fields:
        return
    for each in query.ids[:MOST_FETCHES]:
        found = profile.translator.translate(query.narrowed(Compare(Field.ID, Op.EQ, each)), profile.can)
        if found.residual is None:  # else the id is not of this source's kind
            yield each, found


def _unsent(translations: Iterable[Translation], sent: set[str]) -> tuple[Translation, ...]:
    fresh = []
    for translation in translations:
        key = f"{translation.native}|{translation.residual}"
        if key not in sent:
            sent.add(key)
            fresh.append(translation)
    return tuple(fresh)
