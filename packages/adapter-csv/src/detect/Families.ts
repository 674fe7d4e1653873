/**
 * Lines side by side in one row, as `lines/0/price` and `lines/1/price`. All members of a family
 * are read, or the operator is asked about the rest.
 */
import { type Binding, bound, type BoundCells, type LineBinding, type TaxCells } from "../columns/Binding.ts"
import type { LineField } from "../columns/Field.ts"
import { isNameless, normalize } from "../columns/Header.ts"
import { type FieldMeaning, meaningOf } from "../columns/Synonyms.ts"
import type { FoundHeader } from "./FoundHeader.ts"
import { type SettledReading } from "./Questions.ts"
import { Result } from "effect"

/** Figures of a line, of which no member of a family may be left out. */
const figures = ["quantity", "unitPrice", "lineAmount", "lineTotal", "lineGross"] as const satisfies Array<LineField>
/** Fields of which a line has two at least. */
const parts = ["description", "quantity", "unitPrice", "lineAmount"] as const satisfies Array<LineField>

/** Name without one of its numbers, and the number; -1 without a number. */
interface Member {
  readonly family: string
  readonly number: number
}

const membersIn = (name: string): ReadonlyArray<Member> => [
  { family: normalize(name), number: -1 },
  ...Array.from(name.matchAll(/\d+/g), ({ 0: digits, index }) => ({
    family: normalize(name.slice(0, index) + name.slice(index + digits.length)),
    number: Number(digits)
  }))
]

/** Most digits of a number in a name are a place, not a year or a code. */
const mostNumber = 1000

type Siblings = ReadonlyMap<number, ReadonlyMap<number, number>>

type Members = ReadonlyMap<number, number>

const familiesIn = (cells: ReadonlyArray<string>): ReadonlyMap<string, Members> => {
  const families = new Map<string, Array<readonly [number: number, cell: number]>>()
  if (isNameless(cells)) return new Map()
  for (const [cell, name] of cells.entries()) {
    if (name === "" || normalize(name) === "") continue
    for (const { family, number } of membersIn(name))
      if (number < mostNumber && family !== "") families.set(family, [...(families.get(family) ?? []), [number, cell]])
  }
  return new Map(
    [...families].flatMap(([family, members]): ReadonlyArray<readonly [string, Members]> => {
      const distinct = new Map(members)
      // the same name twice is not a family of numbers
      return distinct.size < 2 || distinct.size !== members.length ? [] : [[family, distinct]]
    })
  )
}

const siblingsOf = (cells: ReadonlyArray<string>): Siblings => {
  const found = new Map<number, Map<number, number>>()
  for (const members of familiesIn(cells).values())
    for (const [number, cell] of members) {
      const others = found.get(cell) ?? new Map<number, number>()
      for (const [other, sibling] of members) if (other !== number) others.set(other, sibling)
      found.set(cell, others)
    }
  return found
}

const ofLines: ReadonlySet<FieldMeaning | undefined> = new Set<FieldMeaning>([
  ...parts,
  "lineTotal",
  "discount",
  "discountPercent",
  "productCode",
  "taxCode",
  "taxPercent",
  "taxAmount"
])

/** A column by its name. `further`: of a further line, which is read with the first one. */
export interface NamedColumn {
  readonly meaning: FieldMeaning | undefined
  readonly line: "own" | "further"
}

export const namedIn = (cells: ReadonlyArray<string>): ReadonlyArray<NamedColumn> => {
  const columns = cells.map((name): NamedColumn => ({ meaning: meaningOf(name), line: "own" }))
  const numbersOf = ([, members]: readonly [string, Members]) => [...members.keys()].toSorted((a, b) => a - b)
  const aside = Map.groupBy(familiesIn(cells), (family) => numbersOf(family).join()).values()
  for (const families of aside)
    for (const [family, members] of families.length < 2 ? [] : families) {
      const [first, ...further] = numbersOf([family, members]).map((number) => members.get(number)!)
      const meaning = meaningOf(family)
      if (columns[first!]!.meaning === undefined && ofLines.has(meaning)) columns[first!] = { meaning, line: "own" }
      for (const cell of further)
        if (columns[cell]!.meaning === undefined) columns[cell] = { meaning: undefined, line: "further" }
    }
  return columns
}

type Header = Pick<FoundHeader, "binding" | "cells">

const unreadOf = (own: BoundCells, { binding, cells }: Header): Siblings => {
  const read = bound(binding)
  const siblings = siblingsOf(cells)
  const isOpen = (cell: number) => !read.has(cell) && !binding.passed.has(cell)
  return new Map(
    own.map((cell) => [cell, new Map([...(siblings.get(cell) ?? [])].filter(([, other]) => isOpen(other)))])
  )
}

const figureCells = ({ line }: LineBinding): BoundCells => figures.flatMap((figure) => line[figure])

const numbersOf = (siblings: Siblings): ReadonlyArray<number> =>
  [...new Set([...siblings.values()].flatMap((others) => [...others.keys()]))].toSorted((a, b) => a - b)

/**
 * A line for each further member, if each member has the parts of a line, or further taxes of the
 * line.
 */
export const widened = (header: Header): Binding => {
  const { binding, cells } = header
  const siblings = siblingsOf(cells)
  /** `shared`: a column outside of the family states the same for all lines. */
  const member =
    (number: number, others: "shared" | "own") =>
    (own: BoundCells): BoundCells =>
      own.flatMap((cell) => {
        const sibling = siblings.get(cell)?.get(number)
        if (sibling === undefined) return others === "shared" && !siblings.has(cell) ? [cell] : []
        return binding.passed.has(sibling) ? [] : [sibling]
      })
  const taxOf = (of: (own: BoundCells) => BoundCells, { amount, code, percent, taxable }: TaxCells): TaxCells => ({
    amount: of(amount),
    code: of(code),
    percent: of(percent),
    taxable: of(taxable)
  })
  const numbers = numbersOf(unreadOf(figureCells(binding), header))
  if (numbers.length === 0) {
    const ofTaxes = binding.taxes.flatMap(({ amount, code, percent }) => [...amount, ...code, ...percent])
    const further = numbersOf(unreadOf(ofTaxes, header)).flatMap((number) =>
      binding.taxes.slice(0, 1).map((tax) => taxOf(member(number, "own"), tax))
    )
    return { ...binding, taxes: [...binding.taxes, ...further] }
  }
  const isWhole =
    parts.every((part) => binding.line[part].every((cell) => siblings.has(cell))) &&
    parts.filter((part) => binding.line[part].length > 0).length > 1
  if (!isWhole) return binding
  const further = numbers.map((number): LineBinding => {
    const of = member(number, "shared")
    const line = Object.entries<BoundCells>(binding.line).map(([field, own]) => [field, of(own)])
    return { line: Object.fromEntries(line) as LineBinding["line"], taxes: binding.taxes.map((tax) => taxOf(of, tax)) }
  })
  return { ...binding, further }
}

/** Requires an answer about members of a family that cannot be read as further lines. */
export const checkRead = (file: string, header: FoundHeader): SettledReading<void> => {
  const { binding, cells } = header
  const found = [...unreadOf(figureCells(binding), header)].flatMap(([cell, others]) =>
    [...others.values()].map((other) => ({ read: cells[cell]!, name: cells[other]! }))
  )
  const [first] = found
  if (first === undefined) return Result.void
  const names = [...new Set(found.map(({ name }) => name))]
  const listed = names.map((name) => JSON.stringify(name)).join(", ")
  return Result.fail([
    {
      id: "families",
      file,
      question: `the column ${JSON.stringify(first.read)} is read as a figure of a line, and ${listed} ${names.length === 1 ? "differs" : "differ"} in a number alone: are these figures of the documents? If they are, export one row per line`,
      readings: [
        { reading: "no, they are passed over", examples: names.slice(0, 3), answer: { map: { unread: names } } }
      ]
    }
  ])
}
