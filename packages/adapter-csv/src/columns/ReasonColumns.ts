/** Columns that the connector adds to the rows of an export. A later import ignores them. */

/** Columns with the reasons for refusal, in the file of refused rows. */
export const reasonColumns = ["Refused", "Refused because", "Refused: what to do"] as const

/** Columns with a document's receipt, in the export that is written again. */
export const receiptColumns = [
  "Fiscal receipt: number",
  "Fiscal receipt: verification code",
  "Fiscal receipt: QR link",
  "Fiscal receipt: state",
  "Fiscal receipt: date"
] as const

/** Instruction for releasing a document that is refused only by the column. */
export const release = `empty the column "${reasonColumns[0]}" of all its rows`

/**
 * Returns the column with the codes; undefined if the header is not from a file of refused rows.
 */
export const codesCell = (header: ReadonlyArray<string>): number | undefined => {
  const cells = reasonColumns.map((name) => header.indexOf(name))
  return cells.includes(-1) ? undefined : cells[0]
}

export const isReasonColumn = (name: string): boolean =>
  [...reasonColumns, ...receiptColumns].some((added) => added === name)
