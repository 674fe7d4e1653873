/** Builds exports in the plain layout row by row, and summarizes the documents read from them. */
import type { Answer } from "../../core/src/finding/Answer.ts"
import { formatPlain, type Money } from "../../core/src/document/Money.ts"
import { answerText, type Sorted } from "./Sample.ts"

/** Returns rows under their header, in the plain layout unless the header differs. */
export const table = (header: string, ...rows: ReadonlyArray<string>) => [header, ...rows, ""].join("\n")

export const header =
  "InvoiceNumber,InvoiceDate,Currency,CustomerName,Description,Quantity,UnitPrice,LineAmount,TaxCode,Total"

type Cell = "date" | "name" | "text" | "qty" | "price" | "amount" | "tax" | "total" | "currency"

/** Returns a row for one pen at ten dollars, except for the given cells. */
export const row = (number: string, cells: Partial<Record<Cell, string>> = {}) =>
  [
    number,
    cells.date ?? "2026-01-05",
    cells.currency ?? "USD",
    cells.name ?? "Ada",
    cells.text ?? "Pen",
    cells.qty ?? "1",
    cells.price ?? "10.00",
    cells.amount ?? "10.00",
    cells.tax ?? "S",
    cells.total ?? "10.00"
  ].join(",")

export const codes = (findings: ReadonlyArray<{ readonly code: string }>) => findings.map(({ code }) => code)

export const numbers = ({ documents }: Sorted) => documents.map(({ number }) => number)

/** Returns the number of each document, with the codes of its findings. */
export const found = ({ documents }: Sorted) => documents.map(({ findings, number }) => [number, ...codes(findings)])

/** Returns the amount of each document's first line. */
export const firstAmounts = ({ documents }: Sorted) => documents.map(({ lines }) => plainly(lines[0]!.lineAmount))

export const plainly = (amount: Money | undefined) => amount && formatPlain(amount)

/** Returns the answers that a question offers, each with its examples. */
export const offered = ({
  readings
}: {
  readonly readings: ReadonlyArray<{ readonly answer: Answer; readonly examples: ReadonlyArray<string> }>
}) => readings.map(({ answer, examples }) => [answerText(answer), ...examples])
