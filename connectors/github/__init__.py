"""GitHub: issues, pull requests, discussions and code, searched at once and merged in turn."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from connectors.contract import Call, Health, HitPage, LeftOut, SourceDirectory
from connectors.errors import Forbidden, Rejected, SourceError, Throttled
from connectors.github.errors import NotThere, error_of, spent
from connectors.github.lanes import (
    LaneCursor,
    LanesProgress,
    SearchLane,
    by_date,
    cursor_of,
    in_turn,
    lanes_of,
    merged,
    progress_of,
)
from connectors.github.names import DirectoryReader, data_of
from connectors.github.replies import Replies, discussed_hit
from connectors.github.requests import Requests, thing_of
from connectors.github.settings import GitHubSettings
from connectors.github.wire import ViewerData
from connectors.http import HttpSource, Reply
from connectors.manifest import load_manifest
from connectors.wire import read
from connectors.yields import Yields
from translators.records import record
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from connectors.contract import Hit
    from connectors.github.wire import Discussed
    from connectors.http import HttpRequest, Page
    from translators.translator import NativeQuery

COMMENTS = 20  # of a thing, the newest, that are read
SHARE = 0.85  # of the time that is left: searches that have not come by then are left out, so that the others count
TITLES = MappingProxyType(
    {
        "issues": Said("issues"),
        "pull_requests": Said("pull requests"),
        "discussions": Said("discussions"),
        "code": Said("code"),
    }
)
OF_SEARCH = Said("{search}: {note}")
NOT_SEARCHED = Said("{search}: left out, {why}")
LESS = Said("{search}: not searched under every name, or at all, where little is to be expected: {why}")
PASSED_OVER = Said("not searched, as they have brought nothing of late: {searches}")
UNREAD = Said("the comments of the best results were not read: {why}")
WHOLE = "whole"  # of a query that asks for every kind
NOT_ASKED = Said("not asked: nothing that this source searches could be what is wanted")


@record
class AskedLane:
    """A lane that is asked now; ``at`` is its number among all of them."""

    at: int
    lane: SearchLane
    place: LaneCursor


class GitHubSource(HttpSource):
    """What a token sees of GitHub, inside an organisation or some repositories. A hit is an issue, a pull request, a
    discussion or a file.
    """

    manifest = load_manifest("connectors.github")
    completes = True
    settings_type = GitHubSettings
    settings: GitHubSettings

    def __init__(self, name: str, settings: GitHubSettings) -> None:
        super().__init__(name, settings)
        self._requests = Requests(self.base_url, settings.version)
        self._replies = Replies(settings.comments, settings.max_text)
        self._yield = Yields()

    # -- pure

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """The first of the requests for a page."""
        if thing := thing_of(native):
            return self._requests.reading(thing)
        if not (lanes := lanes_of(native, self.settings)):
            raise Rejected(NOT_ASKED, str(native))
        progress = progress_of(page.cursor, lanes, page.limit)
        return self._request(_open(lanes, progress)[0], progress, native)

    def parse(self, reply: Reply) -> HitPage:
        """A page of any of the searches, or the one thing that was read."""
        return self._replies.page(reply)

    def details(self, page: HitPage) -> tuple[HttpRequest, ...]:
        """One request for what was said below all of them: a search tells only how many comments there are."""
        nodes = [str(hit.facts["node_id"]) for hit in page.hits if _has_more(hit)]
        return (self._requests.comments(nodes, COMMENTS),) if nodes else ()

    def enrich(self, page: HitPage, replies: Sequence[Reply | SourceError]) -> HitPage:
        """Each with its comments. Where they cannot be read it stays as it was found, with what matched in them."""
        for reply in replies:
            try:
                read, notes = self._replies.discussed(reply)
            except SourceError as failure:
                read, notes = {}, (UNREAD.filled(why=failure.message),)
            hits = (self._with_comments(hit, read) for hit in page.hits)
            page = replace(page, hits=tuple(hits), notes=(*page.notes, *notes))
        return page

    def _with_comments(self, hit: Hit, read: Mapping[str, Discussed]) -> Hit:
        discussed = read.get(str(hit.facts.get("node_id")))
        return discussed_hit(hit, discussed, self.settings.max_text) if discussed else hit

    def error(self, reply: Reply) -> SourceError | None:
        """GitHub says by status, headers and body what is wrong."""
        return error_of(reply)

    def _request(self, asked: AskedLane, progress: LanesProgress, native: NativeQuery) -> HttpRequest:
        return self._requests.searching(asked.lane, asked.place, progress.size, native)

    # -- searching

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """All searches at once, or one thing by its name; nothing from outside of what the settings name."""
        thing = thing_of(native)
        page = await (self._read(thing, native, call) if thing else self._search(native, call))
        inside = [hit for hit in page.hits if self.settings.inside(str(hit.facts["repository"]))]
        ranked = (replace(hit, source=self.name, rank=rank) for rank, hit in enumerate(inside, 1))
        strays = len(page.hits) - len(inside)
        note = (
            (
                Said("left out, as they lie outside of what this source is set to search: {strays}").filled(
                    strays=strays
                ),
            )
            if strays
            else ()
        )
        return replace(page, hits=tuple(ranked), remarks=(*page.remarks, *note))

    async def _search(self, native: NativeQuery, call: Call) -> HitPage:
        """A page of all searches merged. One that fails is left out and asked no further; if all fail, that is an error."""
        limit = self.manifest.limits.hits(call.limit)
        lanes = lanes_of(native, self.settings)
        if not lanes:
            return HitPage(notes=(NOT_ASKED,))
        progress, passed_over = self._spared(progress_of(call.cursor, lanes, limit), lanes, native, call)
        _, owner = await self.signed(call)
        asked = _open(lanes, progress)
        outcomes = await self._sent([self._request(each, progress, native) for each in asked], call)
        pages: dict[AskedLane, HitPage] = {}
        failures: dict[AskedLane, SourceError] = {}
        for each, outcome in zip(asked, outcomes, strict=True):
            if isinstance(outcome, Reply) and (last := spent(outcome, each.lane.bucket)) is not None:
                await call.throttled(last)
            try:
                pages[each] = self._taken(outcome, each.lane, owner)
            except SourceError as failure:
                failures[each] = failure
        if failures and not pages:
            raise next(iter(failures.values()))
        self._note(pages)
        bearable = {each: why for each, why in failures.items() if self._is_bearable(each, why, pages)}
        missing = dict.fromkeys(
            LeftOut.by(why, NOT_SEARCHED.filled(search=TITLES[each.lane.scope], why=why.message))
            for each, why in failures.items()
            if each not in bearable
        )
        fewer = dict.fromkeys(
            LESS.filled(search=TITLES[each.lane.scope], why=why.message) for each, why in bearable.items()
        )
        found = _joined(pages, progress, lanes, limit, native)
        total = None if failures else found.total
        return replace(found, left_out=(*found.left_out, *missing), total=total, remarks=(*passed_over, *fewer))

    def _is_bearable(self, failed: AskedLane, why: SourceError, pages: Mapping[AskedLane, HitPage]) -> bool:
        """Whether turns alone kept us from a search that is unlikely to matter: the kind was searched under another name, or brings nothing."""
        scope = failed.lane.scope
        elsewhere = any(each.lane.scope == scope for each in pages)
        return isinstance(why, Throttled) and (elsewhere or self._yield.is_barren(scope))

    def whole(self, native: NativeQuery) -> NativeQuery | None:
        """``native`` for every kind, where some would be passed over."""
        if thing_of(native) or WHOLE in native.args:
            return None
        barren = any(self._yield.is_barren(lane.scope) for lane in lanes_of(native, self.settings))
        return replace(native, args={**native.args, WHOLE: True}) if barren else None

    def _spared(
        self, progress: LanesProgress, lanes: Sequence[SearchLane], native: NativeQuery, call: Call
    ) -> tuple[LanesProgress, tuple[Said, ...]]:
        """Of the first page, what is asked without the kinds that have brought nothing of late; and that this is so."""
        if call.cursor is not None or WHOLE in native.args:
            return progress, ()
        due = self._yield.worth_asking(lane.scope for lane in lanes)
        places = tuple(place if lane.scope in due else None for lane, place in zip(lanes, progress.places, strict=True))
        over = dict.fromkeys(TITLES[lane.scope] for lane in lanes if lane.scope not in due)
        return progress.model_copy(update={"places": places}), (
            PASSED_OVER.filled(searches=joined(", ", over)),
        ) if over else ()

    def _note(self, pages: Mapping[AskedLane, HitPage]) -> None:
        """What each kind has brought, by all of its searches together."""
        for scope in {asked.lane.scope for asked in pages}:
            found = any(page.hits for asked, page in pages.items() if asked.lane.scope == scope)
            self._yield.searched(scope, found=found)

    async def _sent(self, requests: Sequence[HttpRequest], call: Call) -> Sequence[Reply | SourceError]:
        """All at once."""
        return await self.send_each(requests, call, within=call.timeout * (SHARE if len(requests) > 1 else 1.0))

    def _taken(self, outcome: Reply | SourceError, lane: SearchLane, owner: str) -> HitPage:
        """The page of one lane. Raises what went wrong."""
        if isinstance(outcome, Rejected):
            raise Rejected(outcome.message, outcome.native or lane.query).without(owner)
        if isinstance(outcome, SourceError):
            raise outcome
        return self.parse(outcome)

    # -- one thing

    async def _read(self, thing: Mapping[str, Any], native: NativeQuery, call: Call) -> HitPage:
        """The thing itself, if it is inside the settings and where its address says."""
        repository, host = str(thing["repo"]), str(thing.get("host", ""))
        name = f"{repository}#{thing['number']}" if "number" in thing else f"{repository}/{thing['path']}"
        if not self.settings.inside(repository):
            return HitPage(notes=(Said("{name} lies outside of what this source is set to search").filled(name=name),))
        try:
            page = self.parse(await self.send(self._requests.reading(thing), call, sent=str(native)))
        except NotThere:
            page = HitPage()
        here = tuple(hit for hit in page.hits if not (host and hit.url) or urlsplit(hit.url).hostname == host)
        if page.hits and not here:
            return HitPage(
                remarks=(Said("{name} at {host} is on another GitHub than this source").filled(name=name, host=host),)
            )
        missing = () if here else (Said("{name} is not on GitHub, or not for this token").filled(name=name),)
        return replace(page, hits=here, remarks=missing)

    # -- names, and whether it works

    async def directory(self, call: Call) -> SourceDirectory:
        """Members of the organisation by name and login, and repositories by name, with and without their owner."""
        return await DirectoryReader(self.settings, self._requests, self.send).directory(call)

    async def probe(self, call: Call) -> Health:
        """Whose token it is, and whether it sees the organisation."""
        org = self.settings.org
        request = self._requests.graphql("viewer", {"owner": org, "owned": bool(org)})
        who = read(ViewerData, data_of(await self.send(request, call)), "GitHub")
        if org and who.owner is None:
            raise Forbidden(
                Said("GitHub knows no {org}, or not for this token; check org, and the token's resource owner").filled(
                    org=org
                )
            )
        places = ", ".join(self.settings.repositories) or org or "all of GitHub; set org or repos to stay inside"
        return Health(ok=True, detail=places, account=who.viewer.login)


def _has_more(hit: Hit) -> bool:
    """Whether something was said below it that is not at hand yet."""
    return bool(hit.facts.get("comments") and hit.facts.get("node_id")) and "voices" not in hit.facts


def _open(lanes: Sequence[SearchLane], progress: LanesProgress) -> list[AskedLane]:
    """The lanes that are not at their end."""
    places = enumerate(zip(lanes, progress.places, strict=True))
    return [AskedLane(at, lane, place) for at, (lane, place) in places if place is not None]


def _joined(
    pages: Mapping[AskedLane, HitPage],
    progress: LanesProgress,
    lanes: Sequence[SearchLane],
    limit: int,
    native: NativeQuery,
) -> HitPage:
    """One page of several: each search in turn, or by date; and where each will go on."""
    lists = [page.hits[asked.place.skip :] for asked, page in pages.items()]
    newest = {"desc": True, "asc": False}.get(str(native.args.get("order", "")))
    groups = [asked.lane.scope for asked in pages]
    choose = in_turn(lists, groups) if newest is None else by_date(lists, newest=newest)
    hits, used = merged(lists, choose, limit)
    places: list[LaneCursor | None] = [None] * len(lanes)
    for (asked, page), count, of in zip(pages.items(), used, lists, strict=True):
        if count < len(of):
            places[asked.at] = LaneCursor(position=asked.place.position, skip=asked.place.skip + count)
        elif page.cursor is not None:
            places[asked.at] = LaneCursor(position=page.cursor)
    notes = dict.fromkeys(
        OF_SEARCH.filled(search=TITLES[asked.lane.scope], note=note)
        for asked, page in pages.items()
        for note in page.notes
    )
    missing = dict.fromkeys(
        replace(part, said=OF_SEARCH.filled(search=TITLES[asked.lane.scope], note=part.said))
        for asked, page in pages.items()
        for part in page.left_out
    )
    cursor = cursor_of(LanesProgress(size=progress.size, places=tuple(places)))
    return HitPage(tuple(hits), cursor, _total(pages, lanes), tuple(notes), tuple(missing))


def _total(pages: Mapping[AskedLane, HitPage], lanes: Sequence[SearchLane]) -> int | None:
    """How many there are, where every search was asked, and asked once: alternatives overlap."""
    totals = [page.total for page in pages.values() if page.total is not None]
    once = len({lane.scope for lane in lanes}) == len(lanes)
    return sum(totals) if once and lanes and len(totals) == len(lanes) else None


SOURCE = GitHubSource
