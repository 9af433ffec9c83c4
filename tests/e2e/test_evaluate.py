"""Figures of the whole path over the sandbox: a right answer scores, a wrong one does not."""

from datetime import datetime

from orchestrator.assembly.searching import build_engine
from orchestrator.evaluate import JudgedQuestion, ask_all, replay
from orchestrator.packaged import config_dir
from orchestrator.rank import RankingConfig
from orchestrator.sandbox import Sandbox, default_corpus
from orchestrator.settings import load_settings

RANKING = RankingConfig.load(config_dir() / "ranking.toml")
NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")


async def figures(*questions):
    """Measured with the ids of the corpus."""
    async with Sandbox(default_corpus()) as sandbox:
        sources = {n: {"kind": n, "base_url": e.base_url, "token": e.token} for n, e in sandbox.endpoints.items()}
        origins = {name: sandbox.origins(name) for name in sandbox.endpoints}
        async with build_engine(load_settings({"sources": sources}, {})) as engine:
            return replay([each async for each in ask_all(engine, questions, NOW, origins)], RANKING)


async def test_what_is_judged_right_and_found_first_scores_highest():
    async with Sandbox(default_corpus()) as sandbox:
        page = next(
            origin for key, origin in sandbox.origins("notion").items() if "runbook-billing-gateway" in key.casefold()
        )
    right = JudgedQuestion("1", "런북: billing-gateway 장애 대응", {page: 1.0})
    wrong = JudgedQuestion("2", "런북: billing-gateway 장애 대응", {"nothing-like-it": 1.0})
    good, bad, both = await figures(right), await figures(wrong), await figures(right, wrong)
    assert [each.mean("mrr_10") for each in (good, bad, both)] == [1.0, 0.0, 0.5]
    assert "2 questions" in str(both)


async def test_no_questions_have_no_figures():
    assert (await figures()).rows == ()
