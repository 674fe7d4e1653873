/** What a person reads after a plan or an import: the documents, what was refused by cause, the summary, and how to go on. */
import type { Instant } from "@fiscal-connector/core/document/Instant"
import { format } from "@fiscal-connector/core/document/Instant"
import * as Money from "@fiscal-connector/core/document/Money"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import { refuses } from "@fiscal-connector/core/finding/Finding"
import { type Found, report } from "../output/FindingReport.ts"
import { type Column, table } from "../output/Table.ts"
import type { DocumentRow } from "./DocumentRow.ts"

export interface Summary {
  readonly documents: number
  readonly counts: Readonly<Record<string, number>>
  /** Findings that belong to no document. */
  readonly strays: number
}

export const summarise = (rows: ReadonlyArray<DocumentRow>, strays: ReadonlyArray<Finding>): Summary => ({
  documents: rows.length,
  counts: Object.fromEntries(
    Array.from(
      Map.groupBy(rows, ({ state }) => state),
      ([state, of]) => [state, of.length]
    )
  ),
  strays: strays.length
})

const columns: ReadonlyArray<Column<DocumentRow>> = [
  { title: "Number", limit: 24, value: ({ number }) => number },
  { title: "Date", value: ({ receiptDate }) => dateOf(receiptDate) },
  {
    title: "Buyer",
    limit: 28,
    value: ({ payload }) => payload?.payload.buyerContact?.name ?? (payload === null ? "" : "walk-in")
  },
  { title: "Total", align: "right", value: totalOf },
  { title: "State", value: ({ state }) => state },
  { title: "Verification", limit: 24, value: ({ verificationCode }) => verificationCode ?? "" }
]

const dateOf = (date: Instant | "at-submission" | null) =>
  date === null ? "" : date === "at-submission" ? "at submission" : format(date).slice(0, 19).replace("T", " ")

function totalOf({ payload }: DocumentRow): string {
  if (payload === null) return ""
  return `${payload.payload.currencyCode} ${Money.formatAmount(payload.payload.total)}`
}

/** Refused documents have their own part; the table shows the others. */
export const print = (rows: ReadonlyArray<DocumentRow>, strays: ReadonlyArray<Finding>): string => {
  const shown = rows.filter(({ state }) => state !== "Refused" && state !== "Skipped")
  const found = (severity: "error" | "warning"): ReadonlyArray<Found> => [
    ...strays.filter((finding) => finding.severity === severity).map((finding) => ({ finding, subject: undefined })),
    ...rows.flatMap(({ findings, number }) =>
      findings.flatMap((finding) => (finding.severity === severity ? [{ finding, subject: number || undefined }] : []))
    )
  ]
  const errors = found("error")
  const warnings = found("warning")
  const waiting = rows.filter(({ said, state }) => said !== null && state !== "Fiscalised" && state !== "Skipped")
  const skipped = Map.groupBy(
    rows.filter(({ state }) => state === "Skipped"),
    ({ said }) => said ?? ""
  )
  return [
    ...(shown.length > 0 ? [table(columns, shown)] : []),
    ...(errors.length > 0 ? [`Refused, by cause:\n\n${report(errors)}`] : []),
    ...(warnings.length > 0 ? [`Warnings:\n\n${report(warnings)}`] : []),
    ...(waiting.length > 0
      ? [`To look at:\n${waiting.map(({ number, said, state }) => `  ${number}  ${state}: ${said}`).join("\n")}`]
      : []),
    ...(skipped.size > 0
      ? [`Skipped:\n${Array.from(skipped, ([reason, of]) => `  ${of.length} × ${reason}`).join("\n")}`]
      : [])
  ].join("\n\n")
}

const words: Readonly<Record<string, string>> = { Fiscalised: "fiscalised", Refused: "refused", Skipped: "skipped" }

/** One line: `46 documents: 45 fiscalised, 1 refused`. */
export const line = ({ counts, documents, strays }: Summary): string => {
  const parts = Object.entries(counts).map(([state, count]) => `${count} ${words[state] ?? state}`)
  const rows = strays === 0 ? [] : [`${strays} finding${strays === 1 ? "" : "s"} outside any document`]
  return `${documents} document${documents === 1 ? "" : "s"}: ${[...parts, ...rows].join(", ") || "nothing to send"}`
}

/** 3 beats 2: something still open matters more than something refused. */
export const exitCode = (
  rows: ReadonlyArray<DocumentRow>,
  strays: ReadonlyArray<Finding>,
  mode: "plan" | "import"
): 0 | 2 | 3 => {
  const open = new Set<string>(
    mode === "plan" ? ["Held"] : ["Planned", "Held", "Sending", "Accepted", "Unknown", "Expired"]
  )
  const lost = new Set<string>(["Refused", "Declined", "Rejected"])
  if (rows.some(({ state }) => open.has(state))) return 3
  return rows.some(({ state }) => lost.has(state)) || strays.some(refuses) ? 2 : 0
}
