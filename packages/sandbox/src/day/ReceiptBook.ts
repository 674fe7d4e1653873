import * as BigDecimal from "effect/BigDecimal"
import type { IssuedReceipt } from "./IssuedReceipt.ts"

const keyOf = (account: string, invoiceId: string): string => JSON.stringify([account, invoiceId])

/** Receipt of an invoice, with the sum of its credit notes. */
interface Balance {
  readonly receipt: IssuedReceipt
  credited: BigDecimal.BigDecimal
}

export class ReceiptBook {
  private readonly receipts: Array<IssuedReceipt> = []
  private readonly invoices = new Map<string, Array<Balance>>()
  private readonly numbers = new Map<string, Set<string>>()
  private readonly credits: "first" | "last"

  constructor(credits: "first" | "last") {
    this.credits = credits
  }

  add(receipt: IssuedReceipt, tin: string): void {
    this.receipts.push(receipt)
    const numbers = this.numbers.get(tin) ?? new Set()
    this.numbers.set(tin, numbers.add(receipt.documentNumber))
    if (receipt.kind === "invoice") {
      const key = keyOf(receipt.account, receipt.documentId)
      this.invoices.set(key, [...(this.invoices.get(key) ?? []), { receipt, credited: BigDecimal.fromBigInt(0n) }])
    } else if (receipt.originalInvoiceId !== null) {
      const original = this.original(receipt.account, receipt.originalInvoiceId, receipt.total)
      if (original !== undefined) original.credited = BigDecimal.sum(original.credited, receipt.total)
    }
  }

  all(): ReadonlyArray<IssuedReceipt> {
    return this.receipts
  }

  /** Returns the receipt that a credit note credits: one with enough left, if there is one. */
  original(account: string, invoiceId: string, total: BigDecimal.BigDecimal): Balance | undefined {
    const all = this.invoices.get(keyOf(account, invoiceId)) ?? []
    const inOrder = this.credits === "first" ? all : all.toReversed()
    const hasEnough = ({ credited, receipt }: Balance) =>
      BigDecimal.isLessThanOrEqualTo(BigDecimal.sum(credited, total), receipt.total)
    return inOrder.find(hasEnough) ?? inOrder[0]
  }

  numbersOf(tin: string): ReadonlySet<string> {
    return this.numbers.get(tin) ?? new Set()
  }
}
