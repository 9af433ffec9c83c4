"""Judged questions are read with what was left out, and what cannot be read is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from orchestrator.evaluate import read_judgments, sample

if TYPE_CHECKING:
    from pathlib import Path

GOOD = '{"id": "1", "text": "누구?", "relevant": {"x": 2}}'


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    questions, qrels = tmp_path / "q.jsonl", tmp_path / "qrels.tsv"
    questions.write_text(
        '{"id": "1", "text": "누구?", "herb_type": "person"}\n{"id": "2", "text": "what?", "type": "factual"}\n',
        "utf-8",
    )
    qrels.write_text("1\tx\t1\n1\ty\t0\n9\tz\t1\n8\tz\t1\n", "utf-8")  # no heading
    judgments = read_judgments(questions, qrels)
    assert [(each.id, each.type, each.grades) for each in judgments.questions] == [
        ("1", "person", {"x": 1.0, "y": 0.0})
    ]
    assert (judgments.without, judgments.strangers) == (1, ("8", "9"))


def test_a_qrels_table_goes_before_what_rows_say_themselves(tmp_path: Path) -> None:
    questions, qrels = tmp_path / "q.jsonl", tmp_path / "qrels.tsv"
    questions.write_text(GOOD, "utf-8")
    qrels.write_text("query-id\tcorpus-id\tscore\r\n1\ty\t1\r\n", "utf-8")
    assert read_judgments(questions, qrels).questions[0].grades == {"y": 1.0}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("{", "not JSON"),
        ("[1]", "id and text"),
        ('{"id": 1, "text": "x"}', "id and text"),
        ('{"id": "2", "text": " "}', "id and text"),
        (GOOD, "'1' occurs twice"),
        ('{"id": "2", "text": "x", "relevant": ["a"]}', "relevant must be"),
        ('{"id": "2", "text": "x", "relevant": {"a": "1"}}', "relevant must be"),
        ('{"id": "2", "text": "x", "relevant": {"a": NaN}}', "relevant must be"),
    ],
)
def test_a_wrong_question_is_named_with_its_line(tmp_path: Path, row: str, said: str) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(f"{GOOD}\n\n{row}\n", "utf-8")
    with pytest.raises(ValueError, match=rf"q\.jsonl:3: .*{said}"):
        read_judgments(path)


@pytest.mark.parametrize("row", ["1\tx", "1\tx\tgood", "1\tx\tnan", "1\tx\t1\t1", "1 0 x 1"])
def test_a_wrong_judgment_is_named_with_its_line(tmp_path: Path, row: str) -> None:
    questions, qrels = tmp_path / "q.jsonl", tmp_path / "qrels.tsv"
    questions.write_text(GOOD, "utf-8")
    qrels.write_text(f"query-id\tcorpus-id\tscore\n{row}\n", "utf-8")
    with pytest.raises(ValueError, match=r"qrels\.tsv:2: a judgment is"):
        read_judgments(questions, qrels)


def test_a_file_that_is_missing_or_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"none\.jsonl: there is no such file"):
        read_judgments(tmp_path / "none.jsonl")
    with pytest.raises(ValueError, match="cannot be read"):
        read_judgments(tmp_path)
    (tmp_path / "q.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="is not UTF-8"):
        read_judgments(tmp_path / "q.jsonl")


def test_a_sample_is_the_same_in_whatever_order_the_file_is(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    rows = [f'{{"id": "{number}", "text": "x", "relevant": {{"a": 1}}}}' for number in range(50)]
    path.write_text("\n".join(rows), "utf-8")
    some = sample(read_judgments(path).questions, 5)
    path.write_text("\n".join(reversed(rows)), "utf-8")
    assert sample(read_judgments(path).questions, 5) == some
    assert len(some) == 5
    assert [each.id for each in some] != ["0", "1", "2", "3", "4"]
    assert len(sample(read_judgments(path).questions, 0)) == 50
