import { AccountConfig, Session } from "@fiscal-connector/core/session"
import type { DocumentInput } from "@fiscal-connector/core/adapter"
import { AccountFacts } from "@fiscal-connector/core/host/account"
import { LocalDateTime } from "@fiscal-connector/core/host"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { WebhookDelivery, WebhookReceiver } from "@fiscal-connector/core/worker"
import { DateTime, Effect, Exit, Fiber, Option, Scope, Stream } from "effect"
import * as Account from "./Account.ts"
import * as Book from "./Book.ts"
import type { ConnectOptions } from "../ConnectOptions.ts"
import type { ExportInput } from "../ExportInput.ts"
import * as Documents from "./documents.ts"
import { handed, unread } from "./handed.ts"
import * as Health from "./health.ts"
import type {
  DeliveryHeaders,
  FiscalConnector,
  Plan,
  PlanOptions,
  SyncOptions,
  SyncReport,
  SyncRun
} from "../FiscalConnector.ts"
import * as Permissions from "./permissions.ts"
import * as plans from "./plans.ts"
import { problemOf } from "./problemOf.ts"
import { asking, close, pull } from "./run.ts"
import * as runtimes from "./runtime.ts"
import type { SourceInput, SourceOptions, SourceReport } from "../SourceInput.ts"
import { heard, telling } from "./telling.ts"

const decisions = () => import("./manyDecisions.ts")

const reports = () => import("./syncReport.ts")

export const connect = async (options: ConnectOptions): Promise<FiscalConnector> => {
  const runtime = runtimes.make(options)
  try {
    const asked = asking(runtime, options.signal)
    const book = await asked(Book.read(options.book))
    const accounts = await asked(Account.read(options, book.zone))
    await asked(SubmissionStore.SubmissionStore)
    return make(options, runtime, book, accounts)
  } catch (error) {
    await runtime.dispose()
    throw error
  }
}

const plainHeaders = (
  headers: DeliveryHeaders
): Readonly<Record<string, string | ReadonlyArray<string> | undefined>> => {
  const pairs = Symbol.iterator in headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]))
}

type OpenedBook = Effect.Success<ReturnType<typeof Book.read>>

const make = (
  options: ConnectOptions,
  runtime: runtimes.Runtime,
  book: OpenedBook,
  accounts: Account.Accounts
): FiscalConnector => {
  const { others, own } = accounts
  const { account, onEvent, signal } = options
  const plansScope = Scope.makeUnsafe()
  const fiber = onEvent === undefined ? undefined : runtime.runFork(telling(account, onEvent))

  const permissions = Permissions.make(options, accounts)
  const documents = Documents.make(account, own)
  const health = Health.make(options, own)

  const settled = Effect.fnUntraced(function* (patience: number | undefined, longest: number | undefined) {
    const settling = Session.resume(yield* permissions.ofDevice, patience === undefined ? {} : { patience })
    const settlement =
      longest === undefined ? Option.some(yield* settling) : yield* Effect.timeoutOption(settling, longest)
    const { runReport } = yield* Effect.promise(reports)
    const report = runReport(settlement)
    for (const { lane, state, text } of report.lanes) {
      if (text !== null && state !== "busy") heard(onEvent, { type: "lane", lane, because: text })
    }
    return report
  })

  const ofWebhooks = AccountConfig.webhookOf(own.config)
  const zone = LocalDateTime.zoneOf(own.config.settled.assumptions["TIME-1"], book.zone)

  const facts = Effect.suspend(() => AccountFacts.read(own.settings, zone))

  const asked = asking(runtime, signal)

  const planned = async <Options>(
    documents: DocumentInput.Documents | ExportInput<Options>,
    { originals: settledByHand = {}, timing, signal: ofCall }: PlanOptions,
    reading: typeof facts | typeof permissions.now
  ): Promise<Plan> => {
    const scope = Scope.forkUnsafe(plansScope)
    try {
      return await asked(
        Effect.gen(function* () {
          const { notBefore } = own.settings
          const given = yield* handed(documents, book)
          const order = {
            book,
            readings: given.readings,
            originals: new Map(Object.entries(settledByHand)),
            ...(timing !== undefined && { timing })
          }
          const found = yield* Session.plan(
            { ...(yield* reading), ...(notBefore !== undefined && { notBefore }) },
            order
          ).pipe(Effect.catchTag("AdapterError", unread(given, reading === permissions.now ? account : null)))
          yield* Session.requireMapped(found.missing)
          return yield* plans.make(found, scope, account, book, given.exported, runtime)
        }).pipe(Effect.provideService(Scope.Scope, scope)),
        ofCall
      )
    } catch (error) {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      throw error
    }
  }

  let closed: Promise<void> | undefined
  const closeAll = async () => {
    await Effect.runPromise(Scope.close(plansScope, Exit.void))
    if (fiber !== undefined) await Effect.runPromise(Fiber.interrupt(fiber))
    await close(runtime)
  }
  const closing = () => (closed ??= closeAll())

  const guardsOff = () => permissions.warnings().map((finding) => problemOf(finding))

  const storedSince = (after: string | undefined) =>
    Stream.unwrap(
      Effect.map(
        Effect.promise(() => import("./storedResults.ts")),
        ({ storedResults }) => storedResults(account, after, book.zone)
      )
    )

  const acting: typeof asked = (effect, ofCall) => asked(Effect.ensuring(effect, health.tell), ofCall)

  const syncing = async <Options>(
    documents: DocumentInput.Documents | ExportInput<Options>,
    given: SyncOptions,
    arrive: "during" | "after"
  ) =>
    (await reports()).syncEach(
      {
        planned: () => planned(documents, given, permissions.now),
        submit: async (plan) => {
          await connector.submit(plan, given)
          return plans.plannedOf(plan).plan.dismissed
        },
        run: (stop) =>
          connector.run({ ...given, signal: AbortSignal.any([stop, ...(given.signal ? [given.signal] : [])]) }),
        guardsOff,
        items: () => asked(health.items, given.signal)
      },
      arrive
    )

  const connector: FiscalConnector = {
    plan: (documents, given = {}) => planned(documents, given, facts),
    submit: (plan, { signal: ofCall, whenLate } = {}) =>
      acting(plans.submit(plan, account, permissions.own, whenLate), ofCall),
    run: ({ maxDurationMs, patienceMs, signal: ofCall } = {}) => acting(settled(patienceMs, maxDurationMs), ofCall),
    sync: either(
      async (given, options) =>
        acting(
          (await import("./sourceSync.ts")).run(own, book, permissions.opening, given, options, guardsOff),
          options.signal
        ),
      async (documents, given) => (await reports()).syncReport(await syncing(documents, given, "after"))
    ),
    syncEach: (documents, given = {}) => begunByReading(() => syncing(documents, given, "during")),
    results: ({ after, signal: ofCall } = {}) => ({
      [Symbol.asyncIterator]: () => pull(runtime, storedSince(after), signal, ofCall)
    }),
    registerOriginals: async (documents) => {
      const { register } = await import("./originals.ts")
      return asked(
        Effect.gen(function* () {
          const readings = yield* handed(documents, book)
          return yield* register(yield* facts, book, readings)
        })
      )
    },
    reconcile: async (given) =>
      asked((await import("./reconciled.ts")).reconciled({ others, own }, book, given), given.signal),
    get: (key) => asked(documents.get(key)),
    waitFor: (key, { signal: ofCall, timeoutMs = 120_000 } = {}) => asked(documents.waitFor(key, timeoutMs), ofCall),
    pdf: (key) => asked(documents.pdf(key)),
    explain: (key) => asked(documents.explain(key)),
    dismiss: async (selection, because, { by } = {}) =>
      acting((await decisions()).dismiss(account, selection, because, by)),
    resolve: async (key, decision, because, options) =>
      acting((await decisions()).decide(documents, own.settings, key, decision, because, options)),
    withdraw: async (key, because, options) =>
      acting((await decisions()).decide(documents, own.settings, key, "withdrawn", because, options)),
    select: async (selection, decision) => asked((await decisions()).select(account, selection, decision)),
    becomesLate: async (selection, decision) => asked((await decisions()).becomesLate(account, selection, decision)),
    resolveAll: async (selection, decision, because, options) =>
      acting((await decisions()).resolveAll(account, selection, decision, because, options, own.settings)),
    questions: async (given, how = {}) =>
      asked((await import("./questions.ts")).questions(own, book, options.book, given, how), how.signal),
    creditable: async (key, given) =>
      asked((await import("./credits.ts")).creditable(facts, documents.keyOf(key), given)),
    creditedReceipt: async (key, ...how) =>
      acting((await import("./credits.ts")).creditedReceipt(documents.keyOf(key), ...how)),
    credit: async (key, given) =>
      acting((await import("./credits.ts")).credit(permissions.own, documents.keyOf(key), given)),
    acknowledgeDay: async (day, because, { by } = {}) =>
      acting((await decisions()).acknowledgeDay(account, day, because, by)),
    health: () => asked(health.health),
    doctor: () => asked(health.doctor(book, zone, permissions.isUnwitnessed)),
    webhooks: {
      receive: (body, headers) =>
        asking(runtime)(
          Effect.flatMap(DateTime.nowAsDate, (receivedAt) =>
            WebhookReceiver.WebhookReceiver.use((receiver) =>
              receiver.receive({ account: ofWebhooks, body, headers: plainHeaders(headers), receivedAt })
            )
          )
        ),
      signForTest: (body) => WebhookDelivery.signedBody(new TextEncoder().encode(body), ofWebhooks).headers
    },
    close: closing,
    [Symbol.asyncDispose]: closing
  }
  return connector
}

const begunByReading = (begin: () => Promise<SyncRun>): SyncRun => {
  let run: Promise<SyncRun> | undefined
  const begun = () => (run ??= begin())
  return {
    [Symbol.asyncIterator]: async function* () {
      yield* await begun()
    },
    report: async () => (await begun()).report()
  }
}

/** Combines both forms of `sync`: the argument with a `source` is read live. */
const either = (
  live: (given: SourceInput, options: SourceOptions) => Promise<SourceReport>,
  documents: <Options>(
    given: DocumentInput.Documents | ExportInput<Options>,
    options: SyncOptions
  ) => Promise<SyncReport>
): FiscalConnector["sync"] => {
  function sync(given: SourceInput, options?: SourceOptions): Promise<SourceReport>
  function sync<Options>(
    given: DocumentInput.Documents | ExportInput<Options>,
    options?: SyncOptions
  ): Promise<SyncReport>
  function sync(given: DocumentInput.Documents, options?: SyncOptions): Promise<SyncReport>
  function sync<Options>(
    given: SourceInput | DocumentInput.Documents | ExportInput<Options>,
    options: SyncOptions = {}
  ) {
    return typeof given === "object" && given !== null && "source" in given
      ? live(given, options)
      : documents(given, options)
  }
  return sync
}
