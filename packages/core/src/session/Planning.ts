/**
 * Decides which documents would be sent, held, refused or skipped, before anything is sent or
 * written.
 */
import { DateTime, Effect, Equal, Option, type Scope, Stream } from "effect"
import type { AccountFacts } from "../account/AccountFacts.ts"
import type { AccountSettings } from "../account/AccountSettings.ts"
import * as HistoricalGuard from "../account/HistoricalGuard.ts"
import * as OpenAccount from "../account/OpenAccount.ts"
import type { AccountStopped } from "../account/StopReason.ts"
import * as CivilDate from "../document/CivilDate.ts"
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
import * as Opening from "./Opening.ts"
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
  readonly notBefore?: CivilDate.CivilDate | undefined
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

interface PlanBasis {
  readonly store: SubmissionStoreOperations
  readonly version: string
  readonly facts: ReturnType<typeof factsOf>
}

const bases = new WeakMap<PlannedImport, PlanBasis>()

/** Parts of the account that the planning of a batch needs. */
const requestOf = ({ account, creditNumbers, destination, lastClose, tolerances }: AccountFacts) => ({
  account,
  creditNumbers,
  destination,
  lastClose: Option.getOrUndefined(lastClose),
  tolerances
})

const factsOf = (
  account: AccountFacts,
  notBefore: CivilDate.CivilDate | undefined,
  device: DeviceFacts.DeviceFacts,
  now: DateTime.DateTime,
  book: MappingBook
) => ({
  ...requestOf(account),
  assumptions: account.assumptions,
  device,
  lastCloseDoubt: account.lastCloseDoubt,
  notBefore,
  zone: account.zone,
  today: CivilDate.inZone(now, book.zone)
})

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
 * Asks about failures that prove nothing: a correction is taken only once the failure is settled.
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
  account: AccountFacts & { readonly notBefore?: CivilDate.CivilDate },
  { book, notBefore = account.notBefore, originals = new Map(), timing = "ordinary", readings }: ImportOrder<R>
): Effect.Effect<
  PlannedImport,
  AdapterError | StoreError | GatewayError | ImportRefused,
  R | SubmissionStore | Staging | Scope.Scope
> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const version = yield* store.version
    const now = DateTime.setZone(yield* DateTime.now, account.zone)
    const warning = timing === "historical" ? yield* permitted(account, now) : null
    const facts = yield* Facts.read(account)
    const taken = notBefore === undefined ? readings : Stream.map(readings, NotBefore.skipping(notBefore, book.zone))
    const request: BatchRequest = { ...requestOf(account), book, originals, device: facts, timing }
    const plan = yield* planBatch(taken, request, OpenAccount.settingsOf(account))
    const missing =
      facts.mappings === null ? UsedMappings.none : yield* UsedMappings.missing(facts.mappings, book, plan)
    const warnings = yield* Facts.warnings(account, facts, plan)
    const planned: PlannedImport = { timing, plan, device: facts, warning, warnings, missing }
    bases.set(planned, { store, version, facts: factsOf(account, notBefore, facts, now, book) })
    return planned
  })

/**
 * Opens the account to send a plan that was made before, and asks the gateway again. `standing` is
 * the plan, if all that it follows from is unchanged: the store, the account, the device with its
 * mappings, and the day. Null if not, and for a historical batch: the caller plans again.
 * The caller compares the export and the mapping book.
 */
export const openFor = (
  planned: PlannedImport,
  settings: AccountSettings,
  options: OpenAccount.OpeningOptions = {}
): Effect.Effect<
  { readonly opened: OpenAccount.OpenAccount; readonly standing: PlannedImport | null },
  AccountStopped | StoreError | GatewayError,
  SubmissionStore
> =>
  Effect.gen(function* () {
    const basis = bases.get(planned)
    // before the opening, which writes to the store itself
    const isSame = basis !== undefined && (yield* basis.store.version) === basis.version
    const opened = yield* Opening.open(settings, options)
    const again = { opened, standing: null }
    if (!isSame || planned.timing === "historical" || Opening.handedOverBy(opened) > 0) return again
    // an open account is asked for the outcomes of these before it is planned
    if ((yield* SubmissionStore.use((store) => store.unproven([opened.account]))).length > 0) return again
    const device = yield* Facts.read(opened)
    const facts = factsOf(opened, settings.notBefore, device, yield* DateTime.now, planned.plan.book)
    return Equal.equals(facts, basis.facts) ? { opened, standing: planned } : again
  })

const permitted = ({ assumptions, device }: AccountFacts, now: DateTime.Zoned) =>
  Effect.gen(function* () {
    const permit = HistoricalGuard.check(device, now, assumptions["HIST-1"])
    if (permit._tag === "Permitted") return permit.warning
    const { fix, text } = permit
    return yield* new ImportRefused({ reason: { _tag: "HistoricalRefused", text, fix } })
  })
