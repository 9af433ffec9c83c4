"""What people do with results: where it is written down, and what `fedsearch tune` makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.assembly.accounts import page_secret
from orchestrator.packaged import config_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from orchestrator.learning import FeedbackFigures, GradedImpression, LearningLog, RecordedUse, Tuning
    from orchestrator.rank import RankingConfig
    from orchestrator.settings import Layer, Settings


def learning_log(settings: Settings, clock: Callable[[], datetime]) -> LearningLog:
    """Among the data of this installation; what digests are made with is that of the sessions."""
    from orchestrator.learning import FOLDER, LearningLog

    folder = settings.storage.path / FOLDER
    return LearningLog(folder, lambda: page_secret(settings), clock, settings.learning.keep)


def feedback_figures(settings: Settings) -> FeedbackFigures:
    """The present order against what people did and said. Raises :class:`Misconfigured`."""
    from orchestrator.assembly.searching import ranking_of
    from orchestrator.learning import figures_of

    use, judged = _judged(settings)
    return figures_of(judged, ranking_of(settings), use.answers, use.torn)


def tuned_ranking(settings: Settings, layers: Sequence[Layer]) -> Tuning:
    """Numbers learnt from what people did and said, and whether they serve better; nothing is written. Raises :class:`Misconfigured`."""
    from orchestrator.assembly.searching import ranking_of
    from orchestrator.learning import tuned
    from orchestrator.rank import RankingConfig

    own = _by_hand(settings, layers)
    begin: RankingConfig = RankingConfig.load(config_dir() / "ranking.toml", own)
    return tuned(_judged(settings)[1], begin, ranking_of(settings), frozenset(_tables(own)))


def keep_tuned(settings: Settings, tuning: Tuning) -> None:
    """Write the numbers where settings read them. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured
    from orchestrator.learning import tuned_text, write_tuned
    from orchestrator.settings import now_in

    path, day = settings.storage.tuned, now_in(settings.locale.timezone).date()
    try:
        write_tuned(path, tuned_text(tuning.numbers, day, tuning.judgments, tuning.people))
    except OSError as failure:
        raise Misconfigured(f"{path} cannot be written: {failure.strerror}") from None


def take_back(settings: Settings) -> bool:
    """Put back what stood there before; ``False`` where nothing was tuned. Raises :class:`Misconfigured`."""
    from connectors.errors import Misconfigured
    from orchestrator.learning import undo_tuned

    path = settings.storage.tuned
    try:
        return undo_tuned(path)
    except OSError as failure:
        raise Misconfigured(f"{path} cannot be put back: {failure.strerror}") from None


def _judged(settings: Settings) -> tuple[RecordedUse, tuple[GradedImpression, ...]]:
    from connectors.errors import Misconfigured
    from orchestrator.learning import FOLDER, judgments_of, read_use

    folder = settings.storage.path / FOLDER
    try:
        use = read_use(folder)
    except OSError as failure:
        raise Misconfigured(f"{folder} cannot be read: {failure.strerror}") from None
    return use, judgments_of(use)


def _by_hand(settings: Settings, layers: Sequence[Layer]) -> dict[str, Any]:
    """The numbers of the site's own, without those that were tuned."""
    from orchestrator.settings import settings_from

    tuned = str(settings.storage.tuned)
    return settings_from([layer for layer in layers if layer.origin != tuned]).ranking.numbers


def _tables(own: dict[str, Any]) -> set[str]:
    """What a person has set stays: types of question by their weights, and the learnt order."""
    return {f"weights.{kind}" for kind in own.get("weights", {})} | ({"learned"} if own.get("learned") else set())
