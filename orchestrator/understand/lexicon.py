"""The words of both languages, read once from ``config/language`` and compiled for speed."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orchestrator.packaged import config_dir
from orchestrator.understand.bilingual import FILE as PAIRS
from orchestrator.understand.bilingual import NO_WORDS, Bilingual
from orchestrator.understand.cues import Cues
from orchestrator.understand.trained import NOTHING_KNOWN, Odds, Trained
from translators.patterns import regex
from translators.query import Category, QueryType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from importlib.resources.abc import Traversable

FILES = ("en", "ko", "names", "tools", "variants")
TRAINED = "types.bin"
"""Weights of :mod:`orchestrator.understand.trained`."""


NAMING = "naming.json"
"""Weights of :mod:`orchestrator.understand.trained`."""


VOWELS = frozenset("aeiou")
DOUBLING = 6
"""Letters of the longest verb whose last one is doubled: submit."""


class BadLexicon(ValueError):
    """A language file is missing or not what it should be; the message names the file and what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Compiled word lists. Build it with :func:`load_lexicon`; every set holds lower-cased words."""

    stop_en: frozenset[str]
    vague: frozenset[str]
    """Those of them that are part of a name in a phrase: the new office, new business team."""
    plain: frozenset[str]
    """Those of ``asking_en`` that only ask."""
    asking_en: frozenset[str]
    gerunds: frozenset[str]
    """Forms in -ing of those: a hearing, tracking."""
    stop_ko: frozenset[str]
    behind: frozenset[str]
    """Those of them that stand for a particle behind a noun, and are nouns elsewhere: 관련 기관."""
    asking_ko: frozenset[str]
    hindrances: tuple[str, ...]
    """How words for being held up begin."""
    overview: frozenset[str]
    """What is asked for by whoever wants to be told of a time and names nothing: a summary, news."""
    happened: Mapping[str, str]
    """What is done to what a team makes, by its past form: deployed is deploy."""
    phrasal: re.Pattern[str]
    """Groups of words that are one keyword, and none apart."""
    beside: frozenset[str]
    whole: frozenset[str]
    generic: frozenset[str]
    ordinary: frozenset[str]
    everyday: frozenset[str]
    """These, words of asking, joining and the generic ones: what no name is made of by a capital alone."""
    categories: Mapping[str, Category]
    subjects_en: frozenset[str]
    subjects_ko: tuple[str, ...]
    given: frozenset[str]
    given_ko: frozenset[str]
    doubtful: frozenset[str]
    places: frozenset[str]
    tools: frozenset[str]
    technical: frozenset[str]
    prefixes: frozenset[str]
    codenames: frozenset[str]
    functions: frozenset[str]
    """Teams that every firm has and no project is: 인사팀."""
    emblems: frozenset[str]
    """Words teams take for names: birds, stones, stars."""
    mundane: frozenset[str]
    """Those of them that in small letters mean themselves."""
    loanwords: frozenset[str]
    """Words of Korean offices that morphology does not know."""
    halves: frozenset[str]
    products: tuple[str, ...]
    brands: frozenset[str]
    feasts: frozenset[str]
    around: Mapping[str, tuple[str, ...]]
    """The kinds of words that tell what a name beside them names, by word."""
    suites: frozenset[str]
    """Names of software in several words, lower-cased."""
    suite_heads: frozenset[str]
    """The first words of those."""
    not_projects: frozenset[str]
    project_names: Mapping[str, str]
    customer: frozenset[str]
    authoring_en: frozenset[str]
    acting_en: frozenset[str]
    made: frozenset[str]
    titles_en: frozenset[str]
    titles_ko: tuple[str, ...]
    surnames: frozenset[str]
    common_surnames: frozenset[str]
    syllables: frozenset[str]
    authoring_ko: tuple[str, ...]
    not_topic: frozenset[str]
    cues_en: Cues
    cues_ko: Cues
    heads_en: Mapping[str, QueryType]
    heads_ko: Mapping[str, QueryType]
    kinds_ko: frozenset[str]
    variants: Mapping[str, tuple[str, ...]]
    ambiguous: frozenset[str]
    fiscal_start: int
    naming: Odds = NOTHING_KNOWN
    """Tells projects from other capitals."""
    types: Trained | None = None
    """The trained part of the type; a folder of one's own may do without."""
    bilingual: Bilingual = NO_WORDS
    """Words of Korean and English; a folder of one's own may do without."""


def load_lexicon(folder: Traversable | None = None, glossaries: tuple[Path, ...] = ()) -> Lexicon:
    """Read the language files of ``folder`` (default: those shipped) and merge site glossaries into them.

    A glossary is TOML with any of ``[synonyms] groups``, ``[acronyms]``, ``[projects] names`` and ``[calendar]
    fiscal_year_starts`` (a month; fiscal years are named by the calendar year they end in).
    Raises :class:`BadLexicon` where a file cannot be read or compiled.
    """
    return _cached(str(folder) if folder is not None else None, glossaries)


@lru_cache(maxsize=8)
def _cached(folder: str | None, glossaries: tuple[Path, ...]) -> Lexicon:
    home = Path(folder) if folder is not None else config_dir() / "language"
    data = {name: _read(home / f"{name}.toml") for name in FILES}
    compiled = _compile(data, [_read(path, "check search.glossary") for path in glossaries])
    lexicon = replace(compiled, naming=_naming(home), types=_trained(home), bilingual=Bilingual(home / PAIRS))
    if folder is not None:
        _check_patterns(data)
    return lexicon


def _check_patterns(data: dict[str, dict[str, Any]]) -> None:
    """Compile the cues of somebody's own folder, so that no question meets a broken one. Tests do it for ours."""
    for row in (*data["en"]["intent"], *data["ko"]["intent"]):
        try:
            re.compile(row["pattern"])
        except re.error as error:
            raise BadLexicon(f"the pattern {row['pattern']!r} is no regular expression: {error}") from error


def _naming(home: Traversable) -> Odds:
    """The weights that tell projects from other capitals; without the file, two rules do."""
    path = home / NAMING
    if not path.is_file():
        return NOTHING_KNOWN
    try:
        return Odds(path.read_bytes())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadLexicon(
            f"{path} holds no weights ({error!r}); reinstall fedsearch, or make them with python -m tests.train_projects"
        ) from error


def _trained(home: Traversable) -> Trained | None:
    """The weights beside the word lists, or None where there are none."""
    path = home / TRAINED
    if not path.is_file():
        return None
    try:
        return Trained(path.read_bytes())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadLexicon(
            f"{path} holds no weights ({error!r}); reinstall fedsearch, or make them with python -m tests.train_types"
        ) from error


def _read(path: Traversable, advice: str = "language files come with fedsearch, reinstall it") -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadLexicon(f"{path} cannot be read ({error.strerror}); {advice}") from error
    except tomllib.TOMLDecodeError as error:
        raise BadLexicon(f"{path} is not valid TOML: {error}") from error


def _compile(data: dict[str, dict[str, Any]], glossaries: list[dict[str, Any]]) -> Lexicon:
    en, ko, names, tools, variants = (data[name] for name in FILES)
    try:
        return Lexicon(
            stop_en=_set(en["stop"]["function"]) | _set(en["stop"]["vague"]),
            vague=_set(en["stop"]["vague"]),
            plain=_plain(en["stop"]),
            asking_en=_plain(en["stop"]) | _forms(en["stop"]["asking"]),
            gerunds=frozenset(word for word in _forms(en["stop"]["asking"]) if word.endswith("ing")),
            stop_ko=_set(ko["stop"]["function"]) | _set(ko["stop"]["behind"]),
            behind=_set(ko["stop"]["behind"]),
            asking_ko=_set(ko["stop"]["asking"]),
            hindrances=(*en["stop"]["hindrances"].split(), *ko["stop"]["hindrances"].split()),
            overview=_set(en["stop"]["overview"]) | _set(ko["stop"]["overview"]),
            happened=_pairs(en["stop"]["happened"]),
            phrasal=_alternatives(en["stop"]["phrasal"]),
            beside=_set(en["stop"]["beside"]) | _set(ko["stop"]["beside"]),
            whole=_set(ko["stop"]["whole"]),
            generic=_set(en["stop"]["generic"]) | _set(ko["stop"]["generic"]),
            ordinary=_set(en["ordinary"]["words"]),
            everyday=frozenset[str]().union(
                _set(en["ordinary"]["words"]),
                *(_set(en["stop"][part]) for part in ("function", "vague", "generic")),
                _plain(en["stop"]),
                _forms(en["stop"]["asking"]),
                _set(ko["stop"]["generic"]),
            ),
            categories=_categories(en["sources"], ko["sources"]),
            subjects_en=_set(en.get("source_subjects", {}).get("words", "")),
            subjects_ko=tuple(ko.get("source_subjects", {}).get("words", "").split()),
            given=_set(names["given"]),
            given_ko=_set(names.get("korean_given", {}).get("words", "")),
            doubtful=_set(names["doubtful"]),
            places=_set(names["places"]) | _set(names["korean_places"]["words"]),
            tools=_set(tools["tools"]),
            technical=_set(tools.get("technical", "")),
            prefixes=_set(tools.get("prefixes", "")),
            codenames=_set(tools.get("codenames", "")),
            functions=_set(tools.get("functions", "")),
            emblems=_set(tools.get("emblems", "")),
            mundane=_set(tools.get("mundane", "")),
            loanwords=_set(tools.get("loanwords", "")),
            halves=_set(tools.get("halves", "")),
            products=tuple(tools.get("products", "").split()),
            brands=_set(tools.get("brands", "")),
            feasts=_set(tools.get("feasts", "")),
            around=_kinds(tools.get("around", {})),
            suites=frozenset(_names(tools["suites"])),
            suite_heads=frozenset(name.split()[0] for name in _names(tools["suites"])),
            not_projects=_set(tools["not_projects"]),
            project_names=_project_names(glossaries),
            customer=_set(en["people"]["customer"]),
            authoring_en=_set(en["people"]["authoring"]),
            acting_en=_set(en["people"]["acting"]),
            made=_set(en["people"]["made"]),
            titles_en=_set(en["people"]["titles"]),
            titles_ko=_longest_first(ko["people"]["titles"].split()),
            common_surnames=_set(ko["people"]["common"]),
            surnames=_set(ko["people"]["surnames"]),
            syllables=frozenset("".join(ko["people"].get("syllables", "").split())),
            authoring_ko=tuple(ko["people"]["authoring"].split()),
            not_topic=_set(en["negation"]["not_as_topic"]),
            cues_en=Cues(en["intent"], 5),
            cues_ko=Cues(ko["intent"], 2),
            heads_en=_heads(en["heads"]),
            heads_ko=_heads(ko["heads"]),
            kinds_ko=_set(ko.get("nouns", {}).get("kinds", "")),
            variants=_variants([variants, *glossaries]),
            ambiguous=_set(variants.get("ambiguous", {}).get("acronyms", "")),
            fiscal_start=_fiscal_start([en, *glossaries]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BadLexicon(
            f"a language file lacks or misspells something: {error!r}; compare it with the shipped one"
        ) from error


def _set(words: str) -> frozenset[str]:
    return frozenset(words.lower().split())


def _plain(stop: dict[str, str]) -> frozenset[str]:
    return _forms(stop["plain"]) | _set(stop.get("as_they_stand", ""))


def _forms(words: str) -> frozenset[str]:
    """English words with their endings: decide is also decides, decided and deciding, and stop is stopped and stopping."""
    found: set[str] = set()
    for word in words.lower().split():
        stem = word[:-1] if word.endswith(("e", "y")) else word
        soft = f"{stem}i" if word.endswith("y") and word[-2:-1] not in VOWELS else word.removesuffix("e")
        found |= {word, f"{word}s", f"{soft}es", f"{soft}ed", f"{word.removesuffix('e')}ing"}
        if len(word) <= DOUBLING and word[-1] not in VOWELS and word[-2:-1] in VOWELS:
            found |= {f"{word}{word[-1]}ed", f"{word}{word[-1]}ing"}
    return frozenset(found)


def _names(text: str) -> list[str]:
    """Names of several words, set apart by commas and line ends."""
    return [name.strip() for name in text.lower().replace("\n", ",").split(",") if name.strip()]


def _pairs(text: str) -> dict[str, str]:
    """Two words each, set apart by commas."""
    return dict(pair.split() for pair in text.lower().split(","))


def _alternatives(groups: str) -> re.Pattern[str]:
    """One pattern for groups of words set apart by ``|``."""
    words = "|".join(map(re.escape, _longest_first(groups.split("|"))))
    return regex(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)


def _longest_first(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(words, key=len, reverse=True))


def _categories(*tables: dict[str, str]) -> dict[str, Category]:
    return {word: Category(name) for table in tables for name, words in table.items() for word in words.lower().split()}


def _kinds(table: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """The kinds each word is of."""
    found: dict[str, tuple[str, ...]] = {}
    for name, words in table.items():
        for word in words.lower().split():
            found[word] = (*found.get(word, ()), name)
    return found


def _heads(table: dict[str, str]) -> dict[str, QueryType]:
    return {word: QueryType(name) for name, words in table.items() for word in words.lower().split()}


def _fiscal_start(tables: list[dict[str, Any]]) -> int:
    """The month the fiscal year begins with; the last glossary that says so decides."""
    month = int([table["calendar"]["fiscal_year_starts"] for table in tables if "calendar" in table][-1])
    if not 1 <= month <= 12:  # noqa: PLR2004
        raise ValueError(f"calendar.fiscal_year_starts is a month from 1 to 12, not {month}")
    return month


def _project_names(glossaries: list[dict[str, Any]]) -> dict[str, str]:
    names = (name for glossary in glossaries for name in glossary.get("projects", {}).get("names", ()))
    return {name.casefold(): name for name in names}


def _variants(tables: list[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Each name to the others of its group, in the order written; an acronym and its expansions are a group too.

    A name behind ``~`` is a misspelling or an inflection: it is understood and never offered.
    """
    groups = [
        [part.strip() for part in group.split(",")]
        for table in tables
        for group in table.get("synonyms", {}).get("groups", ())
    ]
    groups += [[short, *long] for table in tables for short, long in table.get("acronyms", {}).items()]
    found: dict[str, dict[str, None]] = {}
    for group in groups:
        offered = [name for name in group if not name.startswith("~")]
        for name in (name.lstrip("~") for name in group):
            others = found.setdefault(name.casefold(), {})
            others.update(dict.fromkeys(other for other in offered if other.casefold() != name.casefold()))
    return {name: tuple(others) for name, others in found.items()}
