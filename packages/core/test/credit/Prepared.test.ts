import { assert, describe, it } from "@effect/vitest"
import * as Money from "../../src/document/Money.ts"
import * as Prepared from "../../src/credit/Prepared.ts"
import type { Family } from "../../src/submission/ledger/CreditFamily.ts"
import { type Document, histories, invoice, lineItem, made, note, one, sent, stated } from "./PreparedHistories.ts"

describe("a prepared credit note", () => {
  it("mirrors a voided invoice without notes, line by line", () => {
    const prepared = made(
      Prepared.prepare({ sent: sent(one), notes: [], unplaced: [], stated: { _tag: "Nothing" } }, "difference")
    )
    assert.strictEqual(prepared.form, "mirror")
    assert.deepStrictEqual(prepared.content.lineItems, one.lines.map(lineItem))
    assert.strictEqual(Money.formatAmount(prepared.figures.total), "117.81")
    assert.strictEqual(Money.formatAmount(prepared.figures.tax), "15.81")
  })

  it("credits the rest of a voided invoice with tax, one line for each tax", () => {
    const two: Document = {
      ...one,
      lines: [...one.lines, { code: "Z", product: "2", quantity: 1, price: 4000, discount: 0 }]
    }
    const before: Document = {
      mode: "exclusive",
      lines: [{ code: "S", product: "1", quantity: 1, price: 3333, discount: 0 }]
    }
    const family = {
      sent: sent(two),
      notes: [note(before, "source", "fiscalised")],
      unplaced: [],
      stated: { _tag: "Nothing" } as const
    }
    const prepared = made(Prepared.prepare(family, "difference"))
    assert.isTrue(prepared.content.isTaxInclusive)
    assert.deepStrictEqual(
      prepared.content.lineItems.map(({ lineAmount, taxCode }) => `${taxCode} ${Money.formatAmount(lineAmount)}`),
      ["S 79.31", "Z 40.00"]
    )
    assert.strictEqual(Money.formatAmount(prepared.figures.total), "119.31")
  })

  it("states amounts without tax as its invoice does, if the gateway takes no other mode (DOC-19)", () => {
    const found = { exact: 0, missed: 0, taxOff: 0 }
    const odd: Document = { ...one, lines: [{ ...one.lines[0]!, price: 10_137 }] }
    for (let price = 1; price < 400; price++) {
      const before: Document = {
        mode: "inclusive",
        lines: [{ code: "S", product: "1", quantity: 1, price, discount: 0 }]
      }
      const notes = [note(before, "here", "fiscalised")]
      const family = { sent: sent(odd), notes, unplaced: [], stated: { _tag: "Nothing" } as const }
      // a rest with tax may leave a cent of the tax, which is shown
      const rest = made(Prepared.prepare(family, "difference"))
      assert.strictEqual(Money.formatAmount(rest.taxOff!), Money.formatAmount(rest.left!.tax))
      found.taxOff += Money.formatAmount(rest.taxOff!) === "0.00" ? 0 : 1
      const prepared = Prepared.prepare(family, "difference", "same")
      if (prepared._tag === "Hindered") {
        assert.strictEqual(prepared.by._tag, "CentMissed")
        found.missed++
        continue
      }
      const { content, figures, left } = made(prepared)
      assert.isFalse(content.isTaxInclusive)
      assert.strictEqual(Money.formatAmount(left!.total), "0.00")
      assert.strictEqual(Money.formatAmount(content.lineItems[0]!.lineAmount), Money.formatAmount(figures.net))
      found.exact++
    }
    assert.isAbove(Math.min(found.exact, found.missed, found.taxOff), 20, JSON.stringify(found))
  })

  it("keeps the lines of a quantity that fell", () => {
    const of = (quantity: number): Document => ({
      mode: "inclusive",
      lines: [
        { code: "S", product: "1", quantity, price: 11_550, discount: 0 },
        { code: "Z", product: "2", quantity: 1, price: 5000, discount: 0 }
      ]
    })
    const prepared = made(
      Prepared.prepare({ sent: sent(of(2)), notes: [], unplaced: [], stated: stated(of(1)) }, "difference")
    )
    assert.strictEqual(prepared.form, "lines")
    assert.deepStrictEqual(prepared.content.lineItems, [lineItem(of(1).lines[0]!)])
  })

  it("is not made if the receipts already agree with the source", () => {
    const part: Document = {
      mode: "exclusive",
      lines: [{ code: "S", product: "1", quantity: 1, price: 3000, discount: 0 }]
    }
    for (const standing of ["fiscalised", "open"] as const) {
      const unchanged = {
        sent: sent(one),
        notes: [note(part, "source", standing)],
        unplaced: [],
        stated: { _tag: "AsSent" } as const
      }
      const prepared = Prepared.prepare(unchanged, "difference")
      assert.strictEqual(prepared._tag === "Nothing" && prepared.cause, "same-figures")
    }
    // a rejected or withdrawn note beside its reissue is not a second statement of the source
    const reissued = [note(part, "source", "ended"), note(part, "source", "fiscalised")]
    const once = Prepared.prepare(
      { sent: sent(one), notes: reissued, unplaced: [], stated: { _tag: "AsSent" } },
      "difference"
    )
    assert.strictEqual(once._tag === "Nothing" && once.cause, "same-figures")
    const represented = [{ ...note(part, "source", "ended"), isRepresented: true }, note(part, "here", "fiscalised")]
    const both = Prepared.prepare(
      { sent: sent(one), notes: represented, unplaced: [], stated: { _tag: "AsSent" } },
      "difference"
    )
    assert.strictEqual(both._tag === "Nothing" && both.cause, "same-figures")
    const whole = {
      sent: sent(one),
      notes: [note(one, "source", "fiscalised")],
      unplaced: [],
      stated: { _tag: "Nothing" } as const
    }
    const nothing = Prepared.prepare(whole, "everything")
    assert.strictEqual(nothing._tag === "Nothing" && nothing.cause, "nothing-left")
  })

  it("is never guessed: a tax that rose, figures that are not known, a note in doubt", () => {
    const higher: Document = { ...one, lines: [{ ...one.lines[0]!, price: 10_300 }] }
    const by = (family: Family) => {
      const prepared = Prepared.prepare(family, "difference")
      return prepared._tag === "Hindered" ? prepared.by._tag : prepared._tag
    }
    assert.strictEqual(by({ sent: sent(one), notes: [], unplaced: [], stated: stated(higher) }), "Risen")
    assert.strictEqual(
      by({ sent: sent(one), notes: [], unplaced: [], stated: { _tag: "NotKept" } }),
      "StatementNotKnown"
    )
    const refused = { sent: sent(one), notes: [], unplaced: ["CN-7"] }
    assert.strictEqual(by({ ...refused, stated: { _tag: "AsSent" } }), "StatementNotKnown")
    // a void takes every note of the invoice with it
    assert.strictEqual(Prepared.prepare({ ...refused, stated: { _tag: "Nothing" } }, "difference")._tag, "Note")
    const doubtful = [note(one, "source", "unclear")]
    assert.strictEqual(
      by({ sent: sent(one), notes: doubtful, unplaced: [], stated: { _tag: "Nothing" } }),
      "NoteUnclear"
    )
    const older = { document: invoice(one), meaning: null }
    assert.strictEqual(by({ sent: older, notes: [], unplaced: [], stated: { _tag: "Nothing" } }), "MeaningNotKept")
    // by an operator's choice, everything that is left
    const chosen = made(
      Prepared.prepare({ sent: sent(one), notes: [], unplaced: [], stated: { _tag: "NotKept" } }, "everything")
    )
    assert.strictEqual(chosen.afterwards, "issue-anew")
  })

  it("makes receipts and source equal to the cent for each tax, in any history, and never credits more than is left", () => {
    const counts = histories(20_261_128, 3000)
    for (const kind of [
      "mirror everything",
      "sums everything",
      "sums difference",
      "lines difference",
      "Nothing",
      "Risen"
    ])
      assert.isAbove(counts.get(kind) ?? 0, 20, JSON.stringify([...counts]))
  })
})
