/** What many credit notes credit, settled by hand in a file: one credit note and its invoice on each line. */
import { Result } from "effect"
import { withoutPlainBlanks } from "../document/TextEdges.ts"

/** A line that names no credit note and invoice, counted from 1, and why. */
export interface OriginalsProblem {
  readonly line: number
  readonly problem: string
}

/**
 * Reads `CN-1=INV-1`, or the two with a comma, a semicolon or a tab between them; empty lines and lines that begin with `#` say nothing. Numbers
 * or ids are taken as they stand. Fails with every line that cannot be read, and with a credit note that is given two invoices.
 */
export const parse = (text: string): Result.Result<ReadonlyMap<string, string>, ReadonlyArray<OriginalsProblem>> => {
  const originals = new Map<string, string>()
  const problems: Array<OriginalsProblem> = []
  for (const [i, written] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = withoutPlainBlanks(written)
    if (line === "" || line.startsWith("#")) continue
    const [note = "", invoice = "", ...more] = line.split(/[=,;\t]/).map(withoutPlainBlanks)
    const known = originals.get(note)
    if (note === "" || invoice === "" || more.length > 0) {
      problems.push({ line: i + 1, problem: "a credit note and its invoice are expected, as CN-1=INV-1" })
    } else if (known !== undefined && known !== invoice) {
      problems.push({ line: i + 1, problem: `${note} is given ${known} and ${invoice}` })
    } else originals.set(note, invoice)
  }
  return problems.length === 0 ? Result.succeed(originals) : Result.fail(problems)
}
