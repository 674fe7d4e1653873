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

/** Company of the users. Default: the first company of the system, without a prefix. */
export interface Company {
  readonly tenant: string
  /** Beginning of the identifiers and numbers of its invoices. */
  readonly prefix: string
}

/** Actions of the users. */
const actions = [
  "issue",
  "issue",
  "issue",
  "issue late",
  "draft",
  "bill",
  "touch a bill",
  "many bills",
  "pay",
  "edit",
  "void",
  "delete",
  "restore",
  "approve"
] as const

/**
 * A smallest page of the source has 100 records: with so many bills the edges of pages lie among
 * the invoices.
 */
const manyBills = 60

/** Transactions that take longer than the overlap are lost by every reader. */
const longestTransaction = 4 * minute

/** Users who work in the system, drawn from a seed. */
export class Users {
  readonly world: SourceWorld
  private readonly random: Random
  private readonly clock: Clock
  private readonly company: Company | undefined
  private issued = 0
  /** Deleted invoices, to be restored later. */
  private readonly deleted: Array<SourceFields> = []
  /** Identifiers of every invoice that was deleted at some time. */
  readonly everDeleted = new Set<string>()

  constructor(world: SourceWorld, random: Random, clock: Clock, company?: Company) {
    this.company = company
    this.world = world
    this.random = random
    this.clock = clock
  }

  /** Bills that were entered before anything else, at one time. */
  enterBills(count: number): void {
    for (let n = 0; n < count; n++) this.put(this.invoice({ Type: "ACCPAY" }), this.clock.now)
  }

  /** Makes one random change in the system. */
  act(): void {
    const { random } = this
    // Some changes share a second, and sometimes nothing changes for a while.
    this.clock.now += random.chance(0.5) ? random.between(0, 900) : random.between(1, 12) * minute
    const all = [...this.world.tenant(this.company?.tenant).lists.Invoices.values()].map(({ fields }) => fields)
    const invoices = all.filter(({ Type: type }) => type === "ACCREC")
    const bills = all.filter(({ Type: type }) => type === "ACCPAY")
    const some = invoices.length === 0 ? undefined : random.pick(invoices)
    const what = some === undefined ? "issue" : random.pick(actions)
    switch (what) {
      case "issue":
        return this.put(this.invoice())
      case "issue late":
        // a transaction takes a while: what it wrote is seen later, with the time of its beginning
        return this.put(this.invoice(), this.clock.now - random.between(0, longestTransaction))
      case "draft":
        return this.put(this.invoice({ Status: "DRAFT" }))
      case "bill":
        return this.put(this.invoice({ Type: "ACCPAY" }))
      case "touch a bill":
        return bills.length === 0 ? undefined : this.put(random.pick(bills))
      case "many bills":
        return random.chance(0.4) ? this.enterBills(manyBills) : undefined
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
        this.everDeleted.add(String(some!["InvoiceID"]))
        return this.world.remove("Invoices", String(some!["InvoiceID"]), this.company?.tenant)
      default: {
        const back = this.deleted.pop()
        return back === undefined ? undefined : this.put(back)
      }
    }
  }

  private put(fields: SourceFields, at?: number): void {
    const tenant = this.company?.tenant
    this.world.put("Invoices", fields, { ...(at !== undefined && { at }), ...(tenant !== undefined && { tenant }) })
  }

  private invoice(more: SourceFields = {}): SourceFields {
    this.issued++
    const isUnmapped = this.random.chance(0.1)
    const prefix = this.company?.prefix ?? ""
    return {
      InvoiceID: `${prefix}invoice-${this.issued}`,
      InvoiceNumber: `${prefix}INV-${this.issued}`,
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
