/** Plans as callers hold them, and the internal state behind each plan. */
import * as Session from "@fiscal-connector/core/session/Session"
import * as Finding from "@fiscal-connector/core/finding/Finding"
import { NotTakenFinding } from "@fiscal-connector/core/unstable/submission/KeptImport"
import { docUrl } from "@fiscal-connector/core/unstable/codes/DocUrl"
import * as Money from "@fiscal-connector/core/document/Money"
import * as ImportedDocument from "@fiscal-connector/core/import/ImportedDocument"
import type { WrittenDocument } from "@fiscal-connector/core/unstable/document/WrittenDocument"
import type { ImportSummary } from "@fiscal-connector/core/import/ImportSummary"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import { mapConcat } from "@fiscal-connector/core/source/MapConcat"
import { submissionsOf } from "@fiscal-connector/core/unstable/import/StoreComparison"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import type { State, Submission } from "@fiscal-connector/core/submission/Submission"
import type { ImportInput } from "@fiscal-connector/core/unstable/import/ImportInput"
import { Effect, Exit, Scope, Stream, Struct } from "effect"
import type { Plan } from "../FiscalConnector.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import * as Choices from "./choices.ts"
import { problemOf } from "./problemOf.ts"
import type { Problem } from "../Problem.ts"
import type { Result, Status, TaxTotal } from "../Result.ts"
import { ofEntry, ofSkipped, ofStray, type ResultStage, statusOf } from "./resultOf.ts"
import { pull, run } from "./run.ts"
import type { Runtime } from "./runtime.ts"

interface PlanParts {
  readonly planned: Session.PlannedImport
  readonly scope: Scope.Closeable
  /** Every document in its current state. */
  readonly results: Stream.Stream<Result, StoreError, SubmissionStore>
  stage: ResultStage
  /** Documents that the store did not accept, by `kind id`, with the reason. */
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

/** Refused documents whose errors are returned. */
const most = 100

/**
 * Returns the errors of refused documents, each with its document. Limited to the first hundred
 * documents.
 */
export const refusals = (plan: Plan): Effect.Effect<ReadonlyArray<Problem>, StoreError, SubmissionStore> =>
  Stream.suspend(() => insideOf(plan).results).pipe(
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

/**
 * Records that the store has accepted the plan. From now on the store determines each document's
 * state.
 */
export const accepted = (plan: Plan, { refused }: Pick<Session.Accepted, "refused">): void => {
  Object.assign(insideOf(plan), { stage: "accepted", refused } satisfies Partial<PlanParts>)
}

/** Documents looked up in the store at once. */
const perPage = 200

/** Returns the stored document that an input concerns; undefined if there is none. */
const keyOf = (input: ImportInput) => {
  if (input._tag === "Document") return input.entry.source
  return input._tag === "Skipped" ? input.skipped.cancelled : undefined
}

/** Returns the document of an input that was sent before and is not sent again. */
const sentKeyOf = (input: ImportInput, account: string) => {
  if (input._tag !== "Document" || !ImportedDocument.isSentBefore(input.entry)) return undefined
  const { id, kind, number } = input.entry.source
  return { account, kind, id: id || number }
}

/** Marks a planned document as refused if the store did not accept it. */
const notTaken = (result: Result, refused: ReadonlyMap<string, string>): Result => {
  const detail = refused.get(Session.nameOf(result))
  if (detail === undefined || result.status === "fiscalised") return result
  const problem = problemOf(Finding.make(NotTakenFinding.NOT_TAKEN, { detail, path: ["number"] }))
  return { ...result, status: "refused", because: detail, problems: [...result.problems, problem] }
}

/**
 * Stored documents by `kind id`. `sent`: the sent versions of documents that are not sent again.
 */
interface StoredDocuments {
  readonly stored: ReadonlyMap<string, Submission>
  readonly sent: ReadonlyMap<string, WrittenDocument>
}

const resultOf = (
  input: ImportInput,
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

/**
 * Returns the input documents in order with their current state in the store, page by page.
 * `strays`: `results` gives a result to inputs that are not documents; `problems` leaves them to
 * the export's problems.
 */
const entries = (
  { planned: { plan }, ...inside }: Pick<PlanParts, "planned" | "refused" | "stage">,
  account: string,
  choicesOf: Choices.ChoicesOf,
  strays: "results" | "problems"
): Stream.Stream<Result, StoreError, SubmissionStore> =>
  Stream.unwrap(
    Effect.map(SubmissionStore, (store) =>
      plan.inputs.pipe(
        Stream.filter((input) => strays === "results" || input._tag !== "Stray"),
        Stream.grouped(perPage),
        Stream.mapEffect((page) =>
          Effect.zipWith(
            submissionsOf(
              page.flatMap((input) => keyOf(input) ?? []),
              account,
              store
            ),
            store.sent(page.flatMap((input) => sentKeyOf(input, account) ?? [])),
            (stored, sent) => page.map((input) => resultOf(input, { stored, sent }, choicesOf, inside))
          )
        ),
        mapConcat((page) => page)
      )
    )
  )

const statusOfDocument = (state: State | "Refused" | "Skipped"): Status =>
  state === "Refused" ? "refused" : state === "Skipped" ? "skipped" : statusOf(state)

/**
 * Returns the totals by tax. Omits documents sent with another book, because their taxes cannot be
 * distinguished.
 */
const taxTotals = ({ taxes }: ImportSummary, book: MappingBook): ReadonlyArray<TaxTotal> => {
  const percents = new Map(book.taxes.map(({ code, percent }) => [code, percent]))
  return taxes.flatMap(({ currency, documents, kind, net, state, tax, taxCode }) => {
    const status = statusOfDocument(state)
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

/** Makes the plan's handle; closing `scope` deletes its disk space. */
export const make = (
  planned: Session.PlannedImport,
  scope: Scope.Closeable,
  account: string,
  book: MappingBook,
  adapter: Choices.ReadBy | undefined,
  runtime: Runtime
) =>
  Effect.map(Session.summary(planned.plan, "planned", account), (summary): Plan => {
    const choicesOf = Choices.of({ adapter, book, device: planned.device, unmapped: summary.unmapped.codes })
    const handle: Plan = {
      documents: planned.plan.documents,
      counts: Object.fromEntries(
        Object.entries(summary.counts).map(([state, count]) => [
          statusOfDocument(state as keyof typeof summary.counts),
          count
        ])
      ),
      totals: summary.totals.flatMap(({ currency, documents, kind, state, total }) => {
        const status = statusOfDocument(state)
        return status === "skipped" ? [] : [{ status, kind, currency, documents, total: Money.formatAmount(total) }]
      }),
      causes: summary.causes.map(({ code, documents, examples, fix, message, severity }) => ({
        code,
        severity,
        message,
        fix,
        docUrl: docUrl(code),
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
      entries: () =>
        pull(
          runtime,
          Stream.suspend(() => insideOf(handle).results)
        ),
      [Symbol.asyncDispose]: () => Effect.runPromise(Scope.close(scope, Exit.void))
    }
    const inside: PlanParts = {
      planned,
      scope,
      stage: "planned",
      refused: new Map(),
      results: Stream.suspend(() => entries(inside, account, choicesOf, adapter === undefined ? "results" : "problems"))
    }
    insides.set(handle, inside)
    return handle
  })
