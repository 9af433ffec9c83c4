"""What somebody typed of a source, what it found when it was asked, and that it was kept."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from connectors.errors import SourceError
from orchestrator.documents.plain import link_of
from orchestrator.documents.setup import SourceWish, read_counts
from orchestrator.surfaces.page.source_view import source_row
from translators.records import record
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.responses import Response

    from orchestrator.access import Caller
    from orchestrator.documents.setup import SetupTile, SetupTrial
    from orchestrator.model import Result
    from orchestrator.surfaces.page.services import PageServices
    from orchestrator.surfaces.page.setup_services import SourceSetup
    from orchestrator.surfaces.page.visiting import Visit

SANDBOX, DECLARED = "sandbox", "declared"
LONGEST_QUESTION = 500
LONGEST_TITLE, LONGEST_TEXT = 120, 300


class NotTyped(Exception):
    """A form that lacks something, or says what cannot be. ``said`` is for people, in their language."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


@record
class SourceTrying:
    """One visit to ``tile`` by somebody who asks ``question`` of what they set up."""

    visit: Visit
    services: PageServices
    caller: Caller
    tile: str
    question: str

    async def ask(self, wishes: Sequence[SourceWish]) -> Response:
        """Show what they find, and how to keep them. Nothing is kept."""
        setup = self.services.setup
        await self.begin(wishes)
        trial = await setup.tried(wishes, self.question, self.caller)
        return self._shown(
            trial, setup.hold(wishes, self.visit.session.nonce), declared=any(each.text for each in wishes)
        )

    async def begin(self, wishes: Sequence[SourceWish]) -> None:
        """What is no secret stays, where nothing works yet that it could harm: whoever leaves goes on from there."""
        noted = partial(self.services.admin.noted, self.visit.request, self.caller, "source begun")
        await self.services.setup.begin(wishes, noted)

    async def pretend(self) -> Response:
        """Show what the pretend workplace finds."""
        return self._shown(await self.services.setup.pretend(self.question, self.caller), "", declared=False)

    async def keep(self, wishes: Sequence[SourceWish]) -> Response:
        """Keep them, and ask them from now on."""
        for wish in wishes:
            await self.services.admin.noted(self.visit.request, self.caller, "source set up", wish.name)
        written, how = await self.services.setup.keep(wishes)
        told: dict[str, Any] = {
            "names": [wish.name for wish in wishes],
            "written": written,
            "how": how,
            "ask": "/?" + urlencode({"question": self.question}) if self.question else "/",
        }
        return self.visit.page("setup_kept.html", **told)

    def _shown(self, trial: SetupTrial, held: str, *, declared: bool) -> Response:
        answer, hits, language = trial.answer, trial.hits, self.visit.language
        read = read_counts(hits) if declared and hits else {}
        told: dict[str, Any] = {
            "tile": self.tile,
            "question": self.question,
            "held": held,
            "works": trial.works,
            "sources": [source_row(each, language) for each in trial.states],
            "problem": said_in(trial.problem, language),
            "asked": answer is not None,
            "summary": answer.summary if answer else "",
            "results": [_row(each) for each in (answer.results if answer else ())],
            "read": [(field, f"{count} / {len(hits)}") for field, count in read.items()],
        }
        return self.visit.page("setup_tried.html", **told)


def _row(result: Result) -> dict[str, str]:
    hit = result.hit
    title = hit.title or hit.snippet[:LONGEST_TITLE]
    return {"title": title, "url": link_of(hit.url), "text": hit.snippet[:LONGEST_TEXT], "source": hit.source}


def typed_wishes(visit: Visit, setup: SourceSetup, name: str, fields: Mapping[str, str]) -> tuple[SourceWish, ...]:
    """What a form says that a source shall be. Raises :class:`NotTyped`."""
    wishes = _declared(visit, fields) if name == DECLARED else _set_up(visit, setup, name, fields)
    if wrong := setup.wrong(wishes):
        raise NotTyped(said_in(wrong, visit.language))
    return wishes


def _declared(visit: Visit, fields: Mapping[str, str]) -> tuple[SourceWish, ...]:
    name, text, secret = (fields.get(key, "").strip() for key in ("name", "text", "secret"))
    if not name or not text:
        raise NotTyped(visit.words["setup declared wrong"])
    text = text.replace("\r\n", "\n") + "\n"
    return (SourceWish(name, {}, {"token": secret} if secret else {}, text),)


def _set_up(visit: Visit, setup: SourceSetup, name: str, fields: Mapping[str, str]) -> tuple[SourceWish, ...]:
    tile, lacking = tile_called(setup, name), NotTyped(visit.words["setup missing"])
    if tile is None:
        raise NotTyped(visit.words["setup none"])
    kinds = [kind for kind in tile.titles if len(tile.titles) == 1 or f"kind_{kind}" in fields]
    typed = {key: fields.get(f"set_{key}", "").strip() for key in tile.asks}
    values: dict[str, Any] = {key: value for key, value in typed.items() if value}
    secret, client_id = fields.get("secret", "").strip(), fields.get("client_id", "").strip()
    if not kinds or not values.keys() >= set(tile.asks) - tile.optional:
        raise lacking
    if tile.by_browser:
        if not client_id:
            raise lacking
        values["application"] = {"client_id": client_id}
    elif not secret and not all(setup.has_secret(kind, "token") for kind in kinds):
        raise lacking
    setting = "application.client_secret" if tile.by_browser else "token"
    return tuple(SourceWish(kind, values, {setting: secret} if secret else {}) for kind in kinds)


def tile_called(setup: SourceSetup, name: str) -> SetupTile | None:
    """The one with a kind of this name."""
    return next((tile for tile in setup.tiles() if name in tile.titles), None)


def question_in(fields: Mapping[str, str]) -> str:
    """What a form asks."""
    return fields.get("question", "").strip()[:LONGEST_QUESTION]


def refused_setup(visit: Visit, failure: SourceError | OSError, again: str = "/setup") -> Response:
    """What could not be done, and why."""
    said = failure.message if isinstance(failure, SourceError) else f"{failure.strerror}: {failure.filename}"
    message = visit.words["setup failed"].format(reason=said_in(said, visit.language))
    return visit.page("refused.html", 409, heading=visit.words["problem"], message=message, again=again)
