/** What a report says of an import as a whole, gathered document by document; memory stays flat however many there are. */
import type * as Finding from "@fiscal-connector/core/finding/Finding"
import type { ImportedDocument } from "@fiscal-connector/core/import/ImportedDocument"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as ImportSummary from "@fiscal-connector/core/import/ImportSummary"

/** One row of a cause: whose it is, and the finding with its place. */
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

/** How many rows of a cause are kept, how many causes, and how many numbers of what was skipped. */
const kept = { rows: 200, causes: 200, numbers: 100 }

/** Takes documents as they come. */
export class Tally {
  readonly #summing: ImportSummary.Summing
  readonly #causes = new Map<string, Cause>()
  readonly #skipped = new Map<string, Skipped>()
  /** Findings of causes beyond those that are kept. */
  beyond = 0

  /** `book`: the one they were translated by, by which taxes are summed up. */
  constructor(book: Pick<MappingBook, "taxes">) {
    this.#summing = ImportSummary.make(book)
  }

  add(document: ImportedDocument): void {
    this.#summing.add(document)
    for (const finding of document.findings) this.#cause(finding, document.number)
    if (document.state === "Skipped") this.#skip(document.said ?? "", document.number)
  }

  /** A finding that belongs to no document. */
  addUnattached(finding: Finding.Finding): void {
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
