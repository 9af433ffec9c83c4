"""``python -m orchestrator.understand < rows.jsonl > predicted.jsonl``: understanding without the rest of the house."""

from __future__ import annotations

import json
import sys

from orchestrator.understand.rows import understand_rows

if __name__ == "__main__":
    try:
        for row in understand_rows(sys.stdin):
            sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    except ValueError as error:
        sys.exit(f"understand: {error}")
