/**
 * Accounting system with active users during the reads: documents appear, change, are voided and
 * deleted, also between two answers.
 */
import type { SourceFields, SourceWorld } from "@fiscal-connector/sandbox/source/SourceWorld"
import type { Random } from "../Random.ts"

const minute = 60_000

/** Clock of the system, set by the trial. */
export interface Clock {
  now: number
}

/** Users who work in the system, drawn from a seed. */
export class People {
  readonly world: SourceWorld
  private readonly random: Random
  private readonly clock: Clock
  private issued = 0
  /** Deleted invoices, to be restored later. */
  private readonly deleted: Array<SourceFields> = []

  constructor(world: SourceWorld, random: Random, clock: Clock) {
    this.world = world
    this.random = random
    this.clock = clock
  }

  /** Makes one random change in the system. */
  act(): void {
    const { random } = this
    // Some changes share a second, and sometimes nothing changes for a while.
    this.clock.now += random.chance(0.5) ? random.between(0, 900) : random.between(1, 12) * minute
    const invoices = [...this.world.tenant().lists.Invoices.values()].map(({ fields }) => fields)
    const some = invoices.length === 0 ? undefined : random.pick(invoices)
    const what =
      some === undefined
        ? "issue"
        : random.pick([
            "issue",
            "issue",
            "issue",
            "draft",
            "bill",
            "pay",
            "edit",
            "void",
            "delete",
            "restore",
            "approve"
          ] as const)
    switch (what) {
      case "issue":
        return this.put(this.invoice())
      case "draft":
        return this.put(this.invoice({ Status: "DRAFT" }))
      case "bill":
        return this.put(this.invoice({ Type: "ACCPAY" }))
      case "pay":
        return this.put({ ...some, ...(some!["Status"] === "AUTHORISED" && { Status: "PAID" }) })
      case "approve":
        return this.put({ ...some, ...(some!["Status"] === "DRAFT" && { Status: "AUTHORISED" }) })
      case "edit":
        return this.put({ ...some, ...amounts(random.between(1, 90)) })
      case "void":
        return this.put({ ...some, Status: "VOIDED" })
      case "delete":
        this.deleted.push(some!)
        return this.world.remove("Invoices", String(some!["InvoiceID"]))
      case "restore": {
        const back = this.deleted.pop()
        return back === undefined ? undefined : this.put(back)
      }
    }
  }

  private put(fields: SourceFields): void {
    this.world.put("Invoices", fields)
  }

  private invoice(more: SourceFields = {}): SourceFields {
    this.issued++
    const isUnmapped = this.random.chance(0.1)
    return {
      InvoiceID: `invoice-${this.issued}`,
      InvoiceNumber: `INV-${this.issued}`,
      Type: "ACCREC",
      Status: "AUTHORISED",
      LineAmountTypes: "Inclusive",
      CurrencyCode: "USD",
      Contact: { ContactID: "c0c7ac70-0000-4000-8000-000000000002" },
      // Some invoices are dated before the start of the source.
      DateString: this.random.chance(0.15) ? "2025-12-31T00:00:00" : "2026-02-20T00:00:00",
      ...amounts(this.random.between(1, 90), isUnmapped ? "OUTPUT9" : "OUTPUT"),
      ...more
    }
  }
}

const amounts = (pieces: number, tax = "OUTPUT"): SourceFields => {
  const total = Number((11.55 * pieces).toFixed(2))
  return {
    LineItems: [
      {
        Description: "Lamp",
        Quantity: pieces,
        UnitAmount: 11.55,
        LineAmount: total,
        TaxType: tax,
        TaxAmount: Number((1.55 * pieces).toFixed(2)),
        ItemCode: "94036000"
      }
    ],
    Total: total,
    TotalTax: Number((1.55 * pieces).toFixed(2)),
    SubTotal: pieces * 10
  }
}
