"""What stands on a Notion page, where the API tells it by its blocks."""

from __future__ import annotations

from typing import Any

from connectors.http import Reply
from connectors.notion.wire import text_of


def runs(*said: str, struck: bool = False) -> list[dict[str, Any]]:
    return [{"plain_text": each, "annotations": {"strikethrough": struck}} for each in said]


def block(kind: str, rich: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"type": kind, "has_children": False, kind: {"rich_text": rich, **more}}


def test_boxes_and_what_is_struck_out_are_those_of_every_source() -> None:
    blocks = [
        block("paragraph", [*runs("마감 "), *runs("12월 1일", struck=True), *runs(" 12월 7일")]),
        block("to_do", runs("계약서"), checked=True),
        block("to_do", runs("visa"), checked=False),
        block("divider", []),
    ]
    reply = Reply(200, {"results": blocks, "has_more": False})
    assert text_of(reply, 500) == ("마감 ~~12월 1일~~ 12월 7일\n☑ 계약서\n☐ visa", True)
