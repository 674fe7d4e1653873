/**
 * An invoice with its credit notes: what the source states of them now, less their receipts. Pure.
 * A credit note prepared here is a receipt without a document of the source.
 */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import { originalOf } from "../document/FiscalDocument.ts"
import type { MeantDocument } from "../submission/SubmissionQuery.ts"
import { compare, type AccountFigures, type PlacedReceipt } from "./Account.ts"
import { type Acknowledged, identified } from "./AccountDifferences.ts"
import type * as Receipts from "./Receipts.ts"
import { type Difference, named, type Statement } from "./Reconciliation.ts"

/** Amounts of a family under one tax of the device. */
interface FamilySum {
  gross: Money.Money
  tax: Money.Money
}

/** A receipt of a credit note that was prepared here. */
interface PreparedFamily {
  readonly account: string
  readonly number: string
  readonly family: string
  readonly invoiceId: string
  readonly figures: AccountFigures
}

/** A document with its receipts. */
interface FamilyMember extends Pick<Receipts.ReceiptsOfPeriod, "document"> {
  readonly meant: MeantDocument
  readonly receiptsOf: ReadonlyArray<PlacedReceipt>
}

/** Collects families by account and invoice. */
export const make = () => {
  const families = new Map<string, Map<string, FamilySum>>()
  const ofFamily = new Map<Difference, string>()
  const conflicted = new Set<string>()
  const prepared: Array<PreparedFamily> = []

  const plus = (family: string, figures: AccountFigures, sign: 1 | -1) => {
    const own = families.get(family) ?? new Map<string, FamilySum>()
    families.set(family, own)
    const isAdded = (figures.kind === "invoice") === (sign === 1)
    const add = (sum: Money.Money, amount: Money.Money) => (isAdded ? BigDecimal.sum : BigDecimal.subtract)(sum, amount)
    for (const { device, gross, tax } of figures.shares) {
      const key = `${figures.currency} ${device ?? ""}`
      const sum = own.get(key) ?? { gross: Money.zero, tax: Money.zero }
      own.set(key, { gross: add(sum.gross, gross), tax: add(sum.tax, tax) })
    }
  }

  const agreementOf = (family: string): "same" | "tax-cent" | "other" | "not-known" => {
    const own = families.get(family)
    if (own === undefined || [...own.keys()].some((key) => key.endsWith(" "))) return "not-known"
    const sums = [...own.values()]
    if (sums.some(({ gross }) => !BigDecimal.isZero(gross))) return "other"
    const off = BigDecimal.sumAll(sums.map(({ tax }) => BigDecimal.abs(tax)))
    return BigDecimal.isZero(off) ? "same" : Money.within(off, Money.zero, Money.cent) ? "tax-cent" : "other"
  }

  return {
    /** Adds a document with its proven receipt. `stated`: figures of the source, null for none. */
    add: (
      { document: { account, id, kind, made, number }, meant, receiptsOf }: FamilyMember,
      stated: AccountFigures | null,
      differences: ReadonlyArray<Difference>
    ): void => {
      const [receipt] = receiptsOf
      const invoiceId = kind === "invoice" ? id : originalOf(meant.document)
      if (receipt === undefined || receipt.by !== "proof" || invoiceId === null) return
      const { figures } = receipt
      const family = `${account} ${invoiceId}`
      if (made === "here") prepared.push({ account, number, family, invoiceId, figures })
      const isOther = stated === null || compare(stated, figures) === "other"
      if (isOther) {
        if (stated !== null) plus(family, stated, 1)
        plus(family, figures, -1)
      }
      for (const difference of differences) {
        if (difference.code !== "SOURCE_CONFLICT" && difference.code !== "SOURCE_CANCELLED") continue
        conflicted.add(family)
        if (isOther) ofFamily.set(difference, family)
      }
    },
    /**
     * Returns the differences that whole families have, and notes about the others. `statedOf`:
     * statement of the source about an invoice of the account; null without a source.
     */
    settle: (
      differences: ReadonlyArray<Difference>,
      account: string,
      statedOf: ((invoiceId: string) => Statement) | null,
      acknowledged: Acknowledged
    ) => {
      const notes: Array<string> = []
      const left = differences.filter((one) => {
        const agreement = agreementOf(ofFamily.get(one) ?? "")
        if (agreement === "tax-cent")
          notes.push(
            `TAX_CENT: ${named(
              one.documents.map(({ number }) => number),
              10
            )} and its credit notes agree; the tax is off by a cent.`
          )
        return agreement !== "same" && agreement !== "tax-cent"
      })
      const added = prepared.flatMap(
        ({ account: of, family, figures, invoiceId, number }): ReadonlyArray<Difference> => {
          const stated = of === account && !conflicted.has(family) ? statedOf?.(invoiceId)._tag : undefined
          if (stated !== "Same" && stated !== "Stated") return []
          const { currency, total } = figures
          const about = {
            code: "SOURCE_CONFLICT",
            grade: "proven",
            currency,
            amount: BigDecimal.negate(total),
            documents: [{ account, number }],
            text: `${number}, prepared here, credits ${currency} ${Money.formatAmount(total)} of ${invoiceId}, and the source states the invoice as it was sent`,
            step: { do: "explain" }
          } as const
          return [identified(account, `credit-note ${number}`, about, acknowledged)]
        }
      )
      return { differences: [...left, ...added], notes }
    }
  }
}
