/** Reports of the fiscal days that were closed (docs/gateway.md#reports; experimental there). */
import { Effect, Option, Stream } from "effect"
import type { RecordOf } from "../exchange/AnswerRecord.ts"
import { type Calls, readJson } from "../exchange/Calls.ts"
import type { GatewayError } from "../contract/GatewayError.ts"
import * as AnswerTable from "./AnswerTable.ts"
import type { LocalDateTime } from "./LocalDateTime.ts"
import * as Pdf from "./Pdf.ts"

/** Values of `counterType` that are known (DOC-14); others may come. Credit counters are negative. */
export const counterTypes = [
  "Sale",
  "SaleTax",
  "CreditNote",
  "CreditNoteTax",
  "DebitNote",
  "DebitNoteTax",
  "Balance"
] as const

/** One counter. `amount` is in `currency`; `taxPercent` is 15 for 15 %, null where the counter has no tax or it is exempt. */
export interface ZReportSummary extends RecordOf<(typeof AnswerTable.ZReportSummary)["table"]> {}

/**
 * A fiscal day that was closed, or could not be: then `isSuccess` is false and `message` says why.
 * The list leaves the summaries out; the single report calls its opening DateOpenedAt and may have no `closedAt` (ZREP-2).
 */
export interface ZReport extends RecordOf<(typeof AnswerTable.ZReport)["table"]> {}

/** One page of a list; `page` counts from 1 (ZREP-1). */
export interface ZReportPage extends RecordOf<(typeof AnswerTable.ZReportPage)["table"]> {}

/** Which reports, and how many; without any of it the gateway gives the latest 100. What the two `since` mean exactly is not shown. */
export interface ZReportQuery {
  /** A fiscal day number. */
  readonly sinceDay?: number | undefined
  /** In the account's zone. */
  readonly sinceDate?: LocalDateTime | undefined
  readonly size?: number | undefined
  readonly page?: number | undefined
  /** `desc` is documented; `asc` is implied by sorting and not named. */
  readonly order?: "desc" | "asc" | undefined
}

/** What can be asked about Z-reports. */
export interface ZReportOperations {
  zReports(query?: ZReportQuery): Effect.Effect<ZReportPage, GatewayError>
  /** Every report that the query finds, page by page, from the first page on. */
  allZReports(query?: Omit<ZReportQuery, "page">): Stream.Stream<ZReport, GatewayError>
  /** One report with its summaries, by fiscal day number (OP-6). */
  zReport(fiscalDayNumber: number): Effect.Effect<ZReport, GatewayError>
  /** OP-7: the path is not documented. */
  zReportPdf(fiscalDayNumber: number): Effect.Effect<Uint8Array, GatewayError>
}

const single = readJson(AnswerTable.ZReport.decode)
const listed = readJson(AnswerTable.ZReportPage.decode)

/** The size of the pages of `allZReports` unless the query names one. */
const usualSize = 100

/** These operations over the calls of one account. */
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
          // An empty page ends the list even where the count says more, or is not there: otherwise a wrong count would never end.
          const isMore = items.length > 0 && now < (totalItemCount ?? Number.POSITIVE_INFINITY)
          const next = isMore ? Option.some({ page: page + 1, seen: now }) : Option.none()
          return [items, next] as const
        })
      ),
    zReport: (day) => calls.read({ operation: "zReport", segments: { day } }, single),
    zReportPdf: (day) => calls.read({ operation: "zReportPdf", segments: { day } }, Pdf.answer)
  }
}
