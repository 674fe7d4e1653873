/**
 * The gateway's operations as data: one row per operation of the contract
 * (docs/gateway.md#operations), with method, path and meaning of a 404.
 */
import type { GatewayErrorReason } from "./GatewayError.ts"

type NotFoundWhat = Extract<GatewayErrorReason, { _tag: "NotFound" }>["what"]

export interface GatewayOperation {
  /** The operation's name in the contract (docs/gateway.md#operations). */
  readonly name: string
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /**
   * Path under the base URL. A segment in braces is replaced by a value, encoded as one segment.
   */
  readonly path: string
  /**
   * A `read` may be repeated. A `write` is sent once; its outcome is unknown if the exchange is cut
   * or the answer is not as documented.
   */
  readonly effect: "read" | "write"
  readonly notFound: NotFoundWhat
  /**
   * `documented` in the gateway's contract, or the assumption (OP-1 to OP-8) behind path and
   * payloads.
   */
  readonly grounds: "documented" | `OP-${number}`
}

export const operations = {
  profile: row("Get Profile", "GET", "/profile", "read", "operation", "documented"),
  fiscalDevice: row("Get Fiscal Device", "GET", "/fiscaldevice", "read", "device", "documented"),
  subscription: row("Subscription", "GET", "/subscription", "read", "subscription", "documented"),
  submitInvoice: row("Submit Invoice", "POST", "/invoice", "write", "operation", "documented"),
  submitCreditNote: row("Submit Credit Note", "POST", "/creditnote", "write", "operation", "documented"),
  status: row("Check Status", "POST", "/status", "read", "operation", "documented"),
  downloadPdf: row("Download PDF", "GET", "/download/{file}", "read", "pdf", "OP-1"),
  zReports: row("Get Z-Reports", "GET", "/reports/z-report", "read", "operation", "documented"),
  zReport: row("Get Specific Z-Report", "GET", "/reports/z-report/{day}", "read", "z-report", "documented"),
  zReportPdf: row("Download Z-report As PDF", "GET", "/reports/z-report/{day}/pdf", "read", "z-report", "OP-7"),
  taxMappings: row("Get All TaxMappings", "GET", "/taxmapping", "read", "operation", "OP-2"),
  taxMapping: row("Get Specific Tax Mapping", "GET", "/taxmapping/{id}", "read", "mapping", "OP-2"),
  addTaxMapping: row("Add Tax Mapping", "POST", "/taxmapping", "write", "operation", "documented"),
  updateTaxMapping: row("Update Tax Mapping", "PUT", "/taxmapping/{id}", "write", "mapping", "OP-3"),
  deleteTaxMapping: row("Delete Tax Mapping", "DELETE", "/taxmapping/{id}", "write", "mapping", "OP-3"),
  supportedCurrencies: row(
    "Supported Currencies",
    "GET",
    "/currencymapping/supported-currencies",
    "read",
    "operation",
    "OP-4"
  ),
  currencyMappings: row("Get All CurrencyMappings", "GET", "/currencymapping", "read", "operation", "OP-5"),
  currencyMapping: row("Get Specific Currency Mapping", "GET", "/currencymapping/{id}", "read", "mapping", "OP-5"),
  addCurrencyMapping: row("Add Currency Mapping", "POST", "/currencymapping", "write", "operation", "documented"),
  updateCurrencyMapping: row(
    "Update Currency Mapping",
    "PUT",
    "/currencymapping/{id}",
    "write",
    "mapping",
    "documented"
  ),
  deleteCurrencyMapping: row("Delete Currency Mapping", "DELETE", "/currencymapping/{id}", "write", "mapping", "OP-5"),
  test: row("Test", "POST", "/test", "read", "operation", "OP-8")
} as const

export type OperationId = keyof typeof operations

const submissions: ReadonlySet<string> = new Set([operations.submitInvoice.name, operations.submitCreditNote.name])

export const isSubmission = ({ name }: GatewayOperation): boolean => submissions.has(name)

function row(
  name: string,
  method: GatewayOperation["method"],
  path: string,
  effect: GatewayOperation["effect"],
  notFound: NotFoundWhat,
  grounds: GatewayOperation["grounds"]
): GatewayOperation {
  return { name, method, path, effect, notFound, grounds }
}

export const placeholders = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/\{([^{}]*)\}/g), (match) => match[1]!)
