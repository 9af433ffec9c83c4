"""The words of the pages that set sources up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping

SETUP: Mapping[str, Said] = {
    "setup": Said("Set sources up"),
    "setup lead": Said(
        "Choose what shall be asked. Leave whenever you like: what is kept stays, and this goes on from there."
    ),
    "setup sandbox": Said("Try it without any account"),
    "setup sandbox about": Said("a pretend workplace, on this machine alone; nothing of it is kept"),
    "setup sandbox question": Said("A question for it"),
    "setup sandbox example": Said("what did we decide about the 2027 pricing start date"),
    "setup declared": Said("Another source, by a file that declares it"),
    "setup declared about": Said("any JSON API or MCP server"),
    "setup declared lead": Said(
        "What stands here is what would stand in a file of sources.d. Secrets do not belong there, but into the field below."
    ),
    "setup declared name": Said("Name, such as wiki"),
    "setup declared text": Said("Declaration (TOML)"),
    "setup declared wrong": Said("It wants a name and a declaration."),
    "setup declared change": Said("Change"),
    "setup declared list": Said("Sources with files of their own"),
    "setup files": Said("Files on this machine are added by a command on it, and asked at once:"),
    "setup ready": Said("connected"),
    "setup begun": Said("begun: {problem}"),
    "setup none": Said("There is nothing like that to set up."),
    "setup page": Said("To the page for it at {title}"),
    "setup scopes": Said("It is to be allowed"),
    "setup which": Said("Which of them"),
    "setup register": Said(
        "Register an application of your own there, with this address to come back to, and have it read what is listed:"
    ),
    "setup better": Said("{title} sends people back to “localhost” only. Open this page there:"),
    "setup no address": Said(
        "The vendor could not send you back: set accounts.address to how browsers reach this server, or open this page on the machine itself."
    ),
    "setup base_url": Said("Address of your site, such as {example}"),
    "setup email": Said("Mail address of your account"),
    "setup host": Said("Mail server, such as {example}"),
    "setup username": Said("User name"),
    "setup org": Said("Organisation to stay inside, as in its address; may stay empty"),
    "setup token": Said("Token or password"),
    "setup token kept": Said("Token or password; empty keeps the one that is there"),
    "setup client_id": Said("Client ID of the application"),
    "setup client_secret": Said("Client secret; may stay empty"),
    "setup client_secret kept": Said("Client secret; empty keeps the one that is there"),
    "setup question": Said("Ask something that you know is there"),
    "setup try": Said("Try it"),
    "setup try lead": Said("Nothing is kept by trying."),
    "setup leave": Said("Sign in at {title}"),
    "setup leaving": Said("You are about to sign in at {title}. Come back in this browser within ten minutes."),
    "setup missing": Said("Something is missing that it cannot do without."),
    "setup failed": Said("That did not work: {reason}"),
    # what came of it
    "setup tried": Said("What it found"),
    "setup nothing found": Said("It was asked, and found nothing. Ask for something that you know is there."),
    "setup read": Said("What was read of the replies"),
    "setup keep": Said("Keep it"),
    "setup keep anyway": Said("Keep it all the same"),
    "setup again": Said("Ask this"),
    "setup back": Said("Change what was typed"),
    "setup kept": Said("It is kept, and asked from now on: {names}"),
    "setup kept files": Said("Written into:"),
    "setup kept private": Said(
        "Secrets are in files that only the account of this server can read. They are not encrypted: whoever has that account, is the administrator of the machine, or has a copy of the folder reads them."
    ),
    "setup kept keyring": Said(
        "Secrets are in the system's keyring of this server's account, which is encrypted; of each an empty file says that it is there."
    ),
    "setup kept open": Said(
        "It could not be made sure that nobody else can read a secret; move the folder to a disk with permissions."
    ),
    "setup ask": Said("Ask everything"),
    "setup more": Said("Set up another"),
    # the first time
    "setup code": Said("The code"),
    "setup code lead": Said(
        "Nobody can sign in here yet. “fedsearch serve” has printed a code where it was started; type it here to set this server up."
    ),
    "setup code go": Said("Go on"),
    "setup code wrong": Said("That is not the code."),
    "setup key": Said("Your key"),
    "setup key lead": Said(
        "With this key you sign in from now on; it may do everything. Copy it now: it cannot be shown again. The code opens nothing any more."
    ),
    # switching
    "setup off": Said("Ask it no more"),
    "setup on": Said("Ask it again"),
    "setup off list": Said("Switched off"),
}
