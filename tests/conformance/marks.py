"""What a test of this folder says of itself; ``page.py`` reads it from the source and makes the documented list of it."""

from functools import partial

import pytest

requirement = pytest.mark.requirement
"""``requirement(number, what, where=…, differs=…, setting=…)``: the test shows this requirement, whose code is ``where``.

``what`` and ``where`` (paths from the root, blanks between) are said once for each number; a further test of the same one gives the number alone. ``differs``:
why it is deliberately another way by default, and ``setting`` what brings the required form, which the test then shows.
"""

not_yet = partial(pytest.mark.xfail, strict=True, raises=AssertionError)
"""``not_yet(reason="…")``: required, and not done so far. Whoever does it takes the mark away: the test fails until then."""
