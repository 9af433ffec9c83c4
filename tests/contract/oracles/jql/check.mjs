// Reads queries as JSON strings, one a line; answers each with one line: what Atlassian's own parser has against it,
// and the tree that it understood.
import { createInterface } from "node:readline";
import ast from "@atlaskit/jql-ast";

function operand(node) {
  switch (node?.operandType) {
    case ast.OPERAND_TYPE_VALUE:
      return { value: node.value };
    case ast.OPERAND_TYPE_KEYWORD:
      return { keyword: node.value };
    case ast.OPERAND_TYPE_FUNCTION:
      return { function: node.function.value, arguments: node.arguments.map((each) => each.value) };
    case ast.OPERAND_TYPE_LIST:
      return { list: node.values.map(operand) };
    default:
      return null;
  }
}

function tree(node) {
  switch (node?.clauseType) {
    case ast.CLAUSE_TYPE_COMPOUND:
      return [node.operator.value, ...node.clauses.map(tree)];
    case ast.CLAUSE_TYPE_NOT:
      return ["not", tree(node.clause)];
    case ast.CLAUSE_TYPE_TERMINAL:
      return [node.field.value, node.operator?.value ?? null, operand(node.operand)];
    default:
      return null;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  // A builder that is asked the same twice in a row answers the second time with an empty tree.
  const { query, errors } = new ast.JastBuilder().build(JSON.parse(line));
  const order = (query?.orderBy?.fields ?? []).map((each) => [each.field.value, each.direction?.value ?? null]);
  console.log(JSON.stringify({ errors: errors.map((each) => each.message), where: tree(query?.where), order }));
}
