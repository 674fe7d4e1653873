/** What people run: an import of an export, and a resume; the same steps as the commands take, without the printing. */
import { DateTime, Effect, Layer, Option, Redacted, Stream } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Connector from "@fiscal-connector/core/connector/Connector"
import * as DayClose from "@fiscal-connector/core/connector/DayClose"
import * as Gateway from "@fiscal-connector/core/gateway/Gateway"
import * as ImportPlan from "@fiscal-connector/core/import/ImportPlan"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import type { SqliteConfig } from "@fiscal-connector/core/node/SqliteClient"
import type { Holder } from "@fiscal-connector/core/node/SqliteHolder"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import * as DeviceFacts from "@fiscal-connector/core/preflight/DeviceFacts"
import * as DeviceStanding from "@fiscal-connector/core/preflight/DeviceStanding"
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import * as Runner from "@fiscal-connector/core/submission/Runner"
import * as StatusPoller from "@fiscal-connector/core/submission/StatusPoller"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as Submitter from "@fiscal-connector/core/submission/Submitter"
import { keyOf } from "./GatewaySide.ts"

/** How a process reaches the world: over its own client, on its own connections. */
export const engine = (client: HttpClient.HttpClient, store: SqliteConfig, holder: Holder) =>
  Layer.mergeAll(
    Submitter.layer({ holder }),
    StatusPoller.layer,
    SqliteStaging.layerMemory,
    Layer.succeed(HttpClient.HttpClient)(client)
  ).pipe(Layer.provideMerge(SqliteStore.layer(store)))

export interface Account {
  readonly account: string
  readonly secret: string
}

const connect = Effect.fnUntraced(function* ({ account, secret }: Account) {
  const gateway = yield* Gateway.make({
    account,
    baseUrl: "http://127.0.0.1:1",
    application: "app",
    station: "station",
    apiKey: Redacted.make(keyOf(account)),
    secret: Redacted.make(secret)
  })
  const device = yield* gateway.fiscalDevice
  return { gateway, device, submitting: { account, environment: "test" as const, gateway } }
})

/** How a run was left, in words. */
const summary = ({ lanes, open }: Runner.Settlement): string => {
  const left = lanes.map(({ attempts, end }) => {
    const why = end._tag === "Waiting" ? ` for ${end.wait.for}` : end._tag === "Stopped" ? ` by ${end.stop.cause}` : ""
    const how = end._tag === "Busy" && end.holder === "another worker" ? "lost the lane" : end._tag.toLowerCase()
    return `${attempts} sent, ${how}${why}`
  })
  return `${left.join("; ")}; ${open} open`
}

export interface Refusal {
  readonly id: string
  readonly because: string
}

export interface ImportJob {
  readonly account: Account
  readonly book: MappingBook
  readonly documents: ReadonlyArray<SourceDocument>
  readonly passage: "ordinary" | "historical"
  /** What the import itself refuses; called for what it no longer refuses, too. */
  readonly refused: (id: string, because: string | null) => void
}

/** Plans the export, hands it to the store, and sends until nothing more happens by itself. */
export const importing = Effect.fnUntraced(function* ({ account, book, documents, passage, refused }: ImportJob) {
  const { device, gateway, submitting } = yield* connect(account)
  const store = yield* SubmissionStore
  const destination = ImportPlan.destination(account.account, device, "test")
  const lastClose = yield* DayClose.lastClose(gateway, book.zone).pipe(
    Effect.catchTag("GatewayError", () => Effect.succeedNone)
  )
  const pin = yield* store.pin(destination)
  if (pin._tag === "Changed") return "nothing sent: another device"
  if (Option.isSome(lastClose)) yield* store.closeDay(destination.lane, lastClose.value)
  const plan = yield* Connector.plan(Stream.fromIterable(documents), {
    account: account.account,
    book,
    originals: new Map(),
    device: DeviceFacts.make(device, ["USD"], DateTime.setZone(yield* DateTime.now, book.zone)),
    destination,
    passage,
    lastClose: Option.getOrUndefined(lastClose)
  })
  yield* Stream.runForEach(plan.entries, (entry) =>
    Effect.sync(() => {
      const { findings, source } = entry._tag === "Known" ? { ...entry, findings: [] } : entry
      const errors = findings.filter(({ severity }) => severity === "error").map(({ code }) => code)
      refused(source.id, entry._tag === "Refused" ? errors.join(" ") : null)
    })
  )
  if (DeviceStanding.check(device, undefined).length > 0) return "nothing sent: the device does not stand"
  yield* Connector.submit(plan)
  return summary(yield* Runner.settle([submitting]))
})

/** Goes on where something was cut off. */
export const resuming = (account: Account) =>
  Effect.flatMap(connect(account), ({ submitting }) => Effect.map(Runner.settle([submitting]), summary))
