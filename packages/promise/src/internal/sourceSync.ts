/** Runs a source that is read live, and reports the run in plain values. */
import type { OpeningOptions } from "@fiscal-connector/core/account/OpenAccount"
import * as CivilDate from "@fiscal-connector/core/document/CivilDate"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import type { NamedSource } from "@fiscal-connector/core/pull/NamedSource"
import * as Sync from "@fiscal-connector/core/pull/Sync"
import * as RunReport from "@fiscal-connector/core/session/RunReport"
import type { LiveSource } from "@fiscal-connector/core/source/LiveSource"
import { finding, type LiveSourceError } from "@fiscal-connector/core/source/LiveSourceError"
import type { Documents } from "@fiscal-connector/core/source/DocumentInput"
import { liveDefaults } from "@fiscal-connector/core/submission/LiveSourceState"
import type { State } from "@fiscal-connector/core/submission/Submission"
import { Clock, DateTime, Duration, Effect, Option, Redacted } from "effect"
import { type ErrorCode, FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { ExportInput } from "../ExportInput.ts"
import type { FiscalConnector, SyncOptions, SyncReport } from "../FiscalConnector.ts"
import type { Problem } from "../Problem.ts"
import type { SourceInput, SourceOptions, SourceReport } from "../SourceInput.ts"
import type { Account } from "./Account.ts"
import { CallerThrew } from "./errorOf.ts"
import { exportError } from "./exportError.ts"
import { problemOf } from "./problemOf.ts"
import { statusOf } from "./resultOf.ts"
import { runReport } from "./runReport.ts"

const invalid = (text: string) => Effect.fail(new FiscalConnectorError("config_invalid", text))

const settingsOf = Effect.fnUntraced(function* (account: string, given: SourceInput, { whenLate }: SourceOptions) {
  const { clockSkewMs, consent = "send", goLive, overlapMs, quietAfterMs, source, sweepMs } = given
  const day = Option.getOrUndefined(CivilDate.parse(goLive))
  if (day === undefined) return yield* invalid(`goLive: ${JSON.stringify(goLive)} is not a day, as "2026-03-01"`)
  if (source.name === "" || source.tenant === "") return yield* invalid("source: expected a name and a tenant")
  const overlap = overlapMs === undefined ? liveDefaults.overlap : Duration.millis(overlapMs)
  if (!Duration.isGreaterThanOrEqualTo(overlap, liveDefaults.overlap))
    return yield* invalid("overlapMs: expected 300000 or more; a shorter overlap loses documents")
  return {
    source: source.name,
    tenant: source.tenant,
    account,
    goLive: day,
    consent,
    whenLate,
    overlap,
    clockSkew: clockSkewMs === undefined ? liveDefaults.clockSkew : Duration.millis(clockSkewMs),
    sweep: sweepMs === undefined ? liveDefaults.sweep : Duration.millis(sweepMs),
    quietAfter: quietAfterMs ?? Duration.toMillis(liveDefaults.quietAfter)
  } satisfies Sync.SyncSettings
})

const codes: Readonly<Record<LiveSourceError["reason"]["_tag"], readonly [code: ErrorCode, retryable: boolean]>> = {
  LoginEnded: ["source_login_ended", false],
  Limited: ["source_limited", true],
  Unreached: ["source_unreachable", true],
  AnswerUnreadable: ["source_refused", true],
  AccountChanged: ["source_refused", false],
  Certificate: ["source_refused", false],
  ClockOff: ["source_refused", false],
  OtherTenant: ["source_refused", false],
  Refused: ["source_refused", false],
  TokenUnusable: ["source_refused", false]
}

const ofSource = (error: LiveSourceError) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { message, reason } = error
    const [code, retryable] = codes[reason._tag]
    return new FiscalConnectorError(code, message, {
      retryable,
      retryAfterMs: reason._tag === "Limited" ? Math.max(0, reason.retryAt - now) : undefined,
      problems: [problemOf(finding(error))],
      cause: error
    })
  })

const reportOf = (result: Sync.SyncReport, problems: ReadonlyArray<Problem>): SourceReport => {
  const { calls, counts, entries, goLive, gone, mode, refused, settlement, source, states, tenant, wouldBecomeLate } =
    result
  return {
    source,
    tenant,
    mode,
    ...counts,
    goLive,
    refusedDocuments: refused.map(({ document: { id, kind, number }, findings }) => ({
      kind,
      id,
      number,
      problems: findings.map((one) => problemOf(one))
    })),
    wouldBecomeLate,
    gone: gone.map(({ id, kind, number }) => ({ kind, id, number })),
    standing: entries.flatMap((entry) => {
      const { cancelled, changed, id, kind, number, since, status } = entry
      if (kind === null || status === "Refused" || status === "Skipped") return []
      if (RunReport.standingOf(entry) === "done") return []
      const at = since === null ? null : DateTime.toDateUtc(since)
      return [{ kind, id, number, status: statusOf(status), changed, cancelled, since: at }]
    }),
    calls,
    statuses: Object.fromEntries(Object.entries(states).map(([state, count]) => [statusOf(state as State), count])),
    lanes: settlement === null ? [] : runReport(Option.some(settlement)).lanes,
    open: settlement?.open ?? 0,
    problems,
    ok: RunReport.ending(result.standings) === "done"
  }
}

/** Runs the source once. `problems`: guards of the connector that are off, read after the run. */
export const run = Effect.fnUntraced(
  function* (
    { settings: account }: Account,
    book: MappingBook,
    opening: OpeningOptions,
    given: SourceInput,
    options: SourceOptions,
    problems: () => ReadonlyArray<Problem>
  ) {
    const settings = yield* settingsOf(account.account, given, options)
    // a value without an Effect ends as a mistake of the caller's code does
    const thrown: Array<unknown> = []
    const opened = Effect.tapDefect((given.source as NamedSource<unknown>).open, (defect) =>
      Effect.sync(() => thrown.push(defect))
    )
    return yield* Effect.flatMap(opened, (live) =>
      Sync.run({ settings, live: watched(live, thrown), book, account, opening })
    ).pipe(
      Effect.map((result) => reportOf(result, problems())),
      Effect.catchTag("AdapterError", (error) => Effect.fail(exportError({})(error))),
      Effect.catchDefect((defect) =>
        thrown.includes(defect) ? Effect.fail(new CallerThrew({ thrown: Redacted.make(defect) })) : Effect.die(defect)
      )
    )
  },
  Effect.catchTag("LiveSourceError", (error) => Effect.flatMap(ofSource(error), Effect.fail))
)

/** Returns the source with its exceptions kept: they are the caller's, and not defects of ours. */
const watched = (live: LiveSource<unknown>, thrown: Array<unknown>): LiveSource<unknown> => {
  const asked = <A, E>(ask: () => Effect.Effect<A, E>) =>
    Effect.tapDefect(Effect.suspend(ask), (defect) => Effect.sync(() => thrown.push(defect)))
  const { adapter, endpoints, limits, name, options, paging } = live
  return {
    adapter,
    endpoints,
    limits,
    name,
    options,
    paging,
    identity: asked(() => live.identity),
    pages: (request) => asked(() => live.pages(request)),
    summaries: (request) => asked(() => live.summaries(request)),
    byIds: (endpoint, ids) => asked(() => live.byIds(endpoint, ids)),
    companions: (ids) => asked(() => live.companions(ids)),
    loginEnds: asked(() => live.loginEnds)
  }
}

/** Combines both forms of `sync`: the argument with a `source` is read live. */
export const either = (
  live: (given: SourceInput, options: SourceOptions) => Promise<SourceReport>,
  documents: <Options>(given: Documents | ExportInput<Options>, options: SyncOptions) => Promise<SyncReport>
): FiscalConnector["sync"] => {
  function sync(given: SourceInput, options?: SourceOptions): Promise<SourceReport>
  function sync<Options>(given: Documents | ExportInput<Options>, options?: SyncOptions): Promise<SyncReport>
  function sync(given: Documents, options?: SyncOptions): Promise<SyncReport>
  function sync<Options>(given: SourceInput | Documents | ExportInput<Options>, options: SyncOptions = {}) {
    return typeof given === "object" && given !== null && "source" in given
      ? live(given, options)
      : documents(given, options)
  }
  return sync
}
