import { FormulaText, type SourceDocument, StatedWords } from "@fiscal-connector/core/adapter"
import type { Interpretation, WordColumn } from "../detect/Interpretation.ts"
import type * as Row from "../scan/Row.ts"
import { isFilled } from "../scan/RowShape.ts"
import type { Scanner } from "../scan/Scanner.ts"

interface UnboundValue {
  readonly column: WordColumn
  readonly text: string
  readonly row: Row.Row
  readonly cell: number
}

export interface UnboundWord {
  readonly word: SourceDocument.SourceWord
  readonly row: Row.Row
  readonly cell: number
}

const ofLines: ReadonlySet<WordColumn["subject"]> = new Set(["taxable", "exempt", "item-code"])

const isOfLines = (subject: WordColumn["subject"]): boolean => ofLines.has(subject)

export class UnboundWords {
  private readonly how: Interpretation
  private readonly values: Array<UnboundValue> = []
  private readonly last: Array<string>

  constructor(how: Interpretation) {
    this.how = how
    this.last = how.words.map(() => "")
  }

  take(record: Scanner, row: Row.Row): void {
    const { words } = this.how
    for (let i = 0; i < words.length; i++) {
      const column = words[i]!
      const { cell, subject } = column
      if (!isFilled(record, cell)) continue
      const raw = record.rawCell(cell)
      if (!isOfLines(subject) && raw === this.last[i]) continue
      this.last[i] = raw
      const text = FormulaText.withoutMarks(record.cell(cell, raw).trim()).trim()
      if (text !== "" && text.length <= StatedWords.longestWord) this.values.push({ column, text, row, cell })
    }
  }

  /** `lines`: row of each line; a skipped row states nothing about a line. */
  of(lines: ReadonlyArray<Row.Row>): ReadonlyArray<UnboundWord> {
    return this.values.flatMap(
      ({ cell, column: { answers, name, subject }, row, text }): ReadonlyArray<UnboundWord> => {
        const means = this.means(subject, name, text)
        const line = isOfLines(subject) ? lines.indexOf(row) : undefined
        if (line === -1) return []
        const word = { subject, name, text, answers, ...(means && { means }), ...(line !== undefined && { line }) }
        return [{ word, row, cell }]
      }
    )
  }

  private means(subject: WordColumn["subject"], name: string, text: string): StatedWords.Meaning | undefined {
    const { settings, vocabulary } = this.how
    if (subject === "kind") return vocabulary.kind(text)
    if (subject !== "status") return undefined
    if (StatedWords.isOpenElsewhere(name, text)) return undefined
    const state = vocabulary.status(text)
    return state === "refunded" && settings.refundedSales === "issued" ? "issued" : state
  }
}
