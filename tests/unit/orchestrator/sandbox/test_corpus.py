"""Reading corpora: files, folders, mappings, people, and rows that are wrong."""

import gzip
import json
from datetime import UTC, datetime

import pytest

from orchestrator.sandbox import CorpusError, default_corpus, load_corpus

ROW = {"id": "a", "source": "slack", "kind": "message", "text": "hi"}


def test_rows_are_grouped_by_the_emulator_that_serves_them(corpus):
    made = corpus([{"source": "slack"}, {"source": "github"}, {"source": "web"}], mapping={"github": "linear"})
    assert {source: len(rows) for source, rows in made.rows.items()} == {"slack": 1, "linear": 1}
    assert made.of("linear")[0].source == "github"


def test_rows_nobody_serves_are_counted_not_lost(corpus):
    assert corpus([{"source": "web"}, {"source": "web"}, {"source": "gmail"}]).unserved == {"web": 2}


def test_a_mapping_to_no_emulator_names_the_choices(corpus):
    with pytest.raises(CorpusError, match=r"choose one of .*linear"):
        corpus([{"source": "github"}], mapping={"github": "nosuch"})


def test_a_mapping_from_a_source_the_corpus_lacks_is_a_mistake_worth_telling(corpus):
    with pytest.raises(CorpusError, match=r"'githb'.* it has github"):
        corpus([{"source": "github"}], mapping={"githb": "linear"})


def test_naive_times_are_utc_and_offsets_are_kept_in_meaning(corpus):
    naive, offset = corpus(
        [{"source": "slack", "created": text} for text in ("2026-03-01T00:00:00", "2026-03-01T09:00:00+09:00")]
    ).of("slack")
    assert naive.created == offset.created == datetime(2026, 3, 1, tzinfo=UTC)


def test_people_come_from_the_file_beside_the_corpus_and_from_the_rows(corpus):
    rows = [
        {"source": "slack", "author": "x1", "author_name": "Emma Smith"},
        {"source": "slack", "author": "x2", "author_name": "Emma Smith"},
    ]
    people = corpus(rows).people
    assert people.find("@sarah") is people.find("SARAH@acme.example") is people.find("U02SARAH")
    assert [people.find(name).handle for name in ("x1", "x2")] == ["emma.smith", "emma.smith2"]
    assert people.find(None) is None


def test_an_author_without_a_name_is_called_by_the_id(corpus):
    assert corpus([{"source": "slack", "author": "eid_1"}]).people.find("eid_1").name == "eid_1"


def test_gzip_and_folders_are_read_but_neither_people_nor_questions(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(json.dumps(ROW).encode()))
    (tmp_path / "b.jsonl").write_text(json.dumps(ROW | {"id": "b"}) + "\n\n", encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text('{"id": "q", "text": "?"}', encoding="utf-8")
    assert [row.id for row in load_corpus(tmp_path).of("slack")] == ["a", "b"]
    assert len(load_corpus([tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl"]).of("slack")) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[1]", "expected a JSON object"),
        ('{"source": "slack"}', "'id' must be a text"),
        ('{"id": 3, "source": "slack"}', "'id' must be a text"),
        ('{"id": "a"}', "'source' must be a text"),
        ('{"id": "a", "source": "slack", "text": 5}', "'text' must be a text or null"),
        ('{"id": "a", "source": "slack", "created": "yesterday"}', "'created' must be an ISO 8601"),
        ('{"id": "a", "source": "slack", "created": "0001-01-01T00:00:00+09:00"}', "'created' must be an ISO 8601"),
        ('{"id": "a", "source": "slack", "labels": "x"}', "'labels' must be a list of texts"),
        ('{"id": "a", "source": "slack", "private": "yes"}', "'private' must be true or false"),
        ('{"id": "a", "source": "slack", "priority": "1"}', "'priority' must be a whole number"),
        ('{"id": "a", "source": "slack", "due": "soon"}', "'due' must be an ISO 8601"),
        ('{"id": "a", "source": "slack", "comments": {}}', "'comments' must be a list"),
        ('{"id": "a", "source": "slack", "comments": [{}]}', "each comment"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_bad_row_is_named_by_file_and_line(tmp_path, line, message):
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(ROW | {"id": "first"}) + "\n" + line, encoding="utf-8")
    with pytest.raises(CorpusError, match=message) as caught:
        load_corpus(file)
    assert str(caught.value).startswith(f"{file}:2: ")


def test_an_id_that_comes_twice_is_refused(corpus):
    with pytest.raises(CorpusError, match="'same' occurs twice"):
        corpus([{"id": "same", "source": "slack"}, {"id": "same", "source": "gmail"}])


def test_what_is_not_there_or_not_text_is_told(tmp_path):
    with pytest.raises(CorpusError, match="no such file"):
        load_corpus(tmp_path / "nowhere.jsonl")
    with pytest.raises(CorpusError, match=r"no \.jsonl"):
        load_corpus(tmp_path)
    (tmp_path / "x.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(CorpusError, match="UTF-8"):
        load_corpus(tmp_path)
    (tmp_path / "x.jsonl").unlink()
    (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(b'{"id": "a"}')[:-9])
    with pytest.raises(CorpusError, match="cannot be read"):
        load_corpus(tmp_path)


def test_a_person_without_a_handle_is_refused(corpus):
    with pytest.raises(CorpusError, match="needs 'handle'"):
        corpus([{"source": "slack"}], people=[{"id": "U1", "name": "A", "email": "a@b.example"}])


def test_lone_surrogates_are_replaced_since_no_server_could_send_them(corpus):
    assert corpus([{"source": "slack", "text": "a\ud800b"}]).of("slack")[0].text == "a?b"


def test_the_packaged_workplace_loads_and_every_row_is_served():
    made = default_corpus()
    assert made.rows.keys() == {"slack", "notion", "linear", "gmail"}
    assert not made.unserved
