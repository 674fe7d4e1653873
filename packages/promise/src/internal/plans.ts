/** Plans as a caller holds them, and what stands behind each. */
import type { PlannedImport } from "@fiscal-connector/core/connector/Importing"
import * as Importing from "@fiscal-connector/core/connector/Importing"
import { docUrl } from "@fiscal-connector/core/unstable/codes/DocUrl"
import * as Money from "@fiscal-connector/core/document/Money"
import type { ImportSummary } from "@fiscal-connector/core/import/ImportSummary"
import type { MappingBook } from "@fiscal-connector/core/mapping/MappingBook"
import type { StoreError } from "@fiscal-connector/core/ledger/StoreError"
import { mapConcat } from "@fiscal-connector/core/source/MapConcat"
import { submissionsOf } from "@fiscal-connector/core/unstable/import/StoreComparison"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import type { State } from "@fiscal-connector/core/submission/Submission"
import { Effect, Exit, Scope, Stream } from "effect"
import type { Plan } from "../FiscalConnector.ts"
import { FiscalConnectorError } from "../FiscalConnectorError.ts"
import * as Choices from "./choices.ts"
import { problemOf } from "./problemOf.ts"
import type { Result, Status, TaxTotal } from "../Result.ts"
import { ofEntry, statusOf } from "./resultOf.ts"
import { pull, run } from "./run.ts"
import type { Runtime } from "./runtime.ts"

interface Inside {
  readonly planned: PlannedImport
  readonly scope: Scope.Closeable
}

const insides = new WeakMap<object, Inside>()

const insideOf = (plan: Plan): Inside => {
  const inside = insides.get(plan)
  if (inside === undefined) throw new FiscalConnectorError("config_invalid", "this is no plan of this connector")
  if (inside.scope.state._tag === "Closed") throw new FiscalConnectorError("closed", "the plan has been closed")
  return inside
}

/** What the store has to be given. Throws where the plan has been closed, or is none. */
export const plannedOf = (plan: Plan): PlannedImport => insideOf(plan).planned

const perPage = 200

/** Every document of the plan as it stands in the store now, a page at a time. */
const entries = (
  { plan }: PlannedImport,
  account: string,
  choicesOf: Choices.ChoicesOf
): Stream.Stream<Result, StoreError, SubmissionStore> =>
  Stream.unwrap(
    Effect.map(SubmissionStore, (store) =>
      plan.entries.pipe(
        Stream.grouped(perPage),
        Stream.mapEffect((page) =>
          Effect.map(
            submissionsOf(
              page.flatMap((entry) => (entry._tag === "Refused" ? [] : [entry.source])),
              account,
              store
            ),
            (stored) =>
              page.map((entry) =>
                ofEntry(entry, stored.get(`${entry.source.kind} ${entry.source.id || entry.source.number}`), choicesOf)
              )
          )
        ),
        mapConcat((page) => page)
      )
    )
  )

const statusOfDocument = (state: State | "Refused" | "Skipped"): Status | "skipped" =>
  state === "Refused" ? "refused" : state === "Skipped" ? "skipped" : statusOf(state)

/** What was sent by another book has taxes that cannot be told apart, and is left out. */
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

/** The plan's handle; what it keeps on disk goes with `scope`. */
export const make = (
  planned: PlannedImport,
  scope: Scope.Closeable,
  account: string,
  book: MappingBook,
  adapter: Choices.ReadBy | undefined,
  runtime: Runtime
) =>
  Effect.map(Importing.summary(planned.plan, "planned", account), (summary): Plan => {
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
      wouldBecomeLate: planned.plan.wouldBecomeLate,
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
          Stream.suspend(() => entries(insideOf(handle).planned, account, choicesOf))
        ),
      [Symbol.asyncDispose]: () => Effect.runPromise(Scope.close(scope, Exit.void))
    }
    insides.set(handle, { planned, scope })
    return handle
  })
