"""Words that tell the kind of answer are asked for where a source ranks, since there they cost no result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from translators.query import Query, Term, all_of
from translators.registry import load_dialect

if TYPE_CHECKING:
    from translators.translator import NativeQuery


def asked(dialect: str, words: str, lesser: dict[str, float]) -> NativeQuery:
    translator = load_dialect(dialect)
    query = Query("", all_of(map(Term, words.split())), lesser=tuple(lesser.items()))
    return translator.translate(query, translator.can).native


def test_the_index_is_told_what_they_weigh() -> None:
    native = asked("hybrid", "billing service", {"owns": 0.2})
    assert (native.text, native.args["lesser"]) == ("billing service", {"owns": 0.2})
    assert "lesser" not in asked("hybrid", "billing", {}).args
    assert "lesser" not in asked("hybrid", "", {"owns": 0.2}).args


@pytest.mark.parametrize(
    ("words", "lesser", "line"),
    [
        ("gateway Python", {"deploy": 0.2}, "gateway Python deploy"),
        ("마이그레이션", {"방법": 0.3, "guide": 0.3}, "마이그레이션 방법"),
        ("gateway", {"방법": 0.3}, "gateway"),
        ("", {"deploy": 0.2}, ""),
        ("gateway", {"site:x": 0.2, '"': 0.3}, 'gateway "site:x"'),
    ],
)
def test_the_web_is_asked_for_them_last(words: str, lesser: dict[str, float], line: str) -> None:
    assert asked("web", words, lesser).text == line


def test_who_demands_every_word_is_not_asked_for_them() -> None:
    for dialect in ("slack", "jql", "notion", "github"):
        assert "owns" not in str(asked(dialect, "billing service", {"owns": 0.2}))
