/**
 * What a document costs on PostgreSQL: `node bench/postgres.ts`. The driver's own client, which waits for every statement, against ours, in turns
 * in one run; round trips by a wire that takes 25 ms each way.
 */
import * as DriverClient from "../packages/core/test/postgres/DriverClient.ts"
import { DateTime, Duration, Effect, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import { connect, createServer } from "node:net"
import type { AddressInfo } from "node:net"
import * as Instant from "../packages/core/src/document/Instant.ts"
import { RequestId } from "../packages/core/src/document/Identifiers.ts"
import * as PgPipeline from "../packages/core/src/node/PgPipeline.ts"
import { open } from "../packages/core/src/store/SqlStore.ts"
import type { AttemptOptions, FinishedAttempt } from "../packages/core/src/submission/SubmissionStore.ts"
import { invoice } from "../packages/core/src/testing/PlannedDocuments.ts"
import { launch } from "../packages/core/test/postgres/OwnServer.ts"

const noon = Instant.seconds(DateTime.makeUnsafe("2026-01-10T12:00:00+02:00"))
const zone = DateTime.zoneMakeOffset(2 * 3600 * 1000)
const document = (lane: number, n: number) =>
  invoice(`i${lane}-${n}`, {
    account: `shop${lane}`,
    taxpayer: String(lane),
    lane: `test/${lane}`,
    receiptDate: Instant.format(Instant.fromSeconds(noon + n, zone))
  })

const clients = { "the driver's own": DriverClient.make, pipelined: PgPipeline.make } as const
type Which = keyof typeof clients

/** A wire to the server that takes so long each way. */
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
const run = (which: Which, url: string, lanes: number, perLane: number) =>
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
            accounts: [{ account: `shop${lane}`, environment: "test", afterRejection: "retry", goOnAfter: "accepted" }],
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
    const before = process.cpuUsage()
    const start = performance.now()
    yield* work
    const millis = performance.now() - start
    const { system, user } = process.cpuUsage(before)
    const count = lanes * perLane
    return { millis: millis / perLane, cpu: (system + user) / count, perSecond: count / (millis / 1000) }
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.runPromise)

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const server = await launch("max_connections=100")
try {
  const slow = await wire(Number(new URL(server.url).port), 25)
  const far = new URL(server.url)
  far.port = String(slow.port)
  const names = Object.keys(clients) as ReadonlyArray<Which>
  for (const which of names) {
    const { millis } = await run(which, far.href, 1, 15)
    process.stdout.write(`${which}: ${(millis / 50).toFixed(1)} round trips a document\n`)
  }
  const rounds: Record<Which, Array<{ readonly cpu: number; readonly perSecond: number }>> = {
    "the driver's own": [],
    pipelined: []
  }
  for (let round = 0; round < 3; round++) {
    for (const which of names) rounds[which].push(await run(which, server.url, 16, 60))
  }
  for (const which of names) {
    const cpu = median(rounds[which].map(({ cpu }) => cpu))
    const perSecond = median(rounds[which].map(({ perSecond }) => perSecond))
    process.stdout.write(
      `${which}: ${cpu.toFixed(0)} µs of CPU a document, ${perSecond.toFixed(0)} documents/s in 16 lanes\n`
    )
  }
  slow.close()
} finally {
  await server.close()
}
process.exit(0)
