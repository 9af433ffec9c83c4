"""Put a digest together: matters into sections, the most significant first in a weekly one, everything in a daily one. Pure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.digests.content import About, Coverage, Digest, DigestEntry, DigestSection, Group, SectionKind, Why
from orchestrator.digests.entries import promised, sort_out, standing
from orchestrator.digests.matters import conversations, matter_of
from orchestrator.digests.reader import knowing
from orchestrator.rank.matters import KEY
from translators.match import fold, happened, words
from translators.query import Kind as Thing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.digests.matters import Matter
    from orchestrator.digests.reader import Reader
    from translators.query import Person

# How many entries of a section, of a group of updates, and how many groups. What is left is counted.
DAILY = {
    SectionKind.ACTIONS: 40,
    SectionKind.DECISIONS: 40,
    SectionKind.MENTIONS: 40,
    SectionKind.DOCUMENTS: 40,
    SectionKind.UPDATES: 12,
}
WEEKLY = {
    SectionKind.ACTIONS: 10,
    SectionKind.DECISIONS: 8,
    SectionKind.MENTIONS: 5,
    SectionKind.DOCUMENTS: 8,
    SectionKind.UPDATES: 4,
}
GROUPS = {"daily": 20, "weekly": 8}
WORTH = 0.0  # of an entry below which a weekly digest counts it without telling it


def make(
    about: About,
    matters: Sequence[Matter],
    work: Sequence[Hit],
    coverage: Sequence[Coverage],
    reader: Reader,
    *,
    mine: bool = False,
) -> Digest:
    """``matters``: the newest first. ``work``: the reader's open work, of which is told what is due. ``mine``: nothing but what concerns the reader."""
    hits = (*(hit for matter in matters for hit in matter.hits), *work)
    reader = replace(knowing(reader, hits), talk=_talk(matters), since=about.since)
    told = _said_once(_sorted_out(without_shells(matters), reader))
    if mine:
        told = [each for each in told if _concerns(each, reader)]
    by_kind: dict[SectionKind, list[DigestEntry]] = {}
    for kind, entry, _ in told:
        if kind is not SectionKind.UPDATES:
            by_kind.setdefault(kind, []).append(entry)
    by_kind.setdefault(SectionKind.ACTIONS, []).extend(
        promise for kind, _, matter in told if kind is not SectionKind.ACTIONS and (promise := promised(matter, reader))
    )
    shown = frozenset(
        (hit.source, hit.id) for kind, _, matter in told if kind is SectionKind.ACTIONS for hit in matter.hits
    )
    by_kind.setdefault(SectionKind.ACTIONS, []).extend(standing(work, reader, shown))
    topics = Topics(hits)
    updates: dict[str, list[DigestEntry]] = {}
    for kind, entry, matter in told:
        if kind is SectionKind.UPDATES:
            updates.setdefault(topics.label(matter), []).append(entry)
    sections = [_section(kind, {"": entries}, about) for kind, entries in by_kind.items() if entries]
    sections += [_section(SectionKind.UPDATES, updates, about)] if updates else []
    order = list(SectionKind)
    sections.sort(key=lambda each: order.index(each.kind))
    counted = _counted(coverage, [hit for _, _, matter in told for hit in matter.hits])
    return Digest(
        about.name, about.title, about.language, about.zone, about.period, about.since, about.until,
        tuple(sections), counted, sum(each.events for each in counted), len(told),
    )  # fmt: skip


def _counted(coverage: Sequence[Coverage], hits: Sequence[Hit]) -> tuple[Coverage, ...]:
    """What was read of each source, with how much of it is told."""
    moments: dict[str, list[datetime]] = {each.source: [] for each in coverage}
    for hit in hits:
        moments[hit.source] += filter(None, [happened(hit)])
    return tuple(
        replace(each, events=len(own), late=sum(moment < each.since for moment in own))
        for each in coverage
        for own in (moments[each.source],)
    )


def _sorted_out(matters: Iterable[Matter], reader: Reader) -> list[tuple[SectionKind, DigestEntry, Matter]]:
    """Each matter in its section; what is nothing but talk by conversations, for it says little line by line."""
    told, talk = [], []
    for matter in matters:
        kind, entry = sort_out(matter, reader)
        if kind is SectionKind.UPDATES:
            talk.append(matter)
        else:
            told.append((kind, entry, matter))
    return told + [(*sort_out(matter, reader), matter) for matter in conversations(talk)]


def _said_once(
    told: Iterable[tuple[SectionKind, DigestEntry, Matter]],
) -> list[tuple[SectionKind, DigestEntry, Matter]]:
    """Who writes the same sentence here and there has said one thing: where it was said first, with the other places."""
    once: dict[tuple[SectionKind, tuple[str, ...]], tuple[SectionKind, DigestEntry, Matter]] = {}
    for kind, entry, matter in sorted(told, key=lambda each: (each[1].origin.happened, each[1].origin.id)):
        key = (kind, tuple(words(entry.text)) if entry.quoted else (entry.origin.source, entry.origin.id))
        if key not in once:
            once[key] = kind, entry, matter
            continue
        _, first, of_first = once[key]
        places = {
            each.place: each for each in (*first.also, entry.origin, *entry.also) if each.place != first.origin.place
        }
        both = matter_of((*of_first.results, *matter.results))
        weight = max(first.weight, entry.weight)
        count = first.count + entry.count
        once[key] = kind, replace(first, also=tuple(places.values()), count=count, weight=weight), both
    return list(once.values())


def without_shells(matters: Iterable[Matter]) -> list[Matter]:
    """A database changes with each of its pages: beside them it is no news."""
    found = list(matters)
    places = {hit.container.name for each in found for hit in each.hits if hit.container}
    return [each for each in found if not all(hit.kind is Thing.DATABASE and hit.title in places for hit in each.hits)]


def _talk(matters: Sequence[Matter]) -> Mapping[tuple[str, str], list[tuple[datetime, Person | None]]]:
    """What was said in places outside of threads, by place."""
    said: dict[tuple[str, str], list[tuple[datetime, Person | None]]] = {}
    for matter in matters:
        for hit in matter.hits:
            if hit.kind is Thing.MESSAGE and hit.container and (when := happened(hit)) is not None:
                said.setdefault((hit.source, hit.container.name), []).append((when, hit.author))
    return said


def _concerns(told: tuple[SectionKind, DigestEntry, Matter], reader: Reader) -> bool:
    kind, entry, matter = told
    theirs = kind is SectionKind.MENTIONS or (kind is SectionKind.ACTIONS and entry.why is not Why.QUESTION)
    return theirs or any(reader.is_meant(hit) or reader.wrote(hit) for hit in matter.hits)


def _section(kind: SectionKind, groups: Mapping[str, list[DigestEntry]], about: About) -> DigestSection:
    most = (WEEKLY if about.period == "weekly" else DAILY)[kind]
    made = [_group(label, entries, most, about, kind) for label, entries in groups.items()]
    if about.period == "weekly":
        made.sort(key=lambda each: (not each.label, -_weight(each), each.label))
    else:
        made.sort(key=lambda each: (not each.label, -len(each.entries) - each.left, each.label))
    kept, rest = made[: GROUPS[about.period]], made[GROUPS[about.period] :]
    where: Counter[str] = Counter()
    for each in rest:
        where.update([entry.origin.place for entry in each.entries])
        where.update(dict(each.where))
    if left := where.total():
        kept.append(Group("", (), left, _by_place(where)))
    return DigestSection(kind, tuple(kept))


def _by_place(where: Counter[str]) -> tuple[tuple[str, int], ...]:
    """The most first."""
    return tuple(sorted(where.items(), key=lambda each: (-each[1], each[0])))


def _weight(group: Group) -> float:
    """What matters most in it, and a little how much there is of it."""
    weights = [entry.weight for entry in group.entries]
    return max(weights, default=0.0) + 0.1 * sum(weights)


def _group(label: str, entries: list[DigestEntry], most: int, about: About, kind: SectionKind) -> Group:
    if about.period == "weekly" or kind is SectionKind.ACTIONS:
        ordered = sorted(entries, key=lambda each: (-each.weight, each.origin.happened, each.origin.id))
    else:
        ordered = sorted(entries, key=lambda each: (each.origin.happened, each.origin.id))
    worthy = [each for each in ordered if about.period == "daily" or each.weight > WORTH]
    shown = tuple(worthy[:most])
    left = Counter(each.origin.place for each in ordered) - Counter(each.origin.place for each in shown)
    return Group(label, shown, left.total(), _by_place(left))


# ---- what matters are on: a project wherever it is spoken of, in whichever source; else the place where they stand

READ = 1500  # characters of a text that are searched for names of projects
ASIDE = re.compile(r"\s{0,9}[(（].{0,80}?[)）]\s{0,9}$")  # "Halla (cloud)" is spoken of as Halla
SHORTEST = 3  # characters of a name that is looked for in texts, if it is one word


class Topics:
    """The projects that the things at hand belong to, and the names and keys by which others speak of them."""

    def __init__(self, hits: Iterable[Hit]) -> None:
        self._projects: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        for hit in hits:
            if project := _project(hit):
                self._projects.setdefault(fold(project), project)
                self._keys[str(hit.facts.get("key", hit.id))] = project
        names = {project: tuple(words(ASIDE.sub("", project))) for project in self._projects.values()}
        self._names: Mapping[str, tuple[str, ...]] = {
            project: said for project, said in names.items() if len(said) > 1 or len("".join(said)) >= SHORTEST
        }

    def label(self, matter: Matter) -> str:
        """What a matter is on; empty for nothing that has a name."""
        found = Counter(project for hit in matter.hits if (project := _project(hit)))
        found = found or Counter(label for hit in matter.hits for label in self._spoken_of(hit))
        if found:
            return min(found, key=lambda each: (-found[each], each))
        places = [hit.container.name for hit in matter.hits if hit.container and hit.container.name]
        if not places:
            return ""
        place = Counter(places).most_common(1)[0][0]
        return self._projects.get(fold(place), place)

    def _spoken_of(self, hit: Hit) -> Iterable[str]:
        place = self._projects.get(fold(hit.container.name)) if hit.container else None
        if place:
            return (place,)
        text = f"{hit.title}\n{hit.snippet[:READ]}"
        if known := {self._keys[key] for key in KEY.findall(text) if key in self._keys}:
            return known
        said = words(text)
        return tuple(project for project, name in self._names.items() if _holds(said, name))


def _project(hit: Hit) -> str:
    project = hit.facts.get("project")
    return project if isinstance(project, str) else ""


def _holds(said: Sequence[str], name: tuple[str, ...]) -> bool:
    if not name or name[0] not in said:
        return False
    size = len(name)
    return any(tuple(said[at : at + size]) == name for at in range(len(said) - size + 1))
