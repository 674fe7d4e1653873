import { type ImportPlan, ImportSummary, type ImportedDocument, RunReport } from "@fiscal-connector/core/session"
import { Finding, type Instant, Money } from "@fiscal-connector/core/adapter"
import { ImportFinding } from "@fiscal-connector/core/host/import"
import { AuthorityCodes } from "../output/AuthorityCodes.ts"
import { Causes } from "../output/FindingReport.ts"
import type { DateTime } from "effect"
import { type Column, table } from "../output/Table.ts"
import * as Times from "../output/Times.ts"
import * as UnmappedReport from "../output/UnmappedReport.ts"
import { printable } from "../output/Terminal.ts"
import * as Sums from "./Sums.ts"
import { ProblemGroups } from "./ProblemGroups.ts"
import type { CallShape } from "../output/Call.ts"
import type { Verbosity } from "../output/Output.ts"
import type { ScreenShape } from "../output/Screen.ts"
import { OutcomeRecord } from "@fiscal-connector/core/host"

export interface Summary extends Pick<ImportSummary.ImportSummary, "documents" | "counts" | "totals" | "taxes"> {
  readonly strays: number
  readonly alreadyFiscalised: number
}

const verification = "Verification"

const columnsIn = (zone: DateTime.TimeZone): ReadonlyArray<Column<ImportedDocument.ImportedDocument>> => [
  { title: "Number", limit: 24, keep: "always", value: ({ number }) => number },
  {
    title: "Buyer",
    limit: 28,
    value: ({ buyer, document }) => buyer ?? (document === null ? "" : "walk-in")
  },
  { title: "Total", align: "right", keep: "always", value: totalOf },
  { title: "State", keep: "always", value: ({ state }) => state, tone: ({ state }) => OutcomeRecord.toneOf(state) },
  { title: verification, value: ({ verificationCode }) => verificationCode ?? "" },
  {
    title: Times.title("Date", zone),
    value: ({ day, receiptDate }) => (receiptDate === null ? (day ?? "") : dateOf(receiptDate, zone))
  }
]

const dateOf = (date: Instant.Instant | "at-submission", zone: DateTime.TimeZone): string =>
  date === "at-submission" ? "at submission" : Times.shown(date, zone)

function totalOf({ currency, total }: ImportedDocument.ImportedDocument): string {
  return currency === null || total === null ? "" : `${currency} ${Money.formatAmount(total)}`
}

const shown = 1000

type Mode = "plan" | "import"

const columnsOf = (rows: ReadonlyArray<ImportedDocument.ImportedDocument>, zone: DateTime.TimeZone) =>
  columnsIn(zone).filter(({ title, value }) => title !== verification || rows.some((row) => value(row) !== ""))

interface Planned extends Pick<ImportPlan.ImportPlan, "dismissed" | "unattached"> {
  readonly book: Pick<ImportPlan.ImportPlan["book"], "taxes" | "zone">
}

export class ReportTally {
  readonly unattached: ReadonlyArray<Finding.Finding>
  get unmapped() {
    return this.#summing.summary.unmapped
  }
  readonly #summing: ImportSummary.Summing
  readonly #causes = { error: new Causes(), warning: new Causes() }
  readonly #codes = new AuthorityCodes()
  readonly #table: Array<ImportedDocument.ImportedDocument> = []
  readonly #toLookAt = new ProblemGroups()
  readonly #skipped = new Map<string, { count: number; readonly first: Array<string> }>()
  readonly #standings = new Set<RunReport.Standing>()
  #already = 0
  #tabled = 0

  readonly #zone: DateTime.TimeZone
  readonly #mode: Mode
  readonly #stops: "told" | "untold"
  readonly #dismissed: ReadonlySet<string>

  constructor({ book, dismissed, unattached }: Planned, mode: Mode, stops: "told" | "untold" = "untold") {
    this.#stops = stops
    this.#dismissed = dismissed
    this.#zone = book.zone
    this.#summing = ImportSummary.make(book)
    this.unattached = unattached
    this.#mode = mode
    for (const finding of unattached) {
      this.#standings.add(RunReport.ofFinding(finding, dismissed))
      this.#causes[finding.severity].add({ finding, subject: undefined })
    }
  }

  add(row: ImportedDocument.ImportedDocument): void {
    const { findings, number, state, text } = row
    this.#summing.add(row)
    const standing = RunReport.ofDocument(row, this.#dismissed)
    // a plan sends nothing, so what it would send is not open
    if (this.#mode === "import" || standing !== "on-its-way") this.#standings.add(standing)
    if (row.state === "Fiscalised" && row.news === "known") this.#already += 1
    for (const finding of findings) {
      // values filled in from the book are listed in a plan only; an import does what was planned
      if (this.#mode === "import" && finding.code === ImportFinding.ImportFinding.FILLED_FROM_BOOK.code) continue
      this.#causes[finding.severity].add({ finding, subject: number || undefined })
    }
    if (state === "Skipped") return this.#skip(number, text ?? "")
    if (state !== "Refused") {
      this.#tabled += 1
      if (this.#table.length < shown) this.#table.push(row)
    }
    if (state !== "Fiscalised") this.#codes.add(text)
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

  get hasRefused(): boolean {
    return this.#summing.summary.counts.Refused !== undefined || this.unattached.some(Finding.refuses)
  }

  /**
   * 3 beats 2: open documents matter more than refused ones or differences from the sent documents.
   * `others`: work that does not belong to a document of the report.
   */
  exitCode(others: ReadonlyArray<RunReport.Standing> = []): 0 | 2 | 3 {
    return RunReport.exitCode(new Set([...this.#standings, ...others]))
  }

  /**
   * `choice`: possible values for gaps in the book, undefined if no operator can fill them now.
   * Refused documents have a separate part; the table shows the others.
   */
  print(
    choice: UnmappedReport.UnmappedChoice | undefined,
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
      ...(listed.length > 0 ? [table(columnsOf(listed, this.#zone), listed, screen)] : []),
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

const namedOfEach = 20

const named = ({ count, first }: { readonly count: number; readonly first: ReadonlyArray<string> }): string =>
  first.length === 0 ? "" : `: ${first.join(", ")}${count > first.length ? ` and ${count - first.length} more` : ""}`

const stateTexts: Readonly<Record<string, string>> = { Refused: "refused", Skipped: "skipped" }

export const summaryText = ({ alreadyFiscalised: already, counts, documents, strays }: Summary): string => {
  const newly = (counts.Fiscalised ?? 0) - already
  const parts = [
    ...(newly > 0 ? [`${newly} fiscalised`] : []),
    ...(already > 0 ? [`${already} already fiscalised`] : []),
    ...Object.entries(counts).flatMap(([state, count]) =>
      state === "Fiscalised" ? [] : [`${count} ${stateTexts[state] ?? state}`]
    )
  ]
  const rows = strays === 0 ? [] : [`${strays} finding${strays === 1 ? "" : "s"} outside any document`]
  return `${documents} document${documents === 1 ? "" : "s"}: ${[...parts, ...rows].join(", ") || "nothing to send"}`
}
