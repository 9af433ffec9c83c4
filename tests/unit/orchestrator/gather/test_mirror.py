"""Texts of a source whose search knows titles alone are kept beside it: read in turns that nobody needs, shown only as long as somebody has looked."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from connectors.contract import Hit, HitPage
from connectors.errors import Forbidden, Unauthenticated, Unavailable
from orchestrator.gather.mirror import EVERY, LEFT, STALE
from orchestrator.model import Status
from translators.query import Kind, Term, all_of

DAY = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def wiki(kit):
    """A source of pages that finds none by its text."""

    class Wiki(kit.Pretend):
        completes = True
        most = 100

        def __init__(self, pages, limits=None):
            super().__init__("wiki", {}, delay=0.1, limits=limits or kit.Limits(rate=100, period=60.0, page=100))
            self.manifest = self.manifest.model_copy(update={"may_store": True, "dialect": "notion"})
            self.pages = dict(pages)
            self.edited = dict.fromkeys(pages, DAY)
            self.read = []
            self.replies = {"q": kit.page()}
            self.fails = {}

        @property
        def mirrored(self):
            return self.most

        def head(self, name):
            return Hit("", name, Kind.PAGE, title=name, updated=self.edited[name])

        async def search(self, native, call):
            if native.text:
                return await super().search(native, call)
            await call.turn()
            self.listed += 1
            if failure := self.fails.get("listing"):
                raise failure
            at = int(call.cursor or 0)
            names = list(self.pages)[at : at + 2]
            return HitPage(tuple(map(self.head, names)), str(at + 2) if at + 2 < len(self.pages) else None)

        async def complete(self, hits, call):
            await call.turn()
            self.read += [hit.id for hit in hits]
            texts = {hit.id: self.pages[hit.id] for hit in hits if hit.id not in self.fails}
            read = tuple(
                replace(hit, snippet=texts.get(hit.id, "Owner: Kim"), complete=hit.id in texts) for hit in hits
            )
            return HitPage(read, notes=() if len(texts) == len(hits) else ("1 of 1 pages could not be read",))

    return Wiki


def asked(kit, source, *words):
    """The outcome of a question for which the source itself finds nothing."""
    step = replace(kit.step("wiki", kit.rung("q"), kit.rung("q", dropped=("x",))), meaning=all_of(map(Term, words)))
    return source.mirror.joined(EMPTY(kit, step), step)


def EMPTY(kit, step, status=Status.EMPTY):  # noqa: N802 — an outcome of nothing
    from orchestrator.model import Outcome

    return Outcome(step.source, step.title, step.category, status)


def found(outcome):
    return [hit.id for hit in outcome.hits]


PAGES = {"Leases": "앙목 보증금은 6,000만 원", "Numbers": "1,142 subscribers in August", "Empty": ""}


def test_a_word_that_no_title_has_is_found(kit, wiki, in_virtual_time):
    async def look():
        source = kit.sources(wiki(PAGES))["wiki"]
        await source.mirror.look()
        return asked(kit, source, "보증금"), asked(kit, source, "subscriber"), asked(kit, source, "nobody")

    deposit, subscribers, nothing = in_virtual_time(look())
    assert (found(deposit), found(subscribers), found(nothing)) == (["Leases"], ["Numbers"], [])
    assert (deposit.status, nothing.status) == (Status.OK, Status.EMPTY)
    assert str(deposit.notes[-1]) == "3 of 3 pages were searched by their texts as well, as they were 0 s ago"


def test_what_holds_all_words_stands_on_the_first_rung_and_a_part_of_them_on_a_broader_one_alone(
    kit, wiki, in_virtual_time
):
    async def look():
        source = kit.sources(wiki({"all": "원두 보관", "part": "원두"}))["wiki"]
        await source.mirror.look()
        meaning = all_of([Term("원두"), Term("보관")])
        broad = replace(kit.step("wiki", kit.rung("q"), kit.rung("w", dropped=("보관",))), meaning=meaning)
        narrow = replace(kit.step("wiki", kit.rung("q")), meaning=meaning)
        return [source.mirror.joined(EMPTY(kit, step), step) for step in (broad, narrow)]

    broad, narrow = in_virtual_time(look())
    assert [(each.rung, found_list(each)) for each in broad.lists] == [(0, ["all"])]
    assert [(each.rung, found_list(each)) for each in narrow.lists] == [(0, ["all"])]


def found_list(hits):
    return [hit.id for hit in hits.hits]


def test_only_the_second_question_begins_to_read_and_a_server_before_the_first(kit, wiki, in_virtual_time):
    async def look():
        source = kit.sources(wiki(PAGES))["wiki"]
        source.mirror.asked()
        await asyncio.sleep(10)
        before = list(source.connector.read)
        source.mirror.asked()
        await asyncio.sleep(10)
        await source.aclose()
        return before, source.connector.read

    assert in_virtual_time(look()) == ([], list(PAGES))


def test_what_has_changed_is_read_again_and_what_is_gone_is_forgotten(kit, wiki, in_virtual_time):
    async def look():
        connector = wiki(PAGES)
        source = kit.sources(connector)["wiki"]
        source.mirror.begin()
        await asyncio.sleep(10)
        connector.pages["Leases"], connector.edited["Leases"] = "보증금 5,000만 원", DAY + timedelta(days=1)
        del connector.pages["Numbers"]
        await asyncio.sleep(EVERY)
        await source.aclose()
        return connector.read, asked(kit, source, "보증금"), asked(kit, source, "subscriber")

    read, deposit, gone = in_virtual_time(look())
    assert read == [*PAGES, "Leases"]
    assert deposit.hits[0].snippet == "보증금 5,000만 원"
    assert not gone.hits


def test_nothing_is_shown_that_nobody_has_looked_at_of_late(kit, wiki, in_virtual_time):
    async def look():
        source = kit.sources(wiki(PAGES))["wiki"]
        await source.mirror.look()
        await asyncio.sleep(STALE + 1)
        return asked(kit, source, "보증금")

    late = in_virtual_time(look())
    assert (late.hits, late.notes) == ((), ())


@pytest.mark.parametrize("status", [Status.DENIED, Status.FAILED, Status.NOT_CONNECTED, Status.SKIPPED])
def test_nothing_is_shown_where_the_source_refuses(kit, wiki, in_virtual_time, status):
    async def look():
        source = kit.sources(wiki(PAGES))["wiki"]
        await source.mirror.look()
        step = replace(kit.step("wiki"), meaning=Term("보증금"))
        return source.mirror.joined(EMPTY(kit, step, status), step)

    assert not in_virtual_time(look()).hits


@pytest.mark.parametrize("failure", [Unauthenticated("no"), Forbidden("no")])
def test_all_is_forgotten_once_the_credential_is_refused(kit, wiki, in_virtual_time, failure):
    async def look():
        connector = wiki(PAGES)
        source = kit.sources(connector)["wiki"]
        source.mirror.begin()
        await asyncio.sleep(10)
        connector.fails["listing"] = failure
        await asyncio.sleep(EVERY)
        await source.aclose()
        return asked(kit, source, "보증금")

    assert not in_virtual_time(look()).hits


def test_a_failure_is_tried_again_later_and_costs_only_itself(kit, wiki, in_virtual_time):
    async def look():
        connector = wiki(PAGES)
        connector.fails = {"listing": Unavailable("down"), "Leases": True}
        source = kit.sources(connector)["wiki"]
        source.mirror.begin()
        await asyncio.sleep(60)
        first = connector.listed
        connector.fails.pop("listing")
        await asyncio.sleep(EVERY)
        partly = asked(kit, source, "subscriber")
        connector.fails.clear()
        await asyncio.sleep(EVERY)
        await source.aclose()
        return first, partly, asked(kit, source, "보증금")

    first, partly, whole = in_virtual_time(look())
    assert first == 1
    assert "2 of 3 pages" in str(partly.notes[-1])
    assert found(whole) == ["Leases"]


def test_half_of_the_rate_is_left_to_questions(kit, wiki, in_virtual_time):
    async def look():
        pages = {f"p{at}": "글" for at in range(60)}
        source = kit.sources(wiki(pages, kit.Limits(rate=20, period=60.0, page=100)))["wiki"]
        source.mirror.begin()
        spare = []
        for _ in range(100):
            await asyncio.sleep(1)
            spare.append(source.gate.spare)
        await source.aclose()
        return min(spare)

    assert in_virtual_time(look()) >= LEFT - 1 / 20


def test_a_text_that_is_kept_is_given_to_a_hit_that_came_without_it(kit, wiki, in_virtual_time):
    async def look():
        connector = wiki(PAGES)
        source = kit.sources(connector)["wiki"]
        await source.mirror.look()
        same = source.mirror.kept(connector.head("Leases"))
        connector.edited["Leases"] += timedelta(minutes=1)
        return same, source.mirror.kept(connector.head("Leases"))

    same, changed = in_virtual_time(look())
    assert same.snippet == PAGES["Leases"]
    assert changed is None


def test_who_lists_nothing_or_may_not_be_stored_has_no_mirror(kit, wiki):
    off, forbidden = wiki(PAGES), wiki(PAGES)
    off.most = 0
    forbidden.manifest = forbidden.manifest.model_copy(update={"may_store": False})
    others = (off, forbidden, kit.Pretend("other", {}))
    assert [each.mirror for connector in others for each in kit.sources(connector).values()] == [None] * 3


def test_no_more_than_the_most_are_read(kit, wiki, in_virtual_time):
    async def look():
        connector = wiki(PAGES)
        connector.most = 2
        await kit.sources(connector)["wiki"].mirror.look()
        return connector.read

    assert in_virtual_time(look()) == ["Leases", "Numbers"]


def test_a_connector_s_bug_ends_no_question_and_is_met_again(kit, wiki, in_virtual_time):
    async def look():
        connector = wiki(PAGES)
        connector.fails["listing"] = ZeroDivisionError()
        source = kit.sources(connector)["wiki"]
        source.mirror.begin()
        await asyncio.sleep(EVERY + 1)
        await source.aclose()
        return connector.listed, asked(kit, source, "보증금")

    listed, outcome = in_virtual_time(look())
    assert listed == 2
    assert outcome.status is Status.EMPTY
