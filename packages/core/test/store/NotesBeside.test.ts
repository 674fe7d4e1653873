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
import { basisOf, counting } from "../../src/submission/ledger/CreditFamily.ts"
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
/** A note that no pause between two steps makes late. */
const dated = { credits: "i1", total: "1.00", receiptDate: "at-submission", late: "restamp" } as const
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

/**
 * Runs a history, and returns the notes that were sent beside each other without an answer.
 * `several`: the invoice has several receipts, and notes are also prepared for one of them.
 */
const history = (seed: number, receipts: "one" | "several" = "one") =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "beside-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    const filename = join(folder, "store.db")
    const random = Random.make(seed)
    const counts = { answered: 0, held: 0, sent: 0, unstated: 0 }
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
      for (let step = 0; step < (receipts === "one" ? 24 : 60); step++) {
        yield* TestClock.adjust("10 minutes")
        const family = Option.getOrThrow(yield* store.family(key("i1")))
        const { credited, notes: ofReceipts } = family.ofReceipts
        const unstated = counting(ofReceipts).length > credited.length ? counting(ofReceipts) : []
        switch (random.between(0, receipts === "one" ? 6 : 8)) {
          case 0:
            yield* store.plan([creditNote(`c${++theirs}`, dated)])
            break
          case 1:
            seen = counting(family.notes).filter(({ made }) => made === "source")
            break
          case 2:
            if (seen === undefined || family.notes.some(({ made, standing }) => made === "here" && standing === "open"))
              break
            yield* store.plan([
              creditNote(`h${++ours}`, {
                ...dated,
                prepared: { basis: basisOf(family, `h${ours}`), beside: seen, decision: creditDecision }
              })
            ])
            break
          case 3:
          case 4: {
            const sent = yield* sends(store, `r${step + 1}`)
            if (sent !== null) open.push(sent)
            const now = Option.getOrThrow(yield* store.family(key("i1")))
            const accepted = new Set(
              [...family.notes, ...ofReceipts].flatMap(({ id, state }) => (state === "Accepted" ? [id] : []))
            )
            const begun = [...now.notes, ...now.ofReceipts.notes].find(
              ({ id, state }) => state === "Accepted" && !accepted.has(id)
            )
            // a note that waits behind this one asks when its turn comes
            const others = counting(ofReceipts).filter(
              ({ id, state }) => id !== begun?.id && state !== "Planned" && state !== "Held"
            )
            if (begun !== undefined && others.length > credited.length)
              breaches.push(
                `seed ${seed}, step ${step}: ${begun.id} after ${others[0]!.id}, whose receipt is not stated`
              )
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
            if (one === undefined) {
              // a refused note is sent again as it is
              const refused = family.notes.find(({ made, state }) => made === "source" && state === "Rejected")
              if (refused !== undefined) yield* store.decide(refused, { _tag: "Resend" }, "mended")
              break
            }
            const decision = random.chance(0.5) ? ({ _tag: "Same" } as const) : ({ _tag: "Resend" } as const)
            const resolution = yield* store.decide(one, decision, "as the books say")
            if (resolution._tag === "Resolved") counts.answered++
            break
          }
          case 7:
            // now and then another machine has prepared one at the same moment
            if (unstated.length > 0 && random.chance(0.95)) break
            yield* store.plan([
              creditNote(`h${++ours}`, {
                ...dated,
                prepared: {
                  basis: basisOf(family, `h${ours}`),
                  beside: [],
                  receipt: `48${ours}`,
                  decision: creditDecision
                }
              })
            ])
            break
          case 8: {
            const [one] = unstated
            if (one?.standing === "fiscalised")
              yield* store.stateCredited(key("i1"), one.receipt, "as the portal shows")
          }
        }
        const after = Option.getOrThrow(yield* store.family(key("i1")))
        counts.unstated += unstated.length
        const may = [...after.notes, ...after.ofReceipts.notes].filter(({ state }) =>
          ["Sending", "Accepted", "Unknown", "Fiscalised"].includes(state)
        )
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
  it.effect("is never sent without an answer, in 80 histories", function* () {
    const sums = { answered: 0, held: 0, sent: 0 }
    for (let seed = 1; seed <= 80; seed++) {
      const { breaches, counts } = yield* history(seed)
      assert.deepStrictEqual(breaches, [])
      for (const name of ["answered", "held", "sent"] as const) sums[name] += counts[name]
    }
    // the histories do reach the question, its answers, and notes that are sent
    assert.isAbove(Math.min(sums.answered, sums.held, sums.sent), 50, JSON.stringify(sums))
  })

  it.effect("waits for the statement which receipt is credited, in 40 histories", function* () {
    const sums = { sent: 0, unstated: 0 }
    for (let seed = 1; seed <= 40; seed++) {
      const { breaches, counts } = yield* history(seed, "several")
      assert.deepStrictEqual(breaches, [])
      for (const name of ["sent", "unstated"] as const) sums[name] += counts[name]
    }
    assert.isAbove(Math.min(sums.sent, sums.unstated), 9, JSON.stringify(sums))
  })

  it.effect(
    "is asked about once, for 200 late notes of other days and amounts, and none of them is sent",
    function* () {
      const random = Random.make(200)
      const ids = Array.from({ length: 200 }, (_, n) => String(n + 1))
      yield* Effect.gen(function* () {
        const store = yield* SubmissionStore
        yield* at(now)
        let requests = 0
        const sendAll = Effect.gen(function* () {
          while ((yield* sends(store, `r${++requests}`)) !== null) {
            yield* store.recordOutcomes("shop", [fiscalised(`r${requests}`)], "webhook")
            yield* TestClock.adjust("2 seconds")
          }
        })
        yield* store.plan(ids.map((n) => invoice(`i${n}`)))
        yield* sendAll
        const prepare = (some: ReadonlyArray<string>) =>
          Effect.forEach(some, (n) =>
            Effect.gen(function* () {
              const basis = basisOf(Option.getOrThrow(yield* store.family(key(`i${n}`))), `h${n}`)
              const prepared = { basis, beside: [], decision: creditDecision }
              const dated = { credits: `i${n}`, receiptDate: "at-submission", total: "40.00" } as const
              yield* store.plan([creditNote(`h${n}`, { ...dated, prepared })])
            })
          )
        // ours is fiscalised, or waits
        yield* prepare(ids.slice(0, 100))
        yield* sendAll
        yield* prepare(ids.slice(100))
        const late = ids.map((n) =>
          creditNote(`c${n}`, {
            credits: `i${n}`,
            receiptDate: "at-submission",
            sourceDate: random.pick(["2026-01-10", "2026-01-12", "2026-02-01"]),
            total: random.pick(["40.00", "15.00", "75.00"])
          })
        )
        // the source states each of them three times
        for (let i = 0; i < 3; i++) {
          yield* store.plan(late)
          yield* sendAll
        }
        const states = new Map<string, number>()
        for (const { hold, id, state } of yield* store.list({ limit: 1000 })) {
          if (id.startsWith("i")) continue
          const what = `${id.slice(0, 1)} ${state} ${hold?.cause ?? ""}`.trim()
          states.set(what, (states.get(what) ?? 0) + 1)
        }
        assert.deepStrictEqual([...states].toSorted(), [
          ["c Held duplicate", 200],
          ["h Fiscalised", 200]
        ])
        const asked = yield* Effect.forEach(late, ({ document }) =>
          Effect.map(store.explain(noteKey(document.id)), (found) => Option.getOrThrow(found).timeline.length)
        )
        assert.deepStrictEqual(new Set(asked), new Set([1]))
      }).pipe(Effect.provide(Layer.fresh(SqliteStore.layer({ filename: ":memory:" }))))
    }
  )
})
