import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import { type MappingBook, originalOf } from "../mapping/MappingBook.ts"
import type { SourceDocument, SourceOriginal } from "../source/SourceDocument.ts"
import { AllocationFinding, CreditFinding } from "./CreditFinding.ts"

export interface Allocation {
  readonly stated: ReadonlyArray<SourceOriginal>
  /** `operator`: the operator named the original, by number or id. */
  readonly by: "source" | "operator"
}

/**
 * Returns the note's allocations. `named`: note number or id → invoice, by the operator. An
 * original in the mapping book is held against the note as if the export stated it, and never
 * replaces a stated one.
 */
export const of = (
  note: SourceDocument,
  named: ReadonlyMap<string, string>,
  book: Pick<MappingBook, "originals">
): Allocation => {
  const value = named.get(note.number) ?? named.get(note.id)
  if (value !== undefined) return { stated: [{ by: "number", value }], by: "operator" }
  const kept = note.originals.length === 0 ? originalOf(book, note.number) : undefined
  return { stated: kept === undefined ? note.originals : [{ by: "number", value: kept }], by: "source" }
}

export const largest = (stated: ReadonlyArray<SourceOriginal>): SourceOriginal =>
  stated.reduce((a, b) => (BigDecimal.isGreaterThan(amountOf(b), amountOf(a)) ? b : a))

const amountOf = ({ amount }: SourceOriginal): Money.Money => amount ?? Money.zero

/** Returns the searches for the invoice in order: an operator may name a number or an id. */
export const searches = ({ by }: Allocation, chosen: SourceOriginal): ReadonlyArray<SourceOriginal> =>
  by === "source" ? [chosen] : [chosen, { by: "id", value: chosen.value }]

export const otherThan = (
  total: Money.Money,
  { stated }: Allocation,
  note: SourceDocument
): ReadonlyArray<Finding.Finding> => {
  const amounts = stated.map(({ amount }) => amount)
  if (!amounts.every((amount) => amount !== undefined)) return []
  const allocated = BigDecimal.sumAll(amounts.map(BigDecimal.abs))
  if (amounts.length === 0 || BigDecimal.equals(allocated, total)) return []
  const isPart = BigDecimal.isLessThan(allocated, total)
  const detail = `${Money.formatAmount(allocated)} of ${Money.formatAmount(total)}`
  return [
    Finding.make(isPart ? AllocationFinding.NOTE_PARTLY_ALLOCATED : AllocationFinding.NOTE_OVER_ALLOCATED, {
      path: ["originals"],
      detail,
      at: note.where(["originals"])
    })
  ]
}

/**
 * Turns a buyer difference into a warning if the operator named the original: the operator has seen
 * both buyers.
 */
export const settled = (found: Finding.Finding, { by }: Allocation): Finding.Finding =>
  by === "operator" && found.code === CreditFinding.CREDIT_BUYER_DIFFERS.code
    ? {
        ...found,
        severity: "warning",
        consequence: "The credit note is sent, because the operator named the original.",
        fix: "If both are the same buyer, no action is needed."
      }
    : found
