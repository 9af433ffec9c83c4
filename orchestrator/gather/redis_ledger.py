"""A ledger in Redis or Valkey. Its clock is the server's, so that the clocks of the processes need not agree."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from connectors.errors import Misconfigured
from orchestrator.gather import store_link
from orchestrator.gather.ledger import RateDecision
from orchestrator.gather.shares import SILENT, OwnPasses
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from redis.asyncio import Redis


SCHEMES = ("redis", "rediss", "unix")
PREFIX = "fedsearch:"
MEMBERS, BEGINNING = f"{PREFIX}sharing", f"{PREFIX}counting-since"
CONNECTIONS = 16
BEAT = 1.0  # seconds between two signs of life
FORGOTTEN = 60.0  # seconds without one after which a process counts as gone
UNHEARD_SHARERS = 4  # processes that are reckoned with before the store has said how many there are
MICRO = 1_000_000

# As :class:`SharedLog` has it, on the store's clock: a sliding log (one member a pass, scored by its time), what was promised to whom, and
# the pause beside them. Who was not heard of for a moment may live beyond a broken wire and go by its share, which is left to it until it
# counts as gone; and a store that has not seen a whole period does not know what was taken before, so that each keeps to its share. Who used
# what is counted only where that may decide. KEYS: log, pause, members, beginning, promises. ARGV: rate, period in microseconds, a
# name for this pass, the member, how many it has taken itself; silent and forgotten after so many microseconds; how many shared by what it
# heard before, which a store that came back empty does not know; and of each pass that it took alone, how many microseconds ago.
# Returns microseconds to wait (-1: for a place in one's share), microseconds of a pause, how many share, how many are promised.
TAKE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local rate, period, me = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[4]
redis.call('ZADD', KEYS[3], now, me)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - ARGV[7])
local members = redis.call('ZCARD', KEYS[3])
redis.call('SET', KEYS[4], now, 'NX')
local young = now - redis.call('GET', KEYS[4]) < period
if young then members = math.max(members, tonumber(ARGV[8])) end
for place = 9, #ARGV do redis.call('ZADD', KEYS[1], now - ARGV[place], me .. ':' .. ARGV[3] .. place) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - period)
local taken, share = redis.call('ZCARD', KEYS[1]), math.max(1, math.floor(rate / members))

local promised, left_to, all = 0, {}, 0
local told = redis.call('HGETALL', KEYS[5])
for place = 1, #told, 2 do
  local count, over = string.match(told[place + 1], '(%d+) (%d+)')
  if tonumber(over) <= now then
    redis.call('HDEL', KEYS[5], told[place])
  elseif told[place] == me then
    promised = tonumber(count)
  else
    left_to[told[place]] = tonumber(count)
  end
end
for _, who in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now - ARGV[6] - 1)) do
  if who ~= me then left_to[who] = share end
end
for _, count in pairs(left_to) do all = all + count end
local used, room = {}, rate - taken - all
if room < math.max(1, math.floor(share / 2)) then
  for _, pass in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    local who = string.match(pass, '^(.*):') or pass
    used[who] = (used[who] or 0) + 1
  end
  room = rate - taken
  for who, count in pairs(left_to) do
    if redis.call('ZSCORE', KEYS[3], who) then
      room = room - math.max(0, count - (used[who] or 0))
    else
      redis.call('HDEL', KEYS[5], who)
    end
  end
end

local pause = redis.call('PTTL', KEYS[2])
if pause > 0 then return {0, pause * 1000, members, promised} end
if young and members > 1 and tonumber(ARGV[5]) >= share then return {-1, 0, members, promised} end
if room < 1 and (taken > 0 or rate >= members) then
  local oldest = redis.call('ZRANGE', KEYS[1], math.min(-room, taken - 1), math.min(-room, taken - 1), 'WITHSCORES')
  return {(oldest[2] or now + 1000000 - period) + period - now + 1, 0, members, promised}
end
promised = math.max(0, math.min(math.floor(share / 2), (used[me] or 0) + room))
redis.call('ZADD', KEYS[1], now, me .. ':' .. ARGV[3])
redis.call('HSET', KEYS[5], me, string.format('%d %.0f', promised, now + 2 * period))
for _, key in ipairs({KEYS[1], KEYS[5]}) do redis.call('PEXPIRE', key, math.ceil(period / 500) + 1000) end
return {0, 0, members, promised}
"""

# A sign of life. KEYS: members. ARGV: the member. Returns how many share.
PRESENT = """
local clock = redis.call('TIME')
redis.call('ZADD', KEYS[1], clock[1] * 1000000 + clock[2], ARGV[1])
return redis.call('ZCARD', KEYS[1])
"""

# A pause only ever grows. KEYS: pause. ARGV: milliseconds.
PAUSE = """
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
"""


class RedisLedger:
    """One connection pool to one server. A server that does not answer costs a question a quarter of a second, once."""

    def __init__(self, uri: str) -> None:
        if urlsplit(uri).scheme not in SCHEMES:
            raise Misconfigured(Said("shared.uri must begin with redis://, rediss:// or unix://"))
        self._uri = uri
        self._redis: Redis | None = None
        self._link: store_link.StoreLink | None = None  # made when first needed, with what redis-py raises
        self._name = secrets.token_hex(8)
        self._passes: dict[str, OwnPasses] = {}
        self._sharers = UNHEARD_SHARERS
        self._living: asyncio.Task[None] | None = None
        self._heard = 0.0

    @property
    def trouble(self) -> Said:
        """Empty before the store was asked for anything."""
        return self._link.trouble if self._link else UNSAID

    async def take(self, key: str, rate: int, period: float) -> RateDecision:
        """One of the rate's passes; without the store one that is promised to us, later one of our share."""
        loop, passes = asyncio.get_running_loop(), self._passes.setdefault(key, OwnPasses())
        if self._living is None:
            self._living = asyncio.create_task(self._live(), name="signs of life for the shared store")
        keys = [f"{PREFIX}passes:{key}", f"{PREFIX}pause:{key}", MEMBERS, BEGINNING, f"{PREFIX}promised:{key}"]
        asked = loop.time()
        told = await self._ask(
            lambda redis: redis.eval(
                TAKE, len(keys), *keys, rate, round(period * MICRO), secrets.token_hex(8),
                self._name, passes.count(asked, period), round(SILENT * MICRO), round(FORGOTTEN * MICRO),
                self._sharers, *(round(ago * MICRO) for ago in passes.tell(asked, period)),
            )
        )  # fmt: skip
        if told is None:
            return RateDecision(passes.take_alone(loop.time(), rate, period, self._sharers, self._heard))
        wait, pause, self._sharers, promised = (int(each) for each in told)
        passes.told(asked, loop.time(), period, promised, taken=not wait and not pause)
        if wait < 0:
            return RateDecision(passes.wait_for_share(loop.time(), rate, period, self._sharers))
        return RateDecision(wait / MICRO, pause / MICRO)

    async def pause(self, key: str, seconds: float) -> None:
        if seconds > 0:
            await self._ask(lambda redis: redis.eval(PAUSE, 1, f"{PREFIX}pause:{key}", _milliseconds(seconds)))

    async def put(self, key: str, value: bytes, ttl: float) -> None:
        await self._ask(lambda redis: redis.set(f"{PREFIX}{key}", value, px=_milliseconds(ttl)))

    async def get(self, key: str) -> tuple[bytes, float] | None:
        async def both(redis: Redis) -> list[Any]:
            async with redis.pipeline(transaction=True) as pipeline:
                pipeline.get(f"{PREFIX}{key}")
                pipeline.pttl(f"{PREFIX}{key}")
                found: list[Any] = await pipeline.execute()
                return found

        told = await self._ask(both)
        return None if told is None or told[0] is None else (bytes(told[0]), max(0, told[1]) / 1000)

    async def forget(self, key: str) -> None:
        await self._ask(lambda redis: redis.delete(f"{PREFIX}{key}"))

    async def aclose(self) -> None:
        living, self._living = self._living, None
        if living is not None:
            living.cancel()
            await asyncio.gather(living, return_exceptions=True)
            await self._ask(lambda redis: redis.zrem(MEMBERS, self._name))
        redis, self._redis = self._redis, None
        if redis is not None:
            await redis.aclose()

    async def _live(self) -> None:
        """Be counted among those who share, also while nothing is asked."""
        while True:
            await asyncio.sleep(BEAT)
            if (sharers := await self._ask(lambda redis: redis.eval(PRESENT, 1, MEMBERS, self._name))) is not None:
                self._sharers = max(self._sharers, int(sharers))

    async def _ask(self, command: Callable[[Redis], Awaitable[Any]]) -> Any:
        """The server's answer; ``None`` while it has failed just before, or fails now."""
        if self._link is None:
            from redis.exceptions import RedisError

            self._link = store_link.StoreLink(RedisError)
            self._heard = (
                asyncio.get_running_loop().time()
            )  # as if it had spoken: what others have taken of late is not known
        told = await self._link.asked(lambda: command(self._open()))
        if told is not None:
            self._heard = asyncio.get_running_loop().time()
        return told

    def _open(self) -> Redis:
        if self._redis is None:
            from redis.asyncio import BlockingConnectionPool, Redis

            # Time is kept by the link; connections are few, since a moment in which all ask would leave hundreds open.
            pool = BlockingConnectionPool.from_url(
                self._uri,
                max_connections=CONNECTIONS,
                timeout=store_link.PATIENCE,
                socket_timeout=None,
                socket_connect_timeout=None,
            )
            self._redis = Redis.from_pool(pool)
        return self._redis

    def __repr__(self) -> str:
        return f"RedisLedger({urlsplit(self._uri).hostname or 'local'!r})"  # the URI may hold a password


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
