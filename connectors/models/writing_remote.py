"""Writers over HTTP: OpenAI's chat completions, which many servers speak, and Gemini's ``generateContent``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from connectors.errors import BadReply, Misconfigured
from connectors.http import HttpRequest
from connectors.models.service import ModelService, bearer
from connectors.wire import Wire, read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.models.writing import Prompt, WriterSettings
    from translators.translator import Json


class RemoteWriter(ABC):
    """What both services share: where they are, and that there must be a text."""

    title: ClassVar[str]
    maker: ClassVar[str]
    default_url: ClassVar[str]

    def __init__(self, model: str, settings: WriterSettings) -> None:
        self.name = f"{self.maker}/{model}"
        if not settings.api_key and not settings.base_url:
            raise Misconfigured(f"{self.name} needs an api_key of {self.title}; put it in the environment")
        self._model = model
        self._tokens = settings.tokens
        self._base_url = settings.base_url or self.default_url
        self._service = ModelService(self.title, self._base_url, settings.api_key, self.authorization)

    @staticmethod
    @abstractmethod
    def authorization(secret: str) -> Mapping[str, str]:
        """The headers that carry the key."""

    @abstractmethod
    def request(self, prompt: Prompt) -> HttpRequest:
        """What is sent."""

    @abstractmethod
    def read(self, data: object) -> str:
        """The text of a successful reply; raises :class:`BadReply`."""

    async def write(self, prompt: Prompt, patience: float) -> str:
        """One exchange; it is not repeated, since the time is the question's."""
        text = (await self._service.ask(self.request(prompt), patience, self.read)).strip()
        if not text:
            raise BadReply(f"{self.title} wrote nothing")
        return text

    async def aclose(self) -> None:
        """Close the connections."""
        await self._service.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self._base_url!r})"


class ChatMessage(Wire):
    """What the model said; ``None`` where it called a tool or refused instead."""

    content: str | None = None


class ChatChoice(Wire):
    """One of the answers; ``finish_reason`` is ``stop`` for one that is complete."""

    message: ChatMessage
    finish_reason: str | None = None


class ChatCompletion(Wire):
    """The reply of ``POST /chat/completions``."""

    choices: list[ChatChoice]


class OpenAIWriter(RemoteWriter):
    """https://platform.openai.com/docs/api-reference/chat/create."""

    title = "the chat completions service"
    maker = "openai"
    default_url = "https://api.openai.com/v1"

    authorization = staticmethod(bearer)

    def request(self, prompt: Prompt) -> HttpRequest:
        messages: list[Json] = [
            {"role": "system", "content": prompt.instructions},
            {"role": "user", "content": prompt.material},
        ]
        body: Json = {"model": self._model, "messages": messages, "temperature": 0, "max_tokens": self._tokens}
        return HttpRequest("POST", "chat/completions", json=body)

    def read(self, data: object) -> str:
        choices = read(ChatCompletion, data, self.title).choices
        return (choices[0].message.content or "") if choices else ""


class GeminiPart(Wire):
    """A part of a text; ``thought``: the model thinking aloud, which is no answer."""

    text: str | None = None
    thought: bool | None = None


class GeminiContent(Wire):
    """Parts in order; none where nothing was generated."""

    parts: list[GeminiPart] | None = None


class GeminiCandidate(Wire):
    """One answer; without content where it was withheld."""

    content: GeminiContent | None = None


class GeminiReply(Wire):
    """The reply of ``generateContent``; without candidates where the prompt was refused."""

    candidates: list[GeminiCandidate] | None = None


class GeminiWriter(RemoteWriter):
    """https://ai.google.dev/api/generate-content; the same request is understood by Vertex AI under its own address."""

    title = "Gemini"
    maker = "gemini"
    default_url = "https://generativelanguage.googleapis.com/v1beta"

    @staticmethod
    def authorization(secret: str) -> Mapping[str, str]:
        return {"x-goog-api-key": secret}

    def request(self, prompt: Prompt) -> HttpRequest:
        body: Json = {
            "systemInstruction": {"parts": [{"text": prompt.instructions}]},
            "contents": [{"role": "user", "parts": [{"text": prompt.material}]}],
            "generationConfig": {"temperature": 0, "candidateCount": 1, "maxOutputTokens": self._tokens},
        }
        return HttpRequest("POST", f"models/{quote(self._model, safe='')}:generateContent", json=body)

    def read(self, data: object) -> str:
        candidates = read(GeminiReply, data, self.title).candidates or []
        content = candidates[0].content if candidates else None
        return "".join(part.text or "" for part in (content.parts if content else None) or [] if not part.thought)
