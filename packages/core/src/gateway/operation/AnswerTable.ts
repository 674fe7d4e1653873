/**
 * Law of every field of every answer: the decision that depends on it, and what follows if it is
 * absent, unreadable or of an unknown value. Answers are decoded by this table,
 * docs/gateway.md#answers is generated from it, and the proof `answers` checks the connector
 * against it.
 */
import { Effect, Option, Redacted, Result, Schema, SchemaIssue, SchemaTransformation } from "effect"
import * as CivilDate from "../../document/CivilDate.ts"
import { CurrencyCode, TaxCode } from "../../document/Identifiers.ts"
import * as Money from "../../document/Money.ts"
import {
  type AnswerRecord,
  asWritten,
  type Decode,
  decides,
  type FieldTable,
  isFields,
  list,
  nobody,
  record,
  type RecordOf,
  text,
  value,
  WholeNumber
} from "../exchange/AnswerRecord.ts"
import { AnswerDateTime, civilDate, read as readDateTime } from "./LocalDateTime.ts"

const whole = value(WholeNumber)
const flag = value(Schema.Boolean)
const decimal = value(Money.Decimal)
const amount = value(Money.Amount)
const dateTime = value(AnswerDateTime)
/** The value is Redacted, so that no part of it can be shown. */
const secret: Decode<Redacted.Redacted<string>> = (wire) =>
  Result.succeed({ value: Redacted.make(typeof wire === "string" ? wire : JSON.stringify(wire)), misfits: [] })

/**
 * A date, or a date-time on its own wall clock. The year 1, which gateways write for "not set",
 * reads as null.
 */
const day = value(
  Schema.String.pipe(
    Schema.decodeTo(
      Schema.NullOr(CivilDate.CivilDate),
      SchemaTransformation.transformEffect<string | null, string>({
        decode: (text) =>
          Effect.mapBoth(Effect.fromOption(readDateTime(text)), {
            onFailure: () => new SchemaIssue.InvalidValue({ expected: "a date or a date-time" }),
            onSuccess: (value) => Option.getOrNull(civilDate(value))
          }),
        encode: (day) => Effect.succeed(day ?? "0001-01-01")
      })
    )
  )
)

/** At least four figures, so that a word or an HTML page is not accepted. */
const officialNumber: Decode<string> = (wire) =>
  Result.flatMap(text(wire), (read) =>
    /^(?=(?:\D*\d){4})[\w ./-]{4,40}$/.test(read.value)
      ? Result.succeed(read)
      : Result.fail("expected a number of at least 4 figures")
  )

/** Accepts any value. Items of `status` read these fields by separate rules. */
const anything = value(Schema.Unknown)

/** The user whose key is used (docs/gateway.md#profile). */
export const Profile = record({
  id: nobody(whole),
  fullName: nobody(text),
  username: nobody(text),
  email: nobody(text),
  fiscalProvider: nobody(text)
})

const aTax = (taken: string | null) =>
  ({ by: "whether the tax is valid (RCPT025)", absent: "null", unreadable: "documents", taken }) as const

/**
 * A tax of the device. `taxPercent` is 15 for 15 %; null means exempt, which is not 0 (DOC-7,
 * DOC-12).
 */
export const ApplicableTax = record(
  {
    taxId: decides(
      whole,
      { by: "which tax it is (RCPT025)", absent: "row", unreadable: "row", beyond: "documents" },
      "taxId",
      "taxID"
    ),
    taxPercent: decides(decimal, aTax("exempt (DOC-12)")),
    taxName: nobody(text),
    /**
     * First and last day on which the tax is valid, both included. Null if the device sets no limit
     * (DOC-12).
     */
    taxValidFrom: decides(day, { ...aTax("no limit (DOC-12)"), absent: "not-applied" }),
    taxValidTill: decides(day, { ...aTax("no limit (DOC-12)"), absent: "not-applied" })
  },
  asWritten
)

/**
 * Configuration of the device. `vatNumber` is null if the taxpayer is not registered for VAT
 * (DOC-12). The length of a day is in hours.
 */
export const DeviceConfig = record(
  {
    taxPayerName: nobody(text),
    taxPayerTIN: nobody(text),
    vatNumber: decides(officialNumber, {
      by: "whether taxes above 0 % may be charged (RCPT021)",
      absent: "not-applied",
      unreadable: "documents",
      taken: "not registered for VAT (DOC-12): taxes above 0 % are refused"
    }),
    deviceSerialNo: nobody(text),
    deviceBranchName: nobody(text),
    deviceOperatingMode: nobody(text),
    taxPayerDayMaxHrs: decides(whole, {
      by: "how many documents will be marked (RCPT041); warns only",
      absent: "null",
      unreadable: "null"
    }),
    taxPayerDayEndNotificationHrs: nobody(whole),
    applicableTaxes: decides(list(ApplicableTax.decode), {
      by: "which taxes may be sent (RCPT025)",
      absent: "asked",
      unreadable: "documents"
    })
  },
  asWritten
)

const configNames = new Set(DeviceConfig.spellings.flatMap(({ names }) => names.map((name) => name.toLowerCase())))
const isConfig = (fields: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(fields).some((name) => configNames.has(name.toLowerCase()))

/**
 * Text that contains JSON, and an object around the configuration, as published clients unwrap
 * (SHAPE-1).
 */
const unwrapped = (wire: unknown, depth = 4): unknown => {
  if (typeof wire === "string" && depth > 0) {
    const parsed = Money.parseJson(wire)
    return Result.isSuccess(parsed) ? unwrapped(parsed.success, depth - 1) : wire
  }
  if (!isFields(wire) || isConfig(wire) || depth === 0) return wire
  const inside = Object.values(wire)
    .filter((each) => typeof each === "string" || isFields(each))
    .map((each) => unwrapped(each, depth - 1))
    .filter((each) => isFields(each) && isConfig(each))
  return inside.length === 1 ? inside[0] : wire
}

const currentConfig: Decode<RecordOf<(typeof DeviceConfig)["table"]>> = (wire) => {
  const inner = unwrapped(wire)
  if (!isFields(inner)) return Result.fail("expected a text that holds a JSON object")
  return isConfig(inner) || Object.keys(inner).length === 0
    ? DeviceConfig.decode(inner)
    : Result.fail("expected a configuration with taxes")
}

const everything = (by: string) => ({ by, absent: "answer", unreadable: "answer" }) as const
const permission = (by: string, taken: string) => ({ by, absent: "null", unreadable: "documents", taken }) as const

const backDated = "whether a historical batch is permitted (HIST-1)"
const alone = "whether a credit note without an invoice is permitted (RCPT015)"

/**
 * The fiscal device. Fields that decide whether anything may be sent (ids, flags) must be present;
 * other fields are null if the gateway leaves them out. `activationKey` is secret-like and
 * therefore Redacted.
 */
export const FiscalDevice = record({
  id: nobody(whole),
  deviceId: decides(whole, everything("which lane the account feeds, and its pin")),
  serialNo: decides(text, {
    by: "whether the device was replaced",
    absent: "null",
    unreadable: "null",
    taken: "the serial number of the pin"
  }),
  modelName: nobody(text),
  modelVersion: nobody(text),
  activationKey: nobody(secret),
  tin: decides(
    text,
    {
      by: "whose numbers are used (RCPT013)",
      absent: "null",
      unreadable: "null",
      taken: "the taxpayer of the pin; without one `taxPayerTIN`, else the device"
    },
    "TIN"
  ),
  bpNumber: nobody(text, "BPNumber"),
  taxpayerName: nobody(text),
  tradeName: nobody(text),
  vatNumber: nobody(text, "VATNumber"),
  activatedOn: nobody(dateTime),
  currentConfig: decides(currentConfig, {
    by: "which taxes may be sent (RCPT025), and VAT (RCPT021)",
    absent: "asked",
    unreadable: "documents"
  }),
  isActive: decides(flag, everything("whether the device takes receipts (DEV01)")),
  isLive: decides(flag, everything("whether its receipts are taxed")),
  nextPingTime: nobody(dateTime),
  isSwitchedOn: decides(flag, everything("whether the device takes receipts (DEV01)")),
  allowCsvUpload: decides(flag, permission(backDated, "not permitted")),
  allowCreditNoteWithNoInvoice: decides(flag, permission(alone, "not permitted")),
  expireCreditNoteWithNoInvoice: decides(dateTime, permission(alone, "no end")),
  billingStatus: nobody(whole),
  billingIdType: nobody(whole),
  isAutoPayPreferred: nobody(flag),
  expireCsvUpload: decides(dateTime, permission(backDated, "no end")),
  fiscalProviderId: nobody(whole),
  billingPlanLevel: nobody(whole)
})

export const SubscriptionItem = record({
  id: nobody(whole),
  subscriptionId: nobody(whole),
  subscriptionType: nobody(whole),
  quantity: nobody(whole)
})

/** Billing subscription of the device. `status` is an open enumeration (SUB-1). */
export const Subscription = record({
  id: nobody(whole),
  billingSubscriptionId: nobody(text),
  customerName: nobody(text),
  deviceId: nobody(whole),
  expiresOn: nobody(dateTime),
  status: decides(value(Schema.NonEmptyString), {
    ...everything("whether the device takes receipts (SUB-1)"),
    unknown: "warns; stops where the switch SUB-1 says so"
  }),
  amountDue: nobody(amount),
  isDeleted: decides(flag, {
    by: "whether the device takes receipts (SUB-1)",
    absent: "null",
    unreadable: "answer",
    taken: "not deleted"
  }),
  amountDueSince: nobody(dateTime),
  lastUpdatedOn: nobody(dateTime),
  billingPeriodUnit: nobody(text),
  price: nobody(amount),
  billingPlanName: nobody(text),
  subscriptionItems: nobody(list(SubscriptionItem.decode))
})

const aRow = (by: string) => ({ by, absent: "row", unreadable: "row" }) as const
const aMapping = { ...aRow("what the gateway maps a code of a document to"), beyond: "documents" } as const

/**
 * Mapping of a tax code. `destinationTaxId` is the device's tax id and may be named RegulatorTaxId
 * (DOC-13). A mapping without an `id` cannot be changed.
 */
export const TaxMapping = record({
  id: nobody(whole),
  userId: nobody(whole),
  taxCode: decides(value(TaxCode), aMapping),
  taxName: nobody(text),
  destinationTaxId: decides(whole, aMapping, "DestinationTaxId", "RegulatorTaxId")
})

/**
 * Mapping of a currency code. `regulatorDeviceId` is assigned by the gateway and appears in the
 * answer to an addition. A mapping without an `id` cannot be changed.
 */
export const CurrencyMapping = record({
  id: nobody(whole),
  userId: nobody(whole),
  regulatorDeviceId: nobody(whole),
  sourceCurrency: decides(value(CurrencyCode), aMapping),
  destinationCurrency: decides(value(Schema.NonEmptyString), aMapping)
})

/** Null if the code itself cannot be read. */
const codeBy =
  <Table extends FieldTable>({ decode }: AnswerRecord<Table>, code: keyof Table) =>
  (row: unknown): string | null =>
    Result.match(decode(row), { onFailure: () => null, onSuccess: ({ value }) => String(value[code]) })

export const codeOfTaxMapping = codeBy(record({ taxCode: TaxMapping.table.taxCode }), "taxCode")
export const codeOfCurrencyMapping = codeBy(
  record({ sourceCurrency: CurrencyMapping.table.sourceCurrency }),
  "sourceCurrency"
)

export const SupportedCurrency = value(Schema.NonEmptyString)

const proof = (by: string) => ({ by, absent: "null", unreadable: "null" }) as const

/** Proof of fiscalization (HOOK-2). */
export const QrData = record({
  qrCodeUrl: nobody(anything),
  verificationCode: decides(anything, proof("whether two proofs are of one receipt; warns only")),
  fiscalDay: decides(anything, proof("whether the last close is asked for again")),
  deviceId: decides(anything, proof("whether the receipt is of another device")),
  invoiceNumber: nobody(anything)
})

/**
 * One result with one of three values (STAT-1). An item that does not fit leaves its document
 * waiting, and the poll reports the item.
 */
export const StatusItem = record({
  requestId: decides(anything, { ...aRow("which document it is of"), beyond: "waits" }),
  success: decides(anything, {
    by: "the outcome of the document",
    absent: "null",
    unreadable: "row",
    beyond: "waits",
    taken: "still pending (STAT-1)"
  }),
  isActionable: decides(anything, {
    by: "whether a corrected document may be sent",
    absent: "null",
    unreadable: "null",
    taken: "what the switch STAT-2 says"
  }),
  qrData: decides(anything, proof("whether the receipt is of another device")),
  error: decides(anything, {
    by: "whether a failure is a rejection",
    absent: "null",
    unreadable: "null",
    taken: "still pending (STAT-1)"
  }),
  fiscalInvoicePdf: nobody(anything)
})

const close = (by: string) => ({ by, absent: "null", unreadable: "documents" }) as const

/**
 * One counter. `amount` is in `currency`. `taxPercent` is 15 for 15 %, null if the counter has no
 * tax or is exempt.
 */
export const ZReportSummary = record({
  counterType: decides(text, aRow("the comparison of a day with what was sent; warns only")),
  currency: nobody(text),
  taxPercent: nobody(decimal),
  taxId: nobody(whole, "TaxID", "TaxId"),
  paymentMethod: nobody(text),
  amount: decides(amount, aRow("the comparison of a day with what was sent; warns only"))
})

/**
 * A fiscal day that was closed, or that could not be closed: then `isSuccess` is false and
 * `message` gives the reason. The list leaves out the summaries. The single report names its
 * opening DateOpenedAt and may have no `closedAt` (ZREP-2).
 */
export const ZReport = record({
  openedAt: nobody(dateTime, "OpenedAt", "DateOpenedAt"),
  closedAt: decides(dateTime, {
    ...close("which dates are behind the last close (RCPT014)"),
    taken: "not known, where the day was closed"
  }),
  fiscalDayNumber: nobody(whole),
  summaries: nobody(list(ZReportSummary.decode)),
  message: nobody(text),
  isSuccess: decides(flag, {
    ...close("which dates are behind the last close (RCPT014)"),
    taken: "not known"
  })
})

/** One page of a list. `page` counts from 1 (ZREP-1). */
export const ZReportPage = record({
  items: decides(list(ZReport.decode), {
    by: "which dates are behind the last close (RCPT014)",
    absent: "answer",
    unreadable: "answer",
    beyond: "documents"
  }),
  totalItemCount: nobody(whole),
  page: nobody(whole),
  pageSize: nobody(whole)
})
