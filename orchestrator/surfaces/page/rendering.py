"""Makes HTML of templates: everything escaped, everything cleaned of what hides or turns text around."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator
from markupsafe import Markup, escape
from typing_extensions import override

from orchestrator.documents.plain import plain
from orchestrator.surfaces.page.words import MESSAGES, words
from translators.records import record
from translators.said import LANGUAGES, of_data, said_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jinja2.compiler import Frame

HERE = Path(__file__).resolve().parent
GAP = "\x00"  # where the part of a page comes that is not known yet; text cannot hold it
_SAID: dict[str, dict[str, None]] = {}  # by a template
MEDIA_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


@record
class Static:
    """A file that never changes under its name, which holds a part of its digest."""

    name: str
    media_type: str
    body: bytes
    packed: bytes


@cache
def static_files() -> dict[str, Static]:
    """Every file beside the templates, by the name it is served under."""
    return {file.name: file for file in _originals().values()}


@cache
def templates() -> Environment:
    """The templates. What they are given is text: nothing of it is taken for markup, and an unknown name is an error."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.code_generator_class = _Listening
    environment.globals["files"] = {name: f"/static/{file.name}" for name, file in _originals().items()}
    environment.globals["gap"] = Markup("\x00")
    return environment


def prepare() -> None:
    """Read and compile everything, so that no reader waits for it."""
    static_files()
    for name in templates().list_templates():
        templates().get_template(name)
    for language in LANGUAGES:
        spoken(language)


@cache
def spoken(language: str) -> Mapping[str, Markup]:
    """The words of one language, escaped once for all: by key, and what templates say by its English."""
    own = {each: said_in(of_data(each), language) for name in templates().list_templates() for each in said_by(name)}
    return {key: escape(text) for key, text in {**own, **words(language)}.items()}


def said_by(template: str) -> tuple[str, ...]:
    """What a template says in English, as ``words["Search"]``; words that have a key are said by that."""
    templates().get_template(template)
    return tuple(_SAID.get(template, ()))


class _Listening(CodeGenerator):
    """Hears what a template says while it is compiled."""

    @override
    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:
        if isinstance(node.node, nodes.Name) and node.node.name == "words":
            _SAID.setdefault(str(self.name), {}).update(
                dict.fromkeys(text for text in _texts(node.arg) if text not in MESSAGES)
            )
        super().visit_Getitem(node, frame)


def _texts(node: nodes.Node) -> Iterator[str]:
    match node:
        case nodes.Const(value=str(text)):
            yield text
        case nodes.CondExpr():
            yield from (text for part in (node.expr1, node.expr2) if part for text in _texts(part))


def render(template: str, **told: Any) -> str:
    """One template as HTML."""
    return templates().get_template(template).render(told)


@cache
def _originals() -> dict[str, Static]:
    return {path.name: _static(path) for path in sorted((HERE / "static").iterdir())}


def _static(path: Path) -> Static:
    body = path.read_bytes()
    name = f"{path.stem}.{hashlib.sha256(body).hexdigest()[:10]}{path.suffix}"
    return Static(name, MEDIA_TYPES[path.suffix], body, gzip.compress(body, 9, mtime=0))


def _finalize(value: Any) -> Any:
    """Text from sources passes here on its way to every place of every template. ASCII that can be seen hides nothing."""
    if not isinstance(value, str) or isinstance(value, Markup) or (value.isascii() and value.isprintable()):
        return value
    return plain(value)
