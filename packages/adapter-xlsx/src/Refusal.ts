/** Why a workbook cannot be read, in words for the person who has it: thrown where a part is being parsed, caught where the file is opened. */
export class Refusal extends Error {
  readonly problem: string
  readonly fix: string

  constructor(problem: string, fix: string) {
    super(problem)
    this.problem = problem
    this.fix = fix
  }
}

/** What to do with a file that holds no table. */
export const exportTable =
  "Export the invoices with their lines from the accounting system, as CSV, an Excel workbook or JSON"
/** What to do with a table of another program. */
export const saveAs = "Open it in your spreadsheet program and save it as an Excel workbook (.xlsx) or as CSV"

const anew = "Open it in the program it comes from and save it as an .xlsx again"

/** What is no workbook as the format has it, by accident or on purpose. */
export const damaged = (problem: string): Refusal => new Refusal(problem, anew)

/** What would take more memory or time than any honest workbook. */
export const tooMuch = (problem: string): Refusal =>
  new Refusal(problem, "Export less at a time, or as CSV; a file from an unknown sender may be malicious")
