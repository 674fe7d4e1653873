/**
 * Translates the credit notes of a batch and checks each against its original, from the same batch
 * or from the ledger.
 */
import { BigDecimal, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Allocation from "../credit/Allocation.ts"
import { AllocationFinding } from "../credit/CreditFinding.ts"
import * as Balance from "../credit/Balance.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import { numberOf } from "../document/FiscalDocument.ts"
import { InvoiceId, type TaxCode } from "../document/Identifiers.ts"
import * as Money from "../document/Money.ts"
import * as NumberFold from "../document/NumberFold.ts"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import * as Finding from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { checkCredit } from "../preflight/check.ts"
import { type CreditedInvoice, ofLedger } from "../credit/creditRules.ts"
import type { Original } from "../submission/ledger/Original.ts"
import * as WithoutOriginal from "../credit/WithoutOriginal.ts"
import type { Ledger } from "../submission/ledger/Ledger.ts"
import * as Stored from "../submission/ledger/Stored.ts"
import { RCPT015, RCPT032 } from "../finding/ReceiptRule.ts"
import type { SourceDocument, SourceOriginal } from "../source/SourceDocument.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { civilDateOf } from "../translate/translate.ts"
import { TranslateFinding } from "../translate/TranslateFinding.ts"
import {
  type BatchOptions,
  examine,
  type ExaminedDocument,
  isRefused,
  statedBy,
  translationRow,
  unplaced
} from "./BatchDocument.ts"
import { type DocumentRow, insert, insertFindings, perPage, type TranslationRow } from "./StagingArea.ts"
import { staysAsSent } from "../submission/Revisit.ts"
import { isEnded, knownOf, type PlanningStore, type StatedRow } from "./StoreComparison.ts"
import { keep, type UnreadAmounts } from "./UnreadAmounts.ts"

interface StagedNoteRow extends StatedRow, Pick<DocumentRow, "kind" | "id" | "number"> {
  readonly stated: string
}

/**
 * Examines the notes in the order of reading, so that each note sees the credits of earlier notes.
 */
export const examineAll = Effect.fnUntraced(function* (
  sql: SqlClient,
  store: Pick<PlanningStore, "known" | "ledger">,
  amounts: UnreadAmounts,
  options: BatchOptions
) {
  let after = 0
  const siblings = inBatch(sql)
  while (true) {
    const notes = yield* sql<StagedNoteRow>`select document.*, stated
      from statement join document using (seq) where seq > ${after} order by seq limit ${perPage}`
    const known = yield* knownOf(notes, options.account, store)
    for (const row of notes) {
      const { seq, stated } = row
      const note = statedBy(stated)
      const { credits, held = null, original, ...examined } = yield* examineNote(note, sql, siblings, store, options)
      yield* insert(sql, "translation", translationRow(seq, examined, options))
      yield* insert(sql, "note", [{ seq, original: original?.key ?? null, original_seq: original?.seq ?? null, held }])
      yield* insertFindings(sql, [{ seq, findings: unplaced(examined.findings), stated: note.findings }])
      yield* keep(sql, amounts.take(seq, note, examined.translated))
      // a note that ended without a receipt, and is not sent again, takes nothing from its original
      if (credits !== undefined && !(yield* isEnded(sql, row, known)))
        yield* credit(sql, credits.invoiceId, note.id, credits.total)
    }
    if (notes.length < perPage) return
    after = notes.at(-1)!.seq
  }
})

interface ExaminedNote extends ExaminedDocument {
  readonly original?: Pick<Sibling, "key" | "seq">
  /** Reason why the note must wait: its original is refused, void or not known to be fiscalized. */
  readonly held?: string | null
  readonly credits?: { readonly invoiceId: InvoiceId; readonly total: Money.Money } | undefined
}

interface Sibling
  extends
    Pick<DocumentRow, "seq" | "id" | "number" | "key" | "day" | "buyer_id">,
    Pick<TranslationRow, "tax_codes" | "text"> {
  readonly completeness: TranslationRow["completeness"] | null
  readonly refused: 0 | 1
}

/** Creates the index of a search column on first use. */
const inBatch = (sql: SqlClient) => {
  const indexed = new Set<string>()
  return Effect.fnUntraced(function* ({
    by,
    value
  }: {
    readonly by: SourceOriginal["by"] | "folded"
    readonly value: string
  }): Effect.fn.Return<Sibling | undefined, SqlError> {
    if (!indexed.has(by))
      yield* sql`create index ${sql(`invoice_by_${by}`)} on document (${sql(by)}) where kind = 'invoice'`
    indexed.add(by)
    const [row] = yield* sql<Sibling>`select seq, id, number, key, day, buyer_id, refused, completeness, tax_codes, text
      from staged left join translation using (seq)
      where kind = 'invoice' and ${sql(by)} = ${value} order by seq desc limit 1`
    return row
  })
}

const countInBatch = (sql: SqlClient, { by, value }: SourceOriginal) =>
  Effect.map(
    sql<{
      readonly n: number
    }>`select count(distinct key) as n from document where kind = 'invoice' and ${sql(by)} = ${value}`,
    ([row]) => row!.n
  )

/**
 * Earlier notes of the batch, and stored notes. A note that the batch has replaced counts with the
 * batch's amount; until its turn, or if it was sent, with the stored amount.
 */
const creditedBefore = Effect.fnUntraced(function* (
  sql: SqlClient,
  invoiceId: string,
  note: SourceDocument,
  known: Original | undefined
) {
  const [running] = yield* sql<{ readonly total: string }>`select total from credited where invoice = ${invoiceId}`
  let credited = running === undefined ? Money.zero : amountFor(invoiceId, running.total)
  if (known === undefined) return credited
  credited = BigDecimal.sum(credited, known.credited)
  for (const { id, made, total } of known.credits) {
    // a note beside a prepared one is held and asked about, so it is not refused because of it
    const replaced =
      made === "here" ? [id] : id === note.id ? [id] : yield* sql`select 1 from crediting where note = ${id}`
    if (replaced.length > 0) credited = BigDecimal.subtract(credited, total)
  }
  return credited
})

const credit = Effect.fnUntraced(function* (sql: SqlClient, invoiceId: string, note: string, total: Money.Money) {
  const [running] = yield* sql<{ readonly total: string }>`select total from credited where invoice = ${invoiceId}`
  const sum = BigDecimal.sum(running === undefined ? Money.zero : amountFor(invoiceId, running.total), total)
  yield* sql`insert or replace into credited ${sql.insert({ invoice: invoiceId, total: Money.formatPlain(sum) })}`
  yield* sql`insert or ignore into crediting ${sql.insert({ note })}`
})

const amountFor = (invoiceId: string, text: string): Money.Money =>
  Stored.money(text, () => `what this export credits of invoice ${invoiceId}`)

const examineNote = (
  note: SourceDocument,
  sql: SqlClient,
  siblings: ReturnType<typeof inBatch>,
  store: Pick<PlanningStore, "known" | "ledger">,
  options: BatchOptions
): Effect.Effect<ExaminedNote, SqlError | StoreError> =>
  Effect.gen(function* () {
    const { account, book } = options
    const { ledger } = store
    const refuse = (finding: Finding.Finding) => WithoutOriginal.refuse(examine(note, options), finding, book)
    const at = (path: Finding.Path) => ({ path, at: note.where(path) })
    const allocation = Allocation.of(note, options.originals, book)
    const { stated } = allocation
    const since = yield* allocatedSince(note, stated, ledger, account)
    const beside = Effect.fnUntraced(function* (
      original: Omit<CreditedInvoice, "credited">,
      invoiceId: InvoiceId,
      known: Original | undefined
    ): Effect.fn.Return<ExaminedNote, SqlError> {
      const document = examine(note, options, { invoiceId, date: original.day })
      const { translated } = document
      if (translated === undefined) return document
      const day = civilDateOf(translated.date, book.zone)
      const credited = yield* creditedBefore(sql, invoiceId, note, known)
      const { currency, number, total: totalOfOriginal } = chosen
      const statedFacts = {
        ...(number !== undefined && { number }),
        ...(currency !== undefined && { currency }),
        ...(totalOfOriginal !== undefined && { total: totalOfOriginal }),
        // a receipt in the ledger may have another day than its invoice
        ...(known === undefined && chosen.date !== undefined && { date: chosen.date })
      }
      const credits = { ...original, credited, stated: statedFacts }
      const breaches = checkCredit(note, translated, credits, day, book).map((found) =>
        Allocation.settled(found, allocation)
      )
      const { total } = translated.document.payload
      const partly = translated.completeness === "partial" ? [] : Allocation.otherThan(total, allocation, note)
      const examined = { ...document, findings: [...document.findings, ...breaches, ...partly, ...since] }
      // a refused note does not credit its original; a sent note counts with the stored amount
      const isOpen = !isRefused(examined) && !Balance.isSentFor(known, note.id)
      return isOpen ? { ...examined, credits: { invoiceId, total } } : examined
    })
    const besideKnown = Effect.fnUntraced(function* (known: Original) {
      const { date, invoiceId, number, status } = known
      const document = yield* beside(ofLedger(known, civilDateOf(date, book.zone), book), invoiceId, known)
      return { ...document, held: status === "void" ? `its original ${number} is not known to be fiscalised` : null }
    })
    if (stated.length === 0) {
      return options.device?.creditWithoutOriginal === "allowed"
        ? examine(note, options)
        : refuse(Finding.make(RCPT015, at(["originals"])))
    }
    if (stated.length > 1 && book.policies.allocations === "refuse") {
      const detail = stated.map(({ value }) => value).join(", ")
      const refused = refuse(Finding.make(TranslateFinding.ORIGINAL_SEVERAL, { detail, ...at(["originals"]) }))
      return since.length === 0 ? refused : { ...refused, findings: [...refused.findings, ...since] }
    }
    const chosen = Allocation.largest(stated)
    const searches = Allocation.searches(allocation, chosen)
    for (const search of searches) {
      const sibling = yield* siblings(search)
      if (sibling === undefined) continue
      const invoiceId = InvoiceId.make(sibling.id || sibling.number)
      const known = yield* ledger.original(account, { by: "id", value: invoiceId })
      // what was sent counts, whatever the export states of the invoice now
      if (Option.isSome(known) && (yield* isAsSent(known.value, sibling, account, store))) {
        const document = yield* besideKnown(known.value)
        const alike = yield* countInBatch(sql, search)
        const several = `${alike} invoices of the export have the number of its original, ${sibling.number}`
        return alike > 1 ? { ...document, held: several } : document
      }
      if (sibling.day === null) return refuse(Finding.make(AllocationFinding.ORIGINAL_UNREADABLE, at(["originals"])))
      const { day } = sibling
      const document =
        sibling.completeness === "complete"
          ? yield* beside(
              { ...facts(sibling, day, book), ...buyerIds(note, sibling) },
              invoiceId,
              Option.getOrUndefined(known)
            )
          : examine(note, options, { invoiceId, date: day })
      const held = sibling.refused === 1 ? `its original ${sibling.number} is refused` : null
      return { ...document, original: sibling, held }
    }
    for (const search of searches) {
      const found = yield* ledger.original(account, search)
      if (Option.isSome(found)) return yield* besideKnown(found.value)
    }
    const named = yield* severalIn(chosen.value, siblings, (value) => ledger.original(account, { by: "number", value }))
    if (named.length > 1) {
      const message = `the original "${chosen.value}" names ${named.length} invoices: ${named.join(", ")}`
      const fix = "A credit note credits one invoice, and is never split. Name the one that this note credits."
      return refuse(Finding.make(RCPT032, { message, fix, ...at(["originals"]) }))
    }
    const message = `the original invoice "${chosen.value}" is neither in this export nor known to the store`
    const value = NumberFold.of(chosen.value)
    const other =
      (yield* siblings({ by: "folded", value }))?.number ??
      Option.getOrUndefined(yield* ledger.original(account, { by: "fold", value }))?.number
    if (other === undefined) return refuse(Finding.make(RCPT032, { message, ...at(["originals"]) }))
    const fix = `If it is the invoice ${other}, name that one as the original of the note. Otherwise correct the reference in the source.`
    const spelled = { message: `${message}; ${other} differs only in its spelling`, fix, answers: RCPT015.answers }
    return refuse(Finding.make(RCPT032, { ...spelled, ...at(["originals"]) }))
  })

/** True if no export changes the figures of the original any more. */
const isAsSent = (
  { invoiceId: id, status }: Original,
  { number }: Pick<Sibling, "number">,
  account: string,
  store: Pick<PlanningStore, "known">
) =>
  status === "fiscalised"
    ? Effect.succeed(true)
    : Effect.map(knownOf([{ kind: "invoice", id, number }], account, store), (known) =>
        known.values().some(({ facts }) => staysAsSent(facts))
      )

const between = /[,;&+|\n]| \/ | (?:and|und|et|y|e|en) /i

const severalIn = (
  text: string,
  siblings: ReturnType<typeof inBatch>,
  stored: (number: string) => ReturnType<Ledger["original"]>
) => {
  const parts = [...new Set(text.split(between).map((part) => part.trim()))]
  return Effect.filter(parts.length > 1 ? parts : [], (value) =>
    Effect.map(
      Effect.all([siblings({ by: "number", value }), stored(value)]),
      ([own, known]) => own !== undefined || Option.isSome(known)
    )
  )
}

const allocatedSince = Effect.fnUntraced(function* (
  note: SourceDocument,
  stated: ReadonlyArray<SourceOriginal>,
  ledger: Ledger,
  account: string
) {
  if (stated.length < 2) return []
  const [credited, others]: readonly [Array<string>, Array<string>] = [[], []]
  for (const original of stated) {
    const known = Option.getOrUndefined(yield* ledger.original(account, original))
    ;(Balance.isSentFor(known, note.id) ? credited : others).push(known?.number ?? original.value)
  }
  if (credited.length === 0 || others.length === 0) return []
  const detail = `sent for ${credited.join(", ")}, now allocated to ${others.join(", ")}, too`
  return [
    Finding.make(AllocationFinding.NOTE_ALLOCATED_SINCE, { path: ["originals"], detail, at: note.where(["originals"]) })
  ]
})

const buyerIds = (note: SourceDocument, { buyer_id: own }: Sibling): Pick<CreditedInvoice, "buyerIds"> => {
  const ofNote = note.buyer?.id
  return ofNote === undefined || own === null ? {} : { buyerIds: [ofNote, own] }
}

/**
 * Returns the facts of an original in the batch. The document must be complete, so that all its tax
 * codes are the book's.
 */
const facts = (sibling: Sibling, day: CivilDate, book: MappingBook): Omit<CreditedInvoice, "credited"> => {
  const document = WrittenDocument.read({ kind: "invoice", text: sibling.text })
  const { buyerContact, currencyCode, lineItems, total } = document.payload
  const taxCodes: ReadonlyArray<TaxCode> = JSON.parse(sibling.tax_codes)
  const original = {
    currency: currencyCode,
    number: numberOf(document),
    taxCodes,
    total,
    buyer: buyerContact,
    lines: lineItems
  }
  return ofLedger(original, day, book)
}
