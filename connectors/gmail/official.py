"""Google's own client: requests of ours as its requests, one by one or in a batch; runs in threads, imported late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import google_auth_httplib2
import httplib2
from google.auth.exceptions import RefreshError
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import BatchError, HttpError
from googleapiclient.http import BatchHttpRequest

from connectors.errors import BadReply, Rejected, SourceError, Unauthenticated
from connectors.http import HttpRequest, Reply, plain_params, reply_from_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from connectors.gmail.bounded import BoundedHttp

UNIVERSE = "googleapis.com"

# What Google's parser of batch replies lets through when the reply is not of the documented shape.
MALFORMED = (BatchError, KeyError, ValueError, TypeError, AttributeError, IndexError)


class OfficialClient:
    """The service ``gmail v1`` at some address. Holds no connection and no credential, so threads may share it."""

    def __init__(self, base_url: str) -> None:
        root = base_url.rstrip("/")
        options = {"api_endpoint": f"{root}/", "universe_domain": UNIVERSE}
        self._batch_uri = f"{root}/batch"
        self._service = build(
            "gmail", "v1", http=httplib2.Http(), static_discovery=True, cache_discovery=False, client_options=options
        )

    def send(self, request: HttpRequest, http: BoundedHttp, token: str) -> Reply:
        """One exchange; HTTP errors are replies."""
        try:
            reply: Reply = self._official(request, reply_of).execute(http=_authorized(http, token))
        except HttpError as failure:
            return reply_of(failure.resp, failure.content)
        return reply

    def send_batch(self, requests: Sequence[HttpRequest], http: BoundedHttp, token: str) -> list[Reply | SourceError]:
        """All in one exchange, in the order given; a part that failed is a value."""
        outcomes: dict[str, Reply | SourceError] = {}

        def collect(number: str, outcome: Reply | SourceError | None, failure: HttpError | None) -> None:
            if failure is not None:
                outcome = _outcome_of(failure.resp, failure.content)
            outcomes[number] = outcome or BadReply("Gmail left a part of a batch without an answer")

        batch = BatchHttpRequest(callback=collect, batch_uri=self._batch_uri)
        for number, request in enumerate(requests):
            batch.add(self._official(request, _outcome_of), request_id=str(number))
        try:
            batch.execute(http=_authorized(http, token))
        except MALFORMED:
            return [BadReply("Gmail answered a batch in a shape that is not the documented one")] * len(requests)
        except HttpError as failure:
            return [_outcome_of(failure.resp, failure.content)] * len(requests)
        except RefreshError:
            return [Unauthenticated("Gmail no longer accepts the access token")] * len(requests)
        return [outcomes[str(number)] for number in range(len(requests))]

    def _official(self, request: HttpRequest, read: Callable[[Any, bytes], object]) -> Any:
        """Our request as Google's client builds it, which checks every parameter against the discovery document."""
        users = self._service.users()
        given = plain_params(request.params)
        match request.path.split("/"):
            case ["gmail", "v1", "users", user, "messages"]:
                official = users.messages().list(userId=user, **given)
            case ["gmail", "v1", "users", user, "messages", message]:
                official = users.messages().get(userId=user, id=message, **given)
            case ["gmail", "v1", "users", user, "profile"]:
                official = users.getProfile(userId=user, **given)
            case _:
                raise Rejected(f"Google's client is not used for {request.path}")
        official.postproc = read
        return official


def reply_of(response: Mapping[str, str], content: bytes | str) -> Reply:
    """httplib2's response (a mapping of headers and the status) as ours. Raises :class:`BadReply`."""
    return reply_from_text(int(response["status"]), content, response)


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
