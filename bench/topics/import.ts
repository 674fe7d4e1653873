/**
 * Import topic: planning a file again with only known documents, against planning the file the
 * first time.
 */
import { Duration, Effect, Layer, ManagedRuntime, Stream } from "effect"
import { createReadStream } from "node:fs"
import { join } from "node:path"
import { adapter } from "../../packages/adapter-csv/src/CsvAdapter.ts"
import { acceptPlan } from "../../packages/core/src/session/Acceptance.ts"
import { planBatch } from "../../packages/core/src/session/Planning.ts"
import { RequestId } from "../../packages/core/src/document/Identifiers.ts"
import { load } from "../../packages/core/src/mapping/BookFile.ts"
import * as SqliteStaging from "../../packages/core/src/node/SqliteStaging.ts"
import { StateLog } from "../../packages/core/src/submission/StateLog.ts"
import type { FinishedAttempt } from "../../packages/core/src/submission/Attempt.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import { write } from "../data/GeneratedCsv.ts"
import { store } from "../data/PlannedLanes.ts"
import { here } from "../frame/Measured.ts"
import { cpu, type Sample, type Scale, type Topic } from "../frame/Topic.ts"
import { book } from "./CsvCompetitors.ts"

const destination = { account: "shop", taxpayer: "2000000001", lane: "test/1", environment: "test" } as const
const lease = Duration.minutes(30)

const plan = (file: string) =>
  Effect.gen(function* () {
    const bytes = Stream.suspend(() =>
      Stream.fromAsyncIterable(createReadStream(file, { highWaterMark: 1 << 18 }), (cause) => cause as never)
    )
    return yield* planBatch(adapter.read({ files: [{ name: file, bytes }] }, { settings: {} }), {
      account: destination.account,
      book: yield* load("bench.book.json", book),
      originals: new Map(),
      destination
    })
  })

/** Plans the file and reads every entry; returns the number of entries. */
const planned = (file: string, expected: "Planned" | "Known") =>
  Effect.scoped(
    Effect.gen(function* () {
      const { documents, entries } = yield* plan(file)
      yield* Stream.runForEach(entries, ({ _tag }) => (_tag === expected ? Effect.void : Effect.die(_tag)))
      return documents
    })
  )

/** Plans the file, and fiscalizes every document. */
const sent = (file: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const made = yield* plan(file)
      yield* acceptPlan(made)
      const own = yield* SubmissionStore
      const claimed = yield* own.claim(destination.lane, "bench", lease, () => true)
      if (claimed._tag === "Busy") return yield* Effect.die("the lane is taken")
      const accounts = [
        { account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }
      ] as const
      let finished: FinishedAttempt | undefined
      for (let n = 0; n < made.documents; n++) {
        const next = yield* own.beginAttempt(claimed.lease, { accounts, lease, skew: Duration.zero }, finished)
        if (next._tag !== "Begun") return yield* Effect.die(next._tag)
        const result = { _tag: "Accepted", requestId: RequestId.make(`r${n}`) } as const
        finished = { attempt: next.attempt, result, firstLook: Duration.zero }
      }
      if (finished !== undefined) yield* own.finishAttempt(finished)
      const outcomes = Array.from({ length: made.documents }, (_, n) => ({
        _tag: "Fiscalised" as const,
        requestId: RequestId.make(`r${n}`),
        qrData: null,
        fiscalInvoicePdf: null
      }))
      for (let from = 0; from < outcomes.length; from += 200) {
        yield* own.recordOutcomes(destination.account, outcomes.slice(from, from + 200), "poll")
      }
    })
  ).pipe(Effect.provideService(StateLog, "silent"))

export const topic = async ({ folder, rows }: Scale): Promise<Topic> => {
  const file = join(folder, "rows.csv")
  await write(file, { rows })
  const runtimes = [0, 1].map(() => ManagedRuntime.make(Layer.merge(store(folder), SqliteStaging.layer)))
  const [empty, full] = runtimes as [(typeof runtimes)[0], (typeof runtimes)[0]]
  await full.runPromise(sent(file))
  const [ours, peer] = ["plan of a file that was sent", "plan of a new file"]
  const sides: Record<string, () => Promise<Sample>> = {
    [peer]: () => here(() => empty.runPromise(planned(file, "Planned"))),
    [ours]: () => here(() => full.runPromise(planned(file, "Known")))
  }
  return {
    sides,
    rows: [{ name: `${ours}, ${rows} rows, against ${peer}`, ours, peer, figure: cpu }],
    end: async () => {
      for (const runtime of runtimes) await runtime.dispose()
    }
  }
}
