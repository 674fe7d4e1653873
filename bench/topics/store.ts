/**
 * Store topic on a file: cost per operation with many submissions, against a thousand. Nine tenths
 * are fiscalized.
 */
import { Duration, Effect, ManagedRuntime } from "effect"
import { RequestId } from "../../packages/core/src/document/Identifiers.ts"
import { StateLog } from "../../packages/core/src/submission/StateLog.ts"
import type { AttemptOptions, FinishedAttempt } from "../../packages/core/src/submission/Attempt.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import { document, store } from "../data/PlannedLanes.ts"
import { here } from "../frame/Measured.ts"
import { cost, type Row, type Sample, type Scale, type Topic } from "../frame/Topic.ts"

const options: AttemptOptions = {
  accounts: [{ account: "shop0", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
  lease: Duration.minutes(10),
  skew: Duration.zero
}

const fiscalised = (n: number) => ({
  _tag: "Fiscalised" as const,
  requestId: RequestId.make(`r${n}`),
  qrData: null,
  fiscalInvoicePdf: null
})

const few = 1000

/**
 * Returns a store with `size` submissions, and the operations to measure; each returns its number
 * of repetitions.
 */
const filled = async (folder: string, size: number) => {
  const runtime = ManagedRuntime.make(store(folder))
  const own = await runtime.runPromise(SubmissionStore)
  const run = <A>(work: Effect.Effect<A, unknown>) => runtime.runPromise(Effect.orDie(work))
  for (let from = 0; from < size; from += 500) {
    await run(own.plan(Array.from({ length: Math.min(500, size - from) }, (_, i) => document(0, from + i))))
  }
  const claimed = await run(own.claim("test/0", "bench", options.lease, () => true))
  if (claimed._tag === "Busy") throw new Error("the lane is taken")
  let finished: FinishedAttempt | undefined
  let sent = 0
  const send = Effect.gen(function* () {
    const next = yield* own.beginAttempt(claimed.lease, options, finished)
    if (next._tag !== "Begun") return yield* Effect.die(next._tag)
    const result = { _tag: "Accepted", requestId: RequestId.make(`r${sent++}`) } as const
    finished = { attempt: next.attempt, result, firstLook: Duration.zero }
  })
  const settled = Math.floor(size * 0.9)
  for (let first = 0; first < settled; first += 200) {
    const count = Math.min(200, settled - first)
    await run(Effect.repeat(send, { times: count - 1 }))
    // the answer of the last attempt is written with the next attempt
    const outcomes = Array.from({ length: count }, (_, i) => fiscalised(Math.max(0, first + i - 1)))
    await run(Effect.provideService(own.recordOutcomes("shop0", outcomes, "poll"), StateLog, "silent"))
  }
  const times = (count: number, work: Effect.Effect<unknown, unknown>) => async () => {
    await run(Effect.repeat(work, { times: count - 1 }))
    return count
  }
  let looked = 0
  const explain = Effect.suspend(() => {
    looked = (looked + 7919) % settled
    const { account, document: of } = document(0, looked)
    return own.explain({ account, kind: of.kind, id: of.id })
  })
  const work: Readonly<Record<string, () => Promise<number>>> = {
    // 100 rows from either file
    list: times(20, own.list({ states: ["Planned", "Unknown"], limit: 50 })),
    health: times(20, own.health(Duration.days(7))),
    explain: times(50, explain),
    "claim and finish": times(15, send)
  }
  return { work, end: () => runtime.dispose() }
}

export const topic = async ({ folder, rows }: Scale): Promise<Topic> => {
  const sides: Record<string, () => Promise<Sample>> = {}
  const results: Array<Row> = []
  const ends: Array<() => Promise<void>> = []
  for (const size of [few, rows]) {
    const { end, work } = await filled(folder, size)
    ends.push(end)
    for (const [name, once] of Object.entries(work)) {
      await once()
      sides[`${name} of ${size}`] = () => here(once)
    }
  }
  for (const name of ["claim and finish", "list", "health", "explain"]) {
    const [ours, peer] = [`${name} of ${rows}`, `${name} of ${few}`]
    results.push({ name: `store, ${name}, with ${rows} submissions against ${few}`, ours, peer, figure: cost("time") })
  }
  return {
    sides,
    rows: results,
    end: async () => {
      for (const end of ends) await end()
    }
  }
}
