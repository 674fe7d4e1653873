/**
 * Finds two systems that hold the same sales under other numbers. A document alone proves
 * nothing: a standing order repeats buyer, lines and total, even on one day.
 */
import { BigDecimal, Effect } from "effect"
import { createHash } from "node:crypto"
import { numberOf, originalOf } from "../document/FiscalDocument.ts"
import * as Money from "../document/Money.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { DocumentRequests, MeantDocument, ReceiptQueries } from "../submission/SubmissionQuery.ts"
import { figuresOf } from "./Account.ts"
import { type Acknowledged, identified } from "./AccountDifferences.ts"
import { type Difference, named } from "./Reconciliation.ts"

/** Sales of one system by columns, a sale at one place of each: an object a sale took 250 bytes. */
interface SalesOfSystem {
  readonly account: string
  readonly file: string
  readonly seq: Array<number>
  readonly revision: Array<number>
  /** Hash of everything by which two sales are equal. */
  readonly figures: Array<number>
  /** Hash of the invoice, by which its credit notes name it. */
  readonly invoice: Array<number>
  readonly total: Array<Money.Money>
  readonly standing: Array<"receipt" | "open">
}

type SaleOfPeriod = Pick<DocumentRequests, "account" | "id" | "number" | "dated" | "seq" | "revision">

/** Fewest equal documents, and fewest buyers among them: the name of a cash buyer is on many. */
const fewest = { documents: 3, buyers: 2 } as const

const mostNamed = 10

/** Exports of one system have names and numbers that differ in digits only. */
const systemOf = ({ account, number }: SaleOfPeriod, file: string): string =>
  JSON.stringify([account, file.replaceAll(/\d+/g, ""), /^\D*/.exec(number)![0]])

/** 48 bits: that two of 100 000 sales have one hash by chance happens once in 56 000 accounts. */
const hashOf = (parts: ReadonlyArray<unknown>): number =>
  createHash("sha256").update(JSON.stringify(parts)).digest().readUIntBE(0, 6)

export const make = () => {
  const systems = new Map<string, SalesOfSystem>()
  const credited = new Map<number, Money.Money>()

  /** Returns the places of all invoices but those credited in full, which are put right already. */
  const openIn = ({ invoice, total }: SalesOfSystem): ReadonlyArray<number> =>
    [...invoice.keys()].filter((n) => BigDecimal.isLessThan(credited.get(invoice[n]!) ?? Money.zero, total[n]!))

  return {
    add: (
      sale: SaleOfPeriod,
      { document, source: { file } }: MeantDocument,
      standing: SalesOfSystem["standing"][number]
    ): void => {
      const { account, dated, id, revision, seq } = sale
      const { buyerContact, currencyCode: currency, lineItems, total } = document.payload
      if (document.kind === "credit-note") {
        const of = hashOf([account, originalOf(document) ?? ""])
        credited.set(of, BigDecimal.sum(credited.get(of) ?? Money.zero, total))
        return
      }
      const buyer = buyerContact?.name ?? null
      if (buyer === null) return
      const lines = lineItems.map(({ description, lineAmount, quantity }) => [
        description,
        Money.formatPlain(quantity),
        Money.formatAmount(lineAmount)
      ])
      const name = systemOf(sale, file)
      const empty = { seq: [], revision: [], figures: [], invoice: [], total: [], standing: [] }
      const system = systems.get(name) ?? { account, file, ...empty }
      systems.set(name, system)
      system.seq.push(seq)
      system.revision.push(revision)
      system.figures.push(hashOf([buyer, dated, currency, Money.formatAmount(total), lines]))
      system.invoice.push(hashOf([account, id]))
      system.total.push(total)
      system.standing.push(standing)
    },
    /**
     * Returns a difference for each system of which at least three documents, and at least half,
     * equal documents of another system. Each document is paired once, in order.
     */
    differences: (
      acknowledged: Acknowledged,
      store: Pick<ReceiptQueries, "revisions">
    ): Effect.Effect<ReadonlyArray<Difference>, StoreError> =>
      Effect.gen(function* () {
        if (systems.size < 2) return []
        const all = Array.from(systems.values(), (system) => {
          const own = openIn(system)
          return { system, own, byFigures: Map.groupBy(own, (n) => system.figures[n]!) }
        })
        const found: Array<Difference> = []
        for (const [n, { byFigures, own, system }] of all.entries())
          for (const [m, other] of all.entries()) {
            // of two systems the smaller one is named, and of equal ones the later one
            if (n === m || own.length > other.own.length || (own.length === other.own.length && n < m)) continue
            const places = Array.from(byFigures).flatMap(([figures, sales]) =>
              (other.byFigures.get(figures) ?? []).slice(0, sales.length).map((twin, i) => [sales[i]!, twin] as const)
            )
            if (places.length < fewest.documents || places.length * 2 < own.length) continue
            const documentsOf = ({ revision, seq }: SalesOfSystem, side: 0 | 1) =>
              store.revisions(places.map(({ [side]: at }) => [seq[at]!, revision[at]!]))
            const [sales, twins] = [yield* documentsOf(system, 0), yield* documentsOf(other.system, 1)]
            if (new Set(sales.map(({ document }) => document.payload.buyerContact?.name)).size < fewest.buyers) continue
            const texts = sales.map((sale, i) => `${numberOf(sale.document)} = ${numberOf(twins[i]!.document)}`)
            const { account, file } = system
            const figures = sales.map((sale) => figuresOf(sale))
            const { currency } = figures[0]!
            const isOneCurrency = figures.every((one) => one.currency === currency)
            const isSent = (i: number) => system.standing[places[i]![0]] === "receipt"
            const taxed = figures.flatMap(({ total }, i) => (isSent(i) ? [total] : []))
            const step: Difference["step"] = isSent(0) ? { do: "credit", amount: "everything" } : { do: "explain" }
            const about = {
              code: "SALES_IN_TWO_SYSTEMS",
              grade: "possible",
              currency: isOneCurrency ? currency : null,
              amount: isOneCurrency ? BigDecimal.sumAll(taxed) : null,
              books: null,
              sent: null,
              documents: sales.slice(0, mostNamed).map((sale) => ({ account, number: numberOf(sale.document) })),
              text: `${sales.length} of ${own.length} documents of ${file} with a named buyer have buyer, day, total and lines of documents of ${other.system.file} under other numbers: ${named(texts, mostNamed)}`,
              step
            } as const
            found.push(identified(account, `${file} ${other.system.file}`, about, acknowledged))
          }
        return found
      })
  }
}
