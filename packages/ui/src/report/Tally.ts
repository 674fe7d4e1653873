/**
 * Totals of a report, gathered document by document. Memory stays flat for any number of documents.
 */
import type * as Finding from "@fiscal-connector/core/finding/Finding"
import type { ImportedDocument } from "@fiscal-connector/core/import/ImportedDocument"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as RunReport from "@fiscal-connector/core/session/RunReport"
import * as SignedSums from "@fiscal-connector/core/unstable/import/SignedSums"
import * as ImportSummary from "@fiscal-connector/core/import/ImportSummary"

/** A row of a cause: the document's number, and the finding with its place. */
export interface CauseRow {
  readonly number: string
  readonly finding: Finding.Finding
}

export interface TalliedCause {
  readonly finding: Finding.Finding
  /** Number of findings. */
  count: number
  /** Number of documents, and their amounts. */
  documents: number
  sums: SignedSums.SignedSums
  /** Names of the documents, by `kind id`. */
  readonly names: Array<string>
  readonly rows: Array<CauseRow>
}

export interface SkippedTally {
  readonly reason: string
  count: number
  readonly numbers: Array<string>
}

/** Maximum rows per cause, causes, and numbers of skipped documents. */
const kept = { rows: 200, causes: 200, numbers: 100 }

/** Counts documents as they arrive. */
export class Tally {
  readonly #summing: ImportSummary.Summing
  readonly #causes = new Map<string, TalliedCause>()
  readonly #skipped = new Map<string, SkippedTally>()
  /** Work that the documents and the other findings leave. */
  readonly standings = new Set<RunReport.Standing>()
  /** Number of documents, and of findings without a document, that need an operator. */
  needing = 0
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
    this.#stand(RunReport.ofDocument(document, this.#dismissed))
    const counted = new Set<TalliedCause>()
    for (const finding of document.findings) {
      const cause = this.#cause(finding, document.number)
      if (cause === undefined || counted.has(cause)) continue
      counted.add(cause)
      cause.documents += 1
      cause.names.push(`${document.kind} ${document.id ?? document.number}`)
      cause.sums = SignedSums.plus(cause.sums, document)
    }
    if (document.state === "Skipped") this.#skip(document.said ?? "", document.number)
  }

  /** Adds a finding that belongs to no document. */
  addUnattached(finding: Finding.Finding): void {
    this.#stand(RunReport.ofFinding(finding, this.#dismissed))
    this.#cause(finding, "")
  }

  #stand(standing: RunReport.Standing): void {
    this.standings.add(standing)
    if (standing === "stuck" || standing === "needs-operator") this.needing += 1
  }

  #cause(finding: Finding.Finding, number: string): TalliedCause | undefined {
    const key = `${finding.code}\n${finding.message}`
    const cause = this.#causes.get(key) ?? {
      finding,
      count: 0,
      documents: 0,
      sums: SignedSums.none,
      names: [],
      rows: []
    }
    if (cause.count === 0 && this.#causes.size === kept.causes) {
      this.beyond += 1
      return undefined
    }
    this.#causes.set(key, cause)
    cause.count += 1
    if (cause.rows.length < kept.rows) cause.rows.push({ number, finding })
    return cause
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

  causes(severity: Finding.Finding["severity"]): ReadonlyArray<TalliedCause> {
    return [...this.#causes.values()].filter(({ finding }) => finding.severity === severity)
  }

  get skipped(): ReadonlyArray<SkippedTally> {
    return [...this.#skipped.values()]
  }
}
