/** Table columns, JSON form and CSV form of submissions. */
import { neutralized } from "@fiscal-connector/core/document/FormulaText"
import * as Money from "@fiscal-connector/core/document/Money"
import * as Provenance from "@fiscal-connector/core/finding/Provenance"
import * as AuthorityCode from "@fiscal-connector/core/unstable/preflight/AuthorityCode"
import type { Submission } from "@fiscal-connector/core/submission/Submission"
import * as OutcomeRecord from "@fiscal-connector/core/unstable/submission/OutcomeRecord"
import type { DateTime } from "effect"
import type { Column } from "./Table.ts"
import * as Times from "./Times.ts"

/** Returns the reason for the submission's state, if any. */
export const why = (submission: Submission): string => OutcomeRecord.because(submission) ?? ""

/** Returns the columns. Times are in the zone, and the titles name the zone. */
export const columnsIn = (zone: DateTime.TimeZone): ReadonlyArray<Column<Submission>> => [
  { title: "Number", limit: 24, keep: "always", value: ({ number }) => number },
  { title: "State", keep: "always", value: ({ state }) => state, tone: ({ state }) => OutcomeRecord.toneOf(state) },
  {
    title: "Total",
    align: "right",
    keep: "always",
    value: ({ currency, total }) => `${currency} ${Money.formatAmount(total)}`
  },
  { title: "Why", limit: 60, value: why },
  { title: "Verification", value: ({ proof }) => proof?.verificationCode ?? "" },
  { title: "Kind", value: ({ kind }) => kind },
  { title: Times.title("Since", zone), value: ({ since }) => Times.shown(since, zone) },
  {
    title: Times.title("Receipt date", zone),
    value: ({ receiptDate }) => (receiptDate === null ? "" : Times.shown(receiptDate, zone))
  }
]

/** Returns flat text fields, shared by JSON and CSV. */
export const record = (submission: Submission) => {
  const { because, cancelled: _, changed: __, qrCodeUrl: ___, ...outcome } = OutcomeRecord.of(submission)
  return {
    ...outcome,
    receiptDate: outcome.receiptDate ?? "",
    requestId: outcome.requestId ?? "",
    verificationCode: outcome.verificationCode ?? "",
    why: because ?? "",
    codes: AuthorityCode.inText(because ?? "")
      .map(({ code }) => code)
      .join(" "),
    source: Provenance.format(submission.source)
  }
}

/** Returns a CSV row. Cells that a spreadsheet would read as formulas become text. */
export const csvRow = (cells: ReadonlyArray<string>): string =>
  cells.map((cell) => `"${neutralized(cell).replaceAll('"', '""')}"`).join(",")
