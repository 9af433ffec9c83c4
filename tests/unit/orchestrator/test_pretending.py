"""What a sandbox is asked to serve, from what was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from orchestrator.assembly.pretending import corpus_of
from orchestrator.surfaces.cli import BadInput, SandboxWish

if TYPE_CHECKING:
    from pathlib import Path


def test_rows_that_repeat_an_id_are_left_out_where_that_is_wished(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"id": "1", "source": "slack", "text": "배포"}\n' * 2, "utf-8")
    with pytest.raises(BadInput, match="--drop-repeats"):
        corpus_of(SandboxWish((str(path),)))
    corpus = corpus_of(SandboxWish((str(path),), drop_repeats=True))
    assert (len(corpus.of("slack")), corpus.repeated) == (1, 1)


@pytest.mark.parametrize("wish", [SandboxWish(drop_repeats=True), SandboxWish(mapping=("web=json_api",))])
def test_options_of_a_corpus_need_one(wish: SandboxWish) -> None:
    with pytest.raises(BadInput, match="--corpus FILE"):
        corpus_of(wish)
