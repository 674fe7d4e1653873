import { EscapedText } from "@fiscal-connector/core/host"
import { Doctor } from "@fiscal-connector/core/host/account"
import { BookSkeleton } from "@fiscal-connector/core/host/import"
import { Console, Effect, FileSystem, Option, Path } from "effect"
import { Argument, Flag } from "effect/cli"
import { describedCommand } from "../output/Flags.ts"
import { optionalConfig } from "../account/AccountFlags.ts"
import * as ConfigBeside from "../account/ConfigBeside.ts"
import * as RunEffect from "../account/RunEffect.ts"
import * as BookOfExport from "../import/BookOfExport.ts"
import { Call, make as callOf } from "../output/Call.ts"
import { notDone } from "../output/ExitError.ts"
import * as ExportFormat from "./start/ExportFormat.ts"
import * as DoctorCommand from "./DoctorCommand.ts"
import { answerFlags, answersOf, configText } from "./start/InitAnswers.ts"
import * as Output from "../output/Output.ts"

const flags = {
  file: Argument.String("export").pipe(
    Argument.withDescription("an exported file or folder; new files are written beside it"),
    Argument.optional
  ),
  config: optionalConfig,
  account: Flag.String("account").pipe(
    Flag.withDescription("your name for the account; default main"),
    Flag.withDefault("main")
  ),
  ...answerFlags
}

export const init = describedCommand(
  "init",
  "Write a configuration, draft the mapping book of an export, and check the account as doctor does; ask for what no flag states",
  flags,
  Effect.fnUntraced(function* ({ account, config, file, ...given }) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const call = yield* Call
    const target = Option.isSome(config) ? config.value : yield* ConfigBeside.ofExport(Option.getOrElse(file, () => ""))
    if (yield* fs.exists(target)) {
      return yield* notDone(
        `There is a configuration ${target} already exists and was not changed. Its problems:\n  ${call.next({ command: ["doctor"], flags: ["--config", target] })}`
      )
    }
    if (Option.isSome(file)) yield* there(file.value)
    // an unreadable export is reported before any question or written file
    const recognized = Option.isNone(file) ? undefined : yield* ExportFormat.recognize(file.value)
    const folder = path.resolve(path.dirname(target))
    const answers = yield* answersOf(given, { account, folder: path.dirname(target) })
    const fromFolder = (named: string) => path.relative(folder, path.resolve(named)).replaceAll("\\", "/")
    yield* fs.writeFileString(target, EscapedText.escaped(configText(account, answers, fromFolder)), {
      flag: "wx",
      mode: 0o600
    })
    yield* RunEffect.changed
    yield* Console.log(`${target} written.`)
    const book =
      Option.isNone(file) || recognized === undefined ? undefined : yield* bookOf(file.value, answers.zone, recognized)
    if (book !== undefined) {
      yield* Console.log(
        book.is === "drafted" ? `${book.file} drafted.` : `${book.file} was there; it is left as it is.`
      )
    }
    const checks = yield* DoctorCommand.examine({
      config: target,
      account: Option.some(account),
      book: book?.is === "there" ? Option.some(book.file) : Option.none()
    })
    const looking = callOf(["doctor", "--config", target, ...(book ? ["--book", book.file] : [])])
    yield* Console.log(`\n${DoctorCommand.text(checks, looking)}\n`)
    const next = [
      ...(Doctor.isWell(checks) && book?.is !== "drafted"
        ? []
        : [call.next({ command: ["doctor"], flags: ["--config", target, ...(book ? ["--book", book.file] : [])] })]),
      ...(Option.isNone(file) || recognized === undefined
        ? []
        : [call.next({ command: ["plan", recognized.format], operands: [file.value], flags: ["--config", target] })])
    ]
    const first = book?.is === "drafted" ? `Next: fill in every "" in ${book.file}, then:` : "Next:"
    if (next.length > 0) yield* Console.log([first, ...next.map((line) => `  ${line}`)].join("\n"))
    yield* Output.tell("initialised", { configuration: target, book: book?.file ?? null, checks, next })
    if (!Doctor.isWell(checks)) return yield* notDone("")
  }, Effect.scoped)
)

const there = (file: string) =>
  FileSystem.FileSystem.use((fs) =>
    Effect.flatMap(
      Effect.orElseSucceed(fs.exists(file), () => false),
      (is) => (is ? Effect.void : Effect.fail(notDone(`Nothing was written: there is no file ${file}.`)))
    )
  )

const bookOf = Effect.fnUntraced(function* (file: string, zone: string, { draft }: ExportFormat.RecognizedFormat) {
  const fs = yield* FileSystem.FileSystem
  const book = yield* BookOfExport.beside(file)
  if (yield* fs.exists(book)) return { file: book, is: "there" as const }
  if (draft === undefined) return
  yield* fs.writeFileString(book, BookSkeleton.ofExport(draft, zone), { flag: "wx", mode: 0o600 })
  return { file: book, is: "drafted" as const }
})
