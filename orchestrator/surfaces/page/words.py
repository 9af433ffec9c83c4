"""The words that the page puts around an answer."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from orchestrator.documents.words import VALUES
from orchestrator.surfaces.page.admin_words import ADMIN
from orchestrator.surfaces.page.own_words import OWN
from orchestrator.surfaces.page.setup_words import SETUP
from translators.said import Phrasebook, Said

if TYPE_CHECKING:
    from collections.abc import Mapping

MESSAGES: Mapping[str, Said] = {
    **VALUES,
    **OWN,
    **ADMIN,
    **SETUP,
    "skip": Said("Skip to the content"),
    "tagline": Said("One question. Every source. One cited answer."),
    "search": Said("Search"),
    "follow": Said("Ask on from this answer"),
    "follow placeholder": Said("and in Korea? · who decided that? · not that one"),
    "alone": Said("Ask it by itself"),
    "permalink": Said("Link to this answer"),
    "sources": Said("Sources"),
    "menu": Said("Pages"),
    "language": Said("Language"),
    "sign out": Said("Sign out"),
    # the question
    "question": Said("Your question"),
    "placeholder": Said("What did we decide about…"),
    "filters": Said("Filters you can type"),
    "hint from": Said("written by somebody"),
    "hint in": Said("in a channel or project"),
    "hint after": Said("since a day"),
    "hint before": Said("until a day"),
    "hint type": Said("one kind of thing"),
    "hint without": Said("without a word"),
    "hint exact": Said("exactly these words"),
    "examples": Said("For example"),
    "example 1": Said("What did we decide about the API migration?"),
    "example 2": Said("Who is working on the Okta rollout?"),
    "example 3": Said("Where is the runbook for webhook-relay?"),
    # while it goes on
    "asking": Said("Asking {count} sources: {titles}"),
    "asking one": Said("Asking {titles}"),
    "reading": Said("Reading the question…"),
    "so far": Said("{done} of {all} sources have answered"),
    "finished": Said("{count} results from {sources} sources in {seconds} s"),
    "finished one": Said("1 result from {sources} sources in {seconds} s"),
    "stopped": Said("Stopped. What had arrived is shown."),
    "stop": Said("Stop"),
    "waiting": Said("waiting"),
    # the answer
    "answer": Said("Answer"),
    "confidence": Said("confidence"),
    "worded": Said("worded by {model} from these quotes"),
    "conflict": Said("These differ"),
    "evidence": Said("Evidence {number}"),
    "hits one": Said("1 hit"),
    "hits": Said("{count} hits"),
    "results": Said("Results"),
    "cited": Said("Quoted in the answer"),
    "untitled": Said("Untitled"),
    "by in": Said("{author} in {place}"),
    "also": Said("Also found in"),
    "matter": Said("Same matter"),
    "unverified": Said("Could not be verified"),
    "why": Said("Why it is here"),
    "keywords": Said("Words"),
    "freshness": Said("Freshness"),
    "authority": Said("Authority"),
    "completeness": Said("Completeness"),
    "relevance": Said("Relevance"),
    "more": Said("Show more results"),
    # was it right?
    "judge": Said("Is this right?"),
    "right": Said("Right"),
    "wrong": Said("Wrong"),
    "outdated": Said("Outdated"),
    "incomplete": Said("Incomplete"),
    "thanks": Said("Thank you. This was noted."),
    "not kept": Said("It could not be noted; try again."),
    "back": Said("Back to the results"),
    # narrowing
    "narrow": Said("Narrow down"),
    "apply": Said("Apply"),
    "clear": Said("Show all"),
    "facet source": Said("Source"),
    "facet kind": Said("Type"),
    "facet person": Said("Person"),
    "facet time": Said("Time", context="facet"),
    "today": Said("Last 24 hours"),
    "week": Said("Last 7 days"),
    "month": Said("Last 30 days"),
    "year": Said("Last year"),
    "older": Said("Older"),
    "undated": Said("No date"),
    "narrowed": Said("{shown} of {all} results"),
    "nothing left": Said("None of the results match what you chose."),
    # kinds
    "kind message": Said("Message"),
    "kind thread": Said("Thread"),
    "kind page": Said("Page"),
    "kind database": Said("Database"),
    "kind file": Said("File"),
    "kind issue": Said("Issue"),
    "kind milestone": Said("Milestone"),
    "kind pull_request": Said("Pull request"),
    "kind code": Said("Code"),
    "kind mail": Said("Mail"),
    "kind event": Said("Event"),
    "kind web_page": Said("Web page"),
    # when it did not go well
    "nothing": Said("Nothing was found."),
    "nothing more": Said("Every source that answered was asked this way. Fewer or other words may find more."),
    "try": Said("What you can do"),
    "nobody": Said("No source answered."),
    "nobody more": Said("This is no “nothing found”: nobody could be asked. What each said stands below."),
    "problem": Said("Something went wrong"),
    "cannot ask": Said("This cannot be asked"),
    "again": Said("Try again"),
    "lost": Said("The connection was lost. Trying again…"),
    "problem not_ready": Said("The server is starting or stopping. Try again in a moment."),
    "problem too_many_requests": Said("That was too often. Try again in {retry} s."),
    "problem too_many_streams": Said("Too many questions are being answered. Try again in a moment."),
    "problem internal_error": Said("This is a fault of ours. Please report this number: {request}"),
    "problem forged": Said(
        "This form is too old, or did not come from this page. Go back, load the page again, and send it again."
    ),
    "problem foreign_host": Said(
        "This server answers under its own name only: open it at the address it said when it started."
    ),
    "problem missing_scope": Said("Your key may not do that. Ask whoever gave it to you for one that may."),
    "missing role": Said("You may not do that. Whoever runs this can let you; you are known here as {who}"),
    "problem method_not_allowed": Said("This address is for a form of the page."),
    # the receipt
    "receipt": Said("What was asked, and what came back"),
    "sent": Said("Sent, in its own language"),
    "nothing sent": Said("Nothing was sent."),
    "copy": Said("Copy"),
    "copied": Said("Copied"),
    "rungs": Said("Widened"),
    "found": Said("Found"),
    "found of": Said("{returned}, of {total} that it has"),
    "listed": Said("{count} in the list"),
    "covers": Said("From – to"),
    "took": Said("Time"),
    "took value": Said("{seconds} s, {requests} requests"),
    "remembered": Said("Remembered"),
    "remembered value": Said("asked {seconds} s ago"),
    "left out": Said("Left out"),
    "notes": Said("Notes"),
    "retry": Said("again in {seconds} s"),
    "understood": Said("How the question was read"),
    "meaning": Said("Meaning"),
    "window": Said("Dates"),
    # signing in
    "sign in": Said("Sign in"),
    "sign in with": Said("Sign in with {provider}"),
    "or key": Said("Or with an API key"),
    "sign in failed": Said("You are not signed in"),
    "problem sign_in": Said(
        "The sign-in was not begun in this browser, took longer than ten minutes, or was not allowed. Begin again."
    ),
    "problem provider away": Said(
        "The sign-in service of your firm does not answer as it should. Try again in a moment; if that does not help, tell whoever runs this server."
    ),
    "problem too_many_groups": Said(
        "Your sign-in names more groups than a browser can keep. Whoever runs this server can have the provider send fewer."
    ),
    "key": Said("API key"),
    "key help": Said(
        "It is typed once; this browser then stays signed in for 12 hours. “fedsearch keys create NAME” makes one."
    ),
    "bad key": Said("This key is unknown, expired or revoked."),
    "signed out": Said("You have signed out."),
    # one's own accounts
    # the sources
    "sources title": Said("How the sources do"),
    "sources lead": Said("Each was asked just now whether it answers."),
    "no sources": Said(
        "No source is configured yet, so nothing can be found. “fedsearch doctor” says what to do, “fedsearch sandbox” serves some to try."
    ),
    "account": Said("Signed in as"),
    "standing": Said("Room for more"),
    "advice": Said("What to do"),
    "told": Said("It says"),
    "category chat": Said("chat"),
    "category wiki": Said("wiki"),
    "category tracker": Said("tracker"),
    "category mail": Said("mail"),
    "category drive": Said("drive"),
    "category code": Said("code"),
    "category web": Said("web"),
    "category index": Said("index"),
}


@cache
def words(language: str) -> Phrasebook:
    """All of them in one language."""
    return Phrasebook(MESSAGES, language)
