/** Table columns, JSON form and CSV form of submissions. */
import { neutralized } from "@fiscal-connector/core/document/FormulaText"
import * as Instant from "@fiscal-connector/core/document/Instant"
import * as Money from "@fiscal-connector/core/document/Money"
import * as Provenance from "@fiscal-connector/core/finding/Provenance"
import * as AuthorityCode from "@fiscal-connector/core/unstable/preflight/AuthorityCode"
import type { Submission } from "@fiscal-connector/core/submission/Submission"
import { DateTime } from "effect"
import type { Column } from "./Table.ts"
import * as Times from "./Times.ts"
import { toneOf } from "@fiscal-connector/core/unstable/submission/StateTone"

const dated = ({ receiptDate }: Submission) => (receiptDate === null ? "" : Instant.format(receiptDate))

/** Returns the reason for the submission's state, if any. */
export const why = ({ hold, rejection, said }: Submission): string => hold?.because ?? rejection?.error ?? said ?? ""

/** Returns the columns. Times are in the zone, and the titles name the zone. */
export const columnsIn = (zone: DateTime.TimeZone): ReadonlyArray<Column<Submission>> => [
  { title: "Number", limit: 24, keep: "always", value: ({ number }) => number },
  { title: "State", keep: "always", value: ({ state }) => state, tone: ({ state }) => toneOf(state) },
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
export const record = (submission: Submission) => ({
  account: submission.account,
  kind: submission.kind,
  id: submission.id,
  number: submission.number,
  state: submission.state,
  since: DateTime.formatIso(submission.since),
  receiptDate: dated(submission),
  currency: submission.currency,
  total: Money.formatAmount(submission.total),
  requestId: submission.requestId ?? "",
  verificationCode: submission.proof?.verificationCode ?? "",
  why: why(submission),
  codes: AuthorityCode.inText(why(submission))
    .map(({ code }) => code)
    .join(" "),
  source: Provenance.format(submission.source)
})

/** Returns a CSV row. Cells that a spreadsheet would read as formulas become text. */
export const csvRow = (cells: ReadonlyArray<string>): string =>
  cells.map((cell) => `"${neutralized(cell).replaceAll('"', '""')}"`).join(",")
