/** Builds an import job from flags: book, account and store. Then `Importing.run` runs the job. */
import { ImportRecord, type OpenAccount } from "@fiscal-connector/core/session"
import { type Adapter, Readings } from "@fiscal-connector/core/adapter"
import { AtomicFile, TextFile } from "@fiscal-connector/core/host"
import { Conversation, type OpenQuestion, RememberedAnswers } from "@fiscal-connector/core/host/import"
import { StoreOpening } from "@fiscal-connector/core/node"
import { AccountFacts } from "@fiscal-connector/core/host/account"
import { StorePlace } from "@fiscal-connector/core/store"
import { Effect, FileSystem, Option } from "effect"
import { Command } from "effect/cli"
import * as Format from "../../adapter/Format.ts"
import type { ChosenAccount } from "../../account/ChosenAccount.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import * as Engine from "../../account/Engine.ts"
import * as Opening from "../../account/Opening.ts"
import * as RunEffect from "../../account/RunEffect.ts"
import * as SandboxAccount from "../../account/SandboxAccount.ts"
import { mayBeMade } from "../../account/StoreFlags.ts"
import * as BookOfExport from "../../import/BookOfExport.ts"
import * as Importing from "../../import/Importing.ts"
import * as InputFiles from "../../import/InputFiles.ts"
import * as ReportFile from "../../import/ReportFile.ts"
import * as QuestionList from "../../import/QuestionList.ts"
import * as Remembered from "../../import/Remembered.ts"
import * as RefusedFile from "../../import/RefusedFile.ts"
import * as Originals from "../../import/SettledOriginals.ts"
import { ExitError } from "../../output/ExitError.ts"
import { importFlags } from "./ImportFlags.ts"
import { configOf } from "../../account/AccountFlags.ts"
import * as AdapterAnswer from "../../import/AdapterAnswer.ts"
import * as DeviceOfAccount from "../../account/DeviceOfAccount.ts"
import * as ExportLook from "../../import/ExportLook.ts"
import * as FileContent from "../../import/FileContent.ts"
import * as OpenExport from "../../import/OpenExport.ts"
import { Call } from "../../output/Call.ts"
import * as Output from "../../output/Output.ts"
import { printable } from "../../output/Terminal.ts"

type ImportCommandFlags = Command.Command.Config.Infer<typeof importFlags>

/** A plan never creates a store, but fails if an import could not create one. */
const toLookAt = Effect.fnUntraced(function* (store: StorePlace.StorePlace) {
  if (store._tag === "Memory" || (yield* StoreOpening.isThere(store))) return store
  yield* mayBeMade(store)
  yield* Output.note(
    `There is no store ${StorePlace.describe(store)} yet: nothing is known of documents sent before. The import makes it.`
  )
  return StorePlace.memory
})

/**
 * Runs `plan` or `import` for one format. `answers`: `given` if the options have the answers that
 * are remembered for similar files.
 */
export const run = (
  called: "plan" | "import",
  source: Format.FormatSource,
  flags: ImportCommandFlags,
  answers: "remembered" | "given" = "remembered"
) =>
  Effect.gen(function* () {
    const early = Importing.interruptedEarly(flags.dryRun ? "plan" : called)
    const ready = yield* Effect.onInterrupt(prepared(called, source, flags, answers), () => early)
    if (ready === undefined) return
    const { chosen, job, mode, place } = ready
    const done =
      mode === "plan"
        ? plan(job, chosen)
        : send(job, chosen, yield* Opening.now(Opening.optionsOf(flags, chosen.witness)))
    const call = yield* Call
    yield* Effect.provideService(done, Call, { ...call, place })
  }).pipe(Effect.scoped)

export const command = (called: "plan" | "import", format: Format.Format, name: string = format.adapter.name) =>
  Command.make(
    name,
    { ...importFlags, ...format.flags },
    Effect.fnUntraced(function* (flags) {
      yield* run(called, yield* Format.sourceOf(format, flags), flags)
    })
  )

const prepared = (
  called: "plan" | "import",
  source: Format.FormatSource,
  flags: ImportCommandFlags,
  answers: "remembered" | "given"
) =>
  Effect.gen(function* () {
    const { adapter, code, content, ending, extensions, reading } = source
    const { account: named, dryRun, original, sandbox, sendRest } = flags
    const files = [...flags.files, ...source.alongside]
    const mode = dryRun ? "plan" : called
    const config = sandbox ? flags.config : yield* configOf(flags.config)
    if (sandbox ? Option.isSome(config) : Option.isNone(config) && mode === "import")
      return yield* whereTo(files[0]!, sandbox)
    if (Option.isSome(flags.report)) yield* ReportFile.room("report", flags.report.value)
    const input = yield* InputFiles.open(adapter.name, files, extensions)
    if (Option.isSome(flags.receipts)) yield* roomForReceipts(flags.receipts.value, source, input)
    yield* rightFormat(called, source, input)
    const otherFormat =
      content === "json"
        ? `Nothing was sent: ${adapter.name} finds no document in ${printable(files.join(", "))}. ${yield* withoutWord(called, input.files)}`
        : ""
    const drafting = { files, format: adapter.name, reading }
    const bookFile = yield* BookOfExport.existing(drafting, flags.book)
    const recalled = yield* Remembered.recalled(source, input, bookFile)
    const remembered = answers === "given" ? source.options : yield* Remembered.laid(source, bookFile, recalled)
    const exported = { adapter, input, options: remembered, otherFormat }
    const isAsked = Option.isSome(flags.answers) || Option.isSome(flags.writeAnswers)
    if (isAsked && mode === "import") return yield* answersByStart(files[0]!)
    const isOpen = mode === "plan" && (isAsked || !(yield* hasBook(files, flags.book)))
    const known = isOpen ? yield* knownOf(config, named) : OpenExport.nothingKnown
    if (isOpen && Option.isNone(flags.answers))
      return void (yield* ExportLook.look(exported, { bookFile, drafting, known, template: flags.writeAnswers }))
    const answered = Option.isNone(flags.answers)
      ? undefined
      : yield* answeredBy(flags.answers.value, flags.writeAnswers, exported, bookFile, known)
    const options = answered?.options ?? remembered
    const book =
      answered === undefined
        ? yield* BookOfExport.ofExport(drafting, flags.book)
        : yield* OpenExport.bookOf(bookFile, answered.text)
    const chosen = yield* Option.match(config, {
      onNone: () => SandboxAccount.connect(book),
      onSome: (file) => ConfigAccount.choose(file, named, book.zone, [bookFile, ...(code === undefined ? [] : [code])])
    })
    if (!sandbox && Option.isNone(config)) yield* Output.note(byBookAlone)
    const services = yield* Effect.context<FileSystem.FileSystem>()
    const job: Importing.ImportJob = {
      order: {
        readings: Readings.from(adapter, input, options, book),
        book,
        originals: yield* Originals.settled(flags.originals, original),
        timing: flags.historical ? "historical" : "ordinary",
        notBefore: Option.getOrElse(flags.notBefore, () => chosen.settings.notBefore)
      },
      along: input.along,
      whenLate: sendRest || sandbox ? "send-rest-beyond-limit" : undefined,
      store: chosen.store,
      writeRefused: adapter.writeRefused,
      namedNotes: new Set(Object.keys(Option.getOrElse(original, () => ({})))),
      refusedFile: yield* RefusedFile.beside(files[0]!, ending),
      files,
      afterPlan: yield* afterPlan(files[0]!, sandbox || Option.isSome(config) ? "named" : "none", flags.answers),
      bookFile,
      otherFormat,
      answers: {
        given: new Map(Object.entries(answered?.given ?? recalled?.answers ?? {})),
        change: yield* howToChange(files[0]!, flags.answers)
      },
      // cached: the files are read for the record only once
      made: yield* Effect.cached(
        Effect.provideContext(madeOf(adapter.name, input, options, bookFile, answered?.text), services)
      ),
      reportFile: Option.getOrUndefined(flags.report),
      receipts: Option.getOrUndefined(
        Option.map(flags.receipts, (target) => ({
          target,
          bytes: (documents) =>
            adapter.table!.receipts(input.files[0]!, adapter.under?.(options, book) ?? options, documents)
        }))
      )
    }
    const place = Option.isNone(config) ? "gone" : mode === "plan" ? "planned" : "kept"
    return { chosen, job, mode, place } as const
  })

/** Fails if the export has no rows to write again, or more than one file of them. */
const roomForReceipts = Effect.fnUntraced(function* (
  target: string,
  { adapter }: Format.FormatSource,
  { files }: Adapter.Input
) {
  const refused = (because: string) => new ExitError({ code: 1, text: `Nothing was sent: ${because}` })
  if (adapter.table === undefined)
    return yield* refused(
      `--receipts writes the rows of an export again, and ${adapter.name} has no rows. Leave it out; --json prints each document with its receipt.`
    )
  if (files.length !== 1)
    return yield* refused(
      `--receipts writes one file again, and the export has ${files.length}. Name one file at a time.`
    )
  yield* ReportFile.room(
    "receipts",
    target,
    files.map(({ name }) => name)
  )
})

const madeOf = (
  adapter: string,
  { files }: Adapter.Input,
  options: unknown,
  bookFile: string,
  bookText: string | undefined
) =>
  Effect.gen(function* () {
    const { settings, ...others } = options as { readonly settings?: object }
    return {
      adapter,
      files: yield* Effect.forEach(files, ImportRecord.fileRecord),
      book: ImportRecord.textRecord(bookFile, bookText ?? (yield* TextFile.read(bookFile))),
      settings: { ...settings, ...others }
    }
  })

const contentNames = {
  workbook: "an Excel workbook",
  json: "JSON",
  text: "a table in text",
  other: "of another kind",
  empty: "empty"
}

/** The text shows a call that detects the format. */
const rightFormat = Effect.fnUntraced(function* (
  called: string,
  { adapter, content: wanted }: Format.Format,
  { files }: Adapter.Input
) {
  const [file] = files
  if (wanted === undefined || file === undefined || file.name === "-") return
  const content = yield* FileContent.of(file.name)
  // files that are neither are reported by the adapter, which knows more kinds of files
  if (content === wanted || content === "empty" || content === "other" || (content === "text" && wanted === "json"))
    return
  if (content === "text" && !/\.(csv|tsv|txt)$/i.test(file.name)) return
  const text = `Nothing was read: ${printable(file.name)} is ${contentNames[content]}, and ${adapter.name} reads ${contentNames[wanted]}. ${yield* withoutWord(called, files)}`
  return yield* new ExitError({ code: 1, text })
})

const withoutWord = (called: string, files: Adapter.Input["files"]) =>
  Effect.map(Call, (call) => {
    const again = call.next({
      command: [called],
      operands: files.map(({ name }) => name),
      as: ["book", "config", "account"],
      flags: call.place === "gone" ? ["--sandbox"] : []
    })
    return `Without the word the format is found by the content:\n  ${again}`
  })

const answersByStart = Effect.fnUntraced(function* (file: string) {
  const call = yield* Call
  const text = `Nothing was sent: open questions must be answered first. This command writes the mapping book from the answers:\n  ${BookOfExport.startingCall(file, ["answers"], call)}`
  return yield* new ExitError({ code: 1, text })
})

const knownOf = (config: Option.Option<string>, account: Option.Option<string>) =>
  Option.isNone(config) ? Effect.succeed(OpenExport.nothingKnown) : DeviceOfAccount.read(config.value, account)

/** Applies the answers in memory. `template`: file for the open questions and the answers. */
const answeredBy = (
  file: string,
  template: Option.Option<string>,
  exported: OpenExport.Exported,
  bookFile: string,
  known: OpenExport.KnownExport
) =>
  Effect.gen(function* () {
    const call = yield* Call
    const answers = yield* OpenExport.answersIn(file)
    const conversing = yield* OpenExport.conversing(exported, bookFile, known)
    const given = Array.from(answers, ([subject, answer]) => [subject, { answer, origin: "file" as const }] as const)
    const next_ = OpenExport.next(conversing, Conversation.begin(new Map(given)))
    const following = yield* Effect.catchTag(next_, "AdapterError", AdapterAnswer.quit)
    if (following._tag === "Done") return OpenExport.answered(conversing, following.state)
    if (following._tag === "Stopped") return yield* OpenExport.stopped(following)
    yield* OpenExport.checked(file, following.problems)
    const open = { ...following, questions: [...following.questions, ...following.later] }
    const count = open.questions.length === 1 ? "one question is open" : `${open.questions.length} questions are open`
    const named = call.value("answers") ?? file
    const adding = call.again("--write-answers", named)
    if (Option.isNone(template)) {
      const isMissing = open.questions.some(({ id }) => !answers.has(id))
      const more = isMissing ? `\n\nThis adds them to the file, with the proposals:\n  ${adding}` : ""
      const text = `Nothing was written or sent. By the answers in ${printable(named)}, ${count}:\n\n${QuestionList.list(open.questions)}${more}`
      return yield* OpenExport.leftOpen(open, adding, text)
    }
    const answerOf = ({ id, proposal }: OpenQuestion.OpenQuestion) => answers.get(id) || (proposal ?? "")
    const settled = Array.from(following.state.settled.values(), ({ question }) => question)
    yield* AtomicFile.writeText(
      template.value,
      RememberedAnswers.template([...settled, ...open.questions], answerOf, answers)
    )
    const next = call.like({
      leavesOut: (flag) => flag === "--write-answers" || flag === "--answers",
      flags: ["--answers", template.value]
    })
    const text = `Nothing was sent. ${printable(template.value)} written: ${count}. Complete it, then plan by it:\n  ${next}`
    return yield* OpenExport.leftOpen(open, next, text)
  })

const afterPlan = Effect.fnUntraced(function* (
  file: string,
  account: "named" | "none",
  answers: Option.Option<string>
) {
  const call = yield* Call
  // an import takes its answers from a mapping book
  if (Option.isSome(answers))
    return `This writes the mapping book from the answers, and prints the import:\n  ${BookOfExport.startingCall(file, ["answers"], call)}`
  if (account === "named")
    return `This sends it:\n  ${call.like({ command: "import", leavesOut: (flag) => flag === "--dry-run" })}`
  return `To send it, set up an account:\n  ${call.next({ command: ["init"], operands: [file] })}`
})

const howToChange = (file: string, answers: Option.Option<string>) =>
  Effect.map(Call, (call) =>
    Option.match(answers, {
      onNone: () => `change it: ${BookOfExport.startingCall(file, [], call)}`,
      onSome: (named) => `change it in ${named}`
    })
  )

const whereTo = Effect.fnUntraced(function* (file: string, isBoth: boolean) {
  const problem =
    "Say where the documents go: --sandbox for a gateway of our own, or --config FILE for an account; one of them."
  if (isBoth) return yield* new ExitError({ code: 1, text: problem })
  const call = yield* Call
  const text = `${problem}\n  ${call.again("--sandbox")}\n${yield* afterPlan(file, "none", Option.none())}`
  return yield* new ExitError({ code: 1, text })
})

const byBookAlone =
  "Checked against the mapping book alone: with --config FILE an export is also held against the gateway, the device and what was sent before."

const hasBook = (files: ReadonlyArray<string>, named: Option.Option<string>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    return yield* fs.exists(yield* BookOfExport.fileOf(files, named))
  })

const plan = Effect.fnUntraced(function* (job: Importing.ImportJob, { settings, store }: ChosenAccount) {
  const facts = yield* AccountFacts.read(settings, job.order.book.zone)
  yield* Importing.plan(job, facts).pipe(Effect.provide(Engine.layer(yield* toLookAt(store), "looking")))
})

const send = (
  job: Importing.ImportJob,
  { others, settings, store }: ChosenAccount,
  options: OpenAccount.OpeningOptions
) =>
  Effect.gen(function* () {
    const account = yield* Opening.open(settings, options, Importing.period(job, settings))
    yield* Importing.run(job, account, Opening.openBeside(account, others, options))
  }).pipe(RunEffect.watched, Effect.provide(Engine.layer(store)))
