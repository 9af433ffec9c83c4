"""How well the whole path finds what people marked as right: our own workplace, and HERB where it is at hand.

Through the sandbox's real sockets, default configuration. HERB is bounded to a fixed sample of its questions
(HERB_QUESTIONS=0 takes all): its judgments often cover a whole thread, so a short list cannot reach 1.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from datetime import datetime
from pathlib import Path

from orchestrator.evaluate import load_judged, measure
from orchestrator.main import build_engine
from orchestrator.model import Answer, Ask
from orchestrator.sandbox import Sandbox, default_corpus, load_corpus
from orchestrator.settings import load_settings

ROOT = Path(__file__).resolve().parents[2]
WORKPLACE = ROOT / "orchestrator" / "sandbox" / "workplace" / "questions.jsonl"
HERB = ROOT.parent / "shared" / "data" / "herb"
HERB_MAP = {"github": "linear", "drive": "notion", "meetings": "notion"}


def ids_of(sandbox: Sandbox):
    """Corpus ids behind the results of an answer, merged twins after the one shown."""
    origins = {source: sandbox.origins(source) for source in sandbox.endpoints}

    def corpus_ids(answer: Answer) -> list[str]:
        found = []
        for result in answer.results:
            for hit in (result.hit, *result.also):
                known = origins[hit.source]
                found.append(known.get(hit.id) or known.get(hit.url) or f"?{hit.source}:{hit.id}")
        return found

    return corpus_ids


async def run(name: str, corpus, questions, now: str, limits=(10, 100)) -> None:
    """One corpus; more hits are asked for than a person is shown, for the sake of recall."""
    async with Sandbox(corpus) as sandbox:
        # A measurement is not a workplace: the vendors' rates are not the point here.
        sources = {
            each: {"kind": each, "rate": 100_000, "base_url": end.base_url, "token": end.token}
            for each, end in sandbox.endpoints.items()
        }
        settings = load_settings({"sources": sources}, {})
        ask = Ask("", datetime.fromisoformat(now), limit=limits[0], budget=30.0)
        async with build_engine(settings) as engine:
            print(f"{name:34} {await measure(engine, questions, ask, ids_of(sandbox))}", flush=True)


def sample(questions, most: int):
    """The same questions on every machine."""
    chosen = sorted(questions, key=lambda each: hashlib.sha256(each.id.encode()).hexdigest())
    return chosen[:most] if most else chosen


async def main() -> None:
    """Ours by language, then HERB."""
    judged = load_judged(WORKPLACE)
    korean = [each for each in judged if any("가" <= letter <= "힣" for letter in each.text)]
    now = "2026-11-20T10:00:00+09:00"
    await run("workplace, Korean", default_corpus(), korean, now)
    await run("workplace, English", default_corpus(), [each for each in judged if each not in korean], now)
    if not HERB.is_dir():
        print("HERB is not at hand; skipped")
        return
    questions = load_judged(HERB / "queries.dev.jsonl", HERB / "qrels.dev.tsv")
    corpus = load_corpus(HERB / "corpus.jsonl.gz", mapping=HERB_MAP)
    most = int(os.environ.get("HERB_QUESTIONS", "80"))
    await run(f"HERB dev, {most or 'all'} questions", corpus, sample(questions, most), "2027-12-31T00:00:00+00:00")


if __name__ == "__main__":
    asyncio.run(main())
