"""What the bot says around an answer, in English and Korean."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from orchestrator.documents.receipt import WORDS as RECEIPT
from translators.match import HANGUL
from translators.said import Phrasebook, Said

if TYPE_CHECKING:
    from collections.abc import Mapping

MESSAGES: Mapping[str, Said] = {
    "reading": Said("Reading the question…", context="bot"),
    "progress": Said("{done} of {all} sources have answered; still waiting for {awaited}."),
    "took": Said("{count} results · {seconds:.1f} s"),
    "nothing": Said("Nothing that may be shown here was found."),
    "results": Said("Results"),
    "for all": Said("Shown here: only what everybody who reads here may see."),
    "for web": Said("Shown here: only the public web, since it is not known who reads here."),
    "for you": Said("{count} more results for you only"),
    "for you one": Said("1 more result for you only"),
    "closed": Said(
        "Not shown by the bot: {sources}. They are asked by one sign-in for everybody, so nobody knows who may see what."
    ),
    "you said": Said("You asked by yourself, so only you see this."),
    "wider": Said("Search wider"),
    "more": Said("Details"),
    "why": Said("Why these?"),
    "receipt": Said("Receipt"),
    "good": Said("👍 Right"),
    "bad": Said("👎 Wrong"),
    "thanks": Said("Thank you, that is noted."),
    "not noted": Said("That could not be written down; please try again later."),
    "all results": Said("All results for you ({count})"),
    "why title": Said("Why these results stand where they do"),
    "receipt title": RECEIPT["receipt"],
    "empty": Said("Ask me something, for example: “what did we decide about the API migration?”"),
    "long": Said("The question is too long; ask it in {most} characters at most."),
    "stale": Said("This button is from an older version; please ask again."),
    "outsider": Said("Only members of this workspace can ask here."),
    "failed": Said("Something went wrong on our side. It has been written to the log as {code}; please try again."),
    "broken off": Said("I was stopped before I had finished answering this. Please ask again."),
    "unseen": Said("Slack refused something that answering needs. Please try again."),
    "as asked": Said("As it was asked on {day}: “last week” is the week before that day."),
    "asked wide": Said("searched wider"),
    "welcome": Said("You're welcome. Just ask on."),
    "languages": Said("I answer in the language of your question, English or Korean."),
    "home": Said("Ask me anything that is written down somewhere at work."),
    "home ask": Said(
        "Mention me in a channel, write to me directly, or use my slash command or shortcut, in English or Korean. In a thread, just ask on: “who decided that?”"
    ),
    "home filters": Said('Filters work everywhere: from: in: after: before: type: -word "exact phrase".'),
    "home sees": Said(
        "In a channel I show only what everybody who reads there may see; what is for you comes to you alone."
    ),
    "home asked": Said("I ask: {sources}."),
    "home accounts": Said("Connect accounts of your own"),
    "home kept": Said("I remember for a day what was asked in a thread, and no answers."),
    "not here": Said("fedsearch is not installed in this workspace."),
    "installed": Said("fedsearch is installed. Invite it to a channel, or ask it in a direct message."),
    "not installed": Said("fedsearch was not installed ({reason}). To try again, open {again} in this browser."),
    "conflict": Said("These differ: {told}"),
}


@cache
def words(language: str) -> Phrasebook:
    """The words of a language, English where it is none of ours."""
    return Phrasebook(MESSAGES, language)


def language_of(text: str, otherwise: str = "en") -> str:
    """What a text is written in; what neither alphabet says is in the asker's own language."""
    if HANGUL.search(text):
        return "ko"
    return "en" if any(character.isascii() and character.isalpha() for character in text) else otherwise
