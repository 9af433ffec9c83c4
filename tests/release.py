"""``make release``: wheel and source distribution, each installed into empty environments of every Python here that we take, and tried there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
SIZE = """
import importlib.metadata as m, pathlib
sizes = [sum(pathlib.Path(d.locate_file(f)).stat().st_size for f in d.files or () if pathlib.Path(d.locate_file(f)).is_file()) for d in m.distributions() if d.name != "pip"]
print(len(sizes), "packages,", round(sum(sizes) / 1e6), "MB")
"""
DOOR = """
from fedsearch import Ask, open_engine
engine = open_engine({"sources": {"wiki": {"kind": "notion", "token": "ntn_example"}}}, environment={})
assert [each.title for each in engine.profiles] == ["Notion (wiki)"]
"""


def main() -> int:
    """Print a line for each; 1 where one failed."""
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    subprocess.run([sys.executable, "-m", "hatchling", "build"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (wheel,), (source,) = (sorted((ROOT / "dist").glob(each)) for each in ("*.whl", "*.tar.gz"))
    print(
        f"{wheel.name} {wheel.stat().st_size / 1e6:.1f} MB, {source.name} {source.stat().st_size / 1e6:.1f} MB",
        flush=True,
    )
    wanted = [each for each in PYTHONS if shutil.which(f"python{each}")]
    print(f"not here: {', '.join(set(PYTHONS) - set(wanted)) or 'none'}", flush=True)
    failed = 0
    for python in wanted:
        failed += not tried(python, "wheel", [str(wheel)], ["understand", "who owns okta"])
        failed += not tried(python, "source", [str(source)], ["understand", "who owns okta"])
        failed += not tried(
            python, "wheel, every extra, by constraints", [], ["demo", "결제 게이트웨이 담당자 누구예요?"], whole=wheel
        )
    return 1 if failed else 0


def tried(python: str, what: str, install: list[str], command: list[str], *, whole: Path | None = None) -> bool:
    """Whether it installs, opens an engine and answers."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        subprocess.run([f"python{python}", "-m", "venv", str(home / "env")], check=True)
        pip = [str(home / "env/bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        steps = [[*pip, *install]]
        if whole:
            pinned = ["--no-deps", "--require-hashes", "-r", str(ROOT / "constraints/run.txt")]
            steps = [[*pip, *pinned], [*pip, "--no-deps", str(whole)]]
        steps += [[str(home / "env/bin/python"), "-m", "pip", "check"], [str(home / "env/bin/python"), "-c", DOOR]]
        steps += [[str(home / "env/bin/fedsearch"), *command]]
        own = {**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder, "FEDSEARCH_DATA_DIR": folder, "PYTHONUTF8": "1"}
        for step in steps:
            done = subprocess.run(step, cwd=folder, env=own, capture_output=True, encoding="utf-8", check=False)
            if done.returncode:
                print(
                    f"{python} {what}: FAILED {' '.join(step[1:4])}: {(done.stderr or done.stdout).strip()[-600:]}",
                    flush=True,
                )
                return False
        size = subprocess.run(
            [str(home / "env/bin/python"), "-c", SIZE], capture_output=True, encoding="utf-8", check=True
        ).stdout.strip()
        print(f"{python} {what}: installs, opens an engine, answers; {size}", flush=True)
        return True


if __name__ == "__main__":
    sys.exit(main())
