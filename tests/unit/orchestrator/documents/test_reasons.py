"""What is ours in a receipt is said in the asker's language, and once."""

import ast
from pathlib import Path

import pytest

from orchestrator.documents.reasons import KOREAN_PECULIARITIES, KOREAN_THRIFT, said_notes
from orchestrator.gather import asking

ROOT = Path(__file__).resolve().parents[4]
COMMONEST = ("words", "slack", "notion", "linear", "gmail")
SENTENCE = 4  # words


def sentences(dialect):
    """Every sentence that stands in the code of a dialect, docstrings left out."""
    for path in (ROOT / "translators" / dialect).glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        parts = {
            id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.Expr) for part in ast.walk(node)
        }
        texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in parts)
        yield from (
            text for text in texts if isinstance(text, str) and len(text.split()) >= SENTENCE and text[0].isalpha()
        )


def test_every_peculiarity_of_the_commonest_sources_is_said_in_korean():
    said = {text for dialect in COMMONEST for text in sentences(dialect)}
    assert said <= set(KOREAN_PECULIARITIES), "a reason without Korean"
    words = {
        text
        for dialect in COMMONEST
        for path in (ROOT / "translators" / dialect).glob("*.py")
        for text in [path.read_text("utf-8")]
    }
    assert [each for each in KOREAN_PECULIARITIES if not any(each in text for text in words)] == [], (
        "Korean for what nobody says"
    )


def test_why_a_source_is_spared_is_said_in_korean():
    assert set(KOREAN_THRIFT) == {asking.NO_ROOM, asking.NO_SPARE}


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("the text of 4 of 4 pages could not be read", "페이지 4개 중 4개의 본문을 읽지 못했습니다"),
        ("2 of 20 mails could not be read (HTTP 500)", "메일 20개 중 2개를 읽지 못했습니다 (HTTP 500)"),
        (
            f"not asked for anything broader: {asking.NO_ROOM}",
            "더 넓게 묻지 않음: 소스가 허용하는 호출의 절반을 썼습니다",
        ),
        (
            "only the first page was read, not asked further: it usually takes 0.80 s and 0.10 s were left",
            "첫 쪽만 읽음: 더 묻지 않음: 보통 0.80초 걸리는데 0.10초가 남았습니다",
        ),
        ("Google chose what it searched for", "Google chose what it searched for"),
    ],
)
def test_a_note_in_both_languages(note, said):
    assert said_notes([note], "en") == [note]
    assert said_notes([note], "ko") == [said]


def test_what_could_not_be_read_is_told_once():
    unread = [f"the text of {count} of {count} pages could not be read" for count in (4, 6, 2)]
    assert said_notes([*unread, "another", *unread], "en") == ["the text of 6 of 6 pages could not be read", "another"]
