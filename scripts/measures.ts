/**
 * Measures the size of the house: rooms and arrows of core, names that a file uses, long functions,
 * files that one import executes, and tokens. Fails if a figure is worse than the recorded one.
 * Part of `pnpm lint`.
 *
 *     node scripts/measures.ts            compares with scripts/measures.json
 *     node scripts/measures.ts --record   records the figures of this checkout
 *     node scripts/measures.ts --list     names the files and functions behind the figures
 */
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import jsTokens from "js-tokens"
import { parseAst } from "rolldown/parseAst"
import { arrows, circles, forbidden, importsOf, sizes, upward } from "./ImportGraph.ts"
import { rooms } from "./Rooms.ts"

const root = join(import.meta.dirname, "..")
const record = join(import.meta.dirname, "measures.json")

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string"

const childrenOf = (node: Node): ReadonlyArray<Node> =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))

/** Returns the TypeScript files below a folder, with their texts. */
const filesIn = (folder: string): ReadonlyArray<readonly [file: string, text: string]> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
    .map((file) => [join(folder, file), readFileSync(join(root, folder, file), "utf8")])

const packages = readdirSync(join(root, "packages"))

/** Returns the files of these folders of every package that has them. */
const filesOf = (...folders: ReadonlyArray<string>) =>
  packages.flatMap((name) =>
    readdirSync(join(root, "packages", name))
      .filter((folder) => folders.includes(folder))
      .flatMap((folder) => filesIn(join("packages", name, folder)))
  )

const blank = new Set(["WhiteSpace", "LineTerminatorSequence", "SingleLineComment", "MultiLineComment"])

const tokens = (files: ReadonlyArray<readonly [string, string]>): number =>
  files.reduce((sum, [, text]) => {
    let count = 0
    for (const { type } of jsTokens(text)) if (!blank.has(type)) count++
    return sum + count
  }, 0)

const isOurs = (source: string): boolean => source.startsWith(".") || source.startsWith("@fiscal-connector/")

const nameOf = (value: unknown): string | undefined =>
  isNode(value) && typeof value["name"] === "string" ? value["name"] : undefined

/** Returns the number of imported names of ours. A namespace counts its used members. */
const namesUsed = (text: string): number => {
  const { body } = parseAst(text, { lang: "ts" }) as unknown as { readonly body: ReadonlyArray<Node> }
  const namespaces = new Map<string, Set<string>>()
  let named = 0
  for (const node of body) {
    const source = node["source"]
    if (node.type !== "ImportDeclaration" || !isNode(source) || !isOurs(String(source["value"]))) continue
    for (const specifier of childrenOf(node).filter(({ type }) => type.startsWith("Import"))) {
      if (specifier.type === "ImportNamespaceSpecifier") namespaces.set(nameOf(specifier["local"])!, new Set())
      else named++
    }
  }
  const visit = (node: Node): void => {
    const [owner, member] =
      node.type === "MemberExpression" || node.type === "JSXMemberExpression"
        ? [nameOf(node["object"]), nameOf(node["property"])]
        : node.type === "TSQualifiedName"
          ? [nameOf(node["left"]), nameOf(node["right"])]
          : []
    if (owner !== undefined && member !== undefined) namespaces.get(owner)?.add(member)
    childrenOf(node).forEach(visit)
  }
  if (namespaces.size > 0) body.forEach(visit)
  return named + [...namespaces.values()].reduce((sum, members) => sum + members.size, 0)
}

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"])

interface LongFunction {
  readonly at: string
  readonly lines: number
}

/** Returns the outermost functions of at least 100 lines. A nested one counts in its outer one. */
const longFunctions = (file: string, text: string): ReadonlyArray<LongFunction> => {
  const lineOf = (at: number) => text.slice(0, at).split("\n").length
  const found: Array<LongFunction> = []
  const visit = (node: Node): void => {
    if (!functions.has(node.type)) return childrenOf(node).forEach(visit)
    const first = lineOf(node.start)
    const lines = lineOf(node.end) - first + 1
    if (lines >= 100) found.push({ at: `${file}:${first}`, lines })
  }
  if (text.split("\n").length >= 100) visit(parseAst(text, { lang: "ts" }) as unknown as Node)
  return found
}

/** Returns the number of our files that an import of one invoice executes. */
const executed = (): number => {
  const folder = mkdtempSync(join(tmpdir(), "measures-"))
  try {
    const [header = "", ...rows] = readFileSync(join(root, "examples/historical-invoices.csv"), "utf8").split("\n")
    const first = rows.filter((row) => row.split(",")[1] === rows[0]?.split(",")[1])
    writeFileSync(join(folder, "one.csv"), `${[header, ...first].join("\n")}\n`)
    copyFileSync(join(root, "examples/historical-invoices.book.json"), join(folder, "one.book.json"))
    const coverage = join(folder, "coverage")
    const main = join(root, "packages/cli/src/main.ts")
    const { status, stderr } = spawnSync(process.execPath, [main, "import", "csv", "one.csv", "--sandbox"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, NODE_V8_COVERAGE: coverage, HOME: folder }
    })
    if (status !== 0) throw new Error(`the import of one invoice ended with ${status}: ${stderr}`)
    const urls = readdirSync(coverage).flatMap((file) => {
      const { result } = JSON.parse(readFileSync(join(coverage, file), "utf8")) as {
        readonly result: ReadonlyArray<{ readonly url: string }>
      }
      return result.map(({ url }) => url)
    })
    return new Set(urls.filter((url) => /\/packages\/[^/]+\/src\//.test(url))).size
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const top = (room: string): string => room.split("/")[0]!

const quantile = (sorted: ReadonlyArray<number>, part: number): number => sorted[Math.floor(part * sorted.length)] ?? 0

const sources = filesOf("src")
const names = sources
  .map(([file, text]) => ({ at: file, names: namesUsed(text) }))
  .toSorted((a, b) => a.names - b.names)
const counts = names.map(({ names }) => names)
const long = sources.flatMap(([file, text]) => longFunctions(file, text)).toSorted((a, b) => b.lines - a.lines)
const betweenRooms = new Set(
  arrows("core")
    .filter(({ from }) => from !== ".")
    .map(({ from, to }) => [top(from), top(to)])
    .filter(([from, to]) => from !== to)
    .map((pair) => pair.join(" → "))
)

/** A figure; `size` figures are printed and never fail. */
interface Measure {
  readonly name: string
  readonly is: number
  readonly kind: "law" | "size"
}

const law = (name: string, is: number): Measure => ({ name, is, kind: "law" })
const size = (name: string, is: number): Measure => ({ name, is, kind: "size" })

const measures: ReadonlyArray<Measure> = [
  law("rooms of core", new Set(Object.keys(rooms["core"] ?? {}).map(top)).size),
  law("arrows between rooms of core", betweenRooms.size),
  law(
    "circles of files",
    packages.reduce((sum, name) => sum + circles(importsOf(name)).length, 0)
  ),
  law("arrows up, or not permitted", upward("core").length + forbidden("core").length),
  law("files of the largest room of core", Math.max(...sizes("core").values())),
  law("names of ours that a file uses: median", quantile(counts, 0.5)),
  law("names of ours that a file uses: p90", quantile(counts, 0.9)),
  law("names of ours that a file uses: largest", counts.at(-1) ?? 0),
  law("functions of 100 lines or more", long.length),
  law("lines of the longest function", long[0]?.lines ?? 0),
  law("own files executed for an import of one invoice", executed()),
  size("tokens of src", tokens(sources)),
  size("tokens of tests and proofs", tokens([...filesOf("test", "browser"), ...filesIn("proofs")])),
  size(
    "lines of src",
    sources.reduce((sum, [, text]) => sum + text.split("\n").length - 1, 0)
  )
]

if (process.argv.includes("--list")) {
  for (const { at, lines } of long) process.stdout.write(`${lines} lines  ${at}\n`)
  for (const { at, names: used } of names.toReversed().slice(0, 40)) process.stdout.write(`${used} names  ${at}\n`)
}
if (process.argv.includes("--record")) {
  const figures = Object.fromEntries(measures.map(({ is, name }) => [name, is]))
  writeFileSync(record, `${JSON.stringify(figures, null, 2)}\n`)
}
const recorded = JSON.parse(readFileSync(record, "utf8")) as Readonly<Record<string, number>>
let worse = 0
for (const { is, kind, name } of measures) {
  const was = recorded[name]
  const isWorse = kind === "law" && (was === undefined || is > was)
  if (isWorse) worse++
  process.stdout.write(
    `${name.padEnd(50)} ${String(is).padStart(7)}  (${was ?? "not recorded"})${isWorse ? "  WORSE" : ""}\n`
  )
}
if (worse > 0) {
  process.stderr.write(
    `${worse} measures of ${relative(process.cwd(), dirname(record)) || "."}/measures.json are worse. Build smaller, or record the new figures with their reason (--record).\n`
  )
  process.exitCode = 1
}
