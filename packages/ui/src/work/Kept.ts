/**
 * Loads imports from the store in their current state, also after a restart of the page and for
 * imports by other processes.
 */
import { ImportMemory } from "@fiscal-connector/core/host/import"
import type { KeptImport } from "@fiscal-connector/core/host"
import { RunReport } from "@fiscal-connector/core/session"
import { SubmissionStore } from "@fiscal-connector/core/store"
import { Effect, Option, type Scope, Stream } from "effect"
import type { Report } from "../report/Report.ts"
import { Tally } from "../report/Tally.ts"
import { gathering, type ImportResult } from "./PageImport.ts"
import type { Going } from "./Going.ts"
import * as Loaded from "./Loaded.ts"
import type { Workplace } from "./Workplace.ts"

export interface Shown {
  readonly kept: KeptImport.KeptImport
  readonly result: ImportResult
  readonly standing: string
  /** Time of the figures, in milliseconds since the epoch. */
  readonly at: number
}

/** `scope`: of the loading, which outlives the request that began it. */
export const make = (
  workplace: Pick<Workplace, "looking">,
  going: Pick<Going, "stateOf" | "revision">,
  scope: Scope.Scope
) => {
  const loaded = Loaded.make<Pick<Shown, "kept" | "result">>(workplace, going, scope, { rest: 5, fresh: 60_000 })
  const read = (id: number, paused: Effect.Effect<void>) =>
    Effect.gen(function* () {
      const store = yield* SubmissionStore.SubmissionStore
      const kept = Option.getOrUndefined(yield* store.importOf(id))
      return kept && { kept, result: yield* resultOf(kept, paused) }
    })
  return {
    /** Loads an import. Undefined if the store has no such import. */
    load: (id: number) =>
      Effect.map(
        loaded.load(
          String(id),
          ({ kept }) => going.stateOf(kept.destination.account) !== "idle",
          (paused) => read(id, paused)
        ),
        (found): Shown | undefined => found && { ...found.value, standing: found.standing, at: found.at }
      )
  }
}

export type KeptImports = ReturnType<typeof make>

const resultOf = (kept: KeptImport.KeptImport, paused: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const tally = new Tally({ taxes: [] }, yield* RunReport.dismissedOf(kept.destination.account))
    const gathered = gathering(tally, null)
    yield* Stream.runForEach(ImportMemory.pages(kept), ({ documents, unattached }) => {
      for (const finding of unattached) tally.addUnattached(finding)
      documents.forEach(gathered.add)
      return paused
    })
    return gathered.result()
  })

export const reportOf = (kept: KeptImport.KeptImport) =>
  Effect.map(
    ImportMemory.unattached(kept),
    (unattached) =>
      ({
        at: kept.at,
        destinations: [kept.destination],
        record: kept,
        book: { taxes: [] },
        unattached,
        documents: Stream.map(ImportMemory.pages(kept), ({ documents }) => documents)
      }) satisfies Report<unknown, SubmissionStore.SubmissionStore>
  )
