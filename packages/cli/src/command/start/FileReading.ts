/**
 * Keeps answers about reading the files: in a column map beside the book, and for later files with
 * the same header.
 */
import type { Adapter, Answer } from "@fiscal-connector/core/adapter"
import { AtomicFile, EscapedText, JsonEdits, TextFile } from "@fiscal-connector/core/host"
import { AnsweredReading, BookText, RememberedAnswers } from "@fiscal-connector/core/host/import"
import { Console, DateTime, Effect, FileSystem, Option, Result } from "effect"
import * as Format from "../../adapter/Format.ts"
import { argsOf } from "../../output/AnswerFlag.ts"
import { ExitError } from "../../output/ExitError.ts"
import { printable } from "../../output/Terminal.ts"

interface Files {
  readonly input: Adapter.Input
  readonly file: string
  readonly bookFile: string
}

export const write = Effect.fnUntraced(function* (file: string, text: string, isThere: boolean) {
  const fs = yield* FileSystem.FileSystem
  yield* isThere ? AtomicFile.writeText(file, text) : fs.writeFileString(file, text, { flag: "wx", mode: 0o600 })
})

/** Beside the book. A sandbox's book has the same columns. */
const mapFileOf = (bookFile: string): string => `${bookFile.replace(/(\.sandbox)?(\.book)?\.json$/, "")}.columns.json`

export const mapped = (file: string, { adapter: { table } }: Format.Format, bookFile: string, options: object) =>
  Effect.gen(function* () {
    const map = mapFileOf(bookFile)
    const fs = yield* FileSystem.FileSystem
    if (table === undefined || !(yield* fs.exists(map))) return options
    yield* Console.log(printable(`${file} is read by the column map ${map}. To be asked again, remove that file.`))
    return { ...options, ...(yield* Format.mapFile(table, map)) }
  })

const settingsOf = (readings: ReadonlyArray<Answer.Answer>) =>
  Object.assign({}, ...readings.map((answer) => ("settings" in answer ? answer.settings : {}))) as Readonly<
    Record<string, unknown>
  >

/** Later files are recognized by these names. Empty: they cannot be recognized. */
const headerToRemember = (
  { adapter }: Format.Format,
  [first]: Adapter.Input["files"],
  readings: ReadonlyArray<Answer.Answer>
) => {
  const settings = settingsOf(readings)
  return first === undefined || settings["headerLine"] === 0
    ? Effect.succeedNone
    : Effect.option(Format.header(adapter, first, settings))
}

const mapWithout = (text: string, changed: ReadonlyArray<Answer.Answer>): string => {
  const written = changed.flatMap((answer) => ("map" in answer ? [answer.map] : []))
  const keys = new Set(written.flatMap((map) => Object.keys(map)))
  const before = Result.getOrUndefined(BookText.read("", text))?.value
  const left = written.reduce((all, map) => AnsweredReading.without(all, map), before) as
    | Readonly<Record<string, unknown>>
    | undefined
  return [...keys].reduce((all, key) => JsonEdits.modified(all, [key], left?.[key]), text)
}

/**
 * Returns the file; undefined if the files are read without a column map. The map of files that
 * cannot be remembered also has the other answers about reading.
 */
const writeMap = (
  { adapter: { table } }: Format.Format,
  { bookFile, file }: Files,
  { changed, readings }: Pick<Keeping, "changed" | "readings">,
  isRemembered: boolean
) =>
  Effect.gen(function* () {
    if (table === undefined) return undefined
    const fs = yield* FileSystem.FileSystem
    const map = mapFileOf(bookFile)
    const isThere = yield* fs.exists(map)
    const ofColumns = readings.flatMap((answer) => ("map" in answer ? [answer.map] : []))
    if (ofColumns.length === 0 && !isThere) return undefined
    const { year: _, ...settings } = settingsOf(readings)
    const parts = [...ofColumns, ...(isRemembered || Object.keys(settings).length === 0 ? [] : [{ settings }])]
    if (parts.length === 0 && changed.length === 0) return map
    const before = isThere ? mapWithout(yield* TextFile.read(map), changed) : blankMap(file)
    const whole = parts.reduce((all, part) => AnsweredReading.over(all, part) as typeof part, {})
    yield* write(map, JsonEdits.withValues(before, whole), isThere)
    yield* Console.log(printable(`${map} written: which column of the file is what.`))
    return map
  })

const blankMap = (file: string): string => `{
  // Column map of ${EscapedText.escaped(file)}: which column of the file is what.
  // Correct a name here, or remove this file to be asked again.
  "version": 1
}
`

/** Returns flags with the answers that cannot be remembered. */
const remember = (
  { adapter }: Format.Format,
  { bookFile, file }: Files,
  header: Option.Option<ReadonlyArray<string>>,
  map: string | undefined,
  { entry, readings, record }: Keeping
) =>
  Effect.gen(function* () {
    if (record.size === 0) return []
    const settings = settingsOf(readings)
    // answers about this file only must be repeated for the next file
    const ofThisFile = "year" in settings ? argsOf({ settings: { year: settings["year"] } }) : []
    if (Option.isNone(header)) {
      if (map === undefined) return readings.flatMap(argsOf)
      return [...readings.filter((answer) => !("settings" in answer)).flatMap(argsOf), ...ofThisFile]
    }
    const layout = readings.flatMap((answer) => ("layout" in answer ? [answer.layout] : [])).at(-1) ?? entry?.layout
    const at = DateTime.setZone(yield* DateTime.now, DateTime.zoneMakeOffset(0))
    const columnMap = map?.replace(/^.*[/\\]/, "")
    const remembered = RememberedAnswers.worth(
      {
        adapter: adapter.name,
        header: header.value,
        from: file,
        settings: { ...entry?.settings, ...settings },
        answers: Object.fromEntries(record),
        ...(layout && { layout }),
        ...(columnMap && { columnMap })
      },
      at
    )
    const answersFile = RememberedAnswers.fileOf(bookFile)
    if (remembered !== undefined) {
      yield* RememberedAnswers.remember(answersFile, remembered)
      yield* Console.log(printable(`${answersFile} written: the answers, for files with this header.`))
    }
    return ofThisFile
  }).pipe(
    Effect.catchTag("AnswersFileError", ({ message }) => Effect.fail(new ExitError({ code: 1, text: `${message}.` })))
  )

export interface Keeping {
  readonly readings: ReadonlyArray<Answer.Answer>
  readonly record: ReadonlyMap<string, RememberedAnswers.KeptAnswer>
  readonly changed: ReadonlyArray<Answer.Answer>
  readonly entry: RememberedAnswers.RememberedAnswers | undefined
}

export const keep = (source: Format.Format, files: Files, keeping: Keeping) =>
  Effect.gen(function* () {
    const { entry, readings } = keeping
    const given = entry === undefined ? readings : [{ settings: entry.settings }, ...readings]
    const header = yield* headerToRemember(source, files.input.files, given)
    const map = yield* writeMap(source, files, keeping, Option.isSome(header))
    const flags = yield* remember(source, files, header, map, keeping)
    return map === undefined ? flags : [...flags, "--columns", map]
  })
