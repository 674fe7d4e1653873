/** Generates Xero-shaped exports with figures calculated as Xero does, in integers only. */
import * as Random from "../Random.ts"
import { type Tax, taxOn } from "./TaxTypes.ts"

export type Mode = "Exclusive" | "Inclusive" | "NoTax"

/**
 * Line. Amounts are in cents; quantity and unit price in ten-thousandths, the price with its real
 * number of places.
 */
export interface Line {
  readonly description: string
  readonly quantity: bigint
  readonly unitAmount: bigint
  /** Discount in hundredths of a percent, or in cents. */
  readonly discount: { readonly rate: bigint } | { readonly amount: bigint } | undefined
  readonly type: string
  readonly lineAmount: bigint
  readonly taxAmount: bigint
}

export interface Allocation {
  readonly invoice: string
  readonly amount: bigint
  readonly isDeleted: boolean
}

export interface Document {
  readonly kind: "invoice" | "credit-note"
  readonly type: "ACCREC" | "ACCRECCREDIT" | "ACCPAY"
  readonly id: string
  readonly number: string
  readonly status: "AUTHORISED" | "PAID" | "DRAFT" | "VOIDED"
  readonly day: string
  readonly mode: Mode
  readonly currency: "USD" | "ZAR"
  /** Index of the contact in the export; every third contact has no tax number. */
  readonly contact: number
  readonly lines: ReadonlyArray<Line>
  /** Number of lines with only a description, after the others. */
  readonly texts: number
  readonly rounding: bigint
  readonly subTotal: bigint
  readonly totalTax: bigint
  readonly total: bigint
  readonly allocations: ReadonlyArray<Allocation>
  /** Allocations at a later export of the same document. */
  readonly allocationsLater: ReadonlyArray<Allocation>
}

/** Returns true for an issued sale; false for a bill, a draft or a void. */
export const isIssued = ({ status, type }: Document): boolean =>
  type !== "ACCPAY" && (status === "AUTHORISED" || status === "PAID")

export interface Particulars {
  /** Number of invoices; credit notes, drafts, bills and voids are added. */
  readonly invoices: number
  /**
   * `plain`: only lines, taxes and discounts. `odd`: also some text, free and negative lines,
   * rounding amounts and manually changed taxes.
   */
  readonly oddities: "plain" | "odd"
  readonly modes?: ReadonlyArray<Mode>
  readonly lines?: { readonly from: number; readonly to: number }
}

/** Rounds half-up, away from zero. */
const halfUp = (dividend: bigint, divisor: bigint): bigint => {
  const size = dividend < 0n ? -dividend : dividend
  const rounded = (2n * size + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}

export const taxOf = (amount: bigint, { percent }: Pick<Tax, "percent">, mode: Mode): bigint => {
  const rate = BigInt(percent ?? 0)
  return mode === "Inclusive" ? halfUp(amount * rate, 10_000n + rate) : halfUp(amount * rate, 10_000n)
}

const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((a, b) => a + b, 0n)

const uuid = (group: string, n: number) => `${group}-0000-4000-8000-${String(n).padStart(12, "0")}`

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const totalsOf = (lines: ReadonlyArray<Line>, mode: Mode, rounding: bigint) => {
  const amounts = sum(lines.map(({ lineAmount }) => lineAmount))
  const totalTax = sum(lines.map(({ taxAmount }) => taxAmount))
  const total = mode === "Exclusive" ? amounts + totalTax : amounts
  return { subTotal: total - totalTax, totalTax, total: total + rounding }
}

const usualModes: ReadonlyArray<Mode> = ["Exclusive", "Exclusive", "Exclusive", "Inclusive", "Inclusive", "NoTax"]

/** Generates documents; the same seed makes the same documents. */
export const documents = (seed: number, { invoices, lines: count, modes, oddities }: Particulars) => {
  const random = Random.make(seed)
  const isOdd = (probability: number) => oddities === "odd" && random.chance(probability)

  const lineOf = (type: string, day: string, mode: Mode): Line => {
    const quantity = BigInt(
      random.pick([
        () => random.between(1, 20) * 10_000,
        () => random.between(1, 20) * 10_000,
        () => random.between(1, 2000) * 100,
        () => random.between(1, 200_000)
      ])()
    )
    const unitAmount = BigInt(random.chance(0.6) ? random.between(1, 50_000) * 100 : random.between(100, 5_000_000))
    const discount = random.chance(0.15)
      ? { rate: BigInt(random.pick([500, 1000, 1250, 3333, 5000])) }
      : random.chance(0.08)
        ? { amount: halfUp(quantity * unitAmount, BigInt(random.between(3, 20)) * 1_000_000n) }
        : undefined
    const due =
      discount === undefined
        ? halfUp(quantity * unitAmount, 1_000_000n)
        : "rate" in discount
          ? halfUp(quantity * unitAmount * (10_000n - discount.rate), 10_000_000_000n)
          : halfUp(quantity * unitAmount, 1_000_000n) - discount.amount
    const lineAmount = isOdd(0.03) ? 0n : due
    const free = lineAmount === 0n ? { unitAmount: 0n, discount: undefined } : { unitAmount, discount }
    const tax = taxOf(lineAmount, taxOn(type, day), mode)
    const taxAmount = isOdd(0.02) ? tax + BigInt(random.pick([-1, 1])) : tax
    const description = `${random.pick(["Maize", "Cement, 50 kg", "Hours “Café”", "Rent\nof March"])} ${random.between(1, 9999)}`
    return { description, quantity, ...free, type, lineAmount, taxAmount }
  }

  const typesOf = (mode: Mode): ReadonlyArray<string> => {
    if (mode === "NoTax") return ["NONE"]
    if (random.chance(0.5)) return ["OUTPUT"]
    return random.pick([
      ["OUTPUT", "OUTPUT2"],
      ["OUTPUT", "ZERORATEDOUTPUT", "EXEMPTOUTPUT"],
      ["OUTPUT", "TAX001", "TAX008"]
    ])
  }

  const made: Array<Document> = []

  const invoice = (n: number): Document => {
    const mode = random.pick(modes ?? usualModes)
    const day = dayAfter("2024-09-01", random.between(0, 240))
    const types = typesOf(mode)
    const lines = Array.from({ length: random.between(count?.from ?? 1, count?.to ?? 8) }, () =>
      lineOf(random.pick(types), day, mode)
    )
    const largest = lines.toSorted((a, b) => Number(b.lineAmount - a.lineAmount))[0]!
    if (isOdd(0.05) && largest.lineAmount > 1n) {
      const lineAmount = -(largest.lineAmount / 3n) || -1n
      const taxAmount = taxOf(lineAmount, taxOn(largest.type, day), mode)
      const figures = { quantity: 10_000n, unitAmount: lineAmount * 100n, discount: undefined, lineAmount, taxAmount }
      lines.push({ description: "Deposit", ...figures, type: largest.type })
    }
    const rounding = isOdd(0.03) ? BigInt(random.between(-5, 5)) : 0n
    const bill = random.chance(0.04)
    return {
      kind: "invoice",
      type: bill ? "ACCPAY" : "ACCREC",
      id: uuid("10000000", n),
      number: bill ? random.pick(["RENT", "AP", ""]) : `INV-${String(n).padStart(4, "0")}`,
      status: random.pick([...Array(22).fill("AUTHORISED"), ...Array(15).fill("PAID"), "DRAFT", "VOIDED"]),
      day,
      mode,
      currency: random.chance(0.9) ? "USD" : "ZAR",
      contact: random.between(0, 11),
      lines,
      texts: isOdd(0.05) ? 1 : 0,
      rounding,
      ...totalsOf(lines, mode, rounding),
      allocations: [],
      allocationsLater: []
    }
  }

  /** Makes a credit note for a part of one invoice, or for all of it. */
  const creditNote = (n: number, original: Document, other: Document | undefined): Document => {
    const { contact, currency, mode } = original
    const day = dayAfter(original.day, random.between(0, 60))
    const allocated = random.pick(["whole", "whole", "whole", "whole", "part", "several", "deleted", "none"] as const)
    // Allocated amounts are taxed like the original (DOC-15); amounts without an allocation cannot
    // be.
    const taxDay = allocated === "none" ? day : original.day
    const credited = original.lines.filter(({ lineAmount }) => lineAmount > 0n && random.chance(0.7))
    const isWhole = random.chance(0.3)
    const lines = (isWhole || credited.length === 0 ? original.lines : credited)
      .filter(({ lineAmount }) => lineAmount > 0n)
      .map(({ description, lineAmount: whole, type }): Line => {
        const lineAmount = isWhole ? whole : BigInt(random.between(1, Number(whole)))
        const taxAmount = taxOf(lineAmount, taxOn(type, taxDay), mode)
        const figures = { quantity: 10_000n, unitAmount: lineAmount * 100n, discount: undefined, lineAmount, taxAmount }
        return { description: `Returned: ${description}`, ...figures, type }
      })
    const totals = totalsOf(lines, mode, 0n)
    const { total } = totals
    const to = (document: Document, amount: bigint, isDeleted = false) => ({ invoice: document.id, amount, isDeleted })
    const second = other ?? original
    const allocations = {
      whole: [to(original, total)],
      part: [to(original, total / 2n || 1n)],
      several: [to(original, total - total / 3n), to(second, total / 3n)],
      deleted: [to(second, total, true), to(original, total)],
      none: []
    }[allocated]
    return {
      kind: "credit-note",
      type: "ACCRECCREDIT",
      id: uuid("20000000", n),
      number: `CN-${String(n).padStart(4, "0")}`,
      status: random.pick(["AUTHORISED", "PAID"]),
      day,
      mode,
      currency,
      contact,
      lines,
      texts: 0,
      rounding: 0n,
      ...totals,
      allocations,
      allocationsLater: allocated === "none" ? [to(original, total)] : [...allocations, to(second, 1n)]
    }
  }

  for (let n = 1; n <= invoices; n++) made.push(invoice(n))
  const creditable = random.shuffled(
    made.filter(({ status, total, type }) => type === "ACCREC" && status !== "DRAFT" && total > 0n)
  )
  const notes = creditable
    .slice(0, Math.ceil(invoices / 5))
    .map((original, i) => creditNote(i + 1, original, creditable[creditable.length - 1 - i]))
  return [...made, ...notes.filter(({ lines }) => lines.length > 0)]
}
