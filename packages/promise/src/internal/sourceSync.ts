import { type Account, SourceInPeriod } from "@fiscal-connector/core/host/account"
import { type OpenAccount, RunReport } from "@fiscal-connector/core/session"
import { CivilDate, type LiveSource, LiveSourceError, type NamedSource } from "@fiscal-connector/core/adapter"
import type { MappingBook } from "@fiscal-connector/core/book"
import { Sync } from "@fiscal-connector/core/sync"
import { LiveSourceState } from "@fiscal-connector/core/store"
import { Clock, DateTime, Duration, Effect, Option, Redacted } from "effect"
import { type ErrorCode, FiscalConnectorError } from "../FiscalConnectorError.ts"
import type { Problem } from "../Problem.ts"
import type { SourceInput, SourceOptions, SourceReport, SyncSource } from "../SourceInput.ts"
import type { ConnectedAccount } from "./Account.ts"
import { CallerThrew, failing } from "./errorOf.ts"
import { exportError } from "./choices.ts"
import { problemOf } from "./problemOf.ts"
import { byStatus, statusOf } from "./resultOf.ts"
import { runReport } from "./syncReport.ts"

const invalid = (text: string) => failing("config_invalid", text)

const settingsOf = Effect.fnUntraced(function* (account: string, given: SourceInput, { whenLate }: SourceOptions) {
  const { clockSkewMs, consent = "send", goLive, overlapMs, quietAfterMs, source, sweepMs } = given
  const day = Option.getOrUndefined(CivilDate.parse(goLive))
  if (day === undefined) return yield* invalid(`goLive: ${JSON.stringify(goLive)} is not a day, as "2026-03-01"`)
  if (source.name === "" || source.tenant === "") return yield* invalid("source: expected a name and a tenant")
  const overlap = overlapMs === undefined ? LiveSourceState.liveDefaults.overlap : Duration.millis(overlapMs)
  if (!Duration.isGreaterThanOrEqualTo(overlap, LiveSourceState.liveDefaults.overlap))
    return yield* invalid("overlapMs: expected 300000 or more; a shorter overlap loses documents")
  return {
    source: source.name,
    tenant: source.tenant,
    account,
    goLive: day,
    consent,
    whenLate,
    overlap,
    clockSkew: clockSkewMs === undefined ? LiveSourceState.liveDefaults.clockSkew : Duration.millis(clockSkewMs),
    sweep: sweepMs === undefined ? LiveSourceState.liveDefaults.sweep : Duration.millis(sweepMs),
    quietAfter: quietAfterMs ?? Duration.toMillis(LiveSourceState.liveDefaults.quietAfter)
  } satisfies Sync.SyncSettings
})

const codes: Readonly<
  Record<LiveSourceError.LiveSourceError["reason"]["_tag"], readonly [code: ErrorCode, retryable: boolean]>
> = {
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

const ofSource = (error: LiveSourceError.LiveSourceError) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const { message, reason } = error
    const [code, retryable] = codes[reason._tag]
    return new FiscalConnectorError(code, message, {
      retryable,
      retryAfterMs: reason._tag === "Limited" ? Math.max(0, reason.retryAt - now) : undefined,
      problems: [problemOf(LiveSourceError.finding(error))],
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
    refusedDocuments: refused.map(({ document: { id, kind, number }, findings, replaces }) => ({
      kind,
      id,
      number,
      replaces,
      problems: findings.map((one) => problemOf(one))
    })),
    wouldBecomeLate,
    gone: gone.map(({ id, kind, number }) => ({ kind, id, number })),
    standing: entries.flatMap((entry) => {
      const { cancelled, changed, id, kind, number, replaces, since, status } = entry
      if (kind === null || status === "Refused" || status === "Skipped") return []
      if (RunReport.standingOf(entry) === "done") return []
      const at = since === null ? null : DateTime.toDateUtc(since)
      return [{ kind, id, number, status: statusOf(status), changed, cancelled, replaces, since: at }]
    }),
    calls,
    statuses: byStatus(states),
    lanes: settlement === null ? [] : runReport(Option.some(settlement)).lanes,
    open: settlement?.open ?? 0,
    problems,
    ok: RunReport.ending(result.standings) === "done"
  }
}

/** Runs the source once. `problems`: guards of the connector that are off, read after the run. */
export const run = Effect.fnUntraced(
  function* (
    { settings: account }: ConnectedAccount,
    book: MappingBook.MappingBook,
    opening: OpenAccount.OpeningOptions,
    given: SourceInput,
    options: SourceOptions,
    problems: () => ReadonlyArray<Problem>
  ) {
    const settings = yield* settingsOf(account.account, given, options)
    return yield* reading(given.source, (live) => Sync.run({ settings, live, book, account, opening })).pipe(
      Effect.map((result) => reportOf(result, problems())),
      Effect.catchTag("AdapterError", (error) => Effect.fail(exportError({})(error)))
    )
  },
  Effect.catchTag("LiveSourceError", (error) => Effect.flatMap(ofSource(error), Effect.fail))
)

/**
 * An exception of the source is the caller's, and a value without an Effect ends as a mistake of
 * the caller's code does.
 */
const reading = <A, E, R>(
  source: SyncSource,
  use: (live: LiveSource.LiveSource<unknown>) => Effect.Effect<A, E, R>
) => {
  const thrown: Array<unknown> = []
  const opened = Effect.tapDefect((source as NamedSource.NamedSource<unknown>).open, (defect) =>
    Effect.sync(() => thrown.push(defect))
  )
  return Effect.flatMap(opened, (live) => use(watched(live, thrown))).pipe(
    Effect.catchDefect((defect) =>
      thrown.includes(defect) ? Effect.fail(new CallerThrew({ thrown: Redacted.make(defect) })) : Effect.die(defect)
    )
  )
}

/** Reads the present state of the source for the account of a period. Records nothing. */
export const present = (
  source: SyncSource,
  { settings: account }: ConnectedAccount,
  book: MappingBook.MappingBook,
  period: Account.Period
) => {
  const { clockSkew } = LiveSourceState.liveDefaults
  const settings = { source: source.name, tenant: source.tenant, clockSkew }
  return reading(source, (live) => SourceInPeriod.read({ live, settings, account, book, period })).pipe(
    Effect.catchTag("LiveSourceError", (error) => Effect.flatMap(ofSource(error), Effect.fail))
  )
}

const watched = (live: LiveSource.LiveSource<unknown>, thrown: Array<unknown>): LiveSource.LiveSource<unknown> => {
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
