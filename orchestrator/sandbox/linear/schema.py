"""Linear's GraphQL schema, and its measure of a query: 0.1 point a scalar, 1 an object, and a connection as often as it may return."""

from collections.abc import Mapping
from functools import cache
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

_PAGE = "after: String, before: String, first: Int, last: Int, includeArchived: Boolean, orderBy: PaginationOrderBy"
_TEXT_TESTS = """
  eq: String  neq: String  in: [String!]  nin: [String!]
  eqIgnoreCase: String  neqIgnoreCase: String
  contains: String  containsIgnoreCase: String  containsIgnoreCaseAndAccent: String
  notContains: String  notContainsIgnoreCase: String
  startsWith: String  startsWithIgnoreCase: String  notStartsWith: String
  endsWith: String  notEndsWith: String
"""
_ISSUE = f"""
  id: ID!
  identifier: String!
  number: Float!
  title: String!
  description: String
  url: String!
  branchName: String!
  priority: Float!
  priorityLabel: String!
  estimate: Float
  createdAt: DateTime!
  updatedAt: DateTime!
  startedAt: DateTime
  completedAt: DateTime
  canceledAt: DateTime
  archivedAt: DateTime
  dueDate: TimelessDate
  trashed: Boolean
  assignee: User
  creator: User
  team: Team!
  state: WorkflowState!
  project: Project
  labelIds: [String!]!
  labels({_PAGE}, filter: IssueLabelFilter): IssueLabelConnection!
  comments({_PAGE}): CommentConnection!
"""


def _range_tests(scalar: str) -> str:
    single = " ".join(f"{name}: {scalar}" for name in ("eq", "neq", "gt", "gte", "lt", "lte"))
    return f"{single} in: [{scalar}!] nin: [{scalar}!]"


def _connection(node: str) -> str:
    return f"""
type {node}Connection {{ nodes: [{node}!]! edges: [{node}Edge!]! pageInfo: PageInfo! }}
type {node}Edge {{ node: {node}! cursor: String! }}
"""


def _user_filter(name: str, more: str = "") -> str:
    return f"""
input {name} {{
  id: IDComparator  name: StringComparator  displayName: StringComparator  email: StringComparator
  active: BooleanComparator  admin: BooleanComparator  isMe: BooleanComparator
  createdAt: DateComparator  updatedAt: DateComparator
  and: [{name}!]  or: [{name}!]  {more}
}}
"""


def _label_tests(name: str) -> str:
    return f"""
  id: IDComparator  name: StringComparator  isGroup: BooleanComparator
  createdAt: DateComparator  updatedAt: DateComparator
  and: [{name}!]  or: [{name}!]
"""


_SDL = f"""
scalar DateTime
scalar TimelessDate
scalar DateTimeOrDuration
scalar TimelessDateOrDuration
scalar JSONObject

enum PaginationOrderBy {{ createdAt updatedAt }}

type Query {{
  searchIssues(
    term: String!, {_PAGE}, filter: IssueFilter, includeComments: Boolean, teamId: String
  ): IssueSearchPayload!
  issues({_PAGE}, filter: IssueFilter): IssueConnection!
  issue(id: String!): Issue!
  viewer: User!
  user(id: String!): User!
  users({_PAGE}, filter: UserFilter): UserConnection!
  team(id: String!): Team!
  teams({_PAGE}, filter: TeamFilter): TeamConnection!
  organization: Organization!
  rateLimitStatus: RateLimitPayload!
}}

type IssueSearchPayload {{
  nodes: [IssueSearchResult!]!
  edges: [IssueSearchResultEdge!]!
  pageInfo: PageInfo!
  totalCount: Float!
}}
type IssueSearchResultEdge {{ node: IssueSearchResult! cursor: String! }}
type IssueSearchResult {{ {_ISSUE} metadata: JSONObject! }}
type Issue {{ {_ISSUE} }}

type User {{
  id: ID!  name: String!  displayName: String!  email: String!  title: String  url: String!  initials: String!
  avatarUrl: String  active: Boolean!  admin: Boolean!  guest: Boolean!  isMe: Boolean!  timezone: String
  createdAt: DateTime!  updatedAt: DateTime!  archivedAt: DateTime
}}
type Team {{
  id: ID!  key: String!  name: String!  displayName: String!  description: String  private: Boolean!
  createdAt: DateTime!  updatedAt: DateTime!  archivedAt: DateTime
}}
type WorkflowState {{
  id: ID!  name: String!  type: String!  position: Float!  color: String!
  createdAt: DateTime!  updatedAt: DateTime!  archivedAt: DateTime
}}
type Project {{
  id: ID!  name: String!  description: String!  slugId: String!  url: String!
  createdAt: DateTime!  updatedAt: DateTime!  archivedAt: DateTime
}}
type IssueLabel {{
  id: ID!  name: String!  color: String!  isGroup: Boolean!
  createdAt: DateTime!  updatedAt: DateTime!  archivedAt: DateTime
}}
type Comment {{
  id: ID!  body: String!  url: String!  user: User
  createdAt: DateTime!  updatedAt: DateTime!  archivedAt: DateTime
}}
type Organization {{ id: ID!  name: String!  urlKey: String! }}
type PageInfo {{ hasNextPage: Boolean!  hasPreviousPage: Boolean!  startCursor: String  endCursor: String }}
type RateLimitPayload {{ identifier: String  kind: String!  limits: [RateLimitResultPayload!]! }}
type RateLimitResultPayload {{
  type: String!  requestedAmount: Float!  allowedAmount: Float!  period: Float!  remainingAmount: Float!  reset: Float!
}}

input StringComparator {{ {_TEXT_TESTS} }}
input NullableStringComparator {{ {_TEXT_TESTS} null: Boolean }}
input IDComparator {{ eq: ID neq: ID in: [ID!] nin: [ID!] }}
input IssueIDComparator {{ eq: ID neq: ID in: [ID!] nin: [ID!] }}
input BooleanComparator {{ eq: Boolean neq: Boolean }}
input NumberComparator {{ {_range_tests("Float")} }}
input NullableNumberComparator {{ {_range_tests("Float")} null: Boolean }}
input DateComparator {{ {_range_tests("DateTimeOrDuration")} }}
input NullableDateComparator {{ {_range_tests("DateTimeOrDuration")} null: Boolean }}
input NullableTimelessDateComparator {{ {_range_tests("TimelessDateOrDuration")} null: Boolean }}

input IssueFilter {{
  id: IssueIDComparator  number: NumberComparator  title: StringComparator  description: NullableStringComparator
  priority: NullableNumberComparator
  createdAt: DateComparator  updatedAt: DateComparator  startedAt: NullableDateComparator
  completedAt: NullableDateComparator  canceledAt: NullableDateComparator  archivedAt: NullableDateComparator
  dueDate: NullableTimelessDateComparator
  assignee: NullableUserFilter  creator: NullableUserFilter
  team: TeamFilter  state: WorkflowStateFilter  project: NullableProjectFilter
  labels: IssueLabelCollectionFilter  comments: CommentCollectionFilter
  and: [IssueFilter!]  or: [IssueFilter!]
}}
{_user_filter("UserFilter")}
{_user_filter("NullableUserFilter", "null: Boolean")}
input TeamFilter {{
  id: IDComparator  key: StringComparator  name: StringComparator  description: NullableStringComparator
  private: BooleanComparator  createdAt: DateComparator  updatedAt: DateComparator
  and: [TeamFilter!]  or: [TeamFilter!]
}}
input WorkflowStateFilter {{
  id: IDComparator  name: StringComparator  type: StringComparator  position: NumberComparator
  createdAt: DateComparator  updatedAt: DateComparator
  and: [WorkflowStateFilter!]  or: [WorkflowStateFilter!]
}}
input NullableProjectFilter {{
  id: IDComparator  name: StringComparator  slugId: StringComparator
  createdAt: DateComparator  updatedAt: DateComparator
  and: [NullableProjectFilter!]  or: [NullableProjectFilter!]  null: Boolean
}}
input IssueLabelFilter {{ {_label_tests("IssueLabelFilter")} }}
input IssueLabelCollectionFilter {{
  {_label_tests("IssueLabelCollectionFilter")}
  some: IssueLabelFilter  every: IssueLabelFilter  length: NumberComparator  null: Boolean
}}
input CommentFilter {{
  id: IDComparator  body: StringComparator  user: UserFilter  createdAt: DateComparator  updatedAt: DateComparator
  and: [CommentFilter!]  or: [CommentFilter!]
}}
input CommentCollectionFilter {{
  id: IDComparator  body: StringComparator  user: UserFilter  createdAt: DateComparator  updatedAt: DateComparator
  and: [CommentCollectionFilter!]  or: [CommentCollectionFilter!]
  some: CommentFilter  every: CommentFilter  length: NumberComparator
}}
{"".join(_connection(node) for node in ("Issue", "User", "Team", "IssueLabel", "Comment"))}
"""


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
