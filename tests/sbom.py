"""``make sbom``: what an installation is made of, as CycloneDX (https://cyclonedx.org/docs/1.6/json/), out of ``constraints/run.txt``.

The same constraints make the same file: it holds no moment, and its serial number is made from what it holds.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import uuid
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(?:\s*;\s*([^\\]+?))?\s*\\?$")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
NAME = re.compile(r"[A-Za-z0-9._-]+")
BUILDS = frozenset({"hatchling", "editables", "pathspec", "trove-classifiers", "pluggy", "packaging"})


def main() -> int:
    """Write ``dist/fedsearch-VERSION.cdx.json``, or where the first argument says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    file = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "dist" / f"fedsearch-{project['version']}.cdx.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    made = bill(project, (ROOT / "constraints" / "run.txt").read_text("utf-8"))
    file.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{file}: {len(made['components'])} components")
    return 0


def bill(project: dict[str, Any], constraints: str) -> dict[str, Any]:
    """The whole document. ``scope``: whether a component is needed without any extra."""
    pinned = list(read(constraints))
    names = {name for name, _, _, _ in pinned}
    wanted = {name: required(name) & names for name in names}
    default = closure({normal(each) for each in project["dependencies"]}, wanted)
    components = [component(each, scope="required" if each[0] in default else "optional") for each in pinned]
    extras = [each for group in project["optional-dependencies"].values() for each in group]
    direct = sorted({normal(each) for each in (*project["dependencies"], *extras)} & names)
    reference = {name: f"pkg:pypi/{name}@{version}" for name, version, _, _ in pinned}
    own = {
        "type": "application",
        "name": project["name"],
        "version": project["version"],
        "bom-ref": f"pkg:pypi/{project['name']}@{project['version']}",
        "purl": f"pkg:pypi/{project['name']}@{project['version']}",
        "description": project["description"],
        "licenses": [{"expression": project["license"]}],
    }
    graph = [{"ref": own["bom-ref"], "dependsOn": [reference[name] for name in direct]}]
    graph += [
        {"ref": reference[name], "dependsOn": [reference[each] for each in sorted(wanted[name])]}
        for name in sorted(names)
    ]
    body = {"metadata": {"component": own}, "components": components, "dependencies": graph}
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}", "version": 1, **body}


def read(constraints: str) -> Any:
    """Name, version, marker and hashes of each requirement but those that only build."""
    for block in re.split(r"\n(?=[A-Za-z0-9])", constraints):
        found = PINNED.match(block.partition("\n")[0])
        if found and normal(found[1]) not in BUILDS:
            yield normal(found[1]), found[2], found[3] or "", HASH.findall(block)


def component(pinned: tuple[str, str, str, list[str]], scope: str) -> dict[str, Any]:
    """One library. Each of its files has a hash of its own, and an installation has one of them."""
    name, version, marker, hashes = pinned
    told = [{"name": "pip:hash:sha256", "value": each} for each in hashes]
    told += [{"name": "pip:marker", "value": marker}] if marker else []
    purl = f"pkg:pypi/{name}@{version}"
    made = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl, "scope": scope}
    return {**made, **licenses(name), "properties": told}


def licenses(name: str) -> dict[str, Any]:
    """As the package says, where it is installed here."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return {}
    if expression := about.get("License-Expression"):
        return {"licenses": [{"expression": expression}]}
    said = [each.rpartition(" :: ")[2] for each in about.get_all("Classifier", []) if each.startswith("License :: ")]
    said = said or [line for line in (about.get("License") or "").splitlines()[:1] if line]
    return {"licenses": [{"license": {"name": each}} for each in said]} if said else {}


def required(name: str) -> set[str]:
    """What a package wants without any extra of its own, as it says where it is installed here."""
    try:
        return {normal(each) for each in metadata.requires(name) or () if "extra ==" not in each}
    except metadata.PackageNotFoundError:
        return set()


def closure(names: set[str], wanted: dict[str, set[str]]) -> set[str]:
    """These and all that they want."""
    found: set[str] = set()
    ahead = list(names)
    while ahead:
        if (name := ahead.pop()) not in found:
            found.add(name)
            ahead += wanted.get(name, ())
    return found


def normal(requirement: str) -> str:
    """The normalised name of a requirement."""
    found = NAME.match(requirement)
    return re.sub(r"[-_.]+", "-", found[0]).lower() if found else ""


if __name__ == "__main__":
    sys.exit(main())
