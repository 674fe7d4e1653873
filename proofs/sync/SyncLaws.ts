/**
 * Laws of a source that is read live: each compares the system with the store and with the gateway.
 */
import type { AcceptedDocument } from "@fiscal-connector/sandbox/control/AcceptedDocument"
import type { IssuedReceipt } from "@fiscal-connector/sandbox/day/IssuedReceipt"
import type { SourceWorld } from "@fiscal-connector/sandbox/source/SourceWorld"
import { BigDecimal } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Users } from "./EditedSource.ts"

/** State of everything when a law is checked. */
export interface Observed {
  readonly world: SourceWorld
  /** Company of the documents. Default: the first company of the system. */
  readonly tenant?: string
  readonly goLive: string
  /** States of the documents of the store, by identifier. */
  readonly stored: ReadonlyMap<string, string>
  /** Number of receipts of the gateway, by identifier. */
  readonly receipts: ReadonlyMap<string, number>
  /** Total on the receipt, by identifier. */
  readonly totals: ReadonlyMap<string, string>
  readonly known: Known
}

/** State of the source in the store. */
export interface Known {
  readonly refused: ReadonlySet<string>
  readonly gone: ReadonlySet<string>
  /** Documents with an open item that the source states otherwise, or has no more. */
  readonly noticed: ReadonlySet<string>
}

const storeIn = (folder: string) => join(folder, "fiscal-connector.db")

const nothing: Known = { refused: new Set(), gone: new Set(), noticed: new Set() }

/** Reads the store's memory of the source; a first run that was killed may have made no store. */
export const knownIn = (folder: string): Known => {
  if (!existsSync(storeIn(folder))) return nothing
  const database = new DatabaseSync(storeIn(folder), { readOnly: true })
  const tables = database.prepare("select name from sqlite_master where name = 'fiscal_source_document'").all()
  if (tables.length === 0) {
    database.close()
    return nothing
  }
  const ids = (query: string) =>
    new Set(
      database
        .prepare(query)
        .all()
        .map(({ id }) => String(id))
    )
  const known = {
    refused: ids("select id from fiscal_source_document where standing = 'refused'"),
    gone: ids("select id from fiscal_source_document where standing = 'gone'"),
    noticed: ids(
      "select s.id from fiscal_conflict c join fiscal_submission s on s.seq = c.submission where c.settled_at is null and c.code like 'SOURCE%'"
    )
  }
  database.close()
  return known
}

/** Moves the last comparison of single documents back, so that the next run compares. */
export const makeSweepDue = (folder: string): void => {
  if (knownIn(folder) === nothing) return
  const database = new DatabaseSync(storeIn(folder))
  database.exec("update fiscal_source set planned_at = planned_at - 90000000, swept_at = swept_at - 90000000")
  database.close()
}

const invoicesOf = ({ tenant, world }: Pick<Observed, "world" | "tenant">) =>
  [...world.tenant(tenant).lists.Invoices.values()].map(({ fields }) => fields)

const isIssued = (fields: Readonly<Record<string, unknown>>): boolean =>
  fields["Type"] === "ACCREC" && (fields["Status"] === "AUTHORISED" || fields["Status"] === "PAID")

/** Every issued document from the first day on is in the store, or among the refused. */
export const accounted = (observed: Observed, when: string): ReadonlyArray<string> =>
  invoicesOf(observed).flatMap((fields) => {
    const id = String(fields["InvoiceID"])
    const isExpected = isIssued(fields) && String(fields["DateString"]) >= observed.goLive
    return isExpected && !observed.stored.has(id) && !observed.known.refused.has(id)
      ? [`${when}: ${id} is nowhere`]
      : []
  })

/** A fiscalized document that is voided has an open item. */
export const voidsNoticed = (observed: Observed, when: string): ReadonlyArray<string> =>
  invoicesOf(observed).flatMap((fields) => {
    const id = String(fields["InvoiceID"])
    const isOpen = observed.stored.get(id) !== "Fiscalised" || observed.known.noticed.has(id)
    return fields["Status"] === "VOIDED" && !isOpen ? [`${when}: ${id} is voided, and nobody is told`] : []
  })

/** A receipt has the total that the source states, or its document has an open item. */
export const editsNoticed = (observed: Observed, when: string): ReadonlyArray<string> =>
  invoicesOf(observed).flatMap((fields) => {
    const id = String(fields["InvoiceID"])
    const total = observed.totals.get(id)
    const isStale = isIssued(fields) && total !== undefined && Number(total) !== Number(fields["Total"])
    return isStale && !observed.known.noticed.has(id)
      ? [`${when}: ${id} has a receipt of ${total}, is ${String(fields["Total"])} now, and nobody is told`]
      : []
  })

/**
 * A fiscalized document that the system does not have any more has an open item. `told`: documents
 * whose deletion the operator has stated.
 */
export const deletionsNoticed = (
  { known, stored, tenant, world }: Observed,
  told: ReadonlySet<string> = new Set()
): ReadonlyArray<string> => {
  const there = world.tenant(tenant).lists.Invoices
  return [...stored].flatMap(([id, state]) =>
    state === "Fiscalised" && !there.has(id) && !known.noticed.has(id) && !told.has(id)
      ? [`${id} is no more, and nobody is told`]
      : []
  )
}

/** Returns the numbers of receipts by document, over all accounts. */
export const receiptsOf = (accepted: ReadonlyArray<AcceptedDocument>): Observed["receipts"] =>
  new Map(
    [...Map.groupBy(accepted, ({ id }) => id)].map(([id, all]) => [id, all.reduce((n, one) => n + one.receipts, 0)])
  )

/** Returns the totals of the receipts by document. */
export const totalsOf = (receipts: ReadonlyArray<IssuedReceipt>): Observed["totals"] =>
  new Map(receipts.map(({ documentId, total }) => [documentId, BigDecimal.format(total)]))

/** Each document has one receipt at most, and a fiscalized one has one. */
export const sentOnce = ({ receipts, stored }: Observed): ReadonlyArray<string> => [
  ...[...receipts].flatMap(([id, count]) => (count > 1 ? [`${id} has ${count} receipts`] : [])),
  ...[...stored].flatMap(([id, state]) => (state === "Fiscalised" && !receipts.has(id) ? [`${id} was never sent`] : []))
]

/** Only a document that was deleted at some time is ever taken for gone. */
export const goneWereDeleted = ({ gone }: Known, { everDeleted }: Users, when: string): ReadonlyArray<string> =>
  [...gone].flatMap((id) => (everDeleted.has(id) ? [] : [`${when}: ${id} is taken for gone, and was never deleted`]))
