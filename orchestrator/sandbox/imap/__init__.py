"""A real IMAP server over the mail of a corpus: Dovecot, behind a relay that notes what is asked and misbehaves on wish."""

from .emulator import ImapEmulator

EMULATOR = ImapEmulator

__all__ = ["EMULATOR", "ImapEmulator"]
