import { SourceInPeriod } from "@fiscal-connector/core/host/account"
import { CivilDate, Readings } from "@fiscal-connector/core/adapter"
import { ImportRecord, Reconcile } from "@fiscal-connector/core/session"
import type { AccountReport } from "@fiscal-connector/ui/AccountReport"
import { SqliteStaging } from "@fiscal-connector/core/node"
import { Notice } from "@fiscal-connector/core/host"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { accountFlags } from "../../account/AccountFlags.ts"
import type { ChosenAccount } from "../../account/ChosenAccount.ts"
import * as ConfigAccount from "../../account/ConfigAccount.ts"
import { as, decidedBy, reason } from "../../account/DecidedBy.ts"
import * as SourceOfConfig from "../../account/SourceOfConfig.ts"
import * as RunEffect from "../../account/RunEffect.ts"
import { changingPlace } from "../../account/StoreFlags.ts"
import * as Format from "../../adapter/Format.ts"
import * as AdapterAnswer from "../../import/AdapterAnswer.ts"
import * as BookOfExport from "../../import/BookOfExport.ts"
import * as InputFiles from "../../import/InputFiles.ts"
import * as Remembered from "../../import/Remembered.ts"
import * as ReportFile from "../../import/ReportFile.ts"
import { Call } from "../../output/Call.ts"
import { ExitError } from "../../output/ExitError.ts"
import * as Output from "../../output/Output.ts"
import * as ReconcileText from "./ReconcileText.ts"
import { Screen } from "../../output/Screen.ts"
import { printable } from "../../output/Terminal.ts"
import * as ConfiguredSource from "../../account/ConfiguredSource.ts"
import { importFlags } from "./ImportFlags.ts"

const acknowledge = Command.make(
  "acknowledge",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("the id of the difference, as connector reconcile prints it")
    ),
    ...accountFlags,
    because: reason("the reason; recorded in the list of decisions"),
    as
  },
  ({ account, as, because, config, id }) =>
    Effect.gen(function* () {
      if (!/^[0-9a-f]{10}$/.test(id))
        return yield* new ExitError({
          code: 1,
          text: `${printable(id)} is not the id of a difference. Nothing was changed.`
        })
      const { store } = yield* ConfigAccount.choose(config, account)
      const decision = {
        act: "acknowledge-day",
        account: null,
        subject: Notice.differenceOf(id),
        what: "examined",
        because
      } as const
      yield* decidedBy(
        as,
        changingPlace(
          store,
          SubmissionStore.SubmissionStore.use((store) => store.recordDecision(decision, "each"))
        )
      )
      yield* RunEffect.changed
      yield* Output.answer(
        "difference-acknowledged",
        { id },
        `Difference ${id}: recorded. It is listed as examined while its figures stay the same.`
      )
    }).pipe(Effect.scoped)
).pipe(Command.withDescription("Record that a difference was examined; it then no longer counts"))

const day = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withSchema(CivilDate.CivilDate))

const periodFlags = {
  from: day("from", "the first day of the period (YYYY-MM-DD)"),
  to: day("to", "the last day of the period (YYYY-MM-DD)"),
  report: Flag.String("report").pipe(
    Flag.withDescription(
      "write the account as one HTML file, or its documents as .csv; it is recorded, and an existing file is replaced"
    ),
    Flag.optional
  ),
  as,
  ...accountFlags
}

const source = Flag.String("source").pipe(
  Flag.withMetavar("NAME"),
  Flag.withDescription("compare a source of the configuration, read now; nothing of it is recorded"),
  Flag.optional
)

interface ReconcileSettings {
  readonly from: CivilDate.CivilDate
  readonly to: CivilDate.CivilDate
  readonly report: Option.Option<string>
  readonly as: Option.Option<string>
}

const written = (target: string, report: AccountReport, by: ReconcileSettings["as"]) =>
  Effect.gen(function* () {
    // loaded only if a report is requested
    const { csv, write } = yield* Effect.promise(() => import("@fiscal-connector/ui/AccountReport"))
    const text = target.endsWith(".csv") ? csv(report) : write(report)
    yield* ReportFile.writeBytes(target, Stream.encodeText(Stream.make(text)))
    const { sha256 } = ImportRecord.textRecord(target, text)
    yield* decidedBy(by, Reconcile.recordReport(report.found, sha256))
    yield* Output.note(printable(`The report: ${target}`))
  })

const compare = <E, R>(
  { as, from, report, to }: ReconcileSettings,
  { others, settings, store }: ChosenAccount,
  source: Effect.Effect<Reconcile.SourceInput | null, E, R>,
  files: InputFiles.OpenInput["files"],
  version: string
) =>
  Effect.gen(function* () {
    const [call, screen] = [yield* Call, yield* Screen]
    const target = Option.getOrUndefined(report)
    if (target !== undefined)
      yield* ReportFile.room(
        "report",
        target,
        files.map(({ name }) => name)
      )
    const documents: Array<Reconcile.AccountRow> = []
    const each = (row: Reconcile.AccountRow) => void (target !== undefined && documents.push(row))
    const order = Effect.map(source, (source) => ({ settings, others, period: { from, to }, source, each }))
    const compared = Effect.flatMap(order, (order) =>
      Effect.catchTag(Reconcile.run(order), "ReconcileRefused", ({ message }) =>
        Effect.fail(new ExitError({ code: 1, text: `Nothing was compared: ${printable(message)}.` }))
      )
    )
    const records = yield* Effect.forEach(files, ImportRecord.fileRecord).pipe(
      Effect.catchTag("AdapterError", AdapterAnswer.quit)
    )
    const found = yield* changingPlace(
      store,
      Effect.tap(compared, (found) =>
        target === undefined
          ? Effect.void
          : written(
              target,
              { found, documents, files: records, version, next: (one) => ReconcileText.nextOf(one, call) },
              as
            )
      )
    )
    yield* Output.answer("reconciliation", ReconcileText.toJson(found), ReconcileText.toText(found, call, screen))
    const code = Reconcile.exitOf(found)
    if (code !== 0) return yield* new ExitError({ code, text: "" })
  })

export const ofFormat = (format: Format.Format, version: string) =>
  Command.make(
    format.adapter.name,
    { files: importFlags.files, book: importFlags.book, ...periodFlags, ...format.flags },
    (given) =>
      Effect.gen(function* () {
        const source = yield* Format.sourceOf(format, given)
        const { adapter, extensions, reading } = source
        const files = [...given.files, ...source.alongside]
        const input = yield* InputFiles.open(adapter.name, files, extensions)
        const drafting = { files, format: adapter.name, reading }
        const bookFile = yield* BookOfExport.existing(drafting, given.book)
        const options = yield* Remembered.laid(source, bookFile, yield* Remembered.recalled(source, input, bookFile))
        const book = yield* BookOfExport.ofExport(drafting, given.book)
        const chosen = yield* ConfigAccount.choose(given.config, given.account, book.zone, [bookFile])
        const readings = Readings.from(adapter, input, options, book)
        const name = input.files.map(({ name }) => name).join(", ")
        const read = Reconcile.sourceOf(chosen.settings, { book, readings }, name).pipe(
          Effect.catchTag("AdapterError", AdapterAnswer.quit)
        )
        yield* compare(given, chosen, read, input.files, version)
      }).pipe(Effect.provide(SqliteStaging.layer), Effect.scoped)
  )

const ofSource = (
  name: string,
  given: ReconcileSettings & { readonly config: string; readonly account: Option.Option<string> },
  version: string
) =>
  Effect.gen(function* () {
    const configured = yield* ConfiguredSource.configured(given.config, name)
    const { config } = configured
    if (Option.exists(given.account, (account) => account !== config.account))
      return yield* new ExitError({
        code: 1,
        text: `Nothing was compared: the source ${printable(name)} is of the account ${config.account}. Leave out --account, or give this one.`
      })
    const book = yield* BookOfExport.load(config.book)
    const chosen = yield* ConfigAccount.choose(given.config, Option.some(config.account), book.zone, [config.book])
    const live = yield* SourceOfConfig.open(configured)
    const { from, to } = given
    const settings = ConfiguredSource.settingsOf(config)
    const source = SourceInPeriod.read({ live, settings, account: chosen.settings, book, period: { from, to } })
    yield* compare(given, chosen, source, [], version)
  }).pipe(Effect.provide(SqliteStaging.layer))

export const reconcileWith = (formats: ReadonlyArray<ReturnType<typeof ofFormat>>, version: string) =>
  Command.make("reconcile", { source, ...periodFlags }, (given) =>
    Effect.gen(function* () {
      if (Option.isSome(given.source)) return yield* ofSource(given.source.value, given, version)
      const chosen = yield* ConfigAccount.choose(given.config, given.account)
      yield* compare(given, chosen, Effect.succeed(null), [], version)
    }).pipe(Effect.scoped)
  ).pipe(
    Command.withDescription("Compare export, store, gateway and day reports of a period, in one account"),
    Command.withSubcommands([acknowledge, ...formats])
  )
