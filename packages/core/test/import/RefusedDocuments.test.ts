import { acceptPlan } from "../../src/session/Acceptance.ts"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, type Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import * as Attention from "../../src/attention/Attention.ts"
import type { Reading } from "../../src/source/Adapter.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { destination, invoice, memory, plan, type PlanOptions } from "./SampleSources.ts"

const { account } = destination
const unmapped = { currency: "XXX" }

const given = (readings: ReadonlyArray<Reading>, options?: PlanOptions) =>
  Effect.gen(function* () {
    yield* TestClock.adjust("1 minute")
    yield* acceptPlan(yield* plan(readings, options))
  })

/** Returns the items about refused documents: cause, count and text. */
const items = Effect.gen(function* () {
  const store = yield* SubmissionStore
  return Attention.of(yield* store.health(Duration.days(7))).flatMap(({ cause, code, documents, text }) =>
    code === "IMPORT_REFUSED" ? [[cause, documents, text] as const] : []
  )
})

const causes = Effect.map(items, (found) => found.map(([cause, documents]) => `${cause} ${documents}`))

const dismissAll = SubmissionStore.use((store) =>
  store.refused.dismiss({ account, numbers: [] }, "they were cancelled by telephone")
)

const onStore = <A, E>(test: Effect.Effect<A, E, Layer.Success<typeof memory> | Scope.Scope>) =>
  Effect.andThen(TestClock.setTime(Date.parse("2026-03-01T12:00:00Z")), test).pipe(
    Effect.provide(memory),
    Effect.scoped
  )

describe("a refused document", () => {
  it.effect("needs attention, one item for each cause, however often it is given", () =>
    onStore(
      Effect.gen(function* () {
        const bad = [invoice("INV-1", "2026-01-05", unmapped), invoice("INV-2", "2026-01-05", unmapped)]
        const worse = invoice("INV-3", "2026-01-05", {
          lines: [{ ...invoice("x", "2026-01-05").lines[0]!, taxes: [{ code: "Luxury" }] }]
        })
        for (let time = 0; time < 3; time++) yield* given([...bad, worse, invoice("INV-4", "2026-01-05")])
        assert.deepStrictEqual(yield* causes, ["CURRENCY_UNMAPPED 2", "TAX_UNMAPPED 1"])
        assert.include((yield* items)[0]?.[2], "INV-1, INV-2")
      })
    )
  )

  it.effect("needs no attention once it is taken, and a silent export ends nothing", () =>
    onStore(
      Effect.gen(function* () {
        yield* given([invoice("INV-1", "2026-01-05", unmapped)])
        yield* given([invoice("INV-2", "2026-01-06")])
        assert.deepStrictEqual(yield* causes, ["CURRENCY_UNMAPPED 1"])
        yield* given([invoice("INV-1", "2026-01-05")])
        assert.deepStrictEqual(yield* causes, [])
      })
    )
  )

  it.effect("needs no attention once the export states that it is not issued", () =>
    onStore(
      Effect.gen(function* () {
        yield* given([invoice("INV-1", "2026-01-05", unmapped)])
        const document = { kind: "invoice", id: "INV-1", number: "INV-1" } as const
        yield* given([
          { _tag: "Skipped", key: "INV-1", reason: "void", at: { file: "export" }, document, cancelled: document }
        ])
        assert.deepStrictEqual(yield* causes, [])
      })
    )
  )

  it.effect("needs attention until it is dismissed if only another spelling of its number is taken", () =>
    onStore(
      Effect.gen(function* () {
        yield* given([invoice("INV-0001", "2026-01-05", unmapped)])
        // an equal fold raises a question, and never decides: it may be another sale of the day
        yield* given([invoice("INV/1", "2026-01-05")])
        assert.deepStrictEqual(yield* causes, ["CURRENCY_UNMAPPED 1"])
      })
    )
  )

  it.effect("needs attention if it is refused because of its number, and the other document is taken", () =>
    onStore(
      Effect.gen(function* () {
        const first = invoice("N-1", "2026-01-05", { id: "a" })
        yield* given([first])
        yield* given([first, invoice("N-1", "2026-01-06", { id: "b" })])
        assert.deepStrictEqual(yield* causes, ["RCPT013 1"])
      })
    )
  )

  it.effect("stays dismissed while it is stated unchanged, and its dismissal is recorded", () =>
    onStore(
      Effect.gen(function* () {
        const bad = invoice("INV-1", "2026-01-05", unmapped)
        yield* given([bad])
        assert.deepStrictEqual(yield* dismissAll, ["INV-1"])
        yield* given([bad])
        assert.deepStrictEqual(yield* causes, [])
        const store = yield* SubmissionStore
        const [decision] = yield* store.decisions(0, 10)
        assert.deepStrictEqual([decision?.act, decision?.subject], ["dismiss", "invoice INV-1"])
        yield* given([{ ...bad, currency: "YYY" }])
        assert.deepStrictEqual(yield* causes, ["CURRENCY_UNMAPPED 1"])
      })
    )
  )

  it.effect("without a number is the same wherever its row is", () =>
    onStore(
      Effect.gen(function* () {
        const row = (line: number): Reading => ({
          _tag: "Finding",
          code: "ROW_TOO_SHORT",
          severity: "error",
          message: "the row is too short",
          detail: undefined,
          consequence: "",
          fix: "",
          path: [],
          at: { file: "export", line, text: "INV-9;12" }
        })
        yield* given([row(3)])
        yield* given([row(7)])
        assert.deepStrictEqual(yield* causes, ["ROW_TOO_SHORT 1"])
      })
    )
  )

  it.effect("without an id and a number is another document with another content, also for its dismissal", () =>
    onStore(
      Effect.gen(function* () {
        const unnamed = (day: string) => invoice("", day, { id: "", ...unmapped })
        const [first, second, third] = ["2026-01-05", "2026-01-06", "2026-01-07"].map(unnamed)
        const isDone = (...readings: ReadonlyArray<Reading>) =>
          Effect.map(plan(readings), ({ dismissed }) => dismissed.has("invoice "))
        yield* given([first!, second!])
        assert.deepStrictEqual(
          (yield* items).map(([, documents, text]) => `${documents} ${String(text).includes(": without a number")}`),
          ["2 true"]
        )
        yield* dismissAll
        assert.isTrue(yield* isDone(first!, second!))
        assert.isFalse(yield* isDone(first!, third!))
        yield* given([first!, third!])
        assert.deepStrictEqual(
          (yield* items).map(([, documents]) => documents),
          [1]
        )
      })
    )
  )

  it.effect("counts for the limit of its cause for 30 days after others have made it late", () =>
    onStore(
      Effect.gen(function* () {
        yield* given([invoice("INV-1", "2026-01-05", unmapped), invoice("INV-2", "2026-01-06")])
        const next = [invoice("INV-3", "2026-01-07", unmapped), invoice("INV-4", "2026-01-08")]
        const earlier = Effect.map(plan(next), ({ wouldBecomeLate: { causes } }) => causes[0]?.earlier)
        assert.strictEqual(yield* earlier, 1)
        yield* TestClock.adjust("31 days")
        assert.strictEqual(yield* earlier, 0)
      })
    )
  )
})

describe("a document that failed at the gateway", () => {
  it.effect("and that the source cancels then, is closed by withdrawing it", () =>
    onStore(
      Effect.gen(function* () {
        yield* given([invoice("INV-1", "2026-01-05")])
        const store = yield* SubmissionStore
        const claimed = yield* store.claim(destination.lane, "test", Duration.minutes(1), () => false)
        if (claimed._tag !== "Claimed") return assert.fail("the lane is taken")
        const accounts = [{ ...destination, afterRejection: "retry", continueAfter: "accepted" } as const]
        const options = { accounts, lease: Duration.minutes(1), skew: Duration.zero }
        const next = yield* store.beginAttempt(claimed.lease, options)
        if (next._tag !== "Begun") return assert.fail(`nothing was begun: ${next._tag}`)
        const result = { _tag: "Declined", text: "the buyer is unknown" } as const
        yield* store.finishAttempt({ attempt: next.attempt, result, firstLook: Duration.zero })
        const document = { kind: "invoice", id: "INV-1", number: "INV-1" } as const
        yield* given([
          { _tag: "Skipped", key: "INV-1", reason: "void", at: { file: "export" }, document, cancelled: document }
        ])
        const cancelled = Effect.map(store.health(Duration.days(7)), (health) =>
          Attention.of(health).filter(({ cause }) => cause === "SOURCE_CANCELLED")
        )
        const [item] = yield* cancelled
        assert.include(item?.text, "the source has cancelled it")
        assert.include(item?.actions.map(({ step }) => step.do) ?? [], "withdraw")
        yield* store.decide({ account, kind: "invoice", id: "INV-1" }, { _tag: "Withdrawn" }, "it was cancelled")
        assert.deepStrictEqual(yield* cancelled, [])
        assert.deepStrictEqual(
          Attention.of(yield* store.health(Duration.days(7))).map(({ code }) => code),
          []
        )
      })
    )
  )
})
