/**
 * First step of a session: decides which documents of an export would be sent, held, refused or
 * skipped, before anything is sent or written.
 */
import { DateTime, Effect, Option, type Scope, Stream } from "effect"
import type { AccountFacts } from "../account/AccountFacts.ts"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as HistoricalGuard from "../account/HistoricalGuard.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import * as StatusPoller from "../sending/StatusPoller.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import * as Batch from "../import/Batch.ts"
import type { BatchOptions } from "../import/BatchDocument.ts"
import * as ImportPlan from "../import/ImportPlan.ts"
import * as NotBefore from "../translate/NotBefore.ts"
import type { Staging } from "../import/Staging.ts"
import * as StagingArea from "../import/StagingArea.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { Finding } from "../finding/Finding.ts"
import type * as DeviceFacts from "../preflight/DeviceFacts.ts"
import type { AdapterError, Reading } from "../source/Adapter.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import * as Facts from "./Facts.ts"
import { ImportRefused } from "./ImportRefused.ts"
import * as UsedMappings from "./UsedMappings.ts"

/** An export to import, and the decisions about the import. */
export interface ImportOrder<R = never> {
  readonly readings: Stream.Stream<Reading, AdapterError, R>
  readonly book: MappingBook
  /** Credit note number or id → invoice number or id, as linked by the operator. Default none. */
  readonly originals?: ReadonlyMap<string, string>
  /**
   * `historical`: dated before the last close of a fiscal day, sent under the device's upload
   * permission (HIST-1). Default `ordinary`.
   */
  readonly timing?: "ordinary" | "historical"
  /**
   * Earliest document date; documents with an earlier date are skipped. Default: the account's
   * `notBefore`, else no limit.
   */
  readonly notBefore?: CivilDate | undefined
}

/** A plan with the facts that were used to make the plan. */
export interface PlannedImport {
  readonly timing: "ordinary" | "historical"
  readonly plan: ImportPlan.ImportPlan
  readonly device: DeviceFacts.DeviceFacts
  /**
   * Warning to show to the operator before a historical batch is sent. Null for an ordinary batch.
   */
  readonly warning: string | null
  /** Findings about the plan as a whole; none of them refuses a document. */
  readonly warnings: ReadonlyArray<Finding>
  /** Codes that the gateway must map before the plan can be sent. */
  readonly missing: UsedMappings.MissingCodes
}

/** Input of planning a batch, apart from the export. */
export interface BatchRequest extends BatchOptions, ImportPlan.PlanningOptions {}

/**
 * Plans an export for a destination given by the caller: `plan` without the gateway. Fails if the
 * export cannot be read at all, or if the store fails. The plan stays on disk as long as the scope
 * is open, for any number of documents. `asked`: the account that is asked for the export's
 * documents first. Default null: nothing is asked.
 */
export const planBatch = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>,
  request: BatchRequest,
  asked: AccountSettings | null = null
): Effect.Effect<ImportPlan.ImportPlan, AdapterError | StoreError, R | SubmissionStore | Staging | Scope.Scope> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const batch = yield* Batch.read(readings, store, request)
    if (asked !== null) yield* askFor(batch, asked, store)
    return yield* ImportPlan.make(batch, request, store)
  })

/**
 * Asks once more for documents of the export of which the gateway states a failure that proves
 * nothing: a correction is taken only once the failure is settled.
 */
const askFor = ({ sql }: Batch.Batch, settings: AccountSettings, store: SubmissionStoreOperations) =>
  Effect.gen(function* () {
    const unproven = yield* store.unproven([settings.account])
    if (unproven.length === 0) return
    const names = JSON.stringify(unproven.map(({ key: { id, kind } }) => `${kind} ${id}`))
    const rows = yield* sql<{ readonly name: string }>`select kind || ' ' || coalesce(nullif(id, ''), number) as name
      from document where name in (select value from json_each(${names}))`
    const stated = new Set(rows.map(({ name }) => name))
    const keys = unproven.map(({ key }) => key)
    yield* StatusPoller.askOnceMore(
      keys.filter(({ id, kind }) => stated.has(`${kind} ${id}`)),
      [settings]
    )
  }).pipe(StagingArea.orStoreError)

/**
 * Reads the export and decides which documents would be sent, held or refused. Sends no document,
 * so no permission to send is needed; an open account is asked once for the unproven documents of
 * the export. The plan is valid as long as the scope is open. Fails if the export cannot be read
 * at all, the store fails, the gateway does not answer, or a historical batch is not permitted.
 * Codes that the gateway lacks are in `missing`, and no consent is given until they are mapped.
 */
export const plan = <R>(
  account: AccountFacts & { readonly notBefore?: CivilDate },
  { book, notBefore = account.notBefore, originals = new Map(), timing = "ordinary", readings }: ImportOrder<R>
): Effect.Effect<
  PlannedImport,
  AdapterError | StoreError | GatewayError | ImportRefused,
  R | SubmissionStore | Staging | Scope.Scope
> =>
  Effect.gen(function* () {
    const { destination, lastClose, tolerances } = account
    const now = DateTime.setZone(yield* DateTime.now, account.zone)
    const warning = timing === "historical" ? yield* permitted(account, now) : null
    const facts = yield* Facts.read(account)
    const taken = notBefore === undefined ? readings : Stream.map(readings, NotBefore.skipping(notBefore, book.zone))
    const request: BatchRequest = {
      account: account.account,
      book,
      originals,
      device: facts,
      tolerances,
      destination,
      timing,
      lastClose: Option.getOrUndefined(lastClose)
    }
    const plan = yield* planBatch(taken, request, OpenAccount.settingsOf(account))
    const missing =
      facts.mappings === null ? UsedMappings.none : yield* UsedMappings.missing(facts.mappings, book, plan)
    return { timing, plan, device: facts, warning, warnings: yield* Facts.warnings(account, facts, plan), missing }
  })

const permitted = ({ assumptions, device }: AccountFacts, now: DateTime.Zoned) =>
  Effect.gen(function* () {
    const permit = HistoricalGuard.check(device, now, assumptions["HIST-1"])
    if (permit._tag === "Permitted") return permit.warning
    const { because, fix } = permit
    return yield* new ImportRefused({ reason: { _tag: "HistoricalRefused", because, fix } })
  })
