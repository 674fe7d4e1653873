/** Answers of `/fiscaldevice` and `/subscription`, and settings of the receipt rules. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as Decimal from "./wire/Decimal.ts"
import * as Zone from "./wire/Zone.ts"
import { byDefault } from "./Default.ts"

const text = (standard: string) => Schema.String.pipe(byDefault(standard))
const integer = (standard: number) => Schema.Int.pipe(byDefault(standard))
const flag = (standard: boolean) => Schema.Boolean.pipe(byDefault(standard))

/** Decimal in a configuration: a string, or a number read as its shortest text. */
const Amount = Schema.Union([Schema.String, Schema.Finite]).pipe(
  Schema.decodeTo(
    Schema.BigDecimal,
    SchemaTransformation.transformEffect({
      decode: (value) =>
        Effect.mapError(
          Effect.fromOption(Decimal.fromText(String(value))),
          () => new SchemaIssue.InvalidValue({ expected: "a decimal such as 15.5" })
        ),
      encode: (decimal) => Effect.succeed(Decimal.toText(decimal))
    })
  )
)

/** Civil date or date-time in the device's zone, without offset. */
export const Civil = Schema.String.check(
  Schema.makeFilter(
    (value) =>
      Zone.instant(Zone.Zone.make("+00:00"), value) !== undefined || "expected a date or date-time without offset"
  )
)

/**
 * Tax of the device. `taxPercent` is a percentage (15 for 15 %); absent for an exempt tax (DOC-7,
 * DOC-12). Validity is inclusive on both ends, in the device's zone.
 */
export const ApplicableTax = Schema.Struct({
  taxId: Schema.Int,
  taxPercent: Schema.optionalKey(Amount),
  taxName: Schema.String,
  taxValidFrom: Schema.optionalKey(Civil),
  taxValidTill: Schema.optionalKey(Civil)
})
export type ApplicableTax = typeof ApplicableTax.Type

/**
 * Billing subscription of a device. Amounts are plain decimals; date-times are civil, in the
 * device's zone.
 */
export const SubscriptionConfig = Schema.Struct({
  status: text("active"),
  expiresOn: Civil.pipe(byDefault("2099-12-31T23:59:59")),
  amountDue: Amount.pipe(byDefault("0.00")),
  amountDueSince: Schema.NullOr(Civil).pipe(byDefault(null)),
  price: Amount.pipe(byDefault("10.00")),
  billingPlanName: text("Standard"),
  billingPeriodUnit: text("month"),
  customerName: text("Sandbox Trading")
})
export type SubscriptionConfig = typeof SubscriptionConfig.Type

/**
 * Configuration of a device.
 * - `vatNumber: null`: the taxpayer is not registered for VAT (RCPT021).
 * - `taxes`: by default 15 % until 2025-12-31 and 15.5 % from then on, 0 %, and exempt.
 * - `isActive`, `isSwitchedOn`, `taxpayerStatus`: if any of these is off or inactive, every receipt
 *   fails (DEV0n).
 * - `taxTolerance`: permitted difference between a stated tax and the device's own (DOC-7), in the
 *   receipt's currency; 0 by default.
 * - `clockToleranceSeconds`: permitted distance of a receipt date into the future (RCPT031); 0 by
 *   default.
 * - `taxPayerDayMaxHrs`: maximum length of a fiscal day in hours (RCPT041).
 * - `taxIdField`: spelling of a tax's identifier in CurrentConfig; `taxId` by default, as
 *   documented (DOC-12).
 * - `subscription: null`: the subscription is unavailable (404).
 */
export const DeviceConfig = Schema.Struct({
  deviceId: Schema.Int,
  id: Schema.optionalKey(Schema.Int),
  serialNo: text("SBX-0001"),
  modelName: text("Sandbox"),
  modelVersion: text("1.0"),
  activationKey: text("00000000"),
  tin: text("2000000001"),
  bpNumber: text("0200000001"),
  taxpayerName: text("Sandbox Trading (Private) Limited"),
  tradeName: text("Sandbox Trading"),
  vatNumber: Schema.NullOr(Schema.String).pipe(byDefault("220000001")),
  deviceBranchName: text("Main branch"),
  deviceOperatingMode: text("Offline"),
  taxPayerDayMaxHrs: integer(24),
  taxPayerDayEndNotificationHrs: integer(2),
  zone: Zone.Zone.pipe(byDefault("+02:00")),
  activatedOn: Civil.pipe(byDefault("2020-01-01T08:00:00.000")),
  isActive: flag(true),
  isLive: flag(false),
  isSwitchedOn: flag(true),
  taxpayerStatus: Schema.Literals(["active", "inactive"]).pipe(byDefault("active")),
  allowCsvUpload: flag(false),
  expireCsvUpload: Civil.pipe(byDefault("2020-01-01T00:00:00")),
  allowCreditNoteWithNoInvoice: flag(false),
  expireCreditNoteWithNoInvoice: Civil.pipe(byDefault("2020-01-01T00:00:00")),
  billingStatus: integer(1),
  billingIdType: integer(1),
  isAutoPayPreferred: flag(false),
  fiscalProviderId: integer(1),
  billingPlanLevel: integer(1),
  taxTolerance: Amount.pipe(byDefault("0")),
  clockToleranceSeconds: integer(0),
  taxes: Schema.Array(ApplicableTax).pipe(
    byDefault([
      { taxId: 1, taxPercent: "15", taxName: "Standard rated 15%", taxValidTill: "2025-12-31" },
      { taxId: 515, taxPercent: "15.5", taxName: "Standard rated 15.5%", taxValidFrom: "2026-01-01" },
      { taxId: 2, taxPercent: "0", taxName: "Zero rated 0%" },
      { taxId: 3, taxName: "Exempt" }
    ])
  ),
  supportedCurrencies: Schema.Array(Schema.NonEmptyString).pipe(byDefault(["USD", "EUR", "GBP", "ZAR"])),
  taxIdField: Schema.Literals(["taxId", "taxID"]).pipe(byDefault("taxId")),
  subscription: Schema.NullOr(SubscriptionConfig).pipe(byDefault({}))
})
export type DeviceConfig = typeof DeviceConfig.Type
