/**
 * Invoices with earlier credit notes and any change of the books, whose prepared note an oracle of
 * whole cents and the rules of the sandbox's device judge.
 */
import { assert } from "@effect/vitest"
import { BigDecimal } from "effect"
import type { UndatedDocument } from "../../src/document/FiscalDocument.ts"
import { CurrencyCode, DocumentNumber, InvoiceId, CreditNoteId, TaxCode } from "../../src/document/Identifiers.ts"
import type { LineItem } from "../../src/document/LineItem.ts"
import * as Money from "../../src/document/Money.ts"
import * as Finding from "../../src/finding/Finding.ts"
import * as Prepared from "../../src/credit/Prepared.ts"
import * as Rounding from "../../src/translate/Rounding.ts"
import { check } from "../../src/preflight/check.ts"
import type { Family, NoteOnInvoice, StatedInvoice } from "../../src/submission/ledger/CreditFamily.ts"
import { marksOf } from "../../../sandbox/src/receipt/color.ts"
import { Zone } from "../../../sandbox/src/wire/Zone.ts"
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

export interface Document {
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

export const lineItem = (line: Line): LineItem => ({
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

export const invoice = (document: Document): UndatedDocument => ({
  kind: "invoice",
  payload: { invoiceId: InvoiceId.make("1"), invoiceNumber: DocumentNumber.make("INV-1"), ...payloadOf(document) }
})

export const note = (
  document: Document,
  made: NoteOnInvoice["made"],
  standing: NoteOnInvoice["standing"]
): NoteOnInvoice => ({
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

export const stated = (document: Document): StatedInvoice => ({ _tag: "Changed", document: invoice(document), meaning })

/** Credits of the prepared note by device tax, in cents. */
const creditOf = ({ content }: Prepared.PreparedNote) =>
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
const breaches = ({ content }: Prepared.PreparedNote) =>
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

export const one: Document = {
  mode: "exclusive",
  lines: [{ code: "S", product: "1", quantity: 1, price: 10_200, discount: 0 }]
}

export const made = (prepared: Prepared.Prepared): Prepared.PreparedNote => {
  if (prepared._tag !== "Note") assert.fail(JSON.stringify(prepared, null, 1))
  return prepared
}

export const sent = (document: Document) => ({ document: invoice(document), meaning })

const totalOf = (document: Document) => [...oracle(document).values()].reduce((sum, { gross }) => sum + gross, 0n)

const device = { zone: Zone.make("+02:00"), epochSeconds: Date.parse("2026-03-01T10:00:00+02:00") / 1000 }

/** Marks of the note on the sandbox's device, which has the invoice and credits of `credited`. */
const marks = ({ content }: Prepared.PreparedNote, before: Document, credited: bigint) => {
  const deviceOf = (code: string) => taxes.find((tax) => tax.code === code)!.device
  const text = "2026-03-02T10:00:00+02:00"
  return marksOf(
    {
      kind: "credit-note",
      id: "c",
      number: "INV-1-C1",
      originalInvoiceId: "1",
      reference: "void",
      amounts: content.isTaxInclusive ? "inclusive" : "exclusive",
      buyer: null,
      date: { text, epochSeconds: Date.parse(text) / 1000 },
      lines: content.lineItems.map((line) => ({ ...line, taxId: deviceOf(line.taxCode) })),
      paymentMethod: "Cash",
      subTotal: content.subTotal,
      totalTax: content.totalTax,
      total: content.total,
      currencyCode: "USD",
      currency: "USD",
      sent: "first"
    },
    {
      taxes: taxes.map(({ device, mille }) => ({
        taxId: device,
        taxName: String(device),
        ...(mille !== null && { taxPercent: cents(mille * 10) })
      })),
      taxpayer: "vat-registered",
      zone: device.zone,
      now: Date.parse("2026-03-03T10:00:00+02:00") / 1000,
      clockToleranceSeconds: 0,
      dayOpenedAt: undefined,
      dayMaxHours: 24,
      previousReceiptAt: device.epochSeconds,
      numbers: new Set(["INV-1"]),
      original: {
        epochSeconds: device.epochSeconds,
        currency: "USD",
        total: cents(totalOf(before)),
        credited: cents(credited),
        taxIds: before.lines.map(({ code }) => deviceOf(code))
      },
      creditWithoutInvoice: "forbidden",
      taxTolerance: Money.zero
    }
  )
}

/** Judges the notes that are prepared in `count` histories, and counts them by their form. */
export const histories = (seed: number, count: number): ReadonlyMap<string, number> => {
  const random = Random.make(seed)
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
  for (let n = 0; n < count; n++) {
    const before: Document = { mode: mode(), lines: Array.from({ length: 1 + below(8) }, line) }
    const left = new Map(devices.map((device) => [device, grossOf(oracle(before), device)]))
    const notes = Array.from({ length: below(4) }, () => {
      const device = pick(devices)
      const rest = left.get(device)!
      if (rest < 4n) return []
      const price = 1 + below(Number(rest / 2n))
      const code = taxes.find((tax) => tax.device === device)!.code
      const part: Document = {
        mode: mode(),
        lines: [{ code, product: "10000000", quantity: 1, price, discount: 0 }]
      }
      const standing = pick(["fiscalised", "open", "ended"] as const)
      const made = note(part, "source", standing)
      // a note that has no receipt and gets none is a separate item
      if (standing === "ended") return [{ part: { ...part, lines: [] }, made }]
      left.set(device, rest - grossOf(oracle(part), device))
      return [{ part, made }]
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
    const credited = notes.reduce((sum, { part }) => sum + totalOf(part), 0n)
    assert.deepStrictEqual(marks(prepared, before, credited), [], `${n}: ${kind}`)
    if (prepared.form === "mirror")
      assert.strictEqual(Money.formatAmount(prepared.figures.tax), Money.formatAmount(payloadOf(before).totalTax))
    if (prepared.taxOff !== null)
      assert.isTrue(
        Money.within(prepared.taxOff, Money.zero, Money.cent),
        `${n}: ${Money.formatAmount(prepared.taxOff)}`
      )
  }
  return counts
}
