"""Digests and saved searches that people define themselves: what they may, who sees them, and that they run without a restart."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import SecretStr

from connectors.errors import Misconfigured
from orchestrator.access import KeyRing, Scope, new_key
from orchestrator.assembly.digests import digest_service, digests_beside
from orchestrator.digests import Clock, DefinitionRepository, Maker, NotDefined
from orchestrator.digests.definitions import own_name
from orchestrator.digests.run_repository import PlannedRun
from orchestrator.model import Principal
from orchestrator.settings import load_settings
from orchestrator.settings.digests import SearchSettings
from storage.database import Database
from storage.supervisor import Cluster
from tests.clock import HANGING
from tests.e2e.digest_office import SECRET, is_signed
from tests.e2e.page_reader import Reader
from tests.unit.orchestrator.digests.world import START, Diary, engine_over, event

NINE = {"schedule": "0 9 * * *", "zone": "Asia/Seoul"}
KIM = Maker(Principal("kim", "Kim", "kim@acme.example"))
LEE = Maker(Principal("lee", "Lee", "lee@acme.example"))


def settings_with(folder, **scheduled):
    told = {"storage": {"data_dir": str(folder)}, "scheduled": scheduled, "digests": {"team": {"person": "kim"}}}
    return load_settings({**told, "accounts": {"secret": new_key()}}, {})


def office(engine, store, settings, now=START + timedelta(hours=1)):
    return digest_service(settings, engine, store.database, Clock(lambda: now))


def chat():
    return Diary("chat", [event("chat", 1, START)])


async def refusal(work):
    with pytest.raises(NotDefined) as refused:
        await work
    return refused.value.code, refused.value.field


# ---- what is taken


async def test_what_somebody_defines_is_planned_and_seen_by_other_processes_at_once(store, tmp_path):
    settings = settings_with(tmp_path)
    async with engine_over(chat()) as engine:
        here, elsewhere = office(engine, store, settings), office(engine, store, settings)
        full = await here.defining.create(KIM, "morning", "digest", NINE)
        assert full == own_name("kim", "morning")
        standing = await elsewhere.standing(full)
        assert (standing.origin, standing.wished.email, standing.due is not None) == (
            "person",
            "kim@acme.example",
            True,
        )
        await elsewhere.runs.plan()
        assert (await elsewhere.run_repository.due(full))[1] == standing.due, "it stays as planned"
        await elsewhere.runs.run(digest=full, due=standing.due.isoformat())
        assert (await here.standing(full)).last.due == standing.due
        shown = await here.runs.preview(full)
        assert (shown.name, shown.title) == ("morning", "")
        await elsewhere.defining.change(KIM, "morning", {"paused": True})
        assert (await here.standing(full)).due is None
        await elsewhere.defining.change(KIM, "morning", {"paused": False, "period": "weekly"})
        changed = (await here.standing(full)).wished
        assert (changed.period, changed.schedule, changed.paused) == ("weekly", NINE["schedule"], False)
        await here.defining.remove(KIM, "morning")
        for table in ("definitions", "plans", "marks", "runs", "events"):
            count = f"SELECT count(*) FROM digest_{table}"
            assert await store.database.run(lambda each, count=count: each.fetchval(count)) == 0, table


async def test_two_people_give_the_same_name_and_neither_has_the_others(store, tmp_path):
    async with engine_over(chat()) as engine:
        service = office(engine, store, settings_with(tmp_path))
        for maker in (KIM, LEE):
            await service.defining.create(maker, "주간", "digest", {"period": "weekly", "title": maker.principal.name})
        assert [each.wished.title for each in await service.standings(["lee"])] == ["Lee"]
        await service.defining.remove(LEE, "주간")
        assert await refusal(service.defining.remove(LEE, "주간")) == ("no_digest", "")
        definitions = await service.catalogue.definitions()
        assert definitions.owned("주간", "kim")[1].title == "Kim"
        assert definitions.owned("주간", "lee") is None


async def test_what_is_not_taken_says_which_part_of_it(store, tmp_path):
    async with engine_over(chat()) as engine:
        service = office(engine, store, settings_with(tmp_path, own=2))
        make = service.defining.create
        for told, code, field in (
            ({"schedule": "every monday"}, "bad_definition", "schedule"),
            ({"schedule": "0 9 * * 1", "zone": "Mars/Olympus"}, "bad_definition", "schedule"),
            ({"schedule": "0 9 * * 1"}, "bad_definition", "schedule"),  # no zone here, none in the settings
            ({**NINE, "schedule": "*/5 * * * *"}, "bad_definition", "schedule"),
            ({"sources": ["nowhere"]}, "bad_definition", "sources"),
            ({"period": "hourly"}, "bad_definition", "period"),
            ({"question": "x"}, "bad_definition", "question"),
            ({"deliver": ["ftp:x"]}, "bad_definition", "deliver.0"),
            ({"deliver": ["mailto:lee@acme.example"]}, "not_allowed", "deliver"),
            ({"deliver": ["mailto:kim@acme.example?cc=eve@evil.example"]}, "not_allowed", "deliver"),
            ({"deliver": ["file:../../etc/cron.d/x.txt"]}, "not_allowed", "deliver"),
            ({"deliver": ["https://169.254.169.254/latest"]}, "not_allowed", "deliver"),
            ({"deliver": ["slack:C01PAY0003"]}, "not_allowed", "deliver"),
        ):  # fmt: skip
            assert await refusal(make(KIM, "mine", "digest", told)) == (code, field), told
        with pytest.raises(NotDefined, match="no such setting; it has: about, ahead, aliases, deliver"):
            await make(KIM, "mine", "digest", {"webhook": "x"})
        assert await refusal(make(KIM, "mine", "search", {})) == ("bad_definition", "question")
        assert await refusal(make(KIM, "a/b", "digest", {})) == ("bad_definition", "name")
        assert await refusal(make(KIM, "team", "digest", {})) == ("name_taken", "")
        assert await refusal(service.defining.change(KIM, "team", {})) == ("of_the_settings", "")
        # Who one is cannot be said: neither another's rights nor another's address.
        await make(
            KIM,
            "mine",
            "digest",
            {"person": "lee", "email": "lee@acme.example", "deliver": ["mailto:kim@acme.example"]},
        )
        wished = (await service.catalogue.definitions()).owned("mine", "kim")[1]
        assert (wished.person, wished.email) == ("kim", "kim@acme.example")
        await make(KIM, "saved", "search", {"question": "when does it start?"})
        assert isinstance((await service.catalogue.definitions()).owned("saved", "kim")[1], SearchSettings)
        assert await refusal(make(KIM, "third", "digest", {})) == ("too_many", "")
        await make(Maker(KIM.principal, rules=False), "third", "digest", {**NINE, "schedule": "* * * * *"})


async def test_what_was_set_up_for_somebody_they_may_let_rest_and_not_lead_elsewhere(store, tmp_path):
    async with engine_over(chat()) as engine:
        defining = office(engine, store, settings_with(tmp_path)).defining
        told = {**NINE, "schedule": "* * * * *", "deliver": ["mailto:team@acme.example"]}
        await defining.create(Maker(KIM.principal, rules=False), "often", "digest", told)
        await defining.change(KIM, "often", {"paused": True})
        await defining.change(KIM, "often", {"paused": False, "title": "mine"})
        places = [*told["deliver"], "mailto:eve@evil.example"]
        assert await refusal(defining.change(KIM, "often", {"deliver": places})) == ("not_allowed", "deliver")
        assert await refusal(defining.change(KIM, "often", {"schedule": "*/2 * * * *"})) == (
            "bad_definition",
            "schedule",
        )


async def test_a_channel_hears_nothing_that_one_person_may_read_even_where_it_is_allowed(store, tmp_path):
    async with engine_over(chat()) as engine:
        service = office(engine, store, settings_with(tmp_path, allowed=["slack:C01PAY0003", "slack:U01KMS0A1"]))
        assert await refusal(service.defining.create(KIM, "a", "digest", {"deliver": ["slack:C01PAY0003"]})) == (
            "not_allowed", "deliver",
        )  # fmt: skip
        await service.defining.create(KIM, "b", "digest", {"deliver": ["slack:U01KMS0A1"]})
        everybody = Maker(Principal("local"))
        await service.defining.create(everybody, "c", "digest", {"deliver": ["slack:C01PAY0003"]})


@pytest.mark.parametrize(
    ("address", "goes"),
    [
        ("https://hooks.acme.example/team/a?x=1", True),
        ("https://hooks.acme.example/team/", True),
        ("https://hooks.acme.example/other", False),
        ("https://hooks.acme.example/team/../other", False),
        ("https://hooks.acme.example/team/%2e%2e/other", False),
        ("https://hooks.acme.example/team/\\..\\other", False),
        ("https://hooks.acme.example.evil.example/team/", False),
        ("https://hooks.acme.example@evil.example/team/", False),
        ("https://whole.example/hook", True),
        ("https://whole.example/hook/more", False),
        ("https://whole.example/hook2", False),
    ],
)
async def test_webhooks_stay_below_what_is_allowed(store, tmp_path, address, goes):
    allowed = ["https://hooks.acme.example/team/", "https://whole.example/hook"]
    async with engine_over(chat()) as engine:
        make = office(engine, store, settings_with(tmp_path, allowed=allowed)).defining.create
        told = {"deliver": [address], "secret": SECRET}
        if goes:
            await make(KIM, "hook", "digest", told)
            assert await refusal(make(KIM, "unsigned", "digest", {"deliver": [address]})) == (
                "bad_definition",
                "secret",
            )
        else:
            assert await refusal(make(KIM, "hook", "digest", told)) == ("not_allowed", "deliver")


# ---- what becomes of it


async def test_a_webhook_of_a_persons_own_reaches_no_private_address_and_its_secret_stays_sealed(store, tmp_path, hook):
    settings = settings_with(tmp_path, allowed=[hook.url])
    port = int(hook.url.split(":")[2].split("/")[0])
    async with engine_over(chat()) as engine:
        service = office(engine, store, settings)
        full = await service.defining.create(KIM, "hook", "digest", {"deliver": [hook.url], "secret": SECRET})
        (out,) = await service.deliver(full, (await service.runs.now(full)).due)
        assert (out.status, hook.came) == ("dead", [])
        assert "web.ports" in out.problem or "web.networks" in out.problem
        assert "t0psecretpath" not in out.problem
        kept = await store.database.run(lambda each: each.fetch("SELECT told::text, sealed FROM digest_definitions"))
        assert SECRET not in kept[0]["told"]
        assert SECRET.encode() not in kept[0]["sealed"]
        web = settings.web.model_copy(update={"ports": (port,)})
        named = office(engine, store, settings.model_copy(update={"web": web}), START + timedelta(hours=2))
        (out,) = await named.deliver(full, (await named.runs.now(full)).due)
        assert (out.status, "web.networks" in out.problem) == ("dead", True)
        web = type(web).model_validate({**web.model_dump(), "networks": ["127.0.0.1/32"]})
        opened = office(engine, store, settings.model_copy(update={"web": web}), START + timedelta(hours=3))
        (out,) = await opened.deliver(full, (await opened.runs.now(full)).due)
        assert out.status == "sent"
        assert is_signed(*hook.came[0])
        # With another key nothing opens: it is not sent unsigned, and the rest goes on.
        other = settings.model_copy(
            update={"accounts": settings.accounts.model_copy(update={"secret": SecretStr(new_key())})}
        )
        lost = office(engine, store, other, START + timedelta(hours=4))
        (out,) = await lost.deliver(full, (await lost.runs.now(full)).due)
        assert (out.status, "secret" in out.problem, len(hook.came)) == ("dead", True, 1)


async def test_without_a_key_to_seal_with_no_secret_is_taken(store, tmp_path, hook):
    settings = load_settings({"storage": {"data_dir": str(tmp_path)}, "scheduled": {"allowed": [hook.url]}}, {})
    async with engine_over(chat()) as engine:
        service = office(engine, store, settings)
        with pytest.raises(Misconfigured, match=r"accounts\.secret"):
            await service.defining.create(KIM, "hook", "digest", {"deliver": [hook.url], "secret": SECRET})


async def test_whoever_is_no_longer_let_in_gets_no_digest(store, tmp_path):
    ring = KeyRing(tmp_path / "keys.json", lambda: datetime.now(UTC))
    key, _ = ring.create("dashboard", [Scope.DEFINE])
    maker = Maker(Principal(f"key:{key.id}", key.name))
    async with engine_over(chat()) as engine:
        service = office(engine, store, settings_with(tmp_path))
        full = await service.defining.create(maker, "mine", "digest", NINE)
        due = (await service.standing(full)).due
        ring.revoke(key.id)
        await service.runs.run(digest=full, due=due.isoformat())
        assert await service.run_repository.runs([full], [maker.principal.id]) == ()
        await service.runs.plan()
        assert await service.run_repository.due(full) is None


async def test_somebody_who_is_forgotten_leaves_no_definition_no_run_and_nothing_that_would_still_be_sent(
    store, tmp_path
):
    ring = KeyRing(tmp_path / "keys.json", lambda: datetime.now(UTC))
    key, _ = ring.create("gone", [Scope.DEFINE])
    gone = Maker(Principal(f"key:{key.id}"))
    settings = settings_with(tmp_path, allowed=["file:{name}.md"])
    there = DefinitionRepository(store.database, None)
    async with engine_over(chat()) as engine:
        service = office(engine, store, settings)
        for maker in (gone, KIM):
            full = await service.defining.create(maker, "morning", "digest", {**NINE, "deliver": ["file:{name}.md"]})
            await service.runs.now(full)
        ring.revoke(key.id)
        assert await there.owners() == {f"key:{key.id}": 1, "kim": 1}, "of a key that opens no more, too"
        await rows_of(
            store, "UPDATE digest_definitions SET told = '{\"zone\": 7}' WHERE person = $1", gone.principal.id
        )
        assert (await there.erase(gone.principal.id), await there.erase(gone.principal.id)) == (1, 0)
        for table in ("digest_definitions", "digest_runs", "digest_plans", "digest_marks", "digest_events", "outbox"):
            kept = {row["digest"] for row in await rows_of(store, f"SELECT DISTINCT digest FROM {table}")}
            assert kept == {own_name("kim", "morning")}, table
        assert await there.owners() == {"kim": 1}


async def rows_of(store, statement, *values):
    return await store.database.run(lambda each: each.fetch(statement, *values))


async def test_one_definition_that_cannot_be_read_hurts_no_other(store, tmp_path):
    async with engine_over(chat()) as engine:
        service = office(engine, store, settings_with(tmp_path))
        for name in ("old", "new"):
            await service.defining.create(KIM, name, "digest", {})
        broken = "UPDATE digest_definitions SET told = told || '{\"period\": \"hourly\"}' WHERE name = 'old'"
        await store.database.run(lambda each: each.execute(broken))
        assert set((await service.catalogue.definitions()).by_name) == {"team", own_name("kim", "new")}


# ---- over HTTP and on the page


async def test_define_read_change_and_remove_over_http(serve, tmp_path, index_url):
    more = {
        "index": {"database_url": index_url},
        "accounts": {"address": "http://127.0.0.1:1", "secret": new_key()},
        "scheduled": {"allowed": ["https://hooks.acme.example/"]},
    }
    async with serve(tmp_path, more=more) as api:
        told = {"name": "주간", "period": "weekly", "language": "ko", **NINE, "called": "박지현",
                "deliver": ["https://hooks.acme.example/t0psecretpath"], "secret": SECRET}  # fmt: skip
        (tmp_path / "audit.jsonl").mkdir()
        async with api.post("/v1/digests", told) as reply:
            assert (reply.status, (await reply.json())["code"]) == (503, "not_kept")
        (tmp_path / "audit.jsonl").rmdir()  # what could not be written down was not done
        async with api.post("/v1/digests", told) as reply:
            made = await reply.json()
            assert reply.status == 201, made
        assert (made["name"], made["origin"], made["settings"]["name"]) == ("주간", "person", "박지현")
        assert datetime.fromisoformat(made["due"]) > datetime.now(UTC)
        assert (made["settings"]["deliver"], made["settings"]["signed"]) == (["https://hooks.acme.example/…"], True)
        async with api.post("/v1/digests", told) as reply:
            assert (reply.status, (await reply.json())["code"]) == (409, "name_taken")
        for path in ("/v1/digests", "/v1/digests/주간/definition", "/v1/digests/주간"):
            async with api.get(path) as reply:
                text = await reply.text()
                assert (reply.status, SECRET in text, "t0psecretpath" in text) == (200, False, False), path
        async with api.http.patch(api.url + "/v1/digests/주간", json={"paused": True}, headers=api.auth) as reply:
            changed = await reply.json()
            assert (reply.status, changed["paused"], changed["due"], changed["schedule"]) == (
                200,
                True,
                None,
                "0 9 * * *",
            )
            assert changed["settings"]["signed"], "what is not sent stays"
        for body, code, said in (
            ({"schedule": "often"}, "bad_definition", "/body/schedule"),
            ({"deliver": ["https://evil.example/"]}, "not_allowed", "/body/deliver"),
            ({"person": "somebody"}, "invalid_request", "/body/person"),
        ):
            async with api.http.patch(api.url + "/v1/digests/주간", json=body, headers=api.auth) as reply:
                refused = await reply.json()
                assert (reply.status, refused["code"], said in refused["detail"]) == (422, code, True), refused
        _, poor = api.ring.create("reader", [Scope.DIGESTS])
        async with api.post("/v1/digests", {"name": "x"}, headers={"Authorization": f"Bearer {poor}"}) as reply:
            assert (reply.status, (await reply.json())["code"]) == (403, "missing_scope")
        async with api.http.delete(api.url + "/v1/digests/주간", headers=api.auth) as reply:
            assert reply.status == 204
        async with api.get("/v1/digests") as reply:
            assert await reply.json() == {"digests": []}
        lines = map(json.loads, (tmp_path / "audit.jsonl").read_text("utf-8").splitlines())
        assert [(each["action"], each["source"]) for each in lines if "action" in each] == [
            ("digest defined", "주간"), ("digest changed", "주간"), ("digest removed", "주간"),
        ]  # fmt: skip


async def test_a_reader_lets_one_rest_and_removes_it(serve, tmp_path, index_url):
    async with serve(tmp_path, more={"index": {"database_url": index_url}}) as api:
        async with api.post("/v1/digests", {"name": "<b>아침", **NINE}) as reply:
            assert (reply.status, (await reply.json())["code"]) == (422, "bad_definition")
        async with api.post("/v1/digests", {"name": "아침", "title": "<b>아침</b>", **NINE}) as reply:
            assert reply.status == 201
        async with Reader(api, "ko") as reader:
            await (await reader.sign_in()).get("/digests")
            assert ("매일 09:00" in reader.text(), not reader.page.xpath("//main//b")) == (True, True)
            form, button = "//main//form", "//button[@value='{}']"
            for wish, shown in {
                "pause": "없음. 쉬는 중",
                "resume": "다시 시작했습니다",
                "remove": "함께 지웠습니다",
            }.items():
                await reader.submit(reader.page.xpath(form)[0], reader.page.xpath(button.format(wish))[0])
                assert (reader.status, shown in reader.text()) == (200, True), wish
            assert not reader.page.xpath(form)
            async with api.get("/v1/digests") as reply:
                assert await reply.json() == {"digests": []}
            # Without the token of the reader's own form nothing is changed.
            async with reader.http.post(api.url + "/digests", data={"do": "remove", "name": "아침"}) as reply:
                assert reply.status == 403


@pytest.mark.parametrize("worker", [True, False])
async def test_a_server_runs_the_schedules_where_it_is_to(tmp_path, index_url, worker):
    """A run that is due now: the worker beside the server makes it, or leaves it to others."""
    told = {
        "storage": {"data_dir": str(tmp_path)},
        "index": {"database_url": index_url},
        "scheduled": {"worker": worker},
    }
    async with engine_over(chat()) as engine, digests_beside(load_settings(told, {}), engine) as service:
        full, now = await service.defining.create(KIM, "morning", "digest", NINE), datetime.now(UTC)
        schedule, _ = await service.run_repository.due(full)
        await service.run_repository.plan(full, PlannedRun(schedule, now, now))
        async with asyncio.timeout(HANGING):
            while worker and await service.run_repository.is_waiting(full, now):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.1)
        made = [each.due for each in await service.run_repository.runs([full], ["kim"])]
        assert made == ([now] if worker else [])
        assert await service.run_repository.is_waiting(full, now) is not worker


def test_a_database_that_nobody_has_used_is_known_without_starting_it(tmp_path):
    database = Database(Cluster(tmp_path / "postgresql"))
    assert not database.is_made
    (tmp_path / "postgresql" / "data").mkdir(parents=True)
    (tmp_path / "postgresql" / "data" / "PG_VERSION").write_text("18")
    assert database.is_made
    assert Database("postgresql://127.0.0.1/any").is_made
