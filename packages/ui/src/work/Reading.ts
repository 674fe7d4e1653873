/** The files of an import are read, and planned as far as that is possible: what it comes to, and what is open. */
import * as Session from "@fiscal-connector/core/session/Session"
import * as Originals from "@fiscal-connector/core/connector/Originals"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import * as SqliteStaging from "@fiscal-connector/core/node/SqliteStaging"
import type { AdapterError } from "@fiscal-connector/core/source/Adapter"
import * as GatewayFailure from "@fiscal-connector/core/unstable/account/GatewayFailure"
import * as BookEditing from "@fiscal-connector/core/unstable/mapping/BookEditing"
import * as BookFile from "@fiscal-connector/core/mapping/BookFile"
import * as AccountFacts from "@fiscal-connector/core/unstable/account/AccountFacts"
import { Effect, type FileSystem, Layer, type Scope, Stream } from "effect"
import * as Words from "../text/Words.ts"
import type { PageImport, Phase, Standstill } from "./PageImport.ts"
import * as Planning from "./Planning.ts"
import type { Account, Workplace } from "./Workplace.ts"

/** Why nothing goes on. */
export const standstill = (
  title: string,
  text: string,
  findings: Standstill["findings"] = [],
  next: Standstill["next"] = null
): Phase => ({
  _tag: "Standstill",
  why: { title, text, findings, next }
})

/** Reads the files, and the plan where that is possible; ends in the phase it came to. */
export const phaseOf = (workplace: Workplace, bookFile: string, one: PageImport, scope: Scope.Scope) =>
  Effect.gen(function* () {
    const stored = yield* Planning.bookOf(bookFile)
    // without settings the files are read all the same: the zone is asked for once they are known to be readable
    const proposed = Words.proposedZone()
    const found = stored ?? { book: yield* BookFile.load("", BookEditing.blank(proposed)) }
    const account = yield* workplace.account(one.account, found.book.zone)
    if (stored === undefined && one.purpose === "originals")
      return { _tag: "Zone", proposed, problem: null, documents: 0 } satisfies Phase
    yield* workplace.prepare(account, found.book)
    if (one.purpose === "originals") return yield* registered(workplace, account, one, found.book)
    const reading: Phase = { _tag: "Reading", documents: 0 }
    one.phase = reading
    const isThere = workplace.place === "sandbox" || (yield* workplace.isThere)
    const looking = isThere ? workplace.looking : workplace.nowhere
    const services = yield* Layer.buildWithScope(Layer.merge(looking, SqliteStaging.layer), scope)
    return yield* Effect.gen(function* () {
      const facts = yield* AccountFacts.read(account.settings, found.book.zone)
      const order = yield* Planning.orderOf(one, found.book, account.settings, (documents) => {
        reading.documents = documents
      })
      const { device, plan, warning, warnings } = yield* Session.plan(facts, order)
      if (stored === undefined)
        return { _tag: "Zone", proposed, problem: null, documents: reading.documents } satisfies Phase
      const seen = yield* Planning.rowsOf(plan, "planned", facts.destination)
      const asksTaxes =
        workplace.place === "configured" && seen.summary.unmapped.codes.some(({ what }) => what === "tax")
      return {
        _tag: "Checked",
        stopped: null,
        note: null,
        checked: {
          ...seen,
          documents: Stream.provideContext(Session.documents(plan, "planned", facts.destination.account), services),
          refused: plan.refused,
          destination: facts.destination,
          device,
          book: found.book,
          mapped: asksTaxes ? yield* facts.gateway.taxMappings : [],
          overtaken: plan.wouldBecomeLate,
          warning,
          warnings: [...facts.warnings, ...warnings]
        }
      } satisfies Phase
    }).pipe(Effect.provideContext(services))
  }).pipe(
    Effect.catchTags({
      AdapterError: (error) => unread(one, error),
      BookError: ({ findings, message }) => Effect.succeed(standstill(Words.standstill.book, message, findings)),
      ImportRefused: ({ message, reason }) =>
        Effect.succeed(
          standstill(Words.standstill.refused, message, [], reason._tag === "MappingsDiffer" ? "mappings" : null)
        ),
      OtherTaxpayer: ({ message }) => Effect.succeed(standstill(Words.standstill.refused, message)),
      GatewayError: (error) => {
        const found = GatewayFailure.finding(error)
        return Effect.succeed(standstill(Words.standstill.gateway, found.consequence, [found]))
      },
      StoreError: ({ message }) => Effect.succeed(standstill(Words.standstill.store, message)),
      WorkplaceRefused: ({ text }) => Effect.succeed(standstill(Words.standstill.refused, text)),
      PlatformError: ({ message }) => Effect.succeed(standstill(Words.standstill.file, message))
    })
  )

/** Invoices that were fiscalised elsewhere, as `originals import` registers them. */
const registered = (workplace: Workplace, { settings }: Account, one: PageImport, book: MappingBook) =>
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

/** What is open about the files, or why they cannot be read. */
const unread = (
  one: PageImport,
  { message, reason }: AdapterError
): Effect.Effect<Phase, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    switch (reason._tag) {
      case "ReadingAmbiguous":
        return { _tag: "Asking", questions: reason.questions }
      case "InputFailed":
      case "AdapterBroke":
        return standstill(Words.standstill.file, message)
      case "ExportUnreadable": {
        const { answers = [], file, fix, problem } = reason
        const seen = answers.some((answer) => "ask" in answer && answer.ask === "columns")
          ? yield* columnsOf(one)
          : null
        if (seen !== null) return { _tag: "Columns", problem: `${file}: ${problem}`, seen, proposed: seen.columns }
        return { _tag: "Unreadable", problem: `${file}: ${problem}`, fix, answers }
      }
    }
  })

export const columnsOf = (one: PageImport) =>
  Effect.gen(function* () {
    const { files } = yield* Planning.inputOf(one)
    const [first] = files
    if (first === undefined || one.format.columns === undefined) return null
    return yield* Effect.orElseSucceed(one.format.columns(first, one.said), () => null)
  })
