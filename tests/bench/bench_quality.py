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
import gzip
import hashlib
import json
import os
import tempfile
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from connectors.registry import load_source
from orchestrator.evaluate import (
    Recorded,
    best_possible,
    load_judged,
    ranked,
    read_recording,
    replay,
    write_recording,
)
from orchestrator.main import build_engine
from orchestrator.model import Ask
from orchestrator.rank import STAGES, RankingConfig, cut, dedupe, fuse, match, merge_twins, order, weigh
from orchestrator.sandbox import Sandbox, default_corpus, load_corpus
from orchestrator.settings import load_settings

ROOT = Path(__file__).resolve().parents[2]
WORKPLACE = ROOT / "orchestrator" / "sandbox" / "workplace" / "questions.jsonl"
DATA = ROOT.parent / "shared" / "data"
HERB_MAP = {"meetings": "confluence", "web": "json_api"}
TODAY = {"workplace": "2026-11-20T10:00:00+09:00", "herb": "2027-12-31T00:00:00+00:00"}
SETS = ("workplace", "herb", "ko_autorag")


@dataclass(frozen=True, slots=True)
class Served:
    """What an engine asks, and the corpus id behind each native id and address, by source."""

    sources: dict
    origins: dict


async def serve(name: str, stack: AsyncExitStack) -> Served:
    """The sandboxes of one set. A measurement is no workplace: the vendors' rates are not the point here."""
    served = Served({}, {})
    if name == "ko_autorag":
        corpus = DATA / name / "corpus.jsonl"
        for source in sorted({row["source"] for row in rows(corpus)}):
            sandbox = Sandbox(load_corpus(corpus, mapping={source: "json_api"}), sources=["json_api"])
            add(served, await stack.enter_async_context(sandbox), {"json_api": source})
        return served
    corpus = load_corpus(herb_corpus(), mapping=HERB_MAP) if name == "herb" else default_corpus()
    sandbox = await stack.enter_async_context(Sandbox(corpus, now=datetime.fromisoformat(TODAY[name])))
    add(served, sandbox, {each: each for each in sandbox.endpoints})
    return served


def add(served: Served, sandbox: Sandbox, names: dict[str, str]) -> None:
    """Each endpoint under the name it is asked by."""
    for kind, name in names.items():
        end = sandbox.endpoints[kind]
        served.sources[name] = {"kind": kind, "rate": 100_000, "base_url": end.base_url, "token": end.token}
        served.origins[name] = sandbox.origins(kind)
        source = load_source(kind)
        limits = source.manifest.limits.model_copy(update={"buckets": {}})
        source.manifest = source.manifest.model_copy(update={"limits": limits})


def rows(path: Path):
    """Each object of a corpus."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def herb_corpus() -> Path:
    """HERB without the few web rows that repeat an id, which no corpus may."""
    path = Path(tempfile.gettempdir()) / "herb_once.jsonl.gz"
    once = {row["id"]: row for row in rows(DATA / "herb" / "corpus.jsonl.gz")}
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in once.values())
    return path


def questions(name: str):
    """The judged questions of a set; of HERB a sample, the same on every machine."""
    if name == "workplace":
        return load_judged(WORKPLACE)
    judged = load_judged(DATA / name / "queries.dev.jsonl", DATA / name / "qrels.dev.tsv")
    most = int(os.environ.get("HERB_QUESTIONS", "80")) if name == "herb" else 0
    chosen = sorted(judged, key=lambda each: hashlib.sha256(each.id.encode()).hexdigest())
    return chosen[:most] if most else chosen


async def ask_all(name: str) -> list[Recorded]:
    """Every question once, through sockets."""
    now = datetime.fromisoformat(TODAY.get(name, TODAY["workplace"]))
    async with AsyncExitStack() as stack:
        served = await serve(name, stack)
        engine = await stack.enter_async_context(build_engine(load_settings({"sources": served.sources}, {})))
        return [
            Recorded.of(each, now, await engine.search(Ask(each.text, now, budget=30.0)), served.origins)
            for each in questions(name)
        ]


def configuration() -> RankingConfig:
    """As shipped."""
    return RankingConfig.load(ROOT / "config" / "ranking.toml")


def changed(config: RankingConfig, **changes: dict) -> RankingConfig:
    """The configuration with some numbers of some sections changed."""
    return config.model_copy(
        update={name: getattr(config, name).model_copy(update=values) for name, values in changes.items()}
    )


def even(config: RankingConfig) -> RankingConfig:
    """All sources and rungs worth the same."""
    worth = {kind: dict.fromkeys(table, 1.0) for kind, table in config.sources.items()}
    return changed(config, fusion={"broadening": 1.0, "unproven": 1.0}).model_copy(update={"sources": worth})


def ablation(config: RankingConfig):
    """Each part taken away by itself: a name, a configuration, a tuple of stages."""
    fusion_only = (dedupe, merge_twins, fuse, order, cut)
    yield "as shipped", config, STAGES
    yield "lists weighted by category only", changed(config, fusion={"unproven": 1.0}), STAGES
    yield "no weights of categories", config.model_copy(update={"sources": even(config).sources}), STAGES
    yield "without the match", config, tuple(each for each in STAGES if each is not match)
    yield "without relevance", changed(config, relevance={"floor": 1.0}), STAGES
    yield "without the four factors", changed(config, fusion={"share": 1.0}), STAGES
    yield "without the fused rank", changed(config, fusion={"share": 0.0}), STAGES
    pieces = {"syllables": 0.0, "side_by_side": 0.0, "said": 0.0}
    yield "words only, no pieces", changed(config, keywords=pieces), STAGES
    yield "names count as any word", changed(config, keywords={"entity": 1.0}), STAGES
    yield "without merging twins", config, tuple(each for each in STAGES if each is not merge_twins)
    yield "evidence-weighted fusion alone", config, (dedupe, merge_twins, match, fuse, order, cut)
    yield "match alone", changed(config, fusion={"share": 1.0}), (dedupe, merge_twins, match, by_match, order, cut)
    yield "rank fusion, all lists equal", even(config), fusion_only


def by_match(ranking, context):
    """A stage for comparison: the match is the score."""
    alone = changed(context.config, relevance={"floor": 0.0})
    flat = type(context)(context.query, context.now, context.plan, alone)
    same = tuple(each.scored(1.0) for each in ranking.results)
    return weigh(type(ranking)(same, ranking.dropped), flat)


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
        recorded = await ask_all(name)
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
        print(write_recording(Path(asked.record[1]), asyncio.run(ask_all(asked.record[0]))), "questions recorded")
    elif asked.stage and asked.explain:
        explain(Path(asked.stage[1]), asked.explain)
    elif asked.stage:
        report(Path(asked.stage[1]))
    else:
        asyncio.run(figures())


if __name__ == "__main__":
    main()
