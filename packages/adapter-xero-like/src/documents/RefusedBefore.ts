/**
 * Reasons of an earlier import in the file of refused documents, if the evidence was in other
 * records: contacts, tax rates, payments.
 */
import { isArray, isJsonObject } from "@fiscal-connector/adapter-kit/unstable/json/Json"
import { Finding, FindingCode } from "@fiscal-connector/core/adapter"
import { XeroFinding } from "../finding/XeroFinding.ts"
import type { Context } from "../joins/Context.ts"
import { field, JsonPlace } from "../json/Place.ts"
import { reasonsKey } from "@fiscal-connector/adapter-kit/unstable/RefusedFile"
import { idIn } from "../values/Identity.ts"
import type { XeroNotes } from "../values/Notes.ts"
import type { Shape } from "../values/Shape.ts"

const reasons = field(reasonsKey)
const codeField = field("Code")

export const elsewhere = FindingCode.withEvidenceElsewhere(Object.values(XeroFinding))

export const release = `take "${reasonsKey}" out of its record`

/**
 * Reports each reason that is still stated, unless the records with the evidence are part of this
 * export and no longer show the problem.
 */
export const reportRefusedBefore = (shape: Shape, context: Context, notes: XeroNotes): void => {
  for (const record of shape.records) {
    for (const name of codesIn(record)) {
      const code = elsewhere.get(name)
      if (code === undefined || notes.findings.some((finding) => finding.code === name)) continue
      if (!isSettled(name, shape, context))
        notes.findings.push(Finding.stillStated(code, release, { at: record.at(reasons) }))
    }
  }
}

const codesIn = (record: JsonPlace): ReadonlyArray<string> => {
  const stated = record.value(reasons)
  if (!isArray(stated)) return []
  return stated.flatMap((reason) =>
    isJsonObject(reason) ? (new JsonPlace(record.file, record.pointer, reason).text(codeField) ?? []) : []
  )
}

const isSettled = (code: string, { contact, contactFields, id }: Shape, { joins, options }: Context): boolean => {
  switch (code) {
    case XeroFinding.XERO_TAX_RATES_DIFFER.code:
      return joins.percents.size > 0
    case XeroFinding.XERO_PAYING_ACCOUNTS_DIFFER.code:
      return options.paymentMethod !== "paying-account" || joins.accounts.has(id ?? "")
    default: {
      if (options.missingContacts === "as-stated" && code !== XeroFinding.XERO_CONTACTS_DIFFER.code) return true
      const contactId = contact && idIn(contact, contactFields.id)
      return contactId !== undefined && joins.contact(contactId)?.source === "contacts"
    }
  }
}
