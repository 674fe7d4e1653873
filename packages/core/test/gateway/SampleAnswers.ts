/**
 * Valid answer of every operation: the fields of the contract's tables (docs/gateway.md#resources),
 * in the contract's spelling.
 */
import { Result } from "effect"
import type { FiscalDevice } from "../../src/gateway/operation/FiscalDevice.ts"
import * as AnswerTable from "../../src/gateway/operation/AnswerTable.ts"

/** Returns a device as the client reads it. */
export const deviceAnswered = (wire: unknown): FiscalDevice => {
  const read = AnswerTable.FiscalDevice.decode(wire)
  if (Result.isFailure(read)) throw new TypeError(read.failure)
  return read.success.value
}

export const profile = {
  Id: 41,
  FullName: "Rudo Moyo",
  Username: "rudo",
  Email: "rudo@shop.example",
  FiscalProvider: "7d0f7f52-0b0e-4c43-9b3a-0b6f9a1f2c11"
}

export const deviceConfig = {
  taxPayerName: "Shop Ltd",
  taxPayerTIN: "2000123456",
  vatNumber: "220012345",
  deviceSerialNo: "SN-1",
  deviceBranchName: "Harbour",
  deviceOperatingMode: "Offline",
  taxPayerDayMaxHrs: 24,
  taxPayerDayEndNotificationHrs: 2,
  applicableTaxes: [
    {
      taxId: 1,
      taxPercent: 15,
      taxName: "Standard 15%",
      taxValidFrom: "2020-01-01T00:00:00",
      taxValidTill: "2025-12-31"
    },
    { taxID: 515, taxPercent: 15.5, taxName: "Standard 15.5%", taxValidFrom: "2026-01-01" },
    { taxId: 2, taxPercent: 0, taxName: "Zero rated" },
    { taxId: 3, taxName: "Exempt" }
  ]
}

export const fiscalDevice = {
  Id: 5,
  DeviceId: 12345,
  SerialNo: "SN-1",
  ModelName: "Server",
  ModelVersion: "v1",
  ActivationKey: "activation-PLANTED-55aa",
  TIN: "2000123456",
  BPNumber: "0100012345",
  TaxpayerName: "Shop Ltd",
  TradeName: "Shop",
  VATNumber: "220012345",
  ActivatedOn: "2024-01-02T03:04:05.6789",
  CurrentConfig: JSON.stringify(deviceConfig),
  IsActive: true,
  IsLive: false,
  NextPingTime: "2026-02-03T04:05:06",
  IsSwitchedOn: true,
  AllowCsvUpload: true,
  AllowCreditNoteWithNoInvoice: false,
  ExpireCreditNoteWithNoInvoice: "2026-03-01T00:00:00",
  BillingStatus: 1,
  BillingIdType: 2,
  IsAutoPayPreferred: false,
  ExpireCsvUpload: "2026-04-01T00:00:00",
  FiscalProviderId: 1,
  BillingPlanLevel: 3
}

export const subscription = {
  Id: 8,
  BillingSubscriptionId: "sub-8",
  CustomerName: "Shop Ltd",
  DeviceId: 12345,
  ExpiresOn: "2027-01-01T00:00:00",
  Status: "active",
  AmountDue: 0.1,
  IsDeleted: false,
  AmountDueSince: null,
  LastUpdatedOn: "2026-01-01T00:00:00",
  BillingPeriodUnit: "month",
  Price: 25.5,
  BillingPlanName: "Standard",
  SubscriptionItems: [{ Id: 1, SubscriptionId: 8, SubscriptionType: 2, Quantity: 1 }]
}

export const taxMapping = { Id: 7, UserId: 41, TaxCode: "VAT15", TaxName: "VAT 15 %", DestinationTaxId: 1 }

export const currencyMapping = {
  Id: 9,
  UserId: 41,
  RegulatorDeviceId: 12345,
  SourceCurrency: "USD",
  DestinationCurrency: "USD"
}

export const statusFiscalized = {
  RequestId: "r-1",
  Success: true,
  IsActionable: false,
  QrData: {
    QrCodeUrl: "https://receipts.example/r-1",
    VerificationCode: "ABCD-1234",
    FiscalDay: 41,
    DeviceId: 12345,
    InvoiceNumber: 1001
  },
  Error: null,
  FiscalInvoicePdf: "r-1.pdf"
}

export const statusRejected = {
  RequestId: "r-2",
  Success: false,
  IsActionable: true,
  QrData: null,
  Error: "RCPT025: the tax is not valid on this date",
  FiscalInvoicePdf: null
}

export const statusPending = { RequestId: "r-3", Success: false, QrData: null, Error: null, FiscalInvoicePdf: null }

export const zReportListed = {
  OpenedAt: "2026-02-03T08:00:00",
  ClosedAt: "2026-02-03T20:00:00",
  FiscalDayNumber: 41,
  Summaries: [],
  Message: "",
  IsSuccess: true
}

export const zReportPage = { Items: [zReportListed], TotalItemCount: 1, Page: 1, PageSize: 100 }

export const zReport = {
  DateOpenedAt: "2026-02-03T08:00:00",
  FiscalDayNumber: 41,
  Summaries: [
    { CounterType: "Sale", Currency: "USD", TaxPercent: 15, TaxID: 1, PaymentMethod: null, Amount: 115.5 },
    { CounterType: "SaleTax", Currency: "USD", TaxPercent: 15, TaxID: 1, PaymentMethod: null, Amount: 15.07 },
    { CounterType: "Balance", Currency: "USD", TaxPercent: null, TaxID: null, PaymentMethod: "Cash", Amount: 115.5 }
  ],
  Message: "",
  IsSuccess: true
}
