/** From a person's consent to the outcomes: opens the account, plans once more by that permission, and sends what was shown. */
import * as Session from "@fiscal-connector/core/session/Session"
import * as ImportRecord from "@fiscal-connector/core/import/ImportRecord"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as OpenAccounts from "@fiscal-connector/core/unstable/connector/OpenAccounts"
import { BigDecimal, DateTime, Effect, Layer, Option, Stream } from "effect"
import * as Words from "../text/Words.ts"
import type { Checked, PageImport, Phase } from "./PageImport.ts"
import * as Planning from "./Planning.ts"
import type { RefusedFiles } from "./RefusedFiles.ts"
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

/** The phase it came to: Done, or Checked again with what stood in the way. */
export const run = (
  workplace: Workplace,
  refusedFiles: RefusedFiles,
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
    // a person says so: what stopped a lane may have been mended
    const options = {
      live: consent.live,
      firstUse: consent.firstUse,
      witness: account.witness,
      backOff: "over"
    } as const
    const order = yield* Planning.orderOf(one, found.book, account.settings, () => {})
    const store = yield* SubmissionStore
    return yield* Effect.gen(function* () {
      const opened = yield* Session.open(account.settings, options)
      const planned = yield* Session.plan(opened, order)
      const given = yield* Session.consent(opened, planned, consent)
      const seen = yield* Planning.rowsOf(planned.plan, "planned", opened.destination)
      if (consentedTo(seen) !== consentedTo(checked)) {
        const { destination, warnings } = opened
        const { device, plan, warning } = planned
        const now: Checked = {
          ...seen,
          documents: null,
          refused: null,
          destination,
          device,
          book: found.book,
          overtaken: plan.wouldBecomeLate,
          warning,
          warnings
        }
        return { _tag: "Checked", checked: now, stopped: null, note: Words.standstill.changed } satisfies Phase
      }
      const made = yield* madeOf(bookFile, one, found)
      const sending = Session.send(given, {
        made: { ...made, destination: opened.destination },
        beside: Effect.map(OpenAccounts.openBeside(opened, account.others, options), ({ opened }) => opened)
      })
      yield* Session.report(
        Stream.tap(sending, (progress) =>
          Effect.gen(function* () {
            if (progress._tag !== "Accepted") return
            const id = progress.accepted.import
            one.record = id
            const kept = id === null ? undefined : Option.getOrUndefined(yield* store.importOf(id))
            if (kept !== undefined && seen.tally.causes("error").length > 0)
              yield* refusedFiles.write(kept, one.format, planned.plan.refused)
          })
        )
      )
      return { _tag: "Done" } satisfies Phase
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
          why: { title: Words.standstill.store, text: message, findings: [], next: null }
        })
    })
  )

/** What a person consents to: each document as it was shown, and what its taxes come to. */
const consentedTo = ({ rows, summary }: Pick<Checked, "rows" | "summary">): string =>
  JSON.stringify([
    // the seconds of a receipt date give way to what another process sent meanwhile; the day does not
    rows.map(({ buyer, currency, date, id, kind, number, state, total }) => [
      kind,
      id,
      number,
      buyer,
      currency,
      total && BigDecimal.format(total),
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

/** What the import is made of, as a report says it. */
const madeOf = (
  bookFile: string,
  one: PageImport,
  { book, text }: { readonly book: Checked["book"]; readonly text: string }
) =>
  Effect.gen(function* () {
    const { columns, layout, settings } = one.said
    const { corrections } = one.decided
    return {
      at: DateTime.setZone(yield* DateTime.now, book.zone),
      adapter: one.format.name,
      files: yield* Effect.forEach((yield* Planning.inputOf(one)).files, ImportRecord.fileRecord),
      book: ImportRecord.textRecord(bookFile.split(/[/\\]/).at(-1) ?? bookFile, text),
      settings: {
        ...settings,
        ...(layout !== undefined && { layout }),
        ...(columns !== undefined && { columns: JSON.parse(columns) as unknown }),
        ...(corrections.length > 0 && { corrections })
      }
    }
  })
