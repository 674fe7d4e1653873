/** One run from pages to receipts: read, plan, consent, send. The first run only plans. */
import { Array as Arr, Clock, DateTime, Duration, Effect, type FileSystem } from "effect"
import * as Attention from "../attention/Attention.ts"
import * as AccountFacts from "../account/AccountFacts.ts"
import type { AccountSettings } from "../account/AccountSettings.ts"
import type * as OpenAccount from "../account/OpenAccount.ts"
import { type AccountStopped, finding as ofStop } from "../account/StopReason.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import type { Settlement } from "../sending/Runner.ts"
import type { SubmitterConfigError, Submitter } from "../sending/Submitter.ts"
import * as StatusPoller from "../sending/StatusPoller.ts"
import * as Finding from "../finding/Finding.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import * as NotBefore from "../translate/NotBefore.ts"
import type { Staging } from "../import/Staging.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as RunReport from "../session/RunReport.ts"
import * as Session from "../session/Session.ts"
import type { AdapterError } from "../source/Adapter.ts"
import type { LiveSource } from "../source/LiveSource.ts"
import { LiveSourceFinding } from "../source/LiveSourceFinding.ts"
import { finding, LiveSourceError } from "../source/LiveSourceError.ts"
import * as Readings from "../source/Readings.ts"
import type {
  LiveCounts,
  LiveDocument,
  LiveSourceSettings,
  LiveSourceState,
  PulledRun
} from "../submission/LiveSourceState.ts"
import { nameOf } from "../submission/ledger/RefusedDocument.ts"
import { NotTakenFinding } from "../submission/KeptImport.ts"
import { moving, type State, type Submission } from "../submission/Submission.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import { coreVersion } from "../source/CoreVersion.ts"
import { hash } from "node:crypto"
import * as Pulling from "./Pulling.ts"
import * as Outcomes from "./Outcomes.ts"
import type { WalkOptions } from "./Walk.ts"

/** Settings of a source. */
export interface SyncSettings extends LiveSourceSettings, WalkOptions {
  /** `plan`: every run only plans. `send`: every run after the first sends. */
  readonly consent: "plan" | "send"
  /** Treatment of refused documents that a run would make late. Default `send-rest`. */
  readonly whenLate?: "stop" | "send-rest" | undefined
  /** Period to compare document by document, once a day. */
  readonly sweep: Duration.Duration
}

/** One run of a source. */
export interface SyncOrder<Options> {
  readonly settings: SyncSettings
  readonly live: LiveSource<Options>
  readonly book: MappingBook
  readonly account: AccountSettings
  readonly opening: OpenAccount.OpeningOptions
  /**
   * `here`: the run sends what it accepted and waits for the outcomes. `left`: a worker of this
   * process sends it.
   *
   * @default "here"
   */
  readonly sending?: "here" | "left"
}

/** A refused document, with every reason; without reasons if the run did not read the document. */
export interface RefusedOfSource {
  readonly document: LiveDocument
  readonly findings: ReadonlyArray<Finding.Finding>
  /** As in `RunReport.ReportEntry`; null if the run did not read the document. */
  readonly replaces: string | null
}

/** Result of a run. */
export interface SyncReport {
  readonly source: string
  readonly tenant: string
  /**
   * `first-plan`: nothing was sent, the next run sends. `plan`: nothing was sent. `quiet`: nothing
   * new. `sent`: everything new was accepted.
   */
  readonly mode: "first-plan" | "plan" | "quiet" | "sent"
  readonly counts: LiveCounts
  readonly goLive: { readonly day: CivilDate; readonly before: number; readonly after: number }
  readonly refused: ReadonlyArray<RefusedOfSource>
  /**
   * Number of refused documents that would become late if the others were sent; 0 except in a plan.
   */
  readonly wouldBecomeLate: number
  /** Documents that the source no longer has. */
  readonly gone: ReadonlyArray<LiveDocument>
  readonly calls: number
  readonly states: Readonly<Partial<Record<State, number>>>
  /** Result of sending; null if nothing was sent. */
  readonly settlement: Settlement | null
  /**
   * Every document that was read, and every document that earlier runs left refused, open, changed
   * or canceled. In a plan without those that would be sent.
   */
  readonly entries: ReadonlyArray<RunReport.ReportEntry>
  /** Work that the run leaves, over all entries. */
  readonly standings: ReadonlySet<RunReport.Standing>
}

/** Reason why a run has no result. */
export type SyncError =
  | LiveSourceError
  | AdapterError
  | AccountStopped
  | GatewayError
  | Session.ImportRefused
  | StoreError
  | SubmitterConfigError

type SyncServices = SubmissionStore | Staging | Submitter | StatusPoller.StatusPoller | FileSystem.FileSystem

const day = Duration.days(1)

/** No plan yet, another account, or an earlier go-live day than the state was planned for. */
const isFirst = (state: LiveSourceState | undefined, { account, goLive }: SyncSettings): boolean =>
  state === undefined || state.plannedAt === null || state.account !== account || goLive < state.goLive

/** Documents sent for another account would be fiscalized twice. */
const sameAccount = ({ account, source }: SyncSettings, state: LiveSourceState | undefined) =>
  state === undefined || state.account === account || state.marks.length === 0
    ? Effect.void
    : Effect.fail(
        new LiveSourceError({
          source,
          operation: "account",
          reason: { _tag: "AccountChanged", was: state.account, is: account }
        })
      )

const isUnread = ({ before, modified, planned }: Pulling.PulledRecord): boolean =>
  planned === "again" || before?.modified !== modified || before.standing === "gone"

/** Until the retry time that the source stated. */
const politely = ({ source }: SyncSettings, state: LiveSourceState | undefined) =>
  Effect.gen(function* () {
    const retryAt = state?.stop?.retryAt ?? null
    if (retryAt === null || (yield* Clock.currentTimeMillis) >= DateTime.toEpochMillis(retryAt)) return
    return yield* new LiveSourceError({
      source,
      operation: "waiting",
      reason: { _tag: "Limited", limit: "as stated before", retryAt: DateTime.toEpochMillis(retryAt) }
    })
  })

/** Returns the code for a plan that may not be sent. */
export const refusalCode = ({ reason }: Session.ImportRefused): FindingCode =>
  reason._tag === "WouldBecomeLate" ? LiveSourceFinding.SOURCE_WOULD_BECOME_LATE : LiveSourceFinding.SOURCE_NOT_PLANNED

/** Attention shows the reason in every process. */
const noted = (settings: SyncSettings, error: SyncError) =>
  Effect.gen(function* () {
    const { liveSources } = yield* SubmissionStore
    const note = (code: string, text: string, retryAt: DateTime.Utc | null = null) =>
      Effect.ignore(liveSources.stop(settings, { code, text, retryAt }))
    switch (error._tag) {
      case "LiveSourceError": {
        const { code, message } = finding(error)
        const { reason } = error
        return yield* note(code, message, reason._tag === "Limited" ? DateTime.makeUnsafe(reason.retryAt) : null)
      }
      case "AccountStopped": {
        const [first] = error.reasons
        return yield* note(first === undefined ? error._tag : ofStop(first).code, error.message)
      }
      case "GatewayError":
        return yield* note(error.reason._tag, error.message)
      case "ImportRefused":
        return yield* note(refusalCode(error).code, error.message)
      case "AdapterError":
        return yield* note(error.reason._tag, error.message)
      default:
        // a failed store cannot record the failure
        return undefined
    }
  })

const waits = (account: string) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const kept = yield* store.imports({ accounts: [account], standings: ["accepted"], limit: 1 })
    return kept.length > 0 || (yield* store.list({ accounts: [account], states: moving, limit: 1 })).length > 0
  })

// number of keys in one query
const together = 500

/** `notTaken`: reasons of the store, by `kind id`. */
interface RunScope {
  readonly documents: ReadonlyArray<LiveDocument>
  readonly refused: ReadonlyArray<RefusedOfSource>
  readonly notTaken: ReadonlyMap<string, string>
}

const entriesOf = (settings: SyncSettings, live: ReadonlyArray<string>, { documents, notTaken, refused }: RunScope) =>
  Effect.gen(function* () {
    const { account } = settings
    const store = yield* SubmissionStore
    const read = [...documents, ...refused.map(({ document }) => document)]
    const stored = new Map<string, Submission>()
    for (const some of Arr.chunksOf(read, together)) {
      const keys = some.flatMap(({ id, kind, number }) => (kind === null ? [] : [{ account, kind, id: id || number }]))
      for (const one of yield* store.getMany(keys)) stored.set(nameOf(one), one)
    }
    // an operator's decision, for as long as the source states the same
    const dismissed = yield* RunReport.dismissedOf(account)
    const refusals = new Map(
      refused.flatMap((one) => {
        const name = nameOf(one.document)
        return dismissed.has(name) ? [] : [[name, one]]
      })
    )
    const entries = new Map<string, RunReport.ReportEntry>()
    for (const document of read) {
      const name = nameOf(document)
      const text = notTaken.get(name)
      const found =
        text === undefined
          ? (refusals.get(name)?.findings ?? [])
          : [Finding.make(NotTakenFinding.NOT_TAKEN, { detail: text, path: ["number"] })]
      const submission = stored.get(name)
      const { codes, id, kind, number, standing } = document
      const status = text !== undefined || refusals.has(name) ? "Refused" : standing === "taken" ? "Planned" : "Skipped"
      entries.set(
        name,
        submission === undefined
          ? {
              kind,
              id: id || number,
              number,
              status,
              codes,
              findings: found,
              changed: null,
              cancelled: null,
              replaces: refusals.get(name)?.replaces ?? null,
              since: null
            }
          : RunReport.ofSubmission(submission, found)
      )
    }
    for (const one of yield* store.liveSources.left(settings, live, account)) {
      const name = nameOf(one)
      if (!entries.has(name)) entries.set(name, RunReport.ofSubmission(one))
    }
    return entries
  })

const conditionsOf = <Options>({ account, book, live, settings }: SyncOrder<Options>): string => {
  const { gateway: _, ...policies } = account
  const decides = [coreVersion, live.name, live.options, book, policies, settings.account, settings.goLive]
  const plain = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)
  return hash("sha256", JSON.stringify(decides, plain))
}

const mayBecomeLate = (
  { remembered }: Pick<Session.PlannedImport["plan"], "remembered">,
  unasked: ReadonlyArray<LiveDocument>
) => {
  const late = new Set(remembered.flatMap(({ lateAt, name }) => (lateAt === null ? [] : [name])))
  return unasked.some((document) => !late.has(nameOf(document)))
}

/** Number of times that a run is repeated because of other runs at the same moment. */
const repeats = 3

/**
 * Runs the source once. Fails if the source could not be read or planned: nothing is taken, and the
 * next run starts at the same marks. A run that another run has overtaken is repeated.
 */
export const run = <Options>(order: SyncOrder<Options>): Effect.Effect<SyncReport, SyncError, SyncServices> =>
  once(order, "some").pipe(
    // a run that asks for all refused documents has a report
    Effect.filterOrElse(
      (report): report is SyncReport => report !== undefined,
      () => Effect.map(once(order, "all"), (report) => report!)
    ),
    Effect.retry({ times: repeats, while: (error) => error._tag === "StoreError" && error.reason === "conflict" }),
    Effect.tapError((error) => noted(order.settings, error))
  )

/**
 * Undefined: the run did not ask for all refused documents, so it cannot tell whether the documents
 * to send would make one late, and nothing was taken.
 */
const once = <Options>(
  order: SyncOrder<Options>,
  asking: Pulling.PullOrder<Options>["asking"]
): Effect.Effect<SyncReport | undefined, SyncError, SyncServices> =>
  Effect.gen(function* () {
    const { account: settings, book, live, opening, sending = "here" } = order
    const { goLive: own, source, sweep, tenant } = order.settings
    const store = yield* SubmissionStore
    const state = yield* store.liveSources.state(order.settings)
    yield* sameAccount(order.settings, state)
    yield* politely(order.settings, state)
    const first = isFirst(state, order.settings)
    const now = yield* DateTime.now
    const sweptAt = state?.sweptAt ?? state?.plannedAt ?? null
    const isSweepDue =
      !first && sweptAt !== null && Duration.isGreaterThanOrEqualTo(DateTime.distance(sweptAt, now), day)
    const marks = first ? [] : (state?.marks ?? [])
    const conditions = conditionsOf(order)
    // before the reading, which requests documents with a settled failure again
    if (!first && order.settings.consent === "send") yield* StatusPoller.askOnceMore("all", [settings])
    const pulled = yield* Pulling.pull({
      ...order.settings,
      live,
      marks,
      sweep: isSweepDue ? sweep : null,
      conditions,
      asking
    })
    const loginEnds = yield* live.loginEnds
    const goLive = settings.notBefore !== undefined && settings.notBefore > own ? settings.notBefore : own
    const stage = first ? "planned" : "taken"
    const common = {
      source,
      tenant,
      account: order.settings.account,
      goLive: own,
      quietAfter: order.settings.quietAfter,
      stage,
      follows: state?.ranAt ?? null,
      sweep: isSweepDue ? "done" : "not-due",
      marks: pulled.marks,
      conditions,
      notices: [],
      loginEnds
    } as const
    const reported = Effect.fnUntraced(function* (
      found: Outcomes.OutcomeOfRun,
      mode: SyncReport["mode"],
      settlement: Settlement | null,
      { notTaken = new Map<string, string>(), wouldBecomeLate = 0 } = {}
    ) {
      const isPlan = mode === "plan" || mode === "first-plan"
      const handed = new Set(found.handed.map(nameOf))
      const documents = isPlan ? found.documents.filter((one) => !handed.has(nameOf(one))) : found.documents
      const entries = yield* entriesOf(order.settings, live.endpoints, { ...found, documents, notTaken })
      const states: Partial<Record<State, number>> = {}
      const health = yield* SubmissionStore.use((store) => store.health(Patience.retention.is))
      const standings = new Set<RunReport.Standing>((settlement?.open ?? 0) > 0 ? ["on-its-way"] : [])
      const items = isPlan ? [] : Attention.ofAccounts(Attention.of(health), health, [order.settings.account])
      for (const item of items) standings.add(RunReport.ofItem(item) ?? "done")
      for (const [name, entry] of entries) {
        const { status } = entry
        if (handed.has(name) && status !== "Refused" && status !== "Skipped") states[status] = (states[status] ?? 0) + 1
        standings.add(RunReport.standingOf(entry))
      }
      const report: SyncReport = {
        source,
        tenant,
        mode,
        counts: found.counts,
        goLive: { day: goLive, ...found.goLive },
        refused: found.refused,
        wouldBecomeLate,
        gone: pulled.gone,
        calls: pulled.calls(),
        states,
        settlement,
        entries: [...entries.values()],
        standings
      }
      return report
    })
    const isQuiet = !first && pulled.gone.length === 0 && !pulled.records.some(isUnread)
    if (isQuiet) {
      const { length } = pulled.records
      const refused = Outcomes.stillRefused(pulled)
      const counts = { read: length, new: 0, changed: 0, unchanged: length, refused: refused.length, skipped: {} }
      const found = { documents: [], refused, handed: [], counts, goLive: { before: 0, after: 0 } }
      yield* store.liveSources.record({ ...common, documents: pulled.unanswered, counts })
      // documents that an interrupted earlier run accepted
      const isOpen = sending === "here" && order.settings.consent === "send" && (yield* waits(settings.account))
      const settlement = isOpen ? yield* Session.resume([yield* Session.open(settings, opening)]) : null
      return yield* reported(found, "quiet", settlement)
    }
    yield* pulled.joined
    const input = { files: pulled.files() }
    const planning: Session.ImportOrder = {
      readings: Readings.from(live.adapter, input, live.options, book),
      book,
      notBefore: goLive
    }
    const found = (plan: Session.PlannedImport["plan"]) =>
      Outcomes.find(pulled.records, pulled, plan, NotBefore.reasonOf(goLive))
    if (first || order.settings.consent === "plan") {
      const { missing, plan } = yield* Session.plan(yield* AccountFacts.read(settings, book.zone), planning)
      yield* Session.requireMapped(missing)
      const result = yield* found(plan)
      if (first) yield* store.liveSources.record({ ...common, documents: result.documents, counts: result.counts })
      const wouldBecomeLate = plan.wouldBecomeLate.count
      return yield* reported(result, first ? "first-plan" : "plan", null, { wouldBecomeLate })
    }
    const account = yield* Session.open(settings, opening)
    const planned = yield* Session.plan(account, planning)
    const result = yield* found(planned.plan)
    if (result.handed.length > 0 && mayBecomeLate(planned.plan, pulled.unasked)) return undefined
    const notices = pulled.gone.flatMap(({ id, kind, number }): PulledRun["notices"] =>
      kind === null
        ? []
        : [
            {
              key: { account: settings.account, kind, id: id || number },
              states: "cancelled",
              fingerprint: null,
              text: null
            }
          ]
    )
    const record: PulledRun = { ...common, documents: result.documents, notices, counts: result.counts }
    const consent = yield* Session.consent(account, planned, order.settings)
    if (sending === "left") {
      const { refused } = yield* Session.accept(consent, undefined, record)
      return yield* reported(result, "sent", null, { notTaken: refused })
    }
    const { accepted, settlement } = yield* Session.report(Session.send(consent, { pulled: record }))
    return yield* reported(result, "sent", settlement, { notTaken: accepted.refused })
  }).pipe(Effect.scoped)
