"""What ``fedsearch init`` says, in the language of whoever sits at the terminal."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from translators.said import Phrasebook, Said

if TYPE_CHECKING:
    from collections.abc import Mapping

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
