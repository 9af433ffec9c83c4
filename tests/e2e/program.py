"""``fedsearch`` as tests start it: a process of its own each time, and how it comes to be.

``COLD`` is what a person's shell does: a fresh interpreter, which spends seconds on imports and on the Korean model. ``WARM`` is
a process that a server forks which has them already (:mod:`tests.e2e.warm_server`): the same entry point with its own arguments,
environment, folder, streams, signals and exit code. Each family of commands is started cold by some tests; what is
about imports, terminals or how a process begins is started cold throughout. With the path of a Python file as its first
argument it is that file which is run, with the libraries that `fedsearch` uses loaded.
"""

from __future__ import annotations

import os
import sys

from tests.e2e.warm_door import ADDRESS, ROOT, uncounted

__all__ = ["COLD", "ROOT", "WARM", "uncounted"]

COLD = (sys.executable, "-c", "from orchestrator.main import run; run()")
WARM = (sys.executable, "-I", "-S", str(ROOT / "tests" / "e2e" / "warm_client.py"), os.environ.get(ADDRESS, ""))
