import { defineAdapter, type KitAdapter, type KitOptions } from "@fiscal-connector/adapter-kit"
import * as FieldRecord from "@fiscal-connector/adapter-kit/unstable/item/FieldRecord"
import { JsonScanner } from "@fiscal-connector/adapter-kit/unstable/json/JsonScanner"
import { scanned } from "@fiscal-connector/adapter-kit/unstable/json/ScannedFile"
import { type Adapter, MapConcat } from "@fiscal-connector/core/adapter"
import { Effect, Stream } from "effect"
import { envelope } from "./json/Collection.ts"
import { Joins } from "./joins/Joins.ts"
import { Readings } from "./documents/Readings.ts"
import { type Record, recordsOf } from "./records/Records.ts"
import { writeRefused } from "./documents/RefusedFile.ts"
import { XeroLikeOptions } from "./options/XeroLikeOptions.ts"

const name = "xero-like"
/** Fields that change nothing in a document, by the documentation of the API. */
const harmless = {
  "administration of the record":
    "ID|InvoiceID|CreditNoteID|_fivetran_synced|_fivetran_deleted|HasAttachments|HasErrors|IsDiscounted|BrandingThemeID|BrandingThemeName|Url|SentToContact|ExpectedPaymentDate|PlannedPaymentDate|RepeatingInvoiceID|EInvoice|" +
    "InvoiceAddresses|LineItems/LineItemID|LineItems/ValidationErrors|LineItems/Item/ItemID|LineItems/Item/Name|*/ValidationErrors|*/Warnings|StatusAttributeString|*/HasValidationErrors",
  "bookkeeping of the seller":
    "Payments/Date|Payments/Amount|Payments/PaymentID|Payments/Reference|Payments/CurrencyRate|Payments/HasAccount|CreditNotes/CreditNoteID|CreditNotes/CreditNoteNumber|CreditNotes/ID|CreditNotes/Date|CreditNotes/Total|CreditNotes/AppliedAmount|AmountDue|AmountPaid|AmountCredited|AppliedAmount|RemainingCredit|FullyPaidOnDate|CISDeduction|CISRate|" +
    "LineItems/Tracking/Name|LineItems/Tracking/Option|LineItems/Tracking/TrackingCategoryID|LineItems/Tracking/TrackingOptionID|LineItems/AccountID|LineItems/AccountCode|Allocations/AllocationID|Allocations/Date",
  "stated again by a field that is read":
    "DueDate|CurrencyRate|LineItems/DiscountEnteredAsPercent|TotalDiscount|Contact/ContactNumber|Contact/AccountNumber|Contact/ContactStatus|Contact/FirstName|Contact/LastName|Contact/IsCustomer|Contact/IsSupplier|Contact/UpdatedDateUTC|Contact/ContactID|Contact/Name|Contact/Addresses/AddressType|Contact/Addresses/AddressLine1|Contact/Addresses/City|Contact/Addresses/Region|Contact/Addresses/PostalCode|Contact/Addresses/Country|Contact/Phones/PhoneType|Contact/Phones/PhoneNumber|Contact/Phones/PhoneAreaCode|Contact/Phones/PhoneCountryCode|Contact/DefaultCurrency|Contact/HasAttachments|Contact/CompanyNumber|Contact/TaxNumber|Contact/EmailAddress"
}

const reasonOf = FieldRecord.reasons(harmless)

const foreign = "Give JSON as the API answers it (Accept: application/json); CSV files are read by the csv adapter"

const recordsIn = (
  file: Adapter.InputFile,
  fields?: FieldRecord.FieldRecord
): Stream.Stream<Record, Adapter.AdapterError> =>
  Stream.suspend(() => scanned({ adapter: name, file, scanner: new JsonScanner([""], envelope), foreign })).pipe(
    MapConcat.mapConcat((records) => records.flatMap((record) => recordsOf(record, file.name, fields)))
  )

/** The joined records may be in any file, before or after the documents. */
const survey = (files: ReadonlyArray<Adapter.InputFile>): Effect.Effect<Joins, Adapter.AdapterError> =>
  Effect.suspend(() => {
    const joins = new Joins()
    const inFile = (file: Adapter.InputFile) =>
      Effect.map(
        Stream.runForEachArray(recordsIn(file), (records) =>
          Effect.sync(() => records.forEach((record) => joins.add(record)))
        ),
        () => joins.endRows()
      )
    return Effect.as(Effect.forEach(files, inFile, { discard: true }), joins)
  })

const defined = defineAdapter<typeof XeroLikeOptions.fields, Readings>({
  name,
  harmless,
  options: XeroLikeOptions.fields,
  join: (files, { options }) => Effect.map(survey(files), (joins) => new Readings({ joins, options })),
  read: (file, { joined: readings }) =>
    Stream.suspend(() => {
      const fields = new FieldRecord.FieldRecord()
      return Stream.concat(
        MapConcat.mapConcat((record: Record) => readings.next(record))(recordsIn(file, fields)),
        Stream.suspend(() => {
          const last = readings.flush()
          return Stream.fromIterable([
            ...last,
            ...[FieldRecord.finding(fields, file.name, reasonOf)].flatMap((one) => one ?? [])
          ])
        })
      )
    })
})

/**
 * Reads the files of one export, including contact, tax-rate and payment files in any order. Reads
 * every file twice. The endings are those to look for in a folder: a named file may have any.
 */
export const adapter: KitAdapter<XeroLikeOptions & KitOptions> & {
  readonly alongside: { readonly [flag: string]: string }
} = {
  ...defined,
  extensions: [".json", ".jsonl", ".ndjson"],
  alongside: { contacts: "a file of contacts, joined to the documents by ContactID" },
  writeRefused
}
