"""A server follows what is written into its settings: sources come, change and go while it answers."""

import asyncio

from orchestrator.assembly import reloading
from orchestrator.settings import SettingsSite
from tests.clock import HANGING


def place_in(folder):
    """An environment that says where settings are written, and nothing else."""
    (folder / "config" / "secrets").mkdir(parents=True)
    (folder / "config" / "fedsearch.toml").touch()
    return {
        "FEDSEARCH_CONFIG": str(folder / "config" / "fedsearch.toml"),
        "FEDSEARCH_SECRETS_DIR": str(folder / "config" / "secrets"),
        "FEDSEARCH_DATA_DIR": str(folder),
    }


async def standing(api):
    async with api.get("/v1/sources") as reply:
        return {each["name"]: each["status"] for each in (await reply.json())["sources"]}


async def becomes(api, expected):
    async with asyncio.timeout(HANGING):
        while await standing(api) != expected:  # noqa: ASYNC110 - files do not tell
            await asyncio.sleep(0.05)


async def test_sources_come_and_go_as_they_are_written_down(serve, tmp_path, monkeypatch):
    monkeypatch.setattr(reloading, "LOOKING", 0.05)
    place = place_in(tmp_path)
    site = SettingsSite({}, place)
    quiet = {name: {"enabled": False} for name in ("notion", "gmail", "linear")}
    async with serve(tmp_path, place=place, sources=quiet) as api:
        await becomes(api, {"slack": "ok"})
        there = api.app.state.server.running._reaching.sources["slack"]
        end = api.sandbox.endpoints["notion"]
        site.keep_source("wiki", {"kind": "notion", "base_url": end.base_url})
        await becomes(api, {"slack": "ok", "wiki": "not connected"})
        site.keep_secret("sources.wiki.token", end.token)
        await becomes(api, {"slack": "ok", "wiki": "ok"})
        async with api.post("/v1/search", {"question": "API migration"}) as reply:
            answer = await reply.json()
        assert {each["source"]: each["status"] for each in answer["sources"]}["wiki"] == "ok"
        assert api.app.state.server.running._reaching.sources["slack"] is there  # with its rates and connections
        site.keep_source_text("wiki", 'kind = "notion"\nno_such_setting = 1\n')
        await becomes(api, {"slack": "ok", "wiki": "not connected"})  # a broken file costs its own source
        (tmp_path / "config" / "fedsearch.toml").write_text("nonsense", "utf-8")
        await asyncio.sleep(0.2)
        assert await standing(api) == {
            "slack": "ok",
            "wiki": "not connected",
        }  # settings that cannot be read change nothing
        (tmp_path / "config" / "fedsearch.toml").write_text("", "utf-8")
        (secret := tmp_path / "config" / "secrets" / "sources__wiki__token").write_bytes(b"\xff")
        await asyncio.sleep(0.2)
        secret.unlink()  # nor does a secret that is no text end the following
        site.keep_source("wiki", {"enabled": False})
        site.keep_source_text("wiki", 'kind = "notion"\nenabled = false\n')
        await becomes(api, {"slack": "ok"})
