/**
 * Z-reports on the wire; the list and the single report differ (docs/gateway.md#z-report;
 * experimental, ZREP-2).
 */
import * as Schema from "effect/Schema"
import type { Counter } from "../day/Counters.ts"
import type * as FiscalDay from "../day/FiscalDay.ts"
import type * as ExactJson from "./ExactJson.ts"
import * as Zone from "./Zone.ts"

const Summary = Schema.Struct({
  CounterType: Schema.String,
  Currency: Schema.String,
  TaxPercent: Schema.NullOr(Schema.Finite),
  TaxID: Schema.NullOr(Schema.Int),
  PaymentMethod: Schema.NullOr(Schema.String),
  Amount: Schema.Finite
}).annotate({ identifier: "ZReportSummary" })

const ListedZReport = Schema.Struct({
  OpenedAt: Schema.String,
  ClosedAt: Schema.String,
  FiscalDayNumber: Schema.Int,
  Summaries: Schema.Array(Summary),
  Message: Schema.String,
  IsSuccess: Schema.Boolean
}).annotate({ identifier: "ListedZReport" })

export const ZReportPage = Schema.Struct({
  Items: Schema.Array(ListedZReport),
  TotalItemCount: Schema.Int,
  Page: Schema.Int,
  PageSize: Schema.Int
}).annotate({ identifier: "ZReportPage" })

/** Answer for one day: DateOpenedAt instead of OpenedAt, and no ClosedAt. */
export const ZReport = Schema.Struct({
  DateOpenedAt: Schema.String,
  FiscalDayNumber: Schema.Int,
  Summaries: Schema.Array(Summary),
  Message: Schema.String,
  IsSuccess: Schema.Boolean
}).annotate({ identifier: "ZReport" })

export const listed = (report: FiscalDay.ZReport, zone: Zone.Zone): typeof ListedZReport.Type => ({
  OpenedAt: Zone.civil(zone, report.openedAt),
  ClosedAt: Zone.civil(zone, report.closedAt),
  FiscalDayNumber: report.fiscalDay,
  Summaries: [],
  Message: report.message,
  IsSuccess: report.result === "closed"
})

const summary = (counter: Counter) => ({
  CounterType: counter.counterType,
  Currency: counter.currency,
  TaxPercent: counter.taxPercent,
  TaxID: counter.taxId,
  PaymentMethod: counter.paymentMethod,
  Amount: counter.amount
})

export const single = (report: FiscalDay.ZReport, zone: Zone.Zone): ExactJson.Printable => ({
  DateOpenedAt: Zone.civil(zone, report.openedAt),
  FiscalDayNumber: report.fiscalDay,
  Summaries: report.counters.map(summary),
  Message: report.message,
  IsSuccess: report.result === "closed"
})
