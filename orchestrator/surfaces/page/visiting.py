"""One request of a browser: who it is, which language it reads, and a reply that browsers treat with care."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from starlette.responses import HTMLResponse, RedirectResponse

from orchestrator.access import KEY_HOLDER, Scope
from orchestrator.surfaces.page.rendering import render, spoken
from orchestrator.surfaces.page.words import words
from translators.said import LANGUAGES, preferred

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from orchestrator.access import Caller, Session
    from orchestrator.surfaces.page.services import PageServices

COOKIE, LANGUAGE_COOKIE = "fedsearch", "fedsearch_language"
GOING_COOKIE = "fedsearch_going"  # where somebody was going when they were shown what they can connect
GOING_LASTING = 3600  # seconds
LANGUAGE_LASTING = 365 * 86_400  # seconds
MOST_FIELDS = 200  # a form that judges names every result of its page
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types fedsearch"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # The page's own forms and links may say where they come from, nobody else is told.
    "Referrer-Policy": "same-origin",
    "Vary": "Accept-Language, Cookie",
}


class Visit:
    """What is known of a browser when its request has come."""

    def __init__(self, request: Request, services: PageServices) -> None:
        self.request = request
        self._services = services
        known = services.sessions.read(request.cookies.get(COOKIE, ""))
        self.session: Session = known or services.sessions.fresh()
        self._is_new = known is None
        self._admitted: Caller | None = None
        chosen = request.cookies.get(LANGUAGE_COOKIE, "")
        self.language = chosen if chosen in LANGUAGES else preferred(request.headers.get("accept-language", ""))
        self.words = words(self.language)

    @property
    def here(self) -> str:
        """The address that was asked for, for forms that come back to it."""
        query = self.request.url.query
        return f"{self.request.url.path}?{query}" if query else self.request.url.path

    @property
    def going_to(self) -> str:
        """Where somebody was going who connects accounts first; empty where nobody was."""
        return self.request.cookies.get(GOING_COOKIE, "")

    def remember(self, reply: Response, address: str) -> None:
        """Remember where somebody was going."""
        self._keep(reply, GOING_COOKIE, address, GOING_LASTING)

    @property
    def is_known(self) -> bool:
        """Whether nobody has to sign in, or this browser has, or the server knows its reader otherwise."""
        return (
            self._admitted is not None
            or self._services.sessions.is_open
            or self._services.sessions.who(self.session) is not None
        )

    @property
    def is_foreign(self) -> bool:
        """Whether another site has sent this request, as far as the browser says."""
        if site := self.request.headers.get("sec-fetch-site"):
            return site not in {"same-origin", "none"}
        origin = self.request.headers.get("origin", "null")
        return origin != "null" and urlsplit(origin).netloc != self.request.headers.get("host", "")

    @property
    def is_private(self) -> bool:
        """Whether browsers reach the page by https alone, so that a cookie may say so."""
        return self._services.secure

    @property
    def may_administer(self) -> bool:
        """Whether the pages of whoever runs this are for whom this is, as far as it is known who that is."""
        return self._may(Scope.ADMIN)

    @property
    def may_define(self) -> bool:
        """Whether they may make digests of their own, as far as it is known who this is."""
        return self._may(Scope.DEFINE) and self._services.defining() is not None

    def _may(self, scope: Scope) -> bool:
        known = self._admitted or self._services.sessions.who(self.session)
        return scope in known.scopes if known is not None else self._services.sessions.is_open

    @property
    def is_first(self) -> bool:
        """Whether there is nobody yet who could sign in, so that whoever knows the code may begin."""
        first = self._services.setup.first
        return first is not None and first.is_open

    @property
    def known_as(self) -> str:
        """How whoever gives roles may name the person whom the server knows this reader as; empty where it is a key."""
        found: Caller | None = self.request.scope.get("caller")
        if found is None or found.principal.id.startswith(KEY_HOLDER):
            return ""
        return found.address or found.principal.id

    async def caller(self, scope: Scope = Scope.SEARCH) -> Caller:
        """Who reads. Raises what the server refuses with."""
        caller = await self._services.admit(self.request, self._services.sessions.who(self.session), scope)
        self._admitted = caller
        return caller

    async def form(self) -> dict[str, str]:
        """The fields of a form; nothing where it was not sent by a form of this browser."""
        try:
            sent = parse_qs((await self.request.body()).decode("ascii"), max_num_fields=MOST_FIELDS)
        except ValueError:
            return {}
        fields = {name: values[0] for name, values in sent.items()}
        own = self.knows_token(fields.get("token", "")) and not self.is_foreign
        return fields if own else {}

    def knows_token(self, token: str) -> bool:
        """Whether this token stands in forms of this browser."""
        return self._services.sessions.sent_by(self.session, token)

    def html(self, template: str, **told: Any) -> str:
        """A whole page."""
        common = {
            "words": spoken(self.language),
            "language": self.language,
            "languages": [(code, each.own_name) for code, each in LANGUAGES.items()],
            "token": self._services.sessions.token(self.session),
            "here": self.request.url.path,
            "back": self.here if self.request.method == "GET" and self.request.url.path != "/sign-in" else "/",
            "entered": self.is_known,
            "can_leave": bool(self.session.key) or self.session.person is not None,
            "reader": self.session.person.principal.name if self.session.person else "",
            "provider": self._services.sign_in.provider if self._services.sign_in else "",
            "has_accounts": self._services.connecting is not None,
            "may_administer": self.may_administer,
            "has_digests": self._services.digests() is not None or self.may_define,
        }
        return render(template, **{**common, **told})

    def page(self, template: str, status: int = 200, **told: Any) -> Response:
        """A whole page as a reply."""
        return self.dressed(HTMLResponse(self.html(template, **told), status))

    def redirect(self, back: str) -> Response:
        """Leads the browser to a place of the page, and to nowhere else."""
        return self.dressed(RedirectResponse(local(back), 303))

    def enter(self, session: Session) -> None:
        """From now on the browser has this session."""
        self.session, self._is_new = session, True

    def dressed(self, reply: Response) -> Response:
        """The reply with what protects it, and with the session where the browser does not have it yet."""
        reply.headers.update(HEADERS)
        if self._is_new:
            sessions = self._services.sessions
            self._keep(reply, COOKIE, sessions.written(self.session), sessions.seconds(self.session))
        return reply

    def speak(self, reply: Response, language: str) -> None:
        """Remember the language that was chosen."""
        self._keep(reply, LANGUAGE_COOKIE, language, LANGUAGE_LASTING)

    def _keep(self, reply: Response, name: str, value: str, seconds: int) -> None:
        reply.set_cookie(name, value, seconds, httponly=True, samesite="lax", secure=self._services.secure)


def local(address: str) -> str:
    """The address if it is one of this page's; else the start page. Browsers take ``//host`` for another's, and so with a backslash."""
    odd = any(sign < "!" or sign in "\\\x7f" for sign in address)
    return address if address.startswith("/") and address[1:2] != "/" and not odd and address.isascii() else "/"
