/** Differences of an account: between source and receipts, and between device and store. Pure. */
import { BigDecimal } from "effect"
import { signed } from "../document/FiscalDocument.ts"
import * as Money from "../document/Money.ts"
import * as Notice from "../submission/Notice.ts"
import { receiptName } from "../submission/ledger/CreditFamily.ts"
import { isOfSource } from "../submission/Submission.ts"
import type { DocumentRequests, OtherPrograms } from "../submission/SubmissionQuery.ts"
import * as Account from "./Account.ts"
import * as DayLeg from "./DayLeg.ts"
import * as ReceiptNumbers from "./ReceiptNumbers.ts"
import type * as Receipts from "./Receipts.ts"
import type { Difference, SourceStatement } from "./Reconciliation.ts"

type WithoutAcknowledgement = Omit<Difference, "id" | "acknowledged" | "words">

/** Shown in place of an operator if the store itself has settled the contradiction. */
export const settledInStore = "settled in the store"

export const identified = (
  subject: string,
  about: string,
  difference: WithoutAcknowledgement,
  acknowledged: Acknowledged,
  standing: "open" | "settled" = "open"
): Difference => {
  const { code, text } = difference
  const id = Notice.idOf({ subject, code, detail: about, text })
  const who = acknowledged.get(id) ?? (standing === "settled" ? settledInStore : null)
  return { ...difference, words: text, id, acknowledged: who }
}

const receiptWords = ({ day, figures, number }: Account.PlacedReceipt): string =>
  `${number ?? "without a number"} of day ${day ?? "?"}, ${figures.currency} ${Money.formatAmount(figures.total)}`

type WeighedDifference = Pick<Receipts.ReceiptsOfPeriod, "document"> & {
  readonly receiptsOf: ReadonlyArray<Account.PlacedReceipt>
}

/** Ids of differences that were examined, with the operator of each. */
export type Acknowledged = ReadonlyMap<string | null, string>

export interface LaneFacts {
  readonly lane: string
  readonly otherPrograms: OtherPrograms | null
}

/** True if the source has voided the document, by its statement or by the record of an import. */
export const isVoid = (
  statement: SourceStatement | null,
  conflicts: Receipts.ReceiptsOfPeriod["document"]["conflicts"]
): boolean =>
  statement?._tag === "Void" ||
  ((statement === null || statement._tag === "NotStated" || statement._tag === "NotKnown") &&
    conflicts.some(({ code }) => code === "SOURCE_CANCELLED"))

const taxWords = ({ currency, tax, total }: Account.AccountFigures): string =>
  `${currency} ${Money.formatAmount(total)}, tax ${Money.formatAmount(tax)}`

const shareWords = ({ shares }: Account.AccountFigures): string =>
  shares.map(({ device, gross }) => `${device ?? "not known"} ${Money.formatAmount(gross)}`).join(", ")

const taxesDiffer = (stated: Account.AccountFigures, receipt: Account.AccountFigures): string =>
  taxWords(stated) === taxWords(receipt)
    ? ` (taxes of the device: stated ${shareWords(stated)}; receipt ${shareWords(receipt)})`
    : ""

/** Returns the step after which books and receipts agree, as far as the store knows them. */
const stepOf = (
  code: Difference["code"],
  { conflicts, kind }: DocumentRequests,
  surplus: string | null
): Difference["step"] => {
  if (code === "DOUBLE_FISCALISED" && surplus !== null) return { do: "credit", receipt: surplus }
  if (!isOfSource(code)) return { do: "explain" }
  // only an import records what the source states, and a credit note is prepared from the record
  if (!conflicts.some((one) => one.code === code)) return { do: "import-again" }
  return kind === "invoice" ? { do: "credit" } : { do: "explain" }
}

/** Present statement of the source, as an import has recorded it. */
export interface NotedStatement {
  readonly figures: Account.AccountFigures
  readonly text: string
}

/**
 * Returns the differences of a document with its receipts. `statement`: null without a source.
 * `noted`: null if no import has recorded a change.
 */
export const conflictsOf = (
  { document, receiptsOf }: WeighedDifference,
  period: Account.Period,
  place: Account.AccountPlace | null,
  statement: SourceStatement | null,
  noted: NotedStatement | null,
  acknowledged: Acknowledged
): ReadonlyArray<Difference> => {
  const { account, conflicts, id, kind, number } = document
  const [first] = receiptsOf
  const proven = receiptsOf.filter(({ by }) => by === "proof")
  const last = proven.length > 1 ? proven.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0)).at(-1)! : null
  const surplus = last && receiptName(last.number, last.code)
  const named = { documents: [{ account, number }], grade: "proven" as const }
  const make = (
    code: Difference["code"],
    text: string,
    standing: "open" | "settled",
    figures: Account.AccountFigures | null,
    amount: Money.Money | null,
    books: Money.Money | null,
    sent: Money.Money | null = figures?.total ?? null
  ) => {
    const step = stepOf(code, document, standing === "open" ? surplus : null)
    const currency = figures?.currency ?? null
    const taxed = { currency, amount: signed(kind, amount), books: signed(kind, books), sent: signed(kind, sent) }
    const difference = { ...named, step, code, text, ...taxed }
    return identified(account, `${kind} ${id}`, difference, acknowledged, standing)
  }
  const further = receiptsOf.slice(1).filter((one) => one.by === "proof" && Account.isWithin(one, period))
  if (place === null && further.length === 0) return []
  const found: Array<Difference> = []
  const standingOf = (code: string) => conflicts.find((one) => one.code === code)?.standing ?? "open"
  if (further.length > 0) {
    const words = proven.map(receiptWords).join("; ")
    const total = BigDecimal.sumAll(further.map(({ figures }) => figures.total))
    const of = `${number} has ${proven.length} receipts: ${words}`
    const all = BigDecimal.sumAll(proven.map(({ figures }) => figures.total))
    const { figures } = further[0]!
    found.push(make("DOUBLE_FISCALISED", of, standingOf("DOUBLE_FISCALISED"), figures, total, null, all))
  }
  if (isVoid(statement, conflicts) && first !== undefined) {
    const of = `${number}: the source has voided or deleted it, and it has the receipt ${receiptWords(first)}`
    const { figures } = first
    found.push(make("SOURCE_CANCELLED", of, standingOf("SOURCE_CANCELLED"), figures, figures.total, Money.zero))
  }
  if (statement?._tag === "Stated" && first !== undefined) {
    const { figures, text } = statement
    if (text !== "" || Account.compare(figures, first.figures) === "other") {
      const { currency, total } = figures
      const why = text === "" ? taxesDiffer(figures, first.figures) : ` (${text})`
      const of = `${number}: the source states ${taxWords(figures)}, the receipt is ${receiptWords(first)}${why}`
      const receipt = first.figures
      const isSame = currency === receipt.currency
      const less = isSame ? BigDecimal.subtract(receipt.total, total) : receipt.total
      const standing = standingOf("SOURCE_CONFLICT")
      found.push(make("SOURCE_CONFLICT", of, standing, receipt, less, isSame ? total : null))
    }
  }
  const others = conflicts.filter(({ code }) => !found.some((one) => one.code === code) && code !== "SOURCE_CANCELLED")
  return [
    ...found,
    ...others.map(({ code, detail, standing }) => {
      const receipt = code === "SOURCE_CONFLICT" ? (first?.figures ?? null) : null
      const books = receipt !== null && noted?.figures.currency === receipt.currency ? noted.figures.total : null
      const less = receipt === null || books === null ? null : BigDecimal.subtract(receipt.total, books)
      const text = code === "SOURCE_CONFLICT" && noted !== null && noted.text !== "" ? noted.text : detail
      return make(code, `${number}: ${text}`, standing, receipt, less, books)
    })
  ]
}

/** Differences of days, with the missing receipt numbers of each. */
export const dayDifferences = (
  days: ReadonlyArray<DayLeg.ComparedDay>,
  { lane, otherPrograms: others }: LaneFacts,
  acknowledged: Acknowledged
): ReadonlyArray<Difference> =>
  days
    .filter(({ standing }) => standing === "differs")
    .flatMap((day) => {
      const text = DayLeg.textOf(day)
      const id = Notice.idOf({ subject: lane, code: "DAY_DIFFERS", detail: String(day.day), text })
      const missing = day.missing.length === 0 ? "" : ` ${ReceiptNumbers.listed(day.missing)}`
      return day.differences.map((difference): Difference => {
        const { amount, currency, grade, suspects } = difference
        const named = grade === "unexplained" ? [] : suspects
        const isTheirs = grade === "unexplained" && BigDecimal.isPositive(amount) && day.missing.length > 0
        return {
          id,
          code: isTheirs ? "RECEIPT_NOT_OURS" : "DAY_DIFFERS",
          grade,
          currency,
          amount,
          books: null,
          sent: null,
          documents: suspects.map(({ account, number }) => ({ account, number })),
          text: `day ${day.day}: ${difference.counters}. ${DayLeg.wordsOf(difference)}.${missing}`,
          words: `${DayLeg.wordsOf(difference)}.${missing}`,
          step:
            grade === "unexplained" && suspects.length === 0 && others === null
              ? { do: "other-programs", stated: "others" }
              : named.length === 1 && named[0]!.cause === "not-fiscalised-here"
                ? { do: "explain" }
                : { do: "compare-day", day: day.day },
          acknowledged: acknowledged.get(id) ?? null
        }
      })
    })

/** Returns the missing numbers of these days that no compared day explains, as differences. */
export const numberDifferences = (
  ranges: ReadonlyArray<ReceiptNumbers.MissingRange>,
  days: ReadonlyArray<DayLeg.ComparedDay>,
  { lane, otherPrograms }: LaneFacts,
  acknowledged: Acknowledged
): ReadonlyArray<Difference> => {
  if (otherPrograms?.stated !== "alone") return []
  const standings = new Map(days.map(({ day, standing }) => [day, standing]))
  const unexplained = ReceiptNumbers.unexplained(
    ranges.filter(({ awaited, from, to }) => awaited < to - from + 1),
    (day) => {
      const standing = standings.get(day)
      return standing === "agrees" || standing === "differs" ? standing : "not-compared"
    }
  )
  return unexplained.map((range) => {
    const { day } = range.after
    const about = {
      code: "RECEIPT_NOT_OURS",
      grade: "unexplained",
      currency: null,
      amount: null,
      books: null,
      sent: null,
      documents: [],
      text: ReceiptNumbers.listed([range]),
      step: { do: "compare-day", day }
    } as const
    return identified(lane, String(day), about, acknowledged)
  })
}
