/** `plan` and `import`, for every adapter: read, translate, check, and for `import` submit and wait; then say what became of each document. */
import * as Connector from "@fiscal-connector/core/connector/Connector"
import * as DayClose from "@fiscal-connector/core/connector/DayClose"
import type { Instant } from "@fiscal-connector/core/document/Instant"
import { zoneOf } from "@fiscal-connector/core/gateway/LocalDateTime"
import * as ImportPlan from "@fiscal-connector/core/import/ImportPlan"
import * as DeviceFacts from "@fiscal-connector/core/preflight/DeviceFacts"
import * as DeviceStanding from "@fiscal-connector/core/preflight/DeviceStanding"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import * as HistoricalGuard from "@fiscal-connector/core/import/HistoricalGuard"
import { submissionsOf } from "@fiscal-connector/core/import/Standing"
import { ImportFinding } from "@fiscal-connector/core/import/ImportFinding"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import type { AdapterError, Reading } from "@fiscal-connector/core/source/Adapter"
import * as Runner from "@fiscal-connector/core/submission/Runner"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { Console, DateTime, Effect, Option, Stream } from "effect"
import type { ConnectedAccount } from "../account/ConnectedAccount.ts"
import * as DeviceMappings from "../account/DeviceMappings.ts"
import { report } from "../output/FindingReport.ts"
import * as UnmappedReport from "../output/UnmappedReport.ts"
import { Quit } from "../Quit.ts"
import * as AdapterAnswer from "./AdapterAnswer.ts"
import * as DocumentRow from "./DocumentRow.ts"
import * as ImportReport from "./ImportReport.ts"
import * as Progress from "./Progress.ts"
import * as RefusedFile from "./RefusedFile.ts"

export interface ImportJob {
  readonly mode: "plan" | "import"
  readonly readings: Stream.Stream<Reading, AdapterError>
  readonly writeRefused: RefusedFile.WriteRefused | undefined
  /** Where the refused rows go. */
  readonly refusedFile: string
  readonly book: MappingBook
  readonly account: ConnectedAccount
  /** Credit note → invoice, settled by hand. */
  readonly originals: ReadonlyMap<string, string>
  /** What happens when a refused document would become late. */
  readonly whenLate: "stop" | "send-rest"
  readonly passage: "ordinary" | "historical"
  readonly output: "people" | "json"
}

/** Runs the job in the store's context. Fails with Quit, whose code is the exit code. */
export const run = Effect.fnUntraced(function* (job: ImportJob) {
  const { account, book, mode, output } = job
  const { device, gateway, submitting, tolerances } = account
  const destination = ImportPlan.destination(submitting.account, device, submitting.environment)
  const now = DateTime.setZone(yield* DateTime.now, zoneOf(account.assumptions["TIME-1"], book.zone))
  const facts = DeviceFacts.make(device, yield* gateway.supportedCurrencies, now)
  const reporting: Reporting = {
    say: output === "json" ? Console.error : Console.log,
    // a sandbox's device has nothing but what the book says
    choice: { book, device: submitting.environment === "sandbox" ? undefined : facts }
  }
  if (job.passage === "historical") yield* permitHistorical(account, now)
  const lastClose = yield* lastCloseOf(account, book)
  if (mode === "import") yield* pin(destination, lastClose)
  const plan = yield* Connector.plan(job.readings, {
    account: submitting.account,
    book,
    originals: job.originals,
    device: facts,
    tolerances,
    destination,
    passage: job.passage,
    lastClose: Option.getOrUndefined(lastClose)
  }).pipe(Effect.catchTag("AdapterError", AdapterAnswer.quit(output)))
  yield* DeviceMappings.check(account, book, plan)

  if (mode === "plan") return yield* finish(job, plan, "planned", reporting)
  const refusals = DeviceStanding.check(device, account.subscription)
  if (refusals.length > 0) {
    const found = refusals.map((finding) => ({ finding, subject: undefined }))
    return yield* new Quit({ code: 1, text: `Nothing was sent:\n\n${report(found)}` })
  }
  if (plan.wouldBecomeLate.count > 0 && job.whenLate === "stop") {
    yield* finish(job, plan, "planned", reporting).pipe(Effect.catchTag("Quit", () => Effect.void))
    const { count, first } = plan.wouldBecomeLate
    const more = count > first.length ? ` and ${count - first.length} more` : ""
    return yield* new Quit({
      code: 2,
      text: `Nothing was sent: ${first.join(", ")}${more} would become late, because documents of a later date would go before.
Correct them and import again, or send the rest with --send-rest; what is late then is held, or restamped if the book says so.`
    })
  }

  return yield* send(job, plan, reporting).pipe(
    Effect.onInterrupt(() => Console.error(job.account.store === ":memory:" ? gone : goOn)),
    Effect.catchTag("StoreError", ({ message }) =>
      Effect.fail(
        new Quit({
          code: 3,
          text: `${message}\nSome documents may be on their way: connector health, connector resume.`
        })
      )
    )
  )
}, Effect.provide(SqliteStaging.layer))

const permitHistorical = Effect.fnUntraced(function* ({ assumptions, device }: ConnectedAccount, now: Instant) {
  const passage = HistoricalGuard.check(device, now, assumptions["HIST-1"])
  if (passage._tag === "Refused") {
    return yield* new Quit({ code: 1, text: `Nothing was sent: ${passage.because}. ${passage.fix}` })
  }
  yield* Console.error(passage.warning)
})

/** Reports are experimental: without them the mark is our own attempts alone, and that is said. */
const lastCloseOf = ({ assumptions, gateway }: ConnectedAccount, { zone }: MappingBook) =>
  DayClose.lastClose(gateway, zoneOf(assumptions["TIME-1"], zone)).pipe(
    Effect.catchTag("GatewayError", ({ message }) =>
      Effect.as(Console.error(`The last close of the fiscal day is not known: ${message}`), Option.none())
    )
  )

/** The account's device and its last close are written down before an import plans anything; a plan writes nothing. */
const pin = Effect.fnUntraced(function* (destination: ImportPlan.Destination, lastClose: Option.Option<Instant>) {
  const store = yield* SubmissionStore
  const pin = yield* store.pin(destination)
  if (pin._tag === "Changed") {
    return yield* new Quit({
      code: 1,
      text: `Nothing was sent: the account ${destination.account} was used with the device ${pin.pinned}, and now has ${destination.lane}.
Its lane stays stopped until the device is the same again, or another account name is used for the new device.`
    })
  }
  if (Option.isSome(lastClose)) yield* store.closeDay(destination.lane, lastClose.value)
})

const send = Effect.fnUntraced(function* (job: ImportJob, plan: ImportPlan.ImportPlan, reporting: Reporting) {
  const results = yield* Connector.submit(plan)
  yield* Progress.during(
    results.filter(({ state }) => state === "Planned").length,
    Runner.settle([job.account.submitting])
  )
  const conflicts = new Map(
    results.flatMap(({ key, verdict }) =>
      verdict._tag === "Conflict" ? [[`${key.kind} ${key.id}`, verdict.because] as const] : []
    )
  )
  return yield* finish(job, plan, { conflicts }, reporting)
})

const goOn = "\nInterrupted; nothing is half-written. connector resume --config FILE goes on where this was."
const gone = "\nInterrupted. The sandbox and what was sent to it are gone; run the command again."

/** Where a person reads the report, and what they can choose from for what the book does not know. */
interface Reporting {
  readonly say: (text: string) => Effect.Effect<void>
  readonly choice: UnmappedReport.Choice
}

const perPage = 200

/** Every document as it stands, a page at a time; what was submitted as the store has it now. */
const rowsOf = (plan: ImportPlan.ImportPlan, standing: Standing, account: string) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const documents = plan.entries.pipe(
      Stream.grouped(perPage),
      Stream.mapEffect((entries) => {
        const stored = entries.filter(
          (entry) => entry._tag === "Planned" && (standing !== "planned" || entry.findings.some(isConflict))
        )
        return Effect.map(
          submissionsOf(
            stored.map(({ source }) => source),
            account,
            store
          ),
          (submissions) => entries.map((entry) => withConflict(DocumentRow.ofEntry(entry, submissions), standing))
        )
      })
    )
    const skipped = Stream.grouped(Stream.map(plan.skipped, DocumentRow.ofSkipped), perPage)
    return Stream.concat(documents, skipped)
  }).pipe(Stream.unwrap)

/** Before and after the documents were handed to the store; after, with what the store says of documents that differ from what was sent. */
type Standing = "planned" | { readonly conflicts: ReadonlyMap<string, string> }

const isConflict = ({ code }: Finding.Finding) => code === ImportFinding.DIFFERS_FROM_SENT.code

const withConflict = (row: DocumentRow.DocumentRow, standing: Standing): DocumentRow.DocumentRow => {
  const because = standing === "planned" ? undefined : standing.conflicts.get(`${row.kind} ${row.id}`)
  if (because === undefined || row.findings.some(isConflict)) return row
  const finding = Finding.make(ImportFinding.DIFFERS_FROM_SENT, { detail: because, at: row.source })
  return { ...row, findings: [...row.findings, finding] }
}

const finish = Effect.fnUntraced(function* (
  { account, book, mode, output, refusedFile: target, writeRefused }: ImportJob,
  plan: ImportPlan.ImportPlan,
  standing: Standing,
  { choice, say }: Reporting
) {
  const tally = new ImportReport.Tally(plan.strays, mode)
  const now = DateTime.setZone(yield* DateTime.now, book.zone)
  yield* Stream.runForEach(rowsOf(plan, standing, account.submitting.account), (rows) => {
    for (const row of rows) tally.add(row)
    return output === "json" ? Console.log(rows.map((row) => DocumentRow.toJson(row, now)).join("\n")) : Effect.void
  })
  const { summary, unmapped } = tally
  const refusedFile =
    writeRefused && mode === "import" && tally.hasRefused
      ? yield* RefusedFile.write(plan, target, writeRefused).pipe(
          Effect.catchTag("AdapterError", AdapterAnswer.quit(output))
        )
      : undefined
  if (output === "json") {
    yield* Console.log(
      JSON.stringify({
        summary: {
          ...summary,
          strays: plan.strays,
          unmapped: UnmappedReport.toJson(unmapped, choice),
          refusedFile: refusedFile ?? null
        }
      })
    )
  } else {
    const text = tally.print(choice)
    if (text !== "") yield* say(`${text}\n`)
    yield* say(mode === "plan" ? `Plan, nothing sent: ${ImportReport.line(summary)}` : ImportReport.line(summary))
    if (refusedFile !== undefined) yield* say(`The refused rows, each with its reason: ${refusedFile}`)
  }
  const code = tally.exitCode()
  if (code !== 0) return yield* new Quit({ code, text: "" })
})
