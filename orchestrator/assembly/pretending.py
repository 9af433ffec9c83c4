"""What a sandbox is asked to serve, from what was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from orchestrator.sandbox import Corpus, Fault
    from orchestrator.surfaces.cli import SandboxWish


def corpus_of(wish: SandboxWish) -> Corpus:
    """The corpus of a wish, our own without one. Raises :class:`BadInput`."""
    from orchestrator.sandbox import CorpusError, default_corpus, load_corpus
    from orchestrator.surfaces.cli import BadInput

    mapping = dict(pair_of("--map", typed) for typed in wish.mapping)
    if mapping and not wish.corpus:
        raise BadInput("--map says which source serves the items of a corpus; name one with --corpus FILE")
    if wish.drop_repeats and not wish.corpus:
        raise BadInput("--drop-repeats leaves rows of a corpus out; name one with --corpus FILE")
    try:
        if not wish.corpus:
            return default_corpus()
        return load_corpus(wish.corpus, mapping=mapping, drop_repeats=wish.drop_repeats)
    except CorpusError as failure:
        raise BadInput(str(failure)) from None


def pair_of(option: str, typed: str) -> tuple[str, str]:
    """``LEFT=RIGHT`` as typed. Raises :class:`BadInput`."""
    from orchestrator.surfaces.cli import BadInput

    left, equals, right = typed.partition("=")
    if not (left.strip() and equals and right.strip()):
        raise BadInput(f"{option} {typed!r} cannot be read; write FOREIGN=SOURCE, for example {option} github=linear")
    return left.strip(), right.strip()


def faults_of(typed: Iterable[str]) -> dict[str, Fault]:
    """``SOURCE=FAULT`` as typed. Raises :class:`BadInput`."""
    from orchestrator.sandbox import parse_fault
    from orchestrator.surfaces.cli import BadInput

    try:
        return dict(map(parse_fault, typed))
    except ValueError as failure:
        raise BadInput(str(failure)) from None
