import { assert, describe, it } from "@effect/vitest"
import { BigDecimal } from "effect"
import { stamp, type UndatedDocument } from "../../src/document/FiscalDocument.ts"
import * as Instant from "../../src/document/Instant.ts"
import { formatAmount, type Money } from "../../src/document/Money.ts"
import { encode } from "../../src/document/WireCodec.ts"
import { type Finding, refuses } from "../../src/finding/Finding.ts"
import { check } from "../../src/preflight/check.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { translate } from "../../src/translate/translate.ts"
import { int } from "../document/Numbers.ts"
import { bookWith, deviceTaxes, lenient, percents, source } from "./GeneratedSources.ts"
import { seeded } from "../Property.ts"

const perGroup = bookWith({ policies: lenient })
const asInclusive = bookWith({ policies: lenient, rounding: "as-inclusive" })
const perLine = bookWith({ policies: lenient, rounding: "per-line" })
const books = { perGroup, asInclusive, perLine }
const many = seeded({ runs: 400 })

const cents = (amount: Money): bigint => {
  const { scale, value } = BigDecimal.normalize(amount)
  assert.isAtMost(scale, 2, `${formatAmount(amount)} has more than two places`)
  return value * 10n ** BigInt(2 - scale)
}

/** Rounds half-up, with integers only. */
const rounded = (numerator: bigint, denominator: bigint) => (2n * numerator + denominator) / (2n * denominator)

/**
 * Returns the device's tax in cents, from the wire's own figures: lines summed per device tax,
 * rounded once.
 */
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

/** Returns the document that is sent; undefined if refused. */
const sent = (document: SourceDocument, book = perGroup) => {
  const { findings, translated } = translate(document, book)
  return findings.some(refuses) || translated?.completeness !== "complete" ? undefined : translated
}

describe("a document translated without an error", () => {
  it.prop(
    "has the device's tax, and a total of lines plus tax",
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
    "has lines with price × quantity − discount within a cent, with six and two places",
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
    "passes the device's rules about amounts",
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
    "is marked as discounted if a line is discounted",
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
    "is accepted if the lines add up to it, and never changed",
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
        // A source that rounds like the device does not need another basis.
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

const decimals = (value: bigint, scale: number) => BigDecimal.make(value, scale)

/** Returns the tax on a line's amount as a source rounds it, half-up, with the given places. */
const statedTax = (amount: Money, spelling: string, amounts: SourceDocument["taxMode"], places: number): Money => {
  const percent = BigInt(percents[spelling] ?? 0)
  const scaled = cents(amount) * percent * 10n ** BigInt(places)
  return decimals(rounded(scaled, 100n * (amounts === "inclusive" ? 10_000n + percent : 10_000n)), places)
}

/** Returns the document with every line stated in full: amount, percent and tax. */
const inFull = (document: SourceDocument, places: number): SourceDocument | undefined => {
  const whole = sent(document)
  if (whole === undefined) return undefined
  const lines = document.lines.map((line, i) => {
    const index = whole.origins.findIndex(([list, at]) => list === "lines" && at === i)
    const { lineAmount } = whole.document.payload.lineItems[index]!
    const [{ code }] = line.taxes as [{ code: string }]
    const percent = decimals(BigInt(percents[code] ?? 0), 2)
    return {
      ...line,
      lineAmount,
      taxes: [{ code, percent, amount: statedTax(lineAmount, code, document.taxMode, places) }]
    }
  })
  return { ...document, lines }
}

describe("the stated tax of a line", () => {
  const altered: Readonly<Record<string, (tax: SourceDocument["lines"][number]["taxes"][number]) => object>> = {
    "a tax of zero": () => ({ amount: decimals(0n, 2) }),
    "two cents more": ({ amount }) => ({ amount: BigDecimal.sum(amount!, decimals(2n, 2)) }),
    "twice the tax": ({ amount }) => ({ amount: BigDecimal.sum(amount!, amount!) }),
    "a percent of five more": ({ percent }) => ({ percent: BigDecimal.sum(percent!, decimals(5n, 0)) }),
    "half a percent more": ({ percent }) => ({ percent: BigDecimal.sum(percent!, decimals(5n, 1)) })
  }

  it.prop(
    "refuses nothing if it equals the book's tax at any rounding, unless the lines add up to another total",
    { source, places: int(2, 6) },
    ({ places, source }) => {
      const document = inFull({ ...source, charges: [] }, places)
      if (document === undefined) return
      for (const [name, book] of Object.entries(books)) {
        const stated = { ...document, lines: document.lines.map((line) => ({ ...line, taxes: [line.taxes[0]!] })) }
        const bare = {
          ...document,
          lines: document.lines.map((line) => ({ ...line, taxes: [{ code: line.taxes[0]!.code }] }))
        }
        const found = codes(translate(stated, book).findings)
        const others = found.filter((code) => code !== "LINES_TOTAL_MISMATCH")
        assert.deepStrictEqual(others, codes(translate(bare, book).findings), name)
        const sent = translate(stated, book).translated?.document.payload.total
        const ofLines = BigDecimal.sumAll(
          stated.lines.flatMap(({ lineAmount, taxes: [tax] }) =>
            document.taxMode === "inclusive" ? [lineAmount!] : [lineAmount!, tax!.amount!]
          )
        )
        const isSum = sent !== undefined && BigDecimal.equals(sent, ofLines)
        if (places === 2 && others.length === 0) assert.strictEqual(found.length > others.length, !isSum, name)
        if (name === "asInclusive") assert.deepStrictEqual(found, others)
      }
    },
    many
  )

  it.prop(
    "is never ignored: a changed tax is refused, and only a stated total that proves the device's tax allows it, with a warning",
    { source, line: int(0, 7), places: int(2, 4) },
    ({ line, places, source }) => {
      const document = inFull({ ...source, charges: [] }, places)
      if (document === undefined) return
      const at = line % document.lines.length
      for (const [what, alter] of Object.entries(altered)) {
        const lines = document.lines.map((line, i) =>
          i === at ? { ...line, taxes: [{ ...line.taxes[0]!, ...alter(line.taxes[0]!) }] } : line
        )
        const [stated] = document.lines[at]!.taxes
        const [now] = lines[at]!.taxes
        const off = BigDecimal.abs(BigDecimal.subtract(now!.amount!, stated!.amount!))
        // A difference of a cent may be the rounding of an amount in between.
        const isWithin = BigDecimal.isLessThan(off, decimals(2n, 2))
        if (isWithin && BigDecimal.equals(now!.percent!, stated!.percent!)) continue
        for (const [name, book] of Object.entries(books)) {
          const { findings, translated } = translate({ ...document, lines }, book)
          assert.include(codes(findings).join(), "DIFFERS", `${what}, ${name}`)
          if (translated?.completeness !== "complete" || name === "asInclusive") continue
          const { subTotal: net, total, totalTax: tax } = translated.document.payload
          const gross = translate({ ...document, lines, totals: { total } }, book)
          const isProof = document.taxMode === "exclusive"
          assert.strictEqual(
            codes(gross.findings).some((code) => code.includes("DIFFERS")),
            !isProof,
            `${what}, ${name}`
          )
          const proven = translate({ ...document, lines, totals: { net, tax, total } }, book).findings
          assert.deepStrictEqual(
            codes(proven).filter((code) => code.includes("DIFFERS")),
            [],
            `${what}, ${name}`
          )
          assert.include(proven.map(({ code }) => code).join(), "DIFFERS", `${what}, ${name}`)
        }
      }
    },
    many
  )

  it.prop(
    "on the wrong basis, with or without tax, refuses the document and names the basis",
    { source },
    ({ source }) => {
      const document = inFull({ ...source, charges: [] }, 2)
      const isTaxed = document?.lines.some(({ taxes }) => (taxes[0]?.amount?.value ?? 0n) > 20n) ?? false
      if (document === undefined || !isTaxed) return
      const amounts = document.taxMode === "inclusive" ? "exclusive" : "inclusive"
      const { findings } = translate({ ...document, taxMode: amounts }, perGroup)
      const finding = findings.find(({ code }) => code === "TAX_AMOUNT_DIFFERS")
      assert.isDefined(finding)
      assert.isTrue(refuses(finding))
      assert.include(finding.fix, `${document.taxMode} of tax`)
    },
    many
  )
})

describe("a credit note", () => {
  type Lines = SourceDocument["lines"]
  const forms: Record<string, (lines: Lines) => Lines> = {
    "positive figures": (lines) => lines,
    "negative quantities": (lines) => lines.map((line) => ({ ...line, quantity: BigDecimal.negate(line.quantity!) })),
    "negative prices": (lines) => lines.map((line) => ({ ...line, unitPrice: BigDecimal.negate(line.unitPrice!) }))
  }

  it.prop(
    "is translated the same with either sign of its lines and totals in the source",
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
