/**
 * Compares unread amount columns with the documents.
 *
 * A column with the name of a total, or with the total of at least half of a file's documents,
 * refuses each document with another total. A column with the net amount or the tax of all
 * documents but one refuses that one.
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

/** Figures that a column may repeat, and their names in messages. */
const figures = { total: "total", net: "amount without tax", tax: "tax" }
type UnreadFigure = keyof typeof figures

interface UnreadColumn {
  readonly name: string
  readonly answers: SourceAmount["answers"]
  /** Classification by name: a total, an amount that may differ from the total, or unknown. */
  readonly is: "total" | "apart" | "unknown"
  /** Number of documents that the column states. */
  documents: number
  /** Number of documents whose figure the column states, and the first two such figures. */
  readonly agreeing: { readonly [F in UnreadFigure]: { documents: number; readonly values: Set<string> } }
}

/** Fewest documents that agree before the only other one is refused. */
const fewestAgreeing = 3

interface FileAmounts {
  readonly columns: Map<string, UnreadColumn>
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
  /** Figures of the document, as JSON. */
  readonly figures: string
}

export class UnreadAmounts {
  private readonly files = new Map<string, FileAmounts>()
  private readonly unwitnessed = new UnwitnessedTotals()

  /**
   * Counts the document's amounts. Returns the contradictions that apply if the column states
   * totals.
   */
  take(seq: number, source: SourceDocument, translated: Translated | undefined): ReadonlyArray<Contradiction> {
    const { amounts } = source
    if (amounts === undefined) return []
    const { file: fileName } = source.where([])
    const file = this.files.get(fileName) ?? { columns: new Map<string, UnreadColumn>(), documents: 0 }
    this.files.set(fileName, file)
    const isWhole = translated?.completeness === "complete"
    if (isWhole) file.documents++
    const open = this.unwitnessed
      .take(source, translated)
      .map((stated) => ({ seq, file: fileName, name: everyName, nth: 0, stated, figures: "" }))
    const contradictions = amounts.flatMap(({ answers, name, of, values }, nth) => {
      if (of !== undefined) return []
      const column = file.columns.get(name) ?? newColumn(name, answers)
      file.columns.set(name, column)
      if (!isWhole || column.is === "apart") return []
      const { subTotal, total, totalTax } = translated.document.payload
      const own: { readonly [F in UnreadFigure]: Money.Money } = { total, net: subTotal, tax: totalTax }
      const agreed = (Object.keys(figures) as Array<UnreadFigure>).filter(
        (figure) => !BigDecimal.isZero(own[figure]) && isAmong(own[figure], values)
      )
      column.documents++
      for (const figure of agreed) {
        column.agreeing[figure].documents++
        if (column.agreeing[figure].values.size < 2) column.agreeing[figure].values.add(Money.formatAmount(own[figure]))
      }
      if (isAmong(total, values) || (column.is !== "total" && (agreed.length > 0 || values.every(BigDecimal.isZero))))
        return []
      const [stated = Money.zero] = values
      const texts = Object.fromEntries(Object.entries(own).map(([figure, of]) => [figure, Money.formatAmount(of)]))
      return [{ seq, file: fileName, name, nth, stated: Money.formatAmount(stated), figures: JSON.stringify(texts) }]
    })
    return [...contradictions, ...open]
  }

  /** Returns true if the column states totals, by the documents so far. */
  isHeld(fileName: string, name: string): boolean {
    return this.held(fileName, name) !== undefined
  }

  private held(
    fileName: string,
    name: string
  ): { readonly column: UnreadColumn; readonly figure: UnreadFigure } | undefined {
    const file = this.files.get(fileName)
    const column = file?.columns.get(name)
    if (file === undefined || column === undefined) return undefined
    const { agreeing, documents, is } = column
    const { total } = agreeing
    if (is === "total" || (total.documents > 0 && total.documents * 2 >= file.documents))
      return { column, figure: "total" }
    // a figure that is the same everywhere shows nothing
    const figure = (["net", "tax"] as const).find((one) => {
      const { documents: agreed, values } = agreeing[one]
      return agreed >= fewestAgreeing && agreed === documents - 1 && values.size > 1
    })
    return figure && { column, figure }
  }

  /** Refuses staged documents that contradict a column of totals. */
  settle(sql: SqlClient) {
    const { files } = this
    const held = (row: Contradiction): Finding.Finding | undefined => {
      if (row.name === everyName) return this.unwitnessed.findingOf(row.file, row.stated as OpenTotal)
      const found = this.held(row.file, row.name)
      return found && contradicts(row, found.column.answers, found.figure)
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

const kindOf = (name: string): UnreadColumn["is"] => (statesTotal(name) ? "total" : isApart(name) ? "apart" : "unknown")

const newColumn = (name: string, answers: SourceAmount["answers"]): UnreadColumn => {
  const none = () => ({ documents: 0, values: new Set<string>() })
  return { name, answers, is: kindOf(name), documents: 0, agreeing: { total: none(), net: none(), tax: none() } }
}

/** Writes the contradictions in one statement. */
export const keep = (sql: SqlClient, rows: ReadonlyArray<Contradiction>) =>
  rows.length === 0
    ? Effect.void
    : sql`insert into amount_off select value ->> 'seq', value ->> 'file', value ->> 'name', value ->> 'nth', value ->> 'stated', value ->> 'figures'
        from json_each(${JSON.stringify(rows)})`

const contradicts = (
  { figures: texts, name, nth, stated }: Contradiction,
  answers: ReadonlyArray<Answer> | undefined,
  figure: UnreadFigure
): Finding.Finding =>
  Finding.make(AmountFinding.AMOUNT_CONTRADICTS, {
    message: `"${name}" states ${stated}, and the ${figures[figure]} of the document is ${JSON.parse(texts)[figure]}`,
    path: ["amounts", nth],
    ...(answers && { answers })
  })
