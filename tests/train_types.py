"""Trains the weights of the type (``config/language/types.bin``) and prints what they are worth.

Run ``python -m tests.train_types`` after the labelled questions or the rules have changed; the same data gives the same file. Rules are
judged and mixed on ``train_*.jsonl`` alone, which no rule was written for; the other questions only teach words. Even rows of the
held-out and unseen questions are never read here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from zlib import crc32

import numpy as np

from orchestrator.understand import intent, load_lexicon, understand, understanding
from orchestrator.understand.intent import marks, tokens
from orchestrator.understand.trained import LANES, STRONG, TYPES, UNIT, ZERO, joints, pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from orchestrator.understand.draft import Draft
    from translators.query import TypeScore

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data" / "queries"
OUT = ROOT / "config" / "language" / "types.bin"
ASKED_AT = "2026-05-13T10:00:00+09:00"
BUCKETS = 21_000
"""Rows of the table of a language, into which features are hashed."""
FOLDS = 5
RIDGE = 1e-5
STEPS = 70
ALSO = 0.5
"""What another accepted type counts for beside the best one."""
LANE = {str(kind): lane for lane, kind in enumerate(TYPES)}


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled question as the model sees it. ``honest`` says that no rule was written with it in view."""

    types: tuple[str, ...]
    features: tuple[str, ...]
    rules: tuple[float, ...]
    """Strength of each type's cues, then the heaviest cue of each."""
    honest: bool


def labelled(lang: str) -> Iterator[tuple[str, str, tuple[str, ...], bool]]:
    """Text, moment, accepted types (best first) and whether the rules have not been fitted to it."""
    for row in _rows(f"train_{lang}.jsonl"):
        yield row["text"], ASKED_AT, (row["type"], *row["also_ok"]), True
    for name in ("queries", "fresh", f"heldout_{lang}", f"unseen_{lang}"):
        for row in _rows(f"{name}.jsonl"):
            unread = name[:2] in {"he", "un"} and int(row["id"].rsplit("-", 1)[1]) % 2 == 0
            if row["lang"] == lang and not unread:
                types = row.get("intents") or (row["intent"], *row["also_ok"])
                yield row["text"], row["reference"], tuple(types), False


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def drafts(questions: Sequence[tuple[str, str]]) -> list[Draft]:
    """Each question taken apart up to the type: the state that ``read_intent`` is given."""
    seen: list[Draft] = []
    lexicon = replace(load_lexicon(), types=None)

    def keep(draft: Draft) -> tuple[TypeScore, ...]:
        seen.append(draft)
        return intent.read_intent(draft)

    with patch.object(understanding, "read_intent", keep):
        for text, moment in questions:
            understand(text, datetime.fromisoformat(moment), lexicon=lexicon)
    return seen


def example(draft: Draft, types: tuple[str, ...], *, honest: bool) -> Example:
    """What the model and the mixture read of a question."""
    words = tokens(draft)
    features = [piece for word in dict.fromkeys(words) for piece in pieces(word)]
    strengths, clearest = intent.evidence(draft)[1:]
    return Example(types, (*features, *joints(words), *marks(draft)), (*strengths, *clearest), honest)


# ---- multinomial regression


@dataclass(frozen=True, slots=True)
class Sparse:
    """Rows of hashed features; each row's values are one over the root of its length."""

    index: Any
    value: Any
    row: Any
    rows: int

    def times(self, weights: Any) -> Any:
        """Rows times weights."""
        parts = weights[self.index] * self.value[:, None]
        return np.stack([np.bincount(self.row, part, self.rows) for part in parts.T], axis=1)

    def transposed_times(self, errors: Any) -> Any:
        """Features times errors, for the gradient."""
        parts = errors[self.row] * self.value[:, None]
        return np.stack([np.bincount(self.index, part, BUCKETS) for part in parts.T], axis=1)


def hashed(examples: Sequence[Example]) -> Sparse:
    """Each question's features as buckets."""
    index, value, row = list[int](), list[float](), list[int]()
    for number, one in enumerate(examples):
        buckets = [crc32(name.encode("utf-8", "replace")) % BUCKETS for name in one.features]
        index += buckets
        value += [1 / max(len(one.features), 1) ** 0.5] * len(buckets)
        row += [number] * len(buckets)
    return Sparse(np.array(index, int), np.array(value), np.array(row, int), len(examples))


def targets(examples: Sequence[Example]) -> Any:
    """A distribution over types a row."""
    wanted = np.zeros((len(examples), LANES))
    for number, one in enumerate(examples):
        for place, kind in enumerate(one.types):
            wanted[number, LANE[kind]] = max(wanted[number, LANE[kind]], ALSO if place else 1.0)
    return wanted / wanted.sum(axis=1, keepdims=True)


def softmax(odds: Any) -> Any:
    """Row by row."""
    raised = np.exp(odds - odds.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def descend(shapes: list[Any], gradient: Callable[[list[Any]], list[Any]], steps: int, rate: float) -> list[Any]:
    """Adam over whole batches, from zero, with a rate that falls to a tenth."""
    values = [np.zeros(shape) for shape in shapes]
    means, squares = [np.zeros(shape) for shape in shapes], [np.zeros(shape) for shape in shapes]
    for step in range(1, steps + 1):
        for number, slope in enumerate(gradient(values)):
            means[number] = 0.9 * means[number] + 0.1 * slope
            squares[number] = 0.999 * squares[number] + 0.001 * slope * slope
            move = (means[number] / (1 - 0.9**step)) / (np.sqrt(squares[number] / (1 - 0.999**step)) + 1e-9)
            values[number] -= rate * (1 - 0.9 * step / steps) * move
    return values


def learn(examples: Sequence[Example]) -> tuple[Any, Any]:
    """Weights of the buckets and of the types alone."""
    rows, wanted = hashed(examples), targets(examples)

    def gradient(values: list[Any]) -> list[Any]:
        weights, bias = values
        errors = (softmax(rows.times(weights) + bias) - wanted) / len(examples)
        return [rows.transposed_times(errors) + RIDGE * weights, errors.sum(axis=0)]

    weights, bias = descend([(BUCKETS, LANES), (LANES,)], gradient, STEPS, 0.3)
    return weights, bias


def said(examples: Sequence[Example], weights: Any, bias: Any) -> Any:
    """What the trained part says of questions; features never met fall into buckets of others, as they will."""
    return hashed(examples).times(weights) + bias


# ---- the mixture with the rules


def mix(examples: Sequence[Example], learned: Any) -> list[Any]:
    """Factors of strength, clear cues and the trained part, and what each type has by itself and where rules are silent."""
    strengths, clear, silent = evidence(examples)
    wanted = targets(examples)

    def gradient(values: list[Any]) -> list[Any]:
        errors = (softmax(odds(values, strengths, clear, silent, learned)) - wanted) / len(examples)
        factors = np.array([(errors * part).sum() for part in (strengths, clear, learned)])
        return [factors, errors.sum(axis=0) + 1e-3 * values[1], errors[silent[:, 0] > 0].sum(axis=0) + 1e-3 * values[2]]

    return descend([(3,), (LANES,), (LANES,)], gradient, 400, 0.1)


def evidence(examples: Sequence[Example]) -> tuple[Any, Any, Any]:
    """Strengths in units, clear cues, and whether the rules found nothing."""
    rules = np.array([one.rules for one in examples])
    strengths = rules[:, :LANES]
    return strengths / UNIT, (rules[:, LANES:] >= STRONG).astype(float), (strengths.sum(1, keepdims=True) == 0) * 1.0


def odds(values: list[Any], strengths: Any, clear: Any, silent: Any, learned: Any) -> Any:
    """Log odds of the mixture."""
    factors, base, quiet = values
    return factors[0] * strengths + factors[1] * clear + factors[2] * learned + base + quiet * silent


def right(scores: Any, examples: Sequence[Example]) -> float:
    """Share of questions whose best type is an accepted one."""
    return float(np.mean([str(TYPES[best]) in one.types for best, one in zip(scores.argmax(1), examples, strict=True)]))


def fold_of(count: int) -> Any:
    """A fold for each question, at random and always the same."""
    return np.random.default_rng(7).integers(0, FOLDS, count)


def train(lang: str) -> tuple[dict[str, Any], bytes]:
    """Head and table of a language, with its figures printed."""
    questions = list(labelled(lang))
    read = drafts([(text, moment) for text, moment, _, _ in questions])
    examples = [
        example(draft, types, honest=honest) for draft, (_, _, types, honest) in zip(read, questions, strict=True)
    ]
    honest = np.array([one.honest for one in examples])
    folds, learned = fold_of(len(examples)), np.zeros((len(examples), LANES))
    for fold in range(FOLDS):
        inside = [one for one, place in zip(examples, folds, strict=True) if place != fold]
        outside = [one for one, place in zip(examples, folds, strict=True) if place == fold]
        weights, bias = learn(inside)
        learned[folds == fold] = said(outside, weights, bias)
    judged = [one for one in examples if one.honest]
    unseen, places = learned[honest], folds[honest]
    mixed = np.zeros((len(judged), LANES))
    for fold in range(FOLDS):
        inside = [one for one, place in zip(judged, places, strict=True) if place != fold]
        outside = [one for one, place in zip(judged, places, strict=True) if place == fold]
        mixed[places == fold] = odds(mix(inside, unseen[places != fold]), *evidence(outside), unseen[places == fold])
    strengths = evidence(judged)[0] + np.array([0.5 / UNIT if kind == "exploratory" else 0.0 for kind in TYPES])
    print(
        f"{lang}: {len(examples)} questions, {len(judged)} of them unknown to the rules; right in cross-validation on these:"
    )
    print(
        f"    rules {right(strengths, judged):.3f}, trained {right(unseen, judged):.3f}, mixed {right(mixed, judged):.3f}"
    )
    blend = mix(judged, unseen)
    fitted = [one for one in examples if not one.honest]
    print(
        f"    on {len(fitted)} questions the rules were fitted to: trained {right(learned[~honest], fitted):.3f}, "
        f"mixed {right(odds(blend, *evidence(fitted), learned[~honest]), fitted):.3f}"
    )
    weights, bias = learn(examples)
    return packed(weights, bias, blend)


def packed(weights: Any, bias: Any, blend: list[Any]) -> tuple[dict[str, Any], bytes]:
    """Weights as bytes around ``ZERO``, and the head that goes with them."""
    scale = float(np.quantile(np.abs(weights[weights != 0]), 0.9995)) / 127
    table = np.clip(np.round(weights / scale), -127, 127) + ZERO
    factors, base, quiet = (np.round(part, 4).tolist() for part in blend)
    mixture = {
        "trained_bias": np.round(bias, 4).tolist(),
        "rule": factors[:1],
        "clear": factors[1:2],
        "trained": factors[2:],
        "bias": base,
        "silent": quiet,
    }
    return {"buckets": BUCKETS, "scale": round(scale, 6), "blend": mixture}, table.astype(np.uint8).tobytes()


def main() -> None:
    """Train both languages and write the file."""
    heads, tables = {}, b""
    for lang in ("en", "ko"):
        heads[lang], table = train(lang)
        tables += table
    OUT.write_bytes(json.dumps(heads).encode() + b"\n" + tables)
    print(f"{OUT.relative_to(ROOT)}: {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
