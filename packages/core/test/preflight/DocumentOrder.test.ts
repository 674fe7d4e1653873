import { assert, describe, it } from "@effect/vitest"
import { inOrder, assign } from "@fiscal-connector/core/unstable/preflight/ReceiptDates"
import { context, document, instant, zone } from "./Datables.ts"

describe("the order of documents", () => {
  const order = (...documents: ReadonlyArray<ReturnType<typeof document>>) =>
    inOrder(documents, zone("+02:00")).map(({ key }) => key)

  it("is by day in the book's zone, then stated time, then number in natural order", () => {
    assert.deepStrictEqual(
      order(
        document("e", "2026-06-02", null, "INV-1"),
        document("d", "2026-06-01T23:30:00Z", null, "INV-0"),
        document("c", "2026-06-01T09:00:00+02:00", null, "INV-1"),
        document("b", "2026-06-01", null, "INV-10"),
        document("a", "2026-06-01", null, "INV-9")
      ),
      ["a", "b", "c", "e", "d"]
    )
  })

  it("is by number in natural order: digits by their value, whatever stands around them", () => {
    const numbers = ["INV-2026-10", "INV-2026-9", "INV-100", "INV-20", "A1", "0012", "7"]
    assert.deepStrictEqual(order(...numbers.map((number) => document(number, "2026-06-01"))), [
      "7",
      "0012",
      "A1",
      "INV-20",
      "INV-100",
      "INV-2026-9",
      "INV-2026-10"
    ])
  })

  it("is by key where two have the same number", () => {
    assert.deepStrictEqual(
      order(
        document("b", "2026-06-01", null, "01"),
        document("c", "2026-06-01", null, "1"),
        document("a", "2026-06-01", null, "1")
      ),
      ["a", "b", "c"]
    )
  })
})

describe("many documents", () => {
  const now = instant("2026-12-31T12:00:00+02:00")
  const settled = (documents: ReadonlyArray<ReturnType<typeof document>>, zoneName = "+02:00") => {
    const began = process.cpuUsage()
    const datings = assign(documents, { ...context({ zone: zoneName }), now })
    assert.strictEqual(datings.length, documents.length)
    // a second of this process's own time; the bound is only there to catch what grows with the square
    assert.isBelow(process.cpuUsage(began).user / 1e6, 15)
    return datings.filter(({ _tag }) => _tag === "Dated").length
  }
  const numbered = (date: string, original: string | null = null) =>
    Array.from({ length: 50_000 }, (_, i) => document(`INV-${(i * 7919) % 50_000}`, date, original))

  it("on one day are dated, 50 000 of them", () => assert.strictEqual(settled(numbered("2026-06-01")), 50_000))

  it("in one second are dated, 50 000 of them, by a named zone's clock as well", () => {
    assert.strictEqual(settled(numbered("2026-06-01T00:00:00+02:00"), "Europe/Berlin"), 50_000)
  })

  it("that credit one invoice are dated, 40 000 of them", () => {
    const notes = numbered("2026-06-01", "ORIGINAL").slice(0, 40_000)
    assert.strictEqual(settled([document("ORIGINAL", "2026-06-01T10:00:00+02:00"), ...notes]), 40_001)
  })
})
