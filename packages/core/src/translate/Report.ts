import * as Finding from "../finding/Finding.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"

export type Provable = "lines" | "taxes"

export interface TranslationNotes {
  readonly findings: ReadonlyArray<Finding.Finding>
  errors(): number
  /** True if the adapter could not read a value at or below the path. */
  isUnreadable(path: Finding.Path): boolean
  /**
   * Adds a finding, unless the adapter already has an error at this path: the adapter's error is
   * more precise.
   */
  add(code: FindingCode, path: Finding.Path, particulars?: Omit<Finding.Particulars, "path" | "at">): void
  /**
   * Adds a statement of the source that contradicts the translation. An error that refuses the
   * document, unless a stated total proves the translation.
   */
  doubt(
    what: Provable,
    code: FindingCode,
    path: Finding.Path,
    particulars?: Omit<Finding.Particulars, "path" | "at">
  ): void
  prove(what: Provable): void
}

const proven = "The sent amounts give the document's stated totals, so it is sent."

const none: ReadonlyArray<string> = []

class CollectedReport implements TranslationNotes {
  readonly findings: Array<Finding.Finding>
  private readonly source: SourceDocument
  private readonly unreadable: ReadonlyArray<string>
  /** Indices of doubts; created on demand, most documents have no doubts. */
  private lines: Set<number> | undefined = undefined
  private taxes: Set<number> | undefined = undefined

  constructor(source: SourceDocument) {
    const { findings } = source
    this.source = source
    this.findings = [...findings]
    this.unreadable = findings.length === 0 ? none : findings.filter(Finding.refuses).map(({ path }) => path.join("/"))
  }

  errors(): number {
    if (this.findings.length === 0) return 0
    const isDoubt = (i: number) => this.lines?.has(i) === true || this.taxes?.has(i) === true
    return this.findings.filter((finding, i) => Finding.refuses(finding) && !isDoubt(i)).length
  }

  isUnreadable(path: Finding.Path): boolean {
    return this.unreadable.some((key) => `${key}/`.startsWith(`${path.join("/")}/`))
  }

  add(...[code, path, particulars]: Parameters<TranslationNotes["add"]>): void {
    if (path.length > 0 && this.unreadable.includes(path.join("/"))) return
    this.findings.push(Finding.make(code, { ...particulars, path, at: this.source.where(path) }))
  }

  doubt(...[what, ...found]: Parameters<TranslationNotes["doubt"]>): void {
    const index = this.findings.length
    this.add(...found)
    if (this.findings.length > index) (this[what] ??= new Set()).add(index)
  }

  prove(what: Provable): void {
    const { findings } = this
    for (const i of this[what] ?? []) findings[i] = { ...findings[i]!, severity: "warning", consequence: proven }
  }
}

export const make = (source: SourceDocument): TranslationNotes => new CollectedReport(source)
