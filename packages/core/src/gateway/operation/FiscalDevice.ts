/** The fiscal device attached to the account, with the configuration it was given (docs/gateway.md#fiscaldevice, #deviceconfig). */
import { Effect, Option, Schema, SchemaIssue, SchemaTransformation } from "effect"
import * as CivilDate from "../../document/CivilDate.ts"
import * as Money from "../../document/Money.ts"
import { asWritten, nullable, record, UnknownFields, WholeNumber } from "../exchange/AnswerRecord.ts"
import { type Calls, decoding, readJson } from "../exchange/Calls.ts"
import { AnswerDateTime, civilDate } from "./LocalDateTime.ts"

const decodeDateTime = Schema.decodeOption(AnswerDateTime)

/** A day, from a date or a date-time on its own wall clock; what gateways write for "not set" (the year 1) reads as null. */
const Day = Schema.String.pipe(
  Schema.decodeTo(
    Schema.NullOr(CivilDate.CivilDate),
    SchemaTransformation.transformEffect<string | null, string>({
      decode: (text) =>
        Effect.mapBoth(
          Effect.fromOption(decodeDateTime(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00` : text)),
          {
            onFailure: () => new SchemaIssue.InvalidValue({ expected: "a date or a date-time" }),
            onSuccess: (value) => Option.getOrNull(civilDate(value))
          }
        ),
      encode: (day) => Effect.succeed(day ?? "0001-01-01")
    })
  )
)

/** A tax of the device. `taxPercent` is 15 for 15 %; null is exempt, which is not 0 (DOC-7, DOC-12). */
export const ApplicableTax = record(
  {
    taxId: WholeNumber,
    taxPercent: nullable(Money.Decimal),
    taxName: nullable(Schema.String),
    /** First and last day on which the tax is valid, both included; null where the device sets no limit (DOC-12). */
    taxValidFrom: nullable(Day),
    taxValidTill: nullable(Day)
  },
  { taxId: ["taxId", "taxID"] },
  asWritten
)
export interface ApplicableTax extends Schema.Schema.Type<typeof ApplicableTax> {}

/** `vatNumber` is null when the taxpayer is not registered for VAT (DOC-12); a day's length is in hours. */
export const DeviceConfig = record(
  {
    taxPayerName: nullable(Schema.String),
    taxPayerTIN: nullable(Schema.String),
    vatNumber: nullable(Schema.String),
    deviceSerialNo: nullable(Schema.String),
    deviceBranchName: nullable(Schema.String),
    deviceOperatingMode: nullable(Schema.String),
    taxPayerDayMaxHrs: nullable(WholeNumber),
    taxPayerDayEndNotificationHrs: nullable(WholeNumber),
    applicableTaxes: Schema.Array(ApplicableTax).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
  },
  {},
  asWritten
)
export interface DeviceConfig extends Schema.Schema.Type<typeof DeviceConfig> {}

/** CurrentConfig: a string that itself holds a JSON document, its numbers exact. */
const CurrentConfig = Schema.String.pipe(
  Schema.decodeTo(
    Schema.Unknown,
    SchemaTransformation.transformEffect({
      decode: (text) =>
        Effect.mapError(
          Effect.fromResult(Money.parseJson(text)),
          () => new SchemaIssue.InvalidValue({ expected: "a string that holds JSON" })
        ),
      encode: (config) => Effect.succeed(JSON.stringify(config))
    })
  ),
  Schema.decodeTo(UnknownFields),
  Schema.decodeTo(DeviceConfig)
)

/**
 * What decides whether anything may be sent (ids, flags) must be there; the rest is null where the gateway leaves it out.
 * `activationKey` is secret-like and therefore Redacted.
 */
export const FiscalDevice = record(
  {
    id: WholeNumber,
    deviceId: WholeNumber,
    serialNo: nullable(Schema.String),
    modelName: nullable(Schema.String),
    modelVersion: nullable(Schema.String),
    activationKey: nullable(Schema.RedactedFromValue(Schema.String)),
    tin: nullable(Schema.String),
    bpNumber: nullable(Schema.String),
    taxpayerName: nullable(Schema.String),
    tradeName: nullable(Schema.String),
    vatNumber: nullable(Schema.String),
    activatedOn: nullable(AnswerDateTime),
    currentConfig: nullable(CurrentConfig),
    isActive: Schema.Boolean,
    isLive: Schema.Boolean,
    nextPingTime: nullable(AnswerDateTime),
    isSwitchedOn: Schema.Boolean,
    allowCsvUpload: nullable(Schema.Boolean),
    allowCreditNoteWithNoInvoice: nullable(Schema.Boolean),
    expireCreditNoteWithNoInvoice: nullable(AnswerDateTime),
    billingStatus: nullable(WholeNumber),
    billingIdType: nullable(WholeNumber),
    isAutoPayPreferred: nullable(Schema.Boolean),
    expireCsvUpload: nullable(AnswerDateTime),
    fiscalProviderId: nullable(WholeNumber),
    billingPlanLevel: nullable(WholeNumber)
  },
  { tin: "TIN", bpNumber: "BPNumber", vatNumber: "VATNumber" }
)
export interface FiscalDevice extends Schema.Schema.Type<typeof FiscalDevice> {}

const answer = readJson(decoding(FiscalDevice))

/** This operation over the calls of one account. */
export const operations = (calls: Calls) => ({ fiscalDevice: calls.read({ operation: "fiscalDevice" }, answer) })
