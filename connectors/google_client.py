"""Google's own client: requests of ours as its requests, one by one or in a batch; runs in threads, imported late."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import google_auth_httplib2
import httplib2
from google.auth.exceptions import RefreshError
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build_from_document
from googleapiclient.discovery_cache import get_static_doc
from googleapiclient.errors import BatchError, HttpError
from googleapiclient.http import BatchHttpRequest

from connectors.errors import BadReply, Rejected, SourceError, Unauthenticated
from connectors.exchange import REDIRECTED, HttpRequest, Reply, plain_json, plain_params, reply_from_text
from connectors.google_api import accepts_text
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from connectors.google_api import GoogleApi
    from connectors.google_http import BoundedHttp

UNIVERSE = "googleapis.com"
PLACE = re.compile(r"\{(\+?)(\w+)\}")  # in a path: {name} is one segment, {+name} several

# What Google's parser of batch replies lets through when the reply is not of the documented shape.
MALFORMED = (BatchError, KeyError, ValueError, TypeError, AttributeError, IndexError)


class Route(NamedTuple):
    """A method of the API: how it is asked over HTTP, and its name, such as ``gmail.users.messages.list``."""

    verb: str
    path: re.Pattern[str]
    name: str


class OfficialClient:
    """One API at some address. Holds no connection and no credential, so threads may share it."""

    def __init__(self, api: GoogleApi, base_url: str) -> None:
        document = json.loads(get_static_doc(api.name, api.version))
        root = base_url.rstrip("/")
        options = {"api_endpoint": f"{root}/{document['servicePath']}", "universe_domain": UNIVERSE}
        self._title = api.title
        self._batch_uri = f"{root}/{document['batchPath']}"
        self._routes = tuple(_routes(document, document["servicePath"]))
        self._service = build_from_document(document, http=httplib2.Http(), client_options=options)

    def send(self, request: HttpRequest, http: BoundedHttp, token: str) -> Reply:
        """One exchange; HTTP errors are replies."""
        read = text_reply_of if accepts_text(request) else reply_of
        try:
            reply: Reply = self._official(request, read).execute(http=_authorized(http, token))
        except HttpError as failure:
            return reply_of(failure.resp, failure.content)
        return reply

    def send_batch(self, requests: Sequence[HttpRequest], http: BoundedHttp, token: str) -> list[Reply | SourceError]:
        """All in one exchange, in the order given; a part that failed is a value."""
        outcomes: dict[str, Reply | SourceError] = {}

        def collect(number: str, outcome: Reply | SourceError | None, failure: HttpError | None) -> None:
            if failure is not None:
                outcome = _outcome_of(failure.resp, failure.content)
            outcomes[number] = outcome or BadReply(
                Said("{title} left a part of a batch without an answer").filled(title=self._title)
            )

        batch = BatchHttpRequest(callback=collect, batch_uri=self._batch_uri)
        for number, request in enumerate(requests):
            batch.add(self._official(request, _outcome_of), request_id=str(number))
        try:
            batch.execute(http=_authorized(http, token))
        except MALFORMED:
            problem = BadReply(
                Said("{title} answered a batch in a shape that is not the documented one").filled(title=self._title)
            )
            return [problem] * len(requests)
        except HttpError as failure:
            return [_outcome_of(failure.resp, failure.content)] * len(requests)
        except RefreshError:
            return [
                Unauthenticated(Said("{title} no longer accepts the access token").filled(title=self._title))
            ] * len(requests)
        return [outcomes[str(number)] for number in range(len(requests))]

    def _official(self, request: HttpRequest, read: Callable[[Any, bytes], object]) -> Any:
        """Our request as Google's client builds it, which checks every parameter against the discovery document."""
        for route in self._routes:
            if request.method == route.verb and (found := route.path.fullmatch(request.path)):
                break
        else:
            raise Rejected(
                Said("Google's client knows no {method} {path}").filled(method=request.method, path=request.path)
            )
        resource = self._service
        _, *resources, method = route.name.split(".")
        for name in resources:
            resource = getattr(resource, name)()
        body = {} if request.json is None else {"body": plain_json(request.json)}
        official = getattr(resource, method)(**found.groupdict(), **plain_params(request.params), **body)
        official.headers.update(request.headers)
        official.postproc = read
        return official


def _routes(resource: Mapping[str, Any], root: str) -> Iterator[Route]:
    """Every method in a discovery document, those of inner resources too."""
    for method in resource.get("methods", {}).values():
        yield Route(method["httpMethod"], _path(f"{root}{method['path']}", method.get("parameters", {})), method["id"])
    for inner in resource.get("resources", {}).values():
        yield from _routes(inner, root)


def _path(template: str, parameters: Mapping[str, Any]) -> re.Pattern[str]:
    def place(found: re.Match[str]) -> str:
        several, name = found.groups()
        pattern = parameters[name]["pattern"].removeprefix("^").removesuffix("$") if several else "[^/]+"
        return f"(?P<{name}>{pattern})"

    return re.compile(PLACE.sub(place, template))


def reply_of(response: Mapping[str, str], content: bytes | str) -> Reply:
    """httplib2's response (a mapping of headers and the status) as ours. Raises :class:`BadReply`."""
    return reply_from_text(int(response["status"]), content, response)


def text_reply_of(response: Mapping[str, str], content: bytes) -> Reply:
    """The same where text was asked for; a success that is no text (a login page, say) is a :class:`BadReply`."""
    kind = response.get("content-type", "").partition(";")[0].strip().lower()
    if int(response["status"]) >= REDIRECTED or kind not in ("text/plain", "text/csv"):
        return reply_of(response, content)
    return Reply(int(response["status"]), content.decode("utf-8-sig", "replace"), dict(response))


def _outcome_of(response: Mapping[str, str], content: bytes | str) -> Reply | SourceError:
    """The same as a value: one part of a batch must not hurt the others."""
    try:
        return reply_of(response, content)
    except BadReply as failure:
        return failure


def _authorized(http: BoundedHttp, token: str) -> google_auth_httplib2.AuthorizedHttp:
    """An access token alone cannot be refreshed, so a 401 is the answer and not a reason to try."""
    credentials = Credentials(token=token)  # type: ignore[no-untyped-call]
    return google_auth_httplib2.AuthorizedHttp(credentials, http=http, refresh_status_codes=())
