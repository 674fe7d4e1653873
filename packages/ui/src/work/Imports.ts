/**
 * Imports of the page. Every tab sees the same state, and a step for another phase changes nothing.
 * Sending continues after the browser is closed.
 */
import { BookFile } from "@fiscal-connector/core/book"
import { AtomicFile } from "@fiscal-connector/core/host"
import { BookEditing, RememberedAnswers } from "@fiscal-connector/core/host/import"
import { Effect, Exit, Fiber, FileSystem, Option, type Path, type PlatformError, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { rm } from "node:fs/promises"
import * as Texts from "../text/Texts.ts"
import type { BookHistory } from "./BookHistory.ts"
import type { Going, GoingEnd } from "./Going.ts"
import {
  type DecidedImport,
  nothingDecided,
  type PageImport,
  type Phase,
  type PhaseOf,
  readingAnswersOf,
  type TakenAnswer,
  withoutAnswer
} from "./PageImport.ts"
import * as Planning from "./Planning.ts"
import * as Reading from "./Reading.ts"
import type { RefusedFiles } from "./RefusedFiles.ts"
import * as Remembering from "./Remembering.ts"
import * as Sending from "./Sending.ts"
import type { ColumnsSeen, ReadingAnswers, Workplace } from "./Workplace.ts"

const noAnswers: ReadingAnswers = { settings: {}, layout: undefined, columns: undefined }

const textsOf = (answers: PageImport["answers"]) => Array.from(answers.values(), ({ text }) => text)

export interface AnsweredForm {
  readonly answers: ReadonlyMap<string, TakenAnswer>
  /** Subjects whose meaning another subject has now: they are asked again. */
  readonly again: ReadonlyArray<string>
  readonly text: string | null
  readonly remembers: PageImport["remembers"]
}

type BegunImport = Pick<PageImport, "account" | "format" | "files" | "purpose"> & { readonly base?: ReadingAnswers }

export const make = (
  workplace: Workplace,
  bookFile: string,
  refusedFiles: RefusedFiles,
  going: Going,
  history: BookHistory
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const own = yield* Effect.scope
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const imports = new Map<string, PageImport>()
    const answersFile = RememberedAnswers.fileOf(bookFile)

    const removed = ({ files }: PageImport) =>
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

    const cleared = (one: PageImport) => Effect.andThen(closed(one), removed(one))

    const recalled = (one: PageImport) =>
      Effect.gen(function* () {
        const { header } = one.format
        const entries = yield* RememberedAnswers.load(answersFile)
        if (entries.length === 0) return
        const { files } = yield* Planning.inputOf(one)
        one.recalled = Option.getOrNull(yield* RememberedAnswers.recall(entries, one.format.name, files, header))
        if (one.recalled === null) return
        one.base = Remembering.answersOf(one.recalled)
        one.answers = Remembering.takenOf(one.recalled)
      })

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

    /** Writes the book and notes the change. An unchanged book is left alone. */
    const written = (texts: ReadonlyArray<string>, before: string | null, after: string) =>
      Effect.gen(function* () {
        if (before === after) return
        yield* Effect.provideContext(AtomicFile.writeText(bookFile, after), context)
        const changed = texts.map((what) => ({ what }))
        yield* history.note(changed, before, after)
      })

    /** Stores once what the answers of an import mean for the files as they are read now. */
    const keepSettings = ({ answers }: PageImport): Reading.KeepSettings => {
      let isKept = false
      return (before, after) =>
        Effect.gen(function* () {
          const isUsable = !isKept && (yield* Effect.isSuccess(BookFile.load(bookFile, after)))
          isKept = true
          if (isUsable) yield* written(textsOf(answers), before, after)
          return isUsable
        })
    }

    const read = (one: PageImport, first: ReturnType<typeof recalled> = Effect.void) =>
      Effect.gen(function* () {
        one.phase = { _tag: "Reading", documents: 0 }
        yield* closed(one)
        const scope = yield* Scope.fork(own)
        one.scope = scope
        const reading = first.pipe(
          Effect.andThen(Reading.phaseOf(workplace, bookFile, one, scope, keepSettings(one))),
          Effect.tap((phase) => remembered(one, phase)),
          Effect.tap(({ _tag }) => (_tag === "Registered" ? removed(one) : Effect.void)),
          Effect.catchTags({
            AnswersFileError: ({ message }) => Effect.succeed(Reading.standstill(Texts.standstill.answers, message)),
            PlatformError: ({ message }) => Effect.succeed(Reading.standstill(Texts.standstill.file, message))
          }),
          Effect.provideService(Scope.Scope, scope),
          Effect.catchCause((cause) =>
            Effect.as(
              Effect.logError("an import on the page broke off", cause),
              Reading.standstill(Texts.standstill.broke, Texts.standstill.brokeText)
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

    const bookBroke =
      (one: PageImport) =>
      ({ message }: PlatformError.PlatformError) =>
        Effect.sync(() => void (one.phase = Reading.standstill(Texts.standstill.book, message)))

    return {
      all: (): ReadonlyArray<PageImport> => [...imports.values()].toReversed(),
      get: (id: string) => imports.get(id),
      bookFile,
      answersFile,
      begin: ({ account, base = noAnswers, files, format, purpose }: BegunImport) =>
        Effect.gen(function* () {
          const one: PageImport = {
            id: randomBytes(9).toString("base64url"),
            account,
            format,
            files,
            purpose,
            base,
            recalled: null,
            remembers: "no",
            timing: "ordinary",
            decided: nothingDecided,
            notice: null,
            questions: "open",
            answers: new Map(),
            given: new Map(),
            reasked: "nothing",
            phase: { _tag: "Reading", documents: 0 },
            record: null,
            reading: null,
            scope: null
          }
          imports.set(one.id, one)
          yield* base === noAnswers ? read(one, recalled(one)) : read(one)
          return one
        }),
      forget: (one: PageImport) =>
        Effect.gen(function* () {
          const { recalled } = one
          if (recalled === null) return
          one.base = noAnswers
          one.answers = new Map()
          one.recalled = null
          one.remembers = "no"
          yield* read(one, RememberedAnswers.forget(answersFile, recalled))
        }),
      /**
       * Applies all answers in one step: how to read the files, and changes of the settings.
       * Returns the reason if nothing was applied, else null.
       */
      answer: (one: PageImport, { again, answers, remembers, text }: AnsweredForm) =>
        Effect.gen(function* () {
          const all = new Map([...one.answers, ...answers])
          for (const subject of again) all.delete(subject)
          yield* one.format.options(readingAnswersOf({ base: one.base, answers: all }))
          // another tab may have created the settings
          const stored = yield* Effect.orElseSucceed(fs.readFileString(bookFile), () => null)
          const edits = Array.from(answers.values(), ({ choice }) => choice.book).flat()
          const before = stored ?? text
          if (before !== null) {
            const after = BookEditing.apply(before, edits)
            yield* BookFile.load(bookFile, after)
            yield* written(textsOf(answers), stored, after)
          }
          one.answers = all
          one.given = new Map()
          one.reasked = "nothing"
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
      /**
       * Takes the answer to one subject back: how the files are read, and what it wrote into
       * the settings. The subject is asked again.
       */
      change: (one: PageImport, subject: string) =>
        Effect.gen(function* () {
          const taken = one.answers.get(subject)
          if (taken === undefined) return
          const stored = yield* Effect.orElseSucceed(fs.readFileString(bookFile), () => null)
          if (stored !== null)
            yield* written([Texts.questions.changed(taken.text)], stored, BookEditing.undone(stored, taken.choice.book))
          one.answers = new Map([...one.answers].filter(([name]) => name !== subject))
          one.base = withoutAnswer(one.base, taken.choice.reading)
          one.reasked = subject === "zone" ? "zone" : "nothing"
          one.questions = "open"
          const { recalled } = one
          // the remembered answers have this one, and are remembered again after the new answer
          if (recalled !== null) one.remembers = "yes"
          one.recalled = null
          yield* read(one, recalled === null ? Effect.void : RememberedAnswers.forget(answersFile, recalled))
        }).pipe(Effect.catchTag("PlatformError", bookBroke(one))),
      /** Writes edits to the book and checks again. A failed write stops the import. */
      edit: (one: PageImport, edits: ReadonlyArray<BookEditing.BookEdit>, texts: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          if (edits.length > 0) {
            const text = yield* fs.readFileString(bookFile)
            yield* written(texts, text, BookEditing.apply(text, edits))
          }
          yield* read(one)
        }).pipe(Effect.catchTag("PlatformError", bookBroke(one))),
      columnsOf: (one: PageImport) =>
        Effect.gen(function* () {
          const seen = yield* Reading.columnsOf(one)
          return seen === null ? null : yield* Reading.columnsShown(one, seen, Texts.page.columnsAgain)
        }).pipe(Effect.provideContext(context)),
      preview: (one: PageImport, phase: PhaseOf<"Columns">, columns: ColumnsSeen["columns"], problem: string) =>
        Effect.provideContext(Reading.columnsShown(one, { ...phase.seen, columns }, problem, phase.proposed), context),
      recheck: (one: PageImport) => read(one),
      decide: (one: PageImport, decided: Partial<DecidedImport>, timing = one.timing) =>
        Effect.suspend(() => {
          one.decided = { ...one.decided, ...decided }
          one.timing = timing
          return read(one)
        }),
      send: (one: PageImport, consent: Sending.PageConsent) =>
        Effect.suspend(() => {
          if (one.phase._tag !== "Checked") return Effect.void
          const { checked } = one.phase
          const { destination } = checked
          const phase: PhaseOf<"Sending"> = { _tag: "Sending", destination, step: "asking", documents: 0 }
          one.phase = phase
          if (consent.live === "allowed") going.consent(destination.lane)
          const sending = Sending.run(workplace, refusedFiles, bookFile, one, checked, consent, phase).pipe(
            Effect.catchCause((cause) =>
              Effect.as(
                Effect.logError("sending broke off", cause),
                Reading.standstill(Texts.standstill.sending, Texts.standstill.sendingText)
              )
            ),
            Effect.tap(({ _tag }) => (_tag === "Done" ? cleared(one) : Effect.void)),
            Effect.map((phase): GoingEnd => {
              one.phase = phase
              return { _tag: "Over" }
            }),
            // paused: accepted documents are in the store; an import that was not accepted is shown
            // again
            Effect.onInterrupt(() =>
              Effect.suspend(() => {
                one.phase =
                  one.record === null
                    ? { _tag: "Checked", checked, stopped: null, note: Texts.page.pausedBefore }
                    : { _tag: "Done" }
                return one.record === null ? Effect.void : cleared(one)
              })
            ),
            Effect.provideContext(context)
          )
          return going.begin([one.account], sending)
        }),
      /** Removes the import and its files. Does not stop an import being sent. */
      discard: (one: PageImport) =>
        Effect.suspend(() => {
          if (one.phase._tag === "Sending") return Effect.void
          imports.delete(one.id)
          return cleared(one)
        })
    }
  })

export type Imports = Effect.Success<ReturnType<typeof make>>
