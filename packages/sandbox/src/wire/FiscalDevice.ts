/** Device of an account; `CurrentConfig` is a string that holds a JSON document (DOC-12). */
import * as Schema from "effect/Schema"
import type { DeviceConfig } from "../DeviceConfig.ts"
import * as ExactJson from "./ExactJson.ts"

export const FiscalDevice = Schema.Struct({
  Id: Schema.Int,
  DeviceId: Schema.Int,
  SerialNo: Schema.String,
  ModelName: Schema.String,
  ModelVersion: Schema.String,
  ActivationKey: Schema.String,
  TIN: Schema.String,
  BPNumber: Schema.String,
  TaxpayerName: Schema.String,
  TradeName: Schema.String,
  VATNumber: Schema.NullOr(Schema.String),
  ActivatedOn: Schema.String,
  CurrentConfig: Schema.String,
  IsActive: Schema.Boolean,
  IsLive: Schema.Boolean,
  NextPingTime: Schema.String,
  IsSwitchedOn: Schema.Boolean,
  AllowCsvUpload: Schema.Boolean,
  AllowCreditNoteWithNoInvoice: Schema.Boolean,
  ExpireCreditNoteWithNoInvoice: Schema.String,
  BillingStatus: Schema.Int,
  BillingIdType: Schema.Int,
  IsAutoPayPreferred: Schema.Boolean,
  ExpireCsvUpload: Schema.String,
  FiscalProviderId: Schema.Int,
  BillingPlanLevel: Schema.Int
}).annotate({ identifier: "FiscalDevice" })

const currentConfig = (config: DeviceConfig): string =>
  ExactJson.print({
    taxPayerName: config.taxpayerName,
    taxPayerTIN: config.tin,
    vatNumber: config.vatNumber ?? undefined,
    deviceSerialNo: config.serialNo,
    deviceBranchName: config.deviceBranchName,
    deviceOperatingMode: config.deviceOperatingMode,
    taxPayerDayMaxHrs: config.taxPayerDayMaxHrs,
    taxPayerDayEndNotificationHrs: config.taxPayerDayEndNotificationHrs,
    applicableTaxes: config.taxes.map(({ taxId, ...tax }) => ({ [config.taxIdField]: taxId, ...tax }))
  })

export const of = (config: DeviceConfig, nextPing: string): typeof FiscalDevice.Type => ({
  Id: config.id ?? config.deviceId,
  DeviceId: config.deviceId,
  SerialNo: config.serialNo,
  ModelName: config.modelName,
  ModelVersion: config.modelVersion,
  ActivationKey: config.activationKey,
  TIN: config.tin,
  BPNumber: config.bpNumber,
  TaxpayerName: config.taxpayerName,
  TradeName: config.tradeName,
  VATNumber: config.vatNumber,
  ActivatedOn: config.activatedOn,
  CurrentConfig: currentConfig(config),
  IsActive: config.isActive,
  IsLive: config.isLive,
  NextPingTime: nextPing,
  IsSwitchedOn: config.isSwitchedOn,
  AllowCsvUpload: config.allowCsvUpload,
  AllowCreditNoteWithNoInvoice: config.allowCreditNoteWithNoInvoice,
  ExpireCreditNoteWithNoInvoice: config.expireCreditNoteWithNoInvoice,
  BillingStatus: config.billingStatus,
  BillingIdType: config.billingIdType,
  IsAutoPayPreferred: config.isAutoPayPreferred,
  ExpireCsvUpload: config.expireCsvUpload,
  FiscalProviderId: config.fiscalProviderId,
  BillingPlanLevel: config.billingPlanLevel
})
