"""A ledger in Redis or Valkey. Its clock is the server's, so that the clocks of the processes need not agree."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from connectors.errors import Misconfigured
from orchestrator.gather import store_link
from orchestrator.gather.ledger import TAKEN, RateDecision
from translators.said import UNSAID

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from redis.asyncio import Redis

    from translators.said import Said

SCHEMES = ("redis", "rediss", "unix")
PREFIX = "fedsearch:"
MICRO = 1_000_000

# A sliding log (one member a pass, scored by its time) and the pause beside it. KEYS: log, pause. ARGV: rate, period in
# microseconds, a name for this pass. Returns microseconds: [to wait, of a pause].
TAKE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local pause = redis.call('PTTL', KEYS[2])
if pause > 0 then return {0, pause * 1000} end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[1]) then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], math.ceil(ARGV[2] / 1000) + 1000)
  return {0, 0}
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
return {oldest[2] + ARGV[2] - now + 1, 0}
"""

# A pause only ever grows. KEYS: pause. ARGV: milliseconds.
PAUSE = """
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
"""


class RedisLedger:
    """One connection pool to one server. A server that does not answer costs a question a quarter of a second, once."""

    def __init__(self, uri: str) -> None:
        if urlsplit(uri).scheme not in SCHEMES:
            raise Misconfigured("shared.uri must begin with redis://, rediss:// or unix://")
        self._uri = uri
        self._redis: Redis | None = None
        self._link: store_link.StoreLink | None = None  # made when first needed, with what redis-py raises

    @property
    def trouble(self) -> Said:
        """Empty before the store was asked for anything."""
        return self._link.trouble if self._link else UNSAID

    async def take(self, key: str, rate: int, period: float) -> RateDecision:
        keys = [f"{PREFIX}passes:{key}", f"{PREFIX}pause:{key}"]
        told = await self._ask(
            lambda redis: redis.eval(TAKE, 2, *keys, rate, round(period * MICRO), secrets.token_hex(8))
        )
        return TAKEN if told is None else RateDecision(int(told[0]) / MICRO, int(told[1]) / MICRO)

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
        redis, self._redis = self._redis, None
        if redis is not None:
            await redis.aclose()

    async def _ask(self, command: Callable[[Redis], Awaitable[Any]]) -> Any:
        """The server's answer; ``None`` while it has failed just before, or fails now."""
        if self._link is None:
            from redis.exceptions import RedisError

            self._link = store_link.StoreLink(RedisError)
        return await self._link.asked(lambda: command(self._open()))

    def _open(self) -> Redis:
        if self._redis is None:
            from redis.asyncio import Redis

            patience = store_link.PATIENCE
            self._redis = Redis.from_url(self._uri, socket_timeout=patience, socket_connect_timeout=patience)
        return self._redis

    def __repr__(self) -> str:
        return f"RedisLedger({urlsplit(self._uri).hostname or 'local'!r})"  # the URI may hold a password


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
