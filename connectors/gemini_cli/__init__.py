"""The Gemini CLI: started once a question, without a terminal, it searches Google and names the pages that it found.

https://geminicli.com/docs/cli/headless
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from connectors.auth import signer_for
from connectors.contract import Call, Health, HitPage, SourceDirectory
from connectors.errors import Rejected, SourceError, Unauthenticated, Unavailable, advised
from connectors.gemini.wire import wish
from connectors.gemini_cli.pages import pages
from connectors.gemini_cli.program import Ended, run
from connectors.gemini_cli.settings import GeminiCliSettings
from connectors.gemini_cli.wire import error_from, failure, printed, streamed
from connectors.manifest import load_manifest
from connectors.text import quote, sendable
from connectors.web_search import NO_WORDS
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from translators.translator import NativeQuery

LIST = "\n\nSet [1], [2] and so on behind what they bear out, and end with the pages, one a line: [1] title (address)"
INSTALL = Said("install it (npm install -g @google/gemini-cli, which needs Node.js 20), or set command to where it is")
KEPT = (
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "SYSTEMROOT",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "NODE_EXTRA_CA_CERTS",
)
# It is an agent with tools for files and for shells. Of all of them it gets the one that searches:
# https://geminicli.com/docs/reference/configuration (tools.core), in a folder where there is nothing else.
ONLY_SEARCH = json.dumps({"tools": {"core": ["google_web_search"]}})
LONGEST = 8000  # characters of a question, far from what an argument may hold


class GeminiCliSource:
    """One installation, signed in by a key or by its owner."""

    manifest = load_manifest("connectors.gemini_cli")
    settings_type = GeminiCliSettings

    def __init__(self, name: str, settings: GeminiCliSettings) -> None:
        self.name = name
        self.settings = settings
        self.manifest = settings.described(type(self).manifest)
        self._signer = signer_for(name, self.manifest, settings)

    async def prepare(self) -> None:
        """Nothing takes long before the program starts."""

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """One start of the program. There is no second page."""
        if not native.text.strip():
            return HitPage(notes=(NO_WORDS,))
        model = ("--model", self.settings.model) if self.settings.model else ()
        options = ("--output-format", self.settings.format, *model)
        ended, secret = await self._run(("--prompt", asked(native), *options), call)
        try:
            answer = self._answer(ended, str(native))
        except SourceError as problem:
            raise self._advised(problem).without(secret) from None
        hits = pages(answer)[: self.manifest.limits.hits(call.limit)]
        said = (
            ()
            if hits or not answer
            else (Said("the Gemini CLI named no page; it said: {said}").filled(said=quote(answer)),)
        )
        return HitPage(tuple(replace(hit, source=self.name, rank=rank) for rank, hit in enumerate(hits, 1)), notes=said)

    async def directory(self, call: Call) -> SourceDirectory:  # noqa: ARG002 — the web lists nobody
        """Nobody is known by name."""
        return SourceDirectory()

    async def probe(self, call: Call) -> Health:
        """Its version. Whether it is signed in shows with the first question only: each costs."""
        ended, secret = await self._run(("--version",), call)
        if ended.status:
            raise self._advised(error_from(ended.status, failure(_text(ended.errors)))).without(secret)
        return Health(ok=True, detail=quote(_text(ended.output)))

    async def aclose(self) -> None:
        """Nothing stays between questions."""

    # ---- running

    async def _run(self, arguments: Sequence[str], call: Call) -> tuple[Ended, str]:
        program, *before = self.settings.command
        found = shutil.which(program)
        if found is None:
            raise Unavailable(
                Said("{program} is not installed here; {install}").filled(program=program, install=INSTALL)
            )
        secret = call.credential.secret if call.credential else await self._signer.secret() if self._signer else ""
        await call.turn()
        folder = await asyncio.to_thread(_workspace)
        try:
            environment = {**dict(_inherited()), **self.settings.env, **({"GEMINI_API_KEY": secret} if secret else {})}
            return await run((found, *before, *arguments), environment, Path(folder.name), call.timeout), secret
        except OSError as problem:
            raise Unavailable(
                Said("{program} cannot be started ({failure}); {install}").filled(
                    program=program, failure=type(problem).__name__, install=INSTALL
                )
            ) from None
        finally:
            folder.cleanup()

    def _answer(self, ended: Ended, native: str) -> str:
        """What it said. Raises what went wrong."""
        if ended.status:
            problem = failure(_text(ended.errors))
            if not problem.message:
                problem = failure(_text(ended.output))
            raise _with_native(error_from(ended.status, problem), native)
        said = streamed(_text(ended.output)) if self.settings.format == "stream-json" else printed(_text(ended.output))
        if said.error is not None:
            raise _with_native(error_from(ended.status, said.error), native)
        return said.response

    def _advised(self, problem: SourceError) -> SourceError:
        signed_out = isinstance(problem, Unauthenticated)
        return Unauthenticated(advised(problem.message, self.manifest.auth.help)) if signed_out else problem

    def __repr__(self) -> str:
        return f"GeminiCliSource({self.name!r}, {self.settings.command[0]!r})"


def asked(native: NativeQuery) -> str:
    """The prompt. A ``@`` in a prompt makes the CLI read a file, so there is none; nor is there what no argument holds."""
    said = wish(replace(native, text=native.text[:LONGEST]))
    return sendable(f"{said}{LIST}").replace("@", " ").replace("\0", " ")


def _workspace() -> tempfile.TemporaryDirectory[str]:
    folder = tempfile.TemporaryDirectory(prefix="fedsearch-")
    settings = Path(folder.name) / ".gemini"
    settings.mkdir()
    (settings / "settings.json").write_text(ONLY_SEARCH, "utf-8")
    return folder


def _inherited() -> Iterator[tuple[str, str]]:
    """Of our environment what any program needs; our own settings, secrets among them, are not its business."""
    environment: Mapping[str, str] = os.environ
    yield from ((name, environment[name]) for name in KEPT if name in environment)


def _with_native(problem: SourceError, native: str) -> SourceError:
    return Rejected(problem.message, native) if isinstance(problem, Rejected) else problem


def _text(printed: bytes) -> str:
    return printed.decode("utf-8", "replace").strip()


SOURCE = GeminiCliSource
