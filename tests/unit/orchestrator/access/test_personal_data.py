"""What is kept of one person: shown and forgotten in every place, and of nobody else."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from connectors.errors import Unavailable
from orchestrator.access import (
    Grantee,
    PersonalData,
    PersonalStore,
    RoleBook,
    Scope,
    accounts_store,
    lines_store,
    log_store,
    roles_store,
)
from translators.said import Said

if TYPE_CHECKING:
    from pathlib import Path

KIM, LEE = "https://login.example.com#kim", "https://login.example.com#lee"


def store_of(name: str, held: Counter[str], *, broken: bool = False) -> PersonalStore:
    async def erase(who: str) -> int:
        if broken:
            raise Unavailable("away")
        return held.pop(who, 0)

    async def owners() -> Counter[str]:
        return held

    return PersonalStore(name, Said("a place"), erase, owners)


async def test_everything_of_one_person_goes_after_it_is_written_down() -> None:
    first, second = Counter({KIM: 2, LEE: 1}), Counter({KIM: 1})
    data, said = PersonalData([store_of("first", first), store_of("second", second)]), []

    async def noted() -> None:
        said.append(dict(first))

    assert await data.kept(KIM) == {"first": 2, "second": 1}
    assert await data.owners() == {KIM: {"first": 2, "second": 1}, LEE: {"first": 1}}
    assert await data.forget(KIM, noted) == {"first": 2, "second": 1}
    assert said == [{KIM: 2, LEE: 1}], "before anything goes"
    assert await data.kept(KIM) == {"first": 0, "second": 0}
    assert first == {LEE: 1}
    assert data.titles == {"first": "a place", "second": "a place"}


async def test_what_cannot_be_written_down_is_not_done_and_what_fails_can_be_asked_for_again() -> None:
    held, later = Counter({KIM: 1}), Counter({KIM: 1})

    async def refused() -> None:
        raise OSError("no room")

    async def noted() -> None: ...

    with pytest.raises(OSError, match="no room"):
        await PersonalData([store_of("first", held)]).forget(KIM, refused)
    assert held == {KIM: 1}
    with pytest.raises(Unavailable):
        await PersonalData([store_of("first", held), store_of("second", later, broken=True)]).forget(KIM, noted)
    assert (held, later) == ({}, {KIM: 1})
    assert await PersonalData([store_of("first", held), store_of("second", later)]).forget(KIM, noted) == {
        "first": 0,
        "second": 1,
    }


async def test_a_line_is_of_whom_it_names(tmp_path: Path) -> None:
    file = tmp_path / "feedback.jsonl"
    store = lines_store("judgments", Said("judgments"), file, "principal")
    assert (await store.kept_of(KIM), await store.erase(KIM), await store.owners()) == (0, 0, {})
    rows = [{"principal": who, "question": "연봉?"} for who in (KIM, LEE, KIM)] + [{"principal": 7}, {}]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    assert await store.owners() == {KIM: 2, LEE: 1}
    assert (await store.kept_of(KIM), await store.erase(KIM), await store.kept_of(KIM)) == (2, 2, 0)
    assert await store.owners() == {LEE: 1}


async def test_a_role_by_id_goes_and_one_by_a_group_of_that_name_stays(tmp_path: Path) -> None:
    book = RoleBook(tmp_path / "roles.json", lambda: datetime(2026, 11, 20, tzinfo=UTC))
    book.give(Grantee.PERSON, KIM, [Scope.ADMIN], "command line")
    book.give(Grantee.GROUP, KIM, [Scope.WEB], "command line")
    store = roles_store(book)
    assert (await store.owners(), await store.kept_of(KIM), await store.kept_of(LEE)) == ({KIM: 1}, 1, 0)
    assert (await store.erase(KIM), await store.erase(KIM)) == (1, 0)
    assert [each.grantee for each in book.all()] == [Grantee.GROUP]


async def test_accounts_are_ended_at_their_vendors_and_those_that_do_not_open_count_too() -> None:
    asked: list[Any] = []

    class Pretended:
        class vault:  # noqa: N801 - as it is called there
            @staticmethod
            async def of(who: str) -> tuple[dict[str, str], dict[str, str]]:
                return ({"slack": "held"}, {"notion": "sealed with a lost key"}) if who == KIM else ({}, {})

            @staticmethod
            async def listed() -> list[SimpleNamespace]:
                return [SimpleNamespace(principal=KIM, source=each) for each in ("notion", "slack")]

        @staticmethod
        async def forget(who: str, source: str | None, noted: Any) -> dict[str, bool]:
            await noted(["notion", "slack"])
            asked.append((who, source))
            return {"notion": False, "slack": True}

    store = accounts_store(Pretended())  # type: ignore[arg-type]
    assert (await store.kept_of(KIM), await store.kept_of(LEE), await store.owners()) == (2, 0, {KIM: 2})
    assert await store.erase(KIM) == 2
    assert asked == [(KIM, None)]


async def test_a_log_tells_of_nobody_by_name() -> None:
    class Log:
        async def kept_of(self, principal: str) -> int:
            return len(principal)

        async def erase(self, principal: str) -> int:
            return len(principal)

    store = log_store("use", Said("figures"), Log())
    assert (await store.kept_of("kim"), await store.erase("kim"), await store.owners()) == (3, 3, {})
