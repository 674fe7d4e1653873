/**
 * Totals of a report, gathered document by document. Memory stays flat for any number of documents.
 */
import type * as Finding from "@fiscal-connector/core/finding/Finding"
import type { ImportedDocument } from "@fiscal-connector/core/import/ImportedDocument"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as RunReport from "@fiscal-connector/core/session/RunReport"
import * as ImportSummary from "@fiscal-connector/core/import/ImportSummary"

/** A row of a cause: the document's number, and the finding with its place. */
export interface CauseRow {
  readonly number: string
  readonly finding: Finding.Finding
}

export interface Cause {
  readonly finding: Finding.Finding
  count: number
  readonly rows: Array<CauseRow>
}

export interface Skipped {
  readonly reason: string
  count: number
  readonly numbers: Array<string>
}

/** Maximum rows per cause, causes, and numbers of skipped documents. */
const kept = { rows: 200, causes: 200, numbers: 100 }

/** Counts documents as they arrive. */
export class Tally {
  readonly #summing: ImportSummary.Summing
  readonly #causes = new Map<string, Cause>()
  readonly #skipped = new Map<string, Skipped>()
  /** Work that the documents and the other findings leave. */
  readonly standings = new Set<RunReport.Standing>()
  /** Number of findings with causes beyond the maximum. */
  beyond = 0

  readonly #dismissed: ReadonlySet<string>

  /**
   * Creates a tally. `book`: mapping book of the translation, for the sums by tax. `dismissed`:
   * names of refused documents that need no operator any more.
   */
  constructor(book: Pick<MappingBook, "taxes">, dismissed: ReadonlySet<string> = new Set()) {
    this.#dismissed = dismissed
    this.#summing = ImportSummary.make(book)
  }

  add(document: ImportedDocument): void {
    this.#summing.add(document)
    this.standings.add(RunReport.ofDocument(document, this.#dismissed))
    for (const finding of document.findings) this.#cause(finding, document.number)
    if (document.state === "Skipped") this.#skip(document.said ?? "", document.number)
  }

  /** Adds a finding that belongs to no document. */
  addUnattached(finding: Finding.Finding): void {
    this.standings.add(RunReport.ofFinding(finding, this.#dismissed))
    this.#cause(finding, "")
  }

  #cause(finding: Finding.Finding, number: string): void {
    const key = `${finding.code}\n${finding.message}`
    const cause = this.#causes.get(key) ?? { finding, count: 0, rows: [] }
    if (cause.count === 0 && this.#causes.size === kept.causes) {
      this.beyond += 1
      return
    }
    this.#causes.set(key, cause)
    cause.count += 1
    if (cause.rows.length < kept.rows) cause.rows.push({ number, finding })
  }

  #skip(reason: string, number: string): void {
    const skipped = this.#skipped.get(reason) ?? { reason, count: 0, numbers: [] }
    this.#skipped.set(reason, skipped)
    skipped.count += 1
    if (skipped.numbers.length < kept.numbers) skipped.numbers.push(number)
  }

  get summary(): ImportSummary.ImportSummary {
    return this.#summing.summary
  }

  causes(severity: Finding.Finding["severity"]): ReadonlyArray<Cause> {
    return [...this.#causes.values()].filter(({ finding }) => finding.severity === severity)
  }

  get skipped(): ReadonlyArray<Skipped> {
    return [...this.#skipped.values()]
  }
}
