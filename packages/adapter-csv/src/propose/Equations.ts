/**
 * Equations that the sample's figures show, by column: evidence for proposals. The profile decides;
 * an equation that a row breaks proves nothing.
 */
import { ColumnProfile, type Money } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import * as NumberForm from "../values/NumberForm.ts"

/** Returns `comma` if some figures show it as the decimal mark, and no figure shows a point. */
export const usualMark = (rows: ReadonlyArray<ReadonlyArray<string>>): NumberForm.DecimalMark => {
  const isShown = (form: RegExp) => rows.some((row) => row.some((text) => form.test(text)))
  return isShown(/^-?\d[\d.' ]*,\d{1,2}\s*%?$/) && !isShown(/^-?\d[\d,' ]*\.\d{1,2}\s*%?$/) ? "comma" : "point"
}

const signedFigure = (text: string, usual: NumberForm.DecimalMark): Money.Money | undefined => {
  const isComma = /,\d{1,2}\s*%?$|,\d{4,}\s*%?$/.test(text) || (usual === "comma" && /[.,]\d{3}\s*%?$/.test(text))
  const read = NumberForm.readPercent(text, isComma ? "comma" : "point")
  return BigDecimal.isBigDecimal(read) ? read : undefined
}

/**
 * Reads the size of a cell's figure by its form: a comma before one or two last digits is a decimal
 * mark. `usual`: mark of a figure with three last digits.
 */
export const figure = (text: string, usual: NumberForm.DecimalMark = "point"): Money.Money | undefined => {
  const read = signedFigure(text, usual)
  return read && BigDecimal.abs(read)
}

/** Reads an amount of money, or a text without letters; `R1` is a number of a document. */
export const amountIn = (text: string, usual?: NumberForm.DecimalMark): Money.Money | undefined =>
  !/\p{L}/u.test(text) || (/\d[.,]\d{2}(?!\d)/.test(text) && NumberForm.moneySign(text) !== undefined)
    ? figure(text, usual)
    : undefined

export interface Equations {
  of(cell: number): ReadonlyArray<ColumnProfile.Expression>
  settled(cell: number, of: "row" | "document"): ColumnProfile.Expression | undefined
  isSame(cell: number, other: number): boolean
  scopeOf(cell: number): ColumnProfile.Scope
  isRunning(cell: number): boolean
  areTaxes(cell: number, of: number): boolean
}

/** Returns the number of each row's document, which may be blank on further rows. */
export const documentsOf = (rows: ReadonlyArray<ReadonlyArray<string>>, number: number): ReadonlyArray<string> => {
  let last = ""
  return rows.map((row) => (last = row[number] || last))
}

/** `number`: column of the document numbers. */
export const equationsOf = (rows: ReadonlyArray<ReadonlyArray<string>>, number: number | undefined): Equations => {
  const width = Math.max(0, ...rows.map((row) => row.length))
  const usual = usualMark(rows)
  const texts = Array.from({ length: width }, (_, cell) => rows.map((row) => row[cell] ?? ""))
  const figures = texts.map((own, cell): ReadonlyArray<Money.Money | undefined> => {
    const read = own.map((text) => signedFigure(text, usual))
    return cell === number || own.some((text, row) => text !== "" && read[row] === undefined) ? [] : read
  })
  const documents = number === undefined ? rows.map((_, i) => String(i)) : documentsOf(rows, number)
  const { copies, ofDocuments, ofRows, running, scopes } = ColumnProfile.profile({ figures, texts, documents })
  const first = (cell: number) => copies.get(cell) ?? cell
  return {
    of: (cell) =>
      [ofRows, ofDocuments]
        .flatMap((all) => all.get(first(cell)) ?? [])
        .flatMap((found) => (found.is === "settled" ? [found.equation] : found.rivals))
        .filter(({ exceptions }) => exceptions.length === 0)
        .map(({ expression }) => expression),
    settled: (cell, of) => {
      const found = (of === "row" ? ofRows : ofDocuments).get(first(cell))
      return found?.is === "settled" && found.equation.exceptions.length === 0 ? found.equation.expression : undefined
    },
    isSame: (cell, other) => first(cell) === first(other),
    scopeOf: (cell) => scopes[cell] ?? "unknown",
    isRunning: (cell) => running.has(first(cell)),
    areTaxes: (cell, of) => {
      const pairs = rows.flatMap((row) => {
        const [tax, amount] = [figure(row[cell] ?? "", usual), figure(row[of] ?? "", usual)]
        return tax === undefined || amount === undefined || BigDecimal.isZero(amount)
          ? []
          : [ColumnProfile.isTaxOf(tax, amount)]
      })
      return pairs.length > 0 && pairs.every((isTax) => isTax)
    }
  }
}

export const factorsOf = ({ less, of, tax }: ColumnProfile.Expression): readonly [number, number] | undefined =>
  of !== undefined && "product" in of && less === undefined && tax === undefined ? of.product : undefined
