/**
 * Hands the books of a firm over in three ways, each with its own store and gateway: as documents,
 * as an export file, and as a source that is read live.
 */
import { adapter as csv } from "@fiscal-connector/adapter-csv/CsvAdapter"
import { adapter as xero } from "@fiscal-connector/adapter-xero-like/XeroLikeAdapter"
import * as XeroLikeSource from "@fiscal-connector/adapter-xero-like/XeroLikeSource"
import * as Patience from "../../packages/core/src/submission/ledger/Patience.ts"
import type { DocumentInput } from "../../packages/core/src/source/DocumentInput.ts"
import * as SourceAnswers from "@fiscal-connector/sandbox/source/SourceAnswers"
import { SourceWorld } from "@fiscal-connector/sandbox/source/SourceWorld"
import { Duration, Effect, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import {
  type FiscalConnector,
  FiscalConnectorError,
  type Problem,
  type SourceReport,
  type SyncReport
} from "../../packages/promise/src/index.ts"
import { testGateway, type TestGateway } from "../../packages/testing/src/index.ts"
import * as Decimal from "./Decimal.ts"
import { bookTaxes, contactOf, exportOf, inputOf, recordOf } from "./Documents.ts"
import type { Books, Entry, Trouble } from "./History.ts"

/** Statement of a way about a document. */
export interface Told {
  readonly number: string
  /** Status in the store; `none` if the store does not have the document. */
  readonly status: string
  /** Codes of the errors that the report names. */
  readonly codes: ReadonlyArray<string>
  readonly changed: string | null
  readonly cancelled: string | null
  /** Reason for the status, shown with a disagreement. */
  readonly because: string | null
}

export interface Report {
  /** By `kind id`. */
  readonly documents: ReadonlyMap<string, Told>
  readonly done: "done" | "not done" | `error ${string}`
  readonly open: number | null
}

/** Number of the receipts of each document, by number. */
export type Receipts = ReadonlyArray<string>

export interface Way {
  readonly name: "documents" | "file" | "source"
  tell(trouble: Trouble): Promise<Report>
  receipts(): Receipts
  /** Lets time pass until the moment, in milliseconds since the beginning. */
  until(millis: number): Promise<void>
  close(): Promise<void>
}

const began = new Date("2026-04-01T08:00:00Z")

const bookOf = ({ taxes }: Books) => ({
  version: 1,
  zone: "+02:00",
  taxes: bookTaxes(taxes),
  currencies: [{ code: "USD", device: "USD" }],
  rounding: "as-inclusive"
})

const errors = (problems: ReadonlyArray<Problem>): ReadonlyArray<string> =>
  [...new Set(problems.flatMap(({ code, severity }) => (severity === "error" ? [code] : [])))].toSorted()

const nameOf = ({ kind, id }: { readonly kind: string | null; readonly id: string }): string => `${kind} ${id}`

const trouble = (gateway: TestGateway, given: Trouble): void => {
  if (given.is === "closed") gateway.fail("error", { status: 503, operations: ["profile"], times: "all" })
  if (given.is === "rejected")
    gateway.fail("reject", { documents: [given.number], error: "the device refused it", actionable: true })
  if (given.is === "lost") gateway.fail("lose-answer", { documents: [given.number] })
  if (given.is === "declined") gateway.fail("error", { documents: [given.number], status: 422 })
}

/** Statements of a report, by `kind id`: the errors of each document. */
interface Stated {
  readonly errors: ReadonlyMap<string, ReadonlyArray<string>>
  /** Documents that leave work, by the report's own statement. */
  readonly isDone: boolean
  readonly open: number | null
}

const ofSync = ({ ok, open, results }: SyncReport): Stated => ({
  errors: new Map(results.map((result) => [nameOf(result), errors(result.problems)])),
  isDone: ok,
  open
})

const ofSource = ({ ok, open, refusedDocuments }: SourceReport): Stated => ({
  errors: new Map(refusedDocuments.map((one) => [nameOf(one), errors(one.problems)])),
  isDone: ok,
  open
})

const moving = new Set(["planned", "sending", "accepted", "unknown"])

const telling = (gateway: TestGateway, fiscal: FiscalConnector, books: Books, sync: () => Promise<Stated>) => {
  let isOpen = false
  return async (given: Trouble): Promise<Report> => {
    // outcomes of earlier steps: the ways ask the gateway at different moments of a run, so every
    // open request is due again before the next one
    if (isOpen) {
      await gateway.advance(Duration.toMillis(Patience.longestPause.is))
      await fiscal.run()
    }
    trouble(gateway, given)
    let stated: Stated = { errors: new Map(), isDone: false, open: null }
    let done: Report["done"]
    try {
      stated = await sync()
      done = stated.isDone ? "done" : "not done"
    } catch (error) {
      if (!(error instanceof FiscalConnectorError)) throw error
      done = `error ${error.code}`
    }
    gateway.recover()
    const documents = new Map<string, Told>()
    for (const { sale } of books.entries.values()) {
      const known = await fiscal.get(sale)
      documents.set(nameOf(sale), {
        number: known?.number ?? sale.number,
        status: known?.status ?? "none",
        codes: stated.errors.get(nameOf(sale)) ?? [],
        changed: known?.changed ?? null,
        cancelled: known?.cancelled ?? null,
        because: known?.because ?? null
      })
    }
    isOpen = [...documents.values()].some(({ status }) => moving.has(status))
    return { documents, done, open: stated.open }
  }
}

const statedOf = ({ is, sale }: Entry): DocumentInput =>
  is === "void" ? { kind: "cancelled", of: sale.kind, id: sale.id, number: sale.number } : inputOf(sale)

const header =
  "Kind,InvoiceId,InvoiceNumber,InvoiceDate,Currency,AmountsAre,CustomerName,CustomerTIN,Description,Quantity,UnitPrice,DiscountPercent,LineAmount,TaxCode,TaxPercent,TaxAmount,ProductCode,SubTotal,TotalTax,Total,OriginalInvoiceId,Reason,CancelledAt"

// a number may be used twice in the books, and the id tells the documents apart
const plain = { columns: { version: 1, base: "plain", group: ["InvoiceId"] } } as const

const quoted = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Returns the rows of a document in the plain layout. */
const rowsOf = ({ is, sale }: Entry): ReadonlyArray<string> =>
  sale.lines.map(({ amount, discount, price, quantity, tax, taxAmount, text }) =>
    [
      sale.kind,
      sale.id,
      sale.number,
      sale.date,
      sale.currency,
      sale.prices === "net" ? "exclusive" : "inclusive",
      sale.buyer.name,
      sale.buyer.taxId,
      text,
      Decimal.text(quantity),
      Decimal.text(price, 2),
      discount.units === 0n ? "" : Decimal.text(discount),
      Decimal.text(amount, 2),
      tax.name,
      String(tax.percent),
      Decimal.text(taxAmount, 2),
      "85131000",
      Decimal.text(sale.net, 2),
      Decimal.text(sale.tax, 2),
      Decimal.text(sale.total, 2),
      sale.credits?.id ?? "",
      sale.reason ?? "",
      is === "void" ? "2026-03-30" : ""
    ]
      .map(quoted)
      .join(",")
  )

const statuses = { issued: "AUTHORISED", paid: "PAID", void: "VOIDED" } as const

const options = { productCode: "item-code", tin: "TaxNumber" } as const

/** Client of the source in this process. */
const clientOf = (world: SourceWorld) =>
  HttpClient.make((request, url) => {
    const { body, headers, status } = SourceAnswers.answer(world, {
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers: request.headers,
      body: ""
    })
    return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(body, { status, headers })))
  })

const sourceOf = (world: SourceWorld) => {
  const access = Redacted.make(world.refresh(world.config.refreshToken)!.access)
  const tokens = {
    current: Effect.succeed(access),
    renewed: () => Effect.succeed({ access, issued: "now" as const }),
    take: () => Effect.void,
    refreshedAt: Effect.succeed(null)
  }
  const open = XeroLikeSource.make({ name: "books", url: "http://books.test", tenant: "tenant-1", options, tokens })
  return {
    name: "books",
    tenant: "tenant-1",
    open: Effect.provideService(open, HttpClient.HttpClient, clientOf(world))
  }
}

const opened = async (
  name: Way["name"],
  books: Books,
  syncing: (fiscal: FiscalConnector, gateway: TestGateway) => Promise<() => Promise<Stated>>
): Promise<Way> => {
  const gateway = await testGateway({ book: bookOf(books), now: began })
  const fiscal = await gateway.connect()
  const sync = await syncing(fiscal, gateway)
  return {
    name,
    tell: telling(gateway, fiscal, books, sync),
    receipts: () => gateway.receipts().map(({ kind, id }) => nameOf({ kind, id })),
    until: (millis) => gateway.advance(began.getTime() + millis - gateway.now().getTime()),
    close: () => gateway.close()
  }
}

/** Opens the three ways for the books. `shape`: of the export file. */
export const open = (books: Books, shape: "csv" | "xero-like"): Promise<ReadonlyArray<Way>> =>
  Promise.all([
    opened(
      "documents",
      books,
      async (fiscal) => async () => ofSync(await fiscal.sync([...books.entries.values()].map(statedOf)))
    ),
    opened("file", books, async (fiscal) => async () => {
      const all = [...books.entries.values()]
      const bytes = (text: string) => new TextEncoder().encode(text)
      if (shape === "csv") {
        const text = [header, ...all.flatMap(rowsOf), ""].join("\n")
        return ofSync(
          await fiscal.sync({ adapter: csv, files: [{ name: "sales.csv", bytes: bytes(text) }], options: plain })
        )
      }
      const contacts = new Map(all.map(({ sale: { buyer } }) => [buyer.id, contactOf(buyer)]))
      const text = exportOf([...contacts.values(), ...all.map((entry) => recordOf(entry.sale, statuses[entry.is]))])
      return ofSync(await fiscal.sync({ adapter: xero, files: [{ name: "sales.json", bytes: bytes(text) }], options }))
    }),
    opened("source", books, async (fiscal, gateway) => {
      const world = new SourceWorld({
        now: () => gateway.now().getTime(),
        perMinute: 10_000,
        perDay: 1_000_000,
        accessSeconds: 1e9
      })
      const input = { source: sourceOf(world), goLive: "2026-01-01" }
      // the first run of a source only plans
      await fiscal.sync(input)
      return async () => {
        for (const id of books.removed) for (const list of ["Invoices", "CreditNotes"] as const) world.remove(list, id)
        for (const id of books.changed) {
          const entry = books.entries.get(id)!
          const contact = contactOf(entry.sale.buyer)
          if (!world.tenant().lists.Contacts.has(entry.sale.buyer.id)) world.put("Contacts", contact.fields)
          const { fields, list } = recordOf(entry.sale, statuses[entry.is])
          world.put(list, fields)
        }
        return ofSource(await fiscal.sync(input))
      }
    })
  ])
