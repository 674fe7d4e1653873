/**
 * Process that accepts an import of four documents as a durable job, submits them, waits for their
 * outcomes, and kills itself at the ordered point.
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Socket } from "node:net"
import * as Gateway from "../../packages/core/src/gateway/Gateway.ts"
import * as Transmission from "../../packages/core/src/gateway/internal/SubmitCapability.ts"
import * as StoreOpening from "../../packages/core/src/node/StoreOpening.ts"
import { StateLog } from "../../packages/core/src/submission/StateLog.ts"
import * as UndiciHttpClient from "../../packages/core/src/node/UndiciHttpClient.ts"
import { run } from "../../packages/core/src/sending/Runner.ts"
import type { AccountSettings } from "../../packages/core/src/account/AccountSettings.ts"
import * as OpenAccount from "../../packages/core/src/account/OpenAccount.ts"
import * as StatusPoller from "../../packages/core/src/sending/StatusPoller.ts"
import type { PlannedDocument } from "../../packages/core/src/submission/PlannedDocument.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../packages/core/src/submission/SubmissionStore.ts"
import * as Submitter from "../../packages/core/src/sending/Submitter.ts"
import { placeOf } from "./CrashPlace.ts"
import { commits, countCommit, dieAt, orders } from "./CommitWatch.ts"
import { documents } from "./Documents.ts"
import type { Extent } from "./CrashPoint.ts"

const done = { submits: 0, polls: 0 }

/**
 * Watches the wire: before a commit leaves, and when it is answered. The wire contains the text of
 * the commit or the name of its prepared statement.
 */
const watched = (wire: Socket): Socket => {
  let answered: (() => void) | undefined
  const write = wire.write.bind(wire) as (chunk: Uint8Array) => boolean
  wire.write = ((chunk: Uint8Array) => {
    if (Buffer.from(chunk).includes("COMMIT\0")) {
      const n = countCommit()
      dieAt("commit", n, "before")
      answered = () => dieAt("commit", n, "after")
    }
    return write(chunk)
  }) as Socket["write"]
  wire.prependListener("data", (data: Buffer) => {
    if (answered === undefined || !data.includes("COMMIT\0")) return
    const dies = answered
    answered = undefined
    dies()
  })
  return wire
}

/** Kills the process in flight: the gateway delays every answer, so the process never reads it. */
const inFlight = (of: "submit" | "status", n: number) =>
  Effect.andThen(
    Effect.sleep("40 millis"),
    Effect.sync(() => dieAt(of, n, "in-flight"))
  )

const dangerous = <A, E>(
  of: "submit" | "status",
  count: () => number,
  request: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const n = count()
    dieAt(of, n, "before")
    const killed = orders.site?.of === of && orders.site.n === n && orders.site.when === "in-flight"
    const sent = killed ? Effect.raceFirst(request, Effect.andThen(inFlight(of, n), Effect.never)) : request
    return Effect.onExit(sent, () => Effect.sync(() => dieAt(of, n, "after")))
  })

const accountOf = (gateway: Gateway.GatewayOperations): Effect.Effect<AccountSettings> =>
  Effect.map(Transmission.of(gateway), (submit) => ({
    account: "shop",
    firstLook: "30 millis",
    quietPeriod: "900 millis",
    ...(orders.policy === "hold"
      ? { unknown: "hold" }
      : { unknown: "resend-flagged", assumptions: { "DOC-10": "deduplicates" } }),
    gateway: Transmission.keep(
      { ...gateway, status: (ids) => dangerous("status", () => ++done.polls, gateway.status(ids)) },
      (document) => dangerous("submit", () => ++done.submits, submit(document))
    )
  }))

/**
 * Accepts the import, unless an earlier process has done so. The work left by an earlier process is
 * taken over by the next process.
 */
const accept = (store: SubmissionStoreOperations, all: ReadonlyArray<PlannedDocument>) =>
  Effect.gen(function* () {
    const waits = (yield* store.imports({ standings: ["accepted"] })).length > 0
    if (waits || (yield* store.list({ limit: 1 })).length > 0) return
    const [{ account, environment, lane, taxpayer }] = all as readonly [PlannedDocument]
    const made = {
      at: DateTime.setZone(yield* DateTime.now, DateTime.zoneMakeOffset(0)),
      destination: { account, environment, lane, taxpayer },
      adapter: "documents",
      files: [],
      book: null,
      settings: {}
    }
    const id = yield* store.beginImport(made, "until-handed-over")
    yield* store.keepRest(id, all.slice(0, 2))
    yield* store.keepRest(id, all.slice(2))
    yield* store.acceptImport(id, { documents: all.length, refused: 0, skipped: 0 })
  })

const program = Effect.gen(function* () {
  const store = yield* SubmissionStore
  const gateway = yield* Gateway.make({
    account: "shop",
    baseUrl: orders.url,
    application: "sandbox-application",
    station: "sandbox-station",
    apiKey: Redacted.make("sandbox-key"),
    secret: Redacted.make("sandbox-secret"),
    timeouts: { write: "250 millis" }
  })
  yield* accept(store, documents(orders.firstSecond))
  yield* run([yield* OpenAccount.open(yield* accountOf(gateway))], { patience: "3 seconds" })
  return { ...done, commits: commits() } satisfies Extent
}).pipe(
  Effect.provide(
    Layer.mergeAll(
      Layer.unwrap(
        Effect.map(StoreOpening.holder(placeOf(orders.place)), (holder) =>
          Submitter.layer({
            lease: "500 millis",
            longestRequest: "300 millis",
            margin: "50 millis",
            backOff: { first: "20 millis", longest: "100 millis" },
            holder
          })
        )
      ),
      StatusPoller.layer,
      UndiciHttpClient.layer()
    ).pipe(Layer.provideMerge(StoreOpening.layer(placeOf(orders.place, watched))))
  )
)

// The answer is written to standard output.
process.stdout.write(JSON.stringify(await Effect.runPromise(Effect.provideService(program, StateLog, "silent"))))
