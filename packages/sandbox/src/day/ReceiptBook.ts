/** Register of all issued receipts, with the lookups that the rules need. */
import type { IssuedReceipt } from "./IssuedReceipt.ts"

const keyOf = (account: string, invoiceId: string): string => JSON.stringify([account, invoiceId])

export class ReceiptBook {
  private readonly receipts: Array<IssuedReceipt> = []
  private readonly invoices = new Map<string, IssuedReceipt>()
  private readonly credits = new Map<string, Array<IssuedReceipt>>()
  private readonly numbers = new Map<string, Set<string>>()

  /** Adds a receipt of the taxpayer with the given TIN. */
  add(receipt: IssuedReceipt, tin: string): void {
    this.receipts.push(receipt)
    const numbers = this.numbers.get(tin) ?? new Set()
    this.numbers.set(tin, numbers.add(receipt.documentNumber))
    if (receipt.kind === "invoice") {
      const key = keyOf(receipt.account, receipt.documentId)
      if (!this.invoices.has(key)) this.invoices.set(key, receipt)
    } else if (receipt.originalInvoiceId !== null) {
      const key = keyOf(receipt.account, receipt.originalInvoiceId)
      this.credits.set(key, [...(this.credits.get(key) ?? []), receipt])
    }
  }

  /** Returns all receipts in the order of issue. */
  all(): ReadonlyArray<IssuedReceipt> {
    return this.receipts
  }

  /** Returns the first receipt of an account's invoice. */
  invoice(account: string, invoiceId: string): IssuedReceipt | undefined {
    return this.invoices.get(keyOf(account, invoiceId))
  }

  /** Returns the receipts of credit notes against an account's invoice. */
  creditsOf(account: string, invoiceId: string): ReadonlyArray<IssuedReceipt> {
    return this.credits.get(keyOf(account, invoiceId)) ?? []
  }

  /** Returns the numbers of invoices and credit notes that a taxpayer has used. */
  numbersOf(tin: string): ReadonlySet<string> {
    return this.numbers.get(tin) ?? new Set()
  }
}
