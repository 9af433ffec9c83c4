"""The page's addresses, and what stands at each."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import Match, Route

from orchestrator.access import Scope
from orchestrator.access.sign_in import CALLBACK
from orchestrator.model import Ask
from orchestrator.surfaces.page.accounts import change_account, show_accounts
from orchestrator.surfaces.page.admin import (
    change_keys,
    change_roles,
    show_access,
    show_admin_sources,
    show_all_digests,
    show_usage,
)
from orchestrator.surfaces.page.answer_view import AnswerView, Teller
from orchestrator.surfaces.page.asked import asked_of
from orchestrator.surfaces.page.digest_form import FORM, keep_digest, show_digest_form
from orchestrator.surfaces.page.digests import change_digest, preview_digest, show_digests
from orchestrator.surfaces.page.personal_data import forget_kept, show_kept
from orchestrator.surfaces.page.receipt_view import source_row
from orchestrator.surfaces.page.rendering import GAP, prepare, static_files
from orchestrator.surfaces.page.services import Judgment
from orchestrator.surfaces.page.setup import CALLBACK as SETUP_CALLBACK
from orchestrator.surfaces.page.setup import (
    change_setup,
    enter_code,
    return_to_setup,
    show_setup,
    show_tile,
    switch_source,
)
from orchestrator.surfaces.page.signing_in import (
    ask_to_sign_in,
    enter,
    forged,
    leave,
    leave_for_provider,
    return_from_provider,
    show_sign_in,
)
from orchestrator.surfaces.page.visiting import Visit, local
from orchestrator.surfaces.page.words import said_problem
from translators.said import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from starlette.requests import Request
    from starlette.types import Scope as ASGIScope

    from orchestrator.surfaces.page.asked import PageQuestion
    from orchestrator.surfaces.page.services import PageServices

    Show = Callable[[Visit, PageServices], Awaitable[Response]]

VERDICTS = ("right", "wrong", "outdated", "incomplete", "opened", "copied")
UNKNOWN = frozenset({"no_key", "bad_key"})  # refusals that a key typed here may end
PASSING = frozenset({"not_ready", "too_many_requests", "too_many_streams"})  # after which the same may be asked again
FOREVER = "public, max-age=31536000, immutable"


class PageRoute(Route):
    """A route that shows refusals as pages, and that figures and the log know by its pattern."""

    services: PageServices

    def matches(self, scope: ASGIScope) -> tuple[Match, ASGIScope]:
        """As every route does."""
        match, found = super().matches(scope)
        return match, found if match is Match.NONE else {**found, "route": self, "refused": self.refused}

    def refused(self, request: Request, status: int, code: str, detail: str, headers: Mapping[str, str]) -> Response:
        """What the server refuses, in words for people; who is not known is asked for a key."""
        visit = Visit(request, self.services)
        if code in UNKNOWN:
            return ask_to_sign_in(visit, status, "bad key" if visit.session.key else "", headers)
        if code == "missing_scope" and visit.known_as:
            detail = visit.words["missing role"].format(who=visit.known_as)
            code = ""
        said = said_problem(visit.words, code, detail, _request_id(visit), headers.get("Retry-After", "1"))
        heading = visit.words["cannot ask" if code in ("bad_ask", "too_costly") else "problem"]
        again = visit.here if code in PASSING and request.method == "GET" else "/"
        reply = visit.page("refused.html", status, heading=heading, message=said, again=again)
        reply.headers.update({name: value for name, value in headers.items() if name.lower() != "www-authenticate"})
        return reply


def page_routes(services: PageServices) -> tuple[Route, ...]:
    """Everything that people open, beside the routes that programs use."""
    prepare()
    shown: tuple[tuple[str, str, Show], ...] = (
        ("/", "GET", _search),
        ("/search/stream", "GET", _stream),
        ("/sources", "GET", _sources),
        ("/accounts", "GET", show_accounts),
        ("/accounts", "POST", change_account),
        (FORM, "GET", show_digest_form),
        (FORM, "POST", keep_digest),
        ("/digests", "GET", show_digests),
        ("/digests", "POST", change_digest),
        ("/digests/{name:path}", "GET", preview_digest),
        ("/kept", "GET", show_kept),
        ("/kept", "POST", forget_kept),
        ("/admin", "GET", show_usage),
        ("/admin/sources", "GET", show_admin_sources),
        ("/admin/sources", "POST", switch_source),
        ("/admin/access", "GET", show_access),
        ("/admin/access", "POST", change_keys),
        ("/admin/roles", "POST", change_roles),
        ("/admin/digests", "GET", show_all_digests),
        ("/setup", "GET", show_setup),
        ("/setup/code", "POST", enter_code),
        (SETUP_CALLBACK, "GET", return_to_setup),
        ("/setup/{tile}", "GET", show_tile),
        ("/setup/{tile}", "POST", change_setup),
        ("/sign-in", "GET", show_sign_in),
        ("/sign-in", "POST", enter),
        ("/sign-in/provider", "GET", leave_for_provider),
        (CALLBACK, "GET", return_from_provider),
        ("/sign-out", "POST", leave),
        ("/language", "POST", _speak),
        ("/feedback", "POST", _judge),
        ("/static/{name}", "GET", _static),
    )
    return tuple(_route(path, method, show, services) for path, method, show in shown)


def _route(path: str, method: str, show: Show, services: PageServices) -> Route:
    async def endpoint(request: Request) -> Response:
        return await show(Visit(request, services), services)

    route = PageRoute(path, endpoint, methods=[method])
    route.services = services
    return route


async def _search(visit: Visit, services: PageServices) -> Response:
    """The start page, or the answer to the question in the address, as it grows."""
    await visit.caller()
    asked = asked_of(visit.request.query_params)
    told: dict[str, Any] = {"asked": asked, "zone": _zone(services)}
    if not asked.question or visit.request.method == "HEAD":
        return visit.page("home.html", has_sources=services.has_sources(), **told)
    ask, teller = await _asking(visit, services, asked)
    events = services.events(ask, _request_id(visit))
    head, _, tail = visit.html("search.html", **told).partition(GAP)
    return visit.dressed(services.growing(_chunks(head, teller, events, tail)))


async def _chunks(
    head: str, teller: Teller, events: AsyncIterator[tuple[str, object]], tail: str
) -> AsyncIterator[bytes]:
    yield head.encode()
    async with aclosing(teller.growing(events)) as growing:  # type: ignore[type-var]
        async for part in growing:
            yield part.encode("utf-8", "replace")
    yield tail.encode()


async def _stream(visit: Visit, services: PageServices) -> Response:
    """The same for the page's script: one event after the other, taken up again where the connection was lost."""
    if visit.is_foreign:
        return forged(visit)
    ask, teller = await _asking(visit, services, asked_of(visit.request.query_params))
    return visit.dressed(services.stream(visit.request, ask, teller.told))


async def _asking(visit: Visit, services: PageServices, asked: PageQuestion) -> tuple[Ask, Teller]:
    caller = await visit.caller()
    now = services.clock().astimezone(asked.timezone) if asked.timezone else services.clock()
    ask = Ask(
        asked.question, now, caller.principal, (), asked.limit, services.budget,
        conversation=asked.conversation, language=visit.language,
    )  # fmt: skip
    shown = AnswerView(asked, visit.words, visit.language, now)
    return ask, Teller(shown, services.sessions.token(visit.session), asked.address(), _request_id(visit))


async def _sources(visit: Visit, services: PageServices) -> Response:
    """How every source does."""
    caller = await visit.caller(Scope.SOURCES)
    states = await services.sources(caller)
    return visit.page("sources.html", sources=[source_row(each, visit.language) for each in states["sources"]])


async def _speak(visit: Visit, services: PageServices) -> Response:  # noqa: ARG001 - every address takes both
    """Change the language of the page."""
    fields = await visit.form()
    if fields.get("language", "") not in LANGUAGES:
        return forged(visit)
    reply = visit.redirect(fields.get("back", "/"))
    visit.speak(reply, fields["language"])
    return reply


async def _judge(visit: Visit, services: PageServices) -> Response:
    """Note what a reader thought of a result: its button holds a verdict and a number, the form what the number is.

    What they did with one, the script tells by the same form.
    """
    fields = await visit.form()
    verdict, _, number = fields.get("judgment", "").partition(" ")
    source, _, found = fields.get(f"r{number}", "").partition(" ")
    if verdict not in VERDICTS or not source or not found or not fields.get("question"):
        return forged(visit)
    await services.judged(await visit.caller(), Judgment(fields["question"], verdict, source[:100], found[:500]))
    if visit.request.headers.get("accept") == "application/json":
        return visit.dressed(Response(status_code=204))
    return visit.page("noted.html", again=local(fields.get("back", "/")))


async def _static(visit: Visit, services: PageServices) -> Response:  # noqa: ARG001 - every address takes both
    """A file of the page; its name changes with it, so that it can be kept for ever."""
    file = static_files().get(visit.request.path_params["name"])
    if file is None:
        return Response(status_code=404)
    packed = "gzip" in visit.request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": FOREVER, "Vary": "Accept-Encoding"}
    headers |= {"Content-Encoding": "gzip"} if packed else {}
    return Response(file.packed if packed else file.body, headers=headers, media_type=file.media_type)


def _request_id(visit: Visit) -> str:
    return str(visit.request.scope.get("request_id", ""))


def _zone(services: PageServices) -> str:
    return str(getattr(services.clock().tzinfo, "key", ""))
