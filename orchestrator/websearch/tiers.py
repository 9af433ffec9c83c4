"""How far a page is to be trusted, by its address and the question alone. Pure; the rules are ``config/web_tiers.toml``."""

from __future__ import annotations

import math
import re
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import unquote

from orchestrator.websearch.hosts import Registered, imitates, registered
from orchestrator.websearch.urls import Address, read_address
from translators.match import HANGUL, words
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from orchestrator.websearch.config import Rule, TierStanding, WebTiers

REPOSITORY = 2  # segments of a path that name one: owner and repository


@record
class TierRating:
    """``tier`` 1 (official) to 4, ``reliability`` 0 to 100, and the reason."""

    tier: int
    reliability: int
    reason: Said


@record
class JudgedAddress:
    """What rules look at."""

    address: Address
    registered: Registered
    segments: tuple[str, ...]

    @property
    def path(self) -> str:
        """As a browser would ask for it, without dots that lead elsewhere."""
        return "/" + "/".join(self.segments)

    @property
    def label(self) -> str:
        """``docs`` of ``www.docs.example.org``; empty where anybody may have a page under it."""
        return "" if self.registered.hosted else self.registered.prefix.removeprefix("www.").partition(".")[0]


class TierJudge:
    """Judges addresses by one set of rules."""

    def __init__(self, tiers: WebTiers) -> None:
        self._tiers = tiers
        self._rules = tuple(map(_Compiled, tiers.rule))

    def judge(self, url: str, query: str, votes: int | None = None) -> TierRating:
        """The first rule that fits decides the tier; signals move the score inside the tier's band.

        ``votes``: what readers of a community gave the page, where the search engine says so.
        """
        address = read_address(url)
        if address is None:
            return self._verdict(self._tiers.doubtful, Said("not an address"))
        place = JudgedAddress(address, registered(address.host), _segments(address.path))
        if told := _doubt(place, self._known):
            return self._verdict(self._tiers.doubtful, told)
        names = self._names(query)
        named = bool(names & self._spellings(place.registered.label))
        known = place.registered.domain in self._known
        for rule in self._rules:
            if rule.fits(place, named=named, known=known) and (
                not rule.rule.repository or self._is_its_own(place, names)
            ):
                return self._scored(rule.rule, place, named=named, votes=votes)
        if not place.registered.domain:
            return self._verdict(self._tiers.doubtful, Said("not a public host"))
        return self._scored(self._tiers.unknown, place, named=named, votes=None)

    def _scored(self, standing: TierStanding, place: JudgedAddress, *, named: bool, votes: int | None) -> TierRating:
        signals = self._tiers.signals
        score = standing.score
        if named and not getattr(standing, "named", False):  # a rule that asks for it has it in its score
            score += signals.named
        if place.address.scheme == "http":
            score += signals.insecure
        if votes is not None and getattr(standing, "votes", False):
            score += round(math.copysign(signals.votes * math.log10(1 + abs(votes)), votes))
        low, high = self._tiers.bands[standing.tier]
        return TierRating(standing.tier, max(low, min(score, high)), standing.reason)

    @staticmethod
    def _verdict(standing: TierStanding, reason: Said) -> TierRating:
        return TierRating(standing.tier, standing.score, reason)

    @cached_property
    def _known(self) -> frozenset[str]:
        """Registered domains that somebody might imitate. Those of a service for everybody's pages are not."""
        found = map(registered, self._tiers.own_domains)
        return frozenset(each.domain for each in found if each.domain and not each.hosted)

    # ---- projects that a question names

    def _names(self, query: str) -> frozenset[str]:
        """Words of the question that may name a project, and pairs of them ("spring boot", "next.js")."""
        said = words(query)
        pairs = [f"{first}{second}" for first, second in pairwise(said) if (first + second).isascii()]
        # A Korean particle may follow the name: 리액트는, 쿠버네티스에서.
        names, known = {*said, *pairs}, self._tiers.names
        translated = {
            name
            for spelled, name in known.items()
            if spelled in names or (HANGUL.match(spelled) and any(_inflected(word, spelled) for word in said))
        }
        projects = self._tiers.projects
        return frozenset(
            spelling
            for name in names | translated
            if name not in projects.ordinary
            for spelling in self._spellings(name)
            if len(spelling) >= projects.shortest and spelling not in projects.ordinary
        )

    def _spellings(self, name: str) -> frozenset[str]:
        """``react`` of ``reactjs`` and ``rust`` of ``rust-lang``, beside the name itself."""
        whole = name.replace("-", "").replace("_", "").replace(".", "")
        return frozenset({whole, *(whole.removesuffix(affix) for affix in self._tiers.projects.affixes)} - {""})

    def _is_its_own(self, place: JudgedAddress, names: frozenset[str]) -> bool:
        """``kakao/kakao.js``, ``celery/celery``: not ``somebody/celery``."""
        if len(place.segments) < REPOSITORY:
            return False
        owner, repository = (self._spellings(each.casefold()) for each in place.segments[:REPOSITORY])
        return bool(owner & repository & names)


class _Compiled:
    """A rule, ready to be compared with many addresses."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self._domains = tuple(
            (host, tuple(_segments(path))) for host, _, path in (each.partition("/") for each in rule.domains)
        )
        self._hosts = frozenset(host for host, _ in self._domains)
        self._paths = tuple(map(re.compile, rule.paths))
        self._unless = tuple(map(re.compile, rule.unless))

    def fits(self, place: JudgedAddress, *, named: bool, known: bool) -> bool:
        """Whether every condition holds that needs no other word of the question."""
        rule = self.rule
        return not (
            (rule.named and not named)
            or (rule.known and not known)
            or (rule.hosted and not place.registered.hosted)
            or (rule.domains and not self._lies_under(place))
            or (rule.labels and place.label not in rule.labels)
            or (rule.suffixes and not _ends(place.registered.suffix, rule.suffixes))
            or (rule.owners and (not place.segments or place.segments[0].casefold() not in rule.owners))
            or (self._paths and not any(path.fullmatch(place.path) for path in self._paths))
            or place.label in rule.unless_labels
            or any(path.fullmatch(place.path) for path in self._unless)
        )

    def _lies_under(self, place: JudgedAddress) -> bool:
        return not self._hosts.isdisjoint(place.address.names) and any(
            host in place.address.names and place.segments[: len(path)] == path for host, path in self._domains
        )


def _ends(suffix: str, wanted: frozenset[str]) -> bool:
    """``seoul.go.kr`` is a public suffix of its own under ``go.kr``."""
    return suffix in wanted or suffix.partition(".")[2] in wanted


def _inflected(word: str, name: str) -> bool:
    return len(name) > 1 and word.startswith(name)


def _segments(path: str) -> tuple[str, ...]:
    """As a browser resolves them: ``/python/../somebody`` is somebody's (RFC 3986, 5.2.4)."""
    kept: list[str] = []
    for raw in path.split("/"):
        segment = unquote(raw)
        if segment == "..":
            kept = kept[:-1]
        elif segment not in {"", "."}:
            kept.append(segment)
    return tuple(kept)


def _doubt(place: JudgedAddress, known: frozenset[str]) -> Said | None:
    """Why an address is not to be taken for what it seems."""
    address = place.address
    if address.disguised:
        return Said("hides its host behind a user name")
    if address.numeric:
        return Said("bare IP address")
    if address.port is not None:
        return Said("a port of its own")
    if imitates(address.host, place.registered, known):
        return Said("imitates another address")
    return None
