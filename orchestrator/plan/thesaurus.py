"""What a thing is a kind of: "database" for PostgreSQL, "클러스터" for 쿠버네티스. A small graph as data, and a site's own before it."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from connectors.errors import Misconfigured
from connectors.manifest import by_commas
from translators.letters import has_hangul
from translators.match import fold

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MOST = 2  # broader terms that one word is asked by
OTHER = 1  # of the other language, beside them, for a source that takes alternatives


Terms = Annotated[tuple[str, ...], BeforeValidator(by_commas)]


class Concept(BaseModel):
    """What is a kind ``of`` it, what it is called in each language, and ``related`` terms in either."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    of: Annotated[Terms, Field(min_length=1)]
    en: Terms = ()
    ko: Terms = ()
    related: Terms = ()


class Thesaurus(BaseModel):
    """All concepts, in the order in which they are looked at."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    concept: tuple[Concept, ...] = ()

    def narrower(self) -> Mapping[str, Concept]:
        """By each thing, folded; of several concepts of one thing the first."""
        found: dict[str, Concept] = {}
        for concept in self.concept:
            for name in concept.of:
                found.setdefault(fold(name), concept)
        return found


def load_thesaurus(packaged: Path, site: Path | None = None) -> Mapping[str, Concept]:
    """The packaged one behind that of ``site``. For the composition root. Raises :class:`Misconfigured` with the file."""
    files = [each for each in (site, packaged) if each is not None]
    return Thesaurus(concept=tuple(each for file in files for each in _read(file).concept)).narrower()


def _read(file: Path) -> Thesaurus:
    try:
        return Thesaurus.model_validate(tomllib.loads(file.read_text("utf-8")))
    except OSError as failure:
        raise Misconfigured(f"{file} cannot be read: {failure.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as failure:
        raise Misconfigured(f"{file} is not valid TOML: {failure}") from None
    except ValidationError as failure:
        first = failure.errors(include_url=False)[0]
        raise Misconfigured(f"{file}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def broader_terms(word: str, language: str, thesaurus: Mapping[str, Concept]) -> tuple[str, ...]:
    """What ``word`` is asked by instead, in the question's language and then the other; nothing for what is not known."""
    concept = thesaurus.get(fold(word)) or thesaurus.get(fold(word).removesuffix("s"))
    if concept is None:
        return ()
    korean = language == "ko"
    own, other = (concept.ko, concept.en) if korean else (concept.en, concept.ko)
    near = [*own, *(each for each in concept.related if has_hangul(each) == korean)][:MOST]
    return tuple(dict.fromkeys((*near, *other[:OTHER])))
