"""Words of the page that are chosen by a value, or said by its code; what a template says by itself stands there in English.

Which language that is, and how a refusal is said in it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from orchestrator.documents.words import VALUES
from translators.said import Phrasebook, Said

if TYPE_CHECKING:
    from collections.abc import Mapping

MESSAGES: Mapping[str, Said] = {
    **VALUES,
    # the question
    "hint from": Said("written by somebody"),
    "hint in": Said("in a channel or project"),
    "hint after": Said("since a day"),
    "hint before": Said("until a day"),
    "hint type": Said("one kind of thing"),
    "hint without": Said("without a word"),
    "hint exact": Said("exactly these words"),
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
    "untitled": Said("Untitled"),
    "by in": Said("{author} in {place}"),
    "keywords": Said("Words"),
    "freshness": Said("Freshness"),
    "authority": Said("Authority"),
    "completeness": Said("Completeness"),
    "relevance": Said("Relevance"),
    # was it right?
    "right": Said("Right"),
    "wrong": Said("Wrong"),
    "outdated": Said("Outdated"),
    "incomplete": Said("Incomplete"),
    "thanks": Said("Thank you. This was noted."),
    "not kept": Said("It could not be noted; try again."),
    # narrowing
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
    "problem": Said("Something went wrong"),
    "cannot ask": Said("This cannot be asked"),
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
    "copy": Said("Copy"),
    "copied": Said("Copied"),
    # signing in
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
    "bad key": Said("This key is unknown, expired or revoked."),
    "signed out": Said("You have signed out."),
    # the sources
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
    # what is a reader's own: accounts and digests
    "accounts ended": Said("The account is disconnected, here and there."),
    "accounts forgotten": Said(
        "The account is forgotten here. The permission still stands there; take it back in your settings there."
    ),
    "accounts away": Said("The store of people's accounts does not answer. Try again in a moment."),
    "digests kind daily": Said("daily digest"),
    "digests kind weekly": Said("weekly digest"),
    "digests kind search": Said("saved search"),
    "digests bad": Said("not delivered"),
    "digests fair": Said("waiting to be delivered"),
    "digests good": Said("up to date"),
    "digests quiet": Said("not made yet"),
    "digests schedule": Said("Schedule"),
    "digests daily": Said("every day at {time}"),
    "digests workdays": Said("Mondays to Fridays at {time}"),
    "digests weekly": Said("{day} at {time}"),
    "digests days": Said("Sundays,Mondays,Tuesdays,Wednesdays,Thursdays,Fridays,Saturdays,Sundays"),
    "digests by hand": Said("by hand only"),
    "digests next": Said("Next"),
    "digests unplanned": Said("not planned; it is as soon as schedules are run (“fedsearch digest schedule”)"),
    "digests paused": Said("none; it rests"),
    "digests pause": Said("Let it rest"),
    "digests resume": Said("Go on"),
    "digests remove": Said("Remove"),
    "digests done pause": Said("“{name}” rests."),
    "digests done resume": Said("“{name}” goes on."),
    "digests done remove": Said("“{name}” is removed, with all that was kept of it."),
    "digests done keep": Said("“{name}” is kept."),
    "digests when every": Said("every day"),
    "digests when work": Said("Mondays to Fridays"),
    "digests when other": Said("another schedule"),
    "digests last": Said("Last made"),
    "digests span": Said("{made}, of {since} – {until}"),
    "digests never": Said("never"),
    "digests waiting": Said("Waiting"),
    "digests dead": Said("Given up"),
    "digests out": Said("{place}, of {due}, attempts so far: {attempts}"),
    "digests why": Said("{out}; {problem}"),
    "digests retry": Said("Send after all"),
    "digests unknown": Said("You have no digest called “{name}”."),
    "digests no time": Said(
        "“{since}” names no time that has begun. Write one such as yesterday, last Monday or 2026-11-16."
    ),
    "digests away": Said("Digests cannot be read just now: {reason}"),
    # what is kept of a reader
    "kept unsure": Said("Tick the box first: what is forgotten cannot be brought back."),
    "kept forgotten": Said("All of it is forgotten."),
    "kept nothing": Said("There was nothing to forget."),
    "kept away": Said("What is kept of you cannot be reached just now. Try again in a moment."),
    # for whoever runs the server
    "admin": Said("Use"),
    "admin sources": Said("Sources and accounts"),
    "admin access": Said("Keys and people"),
    "admin digests": Said("All digests"),
    "admin unread": Said("This cannot be read just now: {reason}"),
    "admin with answer": Said("with an answer"),
    "admin without answer": Said("without an answer"),
    "admin people": Said("People a day"),
    "admin opened": Said("Opened"),
    "admin copied": Said("Copied"),
    "admin asked": Said("Questions an hour"),
    "admin answered": Said("answered"),
    "admin failed": Said("not answered"),
    "admin requests": Said("Requests an hour"),
    "admin key wrong": Said("A key wants a name and something that it may; days are a number from 1 to 3650."),
    "admin key once": Said("This is the key “{name}”. Copy it now: it cannot be shown again."),
    "admin key gone": Said("There is no such key any more."),
    "admin key own": Said("You are signed in by this key. Another may revoke it."),
    "admin key revoked": Said("“{name}” opens nothing any more, and whoever was signed in by it is out."),
    "admin scope search": Said("ask, and say what was right"),
    "admin scope sources": Said("see how the sources do"),
    "admin scope web": Said("search the public web"),
    "admin scope rerank": Said("use the reranker, which may cost money"),
    "admin scope digests": Said("see and run their own digests"),
    "admin scope define": Said("make and change their own digests"),
    "admin scope metrics": Said("read figures for monitoring"),
    "admin scope admin": Said("all of these pages: sources, keys, what is changed here"),
    "admin role everybody": Said("Everybody who signs in"),
    "admin role through": Said("Everybody whom {through} signs in"),
    "admin role group": Said("Members of {name}"),
    "admin role settled": Said("in the settings: {setting}"),
    "admin role by": Said("{when}, by {who}"),
    "admin role person": Said("A person"),
    "admin role members": Said("Members of a group"),
    "admin role wrong": Said(
        "It takes the name of a person or a group, or none for everybody, and something that they may."
    ),
    "admin role given": Said("{who} may: {scopes}"),
    "admin role taken": Said("What was given to {who} is taken away."),
    "admin role gone": Said("Nothing is given to them any more."),
    "admin role own": Said(
        "You are let in here by this alone, so that you could not undo it. Let somebody else in, who can do it then."
    ),
    "admin owner": Said("For"),
    # setting sources up
    "setup declared wrong": Said("It wants a name and a declaration."),
    "setup ready": Said("set up"),
    "setup begun": Said("begun: {problem}"),
    "setup none": Said("There is nothing like that to set up."),
    "setup no address": Said(
        "The vendor could not send you back: set accounts.address to how browsers reach this server, or open this page on the machine itself."
    ),
    "setup base_url": Said("Address of your site, such as {example}"),
    "setup email": Said("Mail address of your account"),
    "setup host": Said("Mail server, such as {example}"),
    "setup username": Said("User name"),
    "setup org": Said("Organisation to stay inside, as in its address; may stay empty"),
    "setup missing": Said("Something is missing that it cannot do without."),
    "setup failed": Said("That did not work: {reason}"),
    "setup kept sealed": Said(
        "Secrets are sealed (encrypted). The key, the last of these files, opens them, and only the account of this server can read it: keep a copy of it somewhere else. Whoever has that account, or administers the machine, can have both."
    ),
    "setup kept keyring": Said(
        "Secrets are in the system's keyring of this server's account, which is encrypted; of each an empty file says that it is there."
    ),
    "setup kept open": Said(
        "Secrets are sealed (encrypted), but others on this machine may be able to read the key, the last of these files; move it to a disk with permissions, and say in FEDSEARCH_SEALING_KEY_FILE where it is."
    ),
    "setup code wrong": Said("That is not the code."),
}


@cache
def words(language: str) -> Phrasebook:
    """All of them in one language."""
    return Phrasebook(MESSAGES, language)


def said_problem(words: Mapping[str, str], code: str, detail: str, request: str, retry: str = "1") -> str:
    """A problem in our words, else as the server has said it: that may repeat what was typed, and is no pattern."""
    ours = words.get(f"problem {code}")
    return ours.format(request=request, retry=retry) if ours is not None else detail
