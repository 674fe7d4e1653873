/**
 * Waiting documents of accepted imports, before anything of their lanes is sent. The first process
 * that comes to the store does the work.
 */
import { Effect, Option } from "effect"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { PlanResult } from "../submission/PlanResult.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"

export interface HandOverResult {
  readonly imports: ReadonlyArray<number>
  readonly documents: number
  readonly planned: number
  /**
   * Documents that the store did not take as given: the number is taken, the sent document differs,
   * or the account is pinned to another device.
   */
  readonly problems: ReadonlyArray<PlanResult>
}

const none: HandOverResult = { imports: [], documents: 0, planned: 0, problems: [] }

const isProblem = ({ verdict: { _tag } }: PlanResult): boolean =>
  _tag === "Conflict" || _tag === "NumberTaken" || _tag === "OtherLane"

/** Hands over page by page until no document waits. */
export const all = (
  store: Pick<SubmissionStoreOperations, "handOver">,
  accounts: ReadonlyArray<string>
): Effect.Effect<HandOverResult, StoreError> =>
  Effect.gen(function* () {
    const imports = new Set<number>()
    const problems: Array<PlanResult> = []
    let [documents, planned] = [0, 0]
    while (true) {
      const page = yield* store.handOver(accounts)
      if (Option.isNone(page))
        return imports.size === 0 ? none : { imports: [...imports], documents, planned, problems }
      imports.add(page.value.import)
      documents += page.value.results.length
      planned += page.value.results.filter(({ state }) => state === "Planned").length
      for (const result of page.value.results) if (isProblem(result)) problems.push(result)
    }
  })
