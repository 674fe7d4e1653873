/**
 * Compares unread amount columns with the documents. A column with the name of a total, or with the
 * total of at least half of a file's documents, refuses each document with another total; with the
 * net amount or the tax of all documents but one, it refuses that one. So does the total of an
 * invoice with a minus, and a figure in another currency.
 */
import { BigDecimal, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import type { Answer } from "../finding/Answer.ts"
import type { SourceAmount, SourceDocument } from "../source/SourceDocument.ts"
import { AmountFinding, figuresOf, isAmong, isApart, isPayment, statesTotal } from "../source/StatedAmounts.ts"
import type { Translated } from "../translate/Translated.ts"
import { type OpenTotal, UnwitnessedTotals } from "../translate/UnwitnessedTotals.ts"
import * as StagingArea from "./StagingArea.ts"

const everyName = ""

const figures = { total: "total", net: "amount without tax", tax: "tax" }
type UnreadFigure = keyof typeof figures

interface Agreeing {
  all: number
  documents: number
  readonly values: Set<string>
}

interface UnreadColumn {
  readonly name: string
  readonly answers: SourceAmount["answers"]
  /** `paid`: a payment, which may differ from the total, but not by a rounding. */
  readonly is: "total" | "paid" | "apart" | "unknown"
  readonly agreeing: { readonly [F in UnreadFigure]: Agreeing }
}

const nothing = Money.formatAmount(Money.zero)

const halfCent = BigDecimal.make(5n, 3)

/**
 * Most that a total may differ from the payment of the same amount: half a cent for the amount and
 * the tax of each line, and for the payment.
 */
const roundingOf = (lines: number): Money.Money =>
  BigDecimal.multiply(halfCent, BigDecimal.make(BigInt(2 * lines + 1), 0))

/** Fewest documents that agree before the only other one is refused. */
const fewestAgreeing = 3

interface FileAmounts {
  readonly columns: Map<string, UnreadColumn>
  documents: number
}

export interface Contradiction {
  readonly seq: number
  readonly file: string
  readonly name: string
  readonly nth: number
  readonly stated: string
  readonly figures: string
}

export class UnreadAmounts {
  private readonly files = new Map<string, FileAmounts>()
  private readonly unwitnessed = new UnwitnessedTotals()

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
    const contradictions = amounts.flatMap(({ answers, currency, name, of, values }, nth) => {
      if (of !== undefined) return []
      const column = file.columns.get(name) ?? newColumn(name, answers)
      file.columns.set(name, column)
      if (!isWhole || column.is === "apart") return []
      const { lineItems, subTotal, total, totalTax } = translated.document.payload
      const rounding = roundingOf(lineItems.length)
      const isPaid = (value: Money.Money) =>
        BigDecimal.isZero(value) || !Money.within(BigDecimal.abs(value), BigDecimal.abs(total), rounding)
      if (column.is === "paid" && !isAmong(total, values) && values.every(isPaid)) return []
      const own: { readonly [F in UnreadFigure]: Money.Money } = { total, net: subTotal, tax: totalTax }
      const isNothing = values.every(BigDecimal.isZero)
      const agreed = (Object.keys(figures) as Array<UnreadFigure>).filter((figure) => {
        const isZero = BigDecimal.isZero(own[figure])
        if (isZero && isNothing) return false
        const agreeing = column.agreeing[figure]
        agreeing.all++
        if (isZero || !isAmong(own[figure], values)) return false
        agreeing.documents++
        if (agreeing.values.size < 2) agreeing.values.add(Money.formatAmount(own[figure]))
        return true
      })
      const isOther =
        currency !== undefined && values.some((value) => isAmong(value, [...figuresOf(source), ...Object.values(own)]))
      // a credit note is written in both signs
      const isTurned = source.kind === "invoice" && !values.some((value) => BigDecimal.equals(value, total))
      const agrees = isAmong(total, values) ? !isTurned : column.is !== "total" && agreed.length > 0
      // most columns of zeros state nothing, and are not kept
      const isOnly = Object.values(column.agreeing).some(({ all, documents }) => all - documents < 2)
      if (!isOther && (agrees || (column.is !== "total" && isNothing && !isOnly))) return []
      const stated = values.find((value) => isAmong(value, [total])) ?? values[0] ?? Money.zero
      const texts = Object.fromEntries(Object.entries(own).map(([figure, of]) => [figure, Money.formatAmount(of)]))
      return [
        {
          seq,
          file: fileName,
          name,
          nth,
          stated: isOther ? `${Money.formatAmount(stated)} in ${currency}` : Money.formatAmount(stated),
          figures: JSON.stringify(isOther ? { currency: source.currency } : texts)
        }
      ]
    })
    return [...contradictions, ...open]
  }

  isHeld(fileName: string, name: string): boolean {
    return this.held(fileName, name) !== undefined
  }

  /** `stated`: a zero is often a blank, and contradicts only where all other documents agree. */
  private held(fileName: string, name: string, stated = ""): UnreadFigure | undefined {
    const file = this.files.get(fileName)
    const column = file?.columns.get(name)
    if (file === undefined || column === undefined) return undefined
    const { agreeing, is } = column
    const { documents } = agreeing.total
    if (is === "total" || (stated !== nothing && documents > 0 && documents * 2 >= file.documents)) return "total"
    // a figure that is the same everywhere shows nothing
    if (is === "paid") return undefined
    return (["total", "net", "tax"] as const).find((one) => {
      const { all, documents: agreed, values } = agreeing[one]
      return agreed >= fewestAgreeing && agreed === all - 1 && values.size > 1
    })
  }

  settle(sql: SqlClient) {
    const { files } = this
    const held = (row: Contradiction): Finding.Finding | undefined => {
      if (row.name === everyName) return this.unwitnessed.findingOf(row.file, row.stated as OpenTotal)
      const found = this.held(row.file, row.name, row.stated)
      const own: Readonly<Record<string, string>> = JSON.parse(row.figures)
      const answers = files.get(row.file)?.columns.get(row.name)?.answers
      if (own["currency"] !== undefined)
        return contradicts(row, unreadOnly(answers), `document is read as in ${own["currency"]}`)
      return found && contradicts(row, answers, `${figures[found]} of the document is ${own[found]}`)
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

const kindOf = (name: string): UnreadColumn["is"] =>
  statesTotal(name) ? "total" : isPayment(name) ? "paid" : isApart(name) ? "apart" : "unknown"

const newColumn = (name: string, answers: SourceAmount["answers"]): UnreadColumn => {
  const none = () => ({ all: 0, documents: 0, values: new Set<string>() })
  return { name, answers, is: kindOf(name), agreeing: { total: none(), net: none(), tax: none() } }
}

export const keep = (sql: SqlClient, rows: ReadonlyArray<Contradiction>) =>
  rows.length === 0
    ? Effect.void
    : sql`insert into amount_off select value ->> 'seq', value ->> 'file', value ->> 'name', value ->> 'nth', value ->> 'stated', value ->> 'figures'
        from json_each(${JSON.stringify(rows)})`

/** Returns the answers that leave a column unread: no other fits an amount of another currency. */
const unreadOnly = (answers: SourceAmount["answers"] = []): ReadonlyArray<Answer> =>
  answers.filter((answer) => "map" in answer && "unread" in answer.map)

const contradicts = (
  { name, nth, stated }: Contradiction,
  answers: SourceAmount["answers"],
  document: string
): Finding.Finding =>
  Finding.make(AmountFinding.AMOUNT_CONTRADICTS, {
    message: `"${name}" states ${stated}, and the ${document}`,
    path: ["amounts", nth],
    ...(answers && { answers })
  })
