/**
 * An import from the export to the outcomes: plan it, hold the plan against the gateway, send it by a permission, and say what became of it.
 * The command, the page and a job go this one way.
 */
import { DateTime, Effect, Option, type Scope, Stream } from "effect"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import * as Finding from "../finding/Finding.ts"
import * as HistoricalGuard from "../import/HistoricalGuard.ts"
import * as ImportedDocument from "../import/ImportedDocument.ts"
import { ImportFinding } from "../import/ImportFinding.ts"
import * as ImportMemory from "../import/ImportMemory.ts"
import type { ImportPlan } from "../import/ImportPlan.ts"
import type * as ImportRecord from "../import/ImportRecord.ts"
import * as ImportSummary from "../import/ImportSummary.ts"
import * as NotBefore from "../import/NotBefore.ts"
import { submissionsOf } from "../import/StoreComparison.ts"
import type { Staging } from "../import/Staging.ts"
import * as TaxShares from "../import/TaxShares.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as DeviceFacts from "../preflight/DeviceFacts.ts"
import type { AdapterError, Reading } from "../source/Adapter.ts"
import type { AccountFacts } from "../account/AccountFacts.ts"
import type { OpenAccount } from "../account/OpenAccount.ts"
import * as Runner from "../engine/Runner.ts"
import type { StatusPoller } from "../engine/StatusPoller.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { PlanResult } from "../submission/PlanResult.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import type { Submitter, SubmitterConfigError } from "../engine/Submitter.ts"
import * as Connector from "./Connector.ts"
import { ImportRefused } from "./ImportRefused.ts"
import * as UsedMappings from "./UsedMappings.ts"

/** What is to be imported, and what was decided about it. */
export interface ImportOrder<R = never> {
  readonly readings: Stream.Stream<Reading, AdapterError, R>
  readonly book: MappingBook
  /** Credit note number or id → invoice number or id, settled by hand. Default none. */
  readonly originals?: ReadonlyMap<string, string>
  /** `historical`: behind the last close of a fiscal day, under the device's upload permission (HIST-1). Default `ordinary`. */
  readonly passage?: "ordinary" | "historical"
  /** What happens when a refused document would become late. Default `stop`: nothing is sent. */
  readonly whenLate?: "stop" | "send-rest"
  /** Documents of an earlier date are skipped. Default: the account's, else none. */
  readonly notBefore?: CivilDate | undefined
}

/** A plan with what it was made by. */
export interface PlannedImport {
  readonly plan: ImportPlan
  readonly device: DeviceFacts.DeviceFacts
  /** What a person is told before a historical batch is sent; null for an ordinary one. */
  readonly warning: string | null
}

/**
 * Reads the export and settles what would be sent, held and refused; sends nothing and writes nothing, so it takes no permission. Good as long
 * as the scope is open. Fails where the export cannot be read at all, the gateway does not answer, or the gateway lacks a mapping.
 */
export const plan = <R>(
  account: AccountFacts & { readonly notBefore?: CivilDate },
  { book, notBefore = account.notBefore, originals = new Map(), passage = "ordinary", readings }: ImportOrder<R>
): Effect.Effect<
  PlannedImport,
  AdapterError | StoreError | GatewayError | ImportRefused,
  R | SubmissionStore | Staging | Scope.Scope
> =>
  Effect.gen(function* () {
    const { destination, device, gateway, lastClose, tolerances } = account
    const now = DateTime.setZone(yield* DateTime.now, account.zone)
    const warning = passage === "historical" ? yield* permitted(account, now) : null
    const facts = DeviceFacts.make(device, yield* gateway.supportedCurrencies, now)
    const taken = notBefore === undefined ? readings : Stream.map(readings, NotBefore.skipping(notBefore, book.zone))
    const plan = yield* Connector.plan(taken, {
      account: account.account,
      book,
      originals,
      device: facts,
      tolerances,
      destination,
      passage,
      lastClose: Option.getOrUndefined(lastClose)
    })
    // a sandbox of our own is set up from the book
    if (destination.environment !== "sandbox") {
      const problems = yield* UsedMappings.problems(gateway, book, plan)
      if (problems.length > 0) return yield* new ImportRefused({ reason: { _tag: "MappingsDiffer", problems } })
    }
    return { plan, device: facts, warning }
  })

const permitted = ({ assumptions, device }: AccountFacts, now: DateTime.Zoned) =>
  Effect.gen(function* () {
    const passage = HistoricalGuard.check(device, now, assumptions["HIST-1"])
    if (passage._tag === "Permitted") return passage.warning
    const { because, fix } = passage
    return yield* new ImportRefused({ reason: { _tag: "HistoricalRefused", because, fix } })
  })

/** Whether the plan may be sent as it is; nothing is written where it may not. */
export const check = (
  { wouldBecomeLate }: ImportPlan,
  whenLate: ImportOrder["whenLate"] = "stop"
): Effect.Effect<void, ImportRefused> =>
  wouldBecomeLate.count > 0 && whenLate === "stop"
    ? Effect.fail(new ImportRefused({ reason: { _tag: "WouldBecomeLate", overtaken: wouldBecomeLate } }))
    : Effect.void

/** What the store made of the plan; from here on it is sent, now or after a crash. */
export interface Submitted {
  /** Under what the store remembers the import; null where it was not asked to. */
  readonly import: number | null
  /** How many are Planned and go now. */
  readonly planned: number
  /** Documents that differ from what was sent, by `kind id`, with what the store says of each. */
  readonly conflicts: ReadonlyMap<string, string>
}

/** The key of `Submitted.conflicts`. */
export const nameOf = ({ id, kind }: { readonly kind: DocumentKind; readonly id: string }): string => `${kind} ${id}`

/** How many documents are remembered together. */
const perKeptPage = 200

/** Writes the plan into the store; with `made`, the store remembers the import, whose documents can be shown at any later time. */
export const submit = (
  plan: ImportPlan,
  made?: ImportRecord.ImportRecord
): Effect.Effect<Submitted, StoreError, SubmissionStore> =>
  made === undefined
    ? Effect.map(Connector.submit(plan), (results) => submitted(results, null))
    : remembered(plan, made)

const remembered = (
  plan: ImportPlan,
  made: ImportRecord.ImportRecord
): Effect.Effect<Submitted, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const id = yield* store.beginImport(made)
    const percents = TaxShares.percentsOf(plan.book)
    const counts = { documents: 0, refused: 0, skipped: 0 }
    yield* Stream.runForEach(Stream.grouped(plan.entries, perKeptPage), (entries) => {
      const documents = entries.map((entry) => ImportMemory.ofEntry(entry, percents))
      counts.documents += documents.length
      counts.refused += documents.filter(({ is }) => is === "Refused").length
      return store.keepPage({ import: id, documents })
    })
    yield* Stream.runForEach(Stream.grouped(plan.skipped, perKeptPage), (skipped) => {
      counts.documents += skipped.length
      counts.skipped += skipped.length
      return store.keepPage({ import: id, documents: skipped.map(ImportMemory.ofSkipped) })
    })
    if (plan.unattached.length > 0)
      yield* store.keepPage({ import: id, documents: plan.unattached.map(ImportMemory.ofStray) })
    // last, so that what was handed over of an import that breaks off is known to be of it
    const results = yield* Connector.submit(plan)
    yield* store.endImport(id, counts)
    return submitted(results, id)
  })

const submitted = (results: ReadonlyArray<PlanResult>, id: number | null): Submitted => ({
  import: id,
  planned: results.filter(({ state }) => state === "Planned").length,
  conflicts: new Map(
    results.flatMap(({ key, verdict }) =>
      verdict._tag === "Conflict" ? [[nameOf(key), verdict.because] as const] : []
    )
  )
})

/** Before and after the documents were handed to the store; after, with what the store says of documents that differ from what was sent. */
export type ImportStage = "planned" | Pick<Submitted, "conflicts">

const perPage = 200

/** Every document of the plan as it stands, a page at a time; what was submitted as the store has it now. Skipped ones come last. */
export const documents = (
  plan: ImportPlan,
  stage: ImportStage,
  account: string
): Stream.Stream<ReadonlyArray<ImportedDocument.ImportedDocument>, StoreError, SubmissionStore> =>
  Effect.map(SubmissionStore, (store) => {
    const pages = plan.entries.pipe(
      Stream.grouped(perPage),
      Stream.mapEffect((entries) => {
        const stored = entries.filter(
          (entry) => entry._tag === "Planned" && (stage !== "planned" || entry.findings.some(isConflict))
        )
        const submissions = submissionsOf(
          stored.map(({ source }) => source),
          account,
          store
        )
        return Effect.map(submissions, (submissions) =>
          entries.map((entry) => withConflict(ImportedDocument.ofEntry(entry, submissions), stage))
        )
      })
    )
    const skipped = Stream.grouped(Stream.map(plan.skipped, ImportedDocument.ofSkipped), perPage)
    return Stream.concat(pages, skipped)
  }).pipe(Stream.unwrap)

const isConflict = ({ code }: Finding.Finding) => code === ImportFinding.DIFFERS_FROM_SENT.code

const withConflict = (
  document: ImportedDocument.ImportedDocument,
  stage: ImportStage
): ImportedDocument.ImportedDocument => {
  const because = stage === "planned" ? undefined : stage.conflicts.get(`${document.kind} ${document.id}`)
  if (because === undefined || document.findings.some(isConflict)) return document
  const finding = Finding.make(ImportFinding.DIFFERS_FROM_SENT, { detail: because, at: document.source })
  return { ...document, findings: [...document.findings, finding] }
}

/** The import in figures and causes, as it stands. */
export const summary = (
  plan: ImportPlan,
  stage: ImportStage,
  account: string
): Effect.Effect<ImportSummary.ImportSummary, StoreError, SubmissionStore> => {
  const summing = ImportSummary.make(plan.book)
  return Effect.map(
    Stream.runForEach(documents(plan, stage, account), (page) =>
      Effect.sync(() => {
        for (const document of page) summing.add(document)
      })
    ),
    () => summing.summary
  )
}

/**
 * The whole way: plans, checks, submits, and sends until nothing more happens by itself. `beside` are other accounts of the same device, whose
 * documents stand in the same line. Calling it again sends nothing twice.
 */
export const run = <R>(
  account: OpenAccount,
  order: ImportOrder<R>,
  beside: ReadonlyArray<OpenAccount> = [],
  options: Runner.RunOptions = {}
): Effect.Effect<
  PlannedImport & Submitted & { readonly settlement: Runner.Settlement },
  AdapterError | StoreError | GatewayError | ImportRefused | SubmitterConfigError,
  R | SubmissionStore | Submitter | StatusPoller | Staging | Scope.Scope
> =>
  Effect.gen(function* () {
    const planned = yield* plan(account, order)
    yield* check(planned.plan, order.whenLate)
    const submitted = yield* submit(planned.plan)
    const settlement = yield* Runner.run([account, ...beside], options)
    return { ...planned, ...submitted, settlement }
  })
