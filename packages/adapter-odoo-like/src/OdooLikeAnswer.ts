/** Reads the few fields of an answer that reading on needs. */
import { Predicate } from "effect"
import type { LiveSource } from "@fiscal-connector/core/adapter"

type OdooRecord = Readonly<Record<string, unknown>>

export const listIn = (text: string): ReadonlyArray<OdooRecord> | undefined => {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) && read.every(Predicate.isReadonlyObject) ? read : undefined
  } catch {
    return undefined
  }
}

/** `7`, or `[7, "Name"]`; `false` is nothing. */
const idOf = (value: unknown): number | undefined => {
  const id: unknown = Array.isArray(value) ? value[0] : value
  return typeof id === "number" && Number.isSafeInteger(id) ? id : undefined
}

/** `2026-03-02 09:10:11`, in UTC. */
const timeOf = (value: unknown): number | undefined => {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.test(value)) return undefined
  const millis = Date.parse(`${value.replace(" ", "T")}Z`)
  return Number.isNaN(millis) ? undefined : millis
}

const recordOf = (fields: OdooRecord): LiveSource.LiveRecord | undefined => {
  const [id, modified] = [idOf(fields["id"]), timeOf(fields["write_date"])]
  if (id === undefined || modified === undefined) return undefined
  const partners = [idOf(fields["partner_id"]), idOf(fields["commercial_partner_id"])]
  const name = fields["name"]
  return {
    id: String(id),
    kind: fields["move_type"] === "out_refund" ? "credit-note" : "invoice",
    number: typeof name === "string" ? name : "",
    modified,
    needs: [`move ${id}`, ...partners.flatMap((partner) => (partner === undefined ? [] : [`partner ${partner}`]))]
  }
}

export const moves = (text: string): ReadonlyArray<LiveSource.LiveRecord> | string => {
  const list = listIn(text)
  if (list === undefined)
    return text.trimStart().startsWith("<")
      ? "the answer is HTML, not JSON"
      : "the answer is not a JSON list of records; it may be cut off"
  const records = list.map(recordOf)
  const known = records.filter((record) => record !== undefined)
  return known.length === records.length ? known : "a record of account.move has no id, or no write_date"
}

export const needed = (needs: ReadonlyArray<string>) => {
  const of = (what: string) =>
    needs.flatMap((one) => (one.startsWith(`${what} `) ? [Number(one.slice(what.length + 1))] : []))
  return { moves: of("move"), partners: of("partner") }
}

export const taxesIn = (lines: ReadonlyArray<OdooRecord>): ReadonlyArray<number> => [
  ...new Set(lines.flatMap(({ tax_ids: taxes }) => (Array.isArray(taxes) ? taxes : [])).flatMap(idsOf))
]

const idsOf = (value: unknown): ReadonlyArray<number> => {
  const id = idOf(value)
  return id === undefined ? [] : [id]
}

export const companyIn = (text: string): LiveSource.LiveIdentity | undefined => {
  const list = listIn(text)
  if (list === undefined) return undefined
  const [found] = list
  const id = idOf(found?.["id"])
  const name = found?.["name"]
  return { tenant: id === undefined ? "" : String(id), name: typeof name === "string" ? name : "" }
}
