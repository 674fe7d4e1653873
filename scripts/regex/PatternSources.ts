/** Finds every regular expression in the packages' sources. */
import { readdirSync, readFileSync } from "node:fs"
import { parseAst } from "rolldown/parseAst"

export interface PatternPlace {
  readonly file: string
  readonly line: number
  /** Pattern; undefined if built at run time. */
  readonly pattern: RegExp | undefined
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string"

const walk = (node: Node, visit: (node: Node) => void): void => {
  visit(node)
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const each of value.filter(isNode)) walk(each, visit)
    else if (isNode(value)) walk(value, visit)
  }
}

/** Returns the regular expressions of one source text. */
export const inSource = (file: string, text: string): ReadonlyArray<PatternPlace> => {
  const places: Array<PatternPlace> = []
  const at = (start: number) => text.slice(0, start).split("\n").length
  walk(parseAst(text, { lang: "ts" }) as unknown as Node, (node) => {
    const regex = node["regex"] as { readonly pattern: string; readonly flags: string } | undefined
    if (node.type === "Literal" && regex !== undefined) {
      places.push({ file, line: at(node.start), pattern: new RegExp(regex.pattern, regex.flags) })
    }
    const callee = node["callee"]
    if (
      (node.type === "NewExpression" || node.type === "CallExpression") &&
      isNode(callee) &&
      callee["name"] === "RegExp"
    ) {
      places.push({ file, line: at(node.start), pattern: undefined })
    }
  })
  return places
}

const root = new URL("../../", import.meta.url)

/** Returns the regular expressions of all packages. */
export const all = (): ReadonlyArray<PatternPlace> =>
  readdirSync(new URL("packages/", root)).flatMap((name) =>
    readdirSync(new URL(`packages/${name}/src/`, root), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .toSorted()
      .flatMap((file) => {
        const path = `packages/${name}/src/${file}`
        return inSource(path, readFileSync(new URL(path, root), "utf8"))
      })
  )
