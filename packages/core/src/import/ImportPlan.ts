/** What an import will do, settled before the first request: every document planned with its receipt date, held, refused, or known already. */
import { DateTime, Effect, Option, Stream } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import * as Finding from "../finding/Finding.ts"
import type { FiscalDevice } from "../gateway/FiscalDevice.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { Mark } from "../preflight/Ledger.ts"
import * as ReceiptDates from "../preflight/ReceiptDates.ts"
import { RCPT013 } from "../preflight/ReceiptRule.ts"
import type { Skipped, SourceDocument } from "../source/SourceDocument.ts"
import type { HoldCause, PlannedDocument, SubmissionKey } from "../submission/PlannedDocument.ts"
import type { StoreError } from "../submission/StoreError.ts"
import type { State, Submission } from "../submission/Submission.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import { civilDateOf } from "../translate/translate.ts"
import type { Translated } from "../translate/Translated.ts"
import type { Batch } from "./Batch.ts"
import { type BatchDocument, dayOf, isRefused, keyOf } from "./BatchDocument.ts"
import { ImportFinding } from "./ImportFinding.ts"

export type ImportEntry =
  /** Our own no; `findings` say why, and nothing is stored. */
  | {
      readonly _tag: "Refused"
      readonly source: SourceDocument
      readonly translated: Translated | undefined
      readonly findings: ReadonlyArray<Finding.Finding>
    }
  /** To be planned, or held with the reason in `planned.held`; `findings` are warnings. */
  | {
      readonly _tag: "Planned"
      readonly source: SourceDocument
      readonly planned: PlannedDocument
      readonly findings: ReadonlyArray<Finding.Finding>
    }
  /** The store has it, on its way or done, and the export states the same: nothing to do. */
  | { readonly _tag: "Known"; readonly source: SourceDocument; readonly submission: Submission }

export interface ImportPlan {
  /** In the order of the export. */
  readonly entries: ReadonlyArray<ImportEntry>
  readonly skipped: ReadonlyArray<Skipped>
  /** Findings that belong to no document. */
  readonly strays: ReadonlyArray<Finding.Finding>
  /** Refused documents that a later one of this batch would overtake: once it has gone, they are late. */
  readonly wouldBecomeLate: ReadonlyArray<SourceDocument>
}

/** Where the documents of a batch go: an account, and the device it feeds. */
export interface Destination {
  readonly account: string
  readonly taxpayer: string
  readonly lane: string
  readonly environment: PlannedDocument["environment"]
}

/** The lane is the environment's device, so that one store may serve a sandbox beside a real device. */
export const destination = (
  account: string,
  { deviceId, tin }: Pick<FiscalDevice, "deviceId" | "tin">,
  environment: Destination["environment"]
): Destination => ({
  account,
  taxpayer: tin ?? `device ${deviceId}`,
  lane: `${environment}/${deviceId}`,
  environment
})

export interface PlanningOptions {
  readonly book: MappingBook
  readonly destination: Destination
  /** `historical`: documents at or before the last close of a fiscal day are sent all the same, in order, after every attempt of ours. */
  readonly passage?: PlannedDocument["passage"] | undefined
}

type PlanningStore = Pick<SubmissionStoreOperations, "getMany" | "ledger" | "stream">

/** In these a submission is replaced or revised by what comes now; in all others the same statement means nothing to do. */
const revisable: ReadonlySet<State> = new Set(["Planned", "Held", "Declined", "Rejected"])

/** Plans a batch that has been read. Reads the store and writes nothing. */
export const make = (
  batch: Batch,
  { book, destination, passage = "ordinary" }: PlanningOptions,
  store: PlanningStore
): Effect.Effect<ImportPlan, StoreError> =>
  Effect.gen(function* () {
    const { account, lane, taxpayer } = destination
    const stored = yield* store.getMany(batch.documents.map(({ source }) => submissionKey(account, source)))
    const submissions = new Map(stored.map((submission) => [`${submission.kind} ${submission.id}`, submission]))
    const holders = yield* store.ledger.holders(
      taxpayer,
      batch.documents.map(({ source }) => source.number)
    )
    const held = new Map(holders.map((holder) => [holder.number as string, holder]))
    const latest = yield* store.ledger.mark(lane)
    const mark = passage === "historical" ? Option.flatMap(latest, attempted) : latest
    const planned = yield* Stream.runCollect(store.stream({ lane, states: ["Planned"] }))

    const known = (document: BatchDocument): Submission | undefined => {
      const submission = submissions.get(keyOf(document.source))
      const isSame = submission?.fingerprint === document.fingerprint && !revisable.has(submission.state)
      return isSame ? submission : undefined
    }
    const findingsOf = (document: BatchDocument): ReadonlyArray<Finding.Finding> => {
      const { findings, source } = document
      const holder = held.get(source.number)
      if (holder === undefined || (holder.account === account && keyOf(source) === `${holder.kind} ${holder.id}`))
        return findings
      const message = `the number ${source.number} belongs to another document of the taxpayer`
      const detail = `${holder.kind} ${holder.id}, account ${holder.account}`
      return [...findings, Finding.make(RCPT013, { message, detail, path: ["number"], at: source.where(["number"]) })]
    }

    const open = batch.documents.flatMap((document) =>
      known(document) === undefined ? [{ ...document, findings: findingsOf(document) }] : []
    )
    // a document that was planned before keeps its receipt date, unless its own date is another now
    const dated = new Map(
      open.flatMap((document) => {
        const submission = submissions.get(keyOf(document.source))
        return submission?.receiptDate && submission.sourceDate === dayOf(document, book)
          ? [[keyOf(document.source), submission.receiptDate] as const]
          : []
      })
    )
    const own = new Set(dated.keys())
    const reserved = planned.flatMap(({ id, kind, receiptDate }) =>
      receiptDate === null || own.has(`${kind} ${id}`) ? [] : [Instant.seconds(receiptDate)]
    )
    const datings = ReceiptDates.settle(
      open.flatMap((document) => (isRefused(document) ? [] : [datable(document, dated)])),
      { book, mark, now: yield* DateTime.now, reserved: new Set(reserved) }
    )
    const datingOf = new Map(datings.map((dating) => [dating.key, dating]))
    const entryOf = new Map(
      open.map((document) => {
        const dating = datingOf.get(keyOf(document.source))
        return [document.source, entry(document, dating, { book, destination, passage })] as const
      })
    )
    const entries = batch.documents.map(({ source }): ImportEntry => {
      const made = entryOf.get(source)
      return made ?? { _tag: "Known", source, submission: submissions.get(keyOf(source))! }
    })
    const cancelled = yield* cancelledButStored(batch.skipped, account, store)
    return {
      entries,
      skipped: batch.skipped,
      strays: [...batch.strays, ...cancelled],
      wouldBecomeLate: overtaken(open, entries, book)
    }
  })

/** A document of ours that the source has voided or deleted since: it needs a credit note, or must not be sent any more. */
const cancelledButStored = (skipped: ReadonlyArray<Skipped>, account: string, store: PlanningStore) =>
  Effect.gen(function* () {
    const cancelled = skipped.flatMap((one) => (one.cancelled === undefined ? [] : [{ ...one, ...one.cancelled }]))
    const stored = yield* store.getMany(cancelled.map(({ id, kind, number }) => ({ account, kind, id: id || number })))
    const states = new Map(stored.map(({ id, kind, state }) => [`${kind} ${id}`, state]))
    return cancelled.flatMap(({ at, id, key, kind, number }) => {
      const state = states.get(`${kind} ${id || number}`)
      if (state === undefined || over.has(state)) return []
      const code = unsent.has(state) ? ImportFinding.CANCELLED_WHILE_PLANNED : ImportFinding.CANCELLED_AFTER_SENDING
      return [Finding.make(code, { detail: `${key} is ${state} here`, at })]
    })
  })

const unsent: ReadonlySet<State> = new Set(["Planned", "Held"])
const over: ReadonlySet<State> = new Set(["Declined", "Rejected", "Withdrawn"])

/** What a historical batch comes after: our own attempts, not the day's close. */
const attempted = (mark: Mark): Option.Option<Mark> =>
  mark.because === "attempt"
    ? Option.some(mark)
    : Option.map(Option.fromUndefinedOr(mark.attempt), (at) => ({ at, because: "attempt" }))

const submissionKey = (account: string, { id, kind, number }: SourceDocument): SubmissionKey => ({
  account,
  kind,
  id: id || number
})

const datable = (document: BatchDocument, dated: ReadonlyMap<string, Instant.Instant>): ReceiptDates.Datable => {
  const { original, source, translated } = document
  return {
    key: keyOf(source),
    number: source.number,
    date: dated.get(keyOf(source)) ?? translated!.date,
    original: original === undefined ? null : keyOf(original)
  }
}

const entry = (
  document: BatchDocument,
  dating: ReceiptDates.Dating | undefined,
  { book, destination, passage = "ordinary" }: PlanningOptions
): ImportEntry => {
  const { findings, source, translated } = document
  if (dating === undefined || translated === undefined) return { _tag: "Refused", source, translated, findings }
  if (dating._tag === "Undatable") {
    const { code, detail } = dating
    const finding = Finding.make(code, {
      ...(detail !== undefined && { detail }),
      path: ["date"],
      at: source.where(["date"])
    })
    return { _tag: "Refused", source, translated, findings: [...findings, finding] }
  }
  const place =
    dating._tag === "Late"
      ? late(dating.mark, source, translated, book)
      : { receiptDate: dating.receiptDate, held: null }
  const hold = document.held === null ? place : { ...place, held: document.held, heldCause: "original" as const }
  const originalId = translated.document.kind === "credit-note" ? translated.document.payload.originalInvoiceId : null
  return {
    _tag: "Planned",
    source,
    findings,
    planned: {
      ...destination,
      document: translated.document,
      fingerprint: document.fingerprint,
      sourceDate: civilDateOf(translated.date, book.zone),
      ...hold,
      original: originalId === null ? null : { account: destination.account, kind: "invoice", id: originalId },
      zone: DateTime.zoneToString(book.zone),
      late: book.late,
      passage,
      source: source.where([])
    }
  }
}

/** Late documents are never sent silently: held, or dated now where the book says `restamp`. */
const late = (
  mark: Mark,
  source: SourceDocument,
  { date }: Translated,
  book: MappingBook
): { receiptDate: PlannedDocument["receiptDate"]; held: string | null; heldCause?: HoldCause } => {
  if (mark.because === "attempt" && book.late === "restamp") return { receiptDate: "at-submission", held: null }
  const after =
    mark.because === "attempt" ? "a receipt that has gone to the device" : "the close of the last fiscal day"
  return {
    receiptDate: typeof date === "string" ? CivilDate.at(date, book.opens, book.zone) : date,
    held: `${source.number} is dated at or before ${after} (${Instant.format(mark.at)})`,
    heldCause: mark.because === "attempt" ? "late" : "historical"
  }
}

/** Refused documents with a day before, or on, that of something about to be sent. */
const overtaken = (
  open: ReadonlyArray<BatchDocument>,
  entries: ReadonlyArray<ImportEntry>,
  book: MappingBook
): ReadonlyArray<SourceDocument> => {
  const sent = entries.flatMap((one) => (one._tag === "Planned" && one.planned.held === null ? [one.source] : []))
  const place = (source: SourceDocument, date: CivilDate.CivilDate): ReceiptDates.Datable => ({
    key: keyOf(source),
    number: source.number,
    date,
    original: null
  })
  const sentKeys = new Set(sent.map(keyOf))
  const inOrder = ReceiptDates.inOrder(
    open.flatMap((document) => {
      const day = dayOf(document, book)
      return day === undefined ? [] : [place(document.source, day)]
    }),
    book.zone
  )
  const last = inOrder.findLastIndex(({ key }) => sentKeys.has(key))
  const refused = new Set(entries.flatMap((one) => (one._tag === "Refused" ? [keyOf(one.source)] : [])))
  const late = new Set(inOrder.slice(0, Math.max(last, 0)).flatMap(({ key }) => (refused.has(key) ? [key] : [])))
  return open.flatMap(({ source }) => (late.has(keyOf(source)) ? [source] : []))
}
