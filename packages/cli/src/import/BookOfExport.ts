/**
 * Finds and loads the mapping book of an export: the named book, else `x.book.json` beside `x.csv`.
 */
import { BookFiles } from "@fiscal-connector/core/host/import"
import { Effect, FileSystem, Option, Path } from "effect"
import * as OwnFile from "../account/OwnFile.ts"
import { problemList } from "../output/ProblemList.ts"
import { systemText } from "../output/SystemText.ts"
import { ExitError } from "../output/ExitError.ts"
import { Call, type CallShape } from "../output/Call.ts"
import { printable } from "../output/Terminal.ts"

export const beside = (file: string) =>
  Effect.map(Path.Path, (path) => {
    const named = /(^|[/\\])\.{1,2}[/\\]?$/.test(file) ? path.resolve(file) : file
    return path.join(path.dirname(named), `${path.basename(named).replace(/\.[^.]*(\.gz)?$/, "")}.book.json`)
  })

export interface ExportDrafting {
  readonly files: ReadonlyArray<string>
  readonly format: string
  readonly reading: ReadonlyArray<string>
}

export const draftingCall = ({ files, format, reading }: ExportDrafting, call: CallShape): string =>
  call.next({
    // a custom adapter is named by a flag
    command: reading.includes("adapter") ? ["book", "draft"] : ["book", "draft", format],
    operands: files,
    as: ["book", ...reading]
  })

export const fileOf = (files: ReadonlyArray<string>, named: Option.Option<string>) =>
  Option.isSome(named) ? Effect.succeed(named.value) : beside(files[0]!)

export const existing = Effect.fnUntraced(function* (drafting: ExportDrafting, named: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  if (Option.isSome(named) && !(yield* fs.exists(named.value))) return yield* noSuchBook(named.value, drafting)
  return yield* fileOf(drafting.files, named)
})

const booksBeside = Effect.fnUntraced(function* (file: string) {
  const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
  const folder = path.dirname(file)
  const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): ReadonlyArray<string> => [])
  return names
    .filter((name) => name.endsWith(".book.json"))
    .toSorted()
    .slice(0, 10)
    .map((name) => path.join(folder, name))
})

const noSuchBook = Effect.fnUntraced(function* (named: string, drafting: ExportDrafting) {
  const call = yield* Call
  const [file = "-"] = drafting.files
  const books = yield* booksBeside(named)
  const own = file === "-" ? undefined : yield* beside(file)
  const isOwn = own !== undefined && (yield* FileSystem.FileSystem.use((fs) => fs.exists(own)))
  const text = [
    printable(`There is no mapping book ${named}. Nothing was sent.`),
    ...(books.length === 0 ? [] : [printable(`Mapping books in its folder: ${books.join(", ")}`)]),
    ...(isOwn
      ? [printable(`Without --book, ${own} is used:`), `  ${call.like({ leavesOut: (flag) => flag === "--book" })}`]
      : []),
    ...howToWriteOne(named, drafting, call)
  ].join("\n")
  return yield* new ExitError({ code: 1, text })
})

export const ofExport = Effect.fnUntraced(function* (drafting: ExportDrafting, named: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* existing(drafting, named)
  if (yield* fs.exists(file)) return yield* load(file)
  const problem = printable(
    `${drafting.files[0]} has no mapping book, and without one no tax or currency can be known. Nothing was sent.`
  )
  return yield* new ExitError({ code: 1, text: [problem, ...howToWriteOne(file, drafting, yield* Call)].join("\n") })
})

/** Loads the book in a file. Fails with ExitError and all problems of the book. */
export const load = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(file))) return yield* new ExitError({ code: 1, text: `There is no mapping book ${file}.` })
  yield* OwnFile.mustBe("mapping book", file)
  return yield* BookFiles.open(file).pipe(
    Effect.mapError((error) => {
      if (error._tag === "PlatformError")
        return new ExitError({ code: 1, text: `The mapping book cannot be read. ${systemText(error)}` })
      return new ExitError({ code: 1, text: `${error.message}:\n\n${problemList(error.findings)}` })
    })
  )
})

/** `start` detects the format, and takes no flags about it: with such flags a draft is printed. */
const howToWriteOne = (book: string, drafting: ExportDrafting, call: CallShape): ReadonlyArray<string> => {
  const [file = "-"] = drafting.files
  if (file === "-" || drafting.reading.some((name) => call.value(name) !== undefined))
    return [
      printable(`This drafts ${book} from the export, to be completed by hand:`),
      `  ${draftingCall(drafting, call)}`,
      "Its fields:",
      `  ${call.next({ command: ["docs"], operands: ["mapping-book"] })}`
    ]
  return [printable(`To answer the open questions and write ${book}:`), `  ${startingCall(file, ["book"], call)}`]
}

/** Call of the conversation about a file. */
export const startingCall = (file: string, as: ReadonlyArray<string>, call: CallShape): string =>
  call.next({
    command: ["start"],
    operands: [file],
    as: ["config", "account", ...as],
    flags: call.place === "gone" ? ["--sandbox"] : []
  })
