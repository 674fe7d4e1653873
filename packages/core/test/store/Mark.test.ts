import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Instant from "../../src/document/Instant.ts"
import * as Mark from "../../src/submission/ledger/Mark.ts"
import type { Decision } from "../../src/submission/Decision.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { invoice } from "../submission/PlannedDocuments.ts"
import { drain, key, plan, sweep, test } from "../sending/Engine.ts"
import { answers, make, rejected } from "../sending/ScriptedGateway.ts"

const markOf = (id: string) =>
  SubmissionStore.use((store) =>
    Effect.map(store.ledger.mark("test/1001"), (lane) =>
      Option.getOrNull(
        Option.map(Mark.of(lane, key(id)), ({ at, cause: because }) => `${Instant.format(at)} ${because}`)
      )
    )
  )
const decide = (id: string, decision: Decision) =>
  SubmissionStore.use((store) => store.decide(key(id), decision, "asked"))

describe("the mark of a document", () => {
  it.effect(
    "is the latest receipt date of another document, whatever the outcome of the document's attempts",
    test(function* () {
      const gateway = make()
      gateway.state.status = (id) => rejected(id)
      const account = gateway.account({ firstLook: 0 })
      yield* plan(invoice("i1"), invoice("i2"))
      assert.isNull(yield* markOf("i1"))
      yield* drain(account)
      yield* sweep(account)
      assert.strictEqual(yield* markOf("i2"), "2026-01-10T12:00:01+02:00 attempt")
      assert.strictEqual(yield* markOf("i1"), "2026-01-10T12:00:02+02:00 attempt")
      assert.strictEqual(yield* markOf("i3"), "2026-01-10T12:00:02+02:00 attempt")
    })
  )

  it.effect(
    "ignores an attempt that was declined or ruled out by an operator",
    test(function* () {
      const gateway = make()
      gateway.answer("i1", answers.declined)
      gateway.answer("i2", answers.unknown)
      yield* plan(invoice("i1"), invoice("i2"))
      yield* drain(gateway.account())
      assert.strictEqual(yield* markOf("i0"), "2026-01-10T12:00:02+02:00 attempt")
      yield* TestClock.adjust("5 minutes")
      yield* decide("i2", { _tag: "NotProcessed" })
      assert.isNull(yield* markOf("i0"))
    })
  )

  it.effect(
    "includes a document with the same id in another account",
    test(function* () {
      const gateway = make()
      yield* plan(invoice("i1", { account: "till", number: "T-1" }), invoice("i9", { held: "look" }))
      yield* drain(gateway.account({ account: "till" }))
      assert.strictEqual(yield* markOf("i1"), "2026-01-10T12:00:01+02:00 attempt")
    })
  )
})

/** Returns the same random numbers every time. */
const generator = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}

// slow: plans and sends fifty lanes of drawn documents
describe("the ledger and the lane", () => {
  it.effect(
    "use the same mark: documents that the ledger calls late are held, and all others are sent",
    test(function* () {
      const store = yield* SubmissionStore
      const lease = Duration.minutes(2)
      const met = { late: 0, sent: 0 }
      for (let seed = 1; seed <= 50; seed++) {
        const draw = generator(seed)
        const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(draw() * from.length)]!
        const lane = `lane ${seed}`
        const account = `shop ${seed}`
        const ids = ["i1", "i2", "i3", "i4"].filter(() => draw() < 0.8)
        const keyIn = (id: string) => ({ ...key(id), account })
        const own = (id: string) => ({ account, lane, number: `${seed} ${id}` })
        for (let round = 0; round < 6; round++) {
          for (const id of ids) if (draw() < 0.5) yield* store.plan([invoice(id, { ...own(id), total: `${round}.00` })])
          const claim = yield* store.claim(lane, "one", lease, () => true)
          if (claim._tag === "Busy") return assert.fail("the lane is nobody else's")
          const [head] = (yield* store.list({ lane, states: ["Planned"] })).toSorted(
            (a, b) => Instant.seconds(a.receiptDate!) - Instant.seconds(b.receiptDate!)
          )
          const mark = head && Mark.of(yield* store.ledger.mark(lane), head)
          const next = yield* store.beginAttempt(claim.lease, {
            accounts: [{ account, environment: "test", afterRejection: "retry", continueAfter: "accepted" }],
            lease,
            skew: Duration.zero
          })
          if (head !== undefined && mark !== undefined && (next._tag === "Begun" || next._tag === "Drained")) {
            const isLate = Option.exists(mark, ({ at }) => Instant.seconds(at) >= Instant.seconds(head.receiptDate!))
            const { hold } = Option.getOrThrow(yield* store.get(head))
            assert.strictEqual(hold?.cause === "late", isLate, `seed ${seed}, round ${round}`)
            met[isLate ? "late" : "sent"]++
          }
          if (next._tag === "Begun") {
            yield* store.finishAttempt({
              attempt: next.attempt,
              result: pick([
                { _tag: "Declined", text: "no" },
                { _tag: "Unknown", text: "cut" },
                { _tag: "Unknown", text: "cut" },
                { _tag: "NotProcessed", text: "no" }
              ]),
              firstLook: Duration.zero
            })
          }
          for (const id of ids) {
            const decision: Decision = pick([
              { _tag: "NotProcessed" },
              { _tag: "Rejected", rejection: { error: "no", nature: "correctable" } },
              { _tag: "Withdrawn" }
            ])
            const found = yield* store.get(keyIn(id))
            if (Option.isNone(found) || found.value.state !== "Unknown") continue
            yield* TestClock.adjust("5 minutes")
            yield* store.decide(keyIn(id), decision, "asked")
          }
        }
      }
      assert.isAbove(met.late, 20)
      assert.isAbove(met.sent, 100)
    })
  )
})
