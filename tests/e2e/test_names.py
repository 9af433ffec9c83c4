"""What a source says of a name is used at once for the question that it was found for, and for those that follow."""

import pytest

from tests.conformance.company import a_company, places

ROWS = [
    {"source": "slack", "id": "C9-1", "kind": "message", "container": "general", "author": "Minsu Kim",
     "created": "2026-11-02T10:00:00+09:00", "title": "", "text": "Quillon, formerly known as Vestrel, gets a launch in spring."},
    {"source": "confluence", "id": "9001", "kind": "page", "container": "Platform", "author": "Minsu Kim",
     "created": "2026-10-02T10:00:00+09:00", "title": "Vestrel launch checklist", "text": "Vestrel: warm the cache, tell support."},
]  # fmt: skip


def asked(company):
    """What Confluence was searched for."""
    return [each.query["cql"] for each in company.requests("confluence") if "cql" in each.query]


@pytest.fixture
async def company(tmp_path):
    async with a_company(tmp_path, ("slack", "confluence"), ROWS, packaged=False) as served:
        yield served


async def test_a_former_name_finds_what_was_written_before(company):
    reply = await company.ask("Quillon launch checklist")
    assert "confluence" in places(reply)
    assert any("Vestrel" in query for query in asked(company))
    assert any("Vestrel" in doubt["message"] for doubt in reply["question"]["doubts"]), "the receipt says so"
    await company.ask("Quillon cache")
    assert "Vestrel" in asked(company)[0], "and the next question asks for both at once"
