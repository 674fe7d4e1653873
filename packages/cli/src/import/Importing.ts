/**
 * Runs `plan` and `import` for every adapter, and reports the import and the state of each
 * document.
 */
import {
  type AccountSettings,
  type ImportPlan,
  type ImportRecord,
  type ImportedDocument,
  type OpenAccount,
  RunReport,
  Session
} from "@fiscal-connector/core/session"
import { AccountFacts, RefusedNotes } from "@fiscal-connector/core/host/account"
import { type Adapter, Finding } from "@fiscal-connector/core/adapter"
import { AttentionJson } from "@fiscal-connector/core/attention"
import { SqliteStaging } from "@fiscal-connector/core/node"
import { DocumentJson, RememberedAnswers } from "@fiscal-connector/core/host/import"
import { type StoreError, type StorePlace, SubmissionStore } from "@fiscal-connector/core/store"
import { Console, DateTime, Effect, type PlatformError, Stdio, Stream } from "effect"
import { report } from "../output/FindingReport.ts"
import { printable } from "../output/Terminal.ts"
import * as UnmappedReport from "../output/UnmappedReport.ts"
import { ExitError } from "../output/ExitError.ts"
import * as AdapterAnswer from "./AdapterAnswer.ts"
import * as ImportReport from "./ImportReport.ts"
import * as OpenExport from "./OpenExport.ts"
import { HeapGrowth } from "./HeapGrowth.ts"
import * as Progress from "./Progress.ts"
import * as RefusedFile from "./RefusedFile.ts"
import * as ReportFile from "./ReportFile.ts"
import * as IncompleteImports from "./IncompleteImports.ts"
import * as SuccessTexts from "./SuccessTexts.ts"
import * as OpenItems from "./OpenItems.ts"
import * as Sums from "./Sums.ts"
import { RunEffect } from "../account/RunEffect.ts"
import { Call, type CallShape } from "../output/Call.ts"
import * as NextStep from "../output/NextStep.ts"
import * as Output from "../output/Output.ts"
import { Screen } from "../output/Screen.ts"

export interface ImportJob {
  readonly order: Session.ImportOrder
  readonly along: Progress.Along
  /** Treatment of refused documents that would become late; undefined: as core decides. */
  readonly whenLate: Session.WhenLate | undefined
  readonly store: StorePlace.StorePlace
  readonly bookFile: string
  readonly writeRefused: RefusedFile.WriteRefused | undefined
  readonly namedNotes: ReadonlySet<string>
  readonly refusedFile: string
  readonly made: Effect.Effect<MadeImport, Adapter.AdapterError | PlatformError.PlatformError>
  readonly reportFile: string | undefined
  readonly receipts:
    | {
        readonly target: string
        bytes<E, R>(
          documents: Stream.Stream<ReadonlyArray<ImportedDocument.ImportedDocument>, E, R>
        ): Stream.Stream<Uint8Array, Adapter.AdapterError | E, R>
      }
    | undefined
  readonly files: ReadonlyArray<string>
  readonly afterPlan: string
  readonly otherFormat: string
  readonly answers: {
    readonly given: ReadonlyMap<string, RememberedAnswers.SaidAnswer>
    readonly change: string
  }
}

export type MadeImport = Pick<ImportRecord.ImportRecord, "adapter" | "files" | "book" | "settings">

/**
 * Reads, translates and checks the export, and prints the plan. Fails with ExitError, which has the
 * exit code.
 */
export const plan = Effect.fnUntraced(
  function* (job: ImportJob, account: AccountFacts.AccountFacts) {
    const planned = yield* planOf(job, account)
    yield* printWarnings([...account.warnings, ...planned.warnings])
    return yield* finish(job, "plan", account, planned, "planned")
  },
  Effect.onInterrupt(() => interruptedEarly("plan")),
  Effect.provide(SqliteStaging.layer)
)

export const run = Effect.fnUntraced(function* <R>(
  job: ImportJob,
  account: OpenAccount.OpenAccount,
  beside: Effect.Effect<ReadonlyArray<OpenAccount.OpenAccount>, StoreError.StoreError, R>
) {
  const planned = yield* Effect.onInterrupt(
    planOf(job, account, (error) => keepUnread(job, account, error)),
    () => interruptedEarly("import")
  )
  if (planned.warning !== null) yield* Console.error(planned.warning)
  yield* printWarnings(planned.warnings)
  const consent = yield* Session.consent(account, planned, job).pipe(
    Effect.tapError(() =>
      finish(job, "import", account, planned, "planned").pipe(Effect.catchTag("ExitError", () => Effect.void))
    ),
    Effect.catchTag("ImportRefused", refuse(job))
  )
  const store = yield* SubmissionStore.SubmissionStore
  const [before] = yield* store.imports({ limit: 1 })
  return yield* send(job, account, planned, consent, beside).pipe(
    Effect.catchTag("StoreError", (error) => storeFailed(error, before?.id))
  )
}, Effect.provide(SqliteStaging.layer))

/**
 * `before`: newest import in the store before this one. A store that cannot be read may have
 * accepted the import, and another process may send it.
 */
const storeFailed = ({ message }: StoreError.StoreError, before: number | undefined) =>
  Effect.gen(function* () {
    const call = yield* Call
    const { done } = yield* RunEffect
    const store = yield* SubmissionStore.SubmissionStore
    const asked = yield* Effect.option(store.imports({ limit: 1 }))
    if (done === "sent" || asked._tag === "None")
      return yield* new ExitError({ code: 3, text: `${message}\n${NextStep.onTheirWay(call)}` })
    const [last] = asked.value
    if (last !== undefined && last.id !== before && last.standing !== "begun")
      return yield* new ExitError({
        code: 3,
        text: `${message}\nThe import is accepted, and nothing of it was sent yet. This sends it:\n  ${NextStep.callFor({ do: "resume" }, call)}`
      })
    return yield* new ExitError({
      code: 1,
      text: `${message}\nNothing of these files was sent. Once that is put right, run the same again:\n  ${call.again()}`
    })
  })

/** At a terminal the operator sees the problem. */
const keepUnread = (
  { files, made }: ImportJob,
  { account }: AccountFacts.AccountFacts,
  error: Adapter.AdapterError
): Effect.Effect<void, StoreError.StoreError, SubmissionStore.SubmissionStore | Stdio.Stdio> =>
  Effect.gen(function* () {
    const { stdinIsTerminal } = yield* Stdio.Stdio
    if (yield* stdinIsTerminal) return
    yield* RefusedNotes.files(
      account,
      error,
      files,
      Effect.map(made, ({ files }) => files)
    )
  })

const planOf = <R = never>(
  job: ImportJob,
  account: AccountFacts.AccountFacts,
  unread: (error: Adapter.AdapterError) => Effect.Effect<void, StoreError.StoreError, R> = () => Effect.void
) =>
  Progress.reading(
    Stream.onFirst(job.order.readings, () => Effect.map(HeapGrowth, ({ whilePlanning }) => whilePlanning())),
    job.along,
    (readings) => Session.plan(account, { ...job.order, readings })
  ).pipe(
    Effect.tap(({ missing }) => Session.requireMapped(missing)),
    Effect.catchTags({
      AdapterError: (error) => Effect.andThen(unread(error), AdapterAnswer.quit(error)),
      ImportRefused: refuse(job)
    }),
    Effect.tap(({ plan }) => allFound(plan, job.namedNotes))
  )

const isOtherFormat = (otherFormat: string, documents: number, unattached: ReadonlyArray<Finding.Finding>): boolean =>
  otherFormat !== "" && documents === 0 && unattached.length > 0 && unattached.every(Finding.refuses)

/** Probably a typing mistake. A file for many credit notes may also cover other exports. */
const allFound = Effect.fnUntraced(function* (plan: ImportPlan.ImportPlan, notes: ReadonlySet<string>) {
  if (notes.size === 0) return
  const missing = new Set(notes)
  yield* Stream.runForEach(plan.entries, ({ source: { id, kind, number } }) =>
    Effect.sync(() => {
      if (kind !== "credit-note") return
      missing.delete(id)
      missing.delete(number)
    })
  )
  if (missing.size === 0) return
  const named = [...missing].map(printable).join(", ")
  return yield* new ExitError({
    code: 1,
    text: `Nothing was sent: the export has no credit note ${named}, for which --original names an invoice.`
  })
})

/** An operator needs number and date range to recognize documents sent earlier. */
export const period = Effect.fnUntraced(function* (job: ImportJob, settings: AccountSettings.AccountSettings) {
  const { plan } = yield* planOf(job, yield* AccountFacts.read(settings, job.order.book.zone))
  const days = yield* Stream.runFold(
    plan.entries,
    (): { readonly count: number; readonly from: string; readonly to: string } => ({ count: 0, from: "9999", to: "" }),
    ({ count, from, to }, entry) => {
      if (entry._tag !== "Planned") return { count, from, to }
      const day = entry.planned.sourceDate
      return { count: count + 1, from: day < from ? day : from, to: day > to ? day : to }
    }
  )
  if (days.count === 0) return "\nThe export has no document that would be sent."
  return `\nWhat would be sent: ${days.count} document${days.count === 1 ? "" : "s"}, dated ${days.from} to ${days.to}.`
}, Effect.provide(SqliteStaging.layer))

const printWarnings = (warnings: ReadonlyArray<Finding.Finding>) =>
  warnings.length === 0
    ? Effect.void
    : Effect.flatMap(Call, (call) =>
        Console.error(
          report(
            warnings.map((finding) => ({ finding, subject: undefined })),
            call
          )
        )
      )

const refuse =
  ({ bookFile }: Pick<ImportJob, "bookFile">) =>
  ({ message, reason }: Session.ImportRefused): Effect.Effect<never, ExitError> =>
    Effect.flatMap(Call, (call) => Effect.fail(refusal(message, reason, bookFile, call)))

const refusal = (message: string, reason: Session.ImportRefusal, book: string, call: CallShape): ExitError => {
  switch (reason._tag) {
    case "HistoricalRefused":
      return new ExitError({ code: 1, text: `Nothing was sent: ${reason.text}. ${reason.fix}` })
    case "OtherDestination":
      return new ExitError({ code: 1, text: `${message.replace(/^n/, "N")}.` })
    case "MappingsDiffer":
      return new ExitError({
        code: 1,
        text: `Nothing was sent. The gateway does not map what these documents need:
  ${reason.problems.map(printable).join("\n  ")}
This compares the whole book with the gateway and the device, and prints what is to be done:
  ${call.next({ command: ["mappings", "plan"], as: ["config", "account"], flags: ["--book", book] })}`
      })
    case "WouldBecomeLate":
      return new ExitError({
        code: 2,
        text: `${message.replace(/^n/, "N")}.
Correct them and import again, or send the rest; what is late then is held, or restamped if the book says so:
  ${call.again("--send-rest")}`
      })
  }
}

const send = Effect.fnUntraced(function* <R>(
  job: ImportJob,
  account: OpenAccount.OpenAccount,
  planned: Session.PlannedImport,
  consent: Session.Consent,
  beside: Effect.Effect<ReadonlyArray<OpenAccount.OpenAccount>, StoreError.StoreError, R>
) {
  const { otherwise } = yield* HeapGrowth
  otherwise()
  const call = yield* Call
  const made = call.place === "gone" ? undefined : yield* recordOf(job, account)
  let accepted: Session.Accepted | undefined
  const { accepted: stage, settlement } = yield* Progress.sending(
    Stream.tap(Session.send(consent, { made, beside }), (progress) =>
      Effect.sync(() => {
        if (progress._tag === "Accepted") accepted = progress.accepted
      })
    )
  ).pipe(Effect.onInterrupt(() => Effect.suspend(() => Console.error(interrupted(call, accepted)))))
  return yield* finish(job, "import", account, planned, stage, settlement)
})

const recordOf = ({ made, order: { book } }: ImportJob, { destination }: OpenAccount.OpenAccount) =>
  Effect.gen(function* () {
    const { account, environment, lane, taxpayer } = destination
    return {
      ...(yield* made.pipe(Effect.catchTag("AdapterError", AdapterAnswer.quit))),
      at: DateTime.setZone(yield* DateTime.now, book.zone),
      destination: { account, environment, lane, taxpayer }
    }
  })

const beforeAccepted =
  "\nInterrupted before anything of the files was accepted: nothing of them is sent. Run the command again."

export const interruptedEarly = (mode: "plan" | "import") =>
  Effect.flatMap(RunEffect, ({ done }) => {
    if (mode === "import") return Console.error(beforeAccepted)
    // `start` plans after writing the mapping book
    const written = done === "nothing" ? "and nothing was written." : "Files written before are kept."
    return Console.error(`\nInterrupted. Nothing was sent${done === "nothing" ? "," : "."} ${written}`)
  })

const interrupted = (call: CallShape, accepted: Session.Accepted | undefined): string =>
  call.place === "gone"
    ? "\nInterrupted. The sandbox and what was sent to it are gone; run the command again."
    : accepted === undefined
      ? beforeAccepted
      : `\nInterrupted; nothing is half-written. To continue:\n  ${NextStep.callFor({ do: "resume" }, call)}`

const joinedWords = ({ import: own, joined }: Session.Accepted): ReadonlyArray<string> =>
  joined.map((id) =>
    id === own
      ? `These files are import ${id}, which was accepted and not over: the rest of it was handed over first, as it was accepted. No second import is kept.`
      : `Import ${id} was accepted and not over: the rest of it was handed over first, as it was accepted.`
  )

const isNews = ({ alreadyFiscalised, counts }: ImportReport.Summary): boolean =>
  (counts.Fiscalised ?? 0) > alreadyFiscalised

const finish = Effect.fnUntraced(function* (
  {
    afterPlan,
    answers,
    bookFile,
    files,
    made,
    namedNotes,
    order: { book },
    otherFormat,
    receipts,
    refusedFile: target,
    reportFile: reportTarget,
    writeRefused
  }: ImportJob,
  mode: "plan" | "import",
  { account, destination }: AccountFacts.AccountFacts,
  { device, plan }: Session.PlannedImport,
  stage: "planned" | Session.Accepted,
  left: OpenItems.Left = { lanes: [], problems: [] }
) {
  const incomplete = stage === "planned" ? [] : yield* IncompleteImports.find([account], stage.import)
  const concerns = stage === "planned" ? [] : yield* SuccessTexts.find(account)
  const { form, verbosity, write } = yield* Output.Output
  // the device of a sandbox is set up from the book alone
  const choice: UnmappedReport.UnmappedChoice = {
    book,
    device: destination.environment === "sandbox" ? undefined : device
  }
  const call = yield* Call
  const tally = new ImportReport.ReportTally(plan, mode, OpenItems.isNothing(left) ? "untold" : "told")
  const now = DateTime.setZone(yield* DateTime.now, book.zone)
  const settled = new Set(namedNotes)
  const unknown = new Set<string>()
  const documents = Stream.map(Session.documents(plan, stage, account), (rows) =>
    rows.map((row) => ({ ...row, findings: RememberedAnswers.caused(row, answers.given, answers.change) }))
  )
  yield* Stream.runForEach(documents, (rows) => {
    for (const row of rows) {
      tally.add(row)
      if (row.state === "Unknown" && row.id !== null) unknown.add(row.id)
      if (row.state === "Refused") for (const name of [row.id, row.number]) settled.delete(name ?? "")
    }
    if (form === "people") return Effect.void
    return write(rows.map((row) => Output.envelopeText("document", DocumentJson.toJson(row, now))).join("\n"))
  })
  const { summary, unmapped } = tally
  const refusedFile =
    writeRefused && mode === "import" && tally.hasRefused
      ? yield* RefusedFile.write(plan, target, writeRefused).pipe(Effect.catchTag("AdapterError", AdapterAnswer.quit))
      : undefined
  const reportFile =
    reportTarget === undefined
      ? undefined
      : yield* ReportFile.write(reportTarget, {
          at: now,
          destinations: [destination],
          record: yield* made.pipe(Effect.catchTag("AdapterError", AdapterAnswer.quit)),
          book: plan.book,
          unattached: plan.unattached,
          documents
        })
  const receiptsFile =
    receipts === undefined
      ? undefined
      : yield* ReportFile.writeBytes(receipts.target, receipts.bytes(Session.documents(plan, stage, account))).pipe(
          Effect.catchTag("AdapterError", AdapterAnswer.quit)
        )
  const code = tally.exitCode([
    ...concerns.flatMap((item) => RunReport.ofItem(item) ?? []),
    ...(incomplete.length > 0 ? (["stuck"] as const) : [])
  ])
  if (form === "json") {
    yield* Output.tell("import-summary", {
      ...summary,
      ...Sums.toJson(summary),
      strays: plan.unattached,
      unmapped: UnmappedReport.toJson(unmapped, choice),
      refusedFile: refusedFile ?? null,
      lanes: OpenItems.toJson(left.lanes),
      incompleteImports: IncompleteImports.toJson(incomplete),
      concerns: concerns.map(AttentionJson.of),
      exitCode: code
    })
  } else {
    if (stage !== "planned") for (const line of joinedWords(stage)) yield* Console.log(`${line}\n`)
    const text = tally.print(choice, call, yield* Screen, verbosity)
    if (text !== "") yield* Console.log(`${text}\n`)
    yield* Console.log(
      mode === "plan" ? `Plan, nothing sent: ${ImportReport.summaryText(summary)}` : ImportReport.summaryText(summary)
    )
    if (summary.documents === 0 && summary.strays === 0) yield* Console.log(OpenExport.withoutDocument(files, 0))
    if (isOtherFormat(otherFormat, summary.documents, plan.unattached)) yield* Console.log(otherFormat)
    if (refusedFile !== undefined) {
      const corrected = call.like({
        files: { these: files, now: refusedFile },
        flags: ["--book", bookFile],
        // the files of this import must not be overwritten
        leavesOut: (flag, value) =>
          flag === "--report" ||
          flag === "--receipts" ||
          (flag === "--original" && settled.has(value.replace(/=.*/s, "")))
      })
      yield* Console.log(`The refused rows, each with its reason: ${refusedFile}`)
      // sending the corrected rows before the rest would make the rest late
      yield* Console.log(
        stage === "planned"
          ? "Nothing was sent. Correct the rows in the source and import the whole file again."
          : `After you correct them there or in the source, run:\n  ${corrected}`
      )
    }
    if (reportFile !== undefined) yield* Console.log(`The report: ${reportFile}`)
    if (receiptsFile !== undefined) yield* Console.log(`The export with its receipts: ${receiptsFile}`)
    if (mode === "plan" && summary.counts.Planned !== undefined) yield* Console.log(afterPlan)
    if (incomplete.length > 0) yield* Console.log(IncompleteImports.report(incomplete, call))
    if (concerns.length > 0) yield* Console.log(SuccessTexts.report(concerns, call, book.zone))
    const stillOpen = OpenItems.report(left, call, unknown)
    if (code === 3 && stillOpen !== "") yield* Console.log(stillOpen)
    else if (mode === "import" && isNews(summary) && call.place === "kept") {
      yield* Console.log(NextStep.afterwards(call))
    }
  }
  if (code !== 0) return yield* new ExitError({ code, text: "" })
})
