/**
 * What is open about an export, as data: everything that would block it, each question with answers to choose from and the file's own evidence.
 * Hosts draw it and pass back the id of a choice; docs/questions.md says how.
 */
import { Schema } from "effect"
import { Answer } from "../finding/Answer.ts"
import { CivilDate } from "../document/CivilDate.ts"
import type { BookEdit } from "../mapping/BookEditing.ts"

/** Stands in a choice for the text that the operator types: `{ "settings": { "currency": "{typed}" } }`. */
export const typed = "{typed}"

const TaxEdit = Schema.Struct({
  what: Schema.Literal("tax"),
  spelling: Schema.String,
  code: Schema.String,
  device: Schema.Int,
  name: Schema.NullOr(Schema.String),
  percent: Schema.NullOr(Schema.String),
  since: Schema.NullOr(CivilDate),
  until: Schema.NullOr(CivilDate),
  account: Schema.optional(Schema.String),
  product: Schema.optional(Schema.String),
  lines: Schema.optional(Schema.Literals(["all", "taxable", "exempt"]))
})

/** Changes of a mapping book that an answer can make. */
export type QuestionEdit = Exclude<BookEdit, { readonly what: "described product" | "forgotten spelling" }>

const Edit = Schema.Union([
  TaxEdit,
  Schema.Struct({
    what: Schema.Literal("currency"),
    spelling: Schema.String,
    code: Schema.String,
    device: Schema.String
  }),
  Schema.Struct({ what: Schema.Literal("payment method"), spelling: Schema.String, method: Schema.String }),
  Schema.Struct({ what: Schema.Literal("product code"), spelling: Schema.String, productCode: Schema.String }),
  Schema.Struct({
    what: Schema.Literal("setting"),
    path: Schema.NonEmptyArray(Schema.String),
    value: Schema.Unknown
  })
]) satisfies Schema.Codec<QuestionEdit, unknown>

/** One answer that can be chosen. */
export const Choice = Schema.Struct({
  /** The same in every run for the same file, book and device. A file of answers names it. */
  id: Schema.String,
  /** What it means, as a sentence part for an operator. */
  words: Schema.String,
  /** Up to three values of the file under this answer. */
  examples: Schema.Array(Schema.String),
  /** What of the file speaks for it, with counts. */
  evidence: Schema.Array(Schema.String),
  /** How files are read by it; null where it concerns the mapping book alone. */
  reading: Schema.NullOr(Answer),
  /** What it writes into the mapping book. */
  book: Schema.Array(Edit),
  /** What the operator types, in words: `the currency's code, as USD`. Null where nothing is typed. */
  fill: Schema.NullOr(Schema.String)
})
export type Choice = typeof Choice.Type

/** What a question concerns; hosts group by it, in this order. */
export const subjects = ["file", "zone", "currency", "tax", "amounts", "lines", "buyers", "documents"] as const

export const OpenQuestion = Schema.Struct({
  /** The same for the same question in every run, whatever the file. */
  id: Schema.String,
  subject: Schema.Literals(subjects),
  /** The file it is asked of; null where it concerns all of them. */
  file: Schema.NullOr(Schema.String),
  question: Schema.String,
  /** Documents that cannot be sent as long as it is open. */
  documents: Schema.Int,
  /** Up to three of their numbers. */
  examples: Schema.Array(Schema.String),
  choices: Schema.Array(Choice),
  /** Id of the choice that the evidence speaks for; null where only the operator can say. */
  proposal: Schema.NullOr(Schema.String)
})
export type OpenQuestion = typeof OpenQuestion.Type

/** Choice that leaves the question's documents out of the import. */
export const leaveOut: Choice = {
  id: "leave-out",
  words: "leave these documents out: they are refused, and nothing of them is sent",
  examples: [],
  evidence: [],
  reading: null,
  book: [],
  fill: null
}

const figures = new Set(["year", "headerLine"])

const filledIn = (value: unknown, text: string, name = ""): unknown => {
  if (value === typed) return figures.has(name) && /^\d+$/.test(text) ? Number(text) : text
  if (Array.isArray(value)) return value.map((each) => filledIn(each, text, name))
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, text, key)]))
}

/** The choice with what the operator typed in it. */
export const filled = (choice: Choice, text: string): Choice =>
  choice.fill === null
    ? choice
    : {
        ...choice,
        fill: null,
        reading: filledIn(choice.reading, text) as Choice["reading"],
        book: filledIn(choice.book, text) as Choice["book"]
      }

/** The choice that a text names: by its id, else typed into the choice that takes a text. Undefined where it is neither. */
export const chosen = ({ choices }: Pick<OpenQuestion, "choices">, text: string): Choice | undefined => {
  const named = choices.find(({ fill, id }) => id === text && fill === null)
  if (named !== undefined) return named
  const open = choices.find(({ fill }) => fill !== null)
  return open === undefined || text === "" ? undefined : filled(open, text)
}
