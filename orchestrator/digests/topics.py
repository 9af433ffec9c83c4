"""What matters are on: a project wherever it is spoken of, in whichever source; else the place where they stand."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from orchestrator.rank.matters import KEY
from translators.match import fold, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from connectors.contract import Hit
    from orchestrator.digests.matters import Matter

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
