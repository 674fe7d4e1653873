/** The facade a job embeds: plan an export, submit the plan, settle until nothing more happens by itself. Every step may be called again. */
import { Effect, type Stream } from "effect"
import * as Batch from "../import/Batch.ts"
import type { BatchOptions } from "../import/BatchDocument.ts"
import * as ImportPlan from "../import/ImportPlan.ts"
import type { AdapterError, Reading } from "../source/Adapter.ts"
import type { StoreError } from "../submission/StoreError.ts"
import { type PlanResult, SubmissionStore } from "../submission/SubmissionStore.ts"

/** What an import needs to know beside the export. */
export interface ImportRequest extends BatchOptions {
  readonly destination: ImportPlan.Destination
}

/**
 * Reads an export and settles what would be sent, held and refused. Sends nothing and writes nothing. Fails where the export cannot be read
 * at all, or the store.
 */
export const plan = <R>(
  readings: Stream.Stream<Reading, AdapterError, R>,
  request: ImportRequest
): Effect.Effect<ImportPlan.ImportPlan, AdapterError | StoreError, R | SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const batch = yield* Batch.read(readings, store.ledger, request)
    return yield* ImportPlan.make(batch, request.book, request.destination, store)
  })

/** How many documents one transaction plans. */
const planned = 200

/** Hands the plan to the store; from here on the lanes send it, now or after a crash. Submitting a plan twice changes nothing. */
export const submit = ({
  entries
}: Pick<ImportPlan.ImportPlan, "entries">): Effect.Effect<ReadonlyArray<PlanResult>, StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const documents = entries.flatMap((entry) => (entry._tag === "Planned" ? [entry.planned] : []))
    const results: Array<PlanResult> = []
    for (let from = 0; from < documents.length; from += planned) {
      results.push(...(yield* store.plan(documents.slice(from, from + planned))))
    }
    return results
  })
