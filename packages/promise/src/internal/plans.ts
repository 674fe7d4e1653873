import { type ImportSummary, ImportedDocument, type OpenAccount, Session } from "@fiscal-connector/core/session"
import { Finding, MapConcat, Money } from "@fiscal-connector/core/adapter"
import { RefusedNotes } from "@fiscal-connector/core/host/account"
import { DocUrl, KeptImport, type WrittenDocument } from "@fiscal-connector/core/host"
import type { MappingBook } from "@fiscal-connector/core/book"
import { type StoreError, Submission, SubmissionStore } from "@fiscal-connector/core/store"
import { type ImportInput, StoreComparison } from "@fiscal-connector/core/host/import"
import { Effect, Exit, Scope, Stream, Struct } from "effect"
import type { Plan, SubmitOptions } from "../FiscalConnector.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import * as Choices from "./choices.ts"
import { refusedBecauseOf } from "./errorOf.ts"
import type { HandedExport } from "./handed.ts"
import { problemOf } from "./problemOf.ts"
import type { Problem } from "../Problem.ts"
import type { Key, Result, TaxTotal } from "../Result.ts"
import { byStatus, ofEntry, ofSkipped, ofStray, type ResultStage, statusOf } from "./resultOf.ts"
import { pull, run } from "./run.ts"
import type { Runtime } from "./runtime.ts"

interface PlanParts {
  readonly planned: Session.PlannedImport
  /** Names of the files that it was made of. */
  readonly files: ReadonlyArray<string>
  readonly scope: Scope.Closeable
  /** Every document in its current state, or once the run has settled it. */
  readonly results: (
    run?: Promise<unknown>
  ) => Stream.Stream<Result, StoreError.StoreError, SubmissionStore.SubmissionStore>
  stage: ResultStage
  refused: ReadonlyMap<string, string>
}

const insides = new WeakMap<object, PlanParts>()

const insideOf = (plan: Plan): PlanParts => {
  const inside = insides.get(plan)
  if (inside === undefined) throw new FiscalConnectorError("config_invalid", "this is not a plan of this connector")
  if (inside.scope.state._tag === "Closed") throw new FiscalConnectorError("closed", "the plan has been closed")
  return inside
}

/**
 * Returns the plan for the store. Throws if the plan is closed, or is not a plan of this connector.
 */
export const plannedOf = (plan: Plan): Session.PlannedImport => insideOf(plan).planned

const most = 100

/** The first hundred. */
const refusals = ({ results }: PlanParts) =>
  results().pipe(
    Stream.filter(({ status }) => status === "refused"),
    Stream.take(most),
    Stream.runCollect,
    Effect.map((refused) =>
      refused.flatMap(({ id, kind, number, problems }) =>
        problems
          .filter(({ severity }) => severity === "error")
          .map((problem): Problem => ({ ...problem, document: { kind, id, number } }))
      )
    )
  )

const keyNamed = (name: string): Key => {
  const end = name.indexOf(" ")
  return { kind: name.slice(0, end) as Key["kind"], id: name.slice(end + 1) }
}

/**
 * Hands the plan to the store, which determines each document's state from then on. Fails with the
 * errors of refused documents if nothing of the plan may be sent.
 */
export const submit = <E, R>(
  plan: Plan,
  account: string,
  permission: Effect.Effect<OpenAccount.OpenAccount, E, R>,
  whenLate: SubmitOptions["whenLate"]
) =>
  Effect.gen(function* () {
    const inside = insideOf(plan)
    const consent = yield* Session.consent(yield* permission, inside.planned, { whenLate }).pipe(
      Effect.catchTag("ImportRefused", (error) =>
        Effect.flatMap(refusals(inside), (problems) => Effect.fail(refusedBecauseOf(error, problems)))
      )
    )
    const { conflicts, planned, refused } = yield* Session.accept(consent)
    Object.assign(inside, { stage: "accepted", refused } satisfies Partial<PlanParts>)
    if (inside.files.length > 0) yield* RefusedNotes.accepted(account, inside.files)
    return { planned, conflicts: Array.from(conflicts, ([name, because]) => ({ ...keyNamed(name), because })) }
  })

const perPage = 200

const keyOf = (input: ImportInput.ImportInput) => {
  if (input._tag === "Document") return input.entry.source
  return input._tag === "Skipped" ? input.skipped.cancelled : undefined
}

const sentKeyOf = (input: ImportInput.ImportInput, account: string) => {
  if (input._tag !== "Document" || !ImportedDocument.isSentBefore(input.entry)) return undefined
  const { id, kind, number } = input.entry.source
  return { account, kind, id: id || number }
}

const notTaken = (result: Result, refused: ReadonlyMap<string, string>): Result => {
  const detail = refused.get(Session.nameOf(result))
  if (detail === undefined || result.status === "fiscalised") return result
  const problem = problemOf(Finding.make(KeptImport.NotTakenFinding.NOT_TAKEN, { detail, path: ["number"] }))
  return { ...result, status: "refused", because: detail, problems: [...result.problems, problem] }
}

/**
 * Stored documents by `kind id`. `sent`: the sent versions of documents that are not sent again.
 */
interface StoredDocuments {
  readonly stored: ReadonlyMap<string, Submission.Submission>
  readonly sent: ReadonlyMap<string, WrittenDocument.WrittenDocument>
}

const resultOf = (
  input: ImportInput.ImportInput,
  { sent, stored }: StoredDocuments,
  choicesOf: Choices.ChoicesOf,
  { refused, stage }: Pick<PlanParts, "refused" | "stage">
): Result => {
  const key = keyOf(input)
  const submission = key && stored.get(`${key.kind} ${key.id || key.number}`)
  switch (input._tag) {
    case "Document":
      return notTaken(ofEntry(input.entry, submission, sent, choicesOf, stage), refused)
    case "Skipped":
      return ofSkipped(input, submission, stage)
    case "Stray":
      return ofStray(input)
  }
}

type Awaited = () => "running" | "over"

/** Time between two reads of a page whose documents are on their way, in milliseconds. */
const lookEvery = 250

const isMoving = ({ state }: Submission.Submission): boolean => state === "Unknown" || Submission.moving.includes(state)

/** Until none of them is on its way, or the run is over. */
const settled = <E>(
  read: Effect.Effect<StoredDocuments["stored"], E>,
  awaited: Awaited
): Effect.Effect<StoredDocuments["stored"], E> =>
  Effect.suspend(() => {
    const state = awaited()
    return Effect.flatMap(read, (stored) =>
      state === "over" || !stored.values().some(isMoving)
        ? Effect.succeed(stored)
        : Effect.delay(settled(read, awaited), lookEvery)
    )
  })

/** `entries` rejects with the error of the run at the end. */
const awaiting = (run: Promise<unknown> | undefined): Awaited => {
  let state: ReturnType<Awaited> = run === undefined ? "over" : "running"
  const end = () => void (state = "over")
  run?.then(end, end)
  return () => state
}

/**
 * Page by page. `strays`: `results` gives a result to inputs that are not documents; `problems`
 * leaves them to the export's problems.
 */
const entries = (
  { planned: { plan }, ...inside }: Pick<PlanParts, "planned" | "refused" | "stage">,
  account: string,
  choicesOf: Choices.ChoicesOf,
  strays: "results" | "problems",
  awaited: Awaited
): Stream.Stream<Result, StoreError.StoreError, SubmissionStore.SubmissionStore> =>
  Stream.unwrap(
    Effect.map(SubmissionStore.SubmissionStore, (store) =>
      plan.inputs.pipe(
        Stream.filter((input) => strays === "results" || input._tag !== "Stray"),
        Stream.grouped(perPage),
        Stream.mapEffect((page) =>
          Effect.zipWith(
            settled(
              StoreComparison.submissionsOf(
                page.flatMap((input) => keyOf(input) ?? []),
                account,
                store
              ),
              awaited
            ),
            store.sent(page.flatMap((input) => sentKeyOf(input, account) ?? [])),
            (stored, sent) => page.map((input) => resultOf(input, { stored, sent }, choicesOf, inside))
          )
        ),
        MapConcat.mapConcat((page) => page)
      )
    )
  )

/** Omits documents sent with another book, because their taxes cannot be distinguished. */
const taxTotals = ({ taxes }: ImportSummary.ImportSummary, book: MappingBook.MappingBook): ReadonlyArray<TaxTotal> => {
  const percents = new Map(book.taxes.map(({ code, percent }) => [code, percent]))
  return taxes.flatMap(({ currency, documents, kind, net, state, tax, taxCode }) => {
    const status = statusOf(state)
    if (status === "skipped" || taxCode === null || net === null || tax === null) return []
    const percent = percents.get(taxCode) ?? null
    return [
      {
        status,
        kind,
        currency,
        taxCode,
        percent: percent && Money.formatPlain(percent),
        documents,
        net: Money.formatAmount(net),
        tax: Money.formatAmount(tax)
      }
    ]
  })
}

export const make = (
  planned: Session.PlannedImport,
  scope: Scope.Closeable,
  account: string,
  book: MappingBook.MappingBook,
  exported: HandedExport | undefined,
  runtime: Runtime
) =>
  Effect.map(Session.summary(planned.plan, "planned", account), (summary): Plan => {
    const choicesOf = Choices.of({
      adapter: exported?.adapter,
      book,
      device: planned.device,
      unmapped: summary.unmapped.codes
    })
    const handle: Plan = {
      documents: planned.plan.documents,
      counts: byStatus(summary.counts),
      totals: summary.totals.flatMap(({ currency, documents, kind, state, total }) => {
        const status = statusOf(state)
        return status === "skipped" ? [] : [{ status, kind, currency, documents, total: Money.formatAmount(total) }]
      }),
      causes: summary.causes.map(({ code, documents, examples, fix, message, severity }) => ({
        code,
        severity,
        message,
        fix,
        docUrl: DocUrl.docUrl(code),
        documents,
        examples
      })),
      wouldBecomeLate: Struct.pick(planned.plan.wouldBecomeLate, ["count", "first"]),
      problems: planned.plan.unattached.map((finding) => problemOf(finding)),
      warning: planned.warning,
      taxTotals: () =>
        run(
          runtime,
          Effect.sync(() => {
            insideOf(handle)
            return taxTotals(summary, book)
          })
        ),
      async *entries({ during } = {}) {
        yield* pull(
          runtime,
          Stream.suspend(() => insideOf(handle).results(during))
        )
        await during
      },
      [Symbol.asyncDispose]: () => Effect.runPromise(Scope.close(scope, Exit.void))
    }
    const inside: PlanParts = {
      planned,
      files: (exported?.input.files ?? []).map(({ name }) => name),
      scope,
      stage: "planned",
      refused: new Map(),
      results: (run) =>
        Stream.suspend(() =>
          entries(inside, account, choicesOf, exported === undefined ? "results" : "problems", awaiting(run))
        )
    }
    insides.set(handle, inside)
    return handle
  })
