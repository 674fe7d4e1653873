export const reasonColumns = ["Refused", "Refused because", "Refused: what to do"] as const

export const receiptColumns = [
  "Fiscal receipt: number",
  "Fiscal receipt: verification code",
  "Fiscal receipt: QR link",
  "Fiscal receipt: state",
  "Fiscal receipt: date"
] as const

export const release = `empty the column "${reasonColumns[0]}" of all its rows`

export const codesCell = (header: ReadonlyArray<string>): number | undefined => {
  const cells = reasonColumns.map((name) => header.indexOf(name))
  return cells.includes(-1) ? undefined : cells[0]
}

export const isReasonColumn = (name: string): boolean =>
  [...reasonColumns, ...receiptColumns].some((added) => added === name)
