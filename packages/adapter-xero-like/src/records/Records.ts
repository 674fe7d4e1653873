import { Finding } from "@fiscal-connector/core/adapter"
import { Result } from "effect"
import { isCollection, isOfRecord } from "../json/Collection.ts"
import {
  isArray,
  isJsonObject,
  type Json,
  type JsonObject,
  nameOf
} from "@fiscal-connector/adapter-kit/unstable/json/Json"
import { FieldRecord } from "@fiscal-connector/adapter-kit/unstable/item/FieldRecord"
import { parse } from "@fiscal-connector/adapter-kit/unstable/json/JsonParser"
import type { DamagedRecord, ScannedRecord } from "@fiscal-connector/adapter-kit/unstable/json/JsonScanner"
import { JsonPlace } from "../json/Place.ts"
import { child, lastOf } from "@fiscal-connector/adapter-kit/unstable/json/Pointer"
import { reasonsKey } from "@fiscal-connector/adapter-kit/unstable/RefusedFile"
import { XeroFinding } from "../finding/XeroFinding.ts"

export type Record =
  | {
      /** `row`: one line of a document, with the document's own fields repeated. */
      readonly _tag: "document" | "row" | "contact" | "tax-rate" | "payment" | "other"
      readonly place: JsonPlace
      readonly collection: string | undefined
    }
  | { readonly _tag: "unreadable"; readonly finding: Finding.Finding; readonly place: JsonPlace | undefined }

export const recordsOf = (
  scanned: ScannedRecord | DamagedRecord,
  file: string,
  fields = new FieldRecord()
): ReadonlyArray<Record> => {
  const { line, pointer } = scanned
  if ("problem" in scanned) return [broken(file, line, pointer, scanned.problem)]
  const collection = scanned.list === "" ? undefined : nameOf(lastOf(scanned.list))
  return Result.match(parse(scanned.text, line), {
    onFailure: ({ line, text }) => [broken(file, line, pointer, text)],
    onSuccess: (value) => [...unwrap(value, { file, line, pointer, collection, fields })]
  })
}

interface At {
  readonly file: string
  readonly fields: FieldRecord
  readonly line: number
  readonly pointer: string
  readonly collection: string | undefined
}

const broken = (file: string, line: number, pointer: string, detail: string): Record => ({
  _tag: "unreadable",
  finding: Finding.make(XeroFinding.XERO_RECORD_UNREADABLE, {
    detail,
    at: { file, line, ...(pointer !== "" && { pointer }) }
  }),
  place: undefined
})

/**
 * Members in which tools wrap a record: Airbyte and Singer messages, SDK answers, work flow items.
 */
const wrappers = ["record", "data", "airbytedata", "body", "json"]

const isMessage = (object: JsonObject): boolean => {
  const type = object.values[object.names.indexOf("type")]
  return typeof type === "string" && /^(SCHEMA|STATE|ACTIVATE_VERSION|LOG|TRACE|SPEC|CATALOG|BATCH)$/.test(type)
}

function* unwrap(value: Json, at: At): Generator<Record> {
  if (isArray(value)) {
    for (const [i, element] of value.entries()) yield* unwrap(element, { ...at, pointer: child(at.pointer, i) })
  } else if (isJsonObject(value)) yield* unwrapObject(value, { ...at, line: value.line })
  else yield unreadable(at, undefined, "XERO_SHAPE_UNKNOWN", "it is not an object")
}

function* unwrapObject(object: JsonObject, at: At): Generator<Record> {
  const tag = at.collection === undefined ? tagOf(object) : tagIn(at.collection, object)
  if (tag !== undefined) {
    yield { _tag: tag, place: new JsonPlace(at.file, at.pointer, object, at.fields.at(tag)), collection: at.collection }
    return
  }
  // for a record with invalid JSON, the file of refused documents contains only the reason
  if (object.keys.length === 1 && object.keys[0] === reasonsKey)
    return yield unreadable(at, object, "XERO_RECORD_UNREADABLE", "only its reason is here; correct it in the export")
  if (isErrorAnswer(object)) return yield unreadable(at, object, "XERO_ERROR_ANSWER", undefined)
  const lists = listsOf(object)
  for (const i of lists) {
    yield* unwrap(object.values[i]!, {
      ...at,
      pointer: child(at.pointer, object.keys[i]!),
      collection: object.names[i]
    })
  }
  if (lists.length > 0 || isMessage(object)) return
  const wrapped = wrappers.map((name) => object.names.indexOf(name)).find((i) => typeof object.values[i] === "object")
  const inner = object.values[wrapped ?? -1] ?? null
  if (wrapped === undefined || inner === null) {
    const keys = object.keys.slice(0, 6).join(", ")
    return yield unreadable(at, object, "XERO_SHAPE_UNKNOWN", `its fields: ${keys.slice(0, 200)}`)
  }
  yield* unwrap(inner, { ...at, pointer: child(at.pointer, object.keys[wrapped]!), collection: streamOf(object) })
}

const unreadable = (
  { file, line, pointer }: Pick<At, "file" | "line" | "pointer">,
  object: JsonObject | undefined,
  code: "XERO_RECORD_UNREADABLE" | "XERO_SHAPE_UNKNOWN" | "XERO_ERROR_ANSWER",
  detail: string | undefined
): Record => ({
  _tag: "unreadable",
  finding: Finding.make(XeroFinding[code], {
    ...(detail !== undefined && { detail }),
    at: { file, line, ...(pointer !== "" && { pointer }) }
  }),
  place: object && new JsonPlace(file, pointer, object)
})

const streamOf = (object: JsonObject): string | undefined => {
  const stream = object.values[object.names.indexOf("stream")]
  const name = typeof stream === "string" ? nameOf(stream).replace(/^xero/, "") : ""
  return isCollection(name) ? name : undefined
}

const listsOf = (object: JsonObject): ReadonlyArray<number> =>
  object.names.some(isOfRecord)
    ? []
    : object.names.flatMap((name, i) => (isCollection(name) && isArray(object.values[i]) ? [i] : []))

const isErrorAnswer = ({ names }: JsonObject): boolean =>
  names.includes("errornumber") || (names.includes("title") && names.includes("detail") && names.includes("status"))

const lineNames = "lineamount unitamount lineitemid lineitemlineamount lineitemslineamount linequantity".split(" ")
const documentNames = "invoiceid invoicenumber creditnoteid creditnotenumber prepaymentid overpaymentid".split(" ")
const otherNames = (
  "banktransactionid banktransferid purchaseorderid quoteid repeatinginvoiceid receiptid manualjournalid journalid " +
  "accountid itemid organisationid userid trackingcategoryid"
).split(" ")

const hasAny = ({ names }: JsonObject, candidates: ReadonlyArray<string>) =>
  candidates.some((name) => names.includes(name))

const documentOrRow = (object: JsonObject) =>
  !object.names.includes("lineitems") && hasAny(object, lineNames) ? "row" : "document"

const tagIn = (collection: string, object: JsonObject): Exclude<Record["_tag"], "unreadable"> => {
  switch (collection) {
    case "invoices":
    case "creditnotes":
    case "prepayments":
    case "overpayments":
      return documentOrRow(object)
    case "contacts":
      return "contact"
    case "taxrates":
      return "tax-rate"
    case "payments":
      return "payment"
    default:
      return "other"
  }
}

const tagOf = (object: JsonObject): Exclude<Record["_tag"], "unreadable"> | undefined => {
  const { names } = object
  if (names.includes("paymentid") && documentOrRow(object) === "document" && !names.includes("lineitems"))
    return "payment"
  if (hasAny(object, documentNames)) return documentOrRow(object)
  if (names.includes("taxtype") && hasAny(object, ["effectiverate", "taxcomponents"])) return "tax-rate"
  if (hasAny(object, otherNames)) return "other"
  if (names.includes("lineitems") && names.includes("type")) return "document"
  return names.includes("contactid") ? "contact" : undefined
}
