import { AtomicFile } from "@fiscal-connector/core/host"
import { Conversation, RememberedAnswers } from "@fiscal-connector/core/host/import"
import { Console, DateTime, Effect, FileSystem, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { FormatSource } from "../../adapter/Format.ts"
import { configOf } from "../../account/AccountFlags.ts"
import * as ConfigBeside from "../../account/ConfigBeside.ts"
import * as RunEffect from "../../account/RunEffect.ts"
import * as DeviceOfAccount from "../../account/DeviceOfAccount.ts"
import * as AdapterAnswer from "../../import/AdapterAnswer.ts"
import * as BookOfExport from "../../import/BookOfExport.ts"
import * as Terminal from "../../import/Conversation.ts"
import * as InputFiles from "../../import/InputFiles.ts"
import * as OpenExport from "../../import/OpenExport.ts"
import * as QuestionList from "../../import/QuestionList.ts"
import * as Remembered from "../../import/Remembered.ts"
import { Call, type CallShape, used } from "../../output/Call.ts"
import { ExitError } from "../../output/ExitError.ts"
import { StandardStreams } from "../../output/StandardStreams.ts"
import { printable } from "../../output/Terminal.ts"
import * as ExportFormat from "./ExportFormat.ts"
import * as FileReading from "./FileReading.ts"
import * as GatewayOfStart from "./GatewayOfStart.ts"
import * as ImportCommand from "../import/ImportCommand.ts"
import { importFlags } from "../import/ImportFlags.ts"

const flags = {
  file: Argument.String("export").pipe(
    Argument.withDescription("an exported file or folder; new files are written beside it")
  ),
  book: importFlags.book,
  sandbox: importFlags.sandbox,
  config: importFlags.config,
  account: importFlags.account,
  answers: Flag.File("answers", { mustExist: true }).pipe(
    Flag.withDescription("a file with answers to the open questions, for scripts (docs/start.md#answers)"),
    Flag.optional
  ),
  ...GatewayOfStart.flags
}

type StartSettings = Command.Command.Config.Infer<typeof flags>

const run = (given: StartSettings) =>
  Effect.gen(function* () {
    const leaving = Effect.flatMap(leftText(given), Console.error)
    const { plan } = yield* Effect.onInterrupt(answered(given), () => leaving)
    yield* plan
  }).pipe(
    Effect.catchTag("QuitError", () => Effect.flatMap(leftText(given), (text) => new ExitError({ code: 1, text }))),
    Effect.scoped
  )

const answered = (given: StartSettings) =>
  Effect.gen(function* () {
    const { account, file, sandbox } = given
    const { inputIsTerminal, output } = yield* StandardStreams
    const isAsked = inputIsTerminal && output.isTerminal
    const fs = yield* FileSystem.FileSystem
    if (!(yield* Effect.orElseSucceed(fs.exists(file), () => false)))
      return yield* new ExitError({ code: 1, text: `Nothing was written: there is no file ${file}.` })
    const source = yield* ExportFormat.formatOf(file)
    const { name } = source.adapter
    yield* Console.log(printable(`${file} is read as ${name}.`))
    const bookFile = yield* bookFileOf(given)
    const config = sandbox ? Option.none<string>() : yield* configFor(given, file, isAsked)
    const known = Option.isNone(config) ? OpenExport.nothingKnown : yield* DeviceOfAccount.read(config.value, account)
    const input = yield* InputFiles.open(name, [file], source.extensions)
    const entry = yield* Remembered.recalled(source, input, bookFile)
    const before = new Map(Object.entries(entry?.answers ?? {}))
    const again = isAsked && Option.isNone(given.answers) ? yield* askedAgain(before) : []
    const changed = new Map([...before].filter(([subject]) => again.includes(subject)))
    // a changed answer may change every later one: all of them are applied again
    const others = new Map(changed.size === 0 ? [] : [...before].filter(([subject]) => !changed.has(subject)))
    const remembered = yield* Remembered.laid(source, bookFile, changed.size === 0 ? entry : undefined)
    const options = changed.size === 0 ? yield* FileReading.mapped(file, source, bookFile, remembered) : source.options
    const exported = { adapter: source.adapter, input, options }
    const kept = yield* progressOf(bookFile)
    for (const [subject, { answer }] of others) if (!kept.answers.has(subject)) kept.answers.set(subject, answer)
    const conversing = yield* OpenExport.conversing(exported, bookFile, known, changed)
    const state = yield* settledBy(given, conversing, bookFile, kept, isAsked)
    const laid = OpenExport.answered(conversing, state)
    const isThere = conversing.asking.book !== undefined
    // rejects an unusable book before replacing an existing one
    yield* OpenExport.bookOf(bookFile, laid.text)
    yield* FileReading.write(bookFile, laid.text, isThere)
    yield* RunEffect.changed
    if (state.settled.size > 0 || !isThere) yield* Console.log(printable(`${bookFile} written.`))
    const keeping = {
      readings: laid.readings,
      record: new Map(
        [...before, ...(yield* recordOf(state))].filter(([one]) => !again.includes(one) || state.settled.has(one))
      ),
      changed: Array.from(changed.values(), ({ reading }) => reading ?? []).flat(),
      entry: changed.size === 0 ? entry : undefined
    }
    const flags = yield* FileReading.keep(source, { input, file, bookFile }, keeping)
    yield* kept.remove
    return { plan: planned(given, file, bookFile, config, { ...source, options: laid.options }, flags) }
  })

const askedAgain = Effect.fnUntraced(function* (record: ReadonlyMap<string, RememberedAnswers.KeptAnswer>) {
  if (record.size === 0) return []
  const rows = Array.from(record, ([subject, { on, says }]) => ({ subject, text: `${subject}: ${says} (${on})` }))
  const again = yield* Terminal.changed(rows, "goes on by these answers")
  return again ?? (yield* new ExitError({ code: 1, text: "Nothing was changed." }))
})

const recordOf = (state: Conversation.ConversationState) =>
  Effect.map(DateTime.now, (now): ReadonlyArray<readonly [string, RememberedAnswers.KeptAnswer]> =>
    [...state.settled].flatMap(([subject, one]) => {
      const { answer = one.choice.id } = state.answers.get(subject) ?? {}
      const { as, book, reading } = one.choice
      const says = Conversation.sayingOf(state, one)
      const on = DateTime.formatIsoDateUtc(now)
      const about = RememberedAnswers.aboutOf(one.question)
      return as === undefined ? [[subject, { answer, says, on, reading, book, ...about }]] : []
    })
  )

type KeptProgress = Effect.Success<ReturnType<typeof progressOf>>

const settledBy = (
  given: StartSettings,
  conversing: OpenExport.Conversing,
  bookFile: string,
  kept: KeptProgress,
  isAsked: boolean
) =>
  Effect.gen(function* () {
    const named = Option.getOrElse(given.answers, () => kept.file)
    const answers = new Map([
      ...kept.answers,
      ...(Option.isSome(given.answers) ? yield* OpenExport.answersIn(named) : [])
    ])
    const begun = Conversation.begin(
      new Map(Array.from(answers, ([subject, answer]) => [subject, { answer, origin: "file" }]))
    )
    const next = (state: Conversation.ConversationState) =>
      OpenExport.next(conversing, state).pipe(
        Effect.tap((following) =>
          following._tag === "Group" ? OpenExport.checked(named, following.problems) : Effect.void
        ),
        Effect.catchTag("AdapterError", (error) => Effect.andThen(kept.keep(state), AdapterAnswer.quit(error)))
      )
    if (isAsked) {
      const { state, stopped } = yield* Terminal.hold(next, begun, kept.keep, `writes ${bookFile}`)
      if (stopped === undefined) return state
      if (stopped === "left")
        return yield* new ExitError({ code: 1, text: `Nothing of the book was written. ${keptIn(kept.file)}` })
      // the next start asks again what the file is
      yield* kept.keep(state)
      return yield* OpenExport.stopped(stopped)
    }
    const following = yield* next(begun)
    if (following._tag === "Done") return following.state
    if (following._tag === "Stopped") return yield* OpenExport.stopped(following)
    return yield* unanswered(given, { ...following, questions: [...following.questions, ...following.later] })
  })

/** A sandbox's taxes differ from a gateway's, so its book is a separate file. */
const bookFileOf = ({ book, file, sandbox }: StartSettings) =>
  Effect.map(BookOfExport.fileOf([file], book), (named) =>
    sandbox && Option.isNone(book) ? named.replace(/\.book\.json$/, ".sandbox.book.json") : named
  )

const configFor = Effect.fnUntraced(function* (given: StartSettings, file: string, isAsked: boolean) {
  const named = yield* configOf(given.config)
  if (Option.isSome(named)) return named
  const beside = yield* ConfigBeside.ofExport(file)
  yield* GatewayOfStart.write(beside, given, isAsked)
  yield* Console.log(printable(`${beside} written.`))
  return Option.some(beside)
})

const keptFileOf = (bookFile: string): string => `${bookFile.replace(/(\.book)?\.json$/, "")}.questions.json`

/** Answers so far, kept beside the book until the book is written. */
const progressOf = Effect.fnUntraced(function* (bookFile: string) {
  const fs = yield* FileSystem.FileSystem
  const file = keptFileOf(bookFile)
  const isThere = yield* fs.exists(file)
  const answers = new Map(isThere ? yield* OpenExport.answersIn(file) : [])
  if (isThere && answers.size > 0) yield* Console.log(printable(`Continues with the answers in ${file}.`))
  return {
    file,
    answers,
    keep: ({ answers, opened, settled }: Conversation.ConversationState) =>
      Effect.suspend(() => {
        if (answers.size === 0) return fs.remove(file, { force: true })
        const texts = new Map(Array.from(answers, ([subject, { answer }]) => [subject, answer]))
        const asked = [...Array.from(settled.values(), ({ question }) => question), ...(opened?.questions ?? [])]
        const questions = asked.filter(({ id }, i) => texts.has(id) && asked.findIndex((one) => one.id === id) === i)
        return AtomicFile.writeText(
          file,
          RememberedAnswers.template(questions, ({ id }) => texts.get(id) ?? "", texts)
        )
      }).pipe(Effect.orDie, Effect.provideService(FileSystem.FileSystem, fs)),
    remove: Effect.ignore(fs.remove(file, { force: true }))
  }
})

const keptIn = (file: string): string => `The answers are kept in ${printable(file)}.`

const leftText = (given: StartSettings) =>
  Effect.gen(function* () {
    const [call, fs] = [yield* Call, yield* FileSystem.FileSystem]
    const kept = keptFileOf(yield* bookFileOf(given))
    const isKept = yield* Effect.orElseSucceed(fs.exists(kept), () => false)
    return `\nNothing was sent. ${isKept ? `${keptIn(kept)} ` : ""}To continue:\n  ${call.again()}`
  })

const unanswered = Effect.fnUntraced(function* (
  { answers, file }: StartSettings,
  open: Parameters<typeof OpenExport.leftOpen>[0]
) {
  const call = yield* Call
  const named = Option.isNone(answers) ? undefined : (call.value("answers") ?? answers.value)
  const template = call.next({
    command: ["plan"],
    operands: [file],
    as: ["config", "account", "answers"],
    flags: [...(call.place === "gone" ? ["--sandbox"] : []), "--write-answers", named ?? "answers.json"]
  })
  const count = open.questions.length === 1 ? "one question is" : `${open.questions.length} questions are`
  const because =
    named === undefined ? "Without a terminal no question can be asked, and" : `By the answers in ${printable(named)},`
  const what =
    named === undefined
      ? "This writes them to a file, with the proposals; complete it and call this again with --answers:"
      : "This adds them to the file, with the proposals:"
  const text = `Nothing was written or sent. ${because} ${count} open:\n\n${QuestionList.list(open.questions)}\n\n${what}\n  ${template}`
  return yield* OpenExport.leftOpen(open, template, text)
})

const planned = (
  { account, sandbox }: StartSettings,
  file: string,
  bookFile: string,
  config: Option.Option<string>,
  source: FormatSource,
  reading: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    // what was found beside the file is not found from another folder
    const call = used(yield* Call, Option.match(config, { onNone: () => ({}), onSome: (config) => ({ config }) }))
    yield* Console.log("")
    yield* Effect.provideService(
      ImportCommand.run(
        "plan",
        source,
        {
          files: [file],
          book: Option.some(bookFile),
          sandbox,
          config,
          account,
          as: Option.none(),
          answers: Option.none(),
          writeAnswers: Option.none(),
          original: Option.none(),
          originals: Option.none(),
          dryRun: false,
          sendRest: false,
          live: false,
          firstUse: Option.none(),
          notBefore: Option.none(),
          report: Option.none(),
          receipts: Option.none(),
          historical: false
        },
        "given"
      ),
      Call,
      importing(call, file, [...reading, ...(sandbox ? ["--book", bookFile, "--sandbox"] : [])])
    )
  })

/** The plan prints calls of an import, not of this conversation. */
const importing = (call: CallShape, file: string, flags: ReadonlyArray<string>): CallShape => {
  const as = ["config", "account", ...(flags.includes("--book") ? [] : ["book"])]
  return {
    ...call,
    like: ({ command = "import" }) => call.next({ command: [command], operands: [file], as, flags }),
    again: (...more) => call.next({ command: ["plan"], operands: [file], as, flags: [...flags, ...more] })
  }
}

export const start = Command.make("start", flags, run).pipe(
  Command.withDescription(
    "Set up a first import: ask what is open about a file and an account, write the mapping book and the configuration, show the plan; send nothing"
  )
)
