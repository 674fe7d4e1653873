/** Questions of rows that belong to no document, where an answer says which document they belong to. */
import { type Finding, refuses } from "../finding/Finding.ts"
import * as Provenance from "../finding/Provenance.ts"
import * as AnsweredReading from "./AnsweredReading.ts"
import { leaveOut, type OpenQuestion } from "./OpenQuestion.ts"

interface Rows {
  readonly finding: Finding
  count: number
  readonly places: Array<string>
}

export class RowQuestions {
  private readonly rows = new Map<string, Rows>()

  /** Takes a finding of the export that is about no document. */
  take(finding: Finding): void {
    if (!refuses(finding) || (finding.answers ?? []).length === 0) return
    const key = `${finding.code} ${JSON.stringify(finding.answers)}`
    const rows = this.rows.get(key) ?? { finding, count: 0, places: [] }
    this.rows.set(key, rows)
    rows.count += 1
    if (finding.at !== undefined && rows.places.length < 3) rows.places.push(Provenance.format(finding.at))
  }

  questions(): ReadonlyArray<OpenQuestion> {
    return Array.from(this.rows.values(), ({ count, finding: { answers = [], at, code, fix, message }, places }) => {
      const choices = answers.flatMap((answer) => AnsweredReading.choiceOf(answer) ?? [])
      return {
        id: code,
        subject: "file" as const,
        file: at?.file ?? null,
        question: `${message}. ${fix} Rows: ${count} (${places.join("; ")})`,
        documents: 0,
        examples: [],
        choices: [...choices, leaveOut],
        proposal: null
      }
    }).filter(({ choices }) => choices.length > 1)
  }
}
