/** The columns that say why rows were refused, in the file of refused rows. */

/** The columns we add; when the file is imported again they are passed over. */
export const reasonColumns = ["Refused", "Refused because", "Refused: what to do"] as const

/** How a document is released whose reason only the column states. */
export const release = `empty the column "${reasonColumns[0]}" of all its rows`

/** The column that names the codes; undefined where the header is not that of a file of refused rows. */
export const codesCell = (header: ReadonlyArray<string>): number | undefined => {
  const cells = reasonColumns.map((name) => header.indexOf(name))
  return cells.includes(-1) ? undefined : cells[0]
}

export const isReasonColumn = (name: string): boolean => reasonColumns.some((reason) => reason === name)
