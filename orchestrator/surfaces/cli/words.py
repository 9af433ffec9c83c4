"""The few words the command line puts around an answer, in the asker's language."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from orchestrator.documents.receipt import WORDS as RECEIPT
from orchestrator.documents.words import VALUES
from translators.said import ENGLISH, LANGUAGES, Phrasebook, Said, said_in

if TYPE_CHECKING:
    from collections.abc import Mapping

MESSAGES: Mapping[str, Said] = {
    **VALUES,
    **RECEIPT,
    # around an answer
    "nothing": Said("Nothing was found."),
    "also": Said("also"),
    "matter": Said("same matter"),
    "unverified": Said("not verifiable"),
    "confidence": Said("confidence"),
    "worded": Said("worded by {model} from these quotes"),
    "conflict": Said("conflict"),
    "try": Said("Try instead"),
    "waiting": Said("waiting"),
    "asking": Said("Asking {count} sources"),
    "total": Said("{seconds} s in all · {sources} asked · {count} listed"),
    # a question taken apart
    "type": Said("type"),
    "kind of answer": Said("wants"),
    "entity": Said("of"),
    "attribute": Said("which"),
    "constraint": Said("within"),
    "answer decision": Said("a decision"),
    "answer state": Said("how it stands"),
    "answer list": Said("a list"),
    "answer document": Said("a document"),
    "answer person": Said("a person"),
    "answer fact": Said("a fact"),
    "answer day": Said("a day"),
    "answer reason": Said("a reason"),
    "answer amount": Said("an amount"),
    "answer count": Said("how many"),
    "answer span": Said("how long"),
    "answer measure": Said("a measure"),
    "answer place": Said("a place"),
    "answer yes_no": Said("yes or no"),
    "answer steps": Said("steps"),
    "answer overview": Said("an overview"),
    "keywords": Said("keywords"),
    "variants": Said("other names"),
    "phrases": Said("phrases"),
    "people": Said("people"),
    "projects": Said("names"),
    "ids": Said("identifiers"),
    "hints": Said("look in"),
    "only": Said("wanted from"),
    "sources": Said("only in"),
    "author": Said("written by"),
    "container": Said("place"),
    "kinds": Said("kind"),
    "window": Said("dates"),
    "negated": Said("without"),
    "mine": Said("mine only"),
    "ambiguous": Said("ambiguous"),
    "doubt": Said("doubt"),
    "meaning": Said("meaning"),
    "implied": Said("implied"),
    "lesser": Said("weigh too"),
    "yes": Said("yes"),
    "from": Said("from {start}"),
    "until": Said("before {end}"),
    # a plan
    "plan": Said("What would be sent"),
    "weight": Said("weight {weight}"),
    "as asked": Said("as asked"),
    "without": Said("without {dropped}"),
    # an answer from the web
    "web sources": Said("Sources", context="web"),
    "web searched": Said("searched for"),
}


# What stands above the columns of a list, by what programs call it.
HEADINGS: Mapping[str, Said] = {
    "who": Said("who", context="heading"),
    "kept": Said("kept", context="heading"),
    "name": Said("name", context="heading"),
    "other": Said("other", context="heading"),
    "source": Said("source", context="heading"),
    "said in": Said("said in", context="heading"),
    "url": Said("url", context="heading"),
    "scopes": Said("scopes", context="heading"),
    "from": Said("from", context="heading"),
    "given": Said("given", context="heading"),
    "created": Said("created", context="heading"),
    "expires": Said("expires", context="heading"),
    "old_until": Said("old_until", context="heading"),
    "principal": Said("principal", context="heading"),
    "connected": Said("connected", context="heading"),
    "renewed": Said("renewed", context="heading"),
    "setting": Said("setting", context="heading"),
    "file": Said("file", context="heading"),
    "time": Said("time", context="heading"),
    "type": Said("type", context="heading"),
    "source requests / returned": Said("source requests / returned", context="heading"),
    "results": Said("results", context="heading"),
    "took": Said("took", context="heading"),
    "question": Said("question", context="heading"),
}


def heading(name: str) -> str:
    """What stands above a column, in the language of this terminal."""
    return said_in(HEADINGS.get(name, name), system_language())


def reason(why: str, words: Phrasebook) -> str:
    """A reason in the language of ``words``, as far as it is ours."""
    return said_in(why, words.language)


@cache
def frame(language: str) -> Phrasebook:
    """All of them in one language."""
    return Phrasebook(MESSAGES, language)


def system_language() -> str:
    """The language of this terminal, by its locale; English where we do not speak it."""
    told = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    code = told[:2].lower()
    return code if code in LANGUAGES else ENGLISH
