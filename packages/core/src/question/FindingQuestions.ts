/**
 * Findings that a setting or a column map can answer: about documents, and about rows and dates
 * that must be read before further questions are possible.
 */
import type { Answer } from "../finding/Answer.ts"
import { type Finding, refuses } from "../finding/Finding.ts"
import * as Provenance from "../finding/Provenance.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { UnreadNumbers } from "../translate/UnwitnessedTotals.ts"
import * as AnsweredReading from "./AnsweredReading.ts"
import * as ColumnQuestions from "./ColumnQuestions.ts"
import { type Choice, leaveOut, type OpenQuestion } from "./OpenQuestion.ts"

interface RowsOfFinding {
  readonly finding: Finding
  rows: number
  readonly places: Array<string>
  documents: number
  readonly examples: Array<string>
}

export interface AskedFinding {
  readonly question: OpenQuestion
  readonly group: Group
}

export interface Group {
  readonly finding: Finding
  readonly field: string | undefined
  documents: number
  readonly examples: Array<string>
  /** `adapter`: found by the adapter while reading. */
  by?: "adapter"
}

const mostQuestions = 50
/** Characters of a row that a question shows. */
const mostText = 120
const mostCodes = 500

export class FindingQuestions {
  private readonly groups = new Map<string, Group>()
  private readonly rest = new Map<string, Group>()

  private count(groups: Map<string, Group>, key: string, finding: Finding, source: SourceDocument): void {
    const known = groups.get(key)
    if (known === undefined && groups.size >= mostCodes) return
    const isOfAdapter = source.findings.some(({ code }) => code === finding.code)
    const about = { finding, field: fieldIn(finding, source), documents: 0, examples: [] }
    const group: Group = known ?? { ...about, ...(isOfAdapter && { by: "adapter" }) }
    groups.set(key, group)
    group.documents += 1
    if (group.examples.length < 3) group.examples.push(source.number || source.id)
  }

  take(source: SourceDocument, findings: ReadonlyArray<Finding>, isAsked: (finding: Finding) => boolean): void {
    const keys = new Set<string>()
    for (const finding of findings) {
      if (isAsked(finding) || finding.unmapped !== undefined) continue
      const answers = (finding.answers ?? []).flatMap((answer) => AnsweredReading.choiceOf(answer) ?? [])
      const key =
        answers.length > 0
          ? `answers ${finding.code} ${JSON.stringify(finding.answers)}`
          : `rest ${finding.code} ${finding.message}`
      if (keys.has(key)) continue
      keys.add(key)
      this.count(answers.length > 0 ? this.groups : this.rest, key, finding, source)
    }
  }

  questions(): ReadonlyArray<AskedFinding> {
    const asked = Array.from(this.groups.values(), (group): AskedFinding => {
      const choices = distinct(group.finding.answers!.flatMap((answer) => AnsweredReading.choiceOf(answer) ?? []))
      const words = choices.map(({ reading }) => wordIn(reading)).find((word) => word !== undefined)
      const about = group.field ?? words
      const column = group.field === undefined ? undefined : columnChoices(choices)
      const question: OpenQuestion = {
        id:
          column !== undefined
            ? ColumnQuestions.idOf(group.field!)
            : about === undefined
              ? group.finding.code
              : `${group.finding.code} ${about}`,
        subject: column === undefined ? subjectOf(group.finding) : "file",
        file: null,
        question: questionIn(group.finding),
        documents: group.documents,
        examples: group.examples,
        choices: [...(column ?? choices), leaveOut],
        proposal: null
      }
      return { question, group }
    })
    return asked.slice(0, mostQuestions)
  }

  unsettled(): ReadonlyArray<Group> {
    return [...this.rest.values()].toSorted((a, b) => b.documents - a.documents)
  }
}

/**
 * Undefined if one of them is about something else. The column has the same subject and meanings
 * wherever it is asked.
 */
const columnChoices = (choices: ReadonlyArray<Choice>): ReadonlyArray<Choice> | undefined => {
  const each = choices.map((choice): Choice | undefined => {
    const map = choice.reading !== null && "map" in choice.reading ? choice.reading.map : {}
    const { columns, unread, version: _, ...others } = map
    if (Object.keys(others).length > 0) return undefined
    if (Array.isArray(unread)) return { ...choice, id: ColumnQuestions.notUsed }
    const [field, ...more] = Object.keys((columns ?? {}) as object)
    return field === undefined || more.length > 0 ? undefined : { ...choice, id: field, meaning: field }
  })
  return each.some((choice) => choice === undefined) ? undefined : each.flatMap((choice) => choice ?? [])
}

const subjectOf = ({ code }: Finding): OpenQuestion["subject"] =>
  code === "AMOUNTS_UNSTATED" ? "amounts" : code === "CURRENCY_MISSING" ? "currency" : "documents"

const wordIn = (reading: Answer | null): string | undefined => {
  if (reading === null || !("map" in reading)) return undefined
  const meanings = Object.values(reading.map).find((part) => typeof part === "object" && part !== null)
  return meanings === undefined || Array.isArray(meanings) ? undefined : Object.keys(meanings as object)[0]
}

const fieldIn = ({ path }: Finding, { words }: SourceDocument): string | undefined =>
  path[0] === "words" ? words?.[Number(path[1])]?.name : undefined

/** Two settings may take the same value, such as a field offered as TIN and as VAT number. */
const distinct = (choices: ReadonlyArray<Choice>): ReadonlyArray<Choice> =>
  choices.map((choice) => {
    const { id, reading } = choice
    const isOne = choices.filter((other) => other.id === id).length === 1
    const [setting] = reading !== null && "settings" in reading ? Object.keys(reading.settings) : []
    return isOne || setting === undefined ? choice : { ...choice, id: `${setting}=${id}` }
  })

/** The choices are the remedy; the finding's `fix` is for a configuration written by hand. */
const questionIn = ({ detail, message }: Finding): string =>
  `${message}${detail === undefined ? "" : ` (${detail})`}. Which is it?`

/** Asks about all unread numbers of a file that could change its totals. */
export const ofUnread = ({ documents, examples, file, finding }: UnreadNumbers): OpenQuestion => ({
  id: finding.code,
  subject: subjectOf(finding),
  file,
  question: questionIn(finding),
  documents,
  examples,
  choices: [...(finding.answers ?? []).flatMap((answer) => AnsweredReading.choiceOf(answer) ?? []), leaveOut],
  proposal: null
})

export class RowQuestions {
  private readonly rows = new Map<string, RowsOfFinding>()

  take(finding: Finding): void {
    const found = this.foundAs(finding)
    if (found === undefined) return
    found.rows += 1
    if (finding.at !== undefined && found.places.length < 3) {
      const { text } = finding.at
      found.places.push(`${Provenance.format(finding.at)}${text === undefined ? "" : ` «${text.slice(0, mostText)}»`}`)
    }
  }

  /**
   * If a setting can resolve the unreadable date. Without a date, the document's taxes are not
   * looked up.
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
