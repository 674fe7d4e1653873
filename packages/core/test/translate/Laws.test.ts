import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { stamp, type UndatedDocument } from "@fiscal-connector/core/document/FiscalDocument"
import * as Instant from "@fiscal-connector/core/document/Instant"
import { formatAmount, type Money } from "@fiscal-connector/core/document/Money"
import { encode } from "@fiscal-connector/core/document/WireCodec"
import { type Finding, refuses } from "@fiscal-connector/core/finding/Finding"
import { check } from "@fiscal-connector/core/preflight/check"
import type { SourceDocument } from "@fiscal-connector/core/source/SourceDocument"
import { translate } from "@fiscal-connector/core/translate/translate"
import { bookWith, deviceTaxes, lenient, percents, source } from "./GeneratedSources.ts"

const perGroup = bookWith({ policies: lenient })
const asInclusive = bookWith({ policies: lenient, rounding: "as-inclusive" })
const perLine = bookWith({ policies: lenient, rounding: "per-line" })
const books = { perGroup, asInclusive, perLine }
const many = { arbitrary: { runs: 400 } }

const cents = (amount: Money): bigint => {
  const { scale, value } = BigDecimal.normalize(amount)
  assert.isAtMost(scale, 2, `${formatAmount(amount)} has more than two places`)
  return value * 10n ** BigInt(2 - scale)
}

/** Half-up, by integers only. */
const rounded = (numerator: bigint, denominator: bigint) => (2n * numerator + denominator) / (2n * denominator)

/** The device's tax in cents, from the wire's own figures: lines summed per device tax, rounded once. */
const deviceTax = ({ payload }: UndatedDocument): bigint => {
  const sums = new Map<number, { percent: bigint; sum: bigint }>()
  for (const { lineAmount, taxCode } of payload.lineItems) {
    const spelling = taxCode.slice(2)
    const percent = BigInt(percents[spelling] ?? 0)
    const before = sums.get(deviceTaxes[spelling]!)?.sum ?? 0n
    sums.set(deviceTaxes[spelling]!, { percent, sum: before + cents(lineAmount) })
  }
  let tax = 0n
  for (const { percent, sum } of sums.values()) {
    tax += rounded(sum * percent, payload.isTaxInclusive ? 10_000n + percent : 10_000n)
  }
  return tax
}

const figures: ReadonlySet<string> = new Set([
  "RCPT019",
  "RCPT024",
  "RCPT026",
  "RCPT027",
  "RCPT037",
  "RCPT038",
  "RCPT040"
])

const sum = (amounts: Iterable<bigint>) => Iterator.from(amounts).reduce((a, b) => a + b, 0n)
const codes = (findings: ReadonlyArray<Finding>) => findings.filter(refuses).map(({ code }) => code)

/** What is sent of a source document; undefined where it is refused. */
const sent = (document: SourceDocument, book = perGroup) => {
  const { findings, translated } = translate(document, book)
  return findings.some(refuses) || translated?.completeness !== "complete" ? undefined : translated
}

describe("whatever is translated without an error", () => {
  it.prop(
    "has the device's tax, and a total that is its lines and tax",
    { source },
    ({ source }) => {
      for (const book of [perGroup, asInclusive]) {
        const document = sent(source, book)?.document
        if (document === undefined) continue
        const { isTaxInclusive, lineItems, subTotal, total, totalTax } = document.payload
        const lines = sum(lineItems.map(({ lineAmount }) => cents(lineAmount)))
        assert.strictEqual(cents(totalTax), deviceTax(document))
        assert.strictEqual(cents(total), isTaxInclusive ? lines : lines + cents(totalTax))
        assert.strictEqual(cents(subTotal), cents(total) - cents(totalTax))
      }
    },
    many
  )

  it.prop(
    "has lines that are price × quantity − discount within a cent, to six and two places",
    { source },
    ({ source }) => {
      for (const book of [perGroup, asInclusive]) {
        for (const line of sent(source, book)?.document.payload.lineItems ?? []) {
          const discount = line.discountAmount === null ? 0n : cents(line.discountAmount)
          assert.isTrue(line.discountAmount === null || discount > 0n)
          assert.isAtMost(BigDecimal.normalize(line.unitAmount).scale, 6)
          assert.isAtMost(BigDecimal.normalize(line.quantity).scale, 6)
          const product = BigDecimal.multiply(line.quantity, line.unitAmount)
          const due = BigDecimal.subtract(product, BigDecimal.make(discount, 2))
          const off = BigDecimal.abs(BigDecimal.subtract(due, line.lineAmount))
          assert.isTrue(BigDecimal.isLessThanOrEqualTo(off, BigDecimal.make(1n, 2)), BigDecimal.format(off))
        }
      }
    },
    many
  )

  it.prop(
    "passes the device's rules on figures",
    { source },
    ({ source }) => {
      for (const book of [perGroup, asInclusive]) {
        const translated = sent(source, book)
        if (translated === undefined) continue
        assert.deepStrictEqual(
          codes(check(source, translated)).filter((code) => figures.has(code)),
          []
        )
      }
    },
    many
  )

  it.prop(
    "says that it is discounted when a line is",
    { source },
    ({ source }) => {
      const payload = sent(source)?.document.payload
      if (payload === undefined) return
      const isDiscounted = payload.lineItems.some(({ discountAmount }) => discountAmount !== null)
      assert.strictEqual(payload.isDiscounted, isDiscounted)
    },
    many
  )
})

const noon = Instant.fromSeconds(1_780_000_000, perGroup.zone)
const bodyOf = (translated: ReturnType<typeof sent>) => translated && encode(stamp(translated.document, noon, "first"))

describe("a stated total", () => {
  it.prop(
    "is taken where it is what the lines add up to, and never altered",
    { source },
    ({ source }) => {
      for (const book of Object.values(books)) {
        const translated = sent(source, book)
        if (translated === undefined) continue
        const { payload } = translated.document
        const totals = { total: payload.total, tax: payload.totalTax, net: payload.subTotal }
        assert.strictEqual(bodyOf(sent({ ...source, totals }, book)), bodyOf(translated))
        const off = { ...source, totals: { total: BigDecimal.sum(payload.total, BigDecimal.make(1n, 2)) } }
        const asTheDevice = sent(off, perGroup)
        // a source that rounds as the device does needs no other basis
        if (book === asInclusive && asTheDevice !== undefined)
          assert.strictEqual(bodyOf(sent(off, book)), bodyOf(asTheDevice))
        else assert.include(codes(translate(off, book).findings), "TOTAL_MISMATCH")
        const untaxed = { total: payload.total, tax: BigDecimal.sum(payload.totalTax, BigDecimal.make(5n, 0)) }
        assert.include(codes(translate({ ...source, totals: untaxed }, book).findings), "TAX_TOTAL_MISMATCH")
      }
    },
    many
  )
})

describe("a credit note", () => {
  type Lines = SourceDocument["lines"]
  const forms: Record<string, (lines: Lines) => Lines> = {
    "positive figures": (lines) => lines,
    "negative quantities": (lines) => lines.map((line) => ({ ...line, quantity: BigDecimal.negate(line.quantity!) })),
    "negative prices": (lines) => lines.map((line) => ({ ...line, unitAmount: BigDecimal.negate(line.unitAmount!) }))
  }

  it.prop(
    "is the same document in whichever sign the source writes its lines and totals",
    { source },
    ({ source }) => {
      const note: SourceDocument = { ...source, kind: "credit-note", charges: [] }
      const translated = sent(note)
      assert.isDefined(translated)
      const { subTotal: net, total, totalTax: tax } = translated.document.payload
      assert.isAtLeast(Number(cents(total)), 0)
      for (const [form, turned] of Object.entries(forms)) {
        for (const totals of [
          { net, tax, total },
          { net: BigDecimal.negate(net), tax: BigDecimal.negate(tax), total: BigDecimal.negate(total) }
        ]) {
          const again = sent({ ...note, lines: turned(note.lines), totals })
          assert.strictEqual(bodyOf(again), bodyOf(translated), form)
        }
      }
    },
    many
  )
})
