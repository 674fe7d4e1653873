/**
 * Open questions as data, with choices and evidence from the file. Hosts display them and return
 * the id of a choice; see docs/start.md#answers.
 */
import { Schema } from "effect"
import { Answer } from "../finding/Answer.ts"
import { CivilDate } from "../document/CivilDate.ts"
import type { BookEdit } from "../mapping/BookEditing.ts"
import { inForm } from "./TypedText.ts"

/**
 * Placeholder in a choice for the operator's typed text: `{ "settings": { "currency": "{typed}" }
 * }`.
 */
export const typed = "{typed}"

/** Placeholder for a currency that only the operator knows: the ISO code for no currency. */
export const placeholder = "XXX"

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
  lines: Schema.optional(Schema.Literals(["all", "taxable", "exempt", "amounts", "charges"]))
})

export type QuestionEdit = Exclude<BookEdit, { readonly what: "forgotten spelling" }>

export const Edit = Schema.Union([
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
    what: Schema.Literal("described product"),
    description: Schema.String,
    productCode: Schema.String
  }),
  Schema.Struct({
    what: Schema.Literal("setting"),
    path: Schema.NonEmptyArray(Schema.String),
    value: Schema.Unknown
  })
]) satisfies Schema.Codec<QuestionEdit, unknown>

export const Choice = Schema.Struct({
  /**
   * Id, the same in every run for the same file, book and device. A file of answers refers to it.
   */
  id: Schema.String,
  words: Schema.String,
  examples: Schema.Array(Schema.String),
  evidence: Schema.Array(Schema.String),
  reading: Schema.NullOr(Answer),
  book: Schema.Array(Edit),
  /** Description of the text to type: `the currency's code, as USD`. Null if no text is needed. */
  fill: Schema.NullOr(Schema.String),
  /** Meaning that one subject only can have: of two columns, one is the number. Left out: any. */
  meaning: Schema.optionalKey(Schema.String),
  /** Subject and choice that the answer is kept as, if the question asks which subject it is. */
  as: Schema.optionalKey(Schema.Struct({ subject: Schema.String, choice: Schema.String }))
})
export type Choice = typeof Choice.Type

/** Subjects of questions, in the order in which hosts group the questions. */
export const subjects = [
  "contents",
  "columns",
  "file",
  "zone",
  "currency",
  "tax",
  "amounts",
  "lines",
  "buyers",
  "documents"
] as const

export const OpenQuestion = Schema.Struct({
  /** Id, the same for the same question in every run and for every file. */
  id: Schema.String,
  subject: Schema.Literals(subjects),
  file: Schema.NullOr(Schema.String),
  question: Schema.String,
  documents: Schema.Int,
  examples: Schema.Array(Schema.String),
  choices: Schema.Array(Choice),
  /** Id of the choice that the evidence supports; null if only the operator can decide. */
  proposal: Schema.NullOr(Schema.String)
})
type Offered = typeof OpenQuestion.Type
export interface OpenQuestion extends Offered {
  /** Choices that are not offered, and that an answer of before keeps. Left out: none. */
  readonly kept?: ReadonlyArray<Choice>
}

export const plain = { examples: [], evidence: [], reading: null, book: [], fill: null } as const

export const leaveOut: Choice = {
  id: "leave-out",
  words: "leave these documents out: they are refused, and nothing of them is sent",
  ...plain
}

const figures = new Set(["year", "headerLine"])

const filledIn = (value: unknown, text: string, name = ""): unknown => {
  if (value === typed && name === "percent") return text.replace(/ ?%$/, "")
  if (value === typed) return figures.has(name) && /^\d+$/.test(text) ? Number(text) : text
  if (Array.isArray(value)) return value.map((each) => filledIn(each, text, name))
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, text, key)]))
}

export const filled = (choice: Choice, text: string): Choice =>
  choice.fill === null
    ? choice
    : {
        ...choice,
        fill: null,
        reading: filledIn(choice.reading, text) as Choice["reading"],
        book: filledIn(choice.book, text) as Choice["book"]
      }

export const openOf = ({ choices }: Pick<OpenQuestion, "choices">): Choice | undefined =>
  choices.find(({ fill }) => fill !== null)

/**
 * Returns the choice for a text: a choice with this id, otherwise the choice that takes typed text
 * of this form. Undefined if neither exists.
 */
export const chosen = (question: Pick<OpenQuestion, "choices">, text: string): Choice | undefined => {
  const named = question.choices.find(({ fill, id }) => id === text && fill === null)
  if (named !== undefined) return named
  const open = openOf(question)
  const typed = open?.fill == null ? undefined : inForm(open.fill, text)
  return open === undefined || typed === undefined ? undefined : filled(open, typed)
}

export const expected = (question: Pick<OpenQuestion, "choices">): string => {
  const named = question.choices.flatMap(({ fill, id }) => (fill === null ? [JSON.stringify(id)] : []))
  const fill = openOf(question)?.fill ?? null
  return [...(named.length === 0 ? [] : [`one of ${named.join(", ")}`]), ...(fill === null ? [] : [fill])].join(
    ", and not "
  )
}
