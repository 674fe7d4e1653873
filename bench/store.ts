/**
 * The budgets of submission and store: `node bench/store.ts [submission|store] [--json]`. Read the ratios; ours and the peer run in turns.
 *
 * Submission: documents a second, durable in a file, against a bare `fetch` loop that keeps nothing. Store: operations a second in a file of
 * 100 000 submissions against one of 1 000, the same mix of states.
 */
import { Duration, Effect, Layer, Redacted } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stamp } from "../packages/core/src/document/FiscalDocument.ts"
import { RequestId } from "../packages/core/src/document/Identifiers.ts"
import * as Instant from "../packages/core/src/document/Instant.ts"
import * as WireCodec from "../packages/core/src/document/WireCodec.ts"
import * as WrittenDocument from "../packages/core/src/document/WrittenDocument.ts"
import * as Gateway from "../packages/core/src/gateway/Gateway.ts"
import type { FiscalDevice } from "../packages/core/src/gateway/operation/FiscalDevice.ts"
import type { Profile } from "../packages/core/src/gateway/operation/Profile.ts"
import type { Subscription } from "../packages/core/src/gateway/operation/Subscription.ts"
import * as Transmission from "../packages/core/src/gateway/internal/SubmitCapability.ts"
import * as OpenAccount from "../packages/core/src/account/OpenAccount.ts"
import * as SqliteStore from "../packages/core/src/node/SqliteStore.ts"
import * as UndiciHttpClient from "../packages/core/src/node/UndiciHttpClient.ts"
import { StateLog } from "../packages/core/src/submission/StateLog.ts"
import type { AttemptOptions, FinishedAttempt } from "../packages/core/src/submission/SubmissionStore.ts"
import { SubmissionStore } from "../packages/core/src/submission/SubmissionStore.ts"
import * as Submitter from "../packages/core/src/engine/Submitter.ts"
import { invoice } from "../packages/core/src/testing/PlannedDocuments.ts"
import { DateTime } from "effect"

interface Result {
  readonly name: string
  readonly ours: number
  readonly peer: number
  readonly ratio: number
}

const rounds = 3
const results: Array<Result> = []
const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const keep = (name: string, ours: number, peer: number) => results.push({ name, ours, peer, ratio: ours / peer })

const noon = Instant.seconds(DateTime.makeUnsafe("2026-01-10T12:00:00+02:00"))
const zone = DateTime.zoneMakeOffset(2 * 3600 * 1000)
const document = (lane: number, n: number) =>
  invoice(`i${lane}-${n}`, {
    account: `shop${lane}`,
    taxpayer: String(lane),
    lane: `test/${lane}`,
    receiptDate: Instant.format(Instant.fromSeconds(noon + n, zone))
  })

const directory = mkdtempSync(join(tmpdir(), "fiscal-bench-"))
let files = 0
const store = () => Layer.fresh(SqliteStore.layer({ filename: join(directory, `${++files}.db`) }))

/** A gateway of nothing but latency, in a process of its own. */
const withServer = async <A>(latency: number, use: (url: string) => Promise<A>): Promise<A> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "AnsweringServer.ts"), String(latency)])
  const port = await new Promise<string>((resolve) =>
    child.stdout.once("data", (chunk) => resolve(String(chunk).trim()))
  )
  try {
    return await use(`http://127.0.0.1:${port}`)
  } finally {
    child.kill()
  }
}

interface Measured {
  readonly perSecond: number
  /** Microseconds of this process's CPU for a document. */
  readonly cpu: number
}

const measured = async (count: number, work: () => Promise<unknown>): Promise<Measured> => {
  const before = process.cpuUsage()
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  const { system, user } = process.cpuUsage(before)
  return { perSecond: count / seconds, cpu: (system + user) / count }
}

const bareFetch = (url: string, lanes: number, perLane: number): Promise<Measured> => {
  const body = WireCodec.encode(
    stamp(WrittenDocument.read(document(0, 0).document), Instant.fromSeconds(noon, zone), "first")
  )
  const lane = async () => {
    for (let n = 0; n < perLane; n++) {
      const answer = await fetch(`${url}/invoice`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json" }
      })
      await answer.text()
    }
  }
  return measured(lanes * perLane, () => Promise.all(Array.from({ length: lanes }, lane)))
}

/** The gateway with a device for the lane, of which nothing is asked on the way. */
const settled = (gateway: Gateway.GatewayOperations, lane: number) =>
  Effect.map(Transmission.of(gateway), (submit) =>
    Transmission.keep(
      {
        ...gateway,
        profile: Effect.succeed({} as Profile),
        fiscalDevice: Effect.succeed({
          deviceId: lane,
          tin: String(lane),
          serialNo: null,
          isActive: true,
          isSwitchedOn: true,
          isLive: false
        } as FiscalDevice),
        subscription: Effect.succeed({ status: "active", isDeleted: false } as Subscription),
        zReports: () => Effect.succeed({ items: [], totalItemCount: 0, page: 1, pageSize: 20, unknownFields: {} })
      },
      submit
    )
  )

const ours = (url: string, lanes: number, perLane: number): Promise<Measured> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const own = yield* SubmissionStore
      const submitter = yield* Submitter.Submitter
      const accounts = yield* Effect.forEach(
        Array.from({ length: lanes }, (_, n) => n),
        (n) =>
          Effect.gen(function* () {
            const account = `shop${n}`
            const gateway = yield* Gateway.make({
              account,
              baseUrl: url,
              application: "bench",
              station: "1",
              apiKey: Redacted.make("key"),
              secret: Redacted.make("secret")
            })
            yield* own.plan(Array.from({ length: perLane }, (_, i) => document(n, i)))
            return yield* OpenAccount.open({ account, gateway: yield* settled(gateway, n) })
          })
      )
      const run = Effect.runPromiseWith(yield* Effect.context())
      return yield* Effect.promise(() => measured(lanes * perLane, () => run(submitter.drain(accounts))))
    }).pipe(
      Effect.provide(Layer.mergeAll(Submitter.layer(), UndiciHttpClient.layer()).pipe(Layer.provideMerge(store())))
    )
  )

const submission = async () => {
  for (const latency of [20, 0]) {
    for (const lanes of [1, 16]) {
      const perLane = latency === 0 ? Math.ceil(3000 / lanes) : 150
      const [mine, bare] = await withServer(latency, async (url) => {
        const mine: Array<Measured> = []
        const bare: Array<Measured> = []
        await bareFetch(url, lanes, 20)
        for (let round = 0; round < rounds; round++) {
          bare.push(await bareFetch(url, lanes, perLane))
          mine.push(await ours(url, lanes, perLane))
        }
        return [mine, bare] as const
      })
      const name = `submission, ${latency} ms, ${lanes} ${lanes === 1 ? "lane" : "lanes"}`
      keep(
        `${name}, documents/s against fetch`,
        median(mine.map((m) => m.perSecond)),
        median(bare.map((m) => m.perSecond))
      )
      keep(`${name}, CPU µs/document against fetch`, median(mine.map((m) => m.cpu)), median(bare.map((m) => m.cpu)))
    }
  }
}

const options: AttemptOptions = {
  accounts: [{ account: "shop0", environment: "test", afterRejection: "retry", goOnAfter: "accepted" }],
  lease: Duration.minutes(2),
  skew: Duration.zero
}

type Timings = Record<"claim and finish" | "list" | "health", number>

/** Microseconds an operation takes with this many submissions in the file, nine tenths of them fiscalised. */
const timings = (size: number): Promise<Timings> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const own = yield* SubmissionStore
      for (let from = 0; from < size; from += 500) {
        yield* own.plan(Array.from({ length: Math.min(500, size - from) }, (_, i) => document(0, from + i)))
      }
      const claim = yield* own.claim("0", "bench", options.lease, () => true)
      if (claim._tag === "Busy") return yield* Effect.die("busy")
      let finished: FinishedAttempt | undefined
      const send = (n: number) =>
        Effect.gen(function* () {
          const next = yield* own.beginAttempt(claim.lease, options, finished)
          if (next._tag !== "Begun") return yield* Effect.die(next._tag)
          const result = { _tag: "Accepted", requestId: RequestId.make(`r${n}`) } as const
          finished = { attempt: next.attempt, result, firstLook: Duration.zero }
        })
      const items = (from: number, count: number) =>
        Array.from({ length: count }, (_, i) => ({
          _tag: "Fiscalised" as const,
          requestId: RequestId.make(`r${from + i}`),
          qrData: null,
          fiscalInvoicePdf: null
        }))
      const done = Math.floor(size * 0.9)
      for (let n = 0; n < done; n++) {
        yield* send(n)
        if (n % 200 === 199 || n === done - 1)
          yield* Effect.provideService(
            own.recordOutcomes("shop0", items(n - (n % 200), (n % 200) + 1), "poll"),
            StateLog,
            "silent"
          )
      }
      const time = (times: number, work: Effect.Effect<unknown, unknown>) =>
        Effect.gen(function* () {
          const samples: Array<number> = []
          for (let n = 0; n < times; n++) {
            const start = performance.now()
            yield* work
            samples.push((performance.now() - start) * 1000)
          }
          return median(samples)
        })
      let n = done
      // first, while a tenth is Planned in either file: 100 rows from both
      const list = yield* time(30, own.list({ states: ["Planned", "Unknown"], limit: 100 }))
      return {
        list,
        "claim and finish": yield* time(
          90,
          Effect.suspend(() => send(n++))
        ),
        health: yield* time(90, own.health(Duration.days(7)))
      }
    }).pipe(Effect.provide(store()), Effect.orDie)
  )

const storeBudgets = async () => {
  const small: Array<Timings> = []
  for (let round = 0; round < rounds; round++) small.push(await timings(1000))
  const large = await timings(100_000)
  for (const name of ["claim and finish", "list", "health"] as const) {
    keep(`store, ${name}, µs at 100 000 against 1 000`, large[name], median(small.map((timings) => timings[name])))
  }
}

const only = process.argv.find((argument) => argument === "submission" || argument === "store")
try {
  if (only !== "store") await submission()
  if (only !== "submission") await storeBudgets()
} finally {
  rmSync(directory, { recursive: true, force: true })
}
if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify(results)}\n`)
else {
  for (const { name, ours, peer, ratio } of results) {
    process.stdout.write(`${name}: ${ours.toFixed(1)} / ${peer.toFixed(1)} = ${ratio.toFixed(2)}\n`)
  }
}
