import { acceptPlan } from "@fiscal-connector/core/unstable/session/Acceptance"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { RequestId } from "@fiscal-connector/core/document/Identifiers"
import * as Instant from "@fiscal-connector/core/document/Instant"
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { destination, invoice, memory, plan, planned } from "./SampleSources.ts"

const now = Date.parse("2026-03-04T10:00:00Z")
const unmapped = { currency: "XXX" }

let requests = 0

/** Sends everything that the lane has, within seconds: a receipt date may be of the next second. */
const sendAll = Effect.gen(function* () {
  const store = yield* SubmissionStore
  const claimed = yield* store.claim(destination.lane, "test", Duration.minutes(1), () => false)
  if (claimed._tag !== "Claimed") return assert.fail("the lane is taken")
  const accounts = [{ ...destination, afterRejection: "retry", continueAfter: "accepted" } as const]
  for (let waited = 0; waited < 5;) {
    const next = yield* store.beginAttempt(claimed.lease, { accounts, lease: Duration.minutes(1), skew: Duration.zero })
    if (next._tag !== "Begun") {
      waited += 1
      yield* TestClock.adjust("1 second")
      continue
    }
    waited = 0
    const requestId = RequestId.make(`r${(requests += 1)}`)
    yield* store.finishAttempt({
      attempt: next.attempt,
      result: { _tag: "Accepted", requestId },
      firstLook: Duration.zero
    })
  }
  assert.strictEqual((yield* store.list({ states: ["Planned"] })).length, 0, "everything planned is sent")
  yield* store.release(claimed.lease)
})

/** Returns true if the corrected document would not get its own date if it came alone. */
const isLate = (document: SourceDocument, book: object) =>
  Effect.map(planned([document], { book }), ({ entries: [entry] }) =>
    entry?._tag === "Planned"
      ? entry.planned.held !== null
      : entry?._tag === "Refused" && entry.findings.some(({ code }) => code === "DATE_HAS_NO_ROOM")
  )

const random = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Documents around a day's end and this moment, of few seconds, so that dates collide. */
const documentsOf = (draw: (below: number) => number, prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const number = `${prefix}-${index}`
    const day = `2026-03-0${1 + draw(4)}`
    const clock = ["08:00:01", "08:00:02", "09:30:00", "23:59:58", "23:59:59"][draw(5)]!
    const stated = Option.getOrThrow(Instant.parse(`${day}T${clock}+02:00`))
    return invoice(number, day, draw(2) === 0 ? {} : { date: stated })
  })

const trial = (seed: number) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const draw = random(seed)
    const times = ["spread", "spread", "stated", "at-submission"][draw(4)]!
    const book = { times }
    yield* acceptPlan(yield* plan(documentsOf(draw, "OLD", draw(3)), { book }))
    yield* sendAll
    const documents = documentsOf(draw, "NEW", 2 + draw(5))
    const batch = documents.map((one) => (draw(2) === 0 ? { ...one, ...unmapped } : one))
    yield* TestClock.adjust("1 minute")
    const made = yield* plan(batch, { book })
    // the plan itself refuses some, because their day has no second left
    const entries = yield* Stream.runCollect(made.entries)
    const refused = documents.filter((_, index) => entries[index]?._tag === "Refused")
    const before = new Map<string, boolean>()
    for (const one of refused) before.set(one.number, (yield* isLate(one, book)) ?? false)
    yield* acceptPlan(made)
    yield* sendAll
    yield* TestClock.adjust("1 minute")
    const late: Array<string> = []
    for (const one of refused) {
      if (before.get(one.number) === false && (yield* isLate(one, book))) late.push(one.number)
    }
    const sent = batch.map(({ currency, date, number }) => `${number} ${String(date)} ${currency}`).join("; ")
    assert.deepStrictEqual(
      [...made.wouldBecomeLate.first].toSorted(),
      late.toSorted(),
      `seed ${seed}, ${times}: ${sent}`
    )
    return late.length
  }).pipe(Effect.provide(memory), Effect.scoped)

const trials = Number(process.env["LATE_PLANS"] ?? 40)

describe("refused documents that a plan would make late", () => {
  it.effect(
    "are exactly those that are late in the next run, and were not before",
    () =>
      Effect.gen(function* () {
        let late = 0
        for (let seed = 1; seed <= trials; seed++) late += yield* trial(seed)
        assert.isAbove(late, trials / 10, "the trials reach documents that become late")
      }),
    60_000 + trials * 1000
  )

  it.effect("leaves out a document of the day of the last receipt", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { wouldBecomeLate } = yield* planned([
        invoice("A-1", "2026-03-01", unmapped),
        invoice("B-1", "2026-03-02", unmapped),
        invoice("B-2", "2026-03-02")
      ])
      assert.deepStrictEqual(wouldBecomeLate.first, ["A-1"])
    }).pipe(Effect.provide(memory))
  )

  it.effect("leaves out a document that an earlier import has made late", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const late = invoice("A-1", "2026-03-01", unmapped)
      yield* acceptPlan(yield* plan([late, invoice("B-1", "2026-03-02")]))
      yield* sendAll
      const { wouldBecomeLate } = yield* planned([late, invoice("C-1", "2026-03-03")])
      assert.deepStrictEqual(wouldBecomeLate.first, [])
    }).pipe(Effect.provide(memory), Effect.scoped)
  )

  it.effect("are named with their cause and their cell", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { wouldBecomeLate } = yield* planned([
        invoice("A-1", "2026-03-01", { ...unmapped, where: () => ({ file: "sales.csv", line: 2, column: 7 }) }),
        invoice("B-1", "2026-03-02")
      ])
      const [cause] = wouldBecomeLate.causes
      assert.strictEqual(wouldBecomeLate.causes.length, 1)
      assert.deepStrictEqual(
        [cause?.code, cause?.documents, cause?.first],
        ["CURRENCY_UNMAPPED", 1, [{ number: "A-1", at: "sales.csv:2:7" }]]
      )
    }).pipe(Effect.provide(memory))
  )
})
