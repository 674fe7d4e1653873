/** Reads a column map: JSON with comments, every problem with line and column. */
import { Finding, type Provenance } from "@fiscal-connector/core/adapter"
import { Data, Effect, Schema, SchemaIssue } from "effect"
import * as Jsonc from "#jsonc-parser"
import { ColumnMap } from "./ColumnMap.ts"
import { CsvFinding } from "../finding/CsvFinding.ts"

/** The column map could not be loaded; `findings` has all problems. */
export class ColumnMapError extends Data.TaggedError("ColumnMapError")<{
  readonly file: string
  readonly findings: ReadonlyArray<Finding.Finding>
}> {
  override get message() {
    return `${this.file}: ${this.findings.length} problem${this.findings.length === 1 ? "" : "s"} in the column map`
  }
}

const decode = Schema.decodeUnknownEffect(ColumnMap, { errors: "all", onExcessProperty: "error", reportInput: true })
const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** Reads the text of a column map. Fails with every problem at once. */
export const load = (file: string, text: string): Effect.Effect<ColumnMap, ColumnMapError> =>
  Effect.gen(function* () {
    const errors: Array<Jsonc.ParseError> = []
    // the parser throws on extremely deep nesting
    const tree = yield* Effect.try({
      try: () => Jsonc.parseTree(text, errors, { allowTrailingComma: true }),
      catch: () => {
        const findings = [problem("nested deeper than any column map is", [], placeOf(file, text, 0))]
        return new ColumnMapError({ file, findings })
      }
    })
    if (tree === undefined || errors.length > 0) {
      const places = errors.length > 0 ? errors : [{ offset: 0 }]
      const findings = places.map(({ offset }) => problem("not JSON from here on", [], placeOf(file, text, offset)))
      return yield* new ColumnMapError({ file, findings })
    }
    return yield* Effect.mapError(decode(Jsonc.getNodeValue(tree)), (error) => {
      const findings = formatIssue(error.issue).issues.map((issue) => {
        const path = (issue.path ?? []).map((key) => (typeof key === "number" ? key : String(key)))
        const at = placeOf(file, text, nodeAt(tree, path)?.offset ?? 0)
        return problem(`${path.join(".") || "the column map"}: ${issue.message}`, path, at)
      })
      return new ColumnMapError({ file, findings })
    })
  })

const problem = (message: string, path: Finding.Path, at: Provenance.Provenance) =>
  Finding.make(CsvFinding.CSV_MAP_INVALID, { message, path, at })

const nodeAt = (tree: Jsonc.Node, path: Finding.Path): Jsonc.Node | undefined => {
  for (let length = path.length; length >= 0; length--) {
    const node = Jsonc.findNodeAtLocation(tree, path.slice(0, length))
    if (node !== undefined) return node
  }
  return undefined
}

const placeOf = (file: string, text: string, offset: number): Provenance.Provenance => {
  const before = text.slice(0, offset).split("\n")
  return { file, line: before.length, column: before.at(-1)!.length + 1 }
}
