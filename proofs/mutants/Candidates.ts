/**
 * Finds the places in a source where one simple mistake can be planted, each as a switch: `(__m(7)
 * ? mistake : original)`.
 */
import { parseAst } from "rolldown/parseAst"

export interface Candidate {
  readonly kind: Kind
  readonly start: number
  readonly end: number
  /** Returns the text with a switch between mistake and original; `is` is the condition. */
  readonly switched: (is: string) => string
  /** Readable description of the mistake. */
  readonly description: string
}

export const kinds = ["comparison", "condition", "statement", "number", "boolean", "string", "array", "logic"] as const
export type Kind = (typeof kinds)[number]

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string"

const comparisons: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "==="
}

const logics: Readonly<Record<string, string>> = { "&&": "||", "||": "&&" }

/**
 * Returns true for parts without executed code: types, imports and names of properties. Also
 * excludes directives and tagged texts.
 */
const isPassedOver = (node: Node, key: string): boolean =>
  node.type.startsWith("TS") && !["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(node.type)
    ? true
    : /^(Import|Export(All|Named.*Specifier))/.test(node.type) ||
      ["key", "typeAnnotation", "returnType", "typeParameters", "typeArguments", "source"].includes(key)

export const candidates = (text: string): ReadonlyArray<Candidate> => {
  const found: Array<Candidate> = []
  // Without semicolons, a statement that begins with a parenthesis would call the expression above
  // it.
  const statements = new Set<number>()
  const of = (node: Node) => text.slice(node.start, node.end)
  const either = (kind: Kind, node: Node, mistake: string) => {
    if (statements.has(node.start)) return
    found.push({
      kind,
      start: node.start,
      end: node.end,
      switched: (is) => `(${is} ? ${mistake} : ${of(node)})`,
      description: `${of(node)} becomes ${mistake}`.replaceAll(/\s+/g, " ").slice(0, 200)
    })
  }
  const between = (node: Node, operator: string): string => {
    const [left, right] = [node["left"] as Node, node["right"] as Node]
    return `${text.slice(node.start, left.end)} ${operator} ${text.slice(right.start, node.end)}`
  }
  const look = (node: Node, parent: Node | undefined): void => {
    const operator = String(node["operator"])
    if (node.type === "ExpressionStatement") statements.add(node.start)
    if (node.type === "BinaryExpression" && operator in comparisons)
      either("comparison", node, between(node, comparisons[operator]!))
    else if (node.type === "LogicalExpression" && operator in logics)
      either("logic", node, `(${of(node["left"] as Node)}) ${logics[operator]} (${of(node["right"] as Node)})`)
    else if (node.type === "IfStatement" || node.type === "ConditionalExpression" || node.type === "WhileStatement") {
      const test = node["test"] as Node
      either("condition", test, `!(${of(test)})`)
    } else if (node.type === "ExpressionStatement" && typeof node["directive"] !== "string" && /^[\w(]/.test(of(node)))
      found.push({
        kind: "statement",
        start: node.start,
        end: node.end,
        switched: (is) => `if (!${is}) { ${of(node)} }`,
        description: `dropped: ${of(node)}`.replaceAll(/\s+/g, " ").slice(0, 200)
      })
    else if (node.type === "Literal" && parent?.type !== "ExpressionStatement") {
      const { value } = node
      if (typeof value === "number") either("number", node, String(value === 0 ? 1 : value + 1))
      else if (typeof value === "boolean") either("boolean", node, String(!value))
      else if (typeof value === "string" && value !== "") either("string", node, '""')
    } else if (node.type === "ArrayExpression" && (node["elements"] as ReadonlyArray<unknown>).length > 0)
      either("array", node, "[]")
  }
  const walk = (node: Node, parent: Node | undefined): void => {
    look(node, parent)
    for (const [key, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child) && !isPassedOver(child, key)) walk(child, node)
      }
    }
  }
  for (const node of parseAst(text, { lang: "ts" }).body as unknown as ReadonlyArray<Node>)
    if (!isPassedOver(node, "")) walk(node, undefined)
  return found
}
