/**
 * A note of the source and a prepared note on one invoice are never both sent without an answer, in
 * any order of planning, sending, outcomes and answers.
 */
import { assert, describe, it } from "../It.ts"
import { Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Random from "../../../../proofs/Random.ts"
import { RequestId } from "../../src/document/Identifiers.ts"
import * as SqliteStore from "../../src/node/SqliteStore.ts"
import type { AttemptOptions } from "../../src/submission/Attempt.ts"
import type { SubmissionKey } from "../../src/submission/PlannedDocument.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../src/submission/SubmissionStore.ts"
import { at, key, now } from "../sending/Engine.ts"
import { fiscalised, rejected } from "../sending/ScriptedGateway.ts"
import { creditDecision, creditNote, invoice } from "../submission/PlannedDocuments.ts"

const lane = "test/1001"
const options: AttemptOptions = {
  accounts: [{ account: "shop", environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
  lease: Duration.hours(2),
  skew: Duration.minutes(1)
}
const noteKey = (id: string): SubmissionKey => ({ account: "shop", kind: "credit-note", id })

const sends = (store: SubmissionStoreOperations, requestId: string) =>
  Effect.gen(function* () {
    const claim = yield* store.claim(lane, "worker", Duration.hours(2), () => true)
    const next = yield* store.beginAttempt(claim._tag === "Claimed" ? claim.lease : assert.fail("busy"), options)
    if (next._tag !== "Begun") return null
    const result = { _tag: "Accepted", requestId: RequestId.make(requestId) } as const
    yield* store.finishAttempt({ attempt: next.attempt, result, firstLook: Duration.zero })
    return requestId
  })

/** Runs a history, and returns the notes that were sent beside each other without an answer. */
const history = (seed: number) =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "beside-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    const filename = join(folder, "store.db")
    const random = Random.make(seed)
    const counts = { answered: 0, held: 0, sent: 0 }
    const breaches: Array<string> = []
    yield* Effect.gen(function* () {
      const store = yield* SubmissionStore
      yield* at(now)
      yield* store.plan([invoice("i1")])
      const first = yield* sends(store, "r0")
      yield* store.recordOutcomes("shop", [fiscalised(first!)], "webhook")
      const open: Array<string> = []
      let [theirs, ours] = [0, 0]
      // notes that a preparation has seen, before it is planned
      let seen: ReadonlyArray<SubmissionKey> | undefined
      for (let step = 0; step < 24; step++) {
        yield* TestClock.adjust("10 minutes")
        const family = Option.getOrThrow(yield* store.family(key("i1")))
        switch (random.between(0, 6)) {
          case 0:
            yield* store.plan([creditNote(`c${++theirs}`, { credits: "i1", total: "1.00" })])
            break
          case 1:
            seen = family.notes.filter(({ made }) => made === "source")
            break
          case 2:
            if (seen === undefined || family.notes.some(({ made, standing }) => made === "here" && standing === "open"))
              break
            yield* store.plan([
              creditNote(`h${++ours}`, {
                credits: "i1",
                total: "1.00",
                prepared: { beside: seen, decision: creditDecision }
              })
            ])
            break
          case 3:
          case 4: {
            const sent = yield* sends(store, `r${step + 1}`)
            if (sent !== null) open.push(sent)
            break
          }
          case 5: {
            const [request] = open.splice(random.between(0, Math.max(0, open.length - 1)), 1)
            if (request === undefined) break
            const outcome = random.chance(0.7) ? fiscalised(request) : rejected(request)
            yield* store.recordOutcomes("shop", [outcome], "webhook")
            break
          }
          case 6: {
            const held = (yield* store.list({ states: ["Held"] })).filter(({ hold }) => hold?.cause === "duplicate")
            counts.held += held.length
            const one = held[0]
            if (one === undefined) break
            const decision = random.chance(0.5) ? ({ _tag: "Same" } as const) : ({ _tag: "Resend" } as const)
            const resolution = yield* store.decide(one, decision, "as the books say")
            if (resolution._tag === "Resolved") counts.answered++
          }
        }
        const after = Option.getOrThrow(yield* store.family(key("i1")))
        const may = after.notes.filter(({ state }) => ["Sending", "Accepted", "Unknown", "Fiscalised"].includes(state))
        counts.sent = may.length
        const settled = yield* store.ledger.settledPairs(may.map(({ id }) => noteKey(id)))
        for (const one of may)
          for (const other of may)
            if (one.made === "here" && other.made === "source")
              if (!settled(noteKey(one.id), noteKey(other.id)) && !settled(noteKey(other.id), noteKey(one.id)))
                breaches.push(`seed ${seed}, step ${step}: ${one.id} and ${other.id}`)
      }
    }).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename }))))
    return { breaches, counts, filename }
  }).pipe(Effect.scoped)

describe("a note of the source beside a prepared note", () => {
  it.effect("is never sent without an answer, in 150 histories", function* () {
    const sums = { answered: 0, held: 0, sent: 0 }
    for (let seed = 1; seed <= 150; seed++) {
      const { breaches, counts } = yield* history(seed)
      assert.deepStrictEqual(breaches, [])
      for (const name of ["answered", "held", "sent"] as const) sums[name] += counts[name]
    }
    // the histories do reach the question, its answers, and notes that are sent
    assert.isAbove(Math.min(sums.answered, sums.held, sums.sent), 50, JSON.stringify(sums))
  })
})
