"""The words of the pages for whoever runs the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping

ADMIN: Mapping[str, Said] = {
    "admin menu": Said("Administration"),
    "admin": Said("Use"),
    "admin sources": Said("Sources and accounts"),
    "admin access": Said("Keys and people"),
    "admin digests": Said("All digests"),
    "admin unread": Said("This cannot be read just now: {reason}"),
    "admin table": Said("In numbers"),
    "admin none": Said("Nothing in this time."),
    "admin uncounted": Said("Nothing is counted, since server.usage is 0."),
    # use
    "admin use lead": Said("The last 14 days, in numbers. Who asked what, and what they were told, is not shown here."),
    "admin cut": Said("There was more: these are the last 50,000 questions."),
    "admin questions": Said("Questions a day"),
    "admin with answer": Said("with an answer"),
    "admin without answer": Said("without an answer"),
    "admin people": Said("People a day"),
    "admin day": Said("Day"),
    "admin hour": Said("Hour"),
    "admin took": Said("Time to the answer"),
    "admin took value": Said("{median:.1f} s in the middle; 95 of 100 within {slow:.1f} s"),
    "admin confidence": Said("How sure"),
    "admin feedback": Said("What people did with results, and thought of them"),
    "admin opened": Said("Opened"),
    "admin copied": Said("Copied"),
    "admin unanswered": Said("Questions without an answer"),
    "admin unanswered lead": Said("Their words, and not who asked. They are kept because server.audit_texts is on."),
    "admin unanswered hidden": Said(
        "How many there are stands above. Their words are not kept: server.audit_texts is off, and words of questions are personal."
    ),
    "admin times": Said("{times} times, last {when}"),
    "admin changes": Said("What was done here last"),
    "admin changes none": Said("Nothing yet."),
    "admin when": Said("When"),
    "admin who": Said("Who"),
    "admin what": Said("What"),
    "admin with": Said("With what"),
    # sources
    "admin sources lead": Said(
        "Each was asked just now whether it answers. The plots are of the last 24 hours, by questions of everybody."
    ),
    "admin asked": Said("Questions an hour"),
    "admin answered": Said("answered"),
    "admin failed": Said("not answered"),
    "admin requests": Said("Requests an hour"),
    "admin quiet": Said("Not asked in the last 24 hours."),
    "admin connected": Said("Accounts that people have connected: {count}"),
    "admin accounts away": Said("Who has connected accounts cannot be read just now: the database does not answer."),
    # keys and people
    "admin keys": Said("API keys"),
    "admin keys open": Said(
        "This server lets everybody in who reaches it (--no-auth), so that keys count for nothing."
    ),
    "admin keys none": Said("There are none."),
    "admin key name": Said("What it is for"),
    "admin key may": Said("It may"),
    "admin key made": Said("Made"),
    "admin key expires": Said("Until"),
    "admin key make": Said("Make a key"),
    "admin key days": Said("Days until it expires; empty for no end"),
    "admin key revoke": Said("Revoke"),
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
    "admin key ever": Said("no end"),
    "admin key over": Said("expired"),
    "admin roles": Said("People and their roles"),
    "admin roles lead": Said(
        "What people may whom the identity provider or a proxy signs in: all that stands here for them together, from their next request on. Who is in a group is settled at the identity provider."
    ),
    "admin roles none": Said(
        "Nobody signs in but by keys. oidc.issuer or proxy.header in the settings lets people in."
    ),
    "admin role who": Said("Who"),
    "admin role from": Said("Given"),
    "admin role everybody": Said("Everybody who signs in"),
    "admin role through": Said("Everybody whom {through} signs in"),
    "admin role group": Said("Members of {name}"),
    "admin role settled": Said("in the settings: {setting}"),
    "admin role by": Said("{when}, by {who}"),
    "admin role take": Said("Take away"),
    "admin role give": Said("Let somebody do more"),
    "admin role person": Said("A person"),
    "admin role members": Said("Members of a group"),
    "admin role name": Said("The person's address or id, or the name of the group; nothing for everybody"),
    "admin role name help": Said(
        "An address counts where the identity provider vouches for it (email_verified). Whoever may not do something is shown how they are known here, and that can stand here as well."
    ),
    "admin role give do": Said("Give"),
    "admin role wrong": Said(
        "It takes the name of a person or a group, or none for everybody, and something that they may."
    ),
    "admin role given": Said("{who} may: {scopes}"),
    "admin role taken": Said("What was given to {who} is taken away."),
    "admin role gone": Said("Nothing is given to them any more."),
    "admin role own": Said(
        "You are let in here by this alone, so that you could not undo it. Let somebody else in, who can do it then."
    ),
    # digests
    "admin digests lead": Said(
        "Whose they are, when they run, whether they arrive. What they say is for their people alone."
    ),
    "admin digests none": Said("There are none."),
    "admin owner": Said("For"),
}
