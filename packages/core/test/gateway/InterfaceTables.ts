/**
 * Tables of the gateway's contract (docs/gateway.md#resources) as data: everything that the client
 * must cover.
 */

export type Type = "integer" | "string" | "boolean" | "date-time" | "decimal" | "object" | "array" | "any" | "json"

export interface Field {
  readonly name: string
  readonly type: Type
  readonly nullable?: true
}

const fields = (type: Type, ...names: ReadonlyArray<string>): ReadonlyArray<Field> =>
  names.map((name) => (name.endsWith("?") ? { name: name.slice(0, -1), type, nullable: true } : { name, type }))

/** Resources of answers. */
export const answered = {
  Profile: [...fields("integer", "Id"), ...fields("string", "FullName", "Username", "Email", "FiscalProvider")],
  FiscalDevice: [
    ...fields("integer", "Id", "DeviceId"),
    ...fields("string", "SerialNo", "ModelName", "ModelVersion", "ActivationKey", "TIN", "BPNumber"),
    ...fields("string", "TaxpayerName", "TradeName", "VATNumber"),
    ...fields("date-time", "ActivatedOn", "NextPingTime", "ExpireCreditNoteWithNoInvoice", "ExpireCsvUpload"),
    ...fields("json", "CurrentConfig"),
    ...fields("boolean", "IsActive", "IsLive", "IsSwitchedOn", "AllowCsvUpload", "AllowCreditNoteWithNoInvoice"),
    ...fields("integer", "BillingStatus", "BillingIdType", "FiscalProviderId", "BillingPlanLevel"),
    ...fields("boolean", "IsAutoPayPreferred")
  ],
  DeviceConfig: [
    ...fields("string", "taxPayerName", "taxPayerTIN", "vatNumber", "deviceSerialNo", "deviceBranchName"),
    ...fields("string", "deviceOperatingMode"),
    ...fields("integer", "taxPayerDayMaxHrs", "taxPayerDayEndNotificationHrs"),
    ...fields("array", "applicableTaxes")
  ],
  ApplicableTax: [...fields("integer", "taxId"), ...fields("decimal", "taxPercent"), ...fields("string", "taxName")],
  Subscription: [
    ...fields("integer", "Id", "DeviceId"),
    ...fields("string", "BillingSubscriptionId", "CustomerName", "Status", "BillingPeriodUnit", "BillingPlanName"),
    ...fields("date-time", "ExpiresOn", "AmountDueSince?", "LastUpdatedOn"),
    ...fields("decimal", "AmountDue", "Price"),
    ...fields("boolean", "IsDeleted"),
    ...fields("array", "SubscriptionItems")
  ],
  SubscriptionItem: fields("integer", "Id", "SubscriptionId", "SubscriptionType", "Quantity"),
  TaxMapping: [...fields("integer", "Id", "UserId", "DestinationTaxId"), ...fields("string", "TaxCode", "TaxName")],
  CurrencyMapping: [
    ...fields("integer", "Id", "UserId", "RegulatorDeviceId"),
    ...fields("string", "SourceCurrency", "DestinationCurrency")
  ],
  "Z-Report": [
    ...fields("date-time", "OpenedAt", "ClosedAt"),
    ...fields("integer", "FiscalDayNumber"),
    ...fields("array", "Summaries"),
    ...fields("string", "Message"),
    ...fields("boolean", "IsSuccess")
  ],
  "Z-Report Summary": [
    ...fields("string", "CounterType", "Currency", "PaymentMethod?"),
    ...fields("decimal", "TaxPercent?", "Amount"),
    ...fields("integer", "TaxID?")
  ],
  "Paged result": [...fields("array", "Items"), ...fields("integer", "TotalItemCount", "Page", "PageSize")],
  StatusRequest: [
    ...fields("string", "RequestId", "FiscalInvoicePdf"),
    ...fields("boolean", "Success"),
    ...fields("object", "QrData"),
    ...fields("any", "Error?")
  ]
} as const satisfies { readonly [resource: string]: ReadonlyArray<Field> }

const documentFields = [
  "Reference",
  "IsDiscounted",
  "IsTaxInclusive",
  "BuyerContact",
  "Date",
  "LineItems",
  "PaymentMethod",
  "SubTotal",
  "TotalTax",
  "Total",
  "CurrencyCode",
  "IsRetry"
]

/** Resources of requests, by their fields. */
export const requested = {
  Invoice: ["InvoiceId", "InvoiceNumber", ...documentFields],
  CreditNote: ["CreditNoteId", "OriginalInvoiceId", "CreditNoteNumber", ...documentFields],
  BuyerContact: ["Name", "TradeName", "Tin", "VatNumber", "Phone", "Email", "Address"],
  Address: ["Province", "Street", "HouseNo", "City"],
  LineItem: [
    "Description",
    "UnitAmount",
    "TaxCode",
    "ProductCode",
    "LineAmount",
    "DiscountAmount",
    "Quantity",
    "CustomFields"
  ],
  "Add Tax Mapping": ["TaxCode", "TaxName", "DestinationTaxId"],
  "Add Currency Mapping": ["SourceCurrency", "DestinationCurrency"],
  "Update Currency Mapping": ["Id", "UserId", "SourceCurrency", "DestinationCurrency"]
} as const

/** Operations: name, method, and path if shown. */
export const endpoints: ReadonlyArray<readonly [name: string, method: string, path: string | null]> = [
  ["Get Profile", "GET", "/profile"],
  ["Get Fiscal Device", "GET", "/fiscaldevice"],
  ["Subscription", "GET", "/subscription"],
  ["Submit Invoice", "POST", "/invoice"],
  ["Submit Credit Note", "POST", "/creditnote"],
  ["Check Status", "POST", "/status"],
  ["Get Z-Reports", "GET", "/reports/z-report"],
  ["Get Specific Z-Report", "GET", "/reports/z-report/<id>"],
  ["Add Tax Mapping", "POST", "/taxmapping"],
  ["Add Currency Mapping", "POST", "/currencymapping"],
  ["Update Currency Mapping", "PUT", "/currencymapping/{id}"],
  ["Test", "POST", null],
  ["Download PDF", "GET", null],
  ["Download Z-report As PDF", "GET", null],
  ["Get All TaxMappings", "GET", null],
  ["Get Specific Tax Mapping", "GET", null],
  ["Update Tax Mapping", "PUT", null],
  ["Delete Tax Mapping", "DELETE", null],
  ["Supported Currencies", "GET", null],
  ["Get All CurrencyMappings", "GET", null],
  ["Get Specific Currency Mapping", "GET", null],
  ["Delete Currency Mapping", "DELETE", null]
]

export const headers = ["X-Api-Key", "X-Application", "X-App-Station", "X-App-Version"]

export const zReportParameters = ["since_day", "since_date", "size", "page", "order"]

/** Documented 404s, by operation. */
export const notFound = ["Get Fiscal Device", "Subscription", "Update Currency Mapping"]

export const limits = { idsPerStatusCall: 100, statusDays: 7, zReportsWithoutQuery: 100 }
