"""Broken: a word that a mail server knows as a search key is sent as one."""

from dataclasses import replace

from translators.capabilities import Capabilities
from translators.imap import Imap
from translators.query import Query, Term
from translators.translator import NativeQuery, Translation

CAUGHT_BY = "test_user_text_stays_text"


class Keys(Imap):
    def translate(self, query: Query, can: Capabilities) -> Translation:
        found = super().translate(query, can)
        if not isinstance(query.where, Term) or query.where.text.strip() not in {"OR", "NOT"}:
            return found
        key = query.where.text.strip()
        return replace(found, native=NativeQuery(self.name, f'{key} TEXT "x"', {"criteria": [[key, ["TEXT", "x"]]]}))


TRANSLATOR = Keys()
