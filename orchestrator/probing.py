"""How one source does, found out by asking it as somebody may ask it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from connectors.contract import Call, Health
from connectors.errors import SourceError
from orchestrator.gather import broken_by

if TYPE_CHECKING:
    from orchestrator.gather import Source
    from orchestrator.model import Principal


async def probe(source: Source, asker: Principal, budget: float) -> Health:
    """What a source says of itself within ``budget`` seconds; one that is being left alone is not asked."""
    if told := await source.unwell():
        return Health(ok=False, detail=told)
    try:
        async with asyncio.timeout(budget):
            gate = source.gate
            call = Call(asker.id, asker.groups, timeout=budget, turn=gate.enter, throttled=gate.heed)
            return await source.connector.probe(call)
    except TimeoutError:
        return Health(ok=False, detail=f"no answer within {budget:g} s")
    except SourceError as failure:
        return Health(ok=False, detail=failure.message)
    except Exception as failure:  # noqa: BLE001 — law 3: a broken connector must not hide how the others do
        return Health(ok=False, detail=broken_by(failure))
