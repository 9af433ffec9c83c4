"""What is delivered for servers goes with the program: the image has all packages, units start commands that there are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from orchestrator.main import Root
from orchestrator.settings import load_settings
from orchestrator.surfaces.cli import make_cli

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
IMAGE = (DEPLOY / "Dockerfile").read_text("utf-8")


def commands() -> set[str]:
    return set(get_command(make_cli(Root())).commands)  # type: ignore[attr-defined]


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


CHART = DEPLOY / "helm" / "fedsearch"
WHOLE = (
    "replicas=3", "database=external", "secret=fedsearch", "persistence.accessMode=ReadWriteMany", "ingress.enabled=true", "bot.enabled=true",
    "backup.schedule=17 3 * * *", "sources.handbook.kind=mcp_client",
)  # fmt: skip


def test_the_chart_is_of_this_version_and_its_values_are_those_that_are_read() -> None:
    yaml = pytest.importorskip("yaml")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    about = yaml.safe_load((CHART / "Chart.yaml").read_text("utf-8"))
    assert about["appVersion"] == project["version"]
    values = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
    schema = json.loads((CHART / "values.schema.json").read_text("utf-8"))
    assert values.keys() | {"global"} == schema["properties"].keys()
    text = "".join(path.read_text("utf-8") for path in (CHART / "templates").iterdir())
    assert set(re.findall(r"\.Values\.([a-zA-Z]+)", text)) == values.keys()
    for name, inner in re.findall(r"\.Values\.([a-zA-Z]+)\.([a-zA-Z]+)", text):
        assert inner in values[name], (name, inner)
    load_settings(values["settings"], {})


def test_the_pods_of_the_chart_run_what_the_image_has_as_whom_it_has() -> None:
    text = "".join(path.read_text("utf-8") for path in (CHART / "templates").glob("*.yaml"))
    started = re.findall(r"args: \[([a-z]+)", text) + re.findall(r"^ +fedsearch ([a-z]+)", text, re.MULTILINE)
    assert started
    assert {*started} <= commands()
    helpers = (CHART / "templates" / "_helpers.tpl").read_text("utf-8")
    (user,) = re.findall(r"(?m)^USER ([0-9]+):", IMAGE.rpartition("\nFROM ")[2])
    assert f"runAsUser: {user}" in helpers
    assert {"mountPath: /var/lib/fedsearch", "mountPath: /etc/fedsearch"} <= set(
        re.findall(r"mountPath: [a-z/]+", helpers)
    )


@pytest.mark.skipif(shutil.which("helm") is None, reason="helm is not installed")
def test_the_chart_is_taken_by_helm() -> None:
    said = [part for each in WHOLE for part in ("--set", each)]
    for command in (
        ["lint", str(CHART), *said],
        ["template", "find", str(CHART), *said],
        ["template", "find", str(CHART)],
    ):
        done = subprocess.run(["helm", *command], capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr
    refused = subprocess.run(
        ["helm", "template", "find", str(CHART), "--set", "bot.enabled=true"], capture_output=True, check=False
    )
    assert refused.returncode != 0


def test_both_guides_to_installing_have_one_type_the_same() -> None:
    english, korean = (
        re.findall(
            r"(?ms)^```sh\n.*?^```", (ROOT / "docs" / "how-to" / f"install-on-a-server{each}.md").read_text("utf-8")
        )
        for each in ("", "-ko")
    )
    assert english == korean != []
