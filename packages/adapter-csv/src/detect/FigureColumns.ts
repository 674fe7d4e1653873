import { Result } from "effect"
import { bind, bound } from "../columns/Binding.ts"
import { columnsOf, type WholeMap } from "../columns/ColumnMap.ts"
import { columnsNamed, type HeaderIndex, indexOf, normalize } from "../columns/Header.ts"
import { isReasonColumn } from "../columns/ReasonColumns.ts"
import { meaningOf } from "../columns/Synonyms.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import type { SettledReading } from "./Questions.ts"

/** Figures that are compared with the document to be sent, and charges; all must be read. */
const ofDocuments = [
  "net",
  "tax",
  "total",
  "lineTotal",
  "shipping",
  "fee",
  "adjustment",
  "rounding",
  "documentDiscount"
] as const
const taken = [...ofDocuments, "taxAmount", "taxPercent"] as const
type Taken = (typeof taken)[number]

/**
 * Figures that a layout may state in several forms: the name alone does not identify the figure.
 */
const statedFigures = ["lineAmount", "discount", "discountPercent"] as const
type StatedFigure = (typeof statedFigures)[number]

const taxNames = new Set(["tax", "vat", "gst"])

const figureOf = (name: string): Taken | StatedFigure | undefined => {
  const meaning = meaningOf(name)
  return [...taken, ...statedFigures].find((figure) => figure === meaning)
}

const isStatedFigure = (figure: Taken | StatedFigure): figure is StatedFigure =>
  statedFigures.some((other) => other === figure)

export const reading = (map: WholeMap, index: HeaderIndex, header: ReadonlyArray<string>): WholeMap => {
  const binding = Result.getOrUndefined(bind(map, index, "allowed"))
  if (binding === undefined) return map
  const read = bound(binding)
  let whole = map
  for (const [cell, name] of header.entries()) {
    const figure = figureOf(name)
    if (figure === undefined || isStatedFigure(figure) || read.has(cell) || binding.passed.has(cell)) continue
    if (isOfPayment(figure, whole, index)) continue
    if (!columnsNamed(index, name).includes(cell) || columnsNamed(index, name).length > 1) continue
    whole = withFigure(whole, index, figure, name) ?? whole
  }
  return whole
}

/**
 * True if a stated total shows whether the customer paid the fee, so nothing is missed without the
 * column.
 */
const isOfPayment = (figure: Taken | StatedFigure, { columns }: WholeMap, index: HeaderIndex): boolean =>
  figure === "fee" &&
  columnsOf(columns.total).some(
    (column) => columnsNamed(index, typeof column === "string" ? column : column.column).length > 0
  )

const withFigure = (map: WholeMap, index: HeaderIndex, figure: Taken, name: string): WholeMap | undefined => {
  const isThere = (columns: Parameters<typeof columnsOf>[0]) =>
    columnsOf(columns).some(
      (column) => columnsNamed(index, typeof column === "string" ? column : column.column).length > 0
    )
  if (figure === "taxAmount" || figure === "taxPercent") {
    const part = figure === "taxAmount" ? "amount" : "percent"
    const [tax, other] = map.columns.taxes ?? []
    if (tax === undefined || other !== undefined || isThere(tax[part])) return undefined
    return { ...map, columns: { ...map.columns, taxes: [{ ...tax, [part]: name }] } }
  }
  return isThere(map.columns[figure]) ? undefined : { ...map, columns: { ...map.columns, [figure]: name } }
}

const isStated = (map: WholeMap, index: HeaderIndex, figure: Taken | StatedFigure): "open" | "stated" =>
  (isStatedFigure(figure) ? map.columns[figure] : withFigure(map, index, figure, "") === undefined) ? "stated" : "open"

export const unread = ({
  binding,
  cells,
  map
}: Pick<FoundHeader, "binding" | "cells" | "map">): ReadonlyArray<string> => {
  const read = bound(binding)
  const index = indexOf(cells)
  const isFigure = (name: string): boolean => {
    const figure = figureOf(name)
    return figure === undefined ? taxNames.has(normalize(name)) : !isOfPayment(figure, map, index)
  }
  return cells.filter(
    (name, cell) =>
      name !== "" && !read.has(cell) && !isReasonColumn(name) && isFigure(name) && !binding.passed.has(cell)
  )
}

export const checkRead = (file: string, header: FoundHeader): SettledReading<void> => {
  const { cells, layout, map } = header
  const names = layout === "" ? unread(header) : []
  if (names.length === 0) return Result.void
  const index = indexOf(cells)
  return Result.fail(
    names.map((name) => {
      const figure = figureOf(name)
      const isOpen = figure !== undefined && isStated(map, index, figure) === "open"
      const isTax = figure === "taxAmount" || figure === "taxPercent"
      const taxes = isTax ? withFigure(map, index, figure, name)?.columns.taxes : []
      const part = figure === "taxAmount" ? "amount" : figure === "taxPercent" ? "percent" : undefined
      const columns = part === undefined ? { [figure ?? ""]: name } : { taxes }
      const stating = {
        id: part === undefined ? (figure ?? "") : `tax.${part}`,
        reading: "it states what its name says",
        examples: [],
        answer: { map: { columns } }
      }
      const passing = { id: "unused", reading: "it is passed over", examples: [], answer: { map: { unread: [name] } } }
      const question = `the column map says nothing of "${name}", which states figures by name`
      return { id: `column ${name}`, file, question, readings: isOpen ? [stating, passing] : [passing] }
    })
  )
}
