/**
 * Finds and settles the open questions of an export, for every command that asks them;
 * docs/start.md#answers.
 */
import type { Adapter, Answer } from "@fiscal-connector/core/adapter"
import { BookFile, type MappingBook } from "@fiscal-connector/core/book"
import { HostProcess, TextFile } from "@fiscal-connector/core/host"
import {
  AnsweredReading,
  BookEditing,
  ColumnQuestions,
  Conversation,
  type Questions,
  RememberedAnswers
} from "@fiscal-connector/core/host/import"
import { Effect, FileSystem, Option } from "effect"
import type { FormatSource } from "../adapter/Format.ts"
import * as OwnFile from "../account/OwnFile.ts"
import { problemList } from "../output/ProblemList.ts"
import * as AdapterAnswer from "./AdapterAnswer.ts"
import { ExitError } from "../output/ExitError.ts"
import * as Output from "../output/Output.ts"
import { systemText } from "../output/SystemText.ts"
import { printable } from "../output/Terminal.ts"
import type { OpenInput } from "./InputFiles.ts"
import * as Progress from "./Progress.ts"

export interface Exported extends Pick<FormatSource, "adapter" | "options"> {
  readonly input: OpenInput
  readonly otherFormat?: string
}

export interface KnownExport {
  readonly device: Questions.Asking<unknown>["device"]
  readonly draft: string | undefined
  readonly mapped: Questions.Asking<unknown>["mapped"]
}

export const nothingKnown: KnownExport = { device: undefined, draft: undefined, mapped: undefined }

const zones = Effect.map(HostProcess.HostProcess, ({ env }): readonly [string, ...ReadonlyArray<string>] => {
  const own = env["TZ"] ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return [Option.isSome(BookFile.parseZone(own)) ? own : "UTC"]
})

const bookIn = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(file))) return undefined
  yield* OwnFile.mustBe("mapping book", file)
  return { file, text: yield* TextFile.read(file) }
})

export interface Conversing {
  readonly exported: Exported
  readonly asking: Questions.Asking<object>
}

/**
 * By the existing book or the draft of a new one. `changed`: answers that the operator takes back,
 * with what they have written into the book.
 */
export const conversing = (
  exported: Exported,
  bookFile: string,
  { device, draft, mapped }: KnownExport,
  changed: ReadonlyMap<string, RememberedAnswers.KeptAnswer> = new Map()
) =>
  Effect.gen(function* () {
    const { adapter, input, options } = exported
    const stored = yield* bookIn(bookFile)
    const edits = Array.from(changed.values(), ({ book }) => book).flat()
    const book = stored && { ...stored, text: BookEditing.undone(stored.text, edits) }
    const columns = adapter.table && ColumnQuestions.ofFirst(adapter.table)
    const zone = changed.has("zone") && { zone: "asked" as const }
    const known = { device, draft, mapped, zones: yield* zones, ...zone }
    const asking = { adapter, input, options, ...known, ...(book && { book }), ...(columns && { columns }) }
    return { exported, asking } satisfies Conversing
  })

export const next = ({ asking, exported }: Conversing, state: Conversation.ConversationState) =>
  Effect.gen(function* () {
    const { input, otherFormat = "" } = exported
    const following = Effect.catchTag(Conversation.next(asking, state), "BookError", bookRefused)
    const next = yield* Progress.looking(input.along, following)
    if (next._tag === "Stopped") return next
    const { contents, unsettled } = next.opened
    if (contents?.documents === 0 && unsettled.length === 0)
      return yield* noDocument(input, contents.skipped, otherFormat)
    return next
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

const noDocument = ({ files }: Adapter.Input, skipped: number, otherFormat: string) => {
  const names = files.map(({ name }) => name)
  const text =
    skipped === 0 && otherFormat !== ""
      ? otherFormat
      : `Nothing was written or sent. ${withoutDocument(names, skipped)}`
  return Effect.fail(new ExitError({ code: 1, text }))
}

const bookRefused = ({ findings, message }: BookFile.BookError) =>
  Effect.fail(new ExitError({ code: 1, text: `${message}:\n\n${problemList(findings)}` }))

export interface Answered {
  readonly text: string
  readonly options: object
  readonly readings: ReadonlyArray<Answer.Answer>
  readonly given: Readonly<Record<string, RememberedAnswers.SaidAnswer>>
}

export const answered = ({ asking }: Conversing, state: Conversation.ConversationState): Answered => {
  const readings = Conversation.readingsOf(state)
  return {
    text: Conversation.bookOf(asking, state),
    options: AnsweredReading.laidAll(asking.adapter, asking.options, readings),
    readings,
    given: Object.fromEntries(
      Array.from(state.settled, ([subject, one]) => {
        const { answer = one.choice.id } = state.answers.get(subject) ?? {}
        return [
          subject,
          { answer, says: Conversation.sayingOf(state, one), ...RememberedAnswers.aboutOf(one.question) }
        ]
      })
    )
  }
}

export const answersIn = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.mapError(
    TextFile.read(file),
    (error) => new ExitError({ code: 1, text: `The answers cannot be read. ${systemText(error)}` })
  )
  return yield* Effect.mapError(
    Effect.fromResult(RememberedAnswers.listed(file, text)),
    (problem) => new ExitError({ code: 1, text: printable(`${file} cannot be used as answers: ${problem}.`) })
  )
})

export const bookOf = (file: string, text: string): Effect.Effect<MappingBook.MappingBook, ExitError> =>
  Effect.catchTag(BookFile.load(file, text), "BookError", bookRefused)

export const checked = (file: string, problems: ReadonlyArray<string>) => {
  const text = [`${file} cannot be used:`, ...problems.map((problem) => `  ${problem}`)].map(printable).join("\n")
  return problems.length > 0 ? Effect.fail(new ExitError({ code: 1, text })) : Effect.void
}

/** The text for people, or the questions as data. `next`: the call that goes on. */
export const leftOpen = (
  { questions, state }: Pick<Extract<Conversation.Next, { readonly _tag: "Group" }>, "questions" | "state">,
  next: string,
  text: string
) =>
  Effect.gen(function* () {
    const { form } = yield* Output.Output
    if (form === "people") return yield* new ExitError({ code: 1, text })
    yield* Output.tell("open-questions", { exitCode: 1, questions, answered: [...state.answers.keys()], next })
    return yield* new ExitError({ code: 1, text: "" })
  })

export const stopped = ({ by, error }: Extract<Conversation.Next, { readonly _tag: "Stopped" }>) =>
  Effect.gen(function* () {
    const { form } = yield* Output.Output
    if (form === "json") return yield* AdapterAnswer.quit(error)
    const text = `Nothing was written or sent. ${error.message}. This follows from the answers to: ${by.join(", ")}.`
    return yield* new ExitError({ code: 1, text: printable(text) })
  })
