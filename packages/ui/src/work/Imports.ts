/**
 * Imports of the page. Every tab sees the same state, and a step for another phase changes nothing.
 * Sending continues after the browser is closed.
 */
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import * as AtomicFile from "@fiscal-connector/core/unstable/file/AtomicFile"
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import * as BookEditing from "@fiscal-connector/core/unstable/mapping/BookEditing"
import * as AnsweredReading from "@fiscal-connector/core/unstable/question/AnsweredReading"
import type { Choice } from "@fiscal-connector/core/unstable/question/OpenQuestion"
import * as RememberedAnswers from "@fiscal-connector/core/unstable/question/RememberedAnswers"
import { Effect, Exit, Fiber, FileSystem, Option, type Path, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { rm } from "node:fs/promises"
import * as Texts from "../text/Texts.ts"
import type { BookHistory } from "./BookHistory.ts"
import type { Going, GoingEnd } from "./Going.ts"
import { type Decided, nothingDecided, type PageImport, type Phase, type Upload } from "./PageImport.ts"
import * as Planning from "./Planning.ts"
import * as Reading from "./Reading.ts"
import type { RefusedFiles } from "./RefusedFiles.ts"
import * as Remembering from "./Remembering.ts"
import * as Sending from "./Sending.ts"
import type { ColumnsSeen, ReadingAnswers, Workplace } from "./Workplace.ts"

const noAnswers: ReadingAnswers = { settings: {}, layout: undefined, columns: undefined }

/** Adds an answer to the earlier answers. */
export const withAnswer = (answers: ReadingAnswers, answer: Answer): ReadingAnswers => {
  if ("settings" in answer) return { ...answers, settings: { ...answers.settings, ...answer.settings } }
  if ("layout" in answer) return { ...answers, layout: answer.layout }
  const map =
    answers.columns === undefined ? { version: 1 } : (JSON.parse(answers.columns) as Readonly<Record<string, unknown>>)
  if ("map" in answer) return { ...answers, columns: JSON.stringify(AnsweredReading.over(map, answer.map)) }
  return answers
}

/** Answers of one page. */
export interface Answered {
  readonly questions: ReadonlyArray<{ readonly id: string; readonly text: string; readonly choice: Choice }>
  /** Initial text of the settings, used if no settings exist. */
  readonly text: string
  readonly remembers: PageImport["remembers"]
}

type ColumnsPhase = Extract<Phase, { readonly _tag: "Columns" }>

export interface Imports {
  readonly all: () => ReadonlyArray<PageImport>
  readonly get: (id: string) => PageImport | undefined
  readonly bookFile: string
  /** File of remembered answers. */
  readonly answersFile: string
  /** Starts an import of files in the private folder. */
  begin(
    given: Pick<PageImport, "account" | "format" | "files" | "purpose"> & { readonly readingAnswers?: ReadingAnswers }
  ): Effect.Effect<PageImport>
  /** Adds answers about the files and reads them again. */
  say(one: PageImport, answers: ReadingAnswers, remembers: PageImport["remembers"]): Effect.Effect<void>
  /** Forgets remembered answers for similar files and reads the files without them. */
  forget(one: PageImport): Effect.Effect<void>
  /**
   * Applies all answers in one step: how to read the files, and changes of the settings. Returns
   * the reason if nothing was applied, else null.
   */
  answer(one: PageImport, taken: Answered): Effect.Effect<string | null>
  /**
   * Takes the last answers back for this import: how its files are read, and the questions asked.
   */
  takeAnswersBack(one: PageImport): Effect.Effect<void>
  /** Writes edits to the book and checks again. A failed write stops the import with the reason. */
  edit(one: PageImport, edits: ReadonlyArray<BookEditing.BookEdit>, texts: ReadonlyArray<string>): Effect.Effect<void>
  /** Returns the columns with their meanings. Null if the columns have no names. */
  columnsOf(one: PageImport): Effect.Effect<ColumnsPhase | null>
  /** Returns the first document with the chosen columns. Keeps nothing. */
  preview(
    one: PageImport,
    phase: ColumnsPhase,
    columns: ColumnsSeen["columns"],
    problem: string
  ): Effect.Effect<ColumnsPhase>
  recheck(one: PageImport): Effect.Effect<void>
  /** Decides something for this import only and checks again. */
  decide(one: PageImport, decided: Partial<Decided>, timing?: PageImport["timing"]): Effect.Effect<void>
  send(one: PageImport, consent: Sending.Consent): Effect.Effect<void>
  /** Removes the import and its files. Does not stop an import being sent. */
  discard(one: PageImport): Effect.Effect<void>
}

const ended: ReadonlySet<Phase["_tag"]> = new Set(["Done"])

/** Creates the imports. Background work ends with the scope. */
export const make = (
  workplace: Workplace,
  bookFile: string,
  refusedFiles: RefusedFiles,
  going: Going,
  history: BookHistory
): Effect.Effect<Imports, never, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const own = yield* Effect.scope
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const imports = new Map<string, PageImport>()
    const answersFile = RememberedAnswers.fileOf(bookFile)

    const removed = (files: ReadonlyArray<Upload>) =>
      Effect.forEach(files, ({ path }) => Effect.promise(() => rm(path, { force: true })), { discard: true })

    /** Stops the reading fiber first, because its resources close with the scope. */
    const closed = (one: PageImport) =>
      Effect.gen(function* () {
        const { reading, scope } = one
        one.reading = null
        one.scope = null
        if (reading !== null) yield* Fiber.interrupt(reading)
        if (scope !== null) yield* Scope.close(scope, Exit.void)
      })

    /** Applies remembered answers for similar files. */
    const recalled = (one: PageImport) =>
      Effect.gen(function* () {
        const { header } = one.format
        const entries = yield* RememberedAnswers.load(answersFile)
        if (entries.length === 0) return
        const { files } = yield* Planning.inputOf(one)
        const found = yield* RememberedAnswers.recall(entries, one.format.name, files, header)
        one.recalled = Option.getOrNull(found)
        if (one.recalled !== null) one.readingAnswers = Remembering.answersOf(one.recalled)
      })

    /** Remembers the answers once the files can be read with them, if requested. */
    const remembered = (one: PageImport, phase: Phase) =>
      Effect.gen(function* () {
        if (one.remembers === "no" || (phase._tag !== "Checked" && phase._tag !== "Registered")) return
        const { files } = yield* Planning.inputOf(one)
        const entry = yield* Remembering.entryOf(one, files)
        if (entry === undefined) return
        yield* RememberedAnswers.remember(answersFile, entry)
        one.remembers = "no"
        one.recalled = entry
      })

    const read = (one: PageImport, first: ReturnType<typeof recalled> = Effect.void) =>
      Effect.gen(function* () {
        one.phase = { _tag: "Reading", documents: 0 }
        yield* closed(one)
        const scope = yield* Scope.fork(own)
        one.scope = scope
        const reading = first.pipe(
          Effect.andThen(Reading.phaseOf(workplace, bookFile, one, scope)),
          Effect.tap((phase) => remembered(one, phase)),
          Effect.tap((phase) => (phase._tag === "Registered" ? removed(one.files) : Effect.void)),
          Effect.catchTags({
            AnswersFileError: ({ message }) => Effect.succeed(Reading.standstill(Texts.standstill.answers, message)),
            PlatformError: ({ message }) => Effect.succeed(Reading.standstill(Texts.standstill.file, message))
          }),
          Effect.provideService(Scope.Scope, scope),
          Effect.catchCause((cause) =>
            Effect.andThen(
              Effect.logError("an import on the page broke off", cause),
              Effect.succeed(Reading.standstill(Texts.standstill.broke, Texts.standstill.brokeText))
            )
          ),
          Effect.map((phase) => {
            one.phase = phase._tag === "Checked" ? { ...phase, note: one.notice } : phase
            one.notice = null
          }),
          Effect.provideContext(context)
        )
        one.reading = yield* Effect.forkIn(reading, own)
        // a quick read finishes before the response is sent
        yield* Effect.timeoutOption(Fiber.await(one.reading), "1500 millis")
      })

    return {
      all: () => [...imports.values()].toReversed(),
      get: (id) => imports.get(id),
      bookFile,
      answersFile,
      begin: ({ account, files, format, purpose, readingAnswers: answers = noAnswers }) =>
        Effect.gen(function* () {
          const one: PageImport = {
            id: randomBytes(9).toString("base64url"),
            account,
            format,
            files,
            purpose,
            readingAnswers: answers,
            recalled: null,
            remembers: "no",
            timing: "ordinary",
            decided: nothingDecided,
            asked: new Set(),
            notice: null,
            questions: "open",
            answers: [],
            phase: { _tag: "Reading", documents: 0 },
            record: null,
            reading: null,
            scope: null
          }
          imports.set(one.id, one)
          yield* answers === noAnswers ? read(one, recalled(one)) : read(one)
          return one
        }),
      say: (one, answers, remembers) =>
        Effect.suspend(() => {
          one.readingAnswers = answers
          one.remembers = remembers
          return read(one)
        }),
      forget: (one) =>
        Effect.gen(function* () {
          const { recalled } = one
          if (recalled === null) return
          one.readingAnswers = noAnswers
          one.recalled = null
          one.remembers = "no"
          yield* read(one, RememberedAnswers.forget(answersFile, recalled))
        }),
      answer: (one, { questions, remembers, text }) =>
        Effect.gen(function* () {
          const answers = questions.reduce(
            (answers, { choice }) => (choice.reading === null ? answers : withAnswer(answers, choice.reading)),
            one.readingAnswers
          )
          yield* one.format.options(answers)
          // another tab may have created the settings
          const stored = yield* Effect.orElseSucceed(fs.readFileString(bookFile), () => null)
          const after = BookEditing.apply(
            stored ?? text,
            questions.flatMap(({ choice }) => choice.book)
          )
          yield* BookFile.load(bookFile, after)
          const texts = questions.map(({ text }) => text)
          let change: number | null = null
          if (after !== stored) {
            yield* Effect.provideService(AtomicFile.writeText(bookFile, after), FileSystem.FileSystem, fs)
            change = yield* history.note(texts, stored, after)
          }
          one.answers = [...one.answers, { texts, change, readingAnswers: one.readingAnswers, asked: one.asked }]
          one.asked = one.asked.union(new Set(questions.map(({ id }) => id)))
          one.readingAnswers = answers
          one.remembers = remembers
          yield* read(one)
          return null
        }).pipe(
          Effect.catchTags({
            BookError: ({ findings }) => Effect.succeed(findings.map(({ message }) => message).join("; ")),
            WorkplaceRefused: ({ text }) => Effect.succeed(text),
            PlatformError: ({ message }) => Effect.succeed(message)
          })
        ),
      takeAnswersBack: (one) =>
        Effect.gen(function* () {
          const last = one.answers.at(-1)
          if (last === undefined) return
          const { recalled } = one
          one.answers = one.answers.slice(0, -1)
          one.readingAnswers = last.readingAnswers
          one.asked = last.asked
          one.questions = "open"
          one.recalled = null
          yield* read(one, recalled === null ? Effect.void : RememberedAnswers.forget(answersFile, recalled))
        }),
      edit: (one, edits, texts) =>
        Effect.gen(function* () {
          if (edits.length > 0) {
            const text = yield* fs.readFileString(bookFile)
            const after = BookEditing.apply(text, edits)
            yield* Effect.provideService(AtomicFile.writeText(bookFile, after), FileSystem.FileSystem, fs)
            yield* history.note(texts, text, after)
          }
          yield* read(one)
        }).pipe(
          Effect.catchTag("PlatformError", ({ message }) =>
            Effect.sync(() => {
              one.phase = Reading.standstill(Texts.standstill.book, message)
            })
          )
        ),
      columnsOf: (one) =>
        Effect.gen(function* () {
          const seen = yield* Reading.columnsOf(one)
          return seen === null ? null : yield* Reading.columnsShown(one, seen, Texts.page.columnsAgain)
        }).pipe(Effect.provideContext(context)),
      preview: (one, phase, columns, problem) =>
        Effect.provideContext(Reading.columnsShown(one, { ...phase.seen, columns }, problem, phase.proposed), context),
      recheck: read,
      decide: (one, decided, timing = one.timing) =>
        Effect.suspend(() => {
          one.decided = { ...one.decided, ...decided }
          one.timing = timing
          return read(one)
        }),
      send: (one, consent) =>
        Effect.suspend(() => {
          if (one.phase._tag !== "Checked") return Effect.void
          const { checked } = one.phase
          one.phase = { _tag: "Sending", destination: checked.destination }
          if (consent.live === "allowed") going.consent(checked.destination.lane)
          const sending = Sending.run(workplace, refusedFiles, bookFile, one, checked, consent).pipe(
            Effect.catchCause((cause) =>
              Effect.andThen(
                Effect.logError("sending broke off", cause),
                Effect.succeed(Reading.standstill(Texts.standstill.sending, Texts.standstill.sendingText))
              )
            ),
            Effect.flatMap((phase) =>
              Effect.gen(function* () {
                if (ended.has(phase._tag)) {
                  yield* closed(one)
                  yield* removed(one.files)
                }
                one.phase = phase
              })
            ),
            Effect.as<GoingEnd>({ _tag: "Over" }),
            // paused: accepted documents are in the store; an import that was not accepted is shown
            // again
            Effect.onInterrupt(() =>
              Effect.suspend(() => {
                if (one.record === null) {
                  one.phase = { _tag: "Checked", checked, stopped: null, note: Texts.page.pausedBefore }
                  return Effect.void
                }
                one.phase = { _tag: "Done" }
                return Effect.andThen(closed(one), removed(one.files))
              })
            ),
            Effect.provideContext(context)
          )
          return going.begin([one.account], sending)
        }),
      discard: (one) =>
        Effect.suspend(() => {
          if (one.phase._tag === "Sending") return Effect.void
          imports.delete(one.id)
          return Effect.andThen(closed(one), removed(one.files))
        })
    }
  })
