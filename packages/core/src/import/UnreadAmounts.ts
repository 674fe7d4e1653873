/**
 * Compares unread amount columns with the documents.
 *
 * A column with the name of a total, or with the total of at least half of a file's documents,
 * refuses each document with another total.
 */
import { BigDecimal, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { Answer } from "../finding/Answer.ts"
import type { SourceAmount, SourceDocument } from "../source/SourceDocument.ts"
import { AmountFinding, isAmong, isApart, statesTotal } from "../source/StatedAmounts.ts"
import type { Translated } from "../translate/Translated.ts"
import { type OpenTotal, UnwitnessedTotals } from "../translate/UnwitnessedTotals.ts"
import * as StagingArea from "./StagingArea.ts"

/** Name in place of a column for a document whose total no column may witness. */
const everyName = ""

interface Column {
  readonly name: string
  readonly answers: SourceAmount["answers"]
  /** Classification by name: a total, an amount that may differ from the total, or unknown. */
  readonly is: "total" | "apart" | "unknown"
  /** Number of documents whose total the column states. */
  agreeing: number
}

interface File {
  readonly columns: Map<string, Column>
  /** Number of documents with a computed total. */
  documents: number
}

/** A document with an amount that differs from its total. */
export interface Contradiction {
  readonly seq: number
  readonly file: string
  readonly name: string
  /** Index among the document's amounts. */
  readonly nth: number
  readonly stated: string
  readonly total: string
}

export class UnreadAmounts {
  private readonly files = new Map<string, File>()
  private readonly unwitnessed = new UnwitnessedTotals()

  /**
   * Counts the document's amounts. Returns the contradictions that apply if the column states
   * totals.
   */
  take(seq: number, source: SourceDocument, translated: Translated | undefined): ReadonlyArray<Contradiction> {
    const { amounts } = source
    if (amounts === undefined) return []
    const { file: fileName } = source.where([])
    const file = this.files.get(fileName) ?? { columns: new Map<string, Column>(), documents: 0 }
    this.files.set(fileName, file)
    const isWhole = translated?.completeness === "complete"
    if (isWhole) file.documents++
    const open = this.unwitnessed
      .take(source, translated)
      .map((stated) => ({ seq, file: fileName, name: everyName, nth: 0, stated, total: "" }))
    const contradictions = amounts.flatMap(({ answers, name, of, values }, nth) => {
      if (of !== undefined) return []
      const column = file.columns.get(name) ?? { name, answers, is: kindOf(name), agreeing: 0 }
      file.columns.set(name, column)
      if (!isWhole || column.is === "apart") return []
      const { subTotal, total, totalTax } = translated.document.payload
      if (isAmong(total, values)) column.agreeing++
      else if (column.is === "total" || !isOfDocument(values, [subTotal, totalTax])) {
        const [stated = Money.zero] = values
        return [
          { seq, file: fileName, name, nth, stated: Money.formatAmount(stated), total: Money.formatAmount(total) }
        ]
      }
      return []
    })
    return [...contradictions, ...open]
  }

  /** Returns true if the column states totals, by the documents so far. */
  isHeld(fileName: string, name: string): boolean {
    return this.held(fileName, name) !== undefined
  }

  private held(fileName: string, name: string): Column | undefined {
    const file = this.files.get(fileName)
    const column = file?.columns.get(name)
    if (file === undefined || column === undefined) return undefined
    if (column.is === "total") return column
    return column.agreeing > 0 && column.agreeing * 2 >= file.documents ? column : undefined
  }

  /** Refuses staged documents that contradict a column of totals. */
  settle(sql: SqlClient) {
    const { files } = this
    const held = (row: Contradiction): Finding.Finding | undefined => {
      if (row.name === everyName) return this.unwitnessed.findingOf(row.file, row.stated as OpenTotal)
      const column = this.held(row.file, row.name)
      return column && contradicts(row, column.answers)
    }
    return Effect.gen(function* () {
      if (files.size === 0) return
      const rows = yield* sql<Contradiction>`select * from amount_off order by seq, nth`
      yield* sql`delete from amount_off`
      for (const row of rows) {
        const finding = held(row)
        if (finding !== undefined) yield* StagingArea.addFinding(sql, row.seq, finding)
      }
    })
  }
}

const kindOf = (name: string): Column["is"] => (statesTotal(name) ? "total" : isApart(name) ? "apart" : "unknown")

/** Writes the contradictions in one statement. */
export const keep = (sql: SqlClient, rows: ReadonlyArray<Contradiction>) =>
  rows.length === 0
    ? Effect.void
    : sql`insert into amount_off select value ->> 'seq', value ->> 'file', value ->> 'name', value ->> 'nth', value ->> 'stated', value ->> 'total'
        from json_each(${JSON.stringify(rows)})`

const contradicts = (
  { name, nth, stated, total }: Contradiction,
  answers: ReadonlyArray<Answer> | undefined
): Finding.Finding =>
  Finding.make(AmountFinding.AMOUNT_CONTRADICTS, {
    message: `"${name}" states ${stated}, and the total of the document is ${total}`,
    path: ["amounts", nth],
    ...(answers && { answers })
  })

/** Returns true if all values are zero, or match one of the document's other figures. */
const isOfDocument = (values: ReadonlyArray<Money.Money>, figures: ReadonlyArray<Money.Money>): boolean =>
  values.every(BigDecimal.isZero) || figures.some((figure) => isAmong(figure, values))
