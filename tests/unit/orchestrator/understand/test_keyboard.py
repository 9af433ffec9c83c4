"""What was typed on the wrong keyboard is turned back only when that is sure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand import load_lexicon
from orchestrator.understand.keyboard import as_typed_in_english, as_typed_in_korean, repair
from tests.rows import each_row

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query


@each_row(
    ("typed", "meant"),
    [
        ("rufwp", "결제"),
        ("ㅓㄷㅜㅏㅑㅜㄴ", "jenkins"),
        ("ㄴㅣㅁ차", "slack"),
        ("hello", None),
        ("slack", None),
        ("ㅋㅋㅋ", None),
        ("asdf", None),
    ],
)
def test_the_wrong_keyboard_is_repaired_only_when_sure(typed: str, meant: str | None) -> None:
    """What comes out must be a word we know."""
    assert repair(typed, load_lexicon()) == meant


def test_keyboards_are_inverse() -> None:
    """Hangul to keys and back."""
    assert as_typed_in_english("값싼 뷁 원") == "rkqtTks qnpfr dnjs"
    assert as_typed_in_korean("rkqtTksqnpfrdnjs") == "값싼뷁원"
    assert as_typed_in_korean("zzz") is None


def test_words_of_the_wrong_keyboard_are_turned_back_together(ask: Callable[..., Query]) -> None:
    query = ask("dhszhf wjdcor")
    assert query.keywords == ("온콜", "정책")
    assert query.language == "ko"
    assert [doubt.code for doubt in query.doubts] == ["wrong_keyboard"]


@each_row("text", ["rotate quarterly", "dhszhf policy", "sso rollout dks", '"dhszhf" wjdcor', "kubernetes"])
def test_words_are_not_turned_back_beside_english_ones(ask: Callable[..., Query], text: str) -> None:
    query = ask(text)
    assert query.text == text
    assert not query.doubts
