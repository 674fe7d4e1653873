/**
 * Simulates the accounting system: its documents, the time each appears, their content, and the
 * source documents of an export.
 */
import { Effect, Option } from "effect"
import * as CivilDate from "../../packages/core/src/document/CivilDate.ts"
import * as Money from "../../packages/core/src/document/Money.ts"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import type { MappingBook } from "../../packages/core/src/mapping/MappingBook.ts"
import type { SourceDocument } from "../../packages/core/src/source/SourceDocument.ts"
import type { AccountName } from "./Accounts.ts"
import { type Draw, stream } from "./Draw.ts"
import type { Scenario } from "./Scenario.ts"

export interface Stated {
  readonly account: string
  readonly kind: "invoice" | "credit-note"
  readonly id: string
  readonly number: string
  readonly description: string
  readonly order: number
  readonly date: string
  /** Invoice that a credit note credits. */
  readonly original: string | null
  readonly originalNumber: string | null
  readonly amount: string
  /**
   * Milliseconds since 1970: time at which the document appears, and time at which its amount
   * changes.
   */
  readonly appears: number
  /** An operator may correct a document that was rejected. */
  corrected: number
  correctedAmount: string
}

/** Milliseconds of an hour. */
export const hour = 3_600_000

/** Number of times that a day is longer than four hours. */
export const paceOf = ({ troubles }: Pick<Scenario, "troubles">): number => (troubles.has("nights") ? 20 : 1)

const paced = (scenario: Scenario, start: number, at: number): number => start + (at - start) * paceOf(scenario)

/** Returns the number and the description of a document, perhaps with a code of a receipt rule. */
const named = ({ seed, troubles }: Scenario, id: string, order: number) => {
  const draw = stream(seed, `number ${order}`)
  const rule = `RCPT0${String(10 + (order % 90))}`
  if (!troubles.has("coded-numbers")) return { number: id, description: "Thing" }
  const number = draw.pick([id, order < 90 ? rule : id, `${rule}-${order}`, `${order}/${rule}`])
  return { number, description: draw.pick(["Thing", `Part ${rule}`]) }
}

/**
 * Returns when a document appears if the second lane is first used between a copy and its restore.
 * The other lane then rests, so that only the new lane has attempts that the copy lacks.
 */
const lateLane = (isBranch: boolean, draw: Draw): number => {
  if (isBranch) return draw.between(0.45 * hour, 1.5 * hour)
  return draw.chance(0.5) ? 0 : draw.between(2.2 * hour, 3.5 * hour)
}

const draft = (scenario: Scenario, start: number, number: number, of: number) => {
  const { seed, troubles } = scenario
  const draw = stream(seed, `document ${number}`)
  const ofFirst: AccountName = draw.chance(0.5) && troubles.has("two-accounts") ? "till" : "shop"
  const isBranch = troubles.has("two-lanes") && stream(seed, `lane ${number}`).chance(0.35)
  const account: AccountName = isBranch ? "branch" : ofFirst
  const daysBack = draw.pick([0, 0, 0, 1, 2])
  const usual = number <= of / 3 ? start : start + draw.between(0, 3.5 * hour)
  const appears = troubles.has("late-lane")
    ? start + lateLane(isBranch, stream(seed, `late ${number}`))
    : paced(scenario, start, usual)
  const isNote = number > 4 && draw.chance(0.2)
  const corrects = draw.chance(0.15)
  const corrected = appears + draw.between(0, 3 * hour) * paceOf(scenario)
  return {
    account,
    isNote,
    order: number,
    date: `2026-03-${String(10 - (isNote || !troubles.has("back-dated") ? 0 : daysBack)).padStart(2, "0")}`,
    appears,
    corrected: corrects && troubles.has("corrections") ? corrected : Number.POSITIVE_INFINITY,
    creditOf: draw(),
    part: draw.pick(["100.00", "40.00", "60.00"])
  }
}

/**
 * Returns the documents of a scenario. A left-out document also removes the credit notes on it, and
 * changes no other document.
 */
export const documentsOf = (scenario: Scenario, start: number): ReadonlyArray<Stated> => {
  const last = Math.max(0, ...scenario.documents)
  const drafts = Array.from({ length: last }, (_, i) => draft(scenario, start, i + 1, last))
  const invoices: Array<Stated> = []
  const notes: Array<Stated> = []
  const credited = new Set<string>()
  for (const { account, appears, corrected, creditOf, date, isNote, order, part } of drafts) {
    const fields = { account, appears, order, date }
    if (!isNote) {
      const amounts = { amount: "100.00", corrected, correctedAmount: "90.00" }
      const id = `INV-${order}`
      const names = { ...named(scenario, id, order), original: null, originalNumber: null }
      invoices.push({ ...fields, ...amounts, kind: "invoice", id, ...names })
      continue
    }
    const before = invoices.filter((one) => one.account === account && one.appears <= appears)
    const original = before[Math.floor(creditOf * before.length)]
    if (original === undefined) continue
    credited.add(original.id)
    const amounts = { amount: part, corrected: Number.POSITIVE_INFINITY, correctedAmount: part }
    const id = `CN-${order}`
    const names = { ...named(scenario, id, order), original: original.id, originalNumber: original.number }
    notes.push({ ...fields, ...amounts, kind: "credit-note", id, ...names })
  }
  const kept = new Set(scenario.documents)
  const present = (order: number) => kept.has(order)
  const originals = new Map(invoices.map(({ id, order }) => [id, order]))
  // The amount of a credited invoice does not change.
  const settled = invoices.map((one) => (credited.has(one.id) ? { ...one, corrected: Number.POSITIVE_INFINITY } : one))
  return [...settled, ...notes]
    .filter(({ order, original }) => present(order) && (original === null || present(originals.get(original)!)))
    .toSorted((a, b) => a.order - b.order)
}

export const amountAt = ({ amount, corrected, correctedAmount }: Stated, now: number): string =>
  now >= corrected ? correctedAmount : amount

const money = (text: string): Money.Money => Option.getOrThrow(Money.parse(text))

/** Returns the document as an export at `now` states it. */
export const sourceOf = (stated: Stated, now: number): SourceDocument => ({
  _tag: "SourceDocument",
  kind: stated.kind,
  id: stated.id,
  number: stated.number,
  order: stated.order,
  date: Option.getOrThrow(CivilDate.parse(stated.date)),
  currency: "USD",
  taxMode: "inclusive",
  lines: [
    {
      description: stated.description,
      quantity: money("1"),
      unitPrice: money(amountAt(stated, now)),
      taxes: [{ code: "Standard" }],
      productCode: "12345678"
    }
  ],
  charges: [],
  totals: {},
  originals: stated.originalNumber === null ? [] : [{ by: "number", value: stated.originalNumber }],
  ...(stated.kind === "credit-note" && { reason: "Returned" }),
  findings: [],
  where: () => ({ file: "export", line: stated.order })
})

/**
 * Choices that the operator edits in the book: the policy for late documents, and the name of the
 * tax at the gateway.
 */
export interface BookChoice {
  readonly late: "hold" | "restamp"
  readonly taxCode: "VAT155" | "STD155"
}

const books = new Map<string, MappingBook>()

/** Returns a mapping book for the documents. */
export const bookOf = ({ late, taxCode }: BookChoice): MappingBook => {
  const known = books.get(`${late} ${taxCode}`)
  if (known !== undefined) return known
  const book = Effect.runSync(
    BookFile.load(
      "book.json",
      JSON.stringify({
        version: 1,
        zone: "+02:00",
        late,
        taxes: [{ from: ["Standard"], code: taxCode, device: 515, percent: "15.5" }],
        currencies: [{ code: "USD", device: "USD" }]
      })
    )
  )
  books.set(`${late} ${taxCode}`, book)
  return book
}
