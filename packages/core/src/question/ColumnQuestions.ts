/**
 * Which line has the names of the columns, and what each column is, if the header is unknown. The
 * adapter knows the fields and their places in a column map.
 */
import { Effect } from "effect"
import type {
  AdapterError,
  AskedColumn,
  AskedColumns,
  AskedField,
  AskedHeader,
  Input,
  InputFile
} from "../source/Adapter.ts"
import { amountsId } from "./Amounts.ts"
import * as FieldQuestions from "./FieldQuestions.ts"
import { type Choice, type OpenQuestion, typed } from "./OpenQuestion.ts"
import { fills } from "./TypedText.ts"

/** Id of the question for the line with the names. All other answers depend on this one. */
export const headerLine = "header line"

export const notUsed = "unused"

const plain = { examples: [], evidence: [], book: [], fill: null }

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

const columnQuestion = (
  file: string,
  { elsewhere, examples, id, meanings, proposal, unused, words }: AskedColumn
): OpenQuestion => {
  const likely = meanings.filter(({ evidence }) => evidence.length > 0)
  const choiceOf = ({ evidence, id: meaning, map, words }: AskedColumn["meanings"][number]): Choice => ({
    ...plain,
    id: meaning,
    words,
    evidence,
    reading: { map },
    meaning
  })
  return {
    id: idOf(id),
    subject: "columns",
    file,
    question: `What is ${words}?`,
    documents: 0,
    examples,
    choices: [
      ...likely.map(choiceOf),
      { ...plain, id: notUsed, words: "not used", reading: { map: { ...unused } } },
      ...meanings.filter((one) => !likely.includes(one)).map(choiceOf)
    ],
    ...(elsewhere !== undefined && { kept: elsewhere.map(choiceOf) }),
    proposal
  }
}

/** Answer that the file does not state a field that every document needs. */
export const lacking = {
  id: "stop",
  words: "none: the file does not state it. Stop, and export it again with this column"
}

const fieldQuestion = (
  file: string,
  { columns, field, none, question }: AskedField,
  all: ReadonlyArray<AskedColumn>
): OpenQuestion => ({
  id: `which ${field}`,
  subject: "columns",
  file,
  question,
  documents: 0,
  examples: [],
  choices: [
    ...columns.flatMap((id) => {
      const column = all.find((one) => one.id === id)
      const meaning = column?.meanings.find((one) => one.id === field)
      return column === undefined || meaning === undefined
        ? []
        : [
            {
              ...plain,
              id,
              words: column.words,
              examples: column.examples,
              // the answer is kept by the column, whose question reads it
              reading: null,
              meaning: field,
              as: { subject: idOf(id), choice: field }
            } satisfies Choice
          ]
    }),
    { ...plain, reading: null, ...(none === null ? lacking : { id: FieldQuestions.none, words: none }) }
  ],
  proposal: null
})

export interface AsksColumns<Options> {
  ask(file: InputFile, options: Options): Effect.Effect<AskedColumns, AdapterError>
}

export const ofFirst =
  <Options>(table: AsksColumns<Options>) =>
  ({ files: [file] }: Pick<Input, "files">, options: Options): Effect.Effect<AskedColumns, AdapterError> =>
    file === undefined ? Effect.succeed({ header: undefined, columns: [], fields: [] }) : table.ask(file, options)

export const of = (file: string, { columns, fields, header }: AskedColumns): ReadonlyArray<OpenQuestion> =>
  header !== undefined
    ? [headerQuestion(file, header)]
    : [
        ...fields.map((field) => fieldQuestion(file, field, columns)),
        ...columns.map((column) => columnQuestion(file, column))
      ]

export const fieldOf = (subject: string): string | undefined => /^which (.*)$/s.exec(subject)?.[1]

export const idOf = (column: string): string => `column ${column}`

export const isUnread = ({ id, subject }: Pick<OpenQuestion, "id" | "subject">): boolean =>
  subject === "file" && id.startsWith(idOf(""))

const earlier: { readonly [field: string]: string } = {
  unitPrice: "price",
  lineAmount: "amount",
  "tax.code": "tax",
  customerName: "buyer",
  status: "state",
  discountPercent: "discount percent",
  tax: "total tax",
  lineTotal: "amount with tax"
}

/**
 * Returns the answer of an earlier version to the question: the column of each field, or
 * `proposed` for all other columns.
 */
export const earlierAnswer = (
  { choices, id, proposal, subject }: OpenQuestion,
  answerOf: (subject: string) => string | undefined
): string | undefined => {
  if (subject !== "columns" || id === headerLine) return undefined
  const nameOf = (field: string) => earlier[field] ?? field
  const field = fieldOf(id)
  if (field !== undefined) return answerOf(`column ${nameOf(field)}`)
  const column = id.replace("column ", "")
  const own = choices.find((choice) => answerOf(`column ${nameOf(choice.id)}`) === column)
  if (own !== undefined) return own.id
  const isProposed = answerOf("columns") === "proposed" || answerOf("other columns") === "proposed"
  return isProposed ? (proposal ?? undefined) : undefined
}

/** Fields that the columns of other fields may show: an amount is quantity × price. */
const ofOthers: ReadonlySet<string | undefined> = new Set(["unitPrice", "lineAmount", "tax.code", "customerName"])

/**
 * Stage of a question: 0 for what the file is, 1 for the line of the names, 2 and 3 for fields
 * without a column, 4 for the columns, 5 for the rows, kinds and fields of the file, 6 for all
 * others.
 * The questions of a later stage are about the file as the earlier answers read it.
 */
export const stage = ({ choices, id, proposal, subject }: OpenQuestion): number => {
  if (subject === "contents") return 0
  if (id === headerLine) return 1
  if (subject === "columns") return fieldOf(id) === undefined ? 4 : ofOthers.has(fieldOf(id)) ? 3 : 2
  // a kind decides which policies count, and amounts show a tax only by their basis
  const isOfKinds = subject === "documents" && choices.some(({ reading }) => reading !== null && "map" in reading)
  // a field is found before a default replaces it
  return subject === "file" || isOfKinds || FieldQuestions.isOf(id) || (id === amountsId && proposal === null) ? 5 : 6
}
