/**
 * Reason why a workbook is unreadable, in words for its owner. Thrown while a part is parsed,
 * caught where the file is opened.
 */
export class Refusal extends Error {
  readonly text: string
  readonly fix: string

  constructor(text: string, fix: string) {
    super(text)
    this.text = text
    this.fix = fix
  }
}

export const exportTable =
  "Export the invoices with their lines from the accounting system, as CSV, an Excel workbook or JSON"
export const saveAs = "Open it in your spreadsheet program and save it as an Excel workbook (.xlsx) or as CSV"

const saveAgain = "Open it in the program it comes from and save it as an .xlsx again"

export const damaged = (problem: string): Refusal => new Refusal(problem, saveAgain)

/** Refuses content that would take more memory or time than any genuine workbook. */
export const tooMuch = (problem: string): Refusal =>
  new Refusal(problem, "Export less at a time, or as CSV; a file from an unknown sender may be malicious")
