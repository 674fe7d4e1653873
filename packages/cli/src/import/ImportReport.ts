/** What a person reads after a plan or an import: the documents, what was refused by cause, the summary, and how to go on. */
import { ended, isSettled, states } from "@fiscal-connector/core/submission/Submission"
import type { Instant } from "@fiscal-connector/core/document/Instant"
import { wallClock } from "@fiscal-connector/core/document/Instant"
import * as Money from "@fiscal-connector/core/document/Money"
import type { Finding } from "@fiscal-connector/core/finding/Finding"
import { refuses } from "@fiscal-connector/core/finding/Finding"
import type { ImportedDocument } from "@fiscal-connector/core/import/ImportedDocument"
import { ImportFinding } from "@fiscal-connector/core/unstable/import/ImportFinding"
import type { ImportPlan } from "@fiscal-connector/core/import/ImportPlan"
import * as ImportSummary from "@fiscal-connector/core/import/ImportSummary"
import { AuthorityCodes } from "../output/AuthorityCodes.ts"
import { Causes } from "../output/FindingReport.ts"
import { type Column, table } from "../output/Table.ts"
import * as UnmappedReport from "../output/UnmappedReport.ts"
import { printable } from "../output/Terminal.ts"
import * as Sums from "./Sums.ts"
import { ToLookAt } from "./ToLookAt.ts"
import type { CallShape } from "../output/Call.ts"
import type { Verbosity } from "../output/Output.ts"
import type { ScreenShape } from "../output/Screen.ts"
import { toneOf } from "@fiscal-connector/core/unstable/submission/StateTone"

export interface Summary extends Pick<ImportSummary.ImportSummary, "documents" | "counts" | "totals" | "taxes"> {
  /** Findings that belong to no document. */
  readonly strays: number
  /** How many of the fiscalised were so before. */
  readonly alreadyFiscalised: number
}

const verification = "Verification"

const columns: ReadonlyArray<Column<ImportedDocument>> = [
  { title: "Number", limit: 24, keep: "always", value: ({ number }) => number },
  {
    title: "Buyer",
    limit: 28,
    value: ({ buyer, document }) => buyer ?? (document === null ? "" : "walk-in")
  },
  { title: "Total", align: "right", keep: "always", value: totalOf },
  { title: "State", keep: "always", value: ({ state }) => state, tone: ({ state }) => toneOf(state) },
  { title: verification, value: ({ verificationCode }) => verificationCode ?? "" },
  { title: "Date", value: ({ day, receiptDate }) => (receiptDate === null ? (day ?? "") : dateOf(receiptDate)) }
]

const dateOf = (date: Instant | "at-submission" | null) =>
  date === null ? "" : date === "at-submission" ? "at submission" : wallClock(date)

function totalOf({ currency, total }: ImportedDocument): string {
  return currency === null || total === null ? "" : `${currency} ${Money.formatAmount(total)}`
}

/** How many documents the table shows. */
const shown = 1000

type Mode = "plan" | "import"

/** Before anything is sent only what the store had already has a verification code. */
const columnsOf = (rows: ReadonlyArray<ImportedDocument>) =>
  columns.filter(({ title, value }) => title !== verification || rows.some((row) => value(row) !== ""))

const open: Record<Mode, ReadonlySet<string>> = {
  plan: new Set(["Held"]),
  import: new Set(states.filter((state) => !isSettled(state)))
}
const lost: ReadonlySet<string> = new Set(["Refused", ...ended.filter((state) => state !== "Withdrawn")])

/** The source has cancelled a document that the store has: it differs from what was sent, as a changed one does. */
const cancelled: ReadonlySet<string> = new Set([
  ImportFinding.CANCELLED_AFTER_SENDING.code,
  ImportFinding.CANCELLED_WHILE_PLANNED.code
])

/** By which book the documents were translated, and what belongs to none of them. */
interface Planned extends Pick<ImportPlan, "unattached"> {
  readonly book: Pick<ImportPlan["book"], "taxes">
}

/** Takes the rows as they come, and keeps of them no more than is printed. */
export class Tally {
  readonly unattached: ReadonlyArray<Finding>
  /** What the mapping book lacks for the export. */
  get unmapped() {
    return this.#summing.summary.unmapped
  }
  readonly #summing: ImportSummary.Summing
  readonly #causes = { error: new Causes(), warning: new Causes() }
  readonly #codes = new AuthorityCodes()
  readonly #table: Array<ImportedDocument> = []
  readonly #toLookAt = new ToLookAt()
  readonly #skipped = new Map<string, { count: number; readonly first: Array<string> }>()
  #already = 0
  #differs = false
  #tabled = 0

  readonly #mode: Mode
  readonly #stops: "told" | "untold"

  /** `stops`: whether it is told elsewhere why lanes do not go on. */
  constructor({ book, unattached }: Planned, mode: Mode, stops: "told" | "untold" = "untold") {
    this.#stops = stops
    this.#summing = ImportSummary.make(book)
    this.unattached = unattached
    this.#mode = mode
    for (const finding of unattached) {
      if (cancelled.has(finding.code)) this.#differs = true
      this.#causes[finding.severity].add({ finding, subject: undefined })
    }
  }

  add(row: ImportedDocument): void {
    const { findings, number, said, state } = row
    this.#summing.add(row)
    if (row.state === "Fiscalised" && row.news === "known") this.#already += 1
    for (const finding of findings) {
      // what the book fills in is looked at in a plan; an import does what was planned
      if (this.#mode === "import" && finding.code === ImportFinding.FILLED_FROM_BOOK.code) continue
      if (finding.code === ImportFinding.DIFFERS_FROM_SENT.code) this.#differs = true
      this.#causes[finding.severity].add({ finding, subject: number || undefined })
    }
    if (state === "Skipped") return this.#skip(number, said ?? "")
    if (state !== "Refused") {
      this.#tabled += 1
      if (this.#table.length < shown) this.#table.push(row)
    }
    if (state !== "Fiscalised") this.#codes.add(said)
    if (state !== "Planned" || this.#stops === "untold") this.#toLookAt.add(row)
  }

  #skip(number: string, reason: string): void {
    const known = this.#skipped.get(reason) ?? { count: 0, first: [] }
    this.#skipped.set(reason, known)
    known.count += 1
    if (number !== "" && known.first.length < namedOfEach) known.first.push(number)
  }

  get summary(): Summary {
    const { counts, documents, taxes, totals } = this.#summing.summary
    return {
      documents,
      counts,
      totals,
      taxes,
      strays: this.unattached.length,
      alreadyFiscalised: this.#already
    }
  }

  /** Whether there is something for the file of refused rows. */
  get hasRefused(): boolean {
    return this.#summing.summary.counts.Refused !== undefined || this.unattached.some(refuses)
  }

  /** 3 beats 2: something still open matters more than something refused, or differing from what was sent. */
  exitCode(): 0 | 2 | 3 {
    const states = Object.keys(this.#summing.summary.counts)
    if (states.some((state) => open[this.#mode].has(state))) return 3
    return states.some((state) => lost.has(state)) || this.#differs || this.unattached.some(refuses) ? 2 : 0
  }

  /** `choice`: what the book's gaps can be filled with; undefined where nobody is to fill them now. Refused documents have their own part; the table shows the others. */
  print(
    choice: UnmappedReport.Choice | undefined,
    call: CallShape,
    screen: ScreenShape,
    verbosity: Verbosity = "usual"
  ): string {
    const codes = this.#codes.report()
    const unmapped = choice === undefined ? "" : UnmappedReport.report(this.unmapped, choice)
    const errors = this.#causes.error.report(call)
    const warnings = this.#causes.warning.report(call)
    const listed = verbosity === "quiet" ? [] : this.#table
    const rest = verbosity === "quiet" ? 0 : this.#tabled - this.#table.length
    const toLookAt = this.#toLookAt.report(call)
    const sums = Sums.print(this.summary, screen)
    return [
      ...(listed.length > 0 ? [table(columnsOf(listed), listed, screen)] : []),
      ...(rest > 0 ? [`… and ${rest} more documents. Every one of them:\n  ${call.again("--json")}`] : []),
      ...(errors === "" ? [] : [`Refused, by cause:\n\n${errors}`]),
      ...(unmapped === "" ? [] : [unmapped]),
      ...(warnings === "" ? [] : [`Warnings:\n\n${warnings}`]),
      ...(toLookAt === "" ? [] : [toLookAt]),
      ...(codes === "" ? [] : [codes]),
      ...(this.#skipped.size > 0
        ? [
            `Skipped:\n${Array.from(this.#skipped, ([reason, of]) => printable(`  ${of.count} × ${reason}${named(of)}`)).join("\n")}`
          ]
        : []),
      ...(sums === "" ? [] : [sums])
    ].join("\n\n")
  }
}

/** How many of the skipped are named for each reason. */
const namedOfEach = 20

/** Their numbers: what was left out can be found. */
const named = ({ count, first }: { readonly count: number; readonly first: ReadonlyArray<string> }): string =>
  first.length === 0 ? "" : `: ${first.join(", ")}${count > first.length ? ` and ${count - first.length} more` : ""}`

const words: Readonly<Record<string, string>> = { Refused: "refused", Skipped: "skipped" }

/** One line: `46 documents: 45 fiscalised, 1 refused`. */
export const line = ({ alreadyFiscalised: already, counts, documents, strays }: Summary): string => {
  const newly = (counts.Fiscalised ?? 0) - already
  const parts = [
    ...(newly > 0 ? [`${newly} fiscalised`] : []),
    ...(already > 0 ? [`${already} already fiscalised`] : []),
    ...Object.entries(counts).flatMap(([state, count]) =>
      state === "Fiscalised" ? [] : [`${count} ${words[state] ?? state}`]
    )
  ]
  const rows = strays === 0 ? [] : [`${strays} finding${strays === 1 ? "" : "s"} outside any document`]
  return `${documents} document${documents === 1 ? "" : "s"}: ${[...parts, ...rows].join(", ") || "nothing to send"}`
}
