/** A firm at work: invoices and credit notes that are issued, changed, canceled and mended. */
import type { Random } from "../Random.ts"
import * as Decimal from "./Decimal.ts"
import { firm, type Firm, lineOf, type Sale, withLines } from "./Firm.ts"

/** A document in the books. A refused one has a tax that no mapping book knows. */
export interface Entry {
  readonly sale: Sale
  readonly is: "issued" | "paid" | "void"
}

/** Behavior of the gateway while the three ways send. */
export type Trouble =
  | { readonly is: "none" | "closed" }
  | { readonly is: "rejected" | "declined" | "lost"; readonly number: string }

export const steps = [
  "issue",
  "issue",
  "issue",
  "issue late",
  "issue refused",
  "mend",
  "edit",
  "edit",
  "pay",
  "void",
  "un-void",
  "delete",
  "restore",
  "renumber",
  "amend",
  "refund",
  "refund later",
  "allocate",
  "reuse a name",
  "wait"
] as const
export type Step = (typeof steps)[number]

/** Tax that no mapping book knows. */
const unknownTax = { name: "Luxury 15", percent: 15 } as const

const twoDigits = (part: number): string => String(part).padStart(2, "0")

/** Books of a firm, by the documents' ids, and the people who change them. */
export class Books {
  readonly entries = new Map<string, Entry>()
  /** Documents that were deleted, also those that came back. */
  readonly everDeleted = new Set<string>()
  /** Records that changed in the last step. */
  changed: ReadonlyArray<string> = []
  /** Records that were deleted in the last step. */
  removed: ReadonlyArray<string> = []
  private readonly deleted: Array<Entry> = []
  private readonly firm: Firm
  private readonly random: Random
  private issued = 0
  private day = 1

  constructor(seed: number, random: Random) {
    this.firm = firm(seed, { notes: "none", shipping: "none", documents: [40, 40], lines: [1, 3], quantities: "whole" })
    this.random = random
  }

  get taxes(): Firm["taxes"] {
    return this.firm.taxes
  }

  /** Makes one change; returns its description. */
  act(step: Step): string {
    this.changed = []
    this.removed = []
    const does: Readonly<Record<Step, () => string | undefined>> = {
      issue: () => this.put(this.invoice()),
      "issue late": () => this.put({ ...this.invoice(), date: "2026-02-01" }),
      "issue refused": () => this.put(this.refused(this.invoice())),
      mend: () => this.change(this.isRefused, (sale) => this.mended(sale)),
      edit: () => this.change(this.isIssued, (sale) => this.edited(sale)),
      pay: () => this.state(["issued"], "paid"),
      void: () => this.state(["issued", "paid"], "void"),
      "un-void": () => this.state(["void"], "issued"),
      delete: () => this.remove(),
      restore: () => {
        const back = this.deleted.pop()
        return back && this.put(back.sale, back.is)
      },
      renumber: () => this.change(this.isIssued, (sale) => ({ ...sale, number: `${sale.number}-R` })),
      amend: () => this.amend(),
      refund: () => this.refund("allocated"),
      "refund later": () => this.refund("unallocated"),
      allocate: () => this.allocate(),
      "reuse a name": () => {
        const some = this.some(() => true)
        return some && this.put({ ...this.invoice(), number: some.sale.number })
      },
      wait: () => "nothing"
    }
    return `${step} ${does[step]() ?? "nothing"}`
  }

  private readonly isIssued = ({ is }: Entry): boolean => is !== "void"
  private readonly isInvoice = ({ is, sale }: Entry): boolean => is !== "void" && sale.kind === "invoice"
  private readonly isRefused = ({ sale }: Entry): boolean => sale.lines.some(({ tax }) => tax.name === unknownTax.name)

  private some(is: (entry: Entry) => boolean): Entry | undefined {
    const found = [...this.entries.values()].filter(is)
    return found.length === 0 ? undefined : this.random.pick(found)
  }

  private put(sale: Sale, is: Entry["is"] = "issued"): string {
    this.entries.set(sale.id, { sale, is })
    this.changed = [...this.changed, sale.id]
    return `${sale.number} (${sale.id})`
  }

  private change(which: (entry: Entry) => boolean, to: (sale: Sale) => Sale): string | undefined {
    const some = this.some(which)
    return some && this.put(to(some.sale), some.is)
  }

  private state(from: ReadonlyArray<Entry["is"]>, to: Entry["is"]): string | undefined {
    const some = this.some(({ is }) => from.includes(is))
    return some && this.put(some.sale, to)
  }

  private remove(): string | undefined {
    // a source without any record that was read before is taken for another company's
    const of = Map.groupBy(this.entries.values(), ({ sale }) => sale.kind)
    const some = this.some(({ sale }) => (of.get(sale.kind)?.length ?? 0) > 3)
    if (some === undefined) return undefined
    this.entries.delete(some.sale.id)
    this.deleted.push(some)
    this.everDeleted.add(some.sale.id)
    this.removed = [some.sale.id]
    return some.sale.number
  }

  /** Returns the next invoice: of the same day as the one before, or of a later one. */
  private invoice(): Sale {
    const sale = this.firm.documents[this.issued++ % this.firm.documents.length]!
    if (this.random.chance(0.6) && this.day < 28) this.day++
    const date = `2026-03-${twoDigits(this.day)}`
    return { ...sale, date, due: "2026-04-30" }
  }

  private refused(sale: Sale): Sale {
    return this.lines(sale, (line) => ({ ...line, tax: unknownTax }))
  }

  private mended(sale: Sale): Sale {
    return this.lines(sale, (line) => ({ ...line, tax: this.taxes[0]! }))
  }

  private edited(sale: Sale): Sale {
    return this.lines(sale, (line) => ({ ...line, quantity: Decimal.plus(line.quantity, Decimal.of(1)) }))
  }

  private lines(sale: Sale, to: (line: Sale["lines"][number]) => Sale["lines"][number]): Sale {
    const lines = sale.lines.map((line) => lineOf(to(line), sale.prices))
    return withLines(sale, lines, this.firm.traits.rounds)
  }

  /** Voids an invoice, and issues another in its place. */
  private amend(): string | undefined {
    const some = this.some(this.isInvoice)
    if (some === undefined) return undefined
    this.put(some.sale, "void")
    const { buyer, lines, number } = this.edited(some.sale)
    return this.put(withLines({ ...this.invoice(), buyer, number: `${number}-1` }, lines, this.firm.traits.rounds))
  }

  private refund(allocation: "allocated" | "unallocated"): string | undefined {
    const some = this.some(this.isInvoice)
    if (some === undefined) return undefined
    const { id, number } = some.sale
    const nth = this.issued++
    return this.put({
      ...some.sale,
      kind: "credit-note",
      id: `note-${nth}`,
      number: `CN-${nth}`,
      date: `2026-03-${twoDigits(this.day)}`,
      credits: allocation === "allocated" ? { id, number } : null,
      reason: "returned"
    })
  }

  private allocate(): string | undefined {
    const note = this.some(({ sale }) => sale.kind === "credit-note" && sale.credits === null)
    const to = this.some(this.isInvoice)
    if (note === undefined || to === undefined) return undefined
    return this.put({ ...note.sale, credits: { id: to.sale.id, number: to.sale.number } }, note.is)
  }
}

/** Draws the trouble of a step. */
export const troubleOf = (books: Books, random: Random): Trouble => {
  const [last] = books.changed
  const number = last === undefined ? undefined : books.entries.get(last)?.sale.number
  // a run of a source that reads nothing new asks the gateway nothing
  if (number === undefined) return { is: "none" }
  if (random.chance(0.08)) return { is: "closed" }
  if (!random.chance(0.25)) return { is: "none" }
  return { is: random.pick(["rejected", "declined", "lost"]), number }
}
