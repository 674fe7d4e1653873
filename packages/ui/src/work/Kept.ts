/** Imports that the store remembers, as they stand now: after a restart of the page, and whoever made them. */
import * as ImportMemory from "@fiscal-connector/core/unstable/import/ImportMemory"
import type { KeptImport } from "@fiscal-connector/core/unstable/submission/KeptImport"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import * as Provenance from "@fiscal-connector/core/finding/Provenance"
import { Clock, Effect, Option, Stream } from "effect"
import * as Parts from "../report/Parts.ts"
import type { Report } from "../report/Report.ts"
import { Tally } from "../report/Tally.ts"
import * as Following from "./Following.ts"
import { type Result, type Row, rowOf } from "./PageImport.ts"

/** An import with how its documents stand. */
export interface Shown {
  readonly kept: KeptImport
  readonly result: Result
  /** Changes with the store. */
  readonly standing: string
}

interface Loaded extends Shown {
  readonly at: number
  readonly took: number
}

/** What was looked at last: another page of the same import reads nothing again. */
const few = 4

/** What is forgotten in the store is not shown for longer. */
const fresh = 60_000

/** How long a large import is shown as it was, by how long it took to look at: it may not keep the machine busy while it is sent. */
const rest = 5

export const make = () => {
  const loaded = new Map<number, Loaded>()
  return {
    /** Undefined where no such import is remembered. */
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
        const now: Loaded = { kept, result, standing, at, took: at - begun }
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
    const tally = new Tally({ taxes: [] })
    const rows: Array<Row> = []
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
    return { rows, tally, summary: tally.summary, already } satisfies Result
  })

/** Its report, as its documents stand now. */
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
