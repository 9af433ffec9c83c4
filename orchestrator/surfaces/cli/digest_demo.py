"""``fedsearch digest demo``: a weekly digest of a pretend workplace, over real sockets, in one process."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import SandboxWish
from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.inputs import DigestFormat, Now, read_now
from orchestrator.surfaces.cli.serving import MOMENT, Corpora, Drop, Maps
from translators.said import LanguageCode

if TYPE_CHECKING:
    from orchestrator.digests import Digest
    from orchestrator.settings import Settings
    from orchestrator.settings.digests import DigestSettings
    from orchestrator.surfaces.cli.composition import Composition

READER = "박지현"
WEEK = timedelta(days=7)
Reader = Annotated[str, typer.Option("--name", help="Whom it is for, as the sources call them.")]
Language = Annotated[LanguageCode, typer.Option(help="Language of the digest.")]
Shape = Annotated[DigestFormat, typer.Option("--format", help="How it is printed.")]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def demo(
        *,
        name: Reader = READER,
        language: Language = "en",
        corpus: Corpora = None,
        mapping: Maps = None,
        drop_repeats: Drop = False,
        now: Now = MOMENT,
        shape: Shape = "plain",
    ) -> int:
        """Print a weekly digest of a pretend workplace, or of a corpus that is served as one. Nothing is kept or sent."""
        import asyncio

        from orchestrator.digests import message_of
        from orchestrator.settings import load_settings
        from orchestrator.settings.digests import DigestSettings

        settings = load_settings()
        moment = read_now(now, settings.locale.timezone)
        wish = SandboxWish(tuple(corpus or ()), tuple(mapping or ()), now=moment, drop_repeats=drop_repeats)
        wished = DigestSettings(
            name=name, language=language, period="weekly", zone=settings.locale.zone or "Asia/Seoul"
        )
        digest = asyncio.run(_made(composition, settings, wish, wished, moment))
        sys.stdout.write(getattr(message_of(digest), shape))
        return Exit.NOTHING if digest.is_empty else Exit.FOUND


async def _made(
    composition: Composition, settings: Settings, wish: SandboxWish, wished: DigestSettings, now: datetime
) -> Digest:
    async with composition.sandbox(wish) as serving:
        theirs = settings.pretending(serving.settings(), digests={}, searches={})
        async with composition.digests(theirs, now) as service:
            return await service.since((now - WEEK).isoformat(), wished, wished.name)
