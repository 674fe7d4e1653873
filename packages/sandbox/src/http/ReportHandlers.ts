import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as ZReportQuery from "../day/ZReportQuery.ts"
import * as ZReport from "../wire/ZReport.ts"
import { deviceOf } from "./AccountHandlers.ts"
import * as Answer from "./Answer.ts"
import { Caller } from "./Gate.ts"
import { GatewayApi } from "./GatewayApi.ts"

const callersDevice = Effect.flatMap(Caller, ({ account }) => deviceOf(account))

/** 404 if the day has no report. */
const find = Effect.fnUntraced(function* (day: string) {
  const device = yield* callersDevice
  const report = /^\d{1,9}$/.test(day) ? device.days.reports.get(Number(day)) : undefined
  return report === undefined
    ? yield* new Answer.Declined({ status: 404, message: "the device has no Z-report of that fiscal day" })
    : { report, zone: device.config.zone }
})

export const layer = HttpApiBuilder.group(GatewayApi, "reports", (handlers) =>
  handlers
    .handle(
      "zReports",
      Effect.fnUntraced(function* ({ query }) {
        const { config, days } = yield* callersDevice
        const parsed = ZReportQuery.parse(query, config.zone)
        if (Result.isFailure(parsed)) {
          return yield* new Answer.Declined({ status: 400, message: "the query is malformed", errors: parsed.failure })
        }
        const { items, total } = ZReportQuery.select([...days.reports.values()], parsed.success)
        return Answer.json({
          Items: items.map((report) => ZReport.listed(report, config.zone)),
          TotalItemCount: total,
          Page: parsed.success.page,
          PageSize: parsed.success.size
        })
      }, Answer.respond)
    )
    .handle("zReport", ({ params }) =>
      Effect.map(find(params.day), ({ report, zone }) => Answer.json(ZReport.single(report, zone))).pipe(Answer.respond)
    )
    .handle(
      "zReportPdf",
      Effect.fnUntraced(function* ({ params }) {
        const { report, zone } = yield* find(params.day)
        const ZReportPdf = yield* Effect.promise(() => import("../pdf/ZReportPdf.ts"))
        return Answer.pdf(yield* ZReportPdf.render(report, zone))
      }, Answer.respond)
    )
)
