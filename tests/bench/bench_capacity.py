"""What questions get of each source at 10, 20 and 40 a minute on one credential, as a table and as a picture.

``bench_capacity.py [A_MINUTE …] [--receipts] [--keep COMMIT] [--plot]``. The golden questions of the invented medical company, each by somebody
else, at the rates as shipped. The clock leaps from one question to the next and goes slowly in between, so that each takes the
same share of a rate, and has its three seconds, however busy the machine is. ``--keep``: how many sources each question was asked
of goes into ``capacity.json``, under the commit's name; ``--plot`` draws what is kept there (``docs/images/capacity.svg``) and asks nothing. ``--receipts`` prints what three answers say of the
sources that were short: the first that waited for a turn, for whom something stood in, and who was asked for less alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bench_scarcity import leaping

from orchestrator.answer import receipt
from orchestrator.assembly.searching import build_engine
from orchestrator.gather.gate import Allowance
from orchestrator.model import Ask, Part, Principal, Status
from orchestrator.sandbox import Sandbox, load_corpus
from orchestrator.settings import load_settings

HERE = Path(__file__).parent
COMPANY = HERE.parent / "data" / "companies" / "medtech"
KEPT = HERE / "capacity.json"
PICTURE = HERE.parents[1] / "docs" / "images" / "capacity.svg"
PACES = ("10", "20", "40")  # questions a minute
BUDGET = 3.0
SLOWER = 4.0  # real seconds that a second of the clock takes
ANSWERED = {Status.OK, Status.EMPTY, Status.PARTIAL}
UNASKED = str(Status.THROTTLED)
NOTICED = 0.1  # seconds of waiting


async def asked_at(a_minute: float) -> list[dict]:
    """Every golden question once: when it came, and how each source did."""
    about = json.loads((COMPANY / "about.json").read_text("utf-8"))
    now = datetime.fromisoformat(about["now"])
    golden = [json.loads(line) for line in (COMPANY / "golden.jsonl").read_text("utf-8").splitlines() if line]
    leap, time = leaping(SLOWER), asyncio.get_running_loop().time
    async with Sandbox(load_corpus(COMPANY / "corpus"), now=now, owner=about["owner"]) as sandbox:
        ends = sandbox.endpoints.items()
        sources = {name: {"kind": name, "base_url": end.base_url, "token": end.token} for name, end in ends}
        with TemporaryDirectory() as folder:
            settings = load_settings({"sources": sources, "storage": {"data_dir": folder}}, {})
            async with build_engine(settings, apart=True) as engine:
                await engine.prepare()
                began, asking = time(), []

                async def ask(number: int, question: str) -> dict:
                    came = time() - began
                    asked = Ask(question, now, Principal(f"employee {number}"), budget=BUDGET)
                    answer = await engine.search(asked)
                    told = {each.source: _told(each) for each in answer.outcomes}
                    said = [each.text for each in answer.statements if each.part is Part.REMARK]
                    lines = [(each.title, each.headline, each.notes) for each in receipt(answer)]
                    return {"at": came, "took": answer.took, "sources": told, "receipt": (question, said, lines)}

                for number, each in enumerate(golden):
                    due = began + number * 60.0 / a_minute
                    if (busy := [task for task in asking if not task.done()]) and time() < due:
                        await asyncio.wait(busy, timeout=due - time())
                    leap(due - time())
                    asking.append(asyncio.create_task(ask(number, each["question"])))
                    await asyncio.sleep(0)
                return await asyncio.gather(*asking)


def _told(outcome) -> dict:
    return {
        "status": str(outcome.status),
        "asked": outcome.status in ANSWERED,
        "requests": outcome.requests,
        "spared": getattr(outcome, "spared", False),  # commits before have neither
        "waited": getattr(outcome, "waited", 0.0),
        "stood_in": getattr(outcome, "stood_in", False),
    }


def counted() -> Counter:
    """How many requests have counted against which allowance of which source, from now on."""
    taken, take = Counter(), Allowance.take

    async def counting(self, comer) -> bool:
        given = await take(self, comer)
        name, _, bucket = self._key.split(":")
        taken[name, bucket] += given
        return given

    Allowance.take = counting
    return taken


def table(pace: str, found: list[dict], taken: Counter) -> None:
    """By source: requests a question by allowance, and how many questions had none or fewer than they would have had."""
    names = sorted({name for each in found for name in each["sources"]})
    first = next((number for number, each in enumerate(found, 1) if _unasked(each)), None)
    longest = max(each["took"] for each in found)
    print(
        f"\n{pace} questions a minute, {len(found)} questions; first without a source: {first or 'none'}; longest {longest:.1f} s"
    )
    for name in names:
        of = [each["sources"][name] for each in found if name in each["sources"]]
        by_allowance = sorted((bucket, count) for (source, bucket), count in taken.items() if source == name)
        requests = ", ".join(f"{bucket} {count / len(of):.1f}".strip() for bucket, count in by_allowance)
        unasked, spared = sum(each["status"] == UNASKED for each in of), sum(each["spared"] for each in of)
        silent = sum(not each["asked"] for each in of) - unasked
        waited = [each["waited"] for each in of if each["waited"] >= NOTICED]
        print(
            f"  {name:<11} {requests} requests a question, unasked {unasked}, silent {silent}, asked for less {spared},"
            f" waited {len(waited)} (at most {max(waited, default=0.0):.1f} s)"
        )


def _unasked(question: dict) -> list[str]:
    return [name for name, each in question["sources"].items() if each["status"] == UNASKED]


def receipts(found: list[dict]) -> None:
    """Of three answers what their receipts say of sources that took part otherwise than usual."""
    ways = ("waited", lambda of: of["waited"] >= NOTICED), ("stood in", lambda of: of["stood_in"]), ("less", _is_less)
    for way, holds in ways:
        one = next((each for each in found if any(map(holds, each["sources"].values()))), None)
        if one is None:
            continue
        question, said, lines = one["receipt"]
        print(f"\n[{way}] after {one['at']:.0f} s: {question}\n  " + "\n  ".join(said))
        for title, headline, notes in lines:
            if notes:
                print(f"  {title}: {headline}", *(f"    - {note}" for note in notes), sep="\n")


def _is_less(outcome: dict) -> bool:
    return outcome["spared"] and not outcome["stood_in"] and outcome["waited"] < NOTICED


def keep(commit: str, measured: dict[str, list[dict]]) -> None:
    """When each question came, and of how many sources it was asked."""
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    kept[commit] = {
        pace: [[round(each["at"], 1), len(each["sources"]) - len(_unasked(each))] for each in found]
        for pace, found in measured.items()
    }
    lines = (
        f' "{name}": {{\n' + ",\n".join(f'  "{pace}": {json.dumps(series)}' for pace, series in of.items()) + "\n }"
        for name, of in kept.items()
    )
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


# ---- the picture

WIDTH, HEIGHT, LEFT, TOP, GAP, RIGHT = 860, 120, 60, 60, 56, 20
COLOURS = "#c2410c", "#1d4ed8"  # before, now


def picture(kept: dict[str, dict[str, list[list[float]]]]) -> str:
    """One panel for each pace: of how many sources each question was asked, over time, a line for each commit."""
    paces = list(next(iter(kept.values())))
    most = max(asked for of in kept.values() for series in of.values() for _, asked in series)
    parts = [
        _text(LEFT, 22, "Sources asked for each question, at the rates as shipped, one credential for all", size=15)
    ]
    for place, (name, colour) in enumerate(zip(kept, COLOURS, strict=True)):
        x = LEFT + place * 150
        parts += [f'<path d="M{x} 40h28" stroke="{colour}" stroke-width="2.5"/>', _text(x + 34, 44, name)]
    for row, pace in enumerate(paces):
        top = TOP + row * (HEIGHT + GAP)
        end = max(series[-1][0] for series in (of[pace] for of in kept.values())) or 1.0
        parts += _panel(top, pace, end, most)
        for (of, colour), width in zip(zip(kept.values(), COLOURS, strict=True), (2.5, 2), strict=True):
            line = _steps(of[pace], top, end, most)
            parts.append(f'<path d="{line}" fill="none" stroke="{colour}" stroke-width="{width}"/>')
    tall = TOP + len(paces) * (HEIGHT + GAP)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {tall}" font-family="sans-serif" font-size="12">\n'
        f'<rect width="{WIDTH}" height="{tall}" fill="white"/>\n{body}\n</svg>\n'
    )


def _panel(top: int, pace: str, end: float, most: int) -> list[str]:
    """Its name, its axes, and their marks."""
    parts = [_text(LEFT, top + 12, f"{pace} questions a minute")]
    for asked in range(0, most + 1, 2):
        y = _y(top, asked, most)
        parts += [f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>', _text(LEFT - 22, y + 4, str(asked))]
    for mark in range(0, int(end) + 1, 60 if end > 100 else 15):
        x = LEFT + mark / end * (WIDTH - LEFT - RIGHT)
        parts.append(_text(x - 8, top + HEIGHT + 16, f"{mark} s"))
    return parts


def _steps(series: list[list[float]], top: int, end: float, most: int) -> str:
    points = [(LEFT + at / end * (WIDTH - LEFT - RIGHT), _y(top, asked, most)) for at, asked in series]
    return f"M{points[0][0]:.1f} {points[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in points[1:])


def _y(top: int, asked: float, most: int) -> float:
    return top + HEIGHT - asked / most * (HEIGHT - 24)


def _text(x: float, y: float, said: str, size: int = 12) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="#222">{said}</text>'


def main() -> None:
    """As wished."""
    wish = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wish.add_argument("paces", nargs="*", default=PACES, metavar="A_MINUTE")
    wish.add_argument("--keep", metavar="COMMIT", help="keep what was measured under this name")
    wish.add_argument("--receipts", action="store_true", help="print three receipts of each pace")
    wish.add_argument("--plot", action="store_true", help="draw what is kept, and ask nothing")
    wish = wish.parse_args()
    if wish.plot:
        PICTURE.write_text(picture(json.loads(KEPT.read_text("utf-8"))), "utf-8")
        return
    measured, taken = {}, counted()
    for pace in wish.paces:
        measured[pace] = asyncio.run(asked_at(float(pace)))
        table(pace, measured[pace], taken)
        taken.clear()
        if wish.receipts:
            receipts(measured[pace])
        sys.stdout.flush()
    if wish.keep:
        keep(wish.keep, measured)


if __name__ == "__main__":
    main()
