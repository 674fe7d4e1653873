/**
 * An invoice with its credit notes: what the source states of them now, less their receipts. Pure.
 * A credit note prepared here is a receipt without a document of the source.
 */
import { BigDecimal } from "effect"
import * as Money from "../document/Money.ts"
import { originalOf } from "../document/FiscalDocument.ts"
import { isOfSource } from "../submission/Submission.ts"
import type { MeantDocument } from "../submission/SubmissionQuery.ts"
import {
  type AccountFigures,
  type AccountPlace,
  compare,
  type PlacedReceipt,
  plusShares,
  type ShareSum
} from "./Account.ts"
import { type Acknowledged, identified } from "./AccountDifferences.ts"
import type * as Receipts from "./Receipts.ts"
import { type Difference, named, type SourceStatement } from "./Reconciliation.ts"

interface OpenFamily {
  readonly account: string
  readonly invoiceId: string
  readonly sums: Map<string, Map<string, ShareSum>>
  readonly prepared: Map<string, AccountFigures>
  /** `listed`: a separate difference is listed for a document of the family. */
  conflict: "listed" | "none"
  /** `here`: the changed figures are in the chain of this period. */
  changed: "here" | "elsewhere"
}

interface FamilyMember extends Pick<Receipts.ReceiptsOfPeriod, "document"> {
  readonly meant: MeantDocument
  readonly receiptsOf: ReadonlyArray<PlacedReceipt>
}

type Agreement = "same" | "tax-cent" | "other" | "not-known"

const agreementOf = ({ prepared, sums }: OpenFamily): Agreement => {
  const shares = [...sums.values()].flatMap((own) => [...own.values()])
  if (sums.size === 0 || shares.some(({ device }) => device === null)) return "not-known"
  if (shares.some(({ gross }) => !BigDecimal.isZero(gross))) return "other"
  const off = BigDecimal.sumAll(shares.map(({ tax }) => BigDecimal.abs(tax)))
  if (BigDecimal.isZero(off)) return "same"
  // the consent of a prepared note has shown its cent; no other cent has a name
  return prepared.size > 0 && Money.within(off, Money.zero, Money.cent) ? "tax-cent" : "other"
}

const preparedAlone = (
  { account, invoiceId, prepared, sums }: OpenFamily,
  acknowledged: Acknowledged
): ReadonlyArray<Difference> => {
  const numbers = [...prepared.keys()]
  const credited = BigDecimal.sumAll(Array.from(prepared.values(), ({ total }) => total))
  return Array.from(sums, ([currency, shares]) => {
    const amount = BigDecimal.sumAll(Array.from(shares.values(), ({ gross }) => BigDecimal.negate(gross)))
    const inSource = BigDecimal.sum(credited, amount)
    const states = BigDecimal.isZero(inSource)
      ? "the source states the invoice as it was sent"
      : `the source credits ${currency} ${Money.formatAmount(inSource)}`
    const about = {
      code: "SOURCE_CONFLICT",
      grade: "proven",
      currency,
      amount,
      books: null,
      sent: null,
      documents: numbers.map((number) => ({ account, number })),
      text: `${named(numbers, 10)}, prepared here, credits ${currency} ${Money.formatAmount(credited)} of ${invoiceId}, and ${states}`,
      step: { do: "explain" }
    } as const
    return identified(account, `credit-note ${numbers[0]}`, about, acknowledged)
  })
}

export const make = () => {
  const families = new Map<string, OpenFamily>()
  const ofFamily = new Map<Difference, OpenFamily>()

  const familyOf = (account: string, invoiceId: string): OpenFamily => {
    const key = `${account} ${invoiceId}`
    const own = families.get(key) ?? {
      account,
      invoiceId,
      sums: new Map(),
      prepared: new Map(),
      conflict: "none",
      changed: "elsewhere"
    }
    families.set(key, own)
    return own
  }

  const plus = ({ sums }: OpenFamily, { currency, kind, shares }: AccountFigures, sign: 1 | -1) => {
    const own = sums.get(currency) ?? new Map<string, ShareSum>()
    sums.set(currency, own)
    plusShares(own, "invoice", shares, (kind === "invoice") === (sign === 1) ? 1 : -1)
  }

  return {
    /**
     * Adds a document with its proven receipt, or a note that a prepared one represents. `stated`:
     * figures of the source, null for none.
     */
    add: (
      { document: { account, id, isRepresented, kind, made, number }, meant, receiptsOf }: FamilyMember,
      stated: AccountFigures | null,
      differences: ReadonlyArray<Difference>,
      place: AccountPlace | null
    ): void => {
      const [receipt] = receiptsOf
      const invoiceId = kind === "invoice" ? id : originalOf(meant.document)
      if (invoiceId === null) return
      if (receipt === undefined && isRepresented && stated !== null) plus(familyOf(account, invoiceId), stated, 1)
      if (receipt === undefined || receipt.by !== "proof") return
      const { figures } = receipt
      const isOther = stated === null || compare(stated, figures) === "other"
      const conflicts = differences.filter(({ code }) => isOfSource(code))
      // most documents are as they were sent, and take no memory
      if (made !== "here" && !isOther && conflicts.length === 0) return
      const family = familyOf(account, invoiceId)
      if (made === "here") family.prepared.set(number, figures)
      if (isOther) {
        if (stated !== null) plus(family, stated, 1)
        plus(family, figures, -1)
        if (made === "source" && (place?.fate === "fiscalised" || place?.fate === "claimed")) family.changed = "here"
      }
      for (const difference of conflicts) {
        family.conflict = "listed"
        if (isOther) ofFamily.set(difference, family)
      }
    },
    /**
     * Returns the differences that whole families have, notes about the others, and the cents of
     * tax. `statedOf`: statement of the source about an invoice of the account; null without a
     * source.
     */
    settle: (
      differences: ReadonlyArray<Difference>,
      account: string,
      statedOf: ((invoiceId: string) => SourceStatement) | null,
      acknowledged: Acknowledged
    ) => {
      const agreements = new Map(Array.from(families.values(), (family) => [family, agreementOf(family)]))
      const agrees = (family: OpenFamily): boolean => ["same", "tax-cent"].includes(agreements.get(family)!)
      const left = differences.filter((one) => !ofFamily.has(one) || !agrees(ofFamily.get(one)!))
      const cents = [...families.values()].filter((family) => agreements.get(family) === "tax-cent")
      const added = Array.from(families.values()).flatMap((family) => {
        if (family.prepared.size === 0 || family.account !== account || family.conflict === "listed") return []
        const stated = statedOf?.(family.invoiceId)._tag
        if (agrees(family) || (stated !== "Same" && stated !== "Stated")) return []
        return preparedAlone(family, acknowledged)
      })
      return {
        differences: [...left, ...added],
        notes: cents.map(({ invoiceId, prepared }) => {
          const notes = named([...prepared.keys()], 10)
          return `TAX_CENT: ${invoiceId} and its credit notes (${notes}) agree; the tax is off by a cent.`
        }),
        taxCents: cents.flatMap(({ changed, sums }): ReadonlyArray<AccountFigures> => {
          if (changed === "elsewhere") return []
          return Array.from(sums, ([currency, own]) => {
            const shares = [...own.values()].filter(({ tax }) => !BigDecimal.isZero(tax))
            const tax = BigDecimal.sumAll(shares.map((share) => share.tax))
            return { kind: "invoice" as const, currency, total: Money.zero, tax, shares }
          })
        })
      }
    }
  }
}
