/**
 * Store topic on a file: cost per operation with many submissions, against a thousand. Nine tenths
 * are fiscalized.
 */
import { DateTime, Duration, Effect, ManagedRuntime, Stream } from "effect"
import { DatabaseSync } from "node:sqlite"
import * as Attention from "../../packages/core/src/attention/Attention.ts"
import { RequestId } from "../../packages/core/src/document/Identifiers.ts"
import { StateLog } from "../../packages/core/src/submission/StateLog.ts"
import type { AttemptOptions, FinishedAttempt } from "../../packages/core/src/submission/Attempt.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import * as ImportMadeText from "../../packages/core/src/store/rows/ImportMadeText.ts"
import { document, fileOf, storeIn } from "../data/PlannedLanes.ts"
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

/** Documents of a day: one each minute of twelve hours. */
const perDay = 720

const made = ImportMadeText.write({
  destination: { account: "shop0", taxpayer: "0", lane: "test/0", environment: "test" },
  adapter: "csv",
  files: [{ name: "invoices.csv", bytes: 4000, sha256: "0".repeat(64) }],
  book: null,
  settings: {}
})

/**
 * Dates the requests a minute apart, up to now, so that a day has as many in each store, and adds
 * an import for each twenty documents.
 */
const spread = (file: string): void => {
  const db = new DatabaseSync(file)
  const now = Date.now()
  for (const [table, time, place] of [
    ["fiscal_attempt", "begun_at", "id"],
    ["fiscal_event", "at", "submission"],
    ["fiscal_submission", "since", "seq"]
  ] as const)
    db.exec(`update ${table} set ${time} = ${now} - ((select max(seq) from fiscal_submission) - ${place}) * 60000`)
  const imports = `with recursive n(i) as (select 1 union all select i + 1 from n where i < (select max(seq) / 20 from fiscal_submission))
    insert into fiscal_import (account, at, made, standing, documents, refused, skipped)
    select 'shop0', '2026-01-10T12:00:00+02:00', ?, 'whole', 20, 0, 0 from n`
  db.prepare(imports).run(made)
  db.close()
}

/**
 * Returns a store with `size` submissions, and the operations to measure; each returns its number
 * of repetitions.
 */
const filled = async (folder: string, size: number) => {
  const file = fileOf(folder)
  const runtime = ManagedRuntime.make(storeIn(file))
  const own = await runtime.runPromise(SubmissionStore)
  const run = <A>(work: Effect.Effect<A, unknown>) => runtime.runPromise(Effect.orDie(work))
  for (let from = 0; from < size; from += 500) {
    const some = Array.from({ length: Math.min(500, size - from) }, (_, i) => from + i)
    // one buyer in a hundred documents is asked for below
    const planned = some.map((n) => document(0, n, n % 100 === 7 ? { buyer: "Grace Example" } : {}))
    await run(own.plan(planned))
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
  spread(file)
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
  const since = DateTime.makeUnsafe(Date.now() - (size - settled) * 60_000 - perDay * 60_000)
  const day = Stream.runForEach(Stream.grouped(own.documentsOf("test/0", "sent", since), 500), (some) =>
    own.revisions(some.map(({ revision, seq }) => [seq, revision]))
  )
  const newest = { order: "newest-first", limit: 50 } as const
  const work: Readonly<Record<string, () => Promise<number>>> = {
    // 100 rows from either file
    list: times(20, own.list({ states: ["Planned", "Unknown"], limit: 50 })),
    health: times(20, own.health(Duration.days(7))),
    attention: times(20, Effect.map(own.health(Duration.days(7)), Attention.of)),
    explain: times(50, explain),
    imports: times(50, own.imports({ limit: 50 })),
    "a page of documents": times(20, own.list({ ...newest, states: ["Fiscalised"] })),
    "documents of a buyer": times(20, own.list({ ...newest, limit: 5, matching: "grace" })),
    "a buyer of no document": times(2, own.list({ ...newest, matching: "nobody" })),
    "changes since a time": times(20, own.changed({ since, limit: 50 })),
    activity: times(20, own.activity(since, Duration.hours(1))),
    "receipts of a day": times(2, day),
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
  const names = new Set(Object.keys(sides).map((side) => side.slice(0, side.lastIndexOf(" of "))))
  for (const name of names) {
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
