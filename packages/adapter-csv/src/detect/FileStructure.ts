/**
 * Recognizes by values rows that are not lines of invoices: bookings of a ledger, documents without
 * lines, printed documents, packed lines, records of several types. Names decide only for a list
 * without lines: values do not show whether a text describes what was sold.
 */
import { Money, StatedWords } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import type { ColumnMap } from "../columns/ColumnMap.ts"
import * as Columns from "../columns/ColumnMap.ts"
import { columnsNamed, indexOf, nameless } from "../columns/Header.ts"
import type { Contents } from "../columns/Settings.ts"
import type { FieldMeaning } from "../columns/Synonyms.ts"
import { namedIn } from "./Families.ts"
import { delimiters, type Separator } from "../scan/Dialect.ts"
import { isDate } from "../values/DateForm.ts"
import * as NumberForm from "../values/NumberForm.ts"
import { type FileHead, type HeadRecord, records } from "./HeaderSearch.ts"

export interface Structure {
  readonly contents: Extract<Contents, "ledger" | "no-lines" | "blocks" | "packed-lines" | "record-types">
  readonly evidence: string
}

const sampleSize = 400

const fewestCells = 3

type RowCells = ReadonlyArray<string>

export const of = (
  what: FileHead & { readonly headerLine?: number | undefined },
  map?: ColumnMap
): Structure | undefined => {
  const table = tableIn(what)
  if (table === undefined) return undefined
  return recordTypes(table) ?? blocks(table) ?? packedLines(table) ?? ledger(table) ?? noLines(table, map)
}

export const titled = (
  what: FileHead & { readonly headerLine?: number | undefined }
):
  | ({ readonly [Part in "above" | "below"]: ReadonlyArray<HeadRecord> } & { readonly header: HeadRecord })
  | undefined => {
  const { records: all } = widest(what)
  const header = what.headerLine === 0 ? undefined : headerIn(all, what.headerLine)
  const place = header === undefined ? -1 : all.indexOf(header)
  return header && { above: all.slice(0, place), header, below: all.slice(place + 1) }
}

export const tableIn = (what: FileHead & { readonly headerLine?: number | undefined }): FoundTable | undefined =>
  tableOf(widest(what), what.headerLine)

const widest = (what: FileHead): Sample => {
  const samples =
    what.delimiter === undefined ? delimiters.map((one) => sampleOf(what, one)) : [sampleOf(what, what.delimiter)]
  return samples.toSorted((a, b) => cellsOf(b) - cellsOf(a))[0]!
}

/** Texts rarely have the delimiter. */
const cellsOf = ({ records: all }: Sample): number => all.reduce((sum, { count }) => sum + count, 0)

export interface Sample {
  readonly records: ReadonlyArray<HeadRecord>
  readonly isCut: boolean
}

export interface FoundTable extends Sample {
  readonly names: ReadonlyArray<string>
  readonly rows: ReadonlyArray<RowCells>
}

const wholeHead = 60_000

const sampleOf = (what: FileHead, delimiter: Separator): Sample => {
  const all = records(what, delimiter, sampleSize)
  // the last record of a cut head may be a part of a row
  const isCutInRow = what.head.length > wholeHead && all.length < sampleSize
  return { records: isCutInRow ? all.slice(0, -1) : all, isCut: isCutInRow || all.length === sampleSize }
}

const decimalMarks = ["point", "comma"] as const

const hasLetter = (text: string): boolean => /\p{L}/u.test(text)
/** Tests for a number with either decimal mark; the number of a document is not an amount. */
export const isFigure = (text: string): boolean => decimalMarks.some((mark) => figureIn(text, mark) !== undefined)
const isValue = (text: string): boolean => isDate(text) || isFigure(text)
const filledIn = (row: RowCells): RowCells => row.filter((cell) => cell !== "")

const isOfNames = ({ cells }: HeadRecord): boolean =>
  filledIn(cells).length >= fewestCells && !cells.some(isValue) && filledIn(cells).every(hasLetter)

const headerIn = (all: ReadonlyArray<HeadRecord>, headerLine: number | undefined): HeadRecord | undefined =>
  headerLine === undefined ? all.find(isOfNames) : all.find(({ line }) => headerLine > 0 && line === headerLine)

const tableOf = ({ isCut, records: all }: Sample, headerLine: number | undefined): FoundTable | undefined => {
  const wide = all.filter(({ cells }) => filledIn(cells).length >= fewestCells)
  if (wide.length < 2) return undefined
  const header = headerIn(all, headerLine)
  const below = header === undefined ? all : all.slice(all.indexOf(header) + 1)
  const same = header && JSON.stringify(header.cells)
  const rows = below.map(({ cells }) => cells).filter((cells) => JSON.stringify(cells) !== same)
  const width = Math.max(...rows.map((row) => row.length))
  if (rows.length === 0) return undefined
  const names = Array.from({ length: width }, (_, cell) => header?.cells[cell] || nameless(cell))
  return { names, rows, records: all, isCut }
}

/** Number of a document, as `INV-100`: not a negative amount in a currency. */
const identifier = /^\p{L}+-\d+$/u

const figureIn = (text: string, mark: NumberForm.DecimalMark): Money.Money | undefined => {
  const read = identifier.test(text) ? undefined : NumberForm.read(text, mark)
  return BigDecimal.isBigDecimal(read) ? read : undefined
}

const quoted = (name: string): string => `"${name}"`

/** Most documents in ten that may differ from the structure: one. */
const exceptionsOf = (count: number): number => Math.floor(count / 10)

// ledger

const mostNumbers = 40

interface Booking {
  readonly figures: ReadonlyArray<Money.Money | undefined>
  readonly columns: ReadonlyArray<number>
  readonly words: string
  readonly fewestRows: number
  /** Fewest numbers, and fewest numbers of which both sides have one and the same amount. */
  readonly fewestNumbers: readonly [number, number]
}

/** Fewest numbers where the sides or the figures may fall so by chance. */
const byChance = [3, 6] as const

/** Quantities, flags and counts are whole numbers below this one. */
const mostPieces = BigDecimal.make(100n, 0)

const isPieces = (figure: Money.Money | undefined): boolean =>
  figure === undefined ||
  (BigDecimal.normalize(figure).scale <= 0 && BigDecimal.isLessThan(BigDecimal.abs(figure), mostPieces))

const fewestOf = (figures: ReadonlyArray<Money.Money | undefined>): Booking["fewestNumbers"] =>
  figures.every(isPieces) ? byChance : [1, 1]

/**
 * Recognizes bookings: the signed amounts of each number add up to zero, and the account column
 * differs between the two sides.
 */
const ledger = (table: FoundTable): Structure | undefined => {
  const width = table.names.length
  const keys = Array.from({ length: width }, (_, cell) => keysIn(table.rows, cell)).map((texts, cell) => ({
    texts,
    cell
  }))
  for (const mark of decimalMarks)
    for (const booking of bookingsIn(table, mark)) {
      for (const { cell, texts } of keys) {
        if (texts === undefined || booking.columns.includes(cell)) continue
        const balanced = balancedBy(texts, booking, table)
        if (balanced === undefined) continue
        // the lines of one invoice may add up to zero
        if (balanced.of === 1 && isProduct(table, booking, mark, "different in some rows")) continue
        // quantities are the same with either mark, and prices are not
        if (decimalMarks.some((own) => isSale(table, booking, balanced, own))) continue
        return {
          contents: "ledger",
          evidence: `${booking.words} for ${balanced.count} of ${balanced.of} values of ${quoted(table.names[cell]!)}`
        }
      }
    }
  return undefined
}

const keysIn = (rows: ReadonlyArray<RowCells>, cell: number): ReadonlyArray<string> | undefined => {
  let last = ""
  const texts = rows.map((row) => (last = row[cell] || last))
  return texts[0] !== "" && new Set(texts).size < texts.length ? texts : undefined
}

const bookingsIn = ({ names, rows }: FoundTable, mark: NumberForm.DecimalMark): ReadonlyArray<Booking> => {
  const columns = names.map((_, cell) => rows.map((row) => row[cell] ?? ""))
  const figures = columns.map((texts) => texts.map((text) => figureIn(text, mark)))
  const isNumeric = (cell: number) =>
    figures[cell]!.some((one) => one !== undefined && !BigDecimal.isZero(one)) &&
    columns[cell]!.every((text, row) => text === "" || /^[-–]+$/.test(text) || figures[cell]![row] !== undefined)
  const numeric = names.flatMap((_, cell) => (isNumeric(cell) ? [cell] : [])).slice(0, mostNumbers)
  const isZero = (one: Money.Money | undefined) => one === undefined || BigDecimal.isZero(one)
  const signed = numeric
    .filter((cell) => figures[cell]!.some((one) => one !== undefined && BigDecimal.isNegative(one)))
    .map((cell): Booking => ({
      figures: figures[cell]!,
      columns: [cell],
      words: `the amounts of ${quoted(names[cell]!)} add up to zero`,
      fewestRows: 3,
      fewestNumbers: fewestOf(figures[cell]!)
    }))
  const sided = numeric.flatMap((debit, i) =>
    numeric.slice(i + 1).flatMap((credit): ReadonlyArray<Booking> => {
      const pairs = rows.map((_, row) => [figures[debit]![row], figures[credit]![row]] as const)
      // rows with both are subtotals of the two sides
      if (pairs.some(([one, other]) => !isZero(one) && !isZero(other) && !BigDecimal.equals(one!, other!))) return []
      if (pairs.every(([one, other]) => isZero(one) === isZero(other))) return []
      const amounts = pairs.map(([one, other]) =>
        isZero(one) === isZero(other) ? undefined : isZero(other) ? one : BigDecimal.negate(other!)
      )
      return [
        {
          figures: amounts,
          columns: [debit, credit],
          words: `the sums of ${quoted(names[debit]!)} and ${quoted(names[credit]!)} are equal`,
          fewestRows: 2,
          fewestNumbers: fewestOf(amounts)
        }
      ]
    })
  )
  return [...sided, ...signed, ...markedIn({ names, columns, figures, numeric }, mark)]
}

interface NumbersIn {
  readonly names: RowCells
  readonly columns: ReadonlyArray<ReadonlyArray<string>>
  readonly figures: ReadonlyArray<ReadonlyArray<Money.Money | undefined>>
  readonly numeric: ReadonlyArray<number>
}

const marker = /^(?<figure>.*\d\)?)\s*(?<mark>\p{L}{1,3}\.?)$/u

const markedIn = (
  { columns, figures, names, numeric }: NumbersIn,
  mark: NumberForm.DecimalMark
): ReadonlyArray<Booking> => {
  const bookingOf = (
    amounts: ReadonlyArray<Money.Money | undefined>,
    sides: ReadonlyArray<string>,
    about: Pick<Booking, "columns" | "words">
  ): ReadonlyArray<Booking> => {
    if (amounts.some((one, row) => one !== undefined && sides[row] === "")) return []
    // one figure in every row, such as a percent, is equal on any two sides
    if (new Set(amounts.flatMap((one) => (one === undefined ? [] : Money.formatPlain(one)))).size < 2) return []
    const debit = sides.find((side) => side !== "")
    const signed = amounts.map((one, row) => (one && sides[row] !== debit ? BigDecimal.negate(one) : one))
    return [{ ...about, figures: signed, fewestRows: Infinity, fewestNumbers: byChance }]
  }
  const areTwo = (texts: ReadonlyArray<string>) => {
    const different = new Set(texts)
    different.delete("")
    return different.size === 2 && [...different].every(hasLetter)
  }
  const sides = columns.flatMap((texts, cell) => (areTwo(texts) ? [cell] : []))
  const inCells = columns.flatMap((texts, cell) => {
    const parts = texts.map((text) => marker.exec(text)?.groups)
    const marks = parts.map((part) => part?.["mark"] ?? "")
    if (!areTwo(marks) || texts.some((text, row) => text !== "" && parts[row] === undefined)) return []
    const amounts = parts.map((part) => part && figureIn(part["figure"]!, mark))
    return bookingOf(amounts, marks, {
      columns: [cell],
      words: `the sums of both sides in ${quoted(names[cell]!)} are equal`
    })
  })
  const inColumns = numeric.flatMap((cell) =>
    sides.flatMap((side) =>
      bookingOf(figures[cell]!, columns[side]!, {
        columns: [cell, side],
        words: `the sums of ${quoted(names[cell]!)} are equal for both values of ${quoted(names[side]!)}`
      })
    )
  )
  return [...inCells, ...inColumns]
}

type ColumnFigures = Booking["figures"]

/** Returns the columns that state a number wherever the booking does. */
const besides = (
  { names, rows }: Pick<FoundTable, "names" | "rows">,
  { columns, figures }: Pick<Booking, "columns" | "figures">,
  mark: NumberForm.DecimalMark
): ReadonlyArray<ColumnFigures> =>
  names.flatMap((_, cell) => {
    if (columns.includes(cell)) return []
    const read = rows.map((row) => figureIn(row[cell] ?? "", mark))
    return figures.every((one, row) => one === undefined || read[row] !== undefined) ? [read] : []
  })

const sizeOf = (figure: Money.Money | undefined): string =>
  figure === undefined ? "" : Money.formatPlain(BigDecimal.abs(figure))

/** Compares a product with a column in the rows of a booking, whatever the signs are. */
const isTimes = (
  { figures }: Pick<Booking, "figures">,
  one: ColumnFigures,
  other: ColumnFigures,
  due: ColumnFigures
): boolean =>
  figures.every(
    (figure, row) => figure === undefined || sizeOf(BigDecimal.multiply(one[row]!, other[row]!)) === sizeOf(due[row])
  )

const isProduct = (
  table: Pick<FoundTable, "names" | "rows">,
  booking: Pick<Booking, "columns" | "figures">,
  mark: NumberForm.DecimalMark,
  areFactors: "different in some rows" | "any"
): boolean => {
  const others = besides(table, booking, mark).filter(
    (read) => areFactors === "any" || new Set(read.map((one) => one && BigDecimal.format(one))).size > 1
  )
  return others.some((one, i) => others.slice(i + 1).some((other) => isTimes(booking, one, other, booking.figures)))
}

/**
 * Tests for quantities or amounts of items, which may be equal in each document: each item has its
 * own price. A rate of a ledger in two currencies is the same for both sides.
 */
const isSale = (table: FoundTable, booking: Booking, { isApart }: Balanced, mark: NumberForm.DecimalMark): boolean => {
  const { figures } = booking
  const others = besides(table, booking, mark)
  const own = others.filter((read) => isApart((row) => sizeOf(read[row])))
  return own.some((one) =>
    others.some(
      (other) =>
        other !== one &&
        (isTimes(booking, figures, one, other) || (own.includes(other) && isTimes(booking, one, other, figures)))
    )
  )
}

const enough = 6

interface Balanced {
  readonly count: number
  readonly of: number
  /** Tests for texts that differ between both sides of each number. */
  readonly isApart: (textOf: (row: number) => string) => boolean
}

const balancedBy = (
  keys: ReadonlyArray<string>,
  { columns, fewestNumbers, fewestRows, figures }: Booking,
  { isCut, names, rows }: FoundTable
): Balanced | undefined => {
  const groups = new Map<string, Array<number>>()
  for (const [row, key] of keys.entries()) {
    if (figures[row] === undefined || BigDecimal.isZero(figures[row])) continue
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  if (isCut) groups.delete(keys.at(-1)!)
  const all = [...groups.values()]
  const balanced = all.filter(
    (group) =>
      group.length > 1 &&
      BigDecimal.isZero(group.reduce((sum, row) => BigDecimal.sum(sum, figures[row]!), BigDecimal.make(0n, 0)))
  )
  if (balanced.length === 0 || all.length - balanced.length > exceptionsOf(all.length)) return undefined
  if (all.length === 1 && (balanced[0]!.length < fewestRows || hasSeveralDays(rows, names.length))) return undefined
  const amountsOf = (group: ReadonlyArray<number>) =>
    new Set(group.map((row) => BigDecimal.format(BigDecimal.abs(figures[row]!))))
  const [several, same] = fewestNumbers
  if (balanced.length < (balanced.some((group) => amountsOf(group).size > 1) ? several : same)) return undefined
  const isApart: Balanced["isApart"] = (textOf) => {
    const texts = (group: ReadonlyArray<number>, isDebit: boolean) =>
      group.filter((row) => BigDecimal.isPositive(figures[row]!) === isDebit).map(textOf)
    return balanced.every((group) => {
      const [debits, credits] = [texts(group, true), texts(group, false)]
      return ![...debits, ...credits].includes("") && !debits.some((text) => credits.includes(text))
    })
  }
  const isAccount = (cell: number) => !columns.includes(cell) && isApart((row) => rows[row]![cell] ?? "")
  const recurs = (cell: number): boolean => {
    const texts = balanced.flat().map((row) => rows[row]![cell] ?? "")
    return new Set(texts).size < texts.length && !texts.every(isDate)
  }
  const accounts = names.flatMap((_, cell) => (isAccount(cell) ? [cell] : []))
  const isShown = accounts.some(
    (cell) =>
      balanced.length === 1 ||
      ((recurs(cell) || balanced.length < enough) && !balanced.every((group) => countsRows(group, rows, cell)))
  )
  return isShown ? { count: balanced.length, of: all.length, isApart } : undefined
}

const hasSeveralDays = (rows: ReadonlyArray<RowCells>, width: number): boolean =>
  Array.from({ length: width }, (_, cell) => rows.map((row) => row[cell] ?? "")).some(
    (texts) => kindOf(texts) === "date" && new Set(texts.filter((text) => text !== "")).size > 1
  )

const countsRows = (group: ReadonlyArray<number>, rows: ReadonlyArray<RowCells>, cell: number): boolean => {
  const first = Number(rows[group[0]!]![cell])
  return group.every((row, i) => Number(rows[row]![cell]) === first + i)
}

// other structures

const kindOf = (texts: ReadonlyArray<string>): "date" | "figure" | "text" | undefined => {
  const filled = texts.filter((text) => text !== "")
  if (filled.length === 0) return undefined
  if (filled.every(isDate)) return "date"
  if (filled.every(isFigure)) return "figure"
  return filled.every((text) => hasLetter(text) && !isDate(text)) ? "text" : undefined
}

/** Fewest columns that differ between two record types, a date among them: one may be a remark. */
const fewestConflicts = 2
const mostTypes = 6
const longestType = 12

const recordTypes = ({ records: all }: FoundTable): Structure | undefined => {
  const types = new Map<string, Array<RowCells>>()
  for (const { cells } of all) {
    const type = cells[0] ?? ""
    if (filledIn(cells).length < fewestCells - 1) continue
    types.set(type, [...(types.get(type) ?? []), cells])
  }
  const repeated = [...types].filter(
    ([type, rows]) =>
      hasLetter(type) &&
      type.length <= longestType &&
      rows.length > 1 &&
      new Set(rows.map((row) => JSON.stringify(row))).size > 1
  )
  const single = [...types].filter(([type]) => !repeated.some(([one]) => one === type))
  if (repeated.length < 2 || repeated.length > mostTypes || single.length > mostTypes) return undefined
  const width = Math.max(...all.map(({ cells }) => cells.length))
  const [[first, ones], ...others] = repeated as [(typeof repeated)[0], ...typeof repeated]
  for (const [type, rows] of others) {
    const conflicts = Array.from({ length: width - 1 }, (_, i) =>
      [ones, rows].map((some) => kindOf(some.map((row) => row[i + 1] ?? "")))
    ).filter(([one, other]) => one !== undefined && other !== undefined && one !== other)
    if (conflicts.length >= fewestConflicts && conflicts.some((kinds) => kinds.includes("date")))
      return {
        contents: "record-types",
        evidence: `rows that begin with ${quoted(first)} and rows that begin with ${quoted(type)} have other values in ${conflicts.length} columns`
      }
  }
  return undefined
}

const blocks = ({ names, records: all, rows }: FoundTable): Structure | undefined => {
  const places = new Map<string, Array<number>>()
  for (const [place, record] of all.entries()) {
    if (!isOfNames(record)) continue
    const text = JSON.stringify(record.cells)
    places.set(text, [...(places.get(text) ?? []), place])
  }
  const repeated = [...places.values()].find((one) => one.length > 1)
  if (repeated === undefined) return undefined
  const header = all[repeated[0]!]!.cells
  const wide = rows.filter((row) => filledIn(row).length >= fewestCells)
  if (names.some((_, cell) => kindOf(wide.map((row) => row[cell] ?? "")) === "date")) return undefined
  const above = repeated.map((place, i) =>
    all
      .slice(i === 0 ? 0 : repeated[i - 1]! + 1, place)
      .map(({ cells }) => labelIn(cells))
      .filter((one) => one !== undefined)
  )
  const label = above[0]!.find(({ name, value }) =>
    above.slice(1).every((labels) => labels.some((one) => one.name === name && one.value !== value))
  )
  return (
    label && {
      contents: "blocks",
      evidence: `the row ${quoted(filledIn(header).join(" | "))} occurs ${repeated.length} times, each time below ${quoted(label.name)} with another value`
    }
  )
}

const labelIn = (cells: RowCells): { readonly name: string; readonly value: string } | undefined => {
  const [name, value, ...more] = filledIn(cells)
  if (name === undefined || more.length > 1) return undefined
  if (value !== undefined)
    return hasLetter(name) && !isValue(name) ? { name: name.replace(/:$/, ""), value } : undefined
  const [, label, rest] = /^(\p{L}[^:]*):\s*(\S.*)$/u.exec(name) ?? []
  return label === undefined || rest === undefined ? undefined : { name: label, value: rest }
}

const packedLines = ({ names, rows }: FoundTable): Structure | undefined => {
  for (const [cell, name] of names.entries()) {
    const texts = rows.map((row) => row[cell] ?? "").filter((text) => text !== "")
    const packed = texts.filter((text) => text.startsWith("[") && isPacked(text))
    if (packed.length > 0 && packed.length === texts.length)
      return { contents: "packed-lines", evidence: `${quoted(name)} holds a list of records in ${packed.length} rows` }
  }
  return undefined
}

const isPacked = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return (
      Array.isArray(value) &&
      value.length > 0 &&
      value.every(
        (one: unknown) =>
          typeof one === "object" &&
          one !== null &&
          Object.values(one).some((part) => typeof part === "number" || (typeof part === "string" && isFigure(part)))
      )
    )
  } catch {
    return false
  }
}

const hasProduct = (names: RowCells, rows: ReadonlyArray<RowCells>): boolean =>
  decimalMarks.some((mark) =>
    names.slice(0, mostNumbers).some((_, cell) => {
      const figures = rows.map((row) => figureIn(row[cell] ?? "", mark))
      const isAmount = figures.some((one) => one !== undefined && !BigDecimal.isZero(one))
      return isAmount && isProduct({ names, rows }, { columns: [cell], figures }, mark, "any")
    })
  )

const ofLines: ReadonlySet<FieldMeaning | undefined> = new Set(["description", "quantity", "unitPrice", "productCode"])

/**
 * Without a map, a text with an unknown name may be the description: the columns are asked then.
 */
const noLines = ({ names, rows }: FoundTable, map: ColumnMap | undefined): Structure | undefined => {
  const index = indexOf(names)
  const meanings = new Map<number, FieldMeaning | undefined>()
  if (map === undefined) for (const [cell, { meaning }] of namedIn(names).entries()) meanings.set(cell, meaning)
  else
    for (const [field, columns] of Object.entries(map.columns ?? {}))
      if (field !== "taxes")
        for (const column of Columns.columnsOf(columns as Columns.Columns))
          for (const cell of columnsNamed(index, typeof column === "string" ? column : column.column))
            meanings.set(cell, field as FieldMeaning)
  const number = [...meanings].find(([, meaning]) => meaning === "number")?.[0]
  if (number === undefined || [...meanings.values()].some((meaning) => ofLines.has(meaning))) return undefined
  const wide = rows.filter((row) => filledIn(row).length >= fewestCells)
  const numbers = wide.map((row) => row[number] ?? "")
  if (numbers.length === 0 || numbers.includes("") || new Set(numbers).size < numbers.length) return undefined
  const isOpenText = (_: string, cell: number): boolean =>
    meanings.get(cell) === undefined &&
    wide.some((row) => hasLetter(row[cell] ?? "") && !StatedWords.isCurrencyCode(row[cell] ?? ""))
  if (map === undefined && (names.some(isOpenText) || hasProduct(names, wide))) return undefined
  return {
    contents: "no-lines",
    evidence: `each ${quoted(names[number]!)} is in one row, and no column is a quantity, a price or a description`
  }
}
