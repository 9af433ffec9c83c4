"""The index's kinds of job: vectors for what has none yet, pulling sources.

Both may be done again without harm: they look for what is left to do.
"""
