"""What is defined: digests and saved searches by name, of the settings and of people themselves."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from connectors.errors import Misconfigured
from orchestrator.digests.schedules import check_cron, zone_name, zone_of
from orchestrator.settings.digests import DigestSettings, SearchSettings
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from orchestrator.settings.digests import DefinitionSettings, Scheduled

SETTING = Said("setting {name}: {problem}")
ZONELESS = Said("a schedule needs a time zone; write one like Asia/Seoul")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SEARCHES = "search/"  # what begins so is a saved search, wherever both stand by name
OWN = "own/"  # what begins so was defined by a person, whose digest follows
Definition = DigestSettings | SearchSettings
DefinedBy = Literal["settings", "person"]


@record
class Definitions:
    """Every definition by name, those of saved searches with ``search/`` before it; ``zone`` for those without their own.

    Of those that people made, ``own/`` and a digest of the person stand before that.
    """

    by_name: Mapping[str, Definition]
    numbers: Scheduled
    zone: tzinfo

    def zone_for(self, wished: DefinitionSettings) -> tzinfo:
        """The zone of a definition. Raises :class:`Misconfigured`."""
        return zone_of(wished.zone) if wished.zone else self.zone

    def schedule_of(self, wished: DefinitionSettings) -> str:
        """When it runs, in words that change with it."""
        return f"{wished.schedule} {wished.zone or zone_name(self.zone, EPOCH)}"

    def find(self, name: str) -> Definition:
        """Raises :class:`Misconfigured` where there is none of that name."""
        found = self.by_name.get(self.name_of(name))
        if found is not None:
            return found
        if several := self._called(name):
            raise Misconfigured(
                Said("{count} digests are called {name}; write one of: {known}").filled(
                    count=len(several), name=repr(name), known=", ".join(several)
                )
            )
        known = ", ".join(sorted(map(shown_name, self.by_name))) or "none"
        raise Misconfigured(
            Said("no digest is called {name}; there are: {known}; see docs/how-to/schedule-a-digest.md").filled(
                name=repr(name), known=known
            )
        )

    def name_of(self, name: str) -> str:
        """In full: with what it is and whose it is before it. What people made goes by the name that they gave, as long as one alone has it."""
        if name in self.by_name or f"{SEARCHES}{name}" in self.by_name:
            return name if name in self.by_name else f"{SEARCHES}{name}"
        called = self._called(name)
        return called[0] if len(called) == 1 else name

    def _called(self, name: str) -> list[str]:
        """What people made under this name, in full."""
        theirs = (full for full in self.by_name if defined_by(full) == "person")
        return sorted(full for full in theirs if name in {shown_name(full), short_name(full)})

    def owned(self, name: str, person: str) -> tuple[str, Definition] | None:
        """A definition of this person's with its full name: it is read with their rights, and is nobody else's.

        One of the settings goes before one that they made under the same name.
        """
        for full in (name, f"{SEARCHES}{name}", own_name(person, name), own_name(person, f"{SEARCHES}{name}")):
            wished = self.by_name.get(full)
            if wished is not None and wished.person == person:
                return full, wished
        return None

    def check(self) -> None:
        """Raises :class:`Misconfigured` for a name, a schedule or a zone that is none."""
        for name, wished in self.by_name.items():
            if defined_by(name) == "person":
                raise Misconfigured(
                    Said("digests.{name}: names that begin with {own} are those that people give; take another").filled(
                        name=name, own=OWN
                    )
                )
            try:
                self.check_one(wished)
            except Misconfigured as failure:
                raise Misconfigured(SETTING.filled(name=name, problem=failure.message)) from None

    def check_one(self, wished: DefinitionSettings) -> None:
        """The same of one definition."""
        self.zone_for(wished)
        if not wished.schedule:
            return
        check_cron(wished.schedule)
        if not wished.zone and getattr(self.zone, "key", None) is None:
            raise Misconfigured(ZONELESS)


def own_name(person: str, name: str) -> str:
    """What a person's own definition is kept under: two people may give the same name."""
    return f"{OWN}{hashlib.sha256(person.encode()).hexdigest()[:12]}/{name}"


def defined_by(name: str) -> DefinedBy:
    """Who made a definition, by its full name."""
    return "person" if name.startswith(OWN) else "settings"


def shown_name(name: str) -> str:
    """A full name as its person knows it."""
    return name.split("/", 2)[2] if defined_by(name) == "person" else name


def short_name(name: str) -> str:
    """The same without what it is."""
    return shown_name(name).removeprefix(SEARCHES)
