/** `plan` without a mapping book: what the export states and what is wrong with it, and the call that drafts the book. */
import { formatAmount } from "@fiscal-connector/core/document/Money"
import { refuses } from "@fiscal-connector/core/finding/Finding"
import type { AdapterError, Occurrence, Reading } from "@fiscal-connector/core/source/Adapter"
import * as ExportContents from "@fiscal-connector/core/unstable/source/ExportContents"
import { Effect, type Stream } from "effect"
import { Call, type CallShape } from "../output/Call.ts"
import { Causes } from "../output/FindingReport.ts"
import { type Column, table } from "../output/Table.ts"
import { Quit } from "../output/Quit.ts"
import * as AdapterAnswer from "./AdapterAnswer.ts"
import * as BookOfExport from "./BookOfExport.ts"
import * as Progress from "./Progress.ts"
import * as Output from "../output/Output.ts"

/** Writes and sends nothing. Ends with Quit, exit code 2, where something of the export would be refused. */
export const look = Effect.fnUntraced(function* (
  readings: Stream.Stream<Reading, AdapterError>,
  drafting: BookOfExport.Drafting
) {
  const call = yield* Call
  const causes = { error: new Causes(), warning: new Causes() }
  let refused = 0
  const contents = yield* Progress.reading(readings, (counted) =>
    ExportContents.read(counted, (finding, subject) => {
      causes[finding.severity].add({ finding, subject })
      if (refuses(finding)) refused += 1
    })
  ).pipe(Effect.catch(AdapterAnswer.quit))
  const next = BookOfExport.draftingCall(drafting, call)
  yield* Output.answer("export-contents", toJson(contents, refused, next), toText(contents, causes, call, next))
  if (refused > 0) return yield* new Quit({ code: 2, text: "" })
})

const toText = (
  { documents, period, skipped, spellings, totals }: ExportContents.ExportContents,
  causes: { readonly error: Causes; readonly warning: Causes },
  call: CallShape,
  next: string
): string => {
  const [errors, warnings] = [causes.error.report(call), causes.warning.report(call)]
  const dated = period === undefined ? "" : `, dated ${period.from} to ${period.to}`
  const left = skipped === 0 ? "" : `; ${skipped} skipped`
  const known = [
    ...spellings.taxes.map((one) => ({ what: "tax", ...one })),
    ...spellings.currencies.map((one) => ({ what: "currency", ...one })),
    ...spellings.payments.map((one) => ({ what: "payment method", ...one }))
  ]
  return [
    ...(totals.length === 0 ? [] : [`As the export states it:\n\n${table(totalColumns, totals)}`]),
    ...(errors === "" ? [] : [`Would be refused, by cause:\n\n${errors}`]),
    ...(warnings === "" ? [] : [`Warnings:\n\n${warnings}`]),
    ...(known.length === 0 ? [] : [`A mapping book has to know:\n\n${table(spellingColumns, known)}`]),
    [
      `Read without a mapping book: ${documents} document${documents === 1 ? "" : "s"}${dated}${left}. Nothing was written or sent.`,
      "What the documents would become can be seen when there is a book. This drafts it from the export:",
      "",
      `  ${next}`
    ].join("\n")
  ].join("\n\n")
}

const toJson = ({ totals, ...contents }: ExportContents.ExportContents, refusing: number, next: string) => ({
  ...contents,
  period: contents.period ?? null,
  totals: totals.map((one) => ({ ...one, total: formatAmount(one.total) })),
  refusing,
  next
})

const totalColumns: ReadonlyArray<Column<ExportContents.StatedTotal>> = [
  { title: "Currency", value: ({ currency }) => currency || "none" },
  { title: "Kind", value: ({ kind }) => kind },
  { title: "Documents", align: "right", value: ({ documents }) => String(documents) },
  {
    title: "Total stated",
    align: "right",
    value: ({ stated, total }) => (stated === 0 ? "none" : formatAmount(total))
  },
  {
    title: "",
    value: ({ documents, stated }) => (stated === 0 || stated === documents ? "" : `by ${stated} of them`)
  }
]

const spellingColumns: ReadonlyArray<Column<Occurrence & { readonly what: string }>> = [
  { title: "What", value: ({ what }) => what },
  { title: "Spelling", limit: 40, value: ({ spelling }) => spelling },
  { title: "Times", align: "right", value: ({ count }) => String(count) },
  {
    title: "As in",
    limit: 40,
    value: ({ count, examples }) => `${examples.join(", ")}${count > examples.length ? ", …" : ""}`
  }
]
