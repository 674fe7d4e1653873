/** From a person's consent to the outcomes: opens the account, plans once more by that permission, and sends what was shown. */
import * as CoreImporting from "@fiscal-connector/core/connector/Importing"
import * as OpenAccount from "@fiscal-connector/core/account/OpenAccount"
import * as Runner from "@fiscal-connector/core/engine/Runner"
import * as ImportRecord from "@fiscal-connector/core/import/ImportRecord"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import { atRest, type State } from "@fiscal-connector/core/submission/Submission"
import * as OpenAccounts from "@fiscal-connector/core/unstable/connector/OpenAccounts"
import { BigDecimal, DateTime, Effect, FileSystem, Layer, Stream } from "effect"
import type { PrivateFolder } from "../guard/PrivateFolder.ts"
import * as Report from "../report/Report.ts"
import * as Words from "../text/Words.ts"
import type { Checked, PageImport, Phase } from "./PageImport.ts"
import * as Planning from "./Planning.ts"
import type { Workplace } from "./Workplace.ts"

/** What a person has said before anything goes. */
export interface Consent {
  /** `allowed`: the live device that was named is meant. */
  readonly live: "allowed" | "not-allowed"
  /** The code of the first use, where it was typed. */
  readonly firstUse: string | undefined
  /** `send-rest`: although refused documents become late by it. */
  readonly whenLate: "stop" | "send-rest"
}

const over: ReadonlySet<State> = new Set(atRest)

/** The phase it came to: Done, or Checked again with what stood in the way. */
export const run = (
  workplace: Workplace,
  folder: PrivateFolder,
  bookFile: string,
  one: PageImport,
  checked: Checked,
  consent: Consent
) =>
  Effect.gen(function* () {
    const again = (note: string): Phase => ({ _tag: "Checked", checked, stopped: null, note })
    const found = yield* Planning.bookOf(bookFile)
    if (found === undefined) return again(Words.standstill.bookGone)
    const account = yield* workplace.account(one.account, found.book.zone)
    yield* workplace.prepare(account, found.book)
    const options = { live: consent.live, firstUse: consent.firstUse, witness: account.witness }
    const order = yield* Planning.orderOf(one, found.book, account.settings, consent.whenLate, () => {})
    const store = yield* SubmissionStore
    return yield* Effect.gen(function* () {
      const opened = yield* OpenAccount.open(account.settings, options)
      const planned = yield* CoreImporting.plan(opened, order)
      yield* CoreImporting.check(planned.plan, consent.whenLate)
      const seen = yield* Planning.rowsOf(planned.plan, "planned", opened.destination)
      if (consentedTo(seen) !== consentedTo(checked)) {
        const { destination, warnings } = opened
        const { device, plan, warning } = planned
        const now: Checked = {
          ...seen,
          documents: null,
          destination,
          device,
          book: found.book,
          overtaken: plan.wouldBecomeLate,
          warning,
          warnings
        }
        return { _tag: "Checked", checked: now, stopped: null, note: Words.standstill.changed } satisfies Phase
      }
      const submitted = yield* CoreImporting.submit(planned.plan)
      const beside = yield* OpenAccounts.openBeside(opened, account.others, options)
      yield* Runner.run([opened, ...beside.opened]).pipe(
        Effect.raceFirst(Effect.andThen(watching(one, store.changes), Effect.never))
      )
      const made = {
        adapter: one.format.name,
        files: yield* Effect.forEach((yield* Planning.inputOf(one)).files, ImportRecord.fileRecord),
        book: ImportRecord.textRecord(bookFile.split(/[/\\]/).at(-1) ?? bookFile, found.text),
        settings: {
          ...one.said.settings,
          ...(one.said.layout !== undefined && { layout: one.said.layout }),
          ...(one.said.columns !== undefined && { columns: JSON.parse(one.said.columns) as unknown })
        }
      }
      const at = DateTime.setZone(yield* DateTime.now, found.book.zone)
      const { destination } = opened
      const fs = yield* FileSystem.FileSystem
      const result = yield* Planning.rowsOf(planned.plan, submitted, destination)
      const reportFile = folder.next(".html")
      const report = Report.write({
        at,
        destinations: [destination],
        record: made,
        book: planned.plan.book,
        unattached: planned.plan.unattached,
        documents: CoreImporting.documents(planned.plan, submitted, destination.account)
      })
      yield* Stream.run(Stream.encodeText(report), fs.sink(reportFile, { mode: 0o600 }))
      const refusedFile =
        result.summary.counts.Refused === undefined ? null : yield* refusedRows(folder, one, planned.plan)
      return { _tag: "Done", result: { ...result, destination, at, reportFile, refusedFile } } satisfies Phase
    }).pipe(
      Effect.catchTags({
        AccountStopped: (stopped) => Effect.succeed<Phase>({ _tag: "Checked", checked, stopped, note: null }),
        ImportRefused: ({ message }) => Effect.succeed(again(message)),
        GatewayError: ({ message }) => Effect.succeed(again(message))
      })
    )
  }).pipe(
    Effect.provide(Layer.merge(workplace.engine, SqliteStaging.layer)),
    Effect.scoped,
    Effect.catchTags({
      BookError: ({ message }) => Effect.succeed<Phase>({ _tag: "Checked", checked, stopped: null, note: message }),
      WorkplaceRefused: ({ text }) => Effect.succeed<Phase>({ _tag: "Checked", checked, stopped: null, note: text }),
      StoreError: ({ message }) =>
        Effect.succeed<Phase>({
          _tag: "Standstill",
          why: { title: Words.standstill.store, text: message, findings: [] }
        })
    })
  )

/** What a person consents to: each document as it was shown, and what its taxes come to. */
const consentedTo = ({ rows, summary }: Pick<Checked, "rows" | "summary">): string =>
  JSON.stringify([
    // the seconds of a receipt date give way to what another process sent meanwhile; the day does not
    rows.map(({ buyer, date, id, kind, number, state, total }) => [
      kind,
      id,
      number,
      buyer,
      total,
      state,
      date.slice(0, "YYYY-MM-DD".length)
    ]),
    summary.taxes.map(({ currency, kind, net, state, tax, taxCode }) => [
      state,
      currency,
      kind,
      taxCode,
      net && BigDecimal.format(net),
      tax && BigDecimal.format(tax)
    ])
  ])

const watching = (
  one: PageImport,
  changes: Stream.Stream<{ readonly key: { readonly kind: string; readonly id: string }; readonly to: State }>
) =>
  Stream.runForEach(changes, ({ key, to }) =>
    Effect.sync(() => {
      if (one.phase._tag !== "Sending") return
      one.phase.done.set(`${key.kind} ${key.id}`, to)
    })
  )

/** How many have come to something. */
export const doneOf = (states: Iterable<string>): number =>
  [...states].filter((state) => over.has(state as State)).length

/** What was refused, as a file to correct and import again. */
const refusedRows = (
  folder: PrivateFolder,
  { format }: PageImport,
  plan: Pick<CoreImporting.PlannedImport["plan"], "refused">
) =>
  Effect.gen(function* () {
    const write = format.adapter.writeRefused
    if (write === undefined) return null
    const fs = yield* FileSystem.FileSystem
    const file = folder.next(format.ending)
    const refused = Stream.orDie(plan.refused)
    yield* Stream.run(write(refused), fs.sink(file, { mode: 0o600 }))
    return file
  })
