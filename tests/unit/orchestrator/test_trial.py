"""Which sandboxes serve a corpus, and under which names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from orchestrator.sandbox import CorpusError, load_corpus
from orchestrator.trial import NAMESAKES, shards

if TYPE_CHECKING:
    from pathlib import Path


def corpus_of(tmp_path: Path, *sources: str) -> Path:
    """A row for each source."""
    path = tmp_path / "corpus.jsonl"
    rows = ({"id": f"{place}-{source}", "source": source, "text": "배포"} for place, source in enumerate(sources))
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def test_herbs_sources_go_to_their_namesakes_unless_told_otherwise(tmp_path: Path) -> None:
    path = corpus_of(tmp_path, "slack", "meetings", "web", "fax")
    corpus = load_corpus(path, fallback=NAMESAKES)
    assert (set(corpus.rows), corpus.unserved) == ({"slack", "confluence", "json_api"}, {"fax": 1})
    assert set(load_corpus(path, mapping={"meetings": "notion"}, fallback=NAMESAKES).rows) >= {"notion"}
    assert set(load_corpus(corpus_of(tmp_path, "slack"), fallback=NAMESAKES).rows) == {"slack"}  # none is missed


def test_sources_of_one_kind_stay_apart(tmp_path: Path) -> None:
    mapping = {"law": "json_api", "finance": "json_api", "web": "json_api"}
    corpus = load_corpus(corpus_of(tmp_path, "law", "finance", "law", "web", "slack"), mapping=mapping)
    parts = [({kind: len(rows) for kind, rows in part.rows.items()}, names) for part, names in shards(corpus)]
    assert parts == [
        ({"slack": 1}, {}),
        ({"json_api": 1}, {"json_api": "finance"}),
        ({"json_api": 2}, {"json_api": "law"}),
        ({"json_api": 1}, {"json_api": "web"}),
    ]


def test_no_two_sources_have_one_name(tmp_path: Path) -> None:
    mapping = {"irc": "linear", "slack": "linear", "github": "slack"}
    corpus = load_corpus(corpus_of(tmp_path, "irc", "slack", "github"), mapping=mapping)
    assert [names for _, names in shards(corpus)] == [{}, {"linear": "irc"}, {"linear": "slack_linear"}]


def test_repeated_ids_are_refused_or_dropped(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text(
        '{"id": "1", "source": "slack", "text": "a"}\n{"id": "1", "source": "slack", "text": "b"}\n', "utf-8"
    )
    with pytest.raises(CorpusError, match=r"corpus\.jsonl:2: the id '1' occurs twice"):
        load_corpus(path)
    corpus = load_corpus(path, drop_repeats=True)
    assert ([row.text for row in corpus.of("slack")], corpus.repeated) == (["a"], 1)
