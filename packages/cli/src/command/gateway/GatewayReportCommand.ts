/**
 * Subcommands of `connector gateway` for day-close reports, unprocessed (docs/gateway.md#reports;
 * experimental at the gateway).
 */
import { LocalDateTime } from "@fiscal-connector/core/unstable/gateway/operation/LocalDateTime"
import { Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ExitError } from "../../output/ExitError.ts"
import { answer, download, flags, out } from "./GatewayCall.ts"

const day = Argument.Int("day").pipe(Argument.withDescription("the fiscal day's number"))

export const zReports = Command.make(
  "z-reports",
  {
    ...flags,
    sinceDay: Flag.Int("since-day").pipe(Flag.withDescription("a fiscal day's number"), Flag.optional),
    sinceDate: Flag.String("since-date").pipe(
      Flag.withSchema(LocalDateTime),
      Flag.withDescription("a date-time without an offset, as 2026-01-31T00:00:00"),
      Flag.optional
    ),
    size: Flag.Int("size").pipe(Flag.withDescription("reports per page"), Flag.optional),
    page: Flag.Int("page").pipe(Flag.withDescription("which page, from 1 (ZREP-1)"), Flag.optional),
    order: Flag.Literals("order", ["asc", "desc"]).pipe(
      Flag.withDescription("by fiscal day; only desc is documented"),
      Flag.optional
    ),
    all: Flag.Boolean("all").pipe(Flag.withDescription("every report, page after page"), Flag.withDefault(false))
  },
  ({ all, order, page, sinceDate, sinceDay, size, ...given }) => {
    const query = {
      order: Option.getOrUndefined(order),
      sinceDate: Option.getOrUndefined(sinceDate),
      sinceDay: Option.getOrUndefined(sinceDay),
      size: Option.getOrUndefined(size)
    }
    if (!all) return answer(given, (gateway) => gateway.zReports({ ...query, page: Option.getOrUndefined(page) }))
    return Option.isSome(page)
      ? Effect.fail(new ExitError({ code: 1, text: "--page is one page and --all is every page: one of them." }))
      : answer(given, (gateway) => Stream.runCollect(gateway.allZReports(query)))
  }
).pipe(
  Command.withDescription(
    "Get Z-Reports: a page of day-close reports, the latest 100 unless the flags say otherwise (experimental); connector z-reports checks them"
  )
)

export const zReport = Command.make("z-report", { ...flags, day }, (given) =>
  answer(given, (gateway) => gateway.zReport(given.day))
).pipe(Command.withDescription("Get Specific Z-Report, with its summaries (experimental)"))

export const zReportPdf = Command.make("z-report-pdf", { ...flags, day, out }, (given) =>
  download(given, (gateway) => gateway.zReportPdf(given.day))
).pipe(Command.withDescription("Download Z-report As PDF"))
