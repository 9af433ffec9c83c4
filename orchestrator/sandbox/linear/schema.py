"""Linear's GraphQL schema, and its measure of a query: 0.1 point a scalar, 1 an object, and a connection as often as it may return."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    build_schema,
    get_named_type,
)

from orchestrator.sandbox.linear.filters import parse_day, parse_moment

_SDL = Path(__file__).with_name("schema.graphql").read_text("utf-8")


@cache
def schema() -> GraphQLSchema:
    """The schema, with scalars that read Linear's dates and durations."""
    built = build_schema(_SDL)
    for name, parse in (("DateTimeOrDuration", parse_moment), ("TimelessDateOrDuration", parse_day)):
        scalar = built.type_map[name]
        if isinstance(scalar, GraphQLScalarType):
            for hook in ("parse_value", "coerce_input_value"):  # graphql-core 3.2 and 3.3 name it differently
                setattr(scalar, hook, parse)
    return built


def sdl() -> str:
    """The schema's source, for tests that compare it with Linear's."""
    return _SDL


MAX_POINTS = 10_000
DEFAULT_PAGE = 50


class Complexity:
    """Points of the operations of a valid document."""

    def __init__(self, document: DocumentNode, variables: Mapping[str, Any]) -> None:
        self._variables = variables
        self._operations = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
        fragments = (node for node in document.definitions if isinstance(node, FragmentDefinitionNode))
        self._fragments = {node.name.value: node for node in fragments}
        self._costs: dict[str, float] = {}

    def points(self) -> float:
        """The dearest operation, for only one of them runs."""
        root = schema().query_type
        return max((self._selected(node.selection_set, root) for node in self._operations), default=0.0)

    def _selected(self, selections: SelectionSetNode | None, parent: GraphQLObjectType | None) -> float:
        if selections is None or parent is None:
            return 0.0
        total = 0.0
        for node in selections.selections:
            match node:
                case FieldNode():
                    total += self._field(node, parent)
                case InlineFragmentNode():
                    total += self._selected(node.selection_set, parent)
                case FragmentSpreadNode():
                    total += self._fragment(node.name.value, parent)
        return total

    def _fragment(self, name: str, parent: GraphQLObjectType) -> float:
        if name not in self._costs:
            self._costs[name] = self._selected(self._fragments[name].selection_set, parent)
        return self._costs[name]

    def _field(self, node: FieldNode, parent: GraphQLObjectType) -> float:
        field = parent.fields.get(node.name.value)
        kind = get_named_type(field.type) if field else None
        if not isinstance(kind, GraphQLObjectType):
            return 0.1
        inside = self._selected(node.selection_set, kind)
        paged = kind.name.endswith(("Connection", "SearchPayload"))
        return 1 + inside * (self._page(node) if paged else 1)

    def _page(self, node: FieldNode) -> int:
        for argument in node.arguments or ():
            if argument.name.value in ("first", "last"):
                match argument.value:
                    case IntValueNode(value=text):
                        return max(0, int(text))
                    case VariableNode(name=name):
                        value = self._variables.get(name.value)
                        return min(value, MAX_POINTS) if isinstance(value, int) and value > 0 else DEFAULT_PAGE
        return DEFAULT_PAGE
