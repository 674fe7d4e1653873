/**
 * Converts tax tables of a document to taxes of lines and to charges. A row may be a percent of the
 * lines, a fixed amount such as shipping, or the tax of an earlier row. A row without an equivalent
 * is a problem.
 */
import { Money, type SourceDocument } from "@fiscal-connector/core/adapter"
import { BigDecimal, Option } from "effect"
import { allocated } from "./TaxShares.ts"

/**
 * Base of a row. `lines`: a percent of the lines. `row-amount`: a percent of an earlier row.
 * `row-total`: a percent of the lines and all rows up to an earlier row. `fixed`: an amount.
 * `quantity`: an amount per piece.
 */
export type TableBasis = "lines" | "row-amount" | "row-total" | "fixed" | "quantity"

/** One row of the table. Figures have the sign of the document. */
export interface TableRow {
  readonly basis: TableBasis
  /** Number of the earlier row, counted from 1. */
  readonly row?: number | undefined
  /** Tax or charge in the export's spelling. */
  readonly code: string
  /** Free text next to the code. */
  readonly text?: string | undefined
  /** Percent as 15, not 0.15. */
  readonly percent?: Money.Money | undefined
  /** Amount after a discount on the whole document. */
  readonly amount: Money.Money
  /**
   * `include` if the prices of the lines contain the tax; `unstated` if the export does not say.
   */
  readonly prices: "include" | "exclude" | "unstated"
}

/** Parts of a line that determine its taxes. */
export interface TableLine {
  /** Amount as printed, before a discount on the whole document. */
  readonly amount: Money.Money
  /** Amount without tax, after a discount on the whole document. */
  readonly net?: Money.Money | undefined
  /** Code of the line's own rates; takes precedence over the code of the row. */
  readonly code?: string | undefined
  /** Rates of the line itself, by the codes of rows; `none`: the row does not apply. */
  readonly rates: ReadonlyMap<string, Money.Money | "none">
}

/** Figures of the whole document, if stated. */
export interface TableTotals {
  readonly net?: Money.Money | undefined
  readonly total?: Money.Money | undefined
  /** Discount on the whole document, without a sign. */
  readonly discount?: Money.Money | undefined
}

/** The document as stated by the table. */
export interface ComputedTax {
  readonly taxMode: "inclusive" | "exclusive" | "unstated"
  readonly taxes: ReadonlyArray<ReadonlyArray<SourceDocument.SourceTax>>
  /**
   * Part of a discount on the whole document, for each line; undefined if the part is not stated
   * line by line.
   */
  readonly discounts: ReadonlyArray<Money.Money> | undefined
  readonly charges: ReadonlyArray<SourceDocument.SourceCharge>
  readonly totals: { readonly net?: Money.Money; readonly tax?: Money.Money; readonly total?: Money.Money }
  /** Difference between the stated taxes and the taxes that the prices contain; zero if equal. */
  readonly rounded: Money.Money
}

/**
 * A row that has no equivalent as lines and charges, counted from 0; the totals if `row` is
 * undefined.
 */
export interface TableProblem {
  readonly row: number | undefined
  readonly message: string
  readonly fix: string
}

const hundred = BigDecimal.make(100n, 0)
const sumOf = (amounts: ReadonlyArray<Money.Money>): Money.Money => BigDecimal.sumAll(amounts)
const minus = BigDecimal.subtract
const isZero = (amount: Money.Money | undefined): boolean => amount === undefined || BigDecimal.isZero(amount)
const size = BigDecimal.abs

/**
 * Largest remainder that systems leave between net amounts plus taxes and the total (formats:
 * ERPNext).
 */
const widestRest = BigDecimal.make(5n, 2)

const namesTax = /\b(?:vat|gst|tax|taxes|btw|iva|tva|mwst|ust)\b/i
const namesShipping = /freight|shipping|delivery|carriage|transport|courier|postage/i

/** Converts a document's table, or returns the row that has no equivalent. */
export const settle = (
  rows: ReadonlyArray<TableRow>,
  lines: ReadonlyArray<TableLine>,
  totals: TableTotals
): ComputedTax | TableProblem => {
  const roles = rows.map((row, i) => roleOf(row, i, rows))
  const wrong = roles.find((role): role is TableProblem => typeof role === "object" && "message" in role)
  if (wrong !== undefined) return wrong
  const ofLines = rows.filter((_, i) => roles[i] === "lines" || roles[i] === "lines and charges")
  const modes = new Set(ofLines.filter(({ amount }) => !isZero(amount)).map(({ prices }) => prices))
  if (modes.size > 1) return mixed(rows.indexOf(ofLines.find(({ prices }) => prices === "include")!))
  const [mode = ofLines[0]?.prices ?? "exclude"] = modes
  const taxMode = mode === "include" ? "inclusive" : mode === "exclude" ? "exclusive" : "unstated"
  const charges = chargesOf(rows, roles, taxMode)
  const fixed = sumOf(rows.filter((_, i) => roles[i] === "charge").map(({ amount }) => amount))
  const taxes = sumOf(rows.filter((_, i) => roles[i] !== "charge").map(({ amount }) => amount))
  const linesTaxes = lines.map((line) => taxesOf(line, ofLines))
  const stated = { taxes: linesTaxes, charges }
  return taxMode === "inclusive"
    ? inclusive(stated, lines, totals, ofLines)
    : exclusive(taxMode, stated, lines, totals, { fixed, taxes, ofLines: sumOf(ofLines.map(({ amount }) => amount)) })
}

type Role = "lines" | "lines and charges" | "charge" | { readonly taxOf: number }

const roleOf = (row: TableRow, i: number, rows: ReadonlyArray<TableRow>): Role | TableProblem => {
  const number = i + 1
  const problem = (message: string, fix: string): TableProblem => ({ row: i, message, fix })
  if (row.basis === "lines") return "lines"
  if (row.basis === "fixed") {
    return namesTax.test(row.code) && !isZero(row.amount)
      ? problem(
          `Row ${number} of the taxes, "${row.code}", is a fixed amount that is called a tax`,
          "The gateway takes a tax as a percent of its lines. State it so in the source, or give a charge a name that is not one of a tax."
        )
      : "charge"
  }
  if (row.basis === "quantity") {
    return isZero(row.amount)
      ? "lines"
      : problem(
          `Row ${number} of the taxes, "${row.code}", is an amount for each piece`,
          "The gateway takes percents only. State the tax as a percent in the source."
        )
  }
  const at = (row.row ?? 0) - 1
  const other = rows[at]
  if (other === undefined || at >= i)
    return problem(
      `Row ${number} of the taxes, "${row.code}", builds on another row, and the export does not say which`,
      "Export the number of the row it refers to as well."
    )
  if (row.basis === "row-amount" && other.basis === "fixed") return { taxOf: at }
  const below = row.basis === "row-total" ? rows.slice(0, at + 1) : [other]
  return row.basis === "row-total" && below.every(({ basis }) => basis === "fixed")
    ? "lines and charges"
    : problem(
        `Row ${number} of the taxes, "${row.code}", is a tax on a tax`,
        "The gateway takes one percent for each line. State the whole tax as one percent in the source."
      )
}

const mixed = (row: number): TableProblem => ({
  row,
  message: "Some prices include their tax and others do not",
  fix: "Use taxes of one kind on one document."
})

const taxesOf = (
  { code, rates }: TableLine,
  rows: ReadonlyArray<TableRow>
): ReadonlyArray<SourceDocument.SourceTax & { readonly of: TableRow }> => {
  const named = rows.flatMap((row) => {
    const own = rates.get(row.code)
    if (own === "none") return []
    const percent = own ?? row.percent
    return [{ of: row, code: code || row.code, ...(percent !== undefined && { percent }) }]
  })
  const taxed = named.filter(({ percent }) => percent === undefined || !BigDecimal.isZero(percent))
  // rows without percents are together the one tax that the line names
  const isOne = !!code && taxed.every(({ percent }) => percent === undefined)
  return taxed.length > 0 && !isOne ? taxed : (taxed.length > 0 ? taxed : named).slice(0, 1)
}

/** If prices contain their tax, a charge contains its tax as well. */
const chargesOf = (
  rows: ReadonlyArray<TableRow>,
  roles: ReadonlyArray<Role | TableProblem>,
  taxMode: ComputedTax["taxMode"]
): ReadonlyArray<SourceDocument.SourceCharge> =>
  rows.flatMap((row, i): ReadonlyArray<SourceDocument.SourceCharge> => {
    if (roles[i] !== "charge" || isZero(row.amount)) return []
    const own = rows.filter((_, other) => {
      const role = roles[other]
      return typeof role === "object" && "taxOf" in role && role.taxOf === i
    })
    const shared = rows.filter((other, at) => roles[at] === "lines and charges" && (other.row ?? 0) > i)
    const amount = taxMode === "inclusive" ? sumOf([row.amount, ...own.map(({ amount }) => amount)]) : row.amount
    const taxes = [
      ...own.map(({ amount, code, percent }) => ({ code, ...(percent && { percent }), amount })),
      ...shared.map(({ code, percent }) => ({ code, ...(percent && { percent }) }))
    ]
    return [{ kind: kindOf(row), amount, taxes: taxes.length > 0 ? taxes : [{ code: row.code, percent: Money.zero }] }]
  })

const kindOf = ({ code, text = "" }: TableRow): SourceDocument.SourceCharge["kind"] =>
  namesShipping.test(code) || namesShipping.test(text) ? "shipping" : "fee"

interface TableTaxes {
  readonly taxes: ReadonlyArray<ReadonlyArray<SourceDocument.SourceTax & { readonly of: TableRow }>>
  readonly charges: ReadonlyArray<SourceDocument.SourceCharge>
}

const plain = ({ amount, code, percent }: SourceDocument.SourceTax): SourceDocument.SourceTax => ({
  code,
  ...(percent && { percent }),
  ...(amount && { amount })
})

/**
 * Returns a problem if no amount contains the stated discount, or the net amounts contain more.
 * `off`: prices less the stated amounts.
 */
const discountNowhere = (
  off: Money.Money,
  { discount }: Pick<TableTotals, "discount">,
  widest: Money.Money | undefined
): TableProblem | undefined => {
  const isNowhere = !isZero(discount) && isZero(off)
  const isMore =
    widest !== undefined &&
    discount !== undefined &&
    !Money.within(size(off), Money.zero, BigDecimal.sum(size(discount), widest))
  if (!isNowhere && !isMore) return undefined
  const [stated, found] = [discount!, off].map((amount) => Money.formatAmount(size(amount)))
  return {
    row: undefined,
    message: `The document states a discount of ${stated}, and its amounts have one of ${found}`,
    fix: "Export the amounts after the discount as well; or correct the document in the source."
  }
}

/**
 * The total is the sum of the prices, the taxes are those in the prices, within the system's
 * rounding.
 */
const inclusive = (
  { charges, taxes }: TableTaxes,
  lines: ReadonlyArray<TableLine>,
  { discount, total }: TableTotals,
  rows: ReadonlyArray<TableRow>
): ComputedTax | TableProblem => {
  const printed = sumOf(lines.map(({ amount }) => amount))
  const whole = sumOf([printed, ...charges.map(({ amount }) => amount)])
  const off = total === undefined || isZero(discount) ? Money.zero : minus(whole, total)
  const nowhere = total === undefined ? undefined : discountNowhere(off, { discount }, undefined)
  if (nowhere !== undefined) return nowhere
  const left = BigDecimal.isZero(printed) ? Money.zero : Money.quotient(minus(printed, off), printed, 12)
  const due = (row: TableRow) =>
    sumOf(
      lines.map(({ amount }, i) => {
        const percent = taxes[i]!.find(({ of }) => of === row)?.percent
        if (percent === undefined) return Money.zero
        const part = BigDecimal.multiply(BigDecimal.multiply(amount, left), percent)
        return Money.quotient(part, BigDecimal.sum(hundred, percent), 6)
      })
    )
  // each line's net amount is rounded, and so is the tax of each row
  const widest = sumOf([...lines.map(() => BigDecimal.make(5n, 3)), BigDecimal.make(11n, 3)])
  const knows = taxes.every((own) => own.every(({ percent }) => percent !== undefined))
  const differing = rows.findIndex((row) => knows && !Money.within(row.amount, due(row), widest))
  if (differing >= 0) {
    const { amount, code } = rows[differing]!
    return {
      row: undefined,
      message: `The tax "${code}" is stated as ${Money.formatAmount(amount)}, and the prices contain ${Money.formatAmount(Money.round(due(rows[differing]!), 2))} of it`,
      fix: "Correct the document in the source and export it again."
    }
  }
  return {
    taxMode: "inclusive",
    taxes: taxes.map((own) => own.map(plain)),
    discounts: undefined,
    charges: isZero(off) ? charges : [...charges, { kind: "discount", amount: off, taxes: [] }],
    totals: { ...(total && { total }) },
    rounded: knows ? sumOf(rows.map((row) => minus(row.amount, Money.round(due(row), 2)))) : Money.zero
  }
}

const exclusive = (
  taxMode: "exclusive" | "unstated",
  { charges, taxes }: TableTaxes,
  lines: ReadonlyArray<TableLine>,
  { discount, net, total }: TableTotals,
  sums: { readonly fixed: Money.Money; readonly taxes: Money.Money; readonly ofLines: Money.Money }
): ComputedTax | TableProblem => {
  const printed = lines.map(({ amount }) => amount)
  const nets = lines.map((line) => line.net)
  const areStated = nets.every((one) => one !== undefined)
  const netTotal = net ?? (areStated ? sumOf(nets) : sumOf(printed))
  const rest = total === undefined ? Money.zero : minus(total, sumOf([netTotal, sums.taxes, sums.fixed]))
  if (!Money.within(size(rest), Money.zero, isZero(discount) ? Money.zero : widestRest)) {
    const figures = [netTotal, sums.taxes, sums.fixed].map(Money.formatAmount).join(" + ")
    return {
      row: undefined,
      message: `The document does not add up: ${figures}, stated ${Money.formatAmount(total!)}`,
      fix: "Export all rows of the taxes, and the amounts after the discount; or correct the document in the source."
    }
  }
  const off = minus(sumOf(printed), netTotal)
  const nowhere = discountNowhere(off, { discount }, widestRest)
  if (nowhere !== undefined) return nowhere
  // with a discount, the sum of the prices may equal the total by chance
  const isIncluded =
    isZero(discount) &&
    taxMode === "exclusive" &&
    !isZero(off) &&
    total !== undefined &&
    BigDecimal.equals(sumOf([...printed, sums.fixed]), total)
  if (isIncluded)
    return {
      row: undefined,
      message: `The prices come to the total of ${Money.formatAmount(total)}, and the file states that their taxes come on top`,
      fix: "Export the document again and state whether its prices include tax, or correct the document in the source."
    }
  const byLine = areStated && !isZero(off) ? printed.map((amount, i) => minus(amount, nets[i]!)) : undefined
  const isSpread = byLine === undefined && !isZero(off) && !isZero(discount)
  const linesTax = sumOf([sums.ofLines, rest])
  const nett = byLine === undefined ? printed : (nets as ReadonlyArray<Money.Money>)
  // charges taxed with the lines receive a part of the lines' tax
  const withLines = charges.filter(({ taxes }) => taxes.some(({ amount, percent }) => !amount && !isZero(percent)))
  const shared = isSpread
    ? undefined
    : allocated(
        linesTax,
        [...nett, ...withLines.map(({ amount }) => amount)],
        [...taxes, ...withLines.map((charge) => charge.taxes)],
        charges.filter((charge) => !withLines.includes(charge))
      )
  const stated = charges.map((charge) => {
    const at = withLines.indexOf(charge)
    const amount = at < 0 ? undefined : shared?.[lines.length + at]
    return amount === undefined ? charge : { ...charge, taxes: charge.taxes.map((tax) => ({ ...tax, amount })) }
  })
  return {
    taxMode,
    taxes: taxes.map((own, i) =>
      own.map((tax) => plain({ ...tax, ...(shared && own.length === 1 && { amount: shared[i]! }) }))
    ),
    discounts: byLine,
    charges: isSpread ? [...stated, { kind: "discount", amount: off, taxes: [] }] : stated,
    totals: { ...(net && { net }), ...(isZero(rest) && { tax: sums.taxes }), ...(total && { total }) },
    rounded: Money.zero
  }
}

/**
 * Parses the rates of a line by the codes of rows, from JSON: `{"VAT - EX": 15.5}`, or "N/A" if the
 * row does not apply. Keeps the digits of each figure.
 */
export const ratesIn = (text: string): TableLine["rates"] => {
  const rates = new Map<string, Money.Money | "none">()
  for (const [, name = "", figure = ""] of text.matchAll(rate)) {
    const percent = figure.startsWith('"') ? undefined : Option.getOrUndefined(Money.parse(figure))
    rates.set(unescaped(name), percent ?? "none")
  }
  return rates
}

const rate = /"((?:[^"\\]|\\.){1,200})"\s{0,9}:\s{0,9}("[^"]{0,9}"|-?[\d.]{1,20})/g

const unescaped = (name: string): string => {
  try {
    return String(JSON.parse(`"${name}"`))
  } catch {
    return name
  }
}
