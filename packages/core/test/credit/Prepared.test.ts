import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import type { UndatedDocument } from "@fiscal-connector/core/document/FiscalDocument"
import {
  CurrencyCode,
  DocumentNumber,
  InvoiceId,
  CreditNoteId,
  TaxCode
} from "@fiscal-connector/core/document/Identifiers"
import type { LineItem } from "@fiscal-connector/core/document/LineItem"
import * as Money from "@fiscal-connector/core/document/Money"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import * as Prepared from "@fiscal-connector/core/unstable/credit/Prepared"
import * as Rounding from "@fiscal-connector/core/unstable/translate/Rounding"
import { check } from "@fiscal-connector/core/unstable/preflight/check"
import type {
  Family,
  NoteOnInvoice,
  StatedInvoice
} from "@fiscal-connector/core/unstable/submission/ledger/CreditFamily"
import * as Random from "../../../../proofs/Random.ts"

/** Device taxes: two codes of one tax, one of 0 %, one exempt. Per mille, for integers. */
const taxes = [
  { code: "S", device: 1, mille: 155 },
  { code: "S2", device: 1, mille: 155 },
  { code: "Z", device: 2, mille: 0 },
  { code: "E", device: 3, mille: null }
] as const

const meaning = {
  currency: "USD",
  taxes: taxes.map(({ code, device, mille }) => [code, device, mille === null ? null : String(mille / 10)] as const)
}

/** A line in whole cents, the oracle's own form. */
interface Line {
  readonly code: (typeof taxes)[number]["code"]
  readonly product: string
  readonly quantity: number
  readonly price: number
  readonly discount: number
}

interface Document {
  readonly mode: "inclusive" | "exclusive"
  readonly lines: ReadonlyArray<Line>
}

const amountOf = ({ discount, price, quantity }: Line) => price * quantity - discount

const halfUp = (over: bigint, by: bigint): bigint => (over * 2n + by) / (by * 2n)

/** Gross and tax of each device tax in cents, computed with integers. */
const oracle = ({ lines, mode }: Document) => {
  const nets = new Map<number, { amount: bigint; mille: bigint }>()
  for (const line of lines) {
    const { device, mille } = taxes.find(({ code }) => code === line.code)!
    const known = nets.get(device)?.amount ?? 0n
    nets.set(device, { amount: known + BigInt(amountOf(line)), mille: BigInt(mille ?? 0) })
  }
  return new Map(
    [...nets].map(([device, { amount, mille }]) => {
      const tax = halfUp(amount * mille, mode === "inclusive" ? 1000n + mille : 1000n)
      return [device, { tax, gross: mode === "inclusive" ? amount : amount + tax }] as const
    })
  )
}

const cents = (amount: bigint | number) => BigDecimal.make(BigInt(amount), 2)
const whole = (number: number) => BigDecimal.make(BigInt(number), 0)

const lineItem = (line: Line): LineItem => ({
  description: `item ${line.product}`,
  unitAmount: cents(line.price),
  taxCode: TaxCode.make(line.code),
  productCode: line.product,
  lineAmount: cents(amountOf(line)),
  discountAmount: line.discount === 0 ? null : cents(line.discount),
  quantity: whole(line.quantity),
  customFields: null
})

const payloadOf = (document: Document) => {
  const shares = [...oracle(document).values()]
  const total = shares.reduce((sum, { gross }) => sum + gross, 0n)
  const tax = shares.reduce((sum, { tax }) => sum + tax, 0n)
  return {
    reference: null,
    isDiscounted: document.lines.some(({ discount }) => discount > 0),
    isTaxInclusive: document.mode === "inclusive",
    buyerContact: null,
    lineItems: document.lines.map(lineItem),
    paymentMethod: null,
    subTotal: cents(total - tax),
    totalTax: cents(tax),
    total: cents(total),
    currencyCode: CurrencyCode.make("USD")
  }
}

const invoice = (document: Document): UndatedDocument => ({
  kind: "invoice",
  payload: { invoiceId: InvoiceId.make("1"), invoiceNumber: DocumentNumber.make("INV-1"), ...payloadOf(document) }
})

const note = (document: Document, made: NoteOnInvoice["made"], standing: NoteOnInvoice["standing"]): NoteOnInvoice => ({
  account: "a",
  kind: "credit-note",
  id: "n",
  number: "CN",
  state: standing === "fiscalised" ? "Fiscalised" : standing === "open" ? "Planned" : "Withdrawn",
  made,
  standing,
  isRepresented: false,
  meaning,
  document: {
    kind: "credit-note",
    payload: {
      creditNoteId: CreditNoteId.make("n"),
      originalInvoiceId: InvoiceId.make("1"),
      creditNoteNumber: DocumentNumber.make("CN"),
      ...payloadOf(document)
    }
  }
})

const stated = (document: Document): StatedInvoice => ({ _tag: "Changed", document: invoice(document), meaning })

/** Credits of the prepared note by device tax, in cents. */
const creditOf = ({ content }: Prepared.Made) =>
  oracle({
    mode: content.isTaxInclusive ? "inclusive" : "exclusive",
    lines: content.lineItems.map((line) => ({
      code: line.taxCode as Line["code"],
      product: line.productCode!,
      quantity: 1,
      price: Number(BigDecimal.scale(line.lineAmount, 2).value),
      discount: 0
    }))
  })

const grossOf = (sums: ReturnType<typeof oracle>, device: number) => sums.get(device)?.gross ?? 0n

const devices = [1, 2, 3]

/** Breaches of the device's own rules about one document. */
const breaches = ({ content }: Prepared.Made) =>
  check(
    { where: () => ({ file: "test" }) },
    {
      completeness: "complete",
      document: {
        kind: "credit-note",
        payload: {
          creditNoteId: CreditNoteId.make("c"),
          originalInvoiceId: InvoiceId.make("1"),
          creditNoteNumber: DocumentNumber.make("INV-1-C1"),
          reference: "void",
          ...content,
          // the device of these documents asks for a payment
          paymentMethod: "Cash"
        }
      },
      date: "2026-03-02" as never,
      taxDate: "2026-03-01" as never,
      taxes: Rounding.keptTaxes(meaning.taxes),
      deviceCurrency: "USD",
      origins: []
    }
  ).filter(Finding.refuses)

const one: Document = {
  mode: "exclusive",
  lines: [{ code: "S", product: "1", quantity: 1, price: 10_200, discount: 0 }]
}

const made = (prepared: Prepared.Prepared): Prepared.Made => {
  if (prepared._tag !== "Note") assert.fail(JSON.stringify(prepared, null, 1))
  return prepared
}

const sent = (document: Document) => ({ document: invoice(document), meaning })

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
      assert.strictEqual(prepared._tag === "Nothing" && prepared.because, "same-figures")
    }
    // a rejected or withdrawn note beside its reissue is not a second statement of the source
    const reissued = [note(part, "source", "ended"), note(part, "source", "fiscalised")]
    const once = Prepared.prepare(
      { sent: sent(one), notes: reissued, unplaced: [], stated: { _tag: "AsSent" } },
      "difference"
    )
    assert.strictEqual(once._tag === "Nothing" && once.because, "same-figures")
    const represented = [{ ...note(part, "source", "ended"), isRepresented: true }, note(part, "here", "fiscalised")]
    const both = Prepared.prepare(
      { sent: sent(one), notes: represented, unplaced: [], stated: { _tag: "AsSent" } },
      "difference"
    )
    assert.strictEqual(both._tag === "Nothing" && both.because, "same-figures")
    const whole = {
      sent: sent(one),
      notes: [note(one, "source", "fiscalised")],
      unplaced: [],
      stated: { _tag: "Nothing" } as const
    }
    const nothing = Prepared.prepare(whole, "everything")
    assert.strictEqual(nothing._tag === "Nothing" && nothing.because, "nothing-left")
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
    const random = Random.make(20_261_128)
    const pick = <A>(all: ReadonlyArray<A>): A => random.pick(all)
    const below = (end: number) => random.between(0, end - 1)
    const line = (): Line => {
      const quantity = 1 + below(9)
      const price = 1 + below(20_000)
      return {
        code: pick(taxes).code,
        product: `1000000${below(3)}`,
        quantity,
        price,
        discount: below(4) === 0 ? below(Math.max(1, Math.floor((price * quantity) / 2))) : 0
      }
    }
    const mode = () => pick(["inclusive", "exclusive"] as const)
    const counts = new Map<string, number>()
    for (let n = 0; n < 3000; n++) {
      const before: Document = { mode: mode(), lines: Array.from({ length: 1 + below(6) }, line) }
      const left = new Map(devices.map((device) => [device, grossOf(oracle(before), device)]))
      const notes = Array.from({ length: below(4) }, () => {
        const device = pick(devices)
        const rest = left.get(device)!
        if (rest < 4n) return []
        const price = 1 + below(Number(rest / 2n))
        const code = taxes.find((tax) => tax.device === device)!.code
        const part: Document = {
          mode: "inclusive",
          lines: [{ code, product: "10000000", quantity: 1, price, discount: 0 }]
        }
        left.set(device, rest - BigInt(price))
        return [{ part, made: note(part, "source", pick(["fiscalised", "open"] as const)) }]
      }).flat()
      const change = below(5)
      const now: Document =
        change === 0
          ? before
          : change === 1
            ? { ...before, lines: before.lines.slice(1) }
            : change === 2
              ? {
                  ...before,
                  lines: before.lines.map((one) => ({ ...one, price: Math.max(1, one.price - below(50)), discount: 0 }))
                }
              : { mode: mode(), lines: Array.from({ length: 1 + below(5) }, line) }
      const isVoid = below(3) === 0
      const target = new Map(
        devices.map((device) => {
          const credited = notes.reduce((sum, { part }) => sum + grossOf(oracle(part), device), 0n)
          return [device, isVoid ? 0n : grossOf(oracle(now), device) - credited]
        })
      )
      const family: Family = {
        sent: sent(before),
        notes: notes.map(({ made }) => made),
        unplaced: [],
        stated: isVoid ? { _tag: "Nothing" } : now === before ? { _tag: "AsSent" } : stated(now)
      }
      const prepared = Prepared.prepare(family, "difference")
      const kind =
        prepared._tag === "Hindered"
          ? prepared.by._tag
          : prepared._tag === "Note"
            ? `${prepared.form} ${prepared.of}`
            : prepared._tag
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      if (prepared._tag !== "Note") {
        if (prepared._tag === "Nothing")
          for (const device of devices) assert.strictEqual(left.get(device), target.get(device))
        continue
      }
      const credit = creditOf(prepared)
      for (const device of devices) {
        const after = left.get(device)! - grossOf(credit, device)
        assert.strictEqual(
          after,
          prepared.of === "everything" ? 0n : target.get(device)!,
          `${n}: ${kind}, device tax ${device}`
        )
      }
      assert.deepStrictEqual(breaches(prepared), [], `${n}: ${kind}`)
      if (prepared.taxOff !== null)
        assert.isTrue(
          Money.within(prepared.taxOff, Money.zero, BigDecimal.make(2n, 2)),
          `${n}: ${Money.formatAmount(prepared.taxOff)}`
        )
    }
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
