/**
 * Programs that simulated users run: an import, a resume, a worker, a listener. The same steps as
 * the commands, without the output.
 */
import { type DateTime, Duration, Effect, Layer, Option, Redacted, Stream } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Gateway from "../../packages/core/src/gateway/Gateway.ts"
import type { MappingBook } from "../../packages/core/src/mapping/MappingBook.ts"
import type { SqliteConfig } from "../../packages/core/src/node/SqliteClient.ts"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import * as SqliteStore from "../../packages/core/src/node/SqliteStore.ts"
import * as SqlStore from "../../packages/core/src/store/SqlStore.ts"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import type { AdapterError, Reading } from "../../packages/core/src/source/Adapter.ts"
import type { AccountSettings } from "../../packages/core/src/account/AccountSettings.ts"
import type { Holder } from "../../packages/core/src/submission/Holder.ts"
import * as AccountFacts from "../../packages/core/src/account/AccountFacts.ts"
import { CivilDate } from "../../packages/core/src/document/CivilDate.ts"
import * as Reconcile from "../../packages/core/src/session/Reconcile.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import * as Session from "../../packages/core/src/session/Session.ts"
import * as StatusPoller from "../../packages/core/src/sending/StatusPoller.ts"
import type { StoreWitness } from "../../packages/core/src/account/StoreWitness.ts"
import * as Submitter from "../../packages/core/src/sending/Submitter.ts"
import { keyOf } from "./Accounts.ts"
import type { AccountStopped } from "../../packages/core/src/account/StopReason.ts"
import * as Worker from "../../packages/core/src/sending/Worker.ts"
import * as WebhookReceiver from "../../packages/core/src/sending/WebhookReceiver.ts"

/** Opens the store as on a server: times are those of the server's clock. */
const onServer = (store: SqliteConfig) =>
  Layer.effect(SubmissionStore)(
    Effect.flatMap(SqliteStore.database(store), (client) =>
      Effect.provideService(SqlStore.open({ time: "database" }), SqlClient, client)
    ).pipe(Effect.provide(Reactivity.layer))
  )

/**
 * Layer of a simulated process: submitter and status poller, with the process's own HTTP client and
 * its own connection to the store.
 */
export const engine = (
  client: HttpClient.HttpClient,
  store: SqliteConfig,
  holder: Holder,
  time: "host" | "database" = "host"
) =>
  Layer.mergeAll(
    Submitter.layer({ holder }),
    StatusPoller.layer,
    SqliteStaging.layerMemory,
    Layer.succeed(HttpClient.HttpClient)(client)
  ).pipe(Layer.provideMerge(time === "host" ? SqliteStore.layer(store) : onServer(store)))

/** Configuration of an account, with which a simulated user's programs open it. */
export interface Account {
  readonly account: string
  readonly secret: string
  readonly zone: DateTime.TimeZone
  readonly witness: StoreWitness
  /** Further settings of the account in the configuration. */
  readonly policy: Partial<AccountSettings>
  /** Code of the first use of a live device, once an operator has read the code. */
  readonly firstUse: string | undefined
  /** Called when an opening begins; returns what is called if the opening fails. */
  readonly opening: () => OnStopped
}

/** Takes the reasons why the account cannot send. */
export type OnStopped = (account: string, reasons: AccountStopped["reasons"]) => void

const settingsOf = ({ account, policy, secret, zone }: Account) =>
  Effect.map(
    Gateway.make({
      account,
      baseUrl: "http://127.0.0.1:1",
      application: "app",
      station: "station",
      apiKey: Redacted.make(keyOf(account)),
      secret: Redacted.make(secret)
    }),
    (gateway): AccountSettings => ({ ...policy, account, gateway, zone })
  )

/** Opens an account as a command does. */
export const open = (account: Account) => {
  const stopped = account.opening()
  return Effect.flatMap(settingsOf(account), (settings) =>
    Session.open(settings, { witness: account.witness, live: "allowed", firstUse: account.firstUse })
  ).pipe(Effect.tapErrorTag("AccountStopped", ({ reasons }) => Effect.sync(() => stopped(account.account, reasons))))
}

/** Opens the accounts that can be opened: the documents of the others wait in their queue. */
const openAll = (accounts: ReadonlyArray<Account>) =>
  Effect.map(
    Effect.forEach(accounts, (account) =>
      Effect.catchTag(Effect.asSome(open(account)), "AccountStopped", () => Effect.succeedNone)
    ),
    (opened) => opened.flatMap(Option.toArray)
  )

/** Returns the result of a run, in words. */
const summary = ({ lanes, open }: Session.Settlement): string => {
  const left = lanes.map(({ attempts, end }) => {
    const why = end._tag === "Waiting" ? ` for ${end.wait.for}` : end._tag === "Stopped" ? ` by ${end.stop.cause}` : ""
    const how = end._tag === "Busy" && end.holder === "another worker" ? "lost the lane" : end._tag.toLowerCase()
    return `${attempts} sent, ${how}${why}`
  })
  return `${left.join("; ")}; ${open} open`
}

const refused = ({ message }: { readonly message: string }) => Effect.succeed(message)

export interface ImportJob {
  readonly account: Account
  /** The other accounts of the configuration. */
  readonly others: ReadonlyArray<Account>
  readonly book: MappingBook
  readonly readings: Stream.Stream<Reading, AdapterError>
  readonly timing: "ordinary" | "historical"
  /** Waiting time while nothing progresses, in seconds. */
  readonly patience: number
  /** Called with the reason if the import refuses a document, and with null otherwise. */
  readonly refused: (id: string, because: string | null) => void
}

/** Plans the export, stores the plan, and sends until nothing more can progress. */
export const importing = (job: ImportJob) =>
  Effect.gen(function* () {
    const account = yield* open(job.account)
    const order = { readings: job.readings, book: job.book, timing: job.timing }
    const planned = yield* Session.plan(account, order)
    const { plan } = planned
    yield* Stream.runForEach(plan.entries, (entry) =>
      Effect.sync(() => {
        const findings = entry._tag === "Known" ? [] : entry.findings
        const errors = findings.filter(({ severity }) => severity === "error").map(({ code }) => code)
        job.refused(entry.source.id, entry._tag === "Refused" ? errors.join(" ") : null)
      })
    )
    const consent = yield* Session.consent(account, planned, { whenLate: "send-rest" })
    const sending = Session.send(consent, { beside: openAll(job.others), patience: Duration.seconds(job.patience) })
    return summary((yield* Session.report(sending)).settlement)
  }).pipe(Effect.catchTags({ AccountStopped: refused, ImportRefused: refused }))

/** Makes the account of a device, as `connector reconcile` does without files. */
export const reconciling = (
  [account, ...others]: readonly [Account, ...ReadonlyArray<Account>],
  made: (found: Reconcile.Reconciliation) => void
) =>
  Effect.gen(function* () {
    const period = { from: CivilDate.make("2026-03-01"), to: CivilDate.make("2099-12-31") }
    const settings = yield* settingsOf(account)
    const order = { settings, others: yield* Effect.forEach(others, settingsOf), period, source: null }
    const found = yield* Reconcile.run(order)
    made(found)
    return `${found.days.length} days, ${found.differences.length} differences`
  }).pipe(Effect.catchTag("ReconcileRefused", refused))

/** Moves an account to its current device, as `account repin` does. */
export const repinning = (account: Account, because: string) =>
  Effect.gen(function* () {
    const settings = yield* settingsOf(account)
    const { destination, device } = yield* AccountFacts.read(settings, account.zone)
    const repinned = yield* (yield* SubmissionStore).repin({ ...destination, serial: device.serialNo }, because)
    return repinned._tag === "Refused" ? `not moved: ${repinned.text}` : `moved to device ${destination.lane}`
  })

/** Listens for deliveries until the process ends. */
export const listening = (ready: (receiver: WebhookReceiver.WebhookReceiverShape) => void) =>
  Effect.gen(function* () {
    ready(yield* WebhookReceiver.make())
    return yield* Effect.callback<string>(() => {})
  })

/**
 * Sends everything that can be sent for the given time, like `work` until it is stopped. A look
 * every few seconds is enough for a day.
 */
export const working = (accounts: ReadonlyArray<Account>, time: Duration.Duration) =>
  Effect.gen(function* () {
    const settings = yield* Effect.forEach(accounts, settingsOf)
    const [first] = accounts
    let stopped = first?.opening()
    const observe: Worker.WorkerOptions["observe"] = (event) =>
      Effect.sync(() => {
        if (event._tag !== "NotOpened") return
        stopped?.(event.error.account, event.error.reasons)
        // The worker tries again after each failure.
        stopped = first?.opening()
      })
    const opening = { witness: first?.witness, live: "allowed", firstUse: first?.firstUse } as const
    yield* Effect.timeoutOption(Worker.work(settings, opening, { look: "5 seconds", observe }), time)
    return "told to stop"
  })

/** Resumes interrupted sending, for all accounts of the configuration. */
export const resuming = (accounts: ReadonlyArray<Account>, patience: number) =>
  Effect.gen(function* () {
    const opened = yield* openAll(accounts)
    return opened.length === 0
      ? "nothing sent: no account could be opened"
      : summary(yield* Session.resume(opened, { patience: Duration.seconds(patience) }))
  })
