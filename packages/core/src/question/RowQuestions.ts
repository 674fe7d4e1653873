/**
 * Questions that must be answered before further questions are possible: rows that do not belong to
 * a document, and unreadable dates of documents.
 */
import { type Finding, refuses } from "../finding/Finding.ts"
import * as Provenance from "../finding/Provenance.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import * as AnsweredReading from "./AnsweredReading.ts"
import { questionIn } from "./FindingQuestions.ts"
import { leaveOut, type OpenQuestion } from "./OpenQuestion.ts"

interface RowsOfFinding {
  readonly finding: Finding
  rows: number
  readonly places: Array<string>
  documents: number
  readonly examples: Array<string>
}

export class RowQuestions {
  private readonly rows = new Map<string, RowsOfFinding>()

  /** Adds a finding of the export that does not concern a document. */
  take(finding: Finding): void {
    const found = this.foundAs(finding)
    if (found === undefined) return
    found.rows += 1
    if (finding.at !== undefined && found.places.length < 3) found.places.push(Provenance.format(finding.at))
  }

  /**
   * Counts the document's finding about its unreadable date for a question, if a setting can
   * resolve it. Without a date, the document's taxes are not looked up.
   */
  takeDay({ date, findings, id, number }: SourceDocument): void {
    if (date !== undefined) return
    const finding = findings.find(
      ({ answers = [], path }) => path[0] === "date" && answers.length > 0 && answers.every((one) => "settings" in one)
    )
    const found = finding && this.foundAs(finding)
    if (found === undefined) return
    found.documents += 1
    if (found.examples.length < 3) found.examples.push(number || id)
  }

  private foundAs(finding: Finding): RowsOfFinding | undefined {
    if (!refuses(finding) || (finding.answers ?? []).length === 0) return undefined
    const key = `${finding.code} ${JSON.stringify(finding.answers)}`
    const known = this.rows.get(key) ?? { finding, rows: 0, places: [], documents: 0, examples: [] }
    this.rows.set(key, known)
    return known
  }

  questions(): ReadonlyArray<OpenQuestion> {
    return Array.from(this.rows.values(), ({ documents, examples, finding, places, rows }) => {
      const { answers = [], at, code } = finding
      const choices = answers.flatMap((answer) => AnsweredReading.choiceOf(answer) ?? [])
      return {
        id: code,
        subject: "file" as const,
        file: at?.file ?? null,
        question: `${questionIn(finding)}${rows === 0 ? "" : ` Rows: ${rows} (${places.join("; ")})`}`,
        documents,
        examples,
        choices: [...choices, leaveOut],
        proposal: null
      }
    }).filter(({ choices }) => choices.length > 1)
  }
}
