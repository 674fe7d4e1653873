/** Credit notes of a batch: each is translated for its original and held against it. Originals are of the same batch, or the ledger's. */
import { BigDecimal, Effect, Option } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import { InvoiceId } from "../document/Identifiers.ts"
import { type Money, zero } from "../document/Money.ts"
import * as Finding from "../finding/Finding.ts"
import { checkCredit } from "../preflight/check.ts"
import type { CreditedInvoice } from "../preflight/creditRules.ts"
import type { Ledger, Original } from "../preflight/Ledger.ts"
import { RCPT015, RCPT032 } from "../preflight/ReceiptRule.ts"
import type { SourceDocument, SourceOriginal } from "../source/SourceDocument.ts"
import type { StoreError } from "../submission/StoreError.ts"
import { civilDateOf } from "../translate/translate.ts"
import type { Translated } from "../translate/Translated.ts"
import { TranslateFinding } from "../translate/TranslateFinding.ts"
import { type BatchDocument, type BatchOptions, examine } from "./BatchDocument.ts"
import { ImportFinding } from "./ImportFinding.ts"

/** Examines the notes in their order, so that each sees what the ones before it take from an original. */
export const examineAll = (
  notes: ReadonlyArray<SourceDocument>,
  invoices: ReadonlyArray<BatchDocument>,
  ledger: Ledger,
  options: BatchOptions
): Effect.Effect<ReadonlyArray<BatchDocument>, StoreError> => {
  const originals = { inBatch: index(invoices), ledger, credits: runningCredits(notes) }
  return Effect.forEach(notes, (note) => examineNote(note, originals, options))
}

type Index = (by: SourceOriginal) => BatchDocument | undefined

const index = (invoices: ReadonlyArray<BatchDocument>): Index => {
  const byId = new Map(invoices.map((invoice) => [invoice.source.id, invoice]))
  const byNumber = new Map(invoices.map((invoice) => [invoice.source.number, invoice]))
  return ({ by, value }) => (by === "id" ? byId : byNumber).get(value)
}

interface Originals {
  readonly inBatch: Index
  readonly ledger: Ledger
  readonly credits: RunningCredits
}

/** What the batch's own credit notes take from each original, note by note; notes that are stored already count once. */
interface RunningCredits {
  /** Credited before this note, by other notes of the batch and by what the ledger knows. */
  before(invoiceId: string, known: Original | undefined): Money
  add(invoiceId: string, total: Money): void
}

const runningCredits = (notes: ReadonlyArray<SourceDocument>): RunningCredits => {
  const inBatch = new Set(notes.map(({ id, number }) => id || number))
  const running = new Map<string, Money>()
  return {
    before: (invoiceId, known) => {
      const elsewhere = known === undefined ? zero : known.credited
      const counted = (known?.credits ?? []).flatMap(({ id, total }) => (inBatch.has(id) ? [total] : []))
      return BigDecimal.sum(BigDecimal.subtract(elsewhere, BigDecimal.sumAll(counted)), running.get(invoiceId) ?? zero)
    },
    add: (invoiceId, total) => running.set(invoiceId, BigDecimal.sum(running.get(invoiceId) ?? zero, total))
  }
}

const examineNote = (
  note: SourceDocument,
  { credits, inBatch, ledger }: Originals,
  options: BatchOptions
): Effect.Effect<BatchDocument, StoreError> =>
  Effect.gen(function* () {
    const { account, book } = options
    const refuse = (finding: Finding.Finding) => {
      const document = examine(note, options)
      return { ...document, findings: [...document.findings, finding] }
    }
    const at = (path: Finding.Path) => ({ path, at: note.where(path) })
    /** The note translated for its original and held against it. */
    const beside = (original: Omit<CreditedInvoice, "credited">, invoiceId: InvoiceId, known: Original | undefined) => {
      const document = examine(note, options, { invoiceId, date: original.day })
      const { translated } = document
      if (translated === undefined) return document
      const day = civilDateOf(translated.date, book.zone)
      const breaches = checkCredit(note, translated, { ...original, credited: credits.before(invoiceId, known) }, day)
      credits.add(invoiceId, translated.document.payload.total)
      return { ...document, findings: [...document.findings, ...breaches] }
    }
    const byHand = options.originals.get(note.number) ?? options.originals.get(note.id)
    const stated = byHand === undefined ? note.originals : [{ by: "number" as const, value: byHand }]
    if (stated.length === 0) {
      return options.device?.creditWithoutOriginal === "allowed"
        ? examine(note, options)
        : refuse(Finding.make(RCPT015, at(["originals"])))
    }
    if (stated.length > 1 && book.policies.allocations === "refuse") {
      const detail = stated.map(({ value }) => value).join(", ")
      return refuse(Finding.make(TranslateFinding.ORIGINAL_SEVERAL, { detail, ...at(["originals"]) }))
    }
    const chosen = stated.reduce((a, b) => (BigDecimal.isGreaterThan(amountOf(b), amountOf(a)) ? b : a))
    const alternatives = byHand === undefined ? [chosen] : [chosen, { by: "id" as const, value: chosen.value }]
    const sibling = alternatives.map(inBatch).find((found) => found !== undefined)
    if (sibling !== undefined) {
      const { source, translated } = sibling
      if (source.date === undefined) return refuse(Finding.make(ImportFinding.ORIGINAL_UNREADABLE, at(["originals"])))
      const day = civilDateOf(source.date, book.zone)
      const invoiceId = InvoiceId.make(source.id || source.number)
      const known = yield* ledger.original(account, { by: "id", value: invoiceId })
      const document =
        translated?.completeness === "complete"
          ? beside(facts(translated, source.number, day), invoiceId, Option.getOrUndefined(known))
          : examine(note, options, { invoiceId, date: day })
      const isVoid = sibling.findings.some(Finding.refuses)
      return { ...document, original: source, held: isVoid ? `its original ${source.number} is refused` : null }
    }
    for (const alternative of alternatives) {
      const found = yield* ledger.original(account, alternative)
      if (Option.isNone(found)) continue
      const { currency, date, invoiceId, number, standing, taxCodes, total } = found.value
      const original = { number, day: civilDateOf(date, book.zone), currency, total, taxCodes: new Set(taxCodes) }
      const document = beside(original, invoiceId, found.value)
      return { ...document, held: standing === "void" ? `its original ${number} was not fiscalised` : null }
    }
    const message = `the original invoice "${chosen.value}" is neither in this export nor known to the store`
    return refuse(Finding.make(RCPT032, { message, ...at(["originals"]) }))
  })

const facts = ({ document, taxes }: Translated, number: string, day: CivilDate): Omit<CreditedInvoice, "credited"> => ({
  number,
  day,
  currency: document.payload.currencyCode,
  total: document.payload.total,
  taxCodes: new Set(taxes.keys())
})

const amountOf = ({ amount }: SourceOriginal): Money => amount ?? zero
