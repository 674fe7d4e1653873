/**
 * Loads imports from the store in their current state, also after a restart of the page and for
 * imports by other processes.
 */
import * as ImportMemory from "@fiscal-connector/core/unstable/import/ImportMemory"
import type { KeptImport } from "@fiscal-connector/core/unstable/submission/KeptImport"
import * as RunReport from "@fiscal-connector/core/session/RunReport"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as Provenance from "@fiscal-connector/core/finding/Provenance"
import { Clock, Effect, Option, Stream } from "effect"
import * as Parts from "../report/Parts.ts"
import type { Report } from "../report/Report.ts"
import { Tally } from "../report/Tally.ts"
import * as Following from "./Following.ts"
import { type ImportResult, type ImportRow, rowOf } from "./PageImport.ts"

/** An import with the state of its documents. */
export interface Shown {
  readonly kept: KeptImport
  readonly result: ImportResult
  /** Changes with the store. */
  readonly standing: string
}

interface LoadedImport extends Shown {
  readonly at: number
  readonly took: number
}

/** Number of cached imports, so that another page of the same import reads nothing again. */
const few = 4

/**
 * Maximum age of a cached import, even without changes in the store: documents forgotten in the
 * store must disappear. An import that loads slowly may be reused longer, see `rest`.
 */
const fresh = 60_000

/**
 * Time to reuse a loaded import, as a multiple of its loading time. Otherwise reloading a large
 * import would keep the machine busy during sending.
 */
const rest = 5

export const make = () => {
  const loaded = new Map<number, LoadedImport>()
  return {
    /** Loads an import. Undefined if the store has no such import. */
    load: (id: number) =>
      Effect.gen(function* () {
        const store = yield* SubmissionStore
        const begun = yield* Clock.currentTimeMillis
        const last = loaded.get(id)
        const standing = yield* Following.standing(store)
        const age = last === undefined ? Number.POSITIVE_INFINITY : begun - last.at
        if (last !== undefined && ((last.standing === standing && age < fresh) || age < rest * last.took)) return last
        const kept = Option.getOrUndefined(yield* store.importOf(id))
        if (kept === undefined) return undefined
        const result = yield* resultOf(kept)
        const at = yield* Clock.currentTimeMillis
        const now: LoadedImport = { kept, result, standing, at, took: at - begun }
        loaded.delete(id)
        loaded.set(id, now)
        for (const old of [...loaded.keys()].slice(0, -few)) loaded.delete(old)
        return now
      })
  }
}

export type KeptImports = ReturnType<typeof make>

const resultOf = (kept: KeptImport) =>
  Effect.gen(function* () {
    const tally = new Tally({ taxes: [] }, yield* RunReport.dismissedOf(kept.destination.account))
    const rows: Array<ImportRow> = []
    let already = 0
    yield* Stream.runForEach(ImportMemory.pages(kept), ({ documents, unattached }) =>
      Effect.sync(() => {
        for (const finding of unattached) tally.addUnattached(finding)
        for (const document of documents) {
          tally.add(document)
          if (document.state === "Fiscalised" && document.news === "known") already += 1
          rows.push(
            rowOf(document, document.shares ?? undefined, {
              date: Parts.dated(document),
              place: Provenance.format(document.source)
            })
          )
        }
      })
    )
    return { rows, tally, summary: tally.summary, already } satisfies ImportResult
  })

/** Returns the import's report with the current state of its documents. */
export const reportOf = (kept: KeptImport) =>
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
      }) satisfies Report<unknown, SubmissionStore>
  )
