"""The process that reads pages: hostile markup may cost it its life, and nothing else.

Spoken over its standard streams: a line of JSON that says how long the body is, the body; back comes a line of JSON.
"""

from __future__ import annotations

import json
import resource
import sys
from dataclasses import asdict
from typing import IO

from orchestrator.websearch.pages.reading import main_text

MEMORY = 2 << 30  # bytes of address space; a page of 3 MiB takes some 200 MiB, most of it libraries


def main(requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer until the other side hangs up."""
    while line := requests.readline():
        asked = json.loads(line)
        body = requests.read(asked["size"])
        replies.write(json.dumps(_answer(body, asked)).encode("ascii") + b"\n")
        replies.flush()


def _answer(body: bytes, asked: dict[str, str]) -> dict[str, str]:
    try:
        return asdict(main_text(body, asked["kind"], asked["charset"], asked["url"]))
    except (MemoryError, RecursionError, ValueError, AssertionError, LookupError, TypeError, AttributeError):
        return {"failed": "its markup cannot be read"}  # whatever trafilatura and lxml make of markup nobody foresaw


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    main(sys.stdin.buffer, sys.stdout.buffer)
