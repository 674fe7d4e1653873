/** What people run: an import of an export, and a resume; the same steps as the commands take, without the printing. */
import { type DateTime, Duration, Effect, Layer, Option, Redacted, Stream } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Gateway from "@fiscal-connector/core/gateway/Gateway"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import type { SqliteConfig } from "@fiscal-connector/core/unstable/node/SqliteClient"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import type { AdapterError, Reading } from "@fiscal-connector/core/source/Adapter"
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import type { Holder } from "@fiscal-connector/core/submission/Holder"
import * as AccountFacts from "@fiscal-connector/core/unstable/account/AccountFacts"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as Session from "@fiscal-connector/core/session/Session"
import * as StatusPoller from "@fiscal-connector/core/engine/StatusPoller"
import type { StoreWitness } from "@fiscal-connector/core/account/StoreWitness"
import * as Submitter from "@fiscal-connector/core/engine/Submitter"
import { keyOf } from "./Accounts.ts"
import type { AccountStopped } from "@fiscal-connector/core/account/StopReason"
import * as Worker from "@fiscal-connector/core/engine/Worker"
import * as WebhookReceiver from "@fiscal-connector/core/webhook/WebhookReceiver"

/** How a process reaches the world: over its own client, on its own connections. */
export const engine = (client: HttpClient.HttpClient, store: SqliteConfig, holder: Holder) =>
  Layer.mergeAll(
    Submitter.layer({ holder }),
    StatusPoller.layer,
    SqliteStaging.layerMemory,
    Layer.succeed(HttpClient.HttpClient)(client)
  ).pipe(Layer.provideMerge(SqliteStore.layer(store)))

/** A configured account, as the person who runs something has it. */
export interface Account {
  readonly account: string
  readonly secret: string
  readonly zone: DateTime.TimeZone
  readonly witness: StoreWitness
  /** What the configuration says of it beside. */
  readonly policy: Partial<AccountSettings>
  /** The code of the first use of a live device, once a person has it. */
  readonly firstUse: string | undefined
  /** Told of what stands in the way of sending. */
  readonly stopped: (account: string, reasons: AccountStopped["reasons"]) => void
}

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

const open = (account: Account) =>
  Effect.flatMap(settingsOf(account), (settings) =>
    Session.open(settings, { witness: account.witness, live: "allowed", firstUse: account.firstUse })
  ).pipe(
    Effect.tapErrorTag("AccountStopped", ({ reasons }) => Effect.sync(() => account.stopped(account.account, reasons)))
  )

/** The permissions of those that can be opened: the others' documents wait in their line. */
const openAll = (accounts: ReadonlyArray<Account>) =>
  Effect.map(
    Effect.forEach(accounts, (account) =>
      Effect.catchTag(Effect.asSome(open(account)), "AccountStopped", () => Effect.succeedNone)
    ),
    (opened) => opened.flatMap(Option.toArray)
  )

/** How a run was left, in words. */
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
  /** How long it waits while nothing moves, in seconds. */
  readonly patience: number
  /** What the import itself refuses; called with null for what it does not. */
  readonly refused: (id: string, because: string | null) => void
}

/** Plans the export, hands it to the store, and sends until nothing more happens by itself. */
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

/** Moves an account to the device it has now, as `account repin` does. */
export const repinning = (account: Account, because: string) =>
  Effect.gen(function* () {
    const settings = yield* settingsOf(account)
    const { destination, device } = yield* AccountFacts.read(settings, account.zone)
    const repinned = yield* (yield* SubmissionStore).repin({ ...destination, serial: device.serialNo }, because)
    return repinned._tag === "Refused" ? `not moved: ${repinned.because}` : `moved to device ${destination.lane}`
  })

/** Listens for deliveries for as long as it lives. */
export const listening = (ready: (receiver: WebhookReceiver.WebhookReceiverShape) => void) =>
  Effect.gen(function* () {
    ready(yield* WebhookReceiver.make())
    return yield* Effect.callback<string>(() => {})
  })

/** Sends whatever can be sent, for so long: as `work` does until it is stopped. A look every few seconds is enough for a day. */
export const working = (accounts: ReadonlyArray<Account>, time: Duration.Duration) =>
  Effect.gen(function* () {
    const settings = yield* Effect.forEach(accounts, settingsOf)
    const [first] = accounts
    const stopped: Worker.WorkerOptions["observe"] = (event) =>
      Effect.sync(() => {
        if (event._tag === "NotOpened") first?.stopped(event.error.account, event.error.reasons)
      })
    const opening = { witness: first?.witness, live: "allowed", firstUse: first?.firstUse } as const
    yield* Effect.timeoutOption(Worker.work(settings, opening, { look: "5 seconds", observe: stopped }), time)
    return "told to stop"
  })

/** Goes on where something was cut off, for all accounts of the configuration. */
export const resuming = (accounts: ReadonlyArray<Account>, patience: number) =>
  Effect.gen(function* () {
    const opened = yield* openAll(accounts)
    return opened.length === 0
      ? "nothing sent: no account could be opened"
      : summary(yield* Session.resume(opened, { patience: Duration.seconds(patience) }))
  })
