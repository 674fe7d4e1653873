import {
  Finding,
  type FindingCode,
  FormulaText,
  type Money,
  type Provenance,
  TextEdges
} from "@fiscal-connector/core/adapter"
import { CsvFinding } from "../finding/CsvFinding.ts"
import * as Characters from "../values/Characters.ts"
import * as IdentifierForm from "../values/IdentifierForm.ts"
import * as NumberForm from "../values/NumberForm.ts"
import { quoted } from "../scan/Row.ts"
import { Control, High, NotText, TroubleCell } from "../scan/Scanner.ts"

export interface NotedCell {
  readonly text: string
  readonly column: string
  readonly path: Finding.Path
  at(): Provenance.Provenance
  readonly flags: number
  readonly notText?: FindingCode.FindingCode | undefined
}

export class Notes {
  readonly findings: Array<Finding.Finding> = []
  readonly signs: Array<string> = []
  private readonly controls: "refuse" | "blank"
  private readonly moneySigns: NumberForm.MoneySigns

  /** `controls`: treatment of control characters in texts. */
  constructor(moneySigns: NumberForm.MoneySigns, controls: "refuse" | "blank" = "refuse") {
    this.moneySigns = moneySigns
    this.controls = controls
  }

  report(code: FindingCode.FindingCode, particulars: Finding.Particulars): void {
    this.findings.push(Finding.make(code, particulars))
  }

  hasAt(path: Finding.Path): boolean {
    return this.findings.some((finding) => path.every((part, i) => finding.path[i] === part))
  }

  number(
    cell: NotedCell,
    mark: NumberForm.DecimalMark,
    read: NumberForm.Reader = NumberForm.read
  ): Money.Money | undefined {
    // reported with the cell's row
    if ((cell.flags & TroubleCell) !== 0) return undefined
    const value = read(cell.text, mark, this.moneySigns)
    if (typeof value !== "string") {
      const sign = NumberForm.moneySign(cell.text, this.moneySigns)
      if (sign !== undefined && !this.signs.includes(sign)) this.signs.push(sign)
      return value
    }
    const code = value === NumberForm.formula ? CsvFinding.CSV_FORMULA : CsvFinding.CSV_NUMBER_UNREADABLE
    const isPercent = cell.path.at(-1) === "quantity" && /^[\d.,\s]+%$/.test(cell.text.trim())
    this.report(code, {
      path: cell.path,
      message: `A cell of "${cell.column}" ${value}`,
      detail: `${quoted(cell.text.trim())}${NumberForm.likeDigit(cell.text)}`,
      at: cell.at(),
      // no setting converts a percent to a quantity
      ...(isPercent && {
        fix: "A percent is not a quantity. Write the number of pieces, or the part as 0.5 in place of 50%.",
        answers: []
      })
    })
    return undefined
  }

  identifier(cell: NotedCell): string {
    const { text } = cell
    if ((cell.flags & TroubleCell) !== 0) return text
    this.checkCell(cell)
    if (text.includes("\0") || text.includes("\ufffd")) this.checkText(cell)
    const hidden = Characters.hiddenIn(TextEdges.withoutPlainBlanks(text))
    if (hidden !== undefined && !text.includes("\0")) {
      const message = `A cell of "${cell.column}" holds the character ${hidden}, which is invisible`
      this.report(CsvFinding.CSV_HIDDEN_CHARACTER, {
        path: cell.path,
        message,
        detail: quoted(text.trim()),
        at: cell.at()
      })
    }
    const { trouble, value } = IdentifierForm.read(text)
    if (trouble !== undefined) {
      const code = {
        apostrophe: CsvFinding.CSV_APOSTROPHE,
        wrapped: CsvFinding.CSV_TEXT_FORMULA,
        damaged: CsvFinding.CSV_IDENTIFIER_DAMAGED,
        formula: CsvFinding.CSV_FORMULA
      }[trouble]
      this.report(code, { path: cell.path, detail: quoted(cell.text.trim()), at: cell.at() })
    }
    return value
  }

  static isOrdinary(text: string, flags: number): boolean {
    return (flags & (High | Control | NotText | TroubleCell)) === 0 && !text.includes("'")
  }

  /** Removes an apostrophe that protects the text from running as a formula. */
  text(cell: NotedCell): string {
    if ((cell.flags & TroubleCell) !== 0) return cell.text
    this.checkCell(cell)
    this.checkText(cell)
    const text = (this.controls === "blank" ? Characters.withoutControls(cell.text) : cell.text).trim()
    return FormulaText.withoutMarks(text).trim()
  }

  private checkCell({ at, notText, path, text }: NotedCell): void {
    if (notText !== undefined) this.report(notText, { path, detail: quoted(text.trim()), at: at() })
  }

  private checkText({ at, path, text }: NotedCell): void {
    if (text.includes("\0")) this.report(CsvFinding.CSV_NUL, { path, at: at() })
    else if (text.includes("\ufffd")) this.report(CsvFinding.CSV_BAD_TEXT, { path, at: at() })
    else if (this.controls === "refuse" && Characters.hasControl(text)) {
      this.report(CsvFinding.CSV_CONTROL_CHARACTER, { path, at: at() })
    }
  }
}
