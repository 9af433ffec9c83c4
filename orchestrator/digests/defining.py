"""People define digests and saved searches of their own: of what they may see, delivered to themselves or where it is allowed."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import ValidationError

from connectors.errors import Misconfigured
from orchestrator.digests.definition_repository import SECRET, StoredDefinition
from orchestrator.digests.definitions import defined_by, short_name
from orchestrator.digests.delivery import kept_destination
from orchestrator.digests.delivery.slack import check_audience
from orchestrator.digests.delivery.webhook import SCHEMES
from orchestrator.digests.schedules import following
from orchestrator.model import Principal
from orchestrator.settings.digests import DigestSettings, SearchSettings
from orchestrator.settings.fields import field_problem
from translators.records import record
from translators.said import Said, quoting

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping
    from datetime import datetime

    from orchestrator.digests.collecting import Asks
    from orchestrator.digests.definition_repository import DefinitionCatalogue, DefinitionRepository
    from orchestrator.digests.definitions import Definition, Definitions
    from orchestrator.digests.running import Clock, Runs

NAME = re.compile(r"[\w](?:[\w .-]{0,62}[\w])?")
LOOKED_AT = 100  # runs of a schedule, by which it is judged whether it comes too often
UNSIGNED = Said("a webhook needs a secret to sign by; give one (`secret`)")
UNNAMED = Said("a name has 1 to 64 letters, digits, spaces, dots, dashes")
TAKEN = Said("you have one called {name} already; change that, or take another name")
MOST = Said("you may define {most} of them; remove one first")
NO_DIGEST = Said("you have no digest called {name}; list those you have")
FIXED = Said("{name} stands in the settings; whoever runs this can change it there")
NO_SOURCE = Said("no source is called {name}; there are: {known}")
TOO_OFTEN = Said("that schedule comes more often than every {seconds:.0f} s, which is the least here")
NOT_THERE = Said("it may not be delivered to {place}; {where}")
ALLOWED = Said("you may have it at: {places}")
NOWHERE = Said("ask whoever runs this to allow a place for it")
NO_SETTING = Said("a {kind} has no such setting; it has: {known}")
KINDS = {"digest": Said("digest"), "search": Said("saved search")}
AT_FIELD = Said("{field}: {problem}")


class NotDefined(Exception):
    """A definition that is not taken. ``code`` is stable; ``field``: what of it is wrong; the message says what to do."""

    def __init__(self, code: str, message: Said, field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field


async def _nowhere() -> None:
    """Nothing is written down."""


@record
class Maker:
    """Who defines. ``rules``: whether the limits for people apply; they do not for whoever runs the installation. ``noted``: writes down what they do, just before it is done."""

    principal: Principal
    rules: bool = True
    noted: Callable[[], Awaitable[None]] = _nowhere


class Defining:
    """Makes, changes and removes what people define. Raises :class:`NotDefined`, else only :class:`SourceError`."""

    def __init__(
        self,
        catalogue: DefinitionCatalogue,
        definition_repository: DefinitionRepository,
        engine: Asks,
        runs: Runs,
        clock: Clock,
    ) -> None:
        self._catalogue = catalogue
        self._repository = definition_repository
        self._engine = engine
        self._runs = runs
        self._clock = clock

    async def create(self, maker: Maker, name: str, kind: str, told: Mapping[str, Any]) -> str:
        """A new definition of ``kind`` ("digest" or "search"), with the settings that it would have in a file; its full name."""
        if NAME.fullmatch(name) is None:
            raise NotDefined("bad_definition", UNNAMED, "name")
        who = maker.principal.id
        if (await self._catalogue.definitions([who])).owned(name, who):
            raise NotDefined("name_taken", TAKEN.filled(name=repr(name)))
        said = {**told, "person": who, "email": maker.principal.email}
        said.setdefault("name", maker.principal.name)
        return await self._kept(maker, StoredDefinition(name, _validated(kind, said)))

    async def change(self, maker: Maker, name: str, told: Mapping[str, Any]) -> str:
        """Change what is told of a definition, and leave the rest; its full name."""
        full, wished = await self._own(maker, name)
        said = {**wished.model_dump(), **told, "person": maker.principal.id, "email": maker.principal.email}
        kind = "search" if isinstance(wished, SearchSettings) else "digest"
        return await self._kept(maker, StoredDefinition(short_name(full), _validated(kind, said)), wished)

    async def remove(self, maker: Maker, name: str) -> str:
        """Forget a definition and all that was kept for it; its full name."""
        full, _ = await self._own(maker, name)
        await maker.noted()
        await self._repository.remove(full)
        return full

    async def _kept(self, maker: Maker, made: StoredDefinition, before: Definition | None = None) -> str:
        definitions = self._catalogue.fixed
        try:
            definitions.check_one(made.wished)
        except Misconfigured as failure:
            raise NotDefined("bad_definition", quoting(failure.message), "schedule") from None
        await self._check_sources(made.wished)
        if maker.rules:
            self._check_schedule(made.wished, before)
            self._check_places(maker.principal, made.wished, before)
        if any(each.partition(":")[0] in SCHEMES for each in made.wished.deliver) and made.wished.secret is None:
            raise NotDefined("bad_definition", UNSIGNED, SECRET)
        most = definitions.numbers.own if maker.rules else 2**31
        await maker.noted()
        if not await self._repository.put(made, most):
            raise NotDefined("too_many", MOST.filled(most=most))
        await self._runs.plan_one(made.full)
        return made.full

    async def _own(self, maker: Maker, name: str) -> tuple[str, Definition]:
        found = (await self._catalogue.definitions([maker.principal.id])).owned(name, maker.principal.id)
        if found is None:
            raise NotDefined("no_digest", NO_DIGEST.filled(name=repr(name)))
        if defined_by(found[0]) == "settings":
            raise NotDefined("of_the_settings", FIXED.filled(name=repr(name)))
        return found

    async def _check_sources(self, wished: Definition) -> None:
        profiles = await self._engine.profiles_for(Principal(wished.person, wished.name, wished.email))
        known = {name for each in profiles for name in each.names}
        if unknown := [each for each in wished.sources if each not in known]:
            said = NO_SOURCE.filled(name=repr(unknown[0]), known=", ".join(sorted(known)))
            raise NotDefined("bad_definition", said, "sources")

    def _check_schedule(self, wished: Definition, before: Definition | None) -> None:
        if not wished.schedule or (before is not None and before.schedule == wished.schedule):
            return
        definitions = self._catalogue.fixed
        if _closest(definitions, wished, self._clock.now()) < timedelta(seconds=definitions.numbers.apart):
            said = TOO_OFTEN.filled(seconds=definitions.numbers.apart)
            raise NotDefined("bad_definition", said, "schedule")

    def _check_places(self, person: Principal, wished: Definition, before: Definition | None) -> None:
        """What whoever runs this has set up for a person stays as it is."""
        allowed = self._catalogue.fixed.numbers.allowed
        for address in wished.deliver:
            if before is not None and address in before.deliver:
                continue
            if not _may_go_to(address, person, allowed):
                said = NOT_THERE.filled(place=kept_destination(address).shown, where=may_have_it_at(person, allowed))
                raise NotDefined("not_allowed", said, "deliver")
            if address.startswith("slack:"):
                try:
                    check_audience(address, wished)
                except Misconfigured as failure:
                    raise NotDefined("not_allowed", quoting(failure.message), "deliver") from None


def _validated(kind: str, told: Mapping[str, Any]) -> Definition:
    """By the very rules of the settings."""
    model = SearchSettings if kind == "search" else DigestSettings
    try:
        return model.model_validate(told)
    except ValidationError as failure:
        first = failure.errors()[0]
        field = ".".join(map(str, first["loc"]))
        said = field_problem(first)
        if first["type"] == "extra_forbidden":
            said = NO_SETTING.filled(kind=KINDS.get(kind, kind), known=", ".join(sorted(model.model_fields)))
        raise NotDefined("bad_definition", AT_FIELD.filled(field=field, problem=said), field) from None


def _closest(definitions: Definitions, wished: Definition, now: datetime) -> timedelta:
    """The shortest time between two of its next runs."""

    def occasions() -> Iterator[datetime]:
        moment = now
        for _ in range(LOOKED_AT):
            yield (moment := following(wished.schedule, definitions.zone_for(wished), moment))

    return min(later - earlier for earlier, later in pairwise(occasions()))


def _may_go_to(address: str, person: Principal, allowed: tuple[str, ...]) -> bool:
    if person.email and address.casefold() == f"mailto:{person.email}".casefold():
        return True
    return any(address == each or _is_below(address, each) for each in allowed)


def _is_below(address: str, allowed: str) -> bool:
    """Whether it begins with an allowed address of the web that ends with a slash, and stays below it."""
    if not allowed.startswith(("https://", "http://")) or not allowed.endswith("/") or not address.startswith(allowed):
        return False
    path = urlsplit(address).path
    return not re.search(r"[\s\\%]|/\.\.?(?:/|$)", path)


def may_have_it_at(person: Principal, allowed: tuple[str, ...]) -> Said:
    """Where somebody may have their digests delivered, or whom to ask for such a place."""
    places = [f"mailto:{person.email}"] if person.email else []
    places += [kept_destination(each).shown for each in allowed]
    return ALLOWED.filled(places=", ".join(places)) if places else NOWHERE
