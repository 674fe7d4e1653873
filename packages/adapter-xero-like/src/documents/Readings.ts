import { type Adapter, Finding, type FiscalDocument } from "@fiscal-connector/core/adapter"
import type { Context } from "../joins/Context.ts"
import { modifiedIn, read } from "./DocumentReader.ts"
import { Document } from "../values/Fields.ts"
import { idIn, rowKeyOf } from "../values/Identity.ts"
import { kindOf, issueStatusOf } from "../joins/Issued.ts"
import * as OtherList from "../records/OtherList.ts"
import type { JsonPlace } from "../json/Place.ts"
import type { Record } from "../records/Records.ts"
import { ofDocument, ofRows, type ShapeRows, type Shape } from "../values/Shape.ts"
import { originOf } from "@fiscal-connector/adapter-kit/unstable/Session"
import { XeroFinding } from "../finding/XeroFinding.ts"

interface DocumentRows {
  readonly key: string
  readonly kind: FiscalDocument.DocumentKind
  readonly rows: [JsonPlace, ...Array<JsonPlace>]
}

export class Readings {
  private readonly context: Context
  private order = 0
  private group: DocumentRows | undefined
  private readonly reported = new Set<string>()

  constructor(context: Context) {
    this.context = context
  }

  next(record: Record): ReadonlyArray<Adapter.Reading> {
    if (record._tag === "row") return this.nextRow(record.place, record.collection)
    const before = this.flush()
    switch (record._tag) {
      case "document":
        return [...before, this.document(ofDocument(record.place, kindOf(record.place, record.collection)))]
      case "other":
        return [...before, ...this.other(record.place, record.collection)]
      case "unreadable": {
        const { finding, place } = record
        return [...before, place === undefined ? finding : about(place, finding)]
      }
      default:
        return before
    }
  }

  flush(): ReadonlyArray<Adapter.Reading> {
    const { group } = this
    if (group === undefined) return []
    this.group = undefined
    const { key, kind, rows } = group
    return [this.document(ofRows(rows, kind), this.context.joins.scattered.has(key) ? "scattered" : "whole")]
  }

  private nextRow(place: JsonPlace, collection: string | undefined): ReadonlyArray<Adapter.Reading> {
    const kind = kindOf(place, collection)
    const key = rowKeyOf(place, kind)
    if (key !== undefined && key === this.group?.key) {
      this.group.rows.push(place)
      return []
    }
    const before = this.flush()
    if (key === undefined) return [...before, unnamed([place])]
    this.group = { key, kind, rows: [place] }
    return before
  }

  private document(shape: Shape, rows: "whole" | "scattered" = "whole"): Adapter.Reading {
    const [head] = shape.records
    const key = shape.number ?? shape.id
    const issueStatus = issueStatusOf(head, shape.kind, this.context.options)
    if (issueStatus._tag === "Skipped") {
      const skipped = {
        _tag: "Skipped",
        key: key ?? otherIdOf(head),
        reason: issueStatus.reason,
        at: head.here
      } as const
      if (issueStatus.what === "other" || key === undefined) return skipped
      const document = { kind: shape.kind, id: shape.id ?? key, number: shape.number ?? "" }
      const modified = modifiedIn(head)
      return {
        ...skipped,
        document,
        ...(modified !== undefined && { modified }),
        ...(issueStatus.what === "cancelled" && { cancelled: document })
      }
    }
    if (key === undefined) return unnamed(shape.records)
    const document = read(shape, issueStatus, rows, this.order++, this.context)
    for (const { fields, object } of shape.records) fields.take(object, () => false)
    return document
  }

  /** Reports each receipt of money, which may be a sale. Reports any other list only once. */
  private other(place: JsonPlace, collection: string | undefined): ReadonlyArray<Adapter.Reading> {
    const list = collection ?? OtherList.nameOf(place)
    if (list === "banktransactions" && place.upperCase(Document.type)?.startsWith("RECEIVE")) {
      const key = place.key(Document.reference) ?? idIn(place, OtherList.bankTransactionId) ?? place.pointer
      const finding = Finding.make(XeroFinding.XERO_MONEY_RECEIVED, { at: place.here, detail: key })
      return [
        { _tag: "Skipped", key, reason: "money received, which is not an invoice (RECEIVE)", at: place.here },
        finding
      ]
    }
    const known = `${place.file} ${list ?? ""}`
    if (this.reported.has(known)) return []
    this.reported.add(known)
    const mistaken = OtherList.mistaken(list)
    if (mistaken !== undefined) {
      const message = `the list holds ${mistaken}, no invoices or credit notes`
      return [about(place, Finding.make(XeroFinding.XERO_NO_INVOICES, { message, at: place.here }))]
    }
    return [{ _tag: "Skipped", key: list ?? "records", reason: "neither invoices nor credit notes", at: place.here }]
  }
}

const otherIdOf = (place: JsonPlace): string =>
  idIn(place, Document.overpaymentId) ?? idIn(place, Document.prepaymentId) ?? place.pointer

const unnamed = ([head]: ShapeRows): Adapter.Reading =>
  about(head, Finding.make(XeroFinding.XERO_ID_MISSING, { at: head.here }))

const about = (place: JsonPlace, finding: Finding.Finding): Finding.Finding => {
  originOf.set(finding, place.kept())
  return finding
}
