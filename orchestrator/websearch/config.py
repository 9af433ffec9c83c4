"""The rules of trust and the numbers of the strategies, as ``config/web_tiers.toml`` holds them; checked when read."""

from __future__ import annotations

import re
import tomllib
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeInt,
    PositiveInt,
    ValidationError,
    model_validator,
)

from connectors.errors import Misconfigured
from connectors.manifest import WrittenMessage
from translators.said import UNSAID

if TYPE_CHECKING:
    from pathlib import Path

TIERS = (1, 2, 3, 4)
HOST_AND_PATH = re.compile(r"[a-z0-9._-]+(?:/[^\s?#]*)?")

Tier = Annotated[int, Field(ge=1, le=4)]
Score = Annotated[int, Field(ge=0, le=100)]


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as failure:
        raise ValueError(f"{pattern!r} is no regular expression: {failure}") from None
    return pattern


def _is_place(text: str) -> str:
    if not HOST_AND_PATH.fullmatch(text):
        raise ValueError(
            f"{text!r} is no host; write docs.example.org or example.org/blog, in lower case, IDNs as xn--"
        )
    return text.rstrip("/")


Place = Annotated[str, AfterValidator(_is_place)]
Pattern = Annotated[str, AfterValidator(_compiles)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TierStanding(_Section):
    """A tier and a score in its band, and why, for people."""

    tier: Tier
    score: Score
    reason: WrittenMessage = UNSAID


class Rule(TierStanding):
    """Every condition given must hold; of a list, one entry suffices.

    ``domains``: a host and all beneath it, ``example.org/blog`` below that path only. ``labels``: the first label of a
    registered domain's subdomain. ``suffixes``: its public suffix. ``paths``: patterns of the whole path; ``unless``: of
    those that it is not for, and ``unless_labels`` such labels. ``known``: a rule of the first two tiers names something under what was registered.
    ``owners``: the path's first segment. ``named``: the question names what was registered. ``repository``: owner and repository
    both bear a name from the question. ``hosted``: anybody may have a page there. ``votes``: votes raise the score.
    """

    domains: tuple[Place, ...] = ()
    labels: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()
    paths: tuple[Pattern, ...] = ()
    unless: tuple[Pattern, ...] = ()
    unless_labels: frozenset[str] = frozenset()
    known: bool = False
    owners: frozenset[str] = frozenset()
    named: bool = False
    repository: bool = False
    hosted: bool = False
    votes: bool = False

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.domains or self.labels or self.suffixes or self.hosted or self.known):
            raise ValueError(
                "a rule needs domains, labels, suffixes, known or hosted; without any it would fit the whole web"
            )
        return self


class SignalWeights(_Section):
    """What moves a score inside its band."""

    named: int
    insecure: int
    votes: NonNegativeInt


class Projects(_Section):
    """How a host's name and a word of a question are recognised as the same project."""

    affixes: tuple[str, ...]
    shortest: PositiveInt
    ordinary: frozenset[str]


class Official(_Section):
    """Official first: tier 1; fewer than ``enough_official``: and tier 2; still fewer than ``enough``: and the rest."""

    results: PositiveInt
    enough_official: PositiveInt
    enough: PositiveInt


class Comprehensive(_Section):
    """``least`` to ``most`` results of each tier, ``at_most`` altogether, out of ``results``."""

    results: PositiveInt
    least: PositiveInt
    most: PositiveInt
    at_most: PositiveInt


class Keyword(_Section):
    """What is added to a query, in its language."""

    en: str
    ko: str


class FeedbackCue(Keyword):
    """What somebody may say (``words``), and the keyword that finds it."""

    words: frozenset[str]


class Progressive(_Section):
    """``results`` of ``tiers`` out of a ``pool``; on feedback the next tier and a keyword."""

    results: PositiveInt
    tiers: tuple[Tier, ...]
    pool: PositiveInt
    feedback: Annotated[tuple[FeedbackCue, ...], Field(min_length=1)]


class Strategies(_Section):
    """The numbers of each strategy; ``again``: what finds pages of a tier where one search brought too few of them."""

    official: Official
    comprehensive: Comprehensive
    progressive: Progressive
    again: dict[Tier, Keyword]


class WebTiers(_Section):
    """Everything that can be tuned about trust and choice on the web."""

    bands: dict[Tier, tuple[Score, Score]]
    unknown: TierStanding
    doubtful: TierStanding
    signals: SignalWeights
    names: dict[str, str]
    projects: Projects
    rule: tuple[Rule, ...]
    strategies: Strategies

    @model_validator(mode="after")
    def _stays_in_its_bands(self) -> Self:
        if missing := [tier for tier in TIERS if tier not in self.bands]:
            raise ValueError(f"bands says nothing for tier {', '.join(map(str, missing))}")
        for each in (self.unknown, self.doubtful, *self.rule):
            low, high = self.bands[each.tier]
            if not low <= each.score <= high:
                raise ValueError(f"score {each.score} of {each.reason!r} is outside tier {each.tier}, {low} to {high}")
        return self

    @cached_property
    def own_domains(self) -> frozenset[str]:
        """Hosts that a rule of the first two tiers names: what somebody might imitate."""
        return frozenset(place.partition("/")[0] for rule in self.rule if rule.tier <= 2 for place in rule.domains)  # noqa: PLR2004 — tiers that promise something


def load_tiers(packaged: Path, site: Path | None = None) -> WebTiers:
    """The packaged rules behind those of ``site``, whose ``[[rule]]`` and ``[names]`` come first.

    For the composition root. Raises :class:`Misconfigured` with the file and the place in it.
    """
    whole = _read(packaged)
    if site is None:
        return _checked(whole, packaged)
    own = _read(site)
    unknown = sorted(set(own) - {"rule", "names", "unknown"})
    if unknown:
        raise Misconfigured(
            f"{site}: {', '.join(unknown)} cannot be set there; it may have [[rule]], [names], [unknown]"
        )
    mixed = {
        **whole,
        "rule": [*own.get("rule", ()), *whole["rule"]],
        "names": {**whole["names"], **own.get("names", {})},
        "unknown": {**whole["unknown"], **own.get("unknown", {})},
    }
    return _checked(mixed, site)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as failure:
        raise Misconfigured(f"{path} is not valid TOML: {failure}") from None
    except OSError as failure:
        raise Misconfigured(f"{path} cannot be read: {failure.strerror}") from None


def _checked(values: dict[str, Any], path: Path) -> WebTiers:
    try:
        return WebTiers.model_validate(values)
    except ValidationError as failure:
        first = failure.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise Misconfigured(f"{path}: {where}: {first['msg'].removeprefix('Value error, ')}") from None
