/**
 * PostgreSQL topic: cost per document with our pipelining client, against the driver's own client,
 * which waits for every statement. Measures elapsed time on a connection with 25 ms each way, where
 * a document takes as long as its round trips, and CPU time with 16 lanes.
 */
import * as DriverClient from "../../packages/core/test/postgres/DriverClient.ts"
import { Duration, Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import { connect, createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { RequestId } from "../../packages/core/src/document/Identifiers.ts"
import * as PgPipeline from "../../packages/core/src/node/PgPipeline.ts"
import { open } from "../../packages/core/src/store/SqlStore.ts"
import type { AttemptOptions, FinishedAttempt } from "../../packages/core/src/submission/Attempt.ts"
import { launch } from "../../packages/core/test/postgres/OwnServer.ts"
import { document } from "../data/PlannedLanes.ts"
import { here } from "../frame/Measured.ts"
import { cost, pace, type Sample, type Topic } from "../frame/Topic.ts"

const clients = { "the driver's own": DriverClient.make, pipelined: PgPipeline.make } as const
type Which = keyof typeof clients

/** Makes a connection to the server that takes `millis` milliseconds each way. */
const wire = (port: number, millis: number) =>
  new Promise<{ readonly port: number; readonly close: () => void }>((resolve) => {
    const server = createServer((near) => {
      const far = connect(port, "127.0.0.1")
      for (const [from, to] of [
        [near, far],
        [far, near]
      ] as const) {
        from.on("data", (data) => setTimeout(() => to.writable && to.write(data), millis))
        from.on("close", () => setTimeout(() => to.destroy(), millis))
        from.on("error", () => undefined)
      }
    }).listen(0, "127.0.0.1", () =>
      resolve({ port: (server.address() as AddressInfo).port, close: () => server.close() })
    )
  })

let schemas = 0
const run = (which: Which, url: string, lanes: number, perLane: number): Promise<Sample> =>
  Effect.gen(function* () {
    const schema = `bench_${++schemas}`
    const settings = { url: Redacted.make(url), maxConnections: lanes, startupParameters: { search_path: schema } }
    const sql = yield* clients[which](settings)
    yield* sql.unsafe(`create schema ${schema}`)
    const store = yield* Effect.provideService(open({ time: "database" }), SqlClient, sql)
    const lease = Duration.minutes(2)
    const begin = Effect.fnUntraced(function* (lane: number) {
      yield* store.plan(Array.from({ length: perLane }, (_, n) => document(lane, n)))
      const claim = yield* store.claim(`test/${lane}`, "bench", lease, () => true)
      return claim._tag === "Claimed" ? claim.lease : yield* Effect.die("busy")
    })
    const leases = yield* Effect.forEach(
      Array.from({ length: lanes }, (_, n) => n),
      begin
    )
    const work = Effect.forEach(
      leases,
      (held, lane) =>
        Effect.gen(function* () {
          const options: AttemptOptions = {
            accounts: [
              { account: `shop${lane}`, environment: "test", afterRejection: "retry", continueAfter: "accepted" }
            ],
            lease,
            skew: Duration.zero
          }
          let finished: FinishedAttempt | undefined
          for (let n = 0; n < perLane; n++) {
            const next = yield* store.beginAttempt(held, options, finished)
            if (next._tag !== "Begun") return yield* Effect.die(next._tag)
            const requestId = RequestId.make(`r${lane}-${n}`)
            finished = { attempt: next.attempt, result: { _tag: "Accepted", requestId }, firstLook: Duration.zero }
          }
        }),
      { concurrency: "unbounded", discard: true }
    )
    const settled = Effect.runPromiseWith(yield* Effect.context<never>())
    return yield* Effect.promise(() =>
      here(async () => {
        await settled(work)
        return lanes * perLane
      })
    )
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.runPromise)

export const topic = async (): Promise<Topic> => {
  const server = await launch("max_connections=100")
  const slow = await wire(Number(new URL(server.url).port), 25)
  const far = new URL(server.url)
  far.port = String(slow.port)
  const sides: Record<string, () => Promise<Sample>> = {}
  for (const which of Object.keys(clients) as ReadonlyArray<Which>) {
    sides[`${which}, 50 ms away`] = () => run(which, far.href, 1, 15)
    sides[`${which}, 16 lanes`] = () => run(which, server.url, 16, 60)
  }
  return {
    sides,
    rows: [
      {
        name: "PostgreSQL 50 ms away, documents of a lane against the driver's own client; 20/s is one round trip a document",
        ours: "pipelined, 50 ms away",
        peer: "the driver's own, 50 ms away",
        figure: pace("documents")
      },
      {
        name: "PostgreSQL, 16 lanes, against the driver's own client",
        ours: "pipelined, 16 lanes",
        peer: "the driver's own, 16 lanes",
        figure: cost("document")
      }
    ],
    end: async () => {
      slow.close()
      await server.close()
    }
  }
}
