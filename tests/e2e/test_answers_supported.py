"""Every claim of every answer is held by what it cites: the demo workplace's questions, and HERB's, over real sockets."""

import csv
import gzip
import json
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

from orchestrator.answer import unsupported
from orchestrator.answer.text import quotable_line
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask, Part
from orchestrator.sandbox import Sandbox, default_corpus, load_corpus
from orchestrator.settings import load_settings
from tests.clock import HANGING

ROOT = Path(__file__).resolve().parents[2]
WORKPLACE = ROOT / "orchestrator" / "sandbox" / "workplace" / "questions.jsonl"
HERB = ROOT.parent / "shared" / "data" / "herb"
NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
LATER = datetime.fromisoformat("2027-12-31T00:00:00+00:00")
PRODUCT = "ActionGenie"
MOST = 120  # rows of each source about it that are served beside those that were judged relevant
AMBIGUOUS = "wq-en-13"  # search for the migration


async def ask_all(sandbox, texts, now):
    """The answers to all questions, one after the other."""
    sources = {
        name: {"kind": name, "base_url": at.base_url, "token": at.token} for name, at in sandbox.endpoints.items()
    }
    for entry in sources.values():
        entry["rate"] = 100_000  # what vendors allow a minute is not the point here
    async with build_engine(load_settings({"sources": sources}, {})) as engine:
        return [await engine.search(Ask(text, now, budget=HANGING)) for text in texts]


def check(answer):
    """Nothing unsupported, every number cited, every quote literal and in its own language."""
    assert unsupported(answer.statements, answer.citations, answer.plan) == (), answer.query.text
    cited = {number for each in answer.statements for number in each.numbers}
    assert cited == {each.number for each in answer.citations}
    by_number = {result.number: result for result in answer.results}
    for citation in answer.citations:
        hit = by_number[citation.number].hit
        assert citation.quote in quotable_line(f"{hit.title}\n{hit.snippet}") or citation.quote in quotable_line(
            hit.title
        )
    assert answer.summary == " ".join(each.text for each in answer.statements)
    return sum(1 for each in answer.statements if each.part is Part.CLAIM)


async def test_every_claim_over_the_demo_workplace_is_supported():
    asked = [json.loads(line) for line in WORKPLACE.read_text("utf-8").splitlines()]
    async with Sandbox(default_corpus(), now=NOW) as sandbox:
        answers = await ask_all(sandbox, [each["text"] for each in asked], NOW)
    assert len(answers) == 30
    assert sum(map(check, answers)) >= 60
    for question, answer in zip(asked, answers, strict=True):
        assert any("가" <= letter <= "힣" for letter in answer.statements[0].text) == (question["lang"] == "ko")
        assert bool(answer.clarification) == (question["id"] == AMBIGUOUS), question["text"]


async def test_an_option_of_a_clarification_is_answered_as_it_stands():
    async with Sandbox(default_corpus(), now=NOW) as sandbox:
        (asked,) = await ask_all(sandbox, ["search for the migration"], NOW)
        options = asked.clarification.options
        answers = await ask_all(sandbox, options, NOW)
    assert [each.label for each in asked.clarification.readings] == ["API", "mail", "PostgreSQL"]
    first = {answer.results[0].hit.title or answer.results[0].hit.snippet for answer in answers}
    assert len(first) == len(options)
    for answer, reading in zip(answers, asked.clarification.readings, strict=True):
        assert answer.clarification is None
        hit = answer.results[0].hit
        assert reading.label.casefold() in f"{hit.title} {hit.snippet}".casefold()


async def test_every_claim_over_herb_is_supported(tmp_path):
    if not HERB.is_dir():
        pytest.skip("HERB is not in the folder shared beside the checkout")
    questions = [json.loads(line) for line in (HERB / "queries.dev.jsonl").read_text("utf-8").splitlines()]
    about = [each for each in questions if each["product"] == PRODUCT]
    chosen = [*about[:24:4], *[each for each in about if not each["answerable"]][:12:4]]
    with (HERB / "qrels.dev.tsv").open(encoding="utf-8") as table:
        wanted = {
            row["corpus-id"] for row in csv.DictReader(table, delimiter="\t") if row["query-id"].startswith(PRODUCT)
        }
    corpus = tmp_path / "herb.jsonl"
    with (
        gzip.open(HERB / "corpus.jsonl.gz", "rt", encoding="utf-8") as rows,
        corpus.open("w", encoding="utf-8") as kept,
    ):
        seen, beside = set(), Counter()
        for line in rows:
            row = json.loads(line)
            spare = PRODUCT in line and beside[row["source"]] < MOST
            if row["id"] not in seen and (row["id"] in wanted or spare):
                kept.write(line)
                seen.add(row["id"])
                beside[row["source"]] += 1
    loaded = load_corpus([str(corpus)], mapping={"meetings": "confluence", "web": "json_api"})
    async with Sandbox(loaded, now=LATER) as sandbox:
        answers = await ask_all(sandbox, [each["text"] for each in chosen], LATER)
    assert sum(map(check, answers)) >= len(answers)
