/**
 * Cases of fixtures/rules in the form for preflight: a document of the wire, the device, and the
 * earlier fiscalized documents.
 */
import { BigDecimal, Effect, Option, Result, Stream } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import type { FiscalDocument } from "../../src/document/FiscalDocument.ts"
import { idOf, numberOf } from "../../src/document/FiscalDocument.ts"
import type { InvoiceId } from "../../src/document/Identifiers.ts"
import * as Instant from "../../src/document/Instant.ts"
import * as WireCodec from "../../src/document/WireCodec.ts"
import { deviceAnswered } from "../gateway/SampleAnswers.ts"
import * as BookFile from "../../src/mapping/BookFile.ts"
import type { MappingBook } from "../../src/mapping/MappingBook.ts"
import type { Original } from "../../src/submission/ledger/Original.ts"
import type { Ledger } from "../../src/submission/ledger/Ledger.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { civilDateOf } from "../../src/translate/translate.ts"
import type { Translated } from "../../src/translate/Translated.ts"

interface Members {
  readonly [name: string]: unknown
}
interface Sent {
  readonly invoice?: Members
  readonly creditNote?: Members
}
interface Case extends Sent {
  readonly name: string
  readonly expect: "passes" | "breaks"
  readonly device?: Members
  readonly before?: ReadonlyArray<Sent>
  readonly closedAt?: string
  readonly now?: string
}
interface CaseFile {
  readonly code: string
  readonly client?: "cannot check"
  readonly cases: ReadonlyArray<Case>
}

const folder = new URL("../../../../fixtures/rules/", import.meta.url)
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), "utf8"))
const base = read("base.json")

export const files: ReadonlyArray<CaseFile> = readdirSync(folder)
  .filter((name) => /^[A-Z]+\d+\.json$/.test(name))
  .map(read)

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const merged = (whole: unknown, change: unknown): unknown => {
  if (!isMembers(whole) || !isMembers(change)) return change
  const changed = Object.entries(change).map(([name, value]) => [name, merged(whole[name], value)])
  return { ...whole, ...Object.fromEntries(changed) }
}

const documentOf = ({ creditNote, invoice }: Sent): FiscalDocument =>
  Result.getOrThrow(
    invoice === undefined
      ? WireCodec.decode("credit-note", JSON.stringify(merged(base.creditNote, creditNote)))
      : WireCodec.decode("invoice", JSON.stringify(merged(base.invoice, invoice)))
  )

const instant = (text: string) => Option.getOrThrow(Instant.parse(text))

/** Returns the device as the gateway's answer describes it. */
const deviceOf = (change: Members | undefined) => {
  const { isActive, isSwitchedOn, taxes, vatNumber, ...rest } = merged(base.device, change ?? {}) as typeof base.device
  return deviceAnswered({
    Id: 1001,
    DeviceId: 1001,
    TIN: "2000000001",
    IsLive: false,
    IsActive: isActive,
    IsSwitchedOn: isSwitchedOn,
    AllowCreditNoteWithNoInvoice: rest.allowCreditNoteWithNoInvoice,
    ExpireCreditNoteWithNoInvoice: rest.expireCreditNoteWithNoInvoice,
    CurrentConfig: JSON.stringify({ vatNumber: vatNumber ?? undefined, applicableTaxes: taxes })
  })
}

/**
 * Mapping book of the account's codes, with the percents of the device's taxes; a mapped tax that
 * the device lacks is 15.5 %.
 */
const bookOf: Effect.Effect<MappingBook, BookFile.BookError> = BookFile.load(
  "rules.book.json",
  JSON.stringify({
    version: 1,
    zone: base.device.zone,
    times: "stated",
    taxes: Object.entries<number>(base.taxCodes).map(([code, device]) => {
      const tax = base.device.taxes.find(({ taxId }: { taxId: number }) => taxId === device)
      return { code, device, percent: tax === undefined ? "15.5" : (tax.taxPercent ?? null) }
    }),
    currencies: Object.entries<string>(base.currencies).map(([code, device]) => ({ code, device }))
  })
)

const where = () => ({ file: "case.json" })

/**
 * Returns the document as translate would, with figures as given, so that every figure can be
 * wrong.
 */
export const translatedOf = (document: FiscalDocument, book: MappingBook, taxDate: Instant.Instant): Translated => {
  const { currencyCode, date, lineItems } = document.payload
  return {
    completeness: "complete",
    document,
    date,
    taxDate: civilDateOf(taxDate, book.zone),
    taxes: new Map(
      lineItems.flatMap(({ taxCode }) => {
        const tax = book.taxes.find(({ code }) => code === taxCode)
        return tax === undefined ? [] : [[taxCode, tax] as const]
      })
    ),
    deviceCurrency: book.currencies.find(({ code }) => code === currencyCode)?.device ?? currencyCode,
    origins: lineItems.map((_, i) => ["lines", i])
  }
}

/** Returns the document as a source would state it. */
const sourceOf = (document: FiscalDocument): SourceDocument => {
  const { payload } = document
  const { buyerContact: buyer, date, lineItems, reference } = payload
  const original = document.kind === "credit-note" ? document.payload.originalInvoiceId : null
  const stated = <Name extends string>(name: Name, value: string | null) =>
    (value === null ? {} : { [name]: value }) as { readonly [N in Name]?: string }
  return {
    _tag: "SourceDocument",
    kind: document.kind,
    id: idOf(document),
    number: numberOf(document),
    order: 0,
    date,
    currency: payload.currencyCode,
    taxMode: payload.isTaxInclusive ? "inclusive" : "exclusive",
    ...(buyer && { buyer: { ...stated("name", buyer.name), ...stated("tin", buyer.tin) } }),
    lines: lineItems.map((line) => ({
      ...stated("description", line.description),
      ...stated("productCode", line.productCode),
      quantity: line.quantity,
      unitPrice: line.unitAmount,
      lineAmount: line.lineAmount,
      ...(line.discountAmount && { discount: { amount: line.discountAmount } }),
      taxes: [{ code: line.taxCode }]
    })),
    charges: [],
    totals: { net: payload.subTotal, tax: payload.totalTax, total: payload.total },
    originals: original === null ? [] : [{ by: "id", value: original }],
    ...stated("reference", reference),
    findings: [],
    where
  }
}

const ledgerOf = (before: ReadonlyArray<FiscalDocument>, closedAt: string | undefined): Ledger => {
  const credits = (id: InvoiceId) =>
    before.flatMap((document) =>
      document.kind === "credit-note" && document.payload.originalInvoiceId === id
        ? [{ id: idOf(document), total: document.payload.total }]
        : []
    )
  const [latest = null, another = null] = before
    .map((document) => ({
      at: document.payload.date,
      key: { account: "main", kind: document.kind, id: idOf(document) },
      number: numberOf(document)
    }))
    .toSorted((a, b) => Instant.seconds(b.at) - Instant.seconds(a.at))
  return {
    registered: () => Effect.succeed([]),
    alike: () => Effect.succeed([]),
    besidePrepared: () => Effect.succeed([]),
    settledPairs: () => Effect.succeed(() => false),
    replacement: () => Effect.succeed(null),
    alikeInAll: () => Effect.succeed(() => false),
    spellings: () => Effect.succeed([]),
    holders: (_, numbers) =>
      Effect.succeed(
        before
          .filter((document) => numbers.includes(numberOf(document)))
          .map((document) => ({
            number: numberOf(document),
            account: "main",
            kind: document.kind,
            id: idOf(document)
          }))
      ),
    original: (_, { value }) =>
      Effect.succeed(
        Option.fromNullishOr(
          before.flatMap((document): ReadonlyArray<Original> => {
            if (document.kind !== "invoice" || document.payload.invoiceId !== value) return []
            const { currencyCode, date, invoiceId, invoiceNumber, lineItems, total } = document.payload
            return [
              {
                invoiceId,
                number: invoiceNumber,
                status: "fiscalised",
                date,
                currency: currencyCode,
                total,
                taxCodes: [...new Set(lineItems.map(({ taxCode }) => taxCode))],
                credited: BigDecimal.sumAll(credits(invoiceId).map((credit) => credit.total)),
                credits: credits(invoiceId).map((credit) => ({
                  ...credit,
                  status: "sent" as const,
                  made: "source" as const
                }))
              }
            ]
          })[0]
        )
      ),
    mark: () => Effect.succeed({ latest, another, closed: closedAt === undefined ? null : instant(closedAt) }),
    latestReceiptDate: () => Effect.succeedNone
  }
}

/** Returns the input of preflight for a case. */
export const circumstances = (one: Case) =>
  Effect.map(bookOf, (book) => {
    const before = (one.before ?? []).map(documentOf)
    const document = documentOf(one)
    const ledger = ledgerOf(before, one.closedAt)
    return {
      book,
      before,
      document,
      source: sourceOf(document),
      device: deviceOf(one.device),
      supportedCurrencies: base.device.supportedCurrencies as ReadonlyArray<string>,
      now: instant(one.now ?? base.now),
      ledger,
      store: {
        ledger,
        getMany: () => Effect.succeed([]),
        known: () => Effect.succeed([]),
        stream: () => Stream.empty,
        refused: { of: () => Effect.succeed([]) }
      }
    }
  })
