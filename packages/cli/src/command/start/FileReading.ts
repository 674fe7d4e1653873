/**
 * Keeps the answers of a conversation about reading the files: in a column map beside the book, and
 * as remembered answers for files with the same header.
 */
import type { Answer } from "@fiscal-connector/core/finding/Answer"
import type { Input } from "@fiscal-connector/core/source/Adapter"
import { escaped } from "@fiscal-connector/core/unstable/document/EscapedText"
import * as JsonEdits from "@fiscal-connector/core/unstable/document/JsonEdits"
import * as AtomicFile from "@fiscal-connector/core/unstable/file/AtomicFile"
import * as TextFile from "@fiscal-connector/core/unstable/file/TextFile"
import * as AnsweredReading from "@fiscal-connector/core/unstable/question/AnsweredReading"
import * as RememberedAnswers from "@fiscal-connector/core/unstable/question/RememberedAnswers"
import { Console, DateTime, Effect, FileSystem, Option } from "effect"
import * as Format from "../../adapter/Format.ts"
import { argsOf } from "../../output/AnswerFlag.ts"
import { ExitError } from "../../output/ExitError.ts"
import { printable } from "../../output/Terminal.ts"

/** The export, and the book that the conversation writes. */
interface Files {
  readonly input: Input
  /** Name of the export as the operator gave it. */
  readonly file: string
  readonly bookFile: string
}

/** Writes a file of the operator. An existing file is replaced as a whole. */
export const write = Effect.fnUntraced(function* (file: string, text: string, isThere: boolean) {
  const fs = yield* FileSystem.FileSystem
  yield* isThere ? AtomicFile.writeText(file, text) : fs.writeFileString(file, text, { flag: "wx", mode: 0o600 })
})

/** Returns the file of the column map, beside the book. A sandbox's book has the same columns. */
const mapFileOf = (bookFile: string): string => `${bookFile.replace(/(\.sandbox)?(\.book)?\.json$/, "")}.columns.json`

/** Returns the options with the column map beside the book, if it exists. */
export const mapped = (file: string, { adapter: { table } }: Format.Format, bookFile: string, options: object) =>
  Effect.gen(function* () {
    const map = mapFileOf(bookFile)
    const fs = yield* FileSystem.FileSystem
    if (table === undefined || !(yield* fs.exists(map))) return options
    yield* Console.log(printable(`${file} is read by the column map ${map}. To be asked again, remove that file.`))
    return { ...options, ...(yield* Format.mapFile(table, map)) }
  })

/** Returns all settings of the answers. */
const settingsOf = (readings: ReadonlyArray<Answer>) =>
  Object.assign({}, ...readings.map((answer) => ("settings" in answer ? answer.settings : {}))) as Readonly<
    Record<string, unknown>
  >

/**
 * Returns the names of the columns, by which later files are recognized. Files without known names
 * cannot be recognized: the result is empty.
 */
const headerToRemember = ({ adapter }: Format.Format, [first]: Input["files"], readings: ReadonlyArray<Answer>) => {
  const settings = settingsOf(readings)
  return first === undefined || settings["headerLine"] === 0
    ? Effect.succeedNone
    : Effect.option(Format.header(adapter, first, settings))
}

/**
 * Writes the answers about columns as a column map, or adds them to the existing one. Returns the
 * file; undefined if the files are read without a column map. The map of files that cannot be
 * remembered also has the other answers about reading.
 */
const writeMap = (
  { adapter: { table } }: Format.Format,
  { bookFile, file }: Files,
  readings: ReadonlyArray<Answer>,
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
    if (parts.length === 0) return map
    const before = isThere ? yield* TextFile.read(map) : blankMap(file)
    const whole = parts.reduce((all, part) => AnsweredReading.over(all, part) as typeof part, {})
    yield* write(map, JsonEdits.withValues(before, whole), isThere)
    yield* Console.log(printable(`${map} written: which column of the file is what.`))
    return map
  })

const blankMap = (file: string): string => `{
  // Column map of ${escaped(file)}: which column of the file is what.
  // Correct a name here, or remove this file to be asked again.
  "version": 1
}
`

/**
 * Remembers how the files are read, for later files with the same header. Returns flags with the
 * answers that cannot be remembered.
 */
const remember = (
  { adapter }: Format.Format,
  { bookFile, file }: Files,
  header: Option.Option<ReadonlyArray<string>>,
  map: string | undefined,
  readings: ReadonlyArray<Answer>
) =>
  Effect.gen(function* () {
    if (readings.length === 0) return []
    const settings = settingsOf(readings)
    // answers about this file only must be repeated for the next file
    const ofThisFile = "year" in settings ? argsOf({ settings: { year: settings["year"] } }) : []
    if (Option.isNone(header)) {
      if (map === undefined) return readings.flatMap(argsOf)
      return [...readings.filter((answer) => !("settings" in answer)).flatMap(argsOf), ...ofThisFile]
    }
    const layout = readings.flatMap((answer) => ("layout" in answer ? [answer.layout] : [])).at(-1)
    const at = DateTime.setZone(yield* DateTime.now, DateTime.zoneMakeOffset(0))
    const columnMap = map?.replace(/^.*[/\\]/, "")
    const remembered = RememberedAnswers.worth(
      {
        adapter: adapter.name,
        header: header.value,
        from: file,
        settings,
        ...(layout && { layout }),
        ...(columnMap && { columnMap })
      },
      at
    )
    const answersFile = RememberedAnswers.fileOf(bookFile)
    if (remembered !== undefined) {
      yield* RememberedAnswers.remember(answersFile, remembered)
      yield* Console.log(printable(`${answersFile} written: how files with this header are read.`))
    }
    return ofThisFile
  }).pipe(
    Effect.catchTag("AnswersFileError", ({ message }) => Effect.fail(new ExitError({ code: 1, text: `${message}.` })))
  )

/** Writes the answers. Returns the flags with which other calls read the files in the same way. */
export const keep = (source: Format.Format, files: Files, readings: ReadonlyArray<Answer>) =>
  Effect.gen(function* () {
    const header = yield* headerToRemember(source, files.input.files, readings)
    const map = yield* writeMap(source, files, readings, Option.isSome(header))
    const flags = yield* remember(source, files, header, map, readings)
    return map === undefined ? flags : [...flags, "--columns", map]
  })
