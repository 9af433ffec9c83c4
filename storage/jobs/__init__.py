"""Work that is put off. Jobs wait in the database; whoever has a kind of job brings what does it.

A job is written in the transaction of what makes it necessary, so neither is without the other. It is taken by one
worker; where that one is killed, another takes it up. So every kind of job may be done again without harm.
"""
