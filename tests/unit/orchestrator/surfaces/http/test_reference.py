"""The page about the API names every route that there is, none that there is not, and every code of a refusal."""

import ast
import re
from pathlib import Path

from orchestrator.access import new_key
from orchestrator.assembly.serving import api_services
from orchestrator.settings import load_settings
from orchestrator.surfaces.http import make_api

ROOT = Path(__file__).resolve().parents[5]
REFERENCE = (ROOT / "docs" / "reference" / "http-api.md").read_text("utf-8")
SERVER = ROOT / "orchestrator" / "surfaces" / "http"
OF_THE_FRAMEWORK = {"not_found", "method_not_allowed"}  # codes made of a status's name
NAMED = re.compile(r"`(GET|POST|PATCH|PUT|DELETE) (/[^?`]*)[^`]*`")


def described(tmp_path):
    """Every operation of the description of a server where all that can be switched on is, placeholders in capitals."""
    slack = {"credential": "person", "application": {"client_id": "1", "client_secret": "2"}}
    everything = {
        "storage": {"data_dir": str(tmp_path)},
        "accounts": {"address": "http://127.0.0.1:8480", "secret": new_key()},
        "sources": {"slack": slack},
    }
    paths = make_api(api_services(load_settings(everything, {}), None)).openapi()["paths"]
    return {
        (method.upper(), re.sub(r"\{(\w+)\}", lambda match: match[1].upper(), path))
        for path, operations in paths.items()
        for method in operations
    }


def refused():
    """Every code that stands in the server's own words."""
    for path in SERVER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in {"Refused", "problem"}
            ):
                yield from (
                    each.value
                    for each in node.args[1:3]
                    if isinstance(each, ast.Constant) and str(each.value).isidentifier()
                )


def test_every_route_stands_in_the_table(tmp_path):
    rows = "\n".join(line for line in REFERENCE.splitlines() if line.startswith("|"))
    assert set(NAMED.findall(rows)) == described(tmp_path)


def test_every_code_of_a_refusal_is_named():
    codes = {*refused(), *OF_THE_FRAMEWORK}
    assert "missing_scope" in codes
    assert sorted(codes - set(re.findall(r"`([a-z_]+)`", REFERENCE))) == []
