"""One exchange with a service of models over HTTP; its key is in no error and in no repr."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from connectors.contract import Call, Credential
from connectors.errors import SourceError, Unauthenticated
from connectors.http import error_for
from connectors.transport import AiohttpTransport

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import SecretStr

    from connectors.http import HttpRequest

CONCURRENCY = 4

ReadT = TypeVar("ReadT")


def bearer(secret: str) -> Mapping[str, str]:
    """The header that carries a key with most services."""
    return {"Authorization": f"Bearer {secret}"}


class ModelService:
    """``title``: what people call it; ``signed``: the headers that carry the key."""

    def __init__(
        self, title: str, base_url: str, key: SecretStr | None, signed: Callable[[str], Mapping[str, str]] = bearer
    ) -> None:
        self._title = title
        self._base_url = base_url
        self._secret = key.get_secret_value() if key else ""
        self._transport = AiohttpTransport(base_url, signed, CONCURRENCY)

    async def ask(
        self, request: HttpRequest, seconds: float, read: Callable[[object], ReadT], *, what: str = ""
    ) -> ReadT:
        """What ``read`` makes of the body of a success; ``what`` was asked for, where a refusal is to say so. Raises :class:`SourceError`."""
        call = Call(credential=Credential(self._secret) if self._secret else None, timeout=seconds)
        try:
            reply = await self._transport.send(request, call)
            problem = error_for(reply, f"{self._title} answered HTTP {reply.status}{what}")
            if isinstance(problem, Unauthenticated):
                problem = Unauthenticated(f"{problem.message}; is the api_key right?")
            if problem is not None:
                raise problem
            return read(reply.data)
        except SourceError as failure:
            raise failure.without(self._secret) from None

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._base_url!r})"
