/**
 * Reads an import, and asks all open questions about its files: core's questions, with the
 * gateway's facts on its device and mappings.
 */
import { Originals, Session } from "@fiscal-connector/core/session"
import { BookFile, type MappingBook } from "@fiscal-connector/core/book"
import { SqliteStaging } from "@fiscal-connector/core/node"
import type { Adapter } from "@fiscal-connector/core/adapter"
import { GatewayFailure } from "@fiscal-connector/core/host"
import { BookEditing, Conversation, Questions } from "@fiscal-connector/core/host/import"
import { AccountFacts, KnownOfGateway } from "@fiscal-connector/core/host/account"
import { Effect, Layer, type PlatformError, type Scope, Stream } from "effect"
import * as Texts from "../text/Texts.ts"
import * as ChosenColumns from "./ChosenColumns.ts"
import { type PageImport, type Phase, type PhaseOf, type Standstill, readingAnswersOf } from "./PageImport.ts"
import * as Planning from "./Planning.ts"
import * as Preview from "./Preview.ts"
import type { PageAccount, ColumnsSeen, Workplace } from "./Workplace.ts"

export const standstill = (title: string, text: string, findings: Standstill["findings"] = []): Phase => ({
  _tag: "Standstill",
  why: { title, text, findings }
})

/** Reads an import, and again by the settings that its answers have changed. */
export const phaseOf = (...of: Parameters<typeof phaseByBook>) => Effect.repeat(phaseByBook(...of), { until: isPhase })

type ReadPhase = Phase | { readonly _tag: "Kept" }

const isPhase = (phase: ReadPhase): phase is Phase => phase._tag !== "Kept"

const phaseByBook = (workplace: Workplace, bookFile: string, one: PageImport, scope: Scope.Scope, keep: KeepSettings) =>
  Effect.gen(function* () {
    const stored = yield* Planning.bookOf(bookFile)
    const found = stored ?? { book: yield* BookFile.load("", BookEditing.blank(Texts.proposedZone())) }
    const account = yield* workplace.account(one.account, found.book.zone)
    const facts = yield* Effect.cached(AccountFacts.read(account.settings, found.book.zone))
    const asked = Effect.flatMap(facts, (known) => ask(one, bookFile, stored, known, keep))
    // questions about the file have priority over the reason why it cannot be read
    const askedInstead = (error: Adapter.AdapterError) =>
      Effect.gen(function* (): Effect.gen.Return<ReadPhase, Effect.Error<typeof asked>, Effect.Services<typeof asked>> {
        const phase = (yield* columnsPhase(one, error)) ?? (yield* asked)
        return phase ?? (yield* error)
      })
    // planning needs settings
    const first = stored === undefined ? yield* Effect.catchTag(asked, "AdapterError", askedInstead) : null
    if (first !== null) return first
    yield* workplace.prepare(account, found.book)
    if (one.purpose === "originals") {
      const done = registered(workplace, account, one, found.book)
      return yield* Effect.catchTag(done, "AdapterError", askedInstead)
    }
    const reading: Phase = { _tag: "Reading", documents: 0 }
    one.phase = reading
    const isThere = workplace.place === "sandbox" || (yield* workplace.isThere)
    const looking = isThere ? workplace.looking : workplace.nowhere
    const services = yield* Layer.buildWithScope(Layer.merge(looking, SqliteStaging.layer), scope)
    return yield* Effect.gen(function* () {
      const known = yield* facts
      const order = yield* Planning.orderOf(one, found.book, account.settings, (documents) => {
        reading.documents = documents
      })
      const planned = yield* Session.plan(known, order)
      const checked = yield* Planning.checkedOf(one, planned, known, found.book, account.witness)
      const isRefused = checked.rows.some(({ state }) => state === "Refused")
      if (isRefused && one.questions === "open") {
        const phase = yield* asked
        if (phase !== null) return phase
        one.questions = "passed"
      }
      return {
        _tag: "Checked",
        stopped: null,
        note: null,
        checked: {
          ...checked,
          documents: Stream.provideContext(
            Session.documents(planned.plan, "planned", known.destination.account),
            services
          ),
          refused: planned.plan.refused,
          made: { plan: planned, book: stored?.text ?? "", store: isThere ? "there" : "none" }
        }
      } satisfies Phase
    }).pipe(Effect.catchTag("AdapterError", askedInstead), Effect.provideContext(services))
  }).pipe(
    Effect.catchTags({
      AdapterError: (error) => Effect.succeed<ReadPhase>(unread(error)),
      BookError: ({ findings, message }) => Effect.succeed(standstill(Texts.standstill.book, message, findings)),
      GatewayError: (error) => {
        const found = GatewayFailure.finding(error)
        return Effect.succeed(standstill(Texts.standstill.gateway, found.consequence, [found]))
      },
      StoreError: ({ message }) => Effect.succeed(standstill(Texts.standstill.store, message)),
      PlatformError: ({ message }) => Effect.succeed(standstill(Texts.standstill.file, message))
    }),
    Effect.catchTag(["ImportRefused", "OtherTaxpayer", "WorkplaceRefused"], ({ message }) =>
      Effect.succeed(standstill(Texts.standstill.refused, message))
    )
  )

const zones = (): readonly [string, ...ReadonlyArray<string>] => {
  const own = Texts.proposedZone()
  return [own, ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== own)]
}

/** Stores the changed settings, at most once for a reading. True if they are stored. */
export type KeepSettings = (before: string, after: string) => Effect.Effect<boolean, PlatformError.PlatformError>

/**
 * Subjects of questions for originals: only how their files are read, since originals are not sent.
 */
const ofReading: ReadonlySet<string> = new Set(["contents", "columns", "file", "zone", "currency"])

/**
 * Returns the open questions as a phase, null without questions. `stored`: the settings, if any.
 * `keep` stores settings that earlier answers change, now that the files are read by them; then
 * the phase is `Kept`. Fails if no answer can make the files readable.
 */
const ask = (
  one: PageImport,
  bookFile: string,
  stored: { readonly text: string } | undefined,
  { gateway }: Pick<AccountFacts.AccountFacts, "gateway">,
  keep: KeepSettings
) =>
  Effect.gen(function* () {
    const known = yield* KnownOfGateway.read(gateway)
    const asking: Questions.Asking<unknown> = {
      adapter: one.format.adapter,
      input: yield* Planning.inputOf(one),
      options: yield* one.format.options(readingAnswersOf(one)),
      ...(stored && { book: { file: bookFile, text: stored.text } }),
      ...known,
      ...(one.reasked === "zone" && { zone: "asked" }),
      zones: zones()
    }
    const given = Array.from(one.answers, ([subject, { answer }]) => [subject, { answer, origin: "run" }] as const)
    const next = yield* Conversation.next(asking, Conversation.begin(new Map(given)))
    if (next._tag === "Stopped") return yield* next.error
    const settled = Conversation.bookOf(asking, next.state)
    if (stored !== undefined && settled !== stored.text && (yield* keep(stored.text, settled)))
      return { _tag: "Kept" as const }
    const asked = next._tag === "Done" ? [] : [...next.questions, ...next.later]
    const questions = asked.filter(({ subject }) => one.purpose === "import" || ofReading.has(subject))
    return questions.length === 0
      ? null
      : ({
          _tag: "Questions",
          opened: { ...next.opened, questions },
          state: next.state,
          text: Questions.bookText(asking),
          problem: null
        } satisfies Phase)
  })

const registered = (workplace: Workplace, { settings }: PageAccount, one: PageImport, book: MappingBook.MappingBook) =>
  Effect.gen(function* () {
    const reading: Phase = { _tag: "Reading", documents: 0 }
    one.phase = reading
    const { destination } = yield* AccountFacts.read(settings, book.zone)
    const { readings } = yield* Planning.orderOf(one, book, settings, (documents) => {
      reading.documents = documents
    })
    const report = yield* Originals.register(readings, { ...destination, book })
    return { _tag: "Registered", report } satisfies Phase
  }).pipe(Effect.provide(workplace.engine))

const unread = ({ message, reason }: Adapter.AdapterError): Phase =>
  reason._tag === "ExportUnreadable"
    ? standstill(Texts.standstill.file, Texts.page.unreadableText, [
        { at: undefined, message: `${reason.file}: ${reason.problem}.`, fix: `${reason.fix}.` }
      ])
    : standstill(Texts.standstill.file, message)

const columnsPhase = (one: PageImport, { reason }: Adapter.AdapterError) =>
  Effect.gen(function* () {
    if (
      reason._tag !== "ExportUnreadable" ||
      !reason.answers?.some((answer) => "ask" in answer && answer.ask === "columns")
    )
      return null
    const seen = yield* columnsOf(one)
    return seen === null ? null : yield* columnsShown(one, seen, `${reason.file}: ${reason.problem}`)
  })

/**
 * Returns the columns with a preview of the first document. `proposed`: columns as proposed by the
 * file.
 */
export const columnsShown = (
  one: PageImport,
  seen: ColumnsSeen,
  problem: string,
  proposed: ColumnsSeen["columns"] = seen.columns
) =>
  Effect.map(Preview.of(one, seen), (preview): PhaseOf<"Columns"> => ({
    _tag: "Columns",
    problem,
    seen,
    preview,
    proposed
  }))

export const columnsOf = (one: PageImport) =>
  Effect.gen(function* () {
    const { files } = yield* Planning.inputOf(one)
    const [first] = files
    if (first === undefined || one.format.columns === undefined) return null
    return yield* one.format.columns(first, readingAnswersOf(one)).pipe(
      Effect.map(ChosenColumns.withNotUsed(one.answers)),
      Effect.orElseSucceed(() => null)
    )
  })
