"""What each document is for: told in it, embedded and found with it, and shown as why; in a filled index of before as well."""

from datetime import UTC, datetime

import pytest

from connectors.local.documents import PUBLIC, Document
from connectors.local.ingest import Given, Ingest
from connectors.local.pipeline import IndexQuery
from connectors.local.store import IndexStore
from connectors.passages import Passage
from orchestrator.main import Root
from orchestrator.model import Ask
from orchestrator.settings import load_settings
from storage.database import Database
from tests.clock import HANGING
from tests.rooms import of_before

FILES = {
    "fx.md": "---\ndescription: converts currencies\nusage_examples:\n  - how much is a euro in won?\n---\n# fx\ndef f(x): ...",
    "휴가.md": "---\n설명: 연차를 신청하는 절차\n예시: [반차는 어떻게 쓰나요?]\n---\n# 양식\n별지 1호를 제출한다.",
    "page.html": '<html><head><title>Form 7</title><meta charset="utf-8"><meta property="og:description" content="reimbursement of taxi fares, 택시비 정산">'
    "</head><body><article><p>Fill in all of the fields and send it to the desk.</p></article></body></html>",
    "ledger/README.md": "# ledger\n\nKeeps invoices and 송장 in one book.\n\n## Build\n\nRun the compiler twice.",
}
ASKED = [
    ("how much is a euro in won?", "fx.md", "how much is a euro in won?"),
    ("통화를 바꾸는 converts currencies", "fx.md", "converts currencies"),
    ("반차는 어떻게 쓰나요?", "휴가.md", "반차는 어떻게 쓰나요?"),
    ("연차 신청 절차", "휴가.md", "연차를 신청하는 절차"),
    ("taxi fares reimbursement", "page.html", "reimbursement of taxi fares, 택시비 정산"),
    ("택시비 정산은 어떻게 하나요?", "page.html", "reimbursement of taxi fares, 택시비 정산"),
    ("which compiler for invoices", "ledger/README.md", "Keeps invoices and 송장 in one book."),
]


def written(folder, files=FILES):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


async def test_documents_are_found_by_what_they_are_for_and_say_so(tmp_path, index_url):
    """Nothing but the description or an example holds the words; the reason quotes it."""
    index = {"database_url": index_url, "embedder": {"model": "none"}, "worker": False}
    told = {"index": index, "ranking": {"semantic": "off"}, "sources": {"local": {"enabled": True}}}
    settings = load_settings(told, {})
    async with Root().ingest(settings) as ingest:
        await ingest.add(Given(written(tmp_path / "문서"), "문서", ("user:local",)))
    async with Root().engine(settings) as engine:
        for question, name, purpose in ASKED:
            answer = await engine.search(Ask(question, datetime.now(UTC), budget=HANGING))
            first = answer.results[0]
            assert first.hit.id == f"문서/{name}", question
            assert any(purpose in reason for reason in first.why), (question, first.why)
            assert purpose in (first.hit.facts["description"], *first.hit.facts.get("examples", ()))


async def test_a_document_has_its_own_purpose_beside_that_of_its_collection(index_url, tmp_path):
    store = IndexStore(Database(index_url, 2))
    given = Given(written(tmp_path / "a"), "a", (PUBLIC,), "of the whole folder", ("for all?",))
    await Ingest(store).add(given)
    rows = await store.database.run(
        lambda each: each.fetch(
            "SELECT d.native_id, d.description, d.examples, p.meaning FROM documents d "
            "JOIN chunks c ON c.document = d.id JOIN passages p ON p.chunk = c.id"
        )
    )
    told = {row["native_id"]: row for row in rows}
    assert told["fx.md"]["description"] == "converts currencies\nof the whole folder"
    assert told["fx.md"]["examples"] == ["how much is a euro in won?", "for all?"]
    assert all(
        part in told["fx.md"]["meaning"] for part in ("converts currencies", "of the whole folder", "euro", "def f(x)")
    )
    assert "converts" not in told["휴가.md"]["meaning"]
    await store.aclose()


@pytest.mark.parametrize(("question", "name"), [("euro", "fx.md"), ("반차", "휴가.md")])
async def test_a_filled_index_of_before_goes_on_and_learns_it_with_the_next_reading(
    empty_url, tmp_path, question, name
):
    owner = await of_before(empty_url, 11)
    await owner.execute(
        "INSERT INTO documents (source, native_id, kind, addresses, parts, content, about, principals, facts) "
        "VALUES ('a', $1, 'file', '{}', 0, '', '', '{public}', jsonb_build_object('file', $1::text))", name,
    )  # fmt: skip
    await owner.close()
    store = IndexStore(Database(empty_url, 2))
    await store.upsert([Document("b", "1", "", (Passage("something else"),), (PUBLIC,))])

    async def found():
        searched = await store.search(IndexQuery(question, question, await store.scope("user:x")))
        return len(searched.candidates)

    assert await found() == 0
    report = await Ingest(store).add(Given(written(tmp_path / "a"), "a", (PUBLIC,)))
    assert (report.changed, report.added) == (1, len(FILES) - 1)
    assert await found() == 1
    again = await Ingest(store).add(Given(tmp_path / "a", "a", (PUBLIC,)))
    assert (again.changed, again.added) == (0, 0)
    await store.aclose()
