"""What is delivered for servers goes with the program: the image has all packages, units start commands that there are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from orchestrator.main import Root
from orchestrator.surfaces.cli import make_app

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
IMAGE = (DEPLOY / "Dockerfile").read_text("utf-8")


def commands() -> set[str]:
    return set(get_command(make_app(Root())).commands)  # type: ignore[attr-defined]


def test_the_image_is_made_of_every_package_and_of_nothing_that_is_secret() -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    copied = {name for line in re.findall(r"(?m)^COPY (?!--from)(.+)$", IMAGE) for name in line.split()[:-1]}
    assert {*built["packages"], *built["force-include"]} <= copied
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    assert let_in == copied
    assert all((ROOT / name).exists() for name in copied)


def test_the_image_runs_as_nobody_special_and_says_how_it_is() -> None:
    last = IMAGE.rpartition("\nFROM ")[2]
    assert re.search(r"(?m)^USER [1-9]\d+:[1-9]\d+$", last)
    assert "/healthz" in last.partition("HEALTHCHECK")[2]
    assert "--require-hashes" in IMAGE
    assert re.findall(r'(?m)^(?:ENTRYPOINT|CMD) \["([a-z]+)"', last)[-1] in commands()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_a_command_that_there_is(unit: Path) -> None:
    text = unit.read_text("utf-8")
    (command,) = re.findall(r"ExecStart=.*/opt/fedsearch/bin/fedsearch ([a-z]+)", text)
    assert command in commands()
    assert {"User=fedsearch", "NoNewPrivileges=true", "ProtectSystem=strict", "CapabilityBoundingSet="} <= set(
        text.splitlines()
    )
