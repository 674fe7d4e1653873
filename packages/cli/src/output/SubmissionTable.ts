import { FormulaText, Money, Provenance } from "@fiscal-connector/core/adapter"
import { AuthorityCode } from "@fiscal-connector/core/host/import"
import type { Submission } from "@fiscal-connector/core/store"
import { OutcomeRecord } from "@fiscal-connector/core/host"
import type { DateTime } from "effect"
import type { Column } from "./Table.ts"
import * as Times from "./Times.ts"

export const why = (submission: Submission.Submission): string => OutcomeRecord.textOf(submission) ?? ""

export const columnsIn = (zone: DateTime.TimeZone): ReadonlyArray<Column<Submission.Submission>> => [
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

export const record = (submission: Submission.Submission) => {
  const {
    because,
    cancelled: _,
    changed: __,
    qrCodeUrl: ___,
    replaces: ____,
    ...outcome
  } = OutcomeRecord.of(submission)
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

export const csvRow = (cells: ReadonlyArray<string>): string =>
  cells.map((cell) => `"${FormulaText.neutralized(cell).replaceAll('"', '""')}"`).join(",")
