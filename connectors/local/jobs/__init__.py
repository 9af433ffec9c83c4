"""Work that is put off: vectors for what has none yet, pulling sources. Jobs wait in the index's own database.

A job is written in the transaction of what makes it necessary, so neither is without the other. It is taken by one
worker; where that one is killed, another takes it up. Both kinds of job may be done again without harm: they look for
what is left to do.
"""
