/** Columns that state figures by their names: each is read, by what its name says or by what the person says of it. */
import { Result } from "effect"
import { bind, bound } from "../columns/Binding.ts"
import { columnsOf, type WholeMap } from "../columns/ColumnMap.ts"
import { columnsNamed, type HeaderIndex, indexOf, normalise } from "../columns/Header.ts"
import { isReasonColumn } from "../columns/ReasonColumns.ts"
import { meaningOf } from "../columns/Synonyms.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import type { Settled } from "./Questions.ts"

/** Figures that are compared with what is sent, and never used. */
const compared = ["net", "tax", "total", "lineTotal", "taxAmount", "taxPercent"] as const
type Compared = (typeof compared)[number]

/** What a column is called that states a tax in some files, and names it in others. */
const taxNames = new Set(["tax", "vat", "gst"])

const figureOf = (name: string): Compared | "lineAmount" | undefined => {
  const meaning = meaningOf(name)
  if (meaning === "lineAmount") return meaning
  return compared.find((figure) => figure === meaning)
}

/** The map with the figures that the header states by name, and that it has no column for. */
export const reading = (map: WholeMap, index: HeaderIndex, header: ReadonlyArray<string>): WholeMap => {
  const binding = Result.getOrUndefined(bind(map, index, "allowed"))
  if (binding === undefined) return map
  const read = bound(binding)
  const passed = passedOver(map)
  let whole = map
  for (const [cell, name] of header.entries()) {
    const figure = figureOf(name)
    if (figure === undefined || figure === "lineAmount" || read.has(cell) || passed.has(normalise(name))) continue
    if (!columnsNamed(index, name).includes(cell) || columnsNamed(index, name).length > 1) continue
    whole = withFigure(whole, index, figure, name) ?? whole
  }
  return whole
}

/** The map with the figure's column; undefined where it has another one, or no place for it. */
const withFigure = (map: WholeMap, index: HeaderIndex, figure: Compared, name: string): WholeMap | undefined => {
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
  return cells.filter(
    (name, cell) =>
      name !== "" &&
      !read.has(cell) &&
      !isReasonColumn(name) &&
      (figureOf(name) !== undefined || taxNames.has(normalise(name))) &&
      !passed.has(normalise(name))
  )
}

/** Of a known layout: columns of a line's amount, which it has in no other column. */
export const unbound = (header: FoundHeader): ReadonlyArray<string> =>
  header.binding.line.lineAmount.length > 0 ? [] : unread(header).filter((name) => figureOf(name) === "lineAmount")

/** A person's column map says of every column that states figures what it is, or that it is passed over. */
export const checkRead = (file: string, header: FoundHeader): Settled<void> => {
  const { cells, layout, map } = header
  const names = layout === "" ? unread(header) : []
  if (names.length === 0) return Result.void
  const index = indexOf(cells)
  let named = map
  for (const name of names) {
    const figure = figureOf(name)
    if (figure !== undefined && figure !== "lineAmount") named = withFigure(named, index, figure, name) ?? named
    else if (figure === "lineAmount" && named.columns.lineAmount === undefined)
      named = { ...named, columns: { ...named.columns, lineAmount: name } }
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
