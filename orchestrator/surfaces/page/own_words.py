"""The words of what is a reader's own: accounts and digests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping

OWN: Mapping[str, Said] = {
    "accounts": Said("Accounts"),
    "accounts title": Said("Your accounts"),
    "accounts lead": Said(
        "These sources are asked as you, and show you what you may see there. What you allow can only be read by this server, and ends when you say so."
    ),
    "accounts welcome": Said(
        "Welcome. Connect what you use, and your questions are answered with what you may see there. You can also go on without."
    ),
    "accounts on": Said("Go on to your question"),
    "accounts none": Said("Every source here is asked by one sign-in for everybody; there is nothing to connect."),
    "accounts connect": Said("Connect"),
    "accounts again": Said("Connect another"),
    "accounts disconnect": Said("Disconnect"),
    "accounts since": Said("Connected on {day}"),
    "accounts leaving": Said("You are about to sign in at {title}. Come back in this browser within ten minutes."),
    "accounts go": Said("Go on to {title}"),
    "accounts ended": Said("The account is disconnected, here and there."),
    "accounts forgotten": Said(
        "The account is forgotten here. The permission still stands there; take it back in your settings there."
    ),
    "accounts away": Said("The store of people's accounts does not answer. Try again in a moment."),
    "digests": Said("Digests"),
    "digests title": Said("Your digests"),
    "digests lead": Said("What is made and sent for you on schedule, with your rights."),
    "digests none": Said(
        "No digest or saved search is yours. Whoever runs this server can set one up for you; a program of yours can over the API."
    ),
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
    "digests last": Said("Last made"),
    "digests span": Said("{made}, of {since} – {until}"),
    "digests never": Said("never"),
    "digests waiting": Said("Waiting"),
    "digests dead": Said("Given up"),
    "digests out": Said("{place}, of {due}, attempts so far: {attempts}"),
    "digests why": Said("{out}; {problem}"),
    "digests retry": Said("Send after all"),
    "digests preview": Said("Preview"),
    "digests preview lead": Said("This is what it would say now. Looking at it sends and keeps nothing."),
    "digests since": Said("From when on"),
    "digests since help": Said("yesterday, last Monday, 2026-11-16; empty: since it was made last"),
    "digests look": Said("Show"),
    "digests all": Said("All your digests"),
    "digests unknown": Said("You have no digest called “{name}”."),
    "digests no time": Said(
        "“{since}” names no time that has begun. Write one such as yesterday, last Monday or 2026-11-16."
    ),
    "digests away": Said("Digests cannot be read just now: {reason}"),
}
