"""Digests on schedule with a real database: interrupted anywhere, killed, two at once, over changes of the clock."""

import asyncio
import json
import multiprocessing
import os
import random
import time
from collections import Counter
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from orchestrator.assembly.digests import digest_service
from orchestrator.digests import Clock, from_data, message_of
from orchestrator.model import NotReady
from storage.errors import Throttled, Unavailable
from storage.jobs.working import Busy
from tests.clock import HANGING
from tests.e2e.digest_office import is_signed
from tests.e2e.digest_worker import diaries, settings_of, work
from tests.unit.orchestrator.digests.world import START, Diary, engine_over, event
from translators.match import happened

NEW_YORK = ZoneInfo("America/New_York")


async def rows(store, statement, *values):
    return await store.database.run(lambda each: each.fetch(statement, *values))


async def told(store):
    """Every event that was told, with the run that told it."""
    return [tuple(each) for each in await rows(store, "SELECT source, id, happened, due FROM digest_events")]


def happened_in(seed, since, until):
    return {
        (diary.name, hit.id, happened(hit))
        for diary in diaries(seed)
        for hit in diary.events
        if since <= happened(hit) < until
    }


class Month:
    """A month in which the clock is what the test says, and any job may end anywhere."""

    def __init__(self, store, folder, seed, share=0.2):
        self.store, self.folder, self.seed, self.share = store, folder, seed, share
        self.now = START
        self.rng = random.Random(seed)

    async def attempt(self, patience=None):
        """A process that starts, plans, does what is due, and is interrupted after ``patience`` seconds."""
        async with engine_over(*diaries(self.seed, self.share)) as engine:
            service = digest_service(settings_of(self.folder), engine, self.store.database, Clock(lambda: self.now))
            try:
                async with asyncio.timeout(patience):
                    await service.runs.plan()
                    _, due = await service.run_repository.due("team")
                    if due <= self.now:
                        await service.runs.run(digest="team", due=due.isoformat())
                    for each in await service.run_repository.outbox(["team"], ["waiting"]):
                        await service.deliveries.deliver(key=each.key)
            except TimeoutError:
                pass

    async def lived(self, days=31):
        while self.now < START + timedelta(days=days):
            self.now += timedelta(seconds=self.rng.randrange(1, 86400))
            for _ in range(self.rng.randrange(3)):
                await self.attempt(self.rng.choice((0.001, 0.005, 0.02, 0.05)))
            await self.attempt()
        self.share = 0.0
        self.now += timedelta(days=1)
        await self.attempt()


@pytest.mark.parametrize("seed", ["one", "two", "three"])
async def test_a_month_of_interrupted_runs_tells_each_event_once(store, tmp_path, seed):
    month = Month(store, tmp_path, seed)
    await month.lived()
    found = await told(store)
    runs = await rows(store, "SELECT due, since, until, content FROM digest_runs ORDER BY due")
    assert not [event for event, count in Counter(each[:3] for each in found).items() if count > 1]
    assert {each[:3] for each in found} == happened_in(seed, runs[0]["since"], runs[-1]["until"])
    assert {each["due"].astimezone(NEW_YORK).hour for each in runs} == {9}, (
        "by the wall clock, before and after the change"
    )
    assert len({each["due"] for each in runs}) == len(runs) > 20
    out = await rows(store, "SELECT status, count(*) AS n FROM outbox GROUP BY status")
    assert {each["status"]: each["n"] for each in out} == {"sent": len(runs)}
    assert any(coverage["problem"] for each in runs for coverage in json.loads(each["content"])["coverage"]), (
        "none failed"
    )


async def test_a_clock_that_was_put_back_leaves_nothing_out_and_repeats_nothing(store, tmp_path):
    seed, right = "back", START + timedelta(days=4)
    month = Month(store, tmp_path, seed, share=0.0)
    diaries_so_far = diaries(seed)
    for diary in diaries_so_far:
        diary.events = [hit for hit in diary.events if happened(hit) <= right]
    async with engine_over(*diaries_so_far) as engine:  # its clock is five days ahead of what happens
        for at in (right - timedelta(hours=8), right + timedelta(days=5)):
            clock = Clock(lambda at=at: at)
            await digest_service(settings_of(tmp_path), engine, store.database, clock).runs.now("team")
    assert len(happened_in(seed, right, right + timedelta(hours=20))) > 3, "or this proves nothing"
    month.now = right
    for _ in range(8):
        month.now += timedelta(days=1)
        await month.attempt()
    found = await told(store)
    since = min(each["since"] for each in await rows(store, "SELECT since FROM digest_runs"))
    assert max(Counter(each[:3] for each in found).values()) == 1
    assert {each[:3] for each in found} >= happened_in(seed, since, month.now - timedelta(days=1))


async def test_what_a_source_lists_late_is_told_once_and_the_receipt_says_so(store, tmp_path):
    """Within ``scheduled.overlap``, a day; what comes later still is the one thing that is missed."""
    day, hour = timedelta(days=1), timedelta(hours=1)
    diary = Diary("chat", [event("chat", number, START + number * 4 * hour) for number in range(60)])
    moments = {"late": START + 5 * day - 20 * hour, "too late": START + 5 * day - 30 * hour}
    texts = {}
    async with engine_over(diary) as engine:
        for days in (4, 5, 6, 7):
            service = digest_service(
                settings_of(tmp_path, overlap=86400),
                engine,
                store.database,
                Clock(lambda days=days: START + days * day),
            )
            run = await service.runs.now("team")
            texts[days] = message_of(from_data(run.content)).plain
            if days == 5:
                diary.events += [event("chat", 900 + at, moment) for at, moment in enumerate(moments.values())]
                diary.events.sort(key=happened)
    found = Counter(each[:3] for each in await told(store))
    assert max(found.values()) == 1
    assert found["chat", "900", moments["late"]] == 1
    assert ("chat", "901", moments["too late"]) not in found
    assert "1 of them happened before that" in texts[6]
    assert not any("happened before that" in texts[days] for days in (4, 5, 7))


async def test_a_run_that_is_too_late_is_made_up_for_once_or_left_out(store, tmp_path):
    async with engine_over(*diaries("late")) as engine:
        moment = [START]
        clock = Clock(lambda: moment[0])
        settings = settings_of(tmp_path)
        skipping = settings.model_copy(
            update={"digests": {"team": settings.digests["team"].model_copy(update={"misfire": "skip", "grace": 60.0})}}
        )
        service = digest_service(skipping, engine, store.database, clock)
        await service.runs.plan()
        _, due = await service.run_repository.due("team")
        moment[0] = due + timedelta(days=4)
        await service.runs.run(digest="team", due=due.isoformat())
        assert await rows(store, "SELECT 1 FROM digest_runs") == []
        _, following = await service.run_repository.due("team")
        assert following == due + timedelta(days=5)
        late = digest_service(settings, engine, store.database, clock)
        moment[0] = following + timedelta(days=2)
        await late.runs.run(digest="team", due=following.isoformat())
        assert len(await rows(store, "SELECT 1 FROM digest_runs")) == 1
        await late.runs.run(digest="team", due=following.isoformat())
        assert len(await rows(store, "SELECT 1 FROM digest_runs")) == 1, "an old plan's job does nothing"


async def test_a_run_that_meets_a_server_which_loads_again_is_tried_again(store, tmp_path, monkeypatch):
    """As what does not answer, and not as a bug, which would end its job."""

    async def loading(_):
        raise NotReady("starting")

    async with engine_over(*diaries("loading")) as engine:
        service = digest_service(settings_of(tmp_path), engine, store.database, Clock(lambda: START))
        monkeypatch.setattr(engine, "profiles_for", loading)
        with pytest.raises(Unavailable, match="starting"):
            await service.runs.now("team")


async def test_two_make_one_digest_at_once_and_one_waits(store, tmp_path):
    async with engine_over(*diaries("both")) as engine:
        service = digest_service(
            settings_of(tmp_path), engine, store.database, Clock(lambda: START + timedelta(days=9))
        )
        async with store.database.held("making/team"):  # as whoever makes it holds it
            with pytest.raises(Busy):
                await service.runs.now("team")
        made = await asyncio.gather(*(service.runs.now("team") for _ in range(2)), return_exceptions=True)
        refused = [each for each in made if isinstance(each, Exception)]
        # Where the first was done before the other began, as on a busy machine, it was made in this very second.
        assert len(refused) == 1
        assert isinstance(refused[0], Busy | Throttled)
        assert len(await rows(store, "SELECT 1 FROM digest_runs")) == 1


# ---- processes that are killed


@pytest.fixture
def started():
    """Starts a worker in a process of its own, split off from one that has loaded everything: it works at once."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([work.__module__])

    def start(*arguments):
        process = processes.Process(target=work, args=arguments)
        process.start()
        return process

    return start


async def test_thirty_days_with_two_workers_that_are_killed(started, store, index_url, tmp_path, hook):
    day = float(os.environ.get("FEDSEARCHTEST_DAY", "0.6"))  # seconds; longer ones leave more of them to the workers
    seed, speed, began, rng = "killed", 86400 / day, time.time() + 3, random.Random(3)
    arguments = (index_url, tmp_path, hook.url, seed, began, speed, 0.1)
    absent = random.Random(7)
    hook.away = lambda: absent.random() < 0.2
    workers, killed = [started(*arguments) for _ in range(2)], 0
    try:
        while time.time() < began + 31 * day or killed < 4 or len({each[3] for each in await told(store)}) < 4:
            # Longer each time: where others load the machine, whoever is killed before it is up tells nothing, ever.
            await asyncio.sleep(rng.uniform(0.3, 3.0) * (1 + killed / 20))
            each = rng.randrange(2)
            workers[each].kill()
            await asyncio.to_thread(workers[each].join)
            workers[each], killed = started(*arguments), killed + 1

        async def all_is_out():
            left = await rows(store, "SELECT 1 FROM outbox WHERE status <> 'sent'")
            due = (await rows(store, "SELECT due FROM digest_plans"))[0]["due"]
            return not left and due > START + timedelta(days=31)

        async with asyncio.timeout(HANGING):
            while not await all_is_out():  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.2)
    finally:
        for each in workers:
            each.kill()
            await asyncio.to_thread(each.join)
    found = await told(store)
    runs = await rows(store, "SELECT due, since, until, content FROM digest_runs ORDER BY due")
    out = await rows(store, "SELECT key, place, status FROM outbox")
    assert max(Counter(each[:3] for each in found).values()) == 1, "an event is told once"
    covered = {
        name: min(
            datetime.fromisoformat(each["covered"])
            for each in json.loads(runs[-1]["content"])["coverage"]
            if each["source"] == name
        )
        for name in ("chat", "mail", "wiki")
    }
    wanted = {event for event in happened_in(seed, runs[0]["since"], runs[-1]["until"]) if event[2] < covered[event[0]]}
    assert {each[:3] for each in found} == wanted, "and none is left out"
    hooks = {each["key"] for each in out if each["place"].startswith("http")}
    assert all(is_signed(headers, body) for headers, body in hook.came)
    came = [(headers["webhook-id"], json.loads(body)) for headers, body in hook.came]
    sent = {each["key"] for each in out if each["key"] in hooks and each["status"] == "sent"}
    # One more day may have begun before its workers were killed.
    assert sent <= {key for key, _ in came} <= hooks
    assert len(hooks) == len(runs)
    bodies = {}
    for key, body in came:
        assert bodies.setdefault(key, body["data"]) == body["data"], "what comes again is the same"
    print(f"\n{len(runs)} digests, {len(found)} events, {killed} kills, {len(came) - len(hooks)} came twice")
    assert killed > 3
    assert len(runs) > 3
    assert {each["due"].astimezone(NEW_YORK).hour for each in runs} == {9}
