/**
 * Answers as a file that people can review and edit: a list to fill in, and next to the mapping
 * book the answers for later files with the same header. A list to fill in is never read as the
 * answers about earlier files.
 */
import { Effect, FileSystem, type Option, type PlatformError, Result, Schema } from "effect"
import * as Jsonc from "#jsonc-parser"
import { escaped } from "../document/EscapedText.ts"
import { Answer } from "../finding/Answer.ts"
import { type Finding, refuses } from "../finding/Finding.ts"
import { comment } from "../mapping/BookSkeleton.ts"
import * as BookText from "../mapping/BookText.ts"
import * as ColumnQuestions from "./ColumnQuestions.ts"
import { type Choice, Edit, type OpenQuestion } from "./OpenQuestion.ts"
import { noteId } from "./OriginalQuestions.ts"
import { policyQuestions } from "./PolicyQuestions.ts"
import * as JsonEdits from "../document/JsonEdits.ts"
import * as CivilDate from "../document/CivilDate.ts"
import type { Instant } from "../document/Instant.ts"
import * as TextFile from "../file/TextFile.ts"
import * as AtomicFile from "../file/AtomicFile.ts"

export const KeptAnswer = Schema.Struct({
  answer: Schema.String,
  says: Schema.String,
  on: Schema.String,
  reading: Schema.NullOr(Answer),
  book: Schema.Array(Edit),
  /** Subjects of the spellings that the answer is about together. Absent: its own subject only. */
  about: Schema.optionalKey(Schema.Array(Schema.String))
})
export type KeptAnswer = typeof KeptAnswer.Type

const Answers = Schema.Record(Schema.String, Schema.Union([Schema.String, KeptAnswer]))

const Entry = Schema.Struct({
  adapter: Schema.String,
  header: Schema.Array(Schema.String),
  from: Schema.String,
  on: Schema.String,
  settings: Schema.Record(Schema.String, Schema.Unknown),
  layout: Schema.optionalKey(Schema.String),
  columns: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  columnMap: Schema.optionalKey(Schema.String),
  /** Every answer by subject. Absent in entries of earlier versions. */
  answers: Schema.optionalKey(Schema.Record(Schema.String, KeptAnswer))
})
export type RememberedAnswers = typeof Entry.Type

const AnswersFile = Schema.Struct({
  version: Schema.Literal(1),
  answers: Schema.optionalKey(Answers),
  files: Schema.optionalKey(Schema.Array(Entry))
})

export class AnswersFileError extends Schema.TaggedError<AnswersFileError>(
  "@fiscal-connector/core/unstable/source/AnswersFileError"
)("AnswersFileError", {
  file: Schema.String,
  content: Schema.Literals(["file of answers of this version", "column map"])
}) {
  override get message() {
    return `${this.file} is not a ${this.content}. Correct it, or remove it: then everything is asked again`
  }
}

/** Returns `x.answers.json`, next to the mapping book `x.book.json`. */
export const fileOf = (book: string): string => `${book.replace(/(\.book)?\.json$/, "")}.answers.json`

/** `content`: what the file has to be. */
const reader = <A>(content: AnswersFileError["content"], schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (file: string, text: string): Effect.Effect<A, AnswersFileError> => {
    const errors: Array<Jsonc.ParseError> = []
    const read = decode(Jsonc.parse(text, errors, { allowTrailingComma: true }))
    return errors.length > 0 || Result.isFailure(read)
      ? Effect.fail(new AnswersFileError({ file, content }))
      : Effect.succeed(read.success)
  }
}

const answersIn = reader("file of answers of this version", AnswersFile)

const mapIn = reader("column map", Schema.Record(Schema.String, Schema.Unknown))

export const load = Effect.fnUntraced(function* (
  file: string
): Effect.fn.Return<
  ReadonlyArray<RememberedAnswers>,
  AnswersFileError | PlatformError.PlatformError,
  FileSystem.FileSystem
> {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(file))) return []
  const { files: entries = [] } = yield* answersIn(file, yield* TextFile.read(file))
  const whole = yield* Effect.forEach(entries, (entry) => {
    if (entry.columnMap === undefined) return Effect.succeed([entry])
    const map = `${file.replace(/[^/\\]*$/, "")}${entry.columnMap}`
    return Effect.flatMap(fs.exists(map), (isThere) =>
      // a removed map means that the operator wants to be asked again
      isThere ? Effect.map(columnsIn(map), (columns) => [{ ...entry, columns }]) : Effect.succeed([])
    )
  })
  return whole.flat()
})

const columnsIn = (file: string) => Effect.flatMap(TextFile.read(file), (text) => mapIn(file, text))

const isOf = (adapter: string, header: ReadonlyArray<string>) => (entry: RememberedAnswers) =>
  entry.adapter === adapter && JSON.stringify(entry.header) === JSON.stringify(header)

export const find = (
  entries: ReadonlyArray<RememberedAnswers>,
  adapter: string,
  header: ReadonlyArray<string>
): RememberedAnswers | undefined => entries.find(isOf(adapter, header))

const ofOneFile: ReadonlySet<string> = new Set(["year"])

export const worth = (answers: Omit<RememberedAnswers, "on">, at: Instant): RememberedAnswers | undefined => {
  const { answers: kept = {}, columnMap, columns, layout } = answers
  const settings = Object.fromEntries(Object.entries(answers.settings).filter(([name]) => !ofOneFile.has(name)))
  const isNothing =
    Object.keys({ ...settings, ...kept }).length === 0 &&
    layout === undefined &&
    columns === undefined &&
    columnMap === undefined
  return isNothing ? undefined : { ...answers, settings, on: CivilDate.of(at) }
}

const blank = `{
  // Answers about exported files, used for files with the same header.
  // Remove an entry to be asked again.
  "version": 1,
  "files": []
}
`

const change = (file: string, edit: (text: string, entries: ReadonlyArray<RememberedAnswers>) => string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const text = (yield* fs.exists(file)) ? yield* TextFile.read(file) : blank
    const edited = edit(text, (yield* answersIn(file, text)).files ?? [])
    if (edited === text) return
    yield* AtomicFile.writeText(file, edited)
  })

export const remember = (file: string, answers: RememberedAnswers) =>
  change(file, (text, entries) => {
    const at = entries.findIndex(isOf(answers.adapter, answers.header))
    return at === -1
      ? JsonEdits.modified(text, ["files", entries.length], answers, "insert")
      : JsonEdits.modified(text, ["files", at], answers)
  })

export const forget = (file: string, { adapter, header }: Pick<RememberedAnswers, "adapter" | "header">) =>
  change(file, (text, entries) => {
    const at = entries.findIndex(isOf(adapter, header))
    return at === -1 ? text : JsonEdits.modified(text, ["files", at], undefined)
  })

export const describe = ({ columns, layout, settings }: RememberedAnswers): string =>
  [
    ...Object.entries(settings).map(
      ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`
    ),
    ...(layout === undefined ? [] : [`layout ${layout}`]),
    ...(columns === undefined ? [] : ["which column is what"])
  ].join(", ")

export const recall = <F, E, R>(
  entries: ReadonlyArray<RememberedAnswers>,
  adapter: string,
  files: ReadonlyArray<F>,
  headerOf: (file: F, settings: RememberedAnswers["settings"]) => Effect.Effect<ReadonlyArray<string>, E, R>
): Effect.Effect<Option.Option<RememberedAnswers>, never, R> =>
  Effect.findFirst(
    entries.filter((entry) => entry.adapter === adapter),
    (entry) =>
      Effect.forEach(files, (file) => headerOf(file, entry.settings)).pipe(
        Effect.map((headers) => headers.length > 0 && headers.every((header) => isOf(adapter, header)(entry))),
        Effect.orElseSucceed(() => false)
      )
  )

export type Listed = ReadonlyMap<string, string>

/** Reads the answers of a file, also of one about earlier files. Fails with the problem. */
export const listed = (file: string, text: string): Result.Result<Listed, string> => {
  const read = BookText.read(file, text)
  if (Result.isFailure(read)) return Result.fail("it is not JSON")
  const [twice] = read.success.repeated
  if (twice !== undefined) return Result.fail(twice.message)
  const decoded = Schema.decodeUnknownResult(AnswersFile)(read.success.value)
  if (Result.isFailure(decoded))
    return Result.fail('it is not { "version": 1, "answers": { "QUESTION": "ANSWER", … } }')
  const { answers, files = [] } = decoded.success
  const all = Object.assign({}, ...files.map((entry) => entry.answers ?? {}), answers) as typeof Answers.Type
  return Result.succeed(
    new Map(Object.entries(all).map(([subject, kept]) => [subject, typeof kept === "string" ? kept : kept.answer]))
  )
}

const choiceText = ({ evidence, examples, fill, id, words }: Choice): string => {
  const support = [...examples.map((example) => `«${example}»`), ...evidence].join("; ")
  return `${fill === null ? JSON.stringify(id) : `or ${fill}`}: ${words}${support === "" ? "" : ` (${support})`}`
}

const proposed = ({ proposal }: OpenQuestion): string => proposal ?? ""

/**
 * `answerOf`: the answer written for a question, "" to leave it open. Default: the proposal.
 * `others`: answers to write for questions that are not among these. Default: none.
 */
export const template = (
  questions: ReadonlyArray<OpenQuestion>,
  answerOf: (question: OpenQuestion) => string = proposed,
  others: Listed = new Map()
): string =>
  [
    "{",
    '  // One answer for each question: the id of a choice, or the text that is asked for. "" leaves the question open.',
    '  "version": 1,',
    '  "answers": {',
    [
      ...questions.map((asked) => {
        const { choices, file, question } = asked
        return [
          "",
          ...[
            `${file === null ? "" : `${file}: `}${question}`,
            ...choices.map((choice) => `  ${choiceText(choice)}`)
          ].map((text) => `    ${comment(text)}`),
          entry(asked.id, answerOf(asked))
        ].join("\n")
      }),
      ...[...others].filter(([id]) => questions.every((asked) => asked.id !== id)).map(([id, text]) => entry(id, text))
    ].join(",\n"),
    "  }",
    "}",
    ""
  ].join("\n")

const entry = (id: string, answer: string): string =>
  `    ${escaped(JSON.stringify(id))}: ${escaped(JSON.stringify(answer))}`

/** Codes of sums that are compared with stated ones: the answers about all amounts decide them. */
const ofSums = /^(?:TAX_AMOUNT_DIFFERS|TAX_TOTAL_MISMATCH|TOTAL_MISMATCH|LINES_TOTAL_MISMATCH|RCPT026|RCPT038)$/

const ofOriginals = /^(?:CREDIT_|RCPT03[2356]$|RCPT042$)/

const ofWord = /^[A-Z_]+ (.+)$/s

export type SaidAnswer = Pick<KeptAnswer, "answer" | "says" | "about">

const spelled = { tax: "tax", currency: "currency", "payment method": "payment" } as const

/** Returns the subjects of all spellings that a question asks about together. */
export const aboutOf = ({ choices }: Pick<OpenQuestion, "choices">): Pick<KeptAnswer, "about"> => {
  const subjects = choices.flatMap(({ book }) =>
    book.flatMap((edit) =>
      edit.what === "tax" || edit.what === "currency" || edit.what === "payment method"
        ? [`${spelled[edit.what]} ${edit.spelling}`]
        : []
    )
  )
  const about = [...new Set(subjects)]
  return about.length > 1 ? { about } : {}
}

/**
 * Returns the findings of a document, where one follows from an answer with the answer before the
 * correction of the source. `how`: how an answer is changed.
 */
export const caused = (
  { findings, number }: { readonly findings: ReadonlyArray<Finding>; readonly number: string | null },
  answers: ReadonlyMap<string, SaidAnswer>,
  how: string
): ReadonlyArray<Finding> =>
  answers.size === 0
    ? findings
    : findings.map((finding) => {
        const [subject] = refuses(finding)
          ? subjectsOf(finding, number, [...answers.keys()]).flatMap((one) =>
              answers.has(one) ? [one] : (togetherWith(answers, one) ?? [])
            )
          : []
        if (subject === undefined) return finding
        const said = `You answered ${JSON.stringify(subject)} with ${JSON.stringify(answers.get(subject)?.says)}.`
        return { ...finding, becauseOf: subject, fix: `${said} If it is wrong, ${how}. If it is right: ${finding.fix}` }
      })

const togetherWith = (answers: ReadonlyMap<string, SaidAnswer>, subject: string): string | undefined =>
  [...answers].find(([, { about }]) => about?.includes(subject))?.[0]

/** The likeliest first. */
const subjectsOf = (
  finding: Finding,
  number: string | null,
  answered: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const { at, code, path, unmapped } = finding
  const text = unmapped?.spelling ?? at?.text?.trim() ?? ""
  const isTax = path.includes("taxes") || code.startsWith("TAX_")
  return [
    ...(isTax && text !== "" ? [`tax ${text}`] : []),
    ...(path[0] === "originals" || ofOriginals.test(code) ? [`${noteId}${number}`, "originals"] : []),
    ...(path[0] === "currency" ? [`currency ${text}`] : []),
    ...(path[0] === "paymentMethod" ? [`payment ${text}`] : []),
    ...(isTax ? ["tax of all lines", "tax of taxable lines", "tax of exempt lines"] : []),
    ...(ofSums.test(code) ? ["amounts"] : []),
    ...policyQuestions.flatMap(({ id, raises }) => (raises(finding) ? [id] : [])),
    // a word of the export, such as a kind, was asked about under a code
    ...(text === "" ? [] : answered.filter((one) => ofWord.exec(one)?.[1] === text)),
    ...(ofSums.test(code) || at?.columnName === undefined ? [] : [ColumnQuestions.idOf(at.columnName)])
  ]
}
