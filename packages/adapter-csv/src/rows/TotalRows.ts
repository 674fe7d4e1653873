/**
 * Rows that sum other rows: recognized by name *and* by sum. A row with only the name is not taken
 * as a line.
 */
import { Money as MoneyOf, type SourceDocument } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"
import { Buffer } from "node:buffer"
import { type RowTotals, worthOf } from "./RepeatedRows.ts"

const names =
  /^(sub[- ]?totals?|grand totals?|invoice totals?|totals?|net totals?|page totals?|sum|balance(?: due| forward)?|amount due|(?:carried|brought) forward|zwischensumme|gesamtsumme|gesamtbetrag|endsumme|gesamt|summe|[uü]bertrag|sous-total|total g[eé]n[eé]ral|total [aà] payer|montant total|total (?:ht|ttc|neto|bruto|netto|brutto|geral)|importe total|valor total|eindtotaal|subtotaal|totaal|totale|suma|soma)\s*[:.=]*$/i
const ofGroup = /^(?:sub[- ]?total|total (?:for|of))\b/i
const taxNames = /^(?:total |sales )?(?:vat|tax|gst|tva|mwst|ust|iva|btw)\b[\s\d.,%@():]*$/i

const key = (a: number, b: number, c: number): number => ((a | 0x20) << 16) | ((b | 0x20) << 8) | (c | 0x20)

const threeSigns: ReadonlyArray<readonly [number, number, number]> = [
  ..."sub sum som gra inv tot net bal amo mon imp val car bro zwi ges end ein ube sou vat tax gst tva mws ust iva btw sal pag pg. sei str sid say uku"
    .split(" ")
    .map((letters) => [letters.charCodeAt(0), letters.charCodeAt(1), letters.charCodeAt(2)] as const),
  // an accented letter is one or two characters, and several bytes
  ...["übe", "Übe", "pág", "Pág", "PÁG"]
    .flatMap((letters) => [letters, letters.normalize("NFD")])
    .flatMap((letters) => [Array.from(letters, (letter) => letter.charCodeAt(0)), [...Buffer.from(letters)]])
    .map(([a = 0, b = 0, c = 0]) => [a, b, c] as const)
]
const beginnings = new Set(threeSigns.map((signs) => key(...signs)))
/** Hash of three characters, five bits each: a fast check that excludes most texts. */
const shape = (a: number, b: number, c: number): number => ((a & 31) << 10) | ((b & 31) << 5) | (c & 31)
const shapes = new Uint8Array(1 << 15)
for (const signs of threeSigns) shapes[shape(...signs)] = 1

const invoice = key(0x69, 0x6e, 0x76)
/** Length of `invoices`: a text with `inv` up to this length is not `invoice total`. */
const lengthOfInvoice = 8

/** A text of this length, with these first letters, needs a closer check: most texts do not. */
export const beginsAlike = (a: number, b: number, c: number, length: number): boolean => {
  if (shapes[shape(a, b, c)] === 0) return false
  const letters = key(a, b, c)
  return beginnings.has(letters) && (letters !== invoice || length > lengthOfInvoice)
}

export const mayBeName = (text: string): boolean =>
  beginsAlike(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2), text.length)

/** True if a row with this text may be a total instead of a line. */
export const isTotalName = (text: string): boolean =>
  text.length < 80 && mayBeName(text) && (names.test(text.normalize("NFC")) || ofGroup.test(text))

export const pageOf = (text: string): { readonly page: number; readonly of: number | undefined } | undefined => {
  const [, page, of] =
    /^(?:page|pg\.|seite|p[aá]gina|p[aá]g\.?|pagina|strona|stranica|sida|side|sayfa|ukurasa)\s*(\d{1,6})(?:\s*(?:of|\/|von|van|de|di|do|af|av|sur|kwa)\s*(\d{1,6}))?$/iu.exec(
      text.normalize("NFC")
    ) ?? []
  return page === undefined ? undefined : { page: Number(page), of: of === undefined ? undefined : Number(of) }
}

export interface Judged {
  readonly totals: ReadonlySet<number>
  readonly unsure: { readonly line: number; readonly detail: string } | undefined
}

export const judge = (lines: ReadonlyArray<SourceDocument.SourceLine>, stated: RowTotals): Judged | undefined => {
  let totals: Set<number> | undefined
  let unsure: Judged["unsure"]
  let since = 0
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    const { description } = line
    if (description === undefined || !mayBeName(description)) continue
    const name = description.trim()
    const isTax = isTaxRow(line, name)
    if (!isTax && !isTotalName(name)) continue
    const amount = line.lineAmount ?? line.totals?.total ?? line.unitPrice
    const real = (from: number) => lines.slice(from, i).filter((_, j) => totals?.has(from + j) !== true)
    const sums = [...sumsOf(real(since)), ...sumsOf(real(0)), ...Object.values(stated)]
    const due = isTax ? [stated.tax] : sums
    if (i > 0 && amount !== undefined && due.some((sum) => sum !== undefined && BigDecimal.equals(sum, amount))) {
      ;(totals ??= new Set()).add(i)
      since = i + 1
    } else {
      const detail = `"${name}" ${amount === undefined ? "states no amount" : `says ${MoneyOf.formatAmount(amount)}`}, the lines above it come to ${sumsText(sumsOf(real(0)))}`
      unsure ??= { line: i, detail }
    }
  }
  return totals === undefined && unsure === undefined ? undefined : { totals: totals ?? new Set(), unsure }
}

const isTaxRow = ({ lineAmount, quantity, unitPrice }: SourceDocument.SourceLine, name: string): boolean =>
  quantity === undefined && unitPrice === undefined && lineAmount !== undefined && taxNames.test(name)

const sumsOf = (lines: ReadonlyArray<SourceDocument.SourceLine>): ReadonlyArray<MoneyOf.Money> => {
  const net = worthOf(lines)?.sum
  if (net === undefined || lines.length === 0) return []
  const taxes = lines.flatMap(({ taxes }) => taxes.flatMap(({ amount }) => amount ?? []))
  return taxes.length === 0 ? [net] : [net, BigDecimal.sum(net, BigDecimal.sumAll(taxes))]
}

const sumsText = (sums: ReadonlyArray<MoneyOf.Money>): string =>
  sums.map(MoneyOf.formatAmount).join(" or ") || "nothing"
