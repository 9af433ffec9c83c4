"""The Gemini API with Google search (https://ai.google.dev/gemini-api/docs/google-search) over pages."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from orchestrator.sandbox.corpus import Row
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.pages import Pages
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply

REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
SENTENCE = re.compile(r".+?[.!?。](?=\s|$)|.+", re.DOTALL)
TOKEN = "AIza-sandbox-key-0000"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
MODELS = frozenset({"gemini-2.5-flash", "gemini-2.5-pro", "gemini-2.5-flash-lite"})
PATH = re.compile(r"/v1beta/models/([a-z0-9.-]+)(:generateContent)?")
FIELDS: Mapping[str, frozenset[str]] = {
    "": frozenset(
        {"contents", "tools", "toolConfig", "safetySettings", "systemInstruction", "generationConfig", "cachedContent"}
    ),
    "contents": frozenset({"role", "parts"}),
    "contents.parts": frozenset({"text", "inlineData", "fileData", "thought"}),
    "tools": frozenset({"googleSearch", "functionDeclarations", "codeExecution", "urlContext"}),
    "tools.googleSearch": frozenset({"timeRangeFilter", "searchTypes"}),
    "tools.googleSearch.timeRangeFilter": frozenset({"startTime", "endTime"}),
}
LABEL = re.compile(r"^[\w ]{1,20}:\s*")
MOST_PAGES = 6


def grounded(rows: Sequence[Row], query: str) -> tuple[str, dict[str, Any]]:
    """The first sentence of each page, one after another, and the metadata."""
    chunks, supports = [], []
    text = ""
    for place, row in enumerate(rows):
        found = SENTENCE.match(row.text.strip())
        sentence = found[0].strip() if found else row.title
        text += " " if text else ""
        start = len(text.encode())
        text += sentence
        segment: dict[str, Any] = {"startIndex": start} if start else {}
        segment |= {"endIndex": len(text.encode()), "text": sentence}
        supports.append({"segment": segment, "groundingChunkIndices": [place]})
        chunks.append(
            {"web": {"uri": f"{REDIRECT}{_named(row.url)}", "title": urlsplit(row.url).hostname or row.title}}
        )
    metadata: dict[str, Any] = {"webSearchQueries": [query], "searchEntryPoint": {"renderedContent": "<div></div>"}}
    if chunks:
        metadata |= {"groundingChunks": chunks, "groundingSupports": supports}
    return text or "Nothing was found.", metadata


def _named(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()[:40]


class _Refused(Exception):
    pass


class GeminiEmulator:
    """A model that searches for the last line of what it is told, and answers with what the pages say first."""

    source = "gemini"
    base_path = ""

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN,)
        self._pages = Pages(situation.corpus.of(self.source))

    def answer(self, request: WireRequest) -> WireReply:
        """An answer, a model, or Google's error."""
        found = PATH.fullmatch(request.path)
        if found is None or request.method != ("POST" if found[2] else "GET"):
            return _error(404, "NOT_FOUND", "Requested entity was not found.")
        if request.headers.get("x-goog-api-key") not in self.tokens:
            info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
            return _error(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", info)
        if found[1] not in MODELS:
            return _error(404, "NOT_FOUND", f"models/{found[1]} is not found for API version v1beta")
        if not found[2]:
            return json_reply(200, {"name": f"models/{found[1]}", "version": "001"})
        try:
            return self._generated(request, found[1])
        except _Refused as refusal:
            return _error(400, "INVALID_ARGUMENT", str(refusal))

    def refuse(self, fault: Fault) -> WireReply:
        """An error of the status of the fault, with `RetryInfo` where it throttles."""
        status = fault.refusal or 500
        if status != HTTPStatus.TOO_MANY_REQUESTS:
            return _error(
                status, "UNAVAILABLE" if status == HTTPStatus.SERVICE_UNAVAILABLE else "INTERNAL", "overloaded"
            )
        delay = f"{round(fault.retry_after or 1)}s"
        info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
        return _error(status, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", info)

    def too_large(self) -> WireReply:
        return _error(413, "INVALID_ARGUMENT", "the request is too large")

    def origins(self) -> Mapping[str, str]:
        """By address; what it gives out are redirects, which lead there."""
        return {row.url: row.id for row in self._pages.rows if row.url}

    def _generated(self, request: WireRequest, model: str) -> WireReply:
        body = _checked(request.body)
        told = [part["text"] for content in body["contents"] for part in content["parts"] if "text" in part]
        line = LABEL.sub("", told[-1].strip().splitlines()[-1]) if told and told[-1].strip() else ""
        tool = next((each["googleSearch"] for each in body.get("tools", ()) if "googleSearch" in each), None)
        candidate: dict[str, Any] = {"finishReason": "STOP", "index": 0}
        if tool is None:
            candidate["content"] = {"role": "model", "parts": [{"text": "I was not given a way to search."}]}
            hits = 0
        else:
            found = self._pages.find(line, *_days(tool))[:MOST_PAGES]
            text, metadata = grounded(found, line)
            candidate |= {"content": {"role": "model", "parts": [{"text": text}]}, "groundingMetadata": metadata}
            hits = len(found)
        reply = {"candidates": [candidate], "usageMetadata": {"totalTokenCount": 10}, "modelVersion": model}
        return json_reply(200, reply, asked={"q": line, "tool": tool is not None}, hits=hits)


def _checked(data: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(data)
    except ValueError:
        raise _Refused("Invalid JSON payload received. Unexpected token.") from None
    _check_fields(body, "")
    contents = body.get("contents")
    if not isinstance(contents, list) or not contents:
        raise _Refused("* GenerateContentRequest.contents: contents is not specified")
    for content in contents:
        if content.get("role", "user") not in ("user", "model"):
            raise _Refused("Please use a valid role: user, model.")
        if not content.get("parts"):
            raise _Refused("* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.")
    checked: Mapping[str, Any] = body
    return checked


def _check_fields(value: object, path: str) -> None:
    if path not in FIELDS:
        return
    if not isinstance(value, dict):
        raise _Refused(f"Invalid value at '{path}'")
    for name, inner in value.items():
        if name not in FIELDS[path]:
            raise _Refused(f"Invalid JSON payload received. Unknown name \"{name}\" at '{path}': Cannot find field.")
        for each in inner if isinstance(inner, list) else [inner]:
            _check_fields(each, f"{path}.{name}".lstrip("."))


def _days(tool: Mapping[str, Any]) -> tuple[Any, Any]:
    """The days of a filter, which has both ends or neither."""
    window = tool.get("timeRangeFilter")
    if not window:
        return None, None
    try:
        start, end = (datetime.fromisoformat(window[name]) for name in ("startTime", "endTime"))
    except (KeyError, TypeError, ValueError):
        raise _Refused("time_range_filter: both start_time and end_time must be set") from None
    return start.date(), end.date()


def _error(status: int, name: str, message: str, *details: Mapping[str, Any]) -> WireReply:
    return json_reply(status, {"error": {"code": status, "message": message, "status": name, "details": list(details)}})


EMULATOR = GeminiEmulator
