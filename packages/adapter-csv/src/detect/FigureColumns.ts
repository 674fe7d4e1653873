/** Columns that state figures by their names: each is read, by what its name says or by what the person says of it. */
import { Result } from "effect"
import { bind, bound } from "../columns/Binding.ts"
import { columnsOf, type WholeMap } from "../columns/ColumnMap.ts"
import { columnsNamed, type HeaderIndex, indexOf, normalise } from "../columns/Header.ts"
import { isReasonColumn } from "../columns/ReasonColumns.ts"
import { meaningOf } from "../columns/Synonyms.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import type { Settled } from "./Questions.ts"

/** Figures that are compared with what is sent, and charges, of which none may be left out. */
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

/** Figures of which a layout may state more than one, so that a name does not say what they are. */
const said = ["lineAmount", "discount", "discountPercent"] as const
type Said = (typeof said)[number]

/** What a column is called that states a tax in some files, and names it in others. */
const taxNames = new Set(["tax", "vat", "gst"])

const figureOf = (name: string): Taken | Said | undefined => {
  const meaning = meaningOf(name)
  return [...taken, ...said].find((figure) => figure === meaning)
}

const isSaid = (figure: Taken | Said): figure is Said => said.some((other) => other === figure)

/** The map with the figures that the header states by name, and that it has no column for. */
export const reading = (map: WholeMap, index: HeaderIndex, header: ReadonlyArray<string>): WholeMap => {
  const binding = Result.getOrUndefined(bind(map, index, "allowed"))
  if (binding === undefined) return map
  const read = bound(binding)
  const passed = passedOver(map)
  let whole = map
  for (const [cell, name] of header.entries()) {
    const figure = figureOf(name)
    if (figure === undefined || isSaid(figure) || read.has(cell) || passed.has(normalise(name))) continue
    if (isOfPayment(figure, whole, index)) continue
    if (!columnsNamed(index, name).includes(cell) || columnsNamed(index, name).length > 1) continue
    whole = withFigure(whole, index, figure, name) ?? whole
  }
  return whole
}

/**
 * Whether a column called a fee may be what a payment cost the seller: where a total is stated it shows whether the customer paid the fee, so that
 * nothing is missed without the column.
 */
const isOfPayment = (figure: Taken | Said, { columns }: WholeMap, index: HeaderIndex): boolean =>
  figure === "fee" &&
  columnsOf(columns.total).some(
    (column) => columnsNamed(index, typeof column === "string" ? column : column.column).length > 0
  )

/** The map with the figure's column; undefined where it has another one, or no place for it. */
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

const passedOver = ({ unread }: WholeMap) => new Set(unread?.map(normalise))

/** Columns that state figures by their names and that nothing reads. */
export const unread = ({
  binding,
  cells,
  map
}: Pick<FoundHeader, "binding" | "cells" | "map">): ReadonlyArray<string> => {
  const read = bound(binding)
  const passed = passedOver(map)
  const index = indexOf(cells)
  const isFigure = (name: string): boolean => {
    const figure = figureOf(name)
    return figure === undefined ? taxNames.has(normalise(name)) : !isOfPayment(figure, map, index)
  }
  return cells.filter(
    (name, cell) =>
      name !== "" && !read.has(cell) && !isReasonColumn(name) && isFigure(name) && !passed.has(normalise(name))
  )
}

/** Of a known layout: columns of a line's amount or its discount, which it has in no other column. */
export const unbound = (header: FoundHeader): ReadonlyArray<string> => {
  const { line } = header.binding
  const isDiscounted = line.discount.length + line.discountPercent.length > 0
  return unread(header).filter((name) => {
    const figure = figureOf(name)
    return figure === "lineAmount"
      ? line.lineAmount.length === 0
      : figure !== undefined && isSaid(figure) && !isDiscounted
  })
}

/** A person's column map says of every column that states figures what it is, or that it is passed over. */
export const checkRead = (file: string, header: FoundHeader): Settled<void> => {
  const { cells, layout, map } = header
  const names = layout === "" ? unread(header) : []
  if (names.length === 0) return Result.void
  const index = indexOf(cells)
  let named = map
  for (const name of names) {
    const figure = figureOf(name)
    if (figure === undefined) continue
    if (!isSaid(figure)) named = withFigure(named, index, figure, name) ?? named
    else if (named.columns[figure] === undefined) named = { ...named, columns: { ...named.columns, [figure]: name } }
  }
  const columns = Object.fromEntries(
    Object.entries(named.columns).filter(([field, column]) => map.columns[field as keyof typeof map.columns] !== column)
  )
  const passing = { reading: "they are passed over", examples: names, answer: { map: { unread: names } } }
  const examples = Object.entries(columns).map(([field, column]) => `${field}: ${JSON.stringify(column)}`)
  const stating = { reading: "they state what their names say", examples, answer: { map: { columns } } }
  const question = `the column map says nothing of ${names.map((name) => `"${name}"`).join(", ")}, which ${names.length === 1 ? "states" : "state"} figures by name`
  return Result.fail([
    { id: "figures", file, question, readings: examples.length > 0 ? [stating, passing] : [passing] }
  ])
}
