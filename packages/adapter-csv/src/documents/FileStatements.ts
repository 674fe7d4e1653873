import { ExportStatements, type Finding, type Statement } from "@fiscal-connector/core/adapter"
import type { ColumnTreatment, Interpretation } from "../detect/Interpretation.ts"
import { statesDue } from "../detect/UnreadColumns.ts"
import { isFilled } from "../scan/RowShape.ts"
import type { Scanner } from "../scan/Scanner.ts"
import { isDate } from "../values/DateForm.ts"

/** Rows outside the table that are listed: a file with more of them is not a table with titles. */
const mostRows = 200

interface ColumnSamples {
  readonly of: ColumnTreatment
  readonly raw: Array<string>
  readonly samples: Array<string>
}

export class FileStatements {
  private readonly how: Interpretation
  private open: Array<ColumnSamples>
  private readonly columns: ReadonlyArray<ColumnSamples>
  private readonly rows: Array<string> = []

  constructor(how: Interpretation) {
    this.how = how
    this.columns = how.statements.map((of) => ({ of, raw: [], samples: [] }))
    this.open = this.columns.filter(({ of: { treatment } }) => treatment !== "read")
  }

  take(record: Scanner): void {
    let full = false
    for (const { of, raw, samples } of this.open) {
      const { cell } = of
      if (!isFilled(record, cell) || raw.some((known) => record.isCell(cell, known))) continue
      const text = record.cell(cell).trim()
      if (text === "") continue
      raw.push(record.rawCell(cell))
      samples.push(ExportStatements.sampleOf(text))
      full ||= raw.length === ExportStatements.mostSamples
    }
    if (full) this.open = this.open.filter(({ raw }) => raw.length < ExportStatements.mostSamples)
  }

  outside(record: Scanner): void {
    const text = record
      .cells()
      .map((cell) => cell.trim())
      .filter((cell) => cell !== "")
      .join(" ")
    if (text !== "" && this.rows.length < mostRows) this.rows.push(text)
  }

  finding(): Finding.Finding | undefined {
    const { amounts, origin, tableStatements } = this.how
    // fewer than no texts: a number was read
    const numbers = new Set(amounts.flatMap(({ cell, texts }) => (texts < 0 ? [cell] : [])))
    const columns = this.columns.flatMap(
      ({ of: { cell, name, reason, treatment }, samples }): ReadonlyArray<Statement.Statement> =>
        samples.length === 0 && treatment !== "read"
          ? []
          : [
              {
                place: "column",
                name,
                samples,
                values: valuesOf(samples, numbers.has(cell)),
                ...(treatment === "answered" && !statesDue(name) && samples.every(isDate)
                  ? { treatment: "named", reason: "it states dates, and no value shows which column is the date" }
                  : { treatment, ...(reason !== undefined && { reason }) })
              }
            ]
    )
    const rows = this.rows.map((name): Statement.Statement => ({
      place: "row outside the table",
      name,
      samples: [],
      values: "texts",
      treatment: "named"
    }))
    return ExportStatements.finding([...columns, ...rows, ...tableStatements], origin)
  }
}

/** Returns the form of the values. A number that is always 0 or 1 counts as constant. */
const valuesOf = (samples: ReadonlyArray<string>, areNumbers: boolean): Statement.Statement["values"] => {
  const [only = "", other] = samples
  if (other === undefined && (!areNumbers || /^[01](?:[.,]0*)?$/.test(only))) return "constant"
  return areNumbers ? "numbers" : "texts"
}
