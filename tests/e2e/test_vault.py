"""Where the grants of people are kept: sealed, under keys that change, renewed once for all who wait."""

import asyncio
from datetime import UTC, datetime

import pytest

from connectors.errors import Unauthenticated
from connectors.oauth import Grant
from orchestrator.access import PersonalToken, Seal, Vault, keys_of, new_key
from storage.database import Database


async def test_keys_are_rotated(index_url):
    old, new = new_key(), new_key()
    grant = Grant(access_token="앨리스-access-1", refresh_token="refresh-1")
    async with Vault(Database(index_url, 2), Seal(keys_of(old))) as vault:
        await vault.put("issuer#alice", "slack", grant)
    both = f"{new}, {old}\n"
    async with Vault(Database(index_url, 2), Seal(keys_of(both))) as vault:
        found, _ = await vault.of("issuer#alice")
        assert found["slack"].grant == grant
        await vault.put("issuer#bob", "slack", grant)
        assert await vault.seal_again() == (1, 0)
        assert await vault.seal_again() == (0, 0)
        assert [(row.principal, row.source) for row in await vault.listed()] == [
            ("issuer#alice", "slack"),
            ("issuer#bob", "slack"),
        ]
    async with Vault(Database(index_url, 2), Seal(keys_of(new))) as vault:
        assert (await vault.of("issuer#alice"))[0]["slack"].grant == grant
    async with Vault(Database(index_url, 2), Seal(keys_of(old))) as vault:
        found, broken = await vault.of("issuer#alice")
        assert (found, "put that key back" in broken["slack"]) == ({}, True)
        assert await vault.seal_again() == (0, 2)


async def test_processes_renew_one_after_another(index_url):
    seal, renewed = Seal(keys_of(new_key())), []

    async def renewing(grant):
        await asyncio.sleep(0.05)
        renewed.append(grant.refresh_token)
        return Grant(access_token=f"access-{len(renewed)}", refresh_token=f"refresh-{len(renewed)}")

    async with Vault(Database(index_url, 2), seal) as one, Vault(Database(index_url, 2), seal) as two:
        held = await one.put("issuer#alice", "slack", Grant(access_token="access-0", refresh_token="refresh-0"))
        got = await asyncio.gather(*(vault.renew(held, renewing) for vault in (one, two, one, two)))
        assert renewed == ["refresh-0"]
        assert {each.grant.access_token for each in got} == {"access-1"}
        await two.remove("issuer#alice", "slack")
        assert await one.renew(got[0], renewing) is None
        other = await two.put("issuer#alice", "slack", Grant(access_token="of another account"))
        assert other.id != held.id
        assert await one.renew(got[0], renewing) is None
        assert renewed == ["refresh-0"]


class Slow:
    """A vendor that has given a new token away before its answer arrives."""

    name = "Slow"

    def __init__(self):
        self.given = 0
        self.answers = asyncio.Event()

    async def remembered(self, client):
        return self

    async def renew(self, grant, now):
        self.given += 1
        given = self.given
        await self.answers.wait()
        return Grant(access_token=f"access-{given}", refresh_token=f"refresh-{given}")


async def test_a_token_is_kept_though_whoever_asked_for_it_has_left(index_url):
    vendor, now = Slow(), datetime.now(UTC)
    ended = Grant(access_token="access-0", refresh_token="refresh-0", expires=now)
    async with Vault(Database(index_url, 4), Seal(keys_of(new_key()))) as vault:
        held = await vault.put("issuer#alice", "slack", ended)
        token = PersonalToken(vault, vendor, held, "connect it", lambda: now)
        for _ in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(token.secret(), 0.02)
        vendor.answers.set()
        assert await token.secret() == "access-1"
        assert vendor.given == 1
        assert (await vault.of("issuer#alice"))[0]["slack"].grant.refresh_token == "refresh-1"
        # Others who wait for a vendor do not keep anybody from being looked up.
        vendor.answers.clear()
        people = [await vault.put(f"issuer#{number}", "slack", ended) for number in range(6)]
        slow = [asyncio.create_task(PersonalToken(vault, vendor, each, "", lambda: now).secret()) for each in people]
        await asyncio.sleep(0.05)
        await vault.of("issuer#alice")
        assert not any(each.done() for each in slow)
        vendor.answers.set()
        await asyncio.gather(*slow)
        await vault.remove("issuer#alice", "slack")
        with pytest.raises(Unauthenticated, match="disconnected; connect it"):
            await token.after("access-1")
