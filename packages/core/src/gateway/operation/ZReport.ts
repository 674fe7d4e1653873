/** Reports of closed fiscal days (docs/gateway.md#reports; experimental there). */
import { Effect, Option, Stream } from "effect"
import type { RecordOf } from "../exchange/AnswerRecord.ts"
import { type Calls, readJson } from "../exchange/Calls.ts"
import type { GatewayError } from "../contract/GatewayError.ts"
import * as AnswerTable from "./AnswerTable.ts"
import type { LocalDateTime } from "./LocalDateTime.ts"
import * as Pdf from "./Pdf.ts"

/** Known values of `counterType` (DOC-14). Other values may occur. Credit counters are negative. */
export const counterTypes = [
  "Sale",
  "SaleTax",
  "CreditNote",
  "CreditNoteTax",
  "DebitNote",
  "DebitNoteTax",
  "Balance"
] as const

/**
 * One counter. `amount` is in `currency`. `taxPercent` is 15 for 15 %, null if the counter has no
 * tax or is exempt.
 */
export interface ZReportSummary extends RecordOf<(typeof AnswerTable.ZReportSummary)["table"]> {}

/**
 * A fiscal day that was closed, or that could not be closed: then `isSuccess` is false and
 * `message` gives the reason. The list leaves out the summaries. The single report names its
 * opening DateOpenedAt and may have no `closedAt` (ZREP-2).
 */
export interface ZReport extends RecordOf<(typeof AnswerTable.ZReport)["table"]> {}

/** One page of a list. `page` counts from 1 (ZREP-1). */
export interface ZReportPage extends RecordOf<(typeof AnswerTable.ZReportPage)["table"]> {}

/**
 * Selection of reports. Without any field, the gateway returns the latest 100. The contract does
 * not show the exact meaning of the two `since` fields.
 */
export interface ZReportQuery {
  readonly sinceDay?: number | undefined
  /** A date-time in the account's zone. */
  readonly sinceDate?: LocalDateTime | undefined
  readonly size?: number | undefined
  readonly page?: number | undefined
  /** `desc` is documented. `asc` is implied by the documented sorting, but not named. */
  readonly order?: "desc" | "asc" | undefined
}

/** Operations on Z-reports. */
export interface ZReportOperations {
  zReports(query?: ZReportQuery): Effect.Effect<ZReportPage, GatewayError>
  allZReports(query?: Omit<ZReportQuery, "page">): Stream.Stream<ZReport, GatewayError>
  /** Returns one report with its summaries, by fiscal day number (OP-6). */
  zReport(fiscalDayNumber: number): Effect.Effect<ZReport, GatewayError>
  /** Downloads the PDF of a report. The path is not documented (OP-7). */
  zReportPdf(fiscalDayNumber: number): Effect.Effect<Uint8Array, GatewayError>
}

const single = readJson(AnswerTable.ZReport.decode)
const listed = readJson(AnswerTable.ZReportPage.decode)

/** Page size of `allZReports`, unless the query gives a size. */
const usualSize = 100

/** Makes these operations over the calls of one account. */
export const operations = (calls: Calls): ZReportOperations => {
  const zReports = ({ order, page, sinceDate, sinceDay, size }: ZReportQuery = {}) =>
    calls.read(
      { operation: "zReports", query: { since_day: sinceDay, since_date: sinceDate, size, page, order } },
      listed
    )
  return {
    zReports,
    allZReports: (query = {}) =>
      Stream.paginate({ page: calls.config.assumptions["ZREP-1"] as number, seen: 0 }, ({ page, seen }) =>
        Effect.map(zReports({ size: usualSize, ...query, page }), ({ items, totalItemCount }) => {
          const now = seen + items.length
          // An empty page ends the list even if the count is larger or absent. Otherwise a wrong
          // count would never end the list.
          const isMore = items.length > 0 && now < (totalItemCount ?? Number.POSITIVE_INFINITY)
          const next = isMore ? Option.some({ page: page + 1, seen: now }) : Option.none()
          return [items, next] as const
        })
      ),
    zReport: (day) => calls.read({ operation: "zReport", segments: { day } }, single),
    zReportPdf: (day) => calls.read({ operation: "zReportPdf", segments: { day } }, Pdf.answer)
  }
}
