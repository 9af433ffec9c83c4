"""Setting sources up on a page: what can be, what each asks for, what it found when it was tried, and kept only then."""

from __future__ import annotations

import asyncio
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from connectors.errors import SourceError
from connectors.text import is_loopback
from orchestrator.access import Caller, Scope
from orchestrator.documents.plain import link_of
from orchestrator.documents.sources import SourceWish, read_counts
from orchestrator.model import Principal
from orchestrator.surfaces.page.receipt_view import source_row
from orchestrator.surfaces.page.signing_in import forged
from translators.records import record
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.responses import Response

    from orchestrator.documents.sources import SetupTile, SetupTrial
    from orchestrator.model import Result
    from orchestrator.surfaces.page.services import PageServices, SourceSetup
    from orchestrator.surfaces.page.visiting import Visit

CALLBACK = "/setup/callback"
NOTHING: Mapping[str, str] = MappingProxyType({})
TICKET_LASTING = 600  # seconds
BY_CODE = Caller(Principal("setup"), frozenset())  # whoever makes the first key, before there is any
DONE: Mapping[str, str] = {
    "on": "source switched on",
    "off": "source switched off",
    "remove": "source removed",
}
EXAMPLES: Mapping[str, str] = {"base_url": "https://acme.atlassian.net", "host": "imap.example.org"}


async def show_setup(visit: Visit, services: PageServices) -> Response:
    """What can be set up, and how far each is; where nobody can sign in yet, the question for the code."""
    if visit.is_first and not visit.is_known:
        return _ask_for_code(visit, 200, "")
    await visit.caller(Scope.ADMIN)
    try:
        return await asyncio.to_thread(_tiles_page, visit, services.setup)
    except (SourceError, OSError) as failure:
        return refused_setup(visit, failure)


async def enter_code(visit: Visit, services: PageServices) -> Response:
    """The code that the server printed, for the first key and a session by it."""
    fields, first = await visit.form(), services.setup.first
    if not fields or first is None:
        return forged(visit)
    text = ""
    if first.knows(fields.get("code", "")):
        await services.admin.noted(visit.request, BY_CODE, "key made", "setup (by the code that the server printed)")
        text = await asyncio.to_thread(first.enter)
    session = services.sessions.enter(text) if text else None
    if session is None:
        return _ask_for_code(visit, 401, "setup code wrong") if first.is_open else visit.redirect("/sign-in")
    visit.enter(session)
    return visit.page("setup_key.html", made=text)


async def show_tile(visit: Visit, services: PageServices) -> Response:
    """What one of them asks for."""
    await visit.caller(Scope.ADMIN)
    name = visit.request.path_params["tile"]
    try:
        return await asyncio.to_thread(_tile_page, visit, services.setup, name)
    except (SourceError, OSError) as failure:
        return refused_setup(visit, failure)


async def change_setup(visit: Visit, services: PageServices) -> Response:
    """Try what was typed, keep what was tried, or go and sign in at a vendor."""
    caller, fields = await visit.caller(Scope.ADMIN), await visit.form()
    trying = SourceTrying(visit, services, caller, visit.request.path_params["tile"], question_in(fields))
    try:
        return await _changed(trying, fields) or forged(visit)
    except NotTyped as failure:
        return await asyncio.to_thread(_tile_page, visit, services.setup, trying.tile, failure.said, fields)
    except (SourceError, OSError) as failure:
        return refused_setup(visit, failure, f"/setup/{trying.tile}")


async def _changed(trying: SourceTrying, fields: Mapping[str, str]) -> Response | None:
    """``None`` for what no form of ours sends."""
    visit, setup, wish = trying.visit, trying.services.setup, fields.get("do", "")
    if wish in {"again", "keep"}:
        wishes = setup.held(fields.get("held", ""), visit.session.nonce)
        return await (trying.keep(wishes) if wish == "keep" else trying.ask(wishes)) if wishes else None
    if wish not in {"try", "leave"}:
        return None
    if trying.tile == SANDBOX:
        return await trying.pretend()
    wishes = await asyncio.to_thread(typed_wishes, visit, setup, trying.tile, fields)
    if wish == "try":
        return await trying.ask(wishes)
    await trying.begin(wishes)
    return await asyncio.to_thread(_leaving, visit, setup, trying.tile, fields, wishes)


async def return_to_setup(visit: Visit, services: PageServices) -> Response:
    """Back from a vendor: what was allowed is tried, and kept by the form that comes then."""
    caller, told = await visit.caller(Scope.ADMIN), visit.request.query_params
    state, code = told.get("state", ""), "" if "error" in told else told.get("code", "")
    cookie = services.setup.cookie(state)
    try:
        wishes = await services.setup.returned(state, code, visit.request.cookies.get(cookie, ""), visit.session.nonce)
        reply = await SourceTrying(visit, services, caller, wishes[0].name, "").ask(wishes)
    except (SourceError, OSError) as failure:
        reply = refused_setup(visit, failure)
    reply.delete_cookie(cookie, path="/", secure=visit.is_private, httponly=True, samesite="lax")
    return reply


async def switch_source(visit: Visit, services: PageServices) -> Response:
    """Ask a source no more, or again; or take one away that is asked no more."""
    caller, fields = await visit.caller(Scope.ADMIN), await visit.form()
    name, wish = fields.get("source", ""), fields.get("do", "")
    try:
        configured = {each.name: each for each in await asyncio.to_thread(services.setup.configured)}
        if wish == "remove" and (name not in configured or configured[name].enabled):
            return visit.redirect("/admin/sources")  # somebody else was quicker
        if wish not in DONE or name not in configured:
            return forged(visit)
        noted = partial(services.admin.noted, visit.request, caller, DONE[wish], name)
        if wish == "remove":
            await services.setup.remove(name, noted)
        else:
            await noted()
            await services.setup.switch(name, on=wish == "on")
    except (SourceError, OSError) as failure:
        return refused_setup(visit, failure, "/admin/sources")
    return visit.redirect("/admin/sources")


# ---- signing in at a vendor


def _leaving(
    visit: Visit, setup: SourceSetup, name: str, fields: Mapping[str, str], wishes: Sequence[SourceWish]
) -> Response:
    """A link to follow: browsers that are told to send forms to this host alone follow no redirect of one elsewhere."""
    tile, back = tile_called(setup, name), _back_to(visit, setup)
    if tile is None or not back:
        raise NotTyped(visit.words["setup no address"])
    kinds = [wish.name for wish in wishes]
    departure = setup.leave(
        kinds, fields["client_id"].strip(), fields.get("secret", "").strip(), back, visit.session.nonce
    )
    reply = visit.page("setup_leaving.html", url=departure.url, title=tile.title)
    reply.set_cookie(
        setup.cookie(departure.state),
        departure.ticket,
        TICKET_LASTING,
        path="/",
        secure=visit.is_private,
        httponly=True,
        samesite="lax",
    )
    return reply


def _back_to(visit: Visit, setup: SourceSetup) -> str:
    """Where a vendor sends people back to: the address that is set, else this machine as the browser called it."""
    if setup.address:
        return setup.address + CALLBACK
    host = visit.request.headers.get("host", "")
    return f"http://{host}{CALLBACK}" if is_loopback(urlsplit(f"//{host}").hostname or "") else ""


# ---- pages: what they tell is read from disks, and the kinds of sources are loaded when somebody first looks, so off the event loop


def _tiles_page(visit: Visit, setup: SourceSetup) -> Response:
    configured = setup.configured()
    found = {each.kind: each for each in configured if each.enabled}
    rows = [
        _tile_row(tile, [found[kind].problem for kind in tile.titles if kind in found], visit) for tile in setup.tiles()
    ]
    return visit.page("setup.html", tiles=rows, declared=[each for each in configured if setup.text(each.name)])


def _tile_page(
    visit: Visit, setup: SourceSetup, name: str, message: str = "", typed: Mapping[str, str] = NOTHING
) -> Response:
    """What it asks for. Whoever ``typed`` what cannot be has all of it there again but secrets, with what is wrong (``message``)."""
    status = 400 if message else 200
    if name == SANDBOX:
        return visit.page("setup_sandbox.html", status, message=message)
    if name == DECLARED:
        source = visit.request.query_params.get("name", "")
        known = {each.name for each in setup.configured()}
        text = setup.text(source) if source in known else ""
        there = {"name": source if text else "", "text": text, "question": ""}
        return visit.page("setup_declared.html", status, message=message, **_again(there, typed))
    tile = tile_called(setup, name)
    if tile is None:
        return visit.page(
            "refused.html", 404, heading=visit.words["problem"], message=visit.words["setup none"], again="/setup"
        )
    said = setup.said(name)
    asks = [
        (
            key,
            visit.words[f"setup {key}"].format(example=EXAMPLES.get(key, "")),
            typed.get(f"set_{key}", said.get(key, "")),
            key not in tile.optional,
        )
        for key in tile.asks
    ]
    host = urlsplit(f"//{visit.request.headers.get('host', '')}")
    elsewhere = tile.by_browser and not setup.address and tile.loopback != host.hostname == "127.0.0.1"
    told: dict[str, Any] = {
        "tile": tile,
        "name": name,
        "help": said_in(tile.help, visit.language),
        "scopes": list(dict.fromkeys(scope for scopes in tile.scopes.values() for scope in scopes)),
        "asks": asks,
        **_again(
            {
                "client_id": said.get("application", {}).get("client_id", "") if tile.by_browser else "",
                "question": "",
            },
            typed,
        ),
        "kept": setup.has_secret(name, "application.client_secret" if tile.by_browser else "token"),
        "redirect": _back_to(visit, setup),
        "better": f"http://{tile.loopback}:{host.port}/setup/{name}" if elsewhere else "",
        "message": message,
    }
    return visit.page("setup_tile.html", status, **told)


def _again(there: dict[str, str], typed: Mapping[str, str]) -> dict[str, str]:
    """What fields hold: what was typed into them, else what is there."""
    return {key: typed.get(key, value) for key, value in there.items()}


def _tile_row(tile: SetupTile, problems: Sequence[str], visit: Visit) -> dict[str, Any]:
    about = ", ".join(tile.titles.values()) if len(tile.titles) > 1 else ""
    state, tone = "", "quiet"
    if problems:
        ready = not all(problems)
        state = (
            visit.words["setup ready"]
            if ready
            else visit.words["setup begun"].format(problem=said_in(problems[0], visit.language))
        )
        tone = "good" if ready else "fair"
    return {"name": next(iter(tile.titles)), "title": tile.title, "about": about, "state": state, "tone": tone}


def _ask_for_code(visit: Visit, status: int, said: str) -> Response:
    return visit.page("setup_code.html", status, message=visit.words[said] if said else "")


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
