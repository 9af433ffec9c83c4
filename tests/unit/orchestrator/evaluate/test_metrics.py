"""The measures agree with hand-made sums."""

import math

import pytest

from orchestrator.evaluate import JudgedQuestion, ndcg, read_judgments, recall, reciprocal_rank

GRADES = {"a": 3.0, "b": 1.0, "c": 0.0}


@pytest.mark.parametrize(
    ("ranked", "expected"),
    [
        (["a", "b"], 1.0),
        (["b", "a"], (1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3))),
        (["x", "a"], (3 / math.log2(3)) / (3 + 1 / math.log2(3))),
        (["a", "a", "a"], 3 / (3 + 1 / math.log2(3))),
        (["c", "x"], 0.0),
        ([], 0.0),
    ],
)
def test_ndcg(ranked, expected):
    assert ndcg(ranked, GRADES) == pytest.approx(expected)


def test_ndcg_looks_no_deeper_than_asked():
    assert ndcg(["x"] * 10 + ["a"], GRADES) == 0.0
    assert ndcg([], {}) == 0.0


def test_reciprocal_rank_counts_the_first_relevant_id():
    assert reciprocal_rank(["c", "b", "a"], GRADES) == 0.5
    assert reciprocal_rank(["c"], GRADES) == 0.0


def test_recall_is_the_share_of_relevant_ids():
    assert recall(["a", "a", "x"], GRADES) == 0.5
    assert recall(["a"], {}) == 0.0


def test_questions_bring_their_judgments_or_find_them_beside(tmp_path):
    questions, qrels = tmp_path / "q.jsonl", tmp_path / "qrels.tsv"
    questions.write_text(
        '{"id": "1", "text": "누구?", "relevant": {"x": 2}}\n\n{"id": "2", "text": "what?"}\n', "utf-8"
    )
    qrels.write_text("query-id\tcorpus-id\tscore\n2\ty\t1\n1\tz\t0\n", "utf-8")
    assert read_judgments(questions).questions == (JudgedQuestion("1", "누구?", {"x": 2}),)
    assert read_judgments(questions, qrels).questions == (JudgedQuestion("2", "what?", {"y": 1.0}),)


def test_a_bad_row_is_named_with_its_line(tmp_path):
    questions, qrels = tmp_path / "q.jsonl", tmp_path / "qrels.tsv"
    questions.write_text('{"id": "1"}\n', "utf-8")
    qrels.write_text("heading\n1 x 1\n", "utf-8")
    with pytest.raises(ValueError, match=r"q\.jsonl:1"):
        read_judgments(questions)
    questions.write_text('{"id": "1", "text": "x"}\n', "utf-8")
    with pytest.raises(ValueError, match=r"qrels\.tsv:2"):
        read_judgments(questions, qrels)
