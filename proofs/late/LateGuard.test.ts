/**
 * Refused documents that a plan would make late, against an oracle that sends the plan and plans
 * the refused documents again.
 */
import * as Instant from "../../packages/core/src/document/Instant.ts"
import type { SourceDocument } from "../../packages/core/src/source/SourceDocument.ts"
import { acceptPlan } from "../../packages/core/src/session/Acceptance.ts"
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { invoice, memory, plan, planned } from "../../packages/core/test/import/SampleSources.ts"
import { sendAll } from "../../packages/core/test/import/SentLane.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"

const now = Date.parse("2026-03-04T10:00:00Z")
const unmapped = { currency: "XXX" }

/** Returns true if the corrected document would not get its own date if it came alone. */
const isLate = (document: SourceDocument, book: object) =>
  Effect.map(planned([document], { book }), ({ entries: [entry] }) =>
    entry?._tag === "Planned"
      ? entry.planned.held !== null
      : entry?._tag === "Refused" && entry.findings.some(({ code }) => code === "DATE_HAS_NO_ROOM")
  )

/** Documents around a day's end and this moment, of few seconds, so that dates collide. */
const documentsOf = ({ between, chance, pick }: Random.Random, prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const number = `${prefix}-${index}`
    const day = `2026-03-0${between(1, 4)}`
    const clock = pick(["08:00:01", "08:00:02", "09:30:00", "23:59:58", "23:59:59"])
    const stated = Option.getOrThrow(Instant.parse(`${day}T${clock}+02:00`))
    return invoice(number, day, chance(0.5) ? {} : { date: stated })
  })

const trial = (seed: number) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const random = Random.make(seed)
    const times = random.pick(["spread", "spread", "stated", "at-submission"])
    const book = { times }
    yield* acceptPlan(yield* plan(documentsOf(random, "OLD", random.between(0, 2)), { book }))
    yield* sendAll
    const documents = documentsOf(random, "NEW", random.between(2, 6))
    const batch = documents.map((one) => (random.chance(0.5) ? { ...one, ...unmapped } : one))
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

const { count, extent, seeds } = given("late-guard")

describe("refused documents that a plan would make late", () => {
  it.effect("are exactly those that are late in the next run, and were not before", function* () {
    let late = 0
    for (const seed of seeds) late += yield* trial(seed)
    if (extent !== "part") assert.isAbove(late, count / 10, "the trials reach documents that become late")
  })
})
