"""How well the whole path finds what people marked as right; and the same from a recording, to tune ranking by.

``bench_quality.py`` asks everything through the sandbox's real sockets in the default configuration and prints figures.
``bench_quality.py --record SET FILE`` keeps what the sources answered (SET: workplace, herb, ko_autorag);
``bench_quality.py --stage rank FILE`` ranks it again in seconds: both halves of the questions, the rank fusion floor,
what each part brings, and the best order that the hits allow. ``--explain N`` shows the first results of N questions.

HERB is bounded to a fixed sample of its questions (HERB_QUESTIONS=0 takes all): its judgments often cover a whole
thread, so a short list cannot reach 1. Recordings hold parts of the corpora and are under their licences.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from connectors.registry import load_source
from orchestrator.assembly.searching import build_engine
from orchestrator.evaluate import (
    Recorded,
    ablation,
    ask_all,
    best_possible,
    ranked,
    read_judgments,
    read_recording,
    replay,
    sample,
    tidied,
    write_recording,
)
from orchestrator.rank import RankingConfig
from orchestrator.sandbox import default_corpus, load_corpus
from orchestrator.settings import load_settings
from orchestrator.trial import NAMESAKES, open_sandboxes

ROOT = Path(__file__).resolve().parents[2]
WORKPLACE = ROOT / "orchestrator" / "sandbox" / "workplace" / "questions.jsonl"
DATA = ROOT.parent / "shared" / "data"
TODAY = {"workplace": "2026-11-20T10:00:00+09:00", "herb": "2027-12-31T00:00:00+00:00"}
SETS = ("workplace", "herb", "ko_autorag")


@dataclass(frozen=True, slots=True)
class Served:
    """What an engine asks, and the corpus id behind each native id and address, by source."""

    sources: dict
    origins: dict


async def serve(name: str, stack: AsyncExitStack) -> Served:
    """The sandboxes of one set. A measurement is no workplace: the vendors' rates are not the point here."""
    now = datetime.fromisoformat(TODAY[name]) if name in TODAY else None
    opened = await open_sandboxes(corpus_of(name), now, stack)
    for said in opened.sources.values():
        said["rate"] = 100_000
        source = load_source(said["kind"])
        limits = source.manifest.limits.model_copy(update={"buckets": {}})
        source.manifest = source.manifest.model_copy(update={"limits": limits})
    return Served(opened.sources, tidied(opened.origins))


def corpus_of(name: str):
    """The rows of a set; of the few web rows of HERB that repeat an id, the first."""
    if name == "workplace":
        return default_corpus()
    if name == "herb":
        return load_corpus(DATA / name / "corpus.jsonl.gz", fallback=NAMESAKES, drop_repeats=True)
    corpus = DATA / name / "corpus.jsonl"
    return load_corpus(corpus, mapping=dict.fromkeys((row["source"] for row in rows(corpus)), "json_api"))


def rows(path: Path):
    """Each object of a file."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def questions(name: str):
    """The judged questions of a set; of HERB a sample, the same on every machine."""
    if name == "workplace":
        return read_judgments(WORKPLACE).questions
    judged = read_judgments(DATA / name / "queries.dev.jsonl", DATA / name / "qrels.dev.tsv").questions
    most = int(os.environ.get("HERB_QUESTIONS", "80")) if name == "herb" else 0
    return sample(judged, most)


async def record(name: str) -> list[Recorded]:
    """Every question once, through sockets."""
    now = datetime.fromisoformat(TODAY.get(name, TODAY["workplace"]))
    async with AsyncExitStack() as stack:
        served = await serve(name, stack)
        engine = await stack.enter_async_context(build_engine(load_settings({"sources": served.sources}, {})))
        return [each async for each in ask_all(engine, questions(name), now, served.origins)]


def configuration() -> RankingConfig:
    """As shipped."""
    return RankingConfig.load(ROOT / "config" / "ranking.toml")


def report(path: Path) -> None:
    """Both halves, the ablation with the interval of each loss, and the limit."""
    recorded, config = tuple(read_recording(path)), configuration()
    shipped = replay(recorded, config)
    print(f"{'first half':34} {shipped.half(0)}\n{'second half':34} {shipped.half(1)}")
    for name, numbers, stages in ablation(config):
        figures = replay(recorded, numbers, stages)
        low, high = figures.gain("ndcg_10", shipped)
        print(f"{name:34} {figures}  difference [{low:+.3f}, {high:+.3f}]", flush=True)
    print(f"{'best order of what came back':34} {best_possible(recorded)}")


def explain(path: Path, most: int) -> None:
    """The first three results of some questions, with their reasons."""
    for each in list(read_recording(path))[:most]:
        print(f"\n{each.question.text}")
        for place, result in enumerate(ranked(each, configuration())[:3], 1):
            grade = each.question.grades.get(each.corpus_id(result.hit.source, result.hit.id), 0)
            shown = (result.hit.title or result.hit.snippet)[:60].replace("\n", " ")
            print(f"  {place}. [{result.hit.source}] {shown} (judged {grade:g}, score {result.score:.2f})")
            print(f"     {'; '.join(result.why)}")


async def figures() -> None:
    """Everything that is at hand, asked anew."""
    for name in SETS:
        if name != "workplace" and not (DATA / name).is_dir():
            print(f"{name} is not at hand; skipped")
            continue
        recorded = await record(name)
        print(f"{name:34} {replay(recorded, configuration())}", flush=True)
        if name == "workplace":
            korean = [each for each in recorded if any("가" <= letter <= "힣" for letter in each.question.text)]
            english = [each for each in recorded if each not in korean]
            print(
                f"{'  Korean':34} {replay(korean, configuration())}\n{'  English':34} {replay(english, configuration())}"
            )


def main() -> None:
    """What the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", nargs=2, metavar=("SET", "FILE"))
    parser.add_argument("--stage", nargs=2, metavar=("rank", "FILE"))
    parser.add_argument("--explain", type=int, default=0)
    asked = parser.parse_args()
    if asked.record:
        print(write_recording(Path(asked.record[1]), asyncio.run(record(asked.record[0]))), "questions recorded")
    elif asked.stage and asked.explain:
        explain(Path(asked.stage[1]), asked.explain)
    elif asked.stage:
        report(Path(asked.stage[1]))
    else:
        asyncio.run(figures())


if __name__ == "__main__":
    main()
