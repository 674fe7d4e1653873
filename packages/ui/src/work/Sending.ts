/**
 * Sends an import after the operator's consent: opens the account, plans again with the permission
 * if a fact of the shown plan has changed, and sends only the documents that were shown.
 */
import { ImportRecord, Session } from "@fiscal-connector/core/session"
import { SqliteStaging } from "@fiscal-connector/core/node"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { OpenAccounts } from "@fiscal-connector/core/host/account"
import type { Money } from "@fiscal-connector/core/adapter"
import { BigDecimal, DateTime, Effect, Layer, Option, Stream } from "effect"
import * as Texts from "../text/Texts.ts"
import { type Checked, type PageImport, type Phase, type PhaseOf, readingAnswersOf } from "./PageImport.ts"
import * as Planning from "./Planning.ts"
import { standstill } from "./Reading.ts"
import type { RefusedFiles } from "./RefusedFiles.ts"
import type { Workplace } from "./Workplace.ts"

export interface PageConsent {
  /** `allowed`: sending to the named live device. */
  readonly live: "allowed" | "not-allowed"
  readonly firstUse: string | undefined
  readonly whenLate: Session.WhenLate
}

export const run = (
  workplace: Workplace,
  refusedFiles: RefusedFiles,
  bookFile: string,
  one: PageImport,
  checked: Checked,
  consent: PageConsent,
  phase: PhaseOf<"Sending">
) => {
  const again = (note: string): Phase => ({ _tag: "Checked", checked, stopped: null, note })
  const sending = Effect.fnUntraced(
    function* (earlier: Checked["made"]) {
      const found = yield* Planning.bookOf(bookFile)
      if (found === undefined) return again(Texts.standstill.bookGone)
      const account = yield* workplace.account(one.account, found.book.zone)
      yield* workplace.prepare(account, found.book)
      const { firstUse, live } = consent
      // the operator asks for a try now: the cause of a stopped lane may be fixed
      const options = { live, firstUse, witness: account.witness, backOff: "over" } as const
      const store = yield* SubmissionStore.SubmissionStore
      return yield* Effect.gen(function* () {
        const { opened, standing } =
          earlier === null || earlier.book !== found.text
            ? { opened: yield* Session.open(account.settings, options), standing: null }
            : yield* Session.openFor(earlier.plan, account.settings, options)
        let planned = standing
        if (planned === null) {
          phase.step = "checking-again"
          const order = yield* Planning.orderOf(one, found.book, account.settings, (documents) => {
            phase.documents = documents
          })
          planned = yield* Session.plan(opened, order)
          const now = yield* Planning.checkedOf(one, planned, opened, found.book, account.witness)
          if (consentedTo(now) !== consentedTo(checked) || now.additions !== null)
            return { _tag: "Checked", checked: now, stopped: null, note: Texts.standstill.changed } satisfies Phase
        }
        phase.step = "storing"
        const { refused } = planned.plan
        const given = yield* Session.consent(opened, planned, consent)
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
              if (kept !== undefined && checked.tally.causes("error").length > 0)
                yield* refusedFiles.write(kept, one.format, refused)
            })
          )
        )
        return { _tag: "Done" } satisfies Phase
      }).pipe(
        Effect.catchTag("AccountStopped", (stopped) =>
          Effect.succeed<Phase>({ _tag: "Checked", checked, stopped, note: null })
        )
      )
    },
    Effect.provide(Layer.merge(workplace.engine, SqliteStaging.layer))
  )
  const { made } = checked
  // the engine creates the store
  const isAnother = made?.store === "none" ? workplace.isThere : Effect.succeed(false)
  return Effect.flatMap(isAnother, (isAnother) => sending(isAnother ? null : made)).pipe(
    Effect.scoped,
    Effect.catchTag(["BookError", "GatewayError", "ImportRefused", "WorkplaceRefused"], ({ message }) =>
      Effect.succeed(again(message))
    ),
    Effect.catchTag("StoreError", ({ message }) => Effect.succeed(standstill(Texts.standstill.store, message)))
  )
}

const figure = (money: Money.Money | null): string | null => money && BigDecimal.format(money)

const consentedTo = ({ rows, summary }: Pick<Checked, "rows" | "summary">): string =>
  JSON.stringify([
    rows.map(({ date, total, ...row }) => {
      // seconds of a receipt date may change because of other processes' documents; the day may not
      const day = date.slice(0, "YYYY-MM-DD".length)
      return [row.kind, row.id, row.number, row.buyer, row.currency, figure(total), row.state, day]
    }),
    summary.taxes.map((one) => [one.state, one.currency, one.kind, one.taxCode, figure(one.net), figure(one.tax)])
  ])

const madeOf = (
  bookFile: string,
  one: PageImport,
  { book, text }: { readonly book: Checked["book"]; readonly text: string }
) =>
  Effect.gen(function* () {
    const { columns, layout, settings } = readingAnswersOf(one)
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
