"""One page from one source: remembered, or asked for with all care: breaker, retries, a second request when it is late."""

from __future__ import annotations

import asyncio
import hashlib
import math
import random
from dataclasses import field, replace
from typing import TYPE_CHECKING

from connectors.contract import HitPage, Sparing, is_completing
from connectors.errors import SourceError, Throttled, Unavailable
from orchestrator.gather.cache import alike
from orchestrator.gather.gate import OutOfTurn
from orchestrator.gather.habit import IMPLYING, STRICT
from orchestrator.gather.queueing import NOBODY
from orchestrator.gather.racing import GRACE, first_good, let_go
from orchestrator.gather.recent import RecentHits
from orchestrator.spans import UNTRACED
from translators.records import record
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import Call, Hit
    from orchestrator.gather.cache import PageCache
    from orchestrator.gather.outcomes import Tally
    from orchestrator.gather.queueing import Comer
    from orchestrator.gather.source import Source
    from orchestrator.model import Outcome, Step
    from orchestrator.spans import Span
    from translators.translator import NativeQuery

ATTEMPTS = 2  # of one page: a source that fails twice in a row is down for the length of a question
BACKOFF = 0.05, 0.15  # seconds between them, drawn anew so that askers do not come back in step
LATE = 0.95  # the share of a source's recent answers that came sooner than a late one
SPARE = 0.5  # of the source's rate that must be free before anything is sent twice or in advance
BEGINNING = 200  # characters of a hit that tell its language
FEW = 5  # hits that are read however short turns are
PLENTY = 12  # turns that are enough for the steps of the ladder, one after the other
SCARCE = 4  # turns that end before those steps find anything
SHARED = Said("what the source allows in its time is shared among everybody's questions, and this one has had its part")
TOO_LATE = Said("not asked further: it usually takes {usual:.2f} s and {left:.2f} s were left")
NO_TURN = Said("our own limit for it ({limit}) leaves no turn within {patience:.1f} s")
NO_FURTHER = Said("our own limit for it ({limit}) leaves this question no second turn, or others would have none")
LEAST_WAIT = 0.05  # seconds; a request with less left to it would be answered by nobody


@record
class Care:
    """How sources are asked: what is remembered, and what may be sent beyond the least.

    ``ahead``: rungs of the ladder that go out together with the first; ``hedge``: whether a late request is repeated;
    ``recent``: what stands in where a source has no turn.
    """

    cache: PageCache
    ahead: int = 2
    hedge: bool = True
    recent: RecentHits = field(default_factory=lambda: RecentHits(0.0))


class Asker:
    """Asks one source for one question, until the deadline (on the loop's clock); ``further``: not for the first time."""

    def __init__(
        self,
        source: Source,
        call: Call,
        care: Care,
        tally: Tally,
        comer: Comer = NOBODY,
        *,
        span: Span = UNTRACED,
        further: bool = False,
    ) -> None:
        self._source = source
        self._call = call
        self._care = care
        self._tally = tally
        self._comer = comer
        self._span = span
        self._loop = asyncio.get_running_loop()
        self._deadline = self._loop.time() + call.timeout
        self._habit = source.habit_of(call.principal, call.groups)
        if not further:
            source.gate.arrived()
        self._share = source.gate.share()
        tally.scarce = self.turns < SCARCE

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return self._deadline - self._loop.time()

    @property
    def ahead(self) -> int:
        """How many further rungs are sent along with the first: where they are often needed and the rate has room."""
        return min(self._care.ahead, self.turns) if self._habit.broadens and self.has_room else 0

    @property
    def asks_both_ends(self) -> bool:
        """Whether one word goes along with all of them at once: where these are seldom enough, and the source has more of a word than it shows."""
        return bool(self.ahead) and not self._habit.is_small

    @property
    def has_room(self) -> bool:
        """Whether the source's rate has room for more than the least."""
        return self._source.gate.spare >= SPARE

    @property
    def is_scarce(self) -> bool:
        """Whether another search would be taken from the first of a question to come."""
        return self._source.gate.surplus(patience=self._patience) < self._habit.cost

    @property
    def turns(self) -> int:
        """Searches that are left of what this question may send, so that those to come may send as many."""
        return int(self._left / self._habit.cost)

    @property
    def _left(self) -> int:
        """Requests that are left of it, what is read for each hit included."""
        return max(0, self._share - self._tally.searching)

    def worth(self, most: int) -> int:
        """Of ``most`` hits of a search those that there are turns for, where each costs one of its own; a few always."""
        cost = self._habit.cost
        if not self._source.connector.manifest.limits.per_hit or cost <= self._left:
            return most
        return min(most, max(FEW, int(most * self._left / cost)))

    @property
    def thrift(self) -> Said:
        """Why the source is spared; empty where it need not be."""
        return UNSAID if self.turns else SHARED

    def goes_by_word(self, step: Step) -> bool:
        """Whether one word at a time is the better question: the source is likely to show all that holds a word.

        Where turns are plenty, only for a name, which everything about it holds, and where all words at once find nothing: of what
        holds them all the source knows best what comes first. Or turns are so few that they would be spent on narrower steps, which mostly find
        nothing where there is much to find.
        """
        named = step.coined and self._habit.ways.is_barren(_strictly(step))
        return (self._habit.is_small and (named or self.turns < PLENTY)) or self.turns < SCARCE

    def unspared(self, native: NativeQuery) -> NativeQuery | None:
        """The query with what the source leaves out of it by itself, as it has brought nothing of late; none where that is nothing."""
        connector = self._source.connector
        return connector.whole(native) if isinstance(connector, Sparing) else None

    def searched(self, *, whole: bool) -> None:
        """A search for one word has brought all there is, or has not."""
        self._habit.searched(whole=whole)

    def goes_broad(self, step: Step) -> bool:
        """Whether the question as asked is left out, as all of its words have found nothing time and again and broader steps hold it."""
        return not self._habit.ways.is_worth(_strictly(step))

    def asked_strictly(self, step: Step, *, found: bool) -> None:
        """All words of a question at once have found something, or have not."""
        self._habit.ways.searched(_strictly(step), found=found)

    def remembers(self, native: NativeQuery, wanted: int) -> bool:
        """Whether the first page of a query costs the source nothing."""
        return self._care.cache.holds(self._key(native, None), self._limit(wanted))

    @property
    def knows_korean(self) -> bool:
        """Whether the source has anything in Korean, as far as is known."""
        return self._habit.knows_korean

    def speaks(self, *, korean: bool) -> bool:
        """Whether most of what the source has is in that language, as far as it has shown."""
        return self._habit.speaks(korean=korean)

    def settled(self, height: int) -> None:
        """The question has been answered at this height of the ladder."""
        self._habit.note(broadened=height > 0)
        hits = {hit.id: hit for found in self._tally.lists for hit in found.hits}.values()
        self._habit.read(f"{hit.title} {hit.snippet[:BEGINNING]}" for hit in hits)

    @property
    def too_late(self) -> Said:
        """Why another request could not be answered in time; empty if it could."""
        usual, left = self._source.latency.usual, self.left
        if left > max(usual, LEAST_WAIT):
            return UNSAID
        return TOO_LATE.filled(usual=usual, left=max(0.0, left))

    async def page(self, native: NativeQuery, cursor: str | None, wanted: int) -> HitPage:
        """One page of hits. Raises what the source raises, and :class:`Suspended`."""
        limit, key = self._limit(wanted), self._key(native, cursor)
        remembered = await self._care.cache.get(key, limit)
        if remembered is not None:
            page, age = remembered
            self._tally.age = max(age, self._tally.age or 0.0)
            return page
        flight = f"{key}:{limit}:{self._comer.lane}"  # nobody waits behind those who may wait longer
        page = await self._care.cache.once(flight, lambda: self._fetch(native, cursor, limit))
        self._care.recent.put(self._rights, page.hits)
        if not (page.notes or page.left_out or page.remarks):  # what is said to be missing may be there the next time
            await self._care.cache.put(key, page, limit)
        return page

    async def complete(self, hits: Sequence[Hit]) -> HitPage:
        """The same hits with their texts, as far as they can be read."""
        connector = self._source.connector
        if not is_completing(connector):
            return HitPage()
        call = replace(
            self._call, timeout=max(LEAST_WAIT, self.left), turn=self._turn, throttled=self._source.gate.heed
        )
        with self._span.child("texts", source=self._source.name, wanted=len(hits)):
            page = await connector.complete(hits, call)
        self._tally.searching = self._tally.requests
        self._care.recent.put(self._rights, page.hits)
        return page

    def _limit(self, wanted: int) -> int:
        return min(wanted, self._source.connector.manifest.limits.page)

    def _key(self, native: NativeQuery, cursor: str | None) -> str:
        """Whatever the reply depends on but for how many hits it may hold, as a digest."""
        parts = (alike(native.text), repr(native.args), cursor, self._call.heads, *self._rights)
        return hashlib.sha256(repr(parts).encode("utf-8", "replace")).hexdigest()

    @property
    def _rights(self) -> tuple[object, ...]:
        """The source, and whose rights it is asked with (law 7): of whom it is told, and by whose sign-in."""
        own = self._call.credential.secret if self._call.credential else ""
        return self._source.name, self._call.principal, self._call.groups, own, self._source.account

    def with_stand_ins(self, outcome: Outcome, step: Step) -> Outcome:
        """``outcome`` with what earlier questions brought of this source and fits, as its rate had no turn for all of this one."""
        lists, said = self._care.recent.fitting(self._rights, step)
        known = {hit.id for hit in outcome.hits}
        fresh = tuple(replace(each, hits=tuple(hit for hit in each.hits if hit.id not in known)) for each in lists)
        if said is None or not any(each.hits for each in fresh):
            return outcome
        return replace(outcome, lists=(*outcome.lists, *fresh), notes=(*outcome.notes, said), stood_in=True)

    async def _fetch(self, native: NativeQuery, cursor: str | None, limit: int) -> HitPage:
        """The page, in a second attempt if the first failed for a reason that may have passed and time allows."""
        await self._source.breaker.check(self._comer.lane)
        before: SourceError | None = None
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._timed(native, cursor, limit)
            except OutOfTurn as failure:
                raise before or failure from None
            except (Throttled, Unavailable) as failure:
                before = failure
                wait = self._wait_after(failure)
                too_late = wait + self._source.latency.usual >= self.left
                if attempt == ATTEMPTS or too_late or self._source.breaker.rests:
                    raise
                await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _wait_after(self, failure: Throttled | Unavailable) -> float:
        if isinstance(failure, Throttled):
            return self._source.gate.remaining_pause(failure.bucket)
        return random.uniform(*BACKOFF)  # noqa: S311 — no secret

    async def _timed(self, native: NativeQuery, cursor: str | None, limit: int) -> HitPage:
        """One attempt, and what it tells about the source."""
        breaker, started, given = self._source.breaker, self._loop.time(), self.left
        settled = False
        try:
            page = await self._hedged(native, cursor, limit)
        except OutOfTurn:  # says nothing of the source
            raise
        except SourceError as failure:
            if isinstance(failure, Throttled):
                await self._source.gate.heed(failure)
            ran_out = isinstance(failure, Unavailable) and self._loop.time() - started > given - GRACE
            if not ran_out or given >= self._source.latency.fair:  # else it had too little time to be judged by
                await breaker.failed(failure.code, failure.message)
                settled = True
            raise
        else:
            await breaker.worked()
            settled = True
            self._tally.silence = 0.0
            self._source.latency.add(self._loop.time() - started)
            return page
        finally:
            if not settled:
                breaker.let_go()

    async def _hedged(self, native: NativeQuery, cursor: str | None, limit: int) -> HitPage:
        """The answer, or that of a second request if the first takes unusually long and the rate has room."""
        late = self._source.latency.quantile(LATE) if self._care.hedge else None
        if late is None or late >= self.left:
            return await self._send(native, cursor, limit)
        racing = [asyncio.ensure_future(self._send(native, cursor, limit))]
        try:
            done, _ = await asyncio.wait(racing, timeout=late)
            if not done and self._source.gate.spare >= SPARE:
                racing.append(asyncio.ensure_future(self._send(native, cursor, limit)))
            return await first_good(racing)
        finally:
            await let_go(racing)

    async def _send(self, native: NativeQuery, cursor: str | None, limit: int) -> HitPage:
        sent: float | None = None
        searches, cost = self._source.connector.manifest.limits.searches, 0

        async def turn(bucket: str = "", /) -> None:
            nonlocal sent, cost
            await self._turn(bucket)
            sent = self._loop.time()
            cost += bucket == searches
            self._tally.searching += bucket == searches

        call = replace(
            self._call,
            limit=limit,
            cursor=cursor,
            timeout=max(LEAST_WAIT, self.left),
            turn=turn,
            throttled=self._source.gate.heed,
        )
        try:
            with self._span.child("request", source=self._source.name, page=cursor is not None) as span:
                page = await self._source.connector.search(native, call)
                page = page if sent is not None or not page.asked else replace(page, asked=False)
                span.note(hits=len(page.hits))
                if cost:
                    self._habit.paid(cost)
                return page
        except asyncio.CancelledError:
            if sent is not None:
                self._tally.silence = max(self._tally.silence, self._loop.time() - sent)
            raise

    @property
    def _patience(self) -> float:
        """Seconds that a request may wait for its turn, and be answered in time."""
        return max(0.0, self.left - self._source.latency.usual)

    async def _turn(self, bucket: str = "", /) -> None:
        """Before each request of the connector, details included: the vendor counts them all.

        Raises :class:`OutOfTurn` at once where the turn would come too late, so that nobody waits for nothing, and where it is not
        this question's first of the allowance and one to come would lack it: the first request of everybody goes before anybody's second.
        """
        gate, patience = self._source.gate, self._patience
        spares = (
            not self._source.connector.manifest.limits.per_hit
        )  # whose hits would be lost with what reads them: see worth()
        if spares and self._tally.passes[bucket] and gate.surplus(bucket, patience) < 1:
            raise OutOfTurn(NO_FURTHER.filled(limit=gate.describe(bucket)), _whole(gate.given_back(bucket)), bucket)
        if (wait := gate.wait(bucket, self._comer)) > patience:
            said = NO_TURN.filled(limit=gate.describe(bucket), patience=patience)
            raise OutOfTurn(said, _whole(wait), bucket)
        self._tally.queued.append(bucket)  # whoever is cancelled here stays on the list: it was waiting
        began = self._loop.time()
        try:
            await gate.enter(bucket, self._comer, patience)
        except Throttled:
            self._tally.queued.remove(bucket)
            raise
        self._tally.queued.remove(bucket)
        self._tally.waited = max(self._tally.waited, self._loop.time() - began)
        self._tally.requests += 1
        self._tally.passes[bucket] += 1


def _whole(seconds: float) -> float:
    return float(math.ceil(seconds))


def _strictly(step: Step) -> str:
    return IMPLYING if step.implied else STRICT
