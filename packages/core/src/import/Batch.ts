/** The documents of one export as they were read: invoices translated as they come, credit notes once all their originals are known. */
import { BigDecimal, Effect, Option, Stream } from "effect"
import type { CivilDate } from "../document/CivilDate.ts"
import type { Money } from "../document/Money.ts"
import { InvoiceId } from "../document/Identifiers.ts"
import * as Finding from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import { check, strict } from "../preflight/check.ts"
import type { Ledger } from "../preflight/Ledger.ts"
import { RCPT015, RCPT032 } from "../preflight/ReceiptRule.ts"
import type { Tolerances } from "../preflight/Rule.ts"
import type { AdapterError, Reading } from "../source/Adapter.ts"
import { fingerprint } from "../source/Fingerprint.ts"
import type { Skipped, SourceDocument, SourceOriginal } from "../source/SourceDocument.ts"
import type { StoreError } from "../submission/StoreError.ts"
import { civilDateOf, type ResolvedOriginal, translate } from "../translate/translate.ts"
import type { Translated } from "../translate/Translated.ts"
import { TranslateFinding } from "../translate/TranslateFinding.ts"
import { ImportFinding } from "./ImportFinding.ts"

/** A document of the batch with everything found about it. An error among the findings refuses it. */
export interface BatchDocument {
  readonly source: SourceDocument
  readonly fingerprint: string
  readonly translated: Translated | undefined
  readonly findings: ReadonlyArray<Finding.Finding>
  /** The invoice of the same batch that a credit note credits. */
  readonly original: SourceDocument | undefined
  /** Why it must wait although it is in order: its original is void. */
  readonly held: string | null
}

export interface Batch {
  readonly documents: ReadonlyArray<BatchDocument>
  readonly skipped: ReadonlyArray<Skipped>
  /** Findings that belong to no document. */
  readonly strays: ReadonlyArray<Finding.Finding>
}

export interface BatchOptions {
  readonly account: string
  readonly book: MappingBook
  /** Credit note number or id → invoice number or id, settled by hand (`--original CN=INV`). */
  readonly originals: ReadonlyMap<string, string>
  /** The device's permission AllowCreditNoteWithNoInvoice, not past its expiry (RCPT015). */
  readonly creditWithoutOriginal: "allowed" | "refused"
  readonly tolerances?: Tolerances
}

export const keyOf = ({ id, kind, number }: SourceDocument): string => `${kind} ${id || number}`

/** Reads an export to its end. Fails only where the export itself cannot be read, or the store. */
export const read = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>,
  ledger: Ledger,
  options: BatchOptions
): Effect.Effect<Batch, AdapterError | StoreError, R> =>
  Effect.gen(function* () {
    const invoices: Array<BatchDocument> = []
    const notes: Array<SourceDocument> = []
    const skipped: Array<Skipped> = []
    const strays: Array<Finding.Finding> = []
    yield* Stream.runForEach(readings, (reading) =>
      Effect.sync(() => {
        if (reading._tag === "Finding") strays.push(reading)
        else if (reading._tag === "Skipped") skipped.push(reading)
        else if (reading.kind === "credit-note") notes.push(reading)
        else invoices.push(examine(reading, options))
      })
    )
    const inBatch = index(invoices)
    const credits = yield* Effect.forEach(notes, (note) => examineNote(note, inBatch, ledger, options))
    const documents = [...invoices, ...credits].toSorted((a, b) => a.source.order - b.source.order)
    return { ...withoutRepeats(documents, skipped), strays }
  })

const examine = (source: SourceDocument, options: BatchOptions, original?: ResolvedOriginal): BatchDocument => {
  const { findings, translated } = translate(source, options.book, original)
  const breaches = translated === undefined ? [] : check(source, translated, options.tolerances ?? strict)
  return {
    source,
    fingerprint: fingerprint(source),
    translated,
    findings: [...findings, ...breaches],
    original: undefined,
    held: null
  }
}

type Index = (by: SourceOriginal) => BatchDocument | undefined

const index = (invoices: ReadonlyArray<BatchDocument>): Index => {
  const byId = new Map(invoices.map((invoice) => [invoice.source.id, invoice]))
  const byNumber = new Map(invoices.map((invoice) => [invoice.source.number, invoice]))
  return ({ by, value }) => (by === "id" ? byId : byNumber).get(value)
}

const examineNote = (
  note: SourceDocument,
  inBatch: Index,
  ledger: Ledger,
  options: BatchOptions
): Effect.Effect<BatchDocument, StoreError> =>
  Effect.gen(function* () {
    const refuse = (finding: Finding.Finding) => {
      const document = examine(note, options)
      return { ...document, findings: [...document.findings, finding] }
    }
    const at = (path: Finding.Path) => ({ path, at: note.where(path) })
    const byHand = options.originals.get(note.number) ?? options.originals.get(note.id)
    const stated = byHand === undefined ? note.originals : [{ by: "number" as const, value: byHand }]
    if (stated.length === 0) {
      return options.creditWithoutOriginal === "allowed"
        ? examine(note, options)
        : refuse(Finding.make(RCPT015, at(["originals"])))
    }
    if (stated.length > 1 && options.book.policies.allocations === "refuse") {
      const detail = stated.map(({ value }) => value).join(", ")
      return refuse(Finding.make(TranslateFinding.ORIGINAL_SEVERAL, { detail, ...at(["originals"]) }))
    }
    const chosen = stated.reduce((a, b) => (BigDecimal.isGreaterThan(amountOf(b), amountOf(a)) ? b : a))
    const alternatives = byHand === undefined ? [chosen] : [chosen, { by: "id" as const, value: chosen.value }]
    const sibling = alternatives.map(inBatch).find((found) => found !== undefined)
    if (sibling !== undefined) {
      const { source } = sibling
      if (source.date === undefined) return refuse(Finding.make(ImportFinding.ORIGINAL_UNREADABLE, at(["originals"])))
      const date = civilDateOf(source.date, options.book.zone)
      const document = examine(note, options, { invoiceId: InvoiceId.make(source.id || source.number), date })
      const isVoid = sibling.findings.some(Finding.refuses)
      return { ...document, original: source, held: isVoid ? `its original ${source.number} is refused` : null }
    }
    for (const alternative of alternatives) {
      const known = yield* ledger.original(options.account, alternative)
      if (Option.isNone(known)) continue
      const { date, invoiceId, number, standing } = known.value
      const document = examine(note, options, { invoiceId, date: civilDateOf(date, options.book.zone) })
      return { ...document, held: standing === "void" ? `its original ${number} was not fiscalised` : null }
    }
    const message = `the original invoice "${chosen.value}" is neither in this export nor known to the store`
    return refuse(Finding.make(RCPT032, { message, ...at(["originals"]) }))
  })

const amountOf = ({ amount }: SourceOriginal): Money => amount ?? BigDecimal.make(0n, 0)

/** Identical repeats (overlapping pages, the same file twice) count once; different documents under one key or number are all refused. */
const withoutRepeats = (
  documents: ReadonlyArray<BatchDocument>,
  skipped: ReadonlyArray<Skipped>
): Omit<Batch, "strays"> => {
  const kept = new Map<string, BatchDocument>()
  const repeats: Array<Skipped> = []
  for (const document of documents) {
    const identity = `${keyOf(document.source)} ${document.fingerprint}`
    if (!kept.has(identity)) kept.set(identity, document)
    else {
      const { source } = document
      repeats.push({ _tag: "Skipped", key: source.number, reason: "stated twice, word for word", at: source.where([]) })
    }
  }
  const unique = [...kept.values()]
  const byKey = Map.groupBy(unique, ({ source }) => keyOf(source))
  const byNumber = Map.groupBy(unique, ({ source }) => source.number)
  return {
    skipped: [...skipped, ...repeats],
    documents: unique.map((document) => {
      const { source } = document
      const others = [...(byKey.get(keyOf(source)) ?? []), ...(byNumber.get(source.number) ?? [])].filter(
        (other) => other !== document
      )
      if (others.length === 0 || source.number === "") return document
      const detail = `also at ${others.map((other) => place(other.source)).join(", ")}`
      const finding = Finding.make(ImportFinding.DOCUMENT_TWICE, {
        message: `several documents have the number ${source.number}`,
        detail,
        path: ["number"],
        at: source.where(["number"])
      })
      return { ...document, findings: [...document.findings, finding] }
    })
  }
}

const place = (source: SourceDocument): string => {
  const { file, line } = source.where([])
  return line === undefined ? file : `${file}:${line}`
}

/** The day of a document in the book's zone, where it states one. */
export const dayOf = ({ source }: BatchDocument, book: MappingBook): CivilDate | undefined =>
  source.date === undefined ? undefined : civilDateOf(source.date, book.zone)

/** Whether nothing of the document may be sent. */
export const isRefused = ({ findings, translated }: BatchDocument): boolean =>
  translated === undefined || findings.some(Finding.refuses)
