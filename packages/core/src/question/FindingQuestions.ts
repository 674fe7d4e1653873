/**
 * Questions from findings that an adapter's setting or column map can answer, and from product
 * codes in a wrong form.
 */
import type { Answer } from "../finding/Answer.ts"
import type { Finding } from "../finding/Finding.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { UnreadNumbers } from "../translate/UnwitnessedTotals.ts"
import * as AnsweredReading from "./AnsweredReading.ts"
import * as ColumnQuestions from "./ColumnQuestions.ts"
import { type Choice, leaveOut, type OpenQuestion, typed } from "./OpenQuestion.ts"
import { fills } from "./TypedText.ts"

/** A question and the findings behind it. */
export interface AskedFinding {
  readonly question: OpenQuestion
  readonly group: Group
}

export interface Group {
  readonly finding: Finding
  /**
   * Name of the column or field with the problem; undefined if the finding does not concern a
   * field.
   */
  readonly field: string | undefined
  documents: number
  readonly examples: Array<string>
  /** `adapter`: found by the adapter while reading. */
  by?: "adapter"
}

/**
 * Maximum number of questions for one export: a file with more questions is read with wrong
 * columns.
 */
const mostQuestions = 50
/** Maximum number of groups of findings kept in memory. */
const mostCodes = 500

const plain = { examples: [], evidence: [], reading: null, fill: null }

export class FindingQuestions {
  private readonly groups = new Map<string, Group>()
  private readonly codes = new Map<string, Group>()
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

  /**
   * Adds the findings that refuse a document. `isAsked`: true for findings covered by another
   * question.
   */
  take(source: SourceDocument, findings: ReadonlyArray<Finding>, isAsked: (finding: Finding) => boolean): void {
    const keys = new Set<string>()
    for (const finding of findings) {
      if (isAsked(finding) || finding.unmapped !== undefined) continue
      const answers = (finding.answers ?? []).flatMap((answer) => AnsweredReading.choiceOf(answer) ?? [])
      const line =
        finding.code === "RCPT048" && finding.path[0] === "lines" ? source.lines[Number(finding.path[1])] : undefined
      const code = line?.productCode?.trim()
      const key =
        code !== undefined && code !== ""
          ? `code ${code}`
          : answers.length > 0
            ? `answers ${finding.code} ${JSON.stringify(finding.answers)}`
            : `rest ${finding.code} ${finding.message}`
      if (keys.has(key)) continue
      keys.add(key)
      if (code !== undefined && code !== "") this.count(this.codes, code, finding, source)
      else this.count(answers.length > 0 ? this.groups : this.rest, key, finding, source)
    }
  }

  /** Returns questions from findings, each with its group, and questions about product codes. */
  questions(): { readonly ofFindings: ReadonlyArray<AskedFinding>; readonly ofCodes: ReadonlyArray<OpenQuestion> } {
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
    return { ofFindings: asked.slice(0, mostQuestions), ofCodes: codeQuestions(this.codes) }
  }

  /** Returns the findings that no answer settles, grouped by cause. */
  unsettled(): ReadonlyArray<Group> {
    return [...this.rest.values()].toSorted((a, b) => b.documents - a.documents)
  }
}

/**
 * Returns the choices as meanings of one column; undefined if one of them is about something else.
 * The column has the same subject and the same meanings wherever it is asked.
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

/** Returns the word of the file whose meaning a part of a column map defines. */
const wordIn = (reading: Answer | null): string | undefined => {
  if (reading === null || !("map" in reading)) return undefined
  const meanings = Object.values(reading.map).find((part) => typeof part === "object" && part !== null)
  return meanings === undefined || Array.isArray(meanings) ? undefined : Object.keys(meanings as object)[0]
}

/** Returns the field of a finding: two unmapped fields are two questions. */
const fieldIn = ({ path }: Finding, { words }: SourceDocument): string | undefined =>
  path[0] === "words" ? words?.[Number(path[1])]?.name : undefined

/**
 * Makes the ids of choices unique: two settings may take the same value, such as a field offered as
 * TIN and as VAT number.
 */
const distinct = (choices: ReadonlyArray<Choice>): ReadonlyArray<Choice> =>
  choices.map((choice) => {
    const { id, reading } = choice
    const isOne = choices.filter((other) => other.id === id).length === 1
    const [setting] = reading !== null && "settings" in reading ? Object.keys(reading.settings) : []
    return isOne || setting === undefined ? choice : { ...choice, id: `${setting}=${id}` }
  })

/** Returns the finding as a question, with the first value of the file. */
export const questionIn = ({ detail, fix, message }: Finding): string =>
  `${message}${detail === undefined ? "" : ` (${detail})`}. ${fix}`

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

const padded = (code: string): string | undefined =>
  /^\d{7}$/.test(code) || /^\d{3}$/.test(code) ? `0${code}` : undefined

const codeQuestions = (codes: ReadonlyMap<string, Group>): ReadonlyArray<OpenQuestion> => {
  const all = [...codes]
  const short = all.filter(([code]) => padded(code) !== undefined)
  const other = all.filter(([code]) => padded(code) === undefined)
  return [
    ...asked(short, {
      id: "short-product-codes",
      question:
        "Product codes have a digit less than HS codes have, as when a spreadsheet drops a leading zero. Is it put back?",
      choices: [
        {
          ...plain,
          id: "restore",
          words: "yes, each is written with a zero before it",
          examples: short.slice(0, 3).map(([code]) => `${code} → ${padded(code)}`),
          book: short.map(([code]) => ({ what: "product code", spelling: code, productCode: padded(code)! }))
        },
        oneForAll(short)
      ]
    }),
    ...asked(other, {
      id: "item-codes",
      question: `Product codes are not HS codes of 8 digits: ${other
        .slice(0, 5)
        .map(([code]) => `"${code.slice(0, 40)}"`)
        .join(", ")}${other.length > 5 ? ` and ${other.length - 5} more` : ""}. What are they?`,
      choices: [oneForAll(other)]
    })
  ]
}

const oneForAll = (codes: ReadonlyArray<readonly [string, Group]>): Choice => ({
  ...plain,
  id: "typed",
  words: "all of them are one HS code; further ones are written into `productCodes` of the mapping book",
  book: codes.map(([code]) => ({ what: "product code", spelling: code, productCode: typed })),
  fill: fills.hsCode
})

const asked = (
  codes: ReadonlyArray<readonly [string, Group]>,
  { choices, id, question }: Pick<OpenQuestion, "id" | "question" | "choices">
): ReadonlyArray<OpenQuestion> =>
  codes.length === 0
    ? []
    : [
        {
          id,
          subject: "lines",
          file: null,
          question,
          documents: codes.reduce((sum, [, { documents }]) => sum + documents, 0),
          examples: codes.flatMap(([, { examples }]) => examples).slice(0, 3),
          choices: [...choices, leaveOut],
          proposal: null
        }
      ]
