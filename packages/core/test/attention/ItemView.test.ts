/** Each open thing has the amount of its documents, or counts them as unknown. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Attention from "../../src/attention/Attention.ts"
import * as ItemView from "../../src/attention/ItemView.ts"
import * as Money from "../../src/document/Money.ts"
import * as SignedSums from "../../src/import/SignedSums.ts"
import { SubmissionStore } from "../../src/submission/SubmissionStore.ts"
import { creditNote, invoice } from "../submission/PlannedDocuments.ts"
import { drain, plan, sweep, test } from "../sending/Engine.ts"
import { make, rejected } from "../sending/ScriptedGateway.ts"

const inText = (figures: ReadonlyArray<ItemView.ItemFigures>) => {
  const { sums, unknown } = SignedSums.of(figures)
  return [
    ...sums.map(({ currency, documents, total }) => `${documents} ${currency} ${Money.formatAmount(total)}`),
    unknown
  ]
    .map(String)
    .join(", ")
}

describe("the figures of open things", () => {
  it.effect(
    "are of all documents of a thing, signed and by currency, and together those of all things",
    test(() =>
      Effect.gen(function* () {
        const gateway = make()
        const account = gateway.account({ firstLook: 0, assumptions: { "STAT-9": "any" } })
        gateway.state.status = (id) => ({ ...rejected(id), error: "DEV01: off" })
        yield* plan(invoice("i1"), invoice("i2", { currency: "ZAR" }), creditNote("c3", { credits: "i1" }))
        yield* drain(account)
        yield* sweep(account)
        yield* TestClock.adjust("1 hour")
        yield* drain(account)
        const store = yield* SubmissionStore
        const items = Attention.of(yield* store.health(Duration.days(7)))
        const figures = yield* ItemView.figures(items)
        const failed = items.find(({ code }) => code === "FAILED_AT_GATEWAY")!
        const held = items.find(({ code }) => code === "HELD")!
        assert.strictEqual(inText(figures.get(failed)!), "1 USD 115.00, 1 ZAR 115.00, 0")
        assert.strictEqual(inText(figures.get(held)!), "1 USD -115.00, 0")
        assert.strictEqual(inText([...figures.values()].flat()), "2 USD 0.00, 1 ZAR 115.00, 0")
        // more documents than are known by name
        const more = { ...failed, code: "CONFLICT", cause: "SOURCE_CONFLICT", documents: 7 } as const
        const unknown = yield* ItemView.figures([failed, more])
        assert.strictEqual(inText(unknown.get(more)!), "7")
        assert.strictEqual(inText([...unknown.values()].flat()), "1 USD 115.00, 1 ZAR 115.00, 7")
      })
    )
  )
})
