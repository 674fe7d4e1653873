/**
 * Totals of a report, gathered document by document. Memory stays flat for any number of documents.
 */
import { Finding } from "@fiscal-connector/core/adapter"
import { ImportSummary, type ImportedDocument, RunReport } from "@fiscal-connector/core/session"
import type { MappingBook } from "@fiscal-connector/core/book"
import { SignedSums } from "@fiscal-connector/core/host/import"
import { Effect, Stream } from "effect"

export interface CauseRow {
  readonly number: string
  readonly finding: Finding.Finding
}

export interface TalliedCause {
  readonly finding: Finding.Finding
  count: number
  documents: number
  sums: SignedSums.SignedSums
  readonly names: Array<string>
  readonly rows: Array<CauseRow>
}

export interface SkippedTally {
  readonly reason: string
  count: number
  readonly numbers: Array<string>
}

const kept = { rows: 200, causes: 200, numbers: 100 }

export class Tally {
  readonly #summing: ImportSummary.Summing
  readonly #causes = new Map<string, TalliedCause>()
  readonly #skipped = new Map<string, SkippedTally>()
  readonly standings = new Set<RunReport.Standing>()
  /** Documents that need an operator. */
  needing = 0
  /** Needing documents that are fiscalised otherwise than stated, or canceled in the source. */
  readonly differing = { fiscalised: 0, canceled: 0 }
  /** Rows outside any document that need an operator. */
  strays = 0
  beyond = 0

  readonly #dismissed: ReadonlySet<string>

  /**
   * Creates a tally. `book`: mapping book of the translation, for the sums by tax. `dismissed`:
   * names of refused documents that need no operator any more.
   */
  constructor(book: Pick<MappingBook.MappingBook, "taxes">, dismissed: ReadonlySet<string> = new Set()) {
    this.#dismissed = dismissed
    this.#summing = ImportSummary.make(book)
  }

  add(document: ImportedDocument.ImportedDocument): void {
    this.#summing.add(document)
    if (this.#stand(RunReport.ofDocument(document, this.#dismissed))) {
      this.needing += 1
      if (document.state === "Fiscalised") this.differing.fiscalised += 1
    }
    const counted = new Set<TalliedCause>()
    for (const finding of document.findings) {
      const cause = this.#cause(finding, document.number)
      if (cause === undefined || counted.has(cause)) continue
      counted.add(cause)
      cause.documents += 1
      cause.names.push(`${document.kind} ${document.id ?? document.number}`)
      cause.sums = SignedSums.plus(cause.sums, document)
    }
    if (document.state === "Skipped") this.#skip(document.text ?? "", document.number)
  }

  addUnattached(finding: Finding.Finding): void {
    this.#cause(finding, "")
    if (!this.#stand(RunReport.ofFinding(finding, this.#dismissed))) return
    // the row of a canceled document is one of the skipped ones
    if (Finding.refuses(finding)) this.strays += 1
    else {
      this.needing += 1
      this.differing.canceled += 1
    }
  }

  #stand(standing: RunReport.Standing): boolean {
    this.standings.add(standing)
    return standing === "stuck" || standing === "needs-operator"
  }

  #cause(finding: Finding.Finding, number: string): TalliedCause | undefined {
    const key = `${finding.code}\n${finding.message}`
    const none = { finding, count: 0, documents: 0, sums: SignedSums.none, names: [], rows: [] }
    const cause: TalliedCause = this.#causes.get(key) ?? none
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

interface Gathering<E, R> {
  readonly book: Pick<MappingBook.MappingBook, "taxes">
  readonly unattached: ReadonlyArray<Finding.Finding>
  readonly documents: Stream.Stream<ReadonlyArray<ImportedDocument.ImportedDocument>, E, R>
}

/** Reads all documents of a report once. `each`: called with every document. */
export const gather = <E, R>(
  { book, documents, unattached }: Gathering<E, R>,
  each: (document: ImportedDocument.ImportedDocument) => void
): Effect.Effect<Tally, E, R> => {
  const tally = new Tally(book)
  for (const finding of unattached) tally.addUnattached(finding)
  const add = (document: ImportedDocument.ImportedDocument) => {
    tally.add(document)
    each(document)
  }
  return Effect.as(
    Stream.runForEach(documents, (page) => Effect.sync(() => page.forEach(add))),
    tally
  )
}
