import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import * as Finding from "../../src/finding/Finding.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import * as Allocation from "../../src/credit/Allocation.ts"
import * as Balance from "../../src/credit/Balance.ts"
import { CreditFinding } from "../../src/credit/CreditFinding.ts"
import { creditNote } from "../import/SampleSources.ts"

const money = BigDecimal.fromStringUnsafe

const note = (...originals: SourceDocument["originals"]): SourceDocument => ({
  ...creditNote("CN-1", "2026-03-01", "INV-1"),
  originals
})

const part = (value: string, amount: string) => ({ by: "number", value, amount: money(amount) }) as const

describe("the allocation of a credit note", () => {
  it("is the operator's choice, by the note's number or id, before the source's statement", () => {
    const stated = note({ by: "number", value: "INV-1" })
    assert.strictEqual(Allocation.of(stated, new Map(), {}).by, "source")
    const { by, stated: named } = Allocation.of(stated, new Map([["CN-1", "INV-2"]]), {})
    assert.strictEqual(by, "operator")
    assert.deepStrictEqual(named, [{ by: "number", value: "INV-2" }])
    assert.strictEqual(Allocation.of(stated, new Map([[stated.id, "INV-3"]]), {}).stated[0]?.value, "INV-3")
  })

  it("is the mapping book's one if the source states none, and is held as if the source stated it", () => {
    const book = { originals: { "CN-1": "INV-2" } }
    assert.deepStrictEqual(Allocation.of(note(), new Map(), book), {
      stated: [{ by: "number", value: "INV-2" }],
      by: "source"
    })
    assert.strictEqual(Allocation.of(note({ by: "number", value: "INV-1" }), new Map(), book).stated[0]?.value, "INV-1")
    const [{ value } = { value: "" }] = Allocation.of(note(), new Map([["CN-1", "INV-3"]]), book).stated
    assert.strictEqual(value, "INV-3")
  })

  it("credits the first of the largest invoices, and looks up the operator's text as a number and as an id", () => {
    const stated = [part("INV-1", "5"), part("INV-2", "8"), part("INV-3", "8")]
    const chosen = Allocation.largest(stated)
    assert.strictEqual(chosen.value, "INV-2")
    assert.deepStrictEqual(Allocation.searches({ stated, by: "source" }, chosen), [chosen])
    const searches = Allocation.searches({ stated, by: "operator" }, chosen)
    assert.deepStrictEqual(
      searches.map(({ by, value }) => `${by} ${value}`),
      ["number INV-2", "id INV-2"]
    )
  })

  it("is reported if it is a part of the total, and refused if it is more", () => {
    const codes = (...amounts: ReadonlyArray<string>) => {
      const stated = amounts.map((amount) => part("INV-1", amount))
      return Allocation.otherThan(money("10"), { stated, by: "source" }, note(...stated)).map(({ code }) => code)
    }
    assert.deepStrictEqual(codes("4", "6"), [])
    assert.deepStrictEqual(codes("-10"), [])
    assert.deepStrictEqual(codes("4", "5"), ["NOTE_PARTLY_ALLOCATED"])
    assert.deepStrictEqual(codes("4", "6.01"), ["NOTE_OVER_ALLOCATED"])
    const unknown = [{ by: "number", value: "INV-1" }] as const
    assert.deepStrictEqual(Allocation.otherThan(money("10"), { stated: unknown, by: "source" }, note(...unknown)), [])
  })

  it("turns another buyer into a warning only if the operator named the original", () => {
    const found = Finding.make(CreditFinding.CREDIT_BUYER_DIFFERS)
    assert.isTrue(Finding.refuses(Allocation.settled(found, { stated: [], by: "source" })))
    assert.isFalse(Finding.refuses(Allocation.settled(found, { stated: [], by: "operator" })))
    const other = Finding.make(CreditFinding.CREDIT_ORIGINAL_DIFFERS)
    assert.isTrue(Finding.refuses(Allocation.settled(other, { stated: [], by: "operator" })))
  })
})

describe("the balance of an original", () => {
  const credits = [
    { id: "a", total: money("2"), status: "sent", made: "source" },
    { id: "b", total: money("3"), status: "waiting", made: "source" },
    { id: "c", total: money("4"), status: "sent", made: "source" }
  ] as const

  it("permits a credit up to the total, to the cent", () => {
    const balance = { total: money("10"), credited: money("4") }
    assert.isFalse(Balance.exceeds(balance, money("6.00")))
    assert.isTrue(Balance.exceeds(balance, money("6.01")))
  })

  it("counts the sent notes, without the note in question", () => {
    assert.deepStrictEqual(
      Balance.sentByOthers(credits, "a").map(({ id }) => id),
      ["c"]
    )
    assert.strictEqual(BigDecimal.format(Balance.sum(money("1"), credits)), "10")
    assert.isTrue(Balance.isSentFor({ credits }, "a"))
    assert.isFalse(Balance.isSentFor({ credits }, "b"))
    assert.isFalse(Balance.isSentFor(undefined, "a"))
  })
})
