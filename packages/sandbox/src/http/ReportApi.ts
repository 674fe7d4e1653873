import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ZReport, ZReportPage } from "../wire/ZReport.ts"
import { Gate } from "./Gate.ts"
import { Headers, Malformed, NotFound, PdfBytes, Unauthorised } from "./GatewayHeaders.ts"

const parameter = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))
const params = { day: Schema.String.annotate({ description: "Fiscal day number" }) }

export class ReportApi extends HttpApiGroup.make("reports", { topLevel: true })
  // On each endpoint: the compiler orders the union members made by a group's middleware
  // differently from build to build.
  .add(
    HttpApiEndpoint.get("zReports", "/reports/z-report", {
      headers: Headers,
      query: {
        since_day: parameter("Fiscal day number, an integer: that day and later ones"),
        since_date: parameter("Date-time without offset: days opened then or later"),
        size: parameter("Reports per page, an integer; 100 by default"),
        page: parameter("Page, an integer from 1"),
        order: parameter("desc (default) or asc, by fiscal day")
      },
      success: ZReportPage,
      error: [Malformed, Unauthorised, NotFound]
    }).middleware(Gate),
    HttpApiEndpoint.get("zReport", "/reports/z-report/:day", {
      headers: Headers,
      params,
      success: ZReport,
      error: [Unauthorised, NotFound]
    }).middleware(Gate),
    HttpApiEndpoint.get("zReportPdf", "/reports/z-report/:day/pdf", {
      headers: Headers,
      params,
      success: PdfBytes,
      error: [Unauthorised, NotFound]
    }).middleware(Gate)
  )
  .annotateMerge(OpenApi.annotations({ title: "Reports (experimental)" })) {}
