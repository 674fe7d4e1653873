/** Columns with the reasons for refusal, in the file of refused rows. */

/** Names of the added columns; a later import ignores the columns. */
export const reasonColumns = ["Refused", "Refused because", "Refused: what to do"] as const

/** Instruction for releasing a document that is refused only by the column. */
export const release = `empty the column "${reasonColumns[0]}" of all its rows`

/**
 * Returns the column with the codes; undefined if the header is not from a file of refused rows.
 */
export const codesCell = (header: ReadonlyArray<string>): number | undefined => {
  const cells = reasonColumns.map((name) => header.indexOf(name))
  return cells.includes(-1) ? undefined : cells[0]
}

export const isReasonColumn = (name: string): boolean => reasonColumns.some((reason) => reason === name)
