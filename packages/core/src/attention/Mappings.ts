import { DateTime, Effect } from "effect"
import * as CivilDate from "../document/CivilDate.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import * as GatewayMappings from "../mapping/GatewayMappings.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import * as MappingPlan from "../mapping/MappingPlan.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import { codesInUse } from "./CodesInUse.ts"

export interface PlanRequest {
  readonly account: string
  readonly book: MappingBook
  readonly extras: MappingPlan.MappingPlanOptions["extras"]
  readonly store: Pick<SubmissionStoreOperations, "stream" | "explain"> | undefined
}

export interface PlannedMappings {
  readonly gateway: GatewayMappings.GatewayMappings
  readonly plan: MappingPlan.MappingPlan
}

/**
 * Makes the plan. Reads the gateway, and also the store if a mapping would be deleted or changed.
 * Changes nothing.
 */
export const plan = (
  gateway: Parameters<typeof GatewayMappings.read>[0],
  { account, book, extras, store }: PlanRequest
): Effect.Effect<PlannedMappings, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const read = yield* GatewayMappings.read(gateway)
    const today = CivilDate.inZone(yield* DateTime.now, book.zone)
    const make = (inUse: MappingPlan.CodesInUse) => MappingPlan.make(book, read, { extras, today, inUse })
    const unused = make({ taxCodes: new Set(), currencies: new Set() })
    if (store === undefined) return { gateway: read, plan: unused }
    const codesOf = (...tags: ReadonlyArray<(typeof unused.steps)[number]["_tag"]>) =>
      new Set<string>(unused.steps.filter(({ _tag }) => tags.includes(_tag)).map(({ code }) => code))
    const inQuestion = {
      taxCodes: codesOf("DeleteTax"),
      currencies: codesOf("DeleteCurrency", "RepointCurrency")
    }
    return { gateway: read, plan: make(yield* codesInUse(store, account, inQuestion)) }
  })
