/**
 * Rows that add up others: recognised by what they are called *and* by the arithmetic. Where only the name says it, nobody knows whether the row
 * is a line, and it is not taken for one.
 */
import type { Money } from "@fiscal-connector/core/document/Money"
import * as MoneyOf from "@fiscal-connector/core/document/Money"
import type { SourceLine } from "@fiscal-connector/core/source/SourceDocument"
import { BigDecimal } from "effect"
import { Buffer } from "node:buffer"
import { sumOf, type Totals } from "./RepeatedRows.ts"

const names =
  /^(sub[- ]?totals?|grand totals?|invoice totals?|totals?|net totals?|page totals?|sum|balance(?: due| forward)?|amount due|(?:carried|brought) forward|zwischensumme|gesamtsumme|gesamtbetrag|endsumme|gesamt|summe|[uü]bertrag|sous-total|total g[eé]n[eé]ral|total [aà] payer|montant total|total (?:ht|ttc|neto|bruto|netto|brutto|geral)|importe total|valor total|eindtotaal|subtotaal|totaal|totale|suma|soma)\s*[:.=]*$/i
const ofGroup = /^(sub[- ]?total|total) (for|of)\b/i
const taxNames = /^(?:total |sales )?(?:vat|tax|gst|tva|mwst|ust|iva|btw)\b[\s\d.,%@():]*$/i

const key = (a: number, b: number, c: number): number => ((a | 0x20) << 16) | ((b | 0x20) << 8) | (c | 0x20)

/** The first three signs, or bytes, of the names of totals and of the ends of pages. */
const threeSigns: ReadonlyArray<readonly [number, number, number]> = [
  ..."sub sum som gra inv tot net bal amo mon imp val car bro zwi ges end ein ube sou vat tax gst tva mws ust iva btw sal pag pg. sei str sid say uku"
    .split(" ")
    .map((letters) => [letters.charCodeAt(0), letters.charCodeAt(1), letters.charCodeAt(2)] as const),
  // a letter with an accent is of one sign or of two, and of several bytes
  ...["übe", "Übe", "pág", "Pág", "PÁG"]
    .flatMap((letters) => [letters, letters.normalize("NFD")])
    .flatMap((letters) => [Array.from(letters, (letter) => letter.charCodeAt(0)), [...Buffer.from(letters)]])
    .map(([a = 0, b = 0, c = 0]) => [a, b, c] as const)
]
const beginnings = new Set(threeSigns.map((signs) => key(...signs)))
/** Five bits of each sign: what has not even these is none of them. */
const shape = (a: number, b: number, c: number): number => ((a & 31) << 10) | ((b & 31) << 5) | (c & 31)
const shapes = new Uint8Array(1 << 15)
for (const signs of threeSigns) shapes[shape(...signs)] = 1

const invoice = key(0x69, 0x6e, 0x76)
const lengthOfInvoice = 8

/** Whether the names of totals begin with these letters, so that a text of that length is worth a closer look: most are not. */
export const beginsAlike = (a: number, b: number, c: number, length: number): boolean => {
  if (shapes[shape(a, b, c)] === 0) return false
  const letters = key(a, b, c)
  return beginnings.has(letters) && (letters !== invoice || length > lengthOfInvoice)
}

/** Whether a text is worth a closer look. */
export const mayBeName = (text: string): boolean =>
  beginsAlike(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2), text.length)

/** Whether a row that says this may be a total, and not a line. */
export const isTotalName = (text: string): boolean =>
  text.length < 80 && mayBeName(text) && (names.test(text.normalize("NFC")) || ofGroup.test(text))

/** Which page ends, and of how many; undefined where the text is no page's. */
export const pageOf = (text: string): { readonly page: number; readonly of: number | undefined } | undefined => {
  const [, page, of] =
    /^(?:page|pg\.|seite|p[aá]gina|p[aá]g\.?|pagina|strona|stranica|sida|side|sayfa|ukurasa)\s*(\d{1,6})(?:\s*(?:of|\/|von|van|de|di|do|af|av|sur|kwa)\s*(\d{1,6}))?$/iu.exec(
      text.normalize("NFC")
    ) ?? []
  return page === undefined ? undefined : { page: Number(page), of: of === undefined ? undefined : Number(of) }
}

export interface Judged {
  /** Lines that are totals, counted from 0. */
  readonly totals: ReadonlySet<number>
  /** The first line that is called a total and does not come out, with the arithmetic. */
  readonly unsure: { readonly line: number; readonly detail: string } | undefined
}

/** Undefined where no line is called a total. */
export const judge = (lines: ReadonlyArray<SourceLine>, stated: Totals): Judged | undefined => {
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
      const detail = `"${name}" ${amount === undefined ? "states no amount" : `says ${MoneyOf.formatAmount(amount)}`}, the lines above it come to ${said(sumsOf(real(0)))}`
      unsure ??= { line: i, detail }
    }
  }
  return totals === undefined && unsure === undefined ? undefined : { totals: totals ?? new Set(), unsure }
}

/** A tax that stands among the lines: no line has neither a quantity nor a price. */
const isTaxRow = ({ lineAmount, quantity, unitPrice }: SourceLine, name: string): boolean =>
  quantity === undefined && unitPrice === undefined && lineAmount !== undefined && taxNames.test(name)

/** Without tax and with it. */
const sumsOf = (lines: ReadonlyArray<SourceLine>): ReadonlyArray<Money> => {
  const net = sumOf(lines)
  if (net === undefined || lines.length === 0) return []
  const taxes = lines.flatMap(({ taxes }) => taxes.flatMap(({ amount }) => amount ?? []))
  return taxes.length === 0 ? [net] : [net, BigDecimal.sum(net, BigDecimal.sumAll(taxes))]
}

const said = (sums: ReadonlyArray<Money>): string => sums.map(MoneyOf.formatAmount).join(" or ") || "nothing"
