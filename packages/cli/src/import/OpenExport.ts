/**
 * Finds and settles the open questions of an export, for every command that asks them;
 * docs/start.md#answers.
 */
import type { Table } from "@fiscal-connector/adapter-csv/CsvFormat"
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import type { AdapterError, Input, InputFile } from "@fiscal-connector/core/source/Adapter"
import { HostProcess } from "@fiscal-connector/core/unstable/file/HostProcess"
import * as TextFile from "@fiscal-connector/core/unstable/file/TextFile"
import * as BookEditing from "@fiscal-connector/core/unstable/mapping/BookEditing"
import * as BookText from "@fiscal-connector/core/unstable/mapping/BookText"
import * as AnsweredReading from "@fiscal-connector/core/unstable/question/AnsweredReading"
import * as AnswersFile from "@fiscal-connector/core/unstable/question/AnswersFile"
import * as ColumnQuestions from "@fiscal-connector/core/unstable/question/ColumnQuestions"
import type { Choice } from "@fiscal-connector/core/unstable/question/OpenQuestion"
import * as Questions from "@fiscal-connector/core/unstable/question/Questions"
import { Effect, FileSystem, Option, Result } from "effect"
import type { Source } from "../adapter/Format.ts"
import * as OwnFile from "../account/OwnFile.ts"
import { problemList } from "../output/ProblemList.ts"
import { ExitError } from "../output/ExitError.ts"
import { systemText } from "../output/SystemText.ts"
import { printable } from "../output/Terminal.ts"
import type { OpenInput } from "./InputFiles.ts"
import * as Progress from "./Progress.ts"
import * as QuestionList from "./QuestionList.ts"

/** An export with the adapter and options that read it. */
export interface Exported extends Pick<Source, "adapter" | "options"> {
  readonly input: OpenInput
  /** Text for files without a document that another adapter may read. */
  readonly otherFormat?: string
}

/** Known facts of the gateway: the device, and a draft book with the existing mappings. */
export interface Known {
  readonly device: Questions.Asking<unknown>["device"]
  readonly draft: string | undefined
  /** Tax codes already mapped at the gateway. */
  readonly mapped: Questions.Asking<unknown>["mapped"]
}

export const nothingKnown: Known = { device: undefined, draft: undefined, mapped: undefined }

/** Returns the machine's time zone, the most likely zone of the business. */
const zones = Effect.map(HostProcess, ({ env }): readonly [string, ...ReadonlyArray<string>] => {
  const own = env["TZ"] ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return [Option.isSome(BookFile.parseZone(own)) ? own : "UTC"]
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/**
 * Asks for the columns of the first file, or proposes a column map with evidence for each column.
 */
const columnsBy =
  ({ ask, propose }: Table<object>) =>
  (input: Input, options: object): Effect.Effect<Questions.Columns, AdapterError> =>
    Effect.gen(function* () {
      const [file] = input.files
      if (file === undefined) return {}
      const asked = yield* ask(file, options)
      return asked.header !== undefined || asked.fields.length > 0
        ? { asked }
        : { asked, proposed: mapIn(file, yield* propose(file, options)) }
    })

const mapIn = (file: InputFile, text: string): Questions.ProposedColumns | undefined => {
  const read = BookText.read(file.name, text)
  if (Result.isFailure(read) || !isRecord(read.success.value)) return undefined
  const map = read.success.value
  const columns: unknown = map["columns"]
  if (!isRecord(columns) || columns["number"] === undefined) return undefined
  const settings = isRecord(map["settings"]) ? map["settings"] : {}
  const { headerLine } = settings
  const header = headerLine === undefined ? [] : [headerLine === 0 ? "no header" : `header: line ${String(headerLine)}`]
  const evidence = Object.entries(columns).map(([field, column]) => {
    const examples = text.split("\n").find((line) => line.trimStart().startsWith(`"${field}": `))
    const cells = examples?.split(" // ").slice(1).join(" // ")
    return `${field}: ${JSON.stringify(column)}${cells === undefined || cells === "" ? "" : ` (${cells})`}`
  })
  return { map, evidence: [...header, ...evidence] }
}

/** Returns the book's text, or undefined without a book. */
const bookIn = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(file))) return undefined
  yield* OwnFile.mustBe("mapping book", file)
  return { file, text: yield* TextFile.read(file) }
})

/** Reads the files and shows the progress. */
const opening = (asked: Questions.Asking<object>, along: Progress.Along) =>
  Progress.looking(along, Effect.catchTag(Questions.open(asked), "BookError", bookRefused))

/** Reads an export with these options, to ask by a book or by the draft of a new one. */
const asking = (
  { adapter, input }: Exported,
  options: object,
  { device, mapped }: Known,
  { book, draft }: Pick<Questions.Asking<object>, "book" | "draft">
): Effect.Effect<Questions.Asking<object>> =>
  Effect.map(zones, (zones) => ({
    adapter,
    input,
    options,
    device,
    draft,
    mapped,
    zones,
    ...(book && { book }),
    ...(adapter.table && { columns: columnsBy(adapter.table) })
  }))

/** Finds all open questions. Fails with ExitError if the existing book cannot be used. */
export const ask = (exported: Exported, bookFile: string, known: Known) =>
  Effect.gen(function* () {
    const { input, options, otherFormat = "" } = exported
    const asked = yield* asking(exported, options, known, { book: yield* bookIn(bookFile), draft: known.draft })
    const opened = yield* opening(asked, input.along)
    if (opened.contents?.documents === 0 && opened.unsettled.length === 0)
      return yield* noDocument(input, opened.contents.skipped, otherFormat)
    return { opened, text: Questions.bookText(asked) }
  })

/**
 * Returns the text for files without a document. `skipped`: number of other records in the files.
 */
export const withoutDocument = (files: ReadonlyArray<string>, skipped: number): string => {
  const name = printable(files.join(", "))
  return skipped === 0
    ? `There is no document in ${name}. If documents are missing, export it again with its rows.`
    : `There is no issued invoice or credit note in ${name}: ${skipped} others were skipped.`
}

const noDocument = ({ files }: Input, skipped: number, otherFormat: string) => {
  const names = files.map(({ name }) => name)
  const text =
    skipped === 0 && otherFormat !== ""
      ? otherFormat
      : `Nothing was written or sent. ${withoutDocument(names, skipped)}`
  return Effect.fail(new ExitError({ code: 1, text }))
}

const bookRefused = ({ findings, message }: BookFile.BookError) =>
  Effect.fail(new ExitError({ code: 1, text: `${message}:\n\n${problemList(findings)}` }))

/** The answers applied: the resulting book text, and how the files are read. */
export interface Answered {
  readonly text: string
  readonly options: object
  readonly readings: ReadonlyArray<Answer>
}

export const laid = (
  { adapter, options }: Pick<Exported, "adapter" | "options">,
  text: string,
  choices: ReadonlyArray<Choice>
): Answered => {
  const readings = choices.flatMap(({ reading }) => reading ?? [])
  return {
    text: BookEditing.apply(
      text,
      choices.flatMap(({ book }) => book)
    ),
    options: AnsweredReading.laidAll(adapter, options, readings),
    readings
  }
}

/** Reads a file of answers. Fails with ExitError if the file cannot be used. */
export const answersIn = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.mapError(
    TextFile.read(file),
    (error) => new ExitError({ code: 1, text: `The answers cannot be read. ${systemText(error)}` })
  )
  return yield* Effect.mapError(
    Effect.fromResult(AnswersFile.read(text)),
    (problem) => new ExitError({ code: 1, text: printable(`${file} is not a file of answers: ${problem}.`) })
  )
})

/** Loads a book from a text that is not yet in a file. */
export const bookOf = (file: string, text: string): Effect.Effect<MappingBook, ExitError> =>
  Effect.catchTag(BookFile.load(file, text), "BookError", bookRefused)

/** Maximum rounds of answers: three stages, and questions that answers raise. */
const mostRounds = 12

/**
 * Asks until no question is open or answers stop. `answer` receives the open questions of one stage
 * and returns the choices. A question left without an answer ends the loop.
 *
 * The line of the names is asked first, then the columns, then everything else: an answer other
 * than the assumed one changes the file's contents, and the further questions with them.
 */
export const settle = <E, R>(
  exported: Exported,
  bookFile: string,
  known: Known,
  answer: (opened: Questions.Opened) => Effect.Effect<AnswersFile.Settled, E, R>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const isThere = yield* fs.exists(bookFile)
    const first = yield* ask(exported, bookFile, known)
    let { opened } = first
    let answered: Answered = { text: first.text, options: exported.options, readings: [] }
    const choices: Array<Choice> = []
    const asked = new Set<string>()
    for (let round = 0; round < mostRounds; round++) {
      const news = opened.questions.filter(({ id }) => !asked.has(id))
      if (news.length === 0) return { answered, choices, open: [], opened, isThere }
      const stage = Math.min(...news.map(ColumnQuestions.stage))
      const now = news.filter((question) => ColumnQuestions.stage(question) === stage)
      const later = news.filter((question) => !now.includes(question))
      for (const { id } of now) asked.add(id)
      const settled = yield* answer({ ...opened, questions: now })
      choices.push(...settled.choices)
      answered = laid(exported, first.text, choices)
      const isAsAssumed = now.every((question) => {
        const assumed = Questions.provisional(question)
        return settled.open.includes(question) || settled.choices.some((choice) => choice === assumed)
      })
      if (settled.open.length > 0) {
        const others = isAsAssumed && later.length > 0 ? (yield* answer({ ...opened, questions: later })).open : []
        return { answered, choices, open: [...settled.open, ...others], opened, isThere }
      }
      if (isAsAssumed && later.length > 0) continue
      const { options, text } = answered
      // the zone stays open until a book exists or the operator answers
      const by = isThere ? { book: { file: bookFile, text } } : { draft: text }
      opened = yield* opening(yield* asking(exported, options, known, by), exported.input.along)
    }
    return { answered, choices, open: opened.questions, opened, isThere }
  })

/** Applies a file of answers. Fails with ExitError if the file names an unknown choice. */
export const bySheet = (file: string, questions: Questions.Opened["questions"], answers: AnswersFile.Answers) => {
  const settled = AnswersFile.settle(questions, answers)
  const text = [`${file} cannot be used:`, ...settled.problems.map((problem) => `  ${problem}`)]
    .map(printable)
    .join("\n")
  return settled.problems.length > 0 ? Effect.fail(new ExitError({ code: 1, text })) : Effect.succeed(settled)
}

/**
 * Ends the command with the questions that the answers leave open. `adding`: the call that adds
 * missing questions to the file; undefined if the file has all of them.
 */
export const notAnswered = (file: string, open: Questions.Opened["questions"], adding: string | undefined) => {
  const count = open.length === 1 ? "a question" : `${open.length} questions`
  const more = adding === undefined ? "" : `\n\nThis adds them to the file, with the proposals:\n  ${adding}`
  const text = `Nothing was written or sent. ${printable(file)} does not answer ${count}:\n\n${QuestionList.list(open)}${more}`
  return Effect.fail(new ExitError({ code: 1, text }))
}
