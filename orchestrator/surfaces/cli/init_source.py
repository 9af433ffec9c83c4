"""One tile of ``fedsearch init``: what it asks, how it is tried at once, and where what was typed is kept; what is said meanwhile."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orchestrator.surfaces.cli.composition import BrowserSignIn
from orchestrator.surfaces.cli.terminal import Terminal, open_in_browser
from translators.said import Phrasebook, Said, said_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from orchestrator.documents.sources import SetupTile, SourceState
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition

MESSAGES: Mapping[str, Said] = {
    "welcome": Said(
        "What shall be asked? Leave with Enter or Ctrl-C whenever you like: what is set up stays, and this goes on."
    ),
    "sandbox": Said("Try it without any account"),
    "sandbox about": Said("a pretend workplace, on this machine alone"),
    "files": Said("Files on this machine"),
    "files about": Said("folders, mailboxes, exports"),
    "ready": Said("connected"),
    "begun": Said("begun: {problem}"),
    "which": Said("Number or name"),
    "no such": Said("there is nothing called {typed} in the list"),
    "which of": Said("Which of them? Numbers with commas; Enter takes all"),
    "path": Said("Folder or file"),
    "nothing there": Said("{path} is not there"),
    "page": Said("the page for it"),
    "scopes": Said("it is to be allowed"),
    "register": Said(
        "register an application of your own there (for Google a desktop app, for Microsoft a public client with the redirect {redirect}), "
        "and have it read what is listed"
    ),
    "base_url": Said("Address of your site, such as {example}"),
    "email": Said("Mail address of your account"),
    "host": Said("Mail server, such as imap.example.org"),
    "username": Said("User name"),
    "org": Said("Organisation to stay inside, as in its address; Enter for none"),
    "token": Said("Token or password (what you type or paste is not shown)"),
    "token there": Said("Token or password (not shown; Enter keeps the one that is there)"),
    "client_id": Said("Client ID of the application"),
    "client_secret": Said("Client secret (not shown; Enter for none, or for the one that is there)"),
    "open": Said("Open this page in a browser on this machine, and allow it there:"),
    "elsewhere": Said("With a browser on another machine, paste here the address at which it ends, and press Enter."),
    "trying": Said("asking {title} whether it takes that"),
    "takes": Said("{title} takes it"),
    "as": Said("as {account}"),
    "refuses": Said("{title} does not work yet: {why}"),
    "again": Said("Enter tries again, k keeps it all the same, b goes back"),
    "question": Said("Ask something that you know is there; Enter goes on without"),
    "kept": Said("kept in {file}"),
    "kept sealed": Said(
        "sealed in {file} (encrypted). The key that opens it is {key}, which only your account on this machine can read: keep a copy of "
        "that somewhere else. Whoever has that account, or administers the machine, can have both."
    ),
    "kept alike": Said("so is this: {file}"),
    "kept keyring": Said(
        "kept in this system's keyring, which is encrypted and opens when you log in; a program of yours can read it then."
    ),
    "kept open": Said(
        "sealed in {file} (encrypted), but others on this machine may be able to read the key that opens it, {key}; move that to a disk "
        "with permissions, and say in FEDSEARCH_SEALING_KEY_FILE where it is."
    ),
    "left": Said("What was set up stays; `fedsearch init` goes on from there."),
    "done": Said("Ask all of them:"),
    "your question": Said("your question"),
    "pretend question": Said("what did we decide about the 2027 pricing start date"),
    "a question to it": Said("A question for it"),
}
EXAMPLES: Mapping[str, str] = {"Atlassian": "https://acme.atlassian.net", "Discourse": "https://forum.example.org"}


@cache
def frame_in(language: str) -> Phrasebook:
    """All of it in one language."""
    return Phrasebook(MESSAGES, language)


KEEP, BACK = "k", "b"


class SetupDialogue:
    """Sets one tile up. What is typed is kept as soon as it stands, so that whoever leaves goes on from there."""

    def __init__(
        self,
        composition: Composition,
        terminal: Terminal,
        words: Phrasebook,
        tile: SetupTile,
        *,
        in_keyring: bool | None,
    ) -> None:
        self._in_keyring = in_keyring
        self._composition = composition
        self._terminal = terminal
        self._words = words
        self._tile = tile
        self._kinds: tuple[str, ...] = ()
        self._said_how = ""  # secrets are kept: once is enough

    def run(self) -> None:
        """From which of its sources to a first question."""
        self._kinds = self._chosen()
        self._introduce()
        self._ask_settings()
        if (self._by_browser if self._tile.by_browser else self._by_token)():
            self._ask_question()

    def _chosen(self) -> tuple[str, ...]:
        kinds = tuple(self._tile.titles)
        if len(kinds) == 1:
            return kinds
        self._terminal.rows([(title, "", "") for title in self._tile.titles.values()])
        while True:
            typed = self._terminal.ask(self._words["which of"]).replace(",", " ").split()
            if all(each.isdecimal() and 0 < int(each) <= len(kinds) for each in typed):
                return tuple(dict.fromkeys(kinds[int(each) - 1] for each in typed)) or kinds

    def _introduce(self) -> None:
        tile, say, words = self._tile, self._terminal.say, self._words
        if tile.by_browser:
            redirect = f"http://localhost/accounts/{self._kinds[0]}/callback"
            say(words["register"].format(redirect=redirect))
        else:
            say(said_in(tile.help, words.language))
        if tile.url:
            say(f"{words['page']}:")
            self._terminal.address(tile.url)
        scopes = dict.fromkeys(scope for kind in self._kinds for scope in tile.scopes[kind])
        if scopes:
            say(f"{words['scopes']}: {', '.join(scopes)}")

    def _ask_settings(self) -> None:
        for key in self._tile.asks:
            label = self._words[key].format(example=EXAMPLES.get(self._tile.title, ""))
            while True:
                value = self._terminal.ask(label, str(self._said().get(key, "")))
                if value and not (wrong := self._wrong(key, value)):
                    self._keep({key: value})
                    break
                if value:
                    self._terminal.say(wrong, "yellow")
                elif key in self._tile.optional:
                    break

    def _said(self) -> Mapping[str, Any]:
        from orchestrator.settings import load_settings

        return load_settings().sources.get(self._kinds[0], {})

    def _wrong(self, key: str, value: str) -> str:
        """What the settings of a source have against a value, by itself."""
        from orchestrator.settings import load_settings

        for kind in self._kinds:
            told = {**load_settings().sources.get(kind, {}), key: value}
            looked_at = self._composition.configured_as(kind, told)
            if looked_at.invalid and looked_at.problem.startswith(f"setting sources.{kind}.{key}:"):
                return said_in(looked_at.problem, self._words.language)
        return ""

    def _by_token(self) -> bool:
        """Whether what was typed works, or is kept all the same."""
        there = bool(self._said().get("token"))
        while True:
            token = self._terminal.ask_hidden(self._words["token there" if there else "token"])
            if not token and not there:
                return False
            if wrong := self._wrong("token", token):
                self._terminal.say(wrong, "yellow")
                continue
            wanted = self._works({"token": token} if token else {})
            if wanted != BACK and token:
                self._keep_secret("token", token)
            if wanted in {"", KEEP}:
                return wanted == ""
            if wanted == BACK:
                return False

    def _by_browser(self) -> bool:
        from connectors.errors import SourceError
        from orchestrator.settings import load_settings

        said = dict(self._said().get("application", {}))
        client_id = self._terminal.ask(self._words["client_id"], said.get("client_id", ""))
        if not client_id:
            return False
        self._keep({"application": {"client_id": client_id}})
        secret = self._terminal.ask_hidden(self._words["client_secret"])
        if secret:
            self._keep_secret("application.client_secret", secret)
        secret = secret or said.get("client_secret", "")
        at = BrowserSignIn(self._show_page, self._terminal.next_line)
        signing_in = self._composition.sign_in(self._kinds, client_id, secret, load_settings(), at)
        try:
            refresh_token = asyncio.run(_done(signing_in))
        except SourceError as failure:
            self._terminal.say(said_in(failure.message, self._words.language), "yellow")
            return False
        elsewhere = {"token_url": said["token_url"]} if said.get("token_url") else {}
        self._keep({"oauth": {"client_id": client_id, **elsewhere}})
        if secret:
            self._keep_secret("oauth.client_secret", secret)
        self._keep_secret("oauth.refresh_token", refresh_token)
        return self._works({}) == ""

    def _show_page(self, url: str) -> None:
        self._terminal.say(self._words["open"])
        self._terminal.address(url)
        self._terminal.say(self._words["elsewhere"], "dim")
        open_in_browser(url)

    # ---- trying

    def _works(self, told: Mapping[str, Any]) -> str:
        """Empty where every source takes what it is told; else what to do: try again, :data:`KEEP` or :data:`BACK`."""
        from orchestrator.surfaces.cli.screen import GOOD, QUIET, WARN

        words, say = self._words, self._terminal.say
        say(f"{words['trying'].format(title=', '.join(self._tile.titles[kind] for kind in self._kinds))} …", QUIET)
        fine = True
        for state in asyncio.run(_probed(self._composition, self._alone(told))):
            if state["status"] == "ok":
                account = f" {words['as'].format(account=state['account'])}" if state["account"] else ""
                say(f"✓ {words['takes'].format(title=state['title'])}{account}", GOOD)
            else:
                fine = False
                say(words["refuses"].format(title=state["title"], why=said_in(state["advice"], words.language)), WARN)
        return "" if fine else self._terminal.ask(words["again"]).lower()[:1] or "again"

    def _alone(self, told: Mapping[str, Any]) -> Settings:
        from orchestrator.settings import load_settings

        layer = {kind: {"enabled": True, **told} for kind in self._kinds}
        return load_settings({"sources": layer}).alone(*self._kinds)

    def _ask_question(self) -> None:
        question = self._terminal.ask(self._words["question"])
        if question:
            asyncio.run(_answered(self._composition, self._alone({}), question))

    # ---- keeping

    def _keep(self, values: Mapping[str, Any]) -> None:
        from orchestrator.settings import keep_source

        files = [keep_source(kind, values) for kind in self._kinds]
        self._tell(files, "kept")

    def _keep_secret(self, setting: str, secret: str) -> None:
        from orchestrator.settings import keep_secret

        wanted = self._in_keyring
        kept = [keep_secret(f"sources.{kind}.{setting}", secret, in_keyring=wanted) for kind in self._kinds]
        if self._said().get("enabled") is False:
            self._keep({"enabled": True})
        how, key = kept[0].how, _short(kept[0].key.path)  # of all of them, which were kept at one moment
        said, self._said_how = self._said_how, how
        self._tell([each.file for each in kept], "kept alike" if how == said else f"kept {how}", key=key)

    def _tell(self, files: list[Path], how: str, **more: str) -> None:
        self._terminal.say(self._words[how].format(file=", ".join(map(_short, files)), **more), "dim")


def _short(path: Path) -> str:
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)


async def _done(work: Any) -> str:
    told: str = await work
    return told


async def _probed(composition: Composition, settings: Settings) -> list[SourceState]:
    from orchestrator.documents.sources import source_states

    async with composition.engine(settings) as engine:
        return (await source_states(engine))["sources"]


async def _answered(composition: Composition, settings: Settings, question: str) -> None:
    from orchestrator.model import Ask
    from orchestrator.surfaces.cli.demo import FIRST, RESULTS
    from orchestrator.surfaces.cli.inputs import read_now
    from orchestrator.surfaces.cli.searching import ask_watching, print_answer

    ask = Ask(question, read_now(None, settings.locale.timezone), limit=RESULTS, budget=FIRST)
    async with composition.engine(settings) as engine:
        await engine.understand(ask)  # loads what would pass for the source's time
        answer = await ask_watching(engine, ask)
    print_answer(answer, ask, as_json=False, with_receipt=False)
