"""The trained part of the type: what it reads, how it is mixed with the rules, and what a broken file says."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from orchestrator.packaged import config_dir
from orchestrator.understand import BadLexicon, load_lexicon, understand
from orchestrator.understand.trained import LANES, TYPES, ZERO, Trained, Weights, joints, pieces
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from translators.query import Query

SHIPPED = config_dir() / "language" / "types.bin"
EVEN = {"trained_bias": [0.0] * LANES, "bias": [0.0] * LANES, "silent": [0.0] * LANES}


def weights(rule: float = 1.0, clear: float = 0.0, trained: float = 1.0, **other: list[float]) -> Weights:
    """Weights that say nothing, mixed as told."""
    blend = {**EVEN, "rule": [rule], "clear": [clear], "trained": [trained], **other}
    return Weights(bytes([ZERO]) * LANES * 8, 0.01, blend)


def test_pieces_of_korean_reach_below_the_syllable() -> None:
    """갔 and 갈 share their first letters, so one tells of the other."""
    assert set(pieces("갔나")) & set(pieces("갈까")) - set(pieces("집"))
    assert "w:갔나" in pieces("갔나")


def test_pieces_of_english_are_bounded() -> None:
    assert pieces("owner")[:4] == ["w:owner", "w:owner", "c:<ow", "c:own"]
    assert len(pieces("a" * 100_000)) < 100


def test_joints_know_beginning_and_end() -> None:
    assert {"b:^ who", "b:keys $", "end:keys", "first:who"} <= set(joints(["who", "has", "keys"]))


def test_rules_and_trained_part_are_added() -> None:
    """A clear cue outweighs a weak opinion, and where rules are silent the trained part decides."""
    mixture = weights(rule=2.0, clear=1.0)
    clear, none = [6.0, *[0.0] * (LANES - 1)], [0.0] * LANES
    opinion = [0.0, 1.5, *[0.0] * (LANES - 2)]
    assert max(range(LANES), key=mixture.mixed(clear, clear, opinion).__getitem__) == 0
    assert max(range(LANES), key=mixture.mixed(none, none, opinion).__getitem__) == 1


def test_no_words_say_nothing() -> None:
    assert weights().learned([], []) == [0.0] * LANES
    assert weights().telling([], 0) is None


def test_words_that_no_cue_names_are_understood(ask: Callable[..., Query], now: datetime) -> None:
    """Seen only by the trained part, which names the word it went by."""
    rules = replace(load_lexicon(), types=None)
    for text, kind in {
        "hot water back in wing D": QueryType.STATUS,
        "지게차 자격증 있는 직원": QueryType.PERSON,
    }.items():
        query = ask(text)
        assert query.type is kind
        assert any(word.startswith("~") for word in query.scores[0].words)
        assert understand(text, now, lexicon=rules).scores[0].words != query.scores[0].words


@pytest.mark.parametrize(
    "text",
    [
        "결제",
        "장애",
        "마이그레이션",
        "change freeze",
        "이번 분기 OKR",
        "지난주 금요일 배포",
        "last month incident",
        "in:없는채널 결제",
        "E_PUMP_771",
        "ERR_CONN_4012",
    ],
)
def test_a_topic_alone_is_explored(ask: Callable[..., Query], text: str) -> None:
    """The trained part abstains where no cue is found and the words are everybody's, or one of which it is not sure."""
    query = ask(text)
    assert query.type is QueryType.EXPLORATORY
    assert query.scores[0].words == ("(a topic alone)",)


@pytest.mark.parametrize(("text", "kind"), [("연체료", QueryType.FACTUAL), ("퀴즈 우승자", QueryType.PERSON)])
def test_a_word_that_tells_keeps_its_type(ask: Callable[..., Query], text: str, kind: QueryType) -> None:
    assert ask(text).type is kind


@pytest.mark.parametrize(
    "text",
    [
        "what happened last week?",
        "what's been going on this week",
        "what is going on this week",
        "what was going on last week",
        "what's happening next week?",
        "지난주에 무슨 일이 있었나요",
    ],
)
def test_whatever_there_was_in_a_time_is_no_state(ask: Callable[..., Query], text: str) -> None:
    assert ask(text).type is QueryType.EXPLORATORY


def test_the_same_words_get_the_same_scores(ask: Callable[..., Query]) -> None:
    """A warm cache changes nothing."""
    text = "냉동창고 점검 어디까지 됐는지"
    assert ask(text).scores == ask(text).scores


def test_the_shipped_file_is_small_and_whole() -> None:
    packed = SHIPPED.read_bytes()
    assert len(packed) < 300_000
    head, _, body = packed.partition(b"\n")
    assert sum(part["buckets"] for part in json.loads(head).values()) * LANES == len(body)
    assert len(TYPES) == LANES


def test_inference_needs_no_numpy() -> None:
    assert "numpy" not in vars(sys.modules["orchestrator.understand.trained"])


@pytest.mark.parametrize("packed", [b"", b"{}x", b'{"en": {"buckets": 4}}\n', b'{"en": 3}\n', b"\xff\xfe\n"])
def test_a_broken_file_is_no_weights(packed: bytes) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        Trained(packed)


def test_a_folder_with_a_broken_file_says_what_to_do(tmp_path: Path) -> None:
    for name in ("en", "ko", "names", "tools", "variants"):
        (tmp_path / f"{name}.toml").write_bytes((config_dir() / "language" / f"{name}.toml").read_bytes())
    assert load_lexicon(tmp_path).types is None
    (tmp_path / "types.bin").write_bytes(b"nothing")
    with pytest.raises(BadLexicon, match="reinstall"):
        load_lexicon(tmp_path, (tmp_path / "names.toml",))
