import type { FiscalDocument, LiveSource } from "@fiscal-connector/core/adapter"
import { Predicate } from "effect"

export type Endpoint = "Invoices" | "CreditNotes"

const idFields = { Invoices: "InvoiceID", CreditNotes: "CreditNoteID", Contacts: "ContactID" } as const
const numberFields = { Invoices: "InvoiceNumber", CreditNotes: "CreditNoteNumber" } as const

type XeroFields = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "")

/** Parses `/Date(1772668800000+0000)/`, or ISO 8601 in UTC with or without its Z. */
const timeOf = (value: unknown): number | undefined => {
  const text = textOf(value)
  const net = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/.exec(text)?.[1]
  if (net !== undefined) return Number(net)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return undefined
  const millis = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(millis) ? undefined : millis
}

const bills: Readonly<Record<Endpoint, string>> = { Invoices: "ACCPAY", CreditNotes: "ACCPAYCREDIT" }
const kinds: Readonly<Record<Endpoint, FiscalDocument.DocumentKind>> = {
  Invoices: "invoice",
  CreditNotes: "credit-note"
}

const recordOf = (endpoint: Endpoint, fields: XeroFields): LiveSource.LiveRecord | undefined => {
  const id = textOf(fields[idFields[endpoint]])
  const modified = timeOf(fields["UpdatedDateUTC"])
  if (id === "" || modified === undefined) return undefined
  const contact = Predicate.isReadonlyObject(fields["Contact"]) ? textOf(fields["Contact"]["ContactID"]) : ""
  return {
    id,
    // a record of an unknown type goes to the adapter, which reports the type
    kind: textOf(fields["Type"]) === bills[endpoint] ? null : kinds[endpoint],
    number: textOf(fields[numberFields[endpoint]]),
    modified,
    needs: contact === "" ? [] : [contact]
  }
}

export type ParsedRecords =
  | { readonly _tag: "Read"; readonly records: ReadonlyArray<LiveSource.LiveRecord>; readonly more: "more" | "last" }
  | { readonly _tag: "Unreadable"; readonly text: string }

const unreadable = (text: string): ParsedRecords => ({ _tag: "Unreadable", text })

const more = (whole: XeroFields, page: number): "more" | "last" => {
  const pagination = Predicate.isReadonlyObject(whole["pagination"]) ? whole["pagination"] : undefined
  const count = pagination?.["pageCount"]
  return typeof count === "number" && count > page ? "more" : "last"
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * Reads an answer. A list without `pagination` must be shorter than a page; otherwise a following
 * page could be missed.
 */
export const read = (endpoint: Endpoint | "Contacts", text: string, page: number, pageSize: number): ParsedRecords => {
  const whole = parsed(text)
  if (whole === undefined)
    return unreadable(
      text.trimStart().startsWith("<")
        ? "the answer is HTML, not JSON"
        : "the answer is not valid JSON; it may be cut off"
    )
  const list = Predicate.isReadonlyObject(whole) ? whole[endpoint] : undefined
  if (!Predicate.isReadonlyObject(whole) || !Array.isArray(list))
    return unreadable(`the answer has no list ${endpoint}`)
  if (!Predicate.isReadonlyObject(whole["pagination"]) && list.length >= pageSize)
    return unreadable("the answer does not state whether more pages follow")
  if (endpoint === "Contacts") return { _tag: "Read", records: [], more: more(whole, page) }
  const records = list.map((one: unknown) => (Predicate.isReadonlyObject(one) ? recordOf(endpoint, one) : undefined))
  const known = records.filter((record) => record !== undefined)
  return known.length === records.length
    ? { _tag: "Read", records: known, more: more(whole, page) }
    : unreadable(`a record of ${endpoint} has no id, or no UpdatedDateUTC`)
}

/**
 * If the wanted tenant is missing, the first one, whose id differs. Undefined if the answer is not
 * a list of tenants.
 */
export const tenantIn = (
  text: string,
  tenant: string
): { readonly tenant: string; readonly name: string } | undefined => {
  const whole = parsed(text)
  if (!Array.isArray(whole) || !whole.every(Predicate.isReadonlyObject)) return undefined
  const found = whole.find((one) => textOf(one["tenantId"]) === tenant) ?? whole[0]
  return {
    tenant: found === undefined ? "" : textOf(found["tenantId"]),
    name: found === undefined ? "" : textOf(found["tenantName"])
  }
}
