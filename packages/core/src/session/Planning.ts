/** The first step of a session: what would be sent, held, refused and skipped of an export, settled before anything is sent or written. */
import { DateTime, Effect, Option, type Scope, Stream } from "effect"
import type { AccountFacts } from "../account/AccountFacts.ts"
import * as HistoricalGuard from "../account/HistoricalGuard.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import * as Batch from "../import/Batch.ts"
import type { BatchOptions } from "../import/BatchDocument.ts"
import * as ImportPlan from "../import/ImportPlan.ts"
import * as NotBefore from "../import/NotBefore.ts"
import type { Staging } from "../import/Staging.ts"
import type { StoreError } from "../ledger/StoreError.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { Finding } from "../finding/Finding.ts"
import type * as DeviceFacts from "../preflight/DeviceFacts.ts"
import type { AdapterError, Reading } from "../source/Adapter.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Facts from "./Facts.ts"
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
  /** Documents of an earlier date are skipped. Default: the account's, else none. */
  readonly notBefore?: CivilDate | undefined
}

/** A plan with what it was made by. */
export interface PlannedImport {
  readonly passage: "ordinary" | "historical"
  readonly plan: ImportPlan.ImportPlan
  readonly device: DeviceFacts.DeviceFacts
  /** What a person is told before a historical batch is sent; null for an ordinary one. */
  readonly warning: string | null
  /** What is said about the plan as a whole and refuses nothing. */
  readonly warnings: ReadonlyArray<Finding>
}

/** What planning a batch needs to know beside the export. */
export interface BatchRequest extends BatchOptions, ImportPlan.PlanningOptions {}

/**
 * Plans an export for a destination that the caller names: `plan` without the gateway. Fails where the export cannot be read at all, or the store.
 * The plan is kept on disk as long as the scope is open, however many documents there are.
 */
export const planBatch = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>,
  request: BatchRequest
): Effect.Effect<ImportPlan.ImportPlan, AdapterError | StoreError, R | SubmissionStore | Staging | Scope.Scope> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const batch = yield* Batch.read(readings, store.ledger, request)
    return yield* ImportPlan.make(batch, request, store)
  })

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
    const { destination, lastClose, tolerances } = account
    const now = DateTime.setZone(yield* DateTime.now, account.zone)
    const warning = passage === "historical" ? yield* permitted(account, now) : null
    const facts = yield* Facts.read(account)
    const taken = notBefore === undefined ? readings : Stream.map(readings, NotBefore.skipping(notBefore, book.zone))
    const plan = yield* planBatch(taken, {
      account: account.account,
      book,
      originals,
      device: facts,
      tolerances,
      destination,
      passage,
      lastClose: Option.getOrUndefined(lastClose)
    })
    if (facts.mappings !== null) {
      const problems = yield* UsedMappings.problems(facts.mappings, book, plan)
      if (problems.length > 0) return yield* new ImportRefused({ reason: { _tag: "MappingsDiffer", problems } })
    }
    return { passage, plan, device: facts, warning, warnings: yield* Facts.warnings(account, facts, plan) }
  })

const permitted = ({ assumptions, device }: AccountFacts, now: DateTime.Zoned) =>
  Effect.gen(function* () {
    const passage = HistoricalGuard.check(device, now, assumptions["HIST-1"])
    if (passage._tag === "Permitted") return passage.warning
    const { because, fix } = passage
    return yield* new ImportRefused({ reason: { _tag: "HistoricalRefused", because, fix } })
  })
