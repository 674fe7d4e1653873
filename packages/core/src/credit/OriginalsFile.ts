/**
 * Originals of credit notes chosen by the operator in a file: one credit note and its invoice per
 * row.
 */
import { Result } from "effect"
import { withoutPlainBlanks } from "../document/TextEdges.ts"

export interface OriginalsProblem {
  readonly line: number
  readonly text: string
}

/**
 * Reads rows such as `CN-1=INV-1`; a comma, semicolon or tab may replace the equals sign. Ignores
 * empty rows and rows that begin with `#`. Takes numbers or ids unchanged.
 *
 * Fails with all unreadable rows, and with every credit note that is given two invoices.
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
      problems.push({ line: i + 1, text: "a credit note and its invoice are expected, as CN-1=INV-1" })
    } else if (known !== undefined && known !== invoice) {
      problems.push({ line: i + 1, text: `${note} is given ${known} and ${invoice}` })
    } else originals.set(note, invoice)
  }
  return problems.length === 0 ? Result.succeed(originals) : Result.fail(problems)
}
