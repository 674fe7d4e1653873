/**
 * Asks which line of a file has the names of its columns, and which column states each field, if
 * the header is unknown. The adapter knows the fields and their places in a column map.
 */
import type { AskedColumns, AskedField, AskedHeader } from "../source/Adapter.ts"
import * as FieldQuestions from "./FieldQuestions.ts"
import { type Choice, type OpenQuestion, typed } from "./OpenQuestion.ts"
import { fills } from "./TypedText.ts"

/** Id of the question for the line with the names. All other answers depend on this one. */
export const headerLine = "header line"

/** Id of the choice that asks for every column separately. */
export const oneByOne = "one-by-one"

const plain = { examples: [], evidence: [], book: [], fill: null }

/** Longest text of a line in a choice: a line of a terminal. */
const longestLine = 90

const shortened = (text: string): string => (text.length > longestLine ? `${text.slice(0, longestLine)}…` : text)

const headerQuestion = (file: string, { lines, proposal }: AskedHeader): OpenQuestion => ({
  id: headerLine,
  subject: "columns",
  file,
  question: "The names of the columns are not known. Which line has them?",
  documents: 0,
  examples: [],
  choices: [
    ...lines.map(({ cells, line }): Choice => ({
      ...plain,
      id: String(line),
      words: `line ${line}: ${shortened(cells.join(" | "))}`,
      reading: { settings: { headerLine: line } }
    })),
    {
      ...plain,
      id: "0",
      words: "no line: the file has no names, and begins with its first invoice",
      reading: { settings: { headerLine: 0 } }
    },
    {
      ...plain,
      id: "typed",
      words: "another line",
      reading: { settings: { headerLine: typed } },
      fill: fills.line
    }
  ],
  proposal: proposal === null ? null : String(proposal)
})

const fieldQuestion = (file: string, { choices, field, none, proposal, question }: AskedField): OpenQuestion => ({
  id: `column ${field}`,
  subject: "columns",
  file,
  question,
  documents: 0,
  examples: [],
  choices: [
    ...choices.map(({ columns, evidence, examples, id, map, words }): Choice => ({
      ...plain,
      id,
      words,
      examples,
      evidence,
      reading: { map },
      columns
    })),
    ...(none === null ? [] : [{ ...plain, id: FieldQuestions.none, words: none, reading: { map: {} } }])
  ],
  proposal
})

const othersQuestion = (
  file: string,
  { columns, evidence, map }: NonNullable<AskedColumns["others"]>
): OpenQuestion => ({
  id: "other columns",
  subject: "columns",
  file,
  question: "Are the other columns what their names state?",
  documents: 0,
  examples: [],
  choices: [
    {
      ...plain,
      id: "proposed",
      words: "the other columns are what their names state",
      evidence,
      reading: { map: { ...map } },
      columns
    },
    { ...plain, id: FieldQuestions.none, words: "no: these columns are not used", reading: { map: {} } }
  ],
  proposal: "proposed"
})

/** Returns the questions; an empty list if every field has a column with a known name. */
export const of = (file: string, { fields, header, others }: AskedColumns): ReadonlyArray<OpenQuestion> =>
  header !== undefined
    ? [headerQuestion(file, header)]
    : fields.length === 0
      ? []
      : [
          ...fields.map((field) => fieldQuestion(file, field)),
          ...(others === undefined ? [] : [othersQuestion(file, others)])
        ]

/** Returns the choice that asks for each column, in place of a proposal for all columns. */
export const separately: Choice = {
  ...plain,
  id: oneByOne,
  words: "no: ask for each of them",
  reading: { map: { columns: {} } }
}

/**
 * Stage of a question: 0 for what the file is, 1 for the line of the names, 2 for the columns, 3
 * for everything else. The questions of a later stage are about the file as the earlier answers
 * read it.
 */
export const stage = ({ id, subject }: Pick<OpenQuestion, "id" | "subject">): number =>
  subject === "contents" ? 0 : id === headerLine ? 1 : subject === "columns" ? 2 : 3

/** Columns that two answers would read, with the ids of both questions. */
export const readTwice = (
  answered: ReadonlyArray<{ readonly question: OpenQuestion; readonly choice: Choice }>
): ReadonlyArray<{ readonly column: string; readonly questions: readonly [string, string] }> =>
  answered.flatMap(({ choice, question }, i) =>
    answered.slice(0, i).flatMap((before) => {
      const column = choice.columns?.find((one) => before.choice.columns?.includes(one))
      return column === undefined ? [] : [{ column, questions: [before.question.id, question.id] as const }]
    })
  )
