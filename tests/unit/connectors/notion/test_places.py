"""A page of Notion stands in the one above it, as soon as the same credential was shown what that is called; it says of how many the texts are worth keeping."""

import asyncio
from typing import Any

import pytest

from connectors.contract import Call, Credential, Mirrored
from connectors.exchange import Reply
from connectors.notion import NotionSource
from connectors.notion.settings import NotionSettings
from translators.translator import NativeQuery

PARENT, CHILD = "11111111111111111111111111111111", "22222222222222222222222222222222"


def page(page_id: str, title: str, parent: str = "") -> dict[str, Any]:
    told = {"type": "page_id", "page_id": parent} if parent else {"type": "workspace", "workspace": True}
    name = {"Name": {"type": "title", "title": [{"plain_text": title}]}}
    return {"object": "page", "id": page_id, "parent": told, "properties": name}


class Answering:
    """A transport that gives one reply after the other."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)

    async def send(self, request: Any, call: Call) -> Reply:
        return Reply(200, {"results": self.replies.pop(0), "has_more": False})

    async def send_all(self, requests: Any, call: Call) -> list[Reply]:
        return [Reply(200, {"markdown": "글"}) for _ in requests]


def source_of(*replies: Any) -> NotionSource:
    source = NotionSource("wiki", NotionSettings(kind="notion", token="ntn_example"))
    source._transport = Answering(*replies)  # type: ignore[assignment]
    return source


async def searched(source: NotionSource, call: Call, times: int) -> list[str]:
    pages = [await source.search(NativeQuery("notion", ""), call) for _ in range(times)]
    hit = pages[-1].hits[0]
    (read,) = (await source.complete([hit], call)).hits
    return [str(each.container or "") for each in (hit, read)]


def test_its_place_is_named_by_what_an_earlier_reply_said() -> None:
    child, above = page(CHILD, "Week 49", PARENT), page(PARENT, "Leipzig")
    assert asyncio.run(searched(source_of([above], [child]), Call(heads=True), 2)) == ["Leipzig", "Leipzig"]
    assert asyncio.run(searched(source_of([child]), Call(heads=True), 1)) == ["", ""]


def test_what_stands_on_the_same_page_is_known_however_many_titles_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("connectors.notion.MOST_TITLES", 0)
    both = [page(CHILD, "Week 49", PARENT), page(PARENT, "Leipzig")]
    assert asyncio.run(searched(source_of(both), Call(heads=True), 1))[0] == "Leipzig"


def test_what_one_credential_was_shown_is_not_told_to_another() -> None:
    child, above = page(CHILD, "Week 49", PARENT), page(PARENT, "Secret room")
    own = Call(heads=True, credential=Credential("ntn_another"))
    assert asyncio.run(searched(source_of([above], [child]), own, 2)) == ["", ""]


@pytest.mark.parametrize(
    ("more", "most"), [({}, 1000), ({"mirrored": 0}, 0), ({"pages_read": 0}, 0), ({"mirrored": 5}, 5)]
)
def test_texts_are_kept_of_as_many_pages_as_is_set_and_of_none_where_none_is_read(
    more: dict[str, int], most: int
) -> None:
    source = NotionSource("wiki", NotionSettings.model_validate({"kind": "notion", "token": "ntn_example", **more}))
    assert isinstance(source, Mirrored)
    assert source.mirrored == most
