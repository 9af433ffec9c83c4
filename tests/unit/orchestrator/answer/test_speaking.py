"""Who is quoted where several people speak in one document."""

import pytest

from connectors.contract import Hit
from orchestrator.answer.speaking import speaker
from translators.query import Kind, Person

TEXT = "민수: 금요일에 할까요?\n아니면 월요일?\n\nNora Falk: OK for Friday.\nI will tell them."


def hit(text=TEXT, **facts):
    return Hit("local", "1", Kind.THREAD, snippet=text, author=Person("민수", "U1"), facts=facts)


@pytest.mark.parametrize(
    ("words", "name"),
    [("아니면 월요일?", "민수"), ("Nora Falk: OK for Friday.", "Nora Falk"), ("I will tell them.", "Nora Falk")],
)
def test_the_last_name_before_the_words_said_them(words, name):
    assert speaker(hit(voices=("민수", "Nora Falk")), words).name == name
    assert speaker(hit(), words).name == "민수"


def test_what_stands_before_the_first_name_is_the_authors_in_the_first_part_alone():
    voices = ("dohajin",)
    assert speaker(hit("the pump leaks\ndohajin: sealed", voices=voices), "the pump leaks").name == "민수"
    assert speaker(hit("the pump leaks\ndohajin: sealed", voices=voices, part=2), "the pump leaks") is None
    assert speaker(hit(voices=voices), "words of nobody") is None
