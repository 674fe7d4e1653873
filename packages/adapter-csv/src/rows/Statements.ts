/**
 * Finds the latest state of a document that the export states several times, by the time of its
 * last change.
 */
import { cellsOfDocument } from "../columns/Binding.ts"
import type { Interpretation } from "../detect/Interpretation.ts"
import * as Row from "../scan/Row.ts"

export type Latest =
  | { readonly _tag: "Single" }
  /** `rows`: rows of the latest state. `detail`: all states, for users. */
  | { readonly _tag: "Latest"; readonly rows: ReadonlyArray<Row.Row>; readonly detail: string }
  | { readonly _tag: "Contradictory"; readonly detail: string }

const single: Latest = { _tag: "Single" }

/**
 * Rows are grouped by the text of the modified column; a row with a blank continues the row before.
 */
export const latest = (rows: ReadonlyArray<Row.Row>, { binding, moment }: Interpretation): Latest => {
  const cells = cellsOfDocument(binding, "modified")
  if (cells.length === 0 || rows.length < 2) return single
  const states = new Map<string, Array<Row.Row>>()
  let text = ""
  for (const row of rows) {
    const texts = Row.cells(row)
    text = cells.map((cell) => texts[cell]?.trim() ?? "").find((cell) => cell !== "") ?? text
    const known = states.get(text)
    if (known === undefined) states.set(text, [row])
    else known.push(row)
  }
  if (states.size < 2) return single
  const statements = [...states].map(([text, [row]]) => `line ${row!.line}: ${text === "" ? "not said" : text}`)
  const ordered = [...states.keys()]
    .map((text) => ({ text, moment: moment(text) }))
    .toSorted((a, b) => (b.moment ?? 0) - (a.moment ?? 0))
  const [last, before] = ordered
  if (last === undefined || last.moment === before?.moment || ordered.some(({ moment }) => moment === undefined))
    return { _tag: "Contradictory", detail: statements.join(", ") }
  return { _tag: "Latest", rows: states.get(last.text)!, detail: `last changed ${last.text}; ${statements.join(", ")}` }
}
