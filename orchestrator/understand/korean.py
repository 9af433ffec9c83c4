"""Korean morphology through kiwipiepy, loaded once and only when a question holds Hangul."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from storage.extras import lacking
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOADING = threading.Lock()

# Tails of an eojeol: particles, endings, the copula, verb- and adjective-making suffixes, auxiliary verbs.
TAIL = frozenset(
    {"JKS", "JKC", "JKG", "JKO", "JKB", "JKV", "JKQ", "JX", "JC", "EP", "EF", "EC", "ETN", "ETM", "VCP", "VCN"}
)
MAKERS = frozenset({"XSV", "XSA"})
VERBS = frozenset({"VV", "VA", "VX", "VV-R", "VV-I", "VA-R", "VA-I", "VX-R", "VX-I"})
NOMINAL = frozenset(
    {"NNG", "NNP", "NNB", "NR", "SL", "SH", "SN", "XR", "XPN", "XSN", "W_SERIAL", "W_HASHTAG", "UN", "SW", "SO", "SP"}
)


@record
class Morph:
    """One morpheme with its place in the text; ``tag`` is of the Sejong set."""

    form: str
    tag: str
    start: int
    end: int
    unknown: bool = False
    """Whether no dictionary has it."""


@lru_cache(maxsize=1)
def _kiwi() -> Any:
    """Without names in several words: of 10,420 questions two were read otherwise for them, for 190 MB and as long again to load."""
    try:
        from kiwipiepy import Kiwi
    except ModuleNotFoundError as failure:
        raise lacking(failure) or failure from None
    return Kiwi(num_workers=1, load_multi_dict=False)


def warm() -> None:
    """Load the model (more than a second, once). Call it in a thread at start-up so that no question waits for it."""
    with _LOADING:
        _kiwi().tokenize("서버 점검 일정이 언제였나요")


def analyse(text: str) -> Sequence[Morph]:
    """The morphemes of ``text`` in order. Thread-safe: loading is serialised and analysing is read-only in Kiwi."""
    with _LOADING:
        kiwi = _kiwi()
    return [
        Morph(token.form, token.tag, token.start, token.start + token.len, token.oov) for token in kiwi.tokenize(text)
    ]
