"""Why a text was not read by a process that thinks."""


class NobodyRead(Exception):
    """No process has read it."""


class TookTooLong(NobodyRead):
    """A call used up its processor time; its process is gone."""


class StartsAgain(NobodyRead):
    """The process that the others are split off from has ended, and the next one is not ready yet."""
