/**
 * Temporary SQLite files, readable by the owner only, and removed when the process ends, for any
 * reason.
 */
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { temporary } from "../file/HostProcess.ts"
import { Staging } from "../import/Staging.ts"
import { StoreError, storeError } from "../submission/ledger/StoreError.ts"
import { staging } from "../submission/ledger/StoreProblem.ts"
import { make } from "./SqliteClient.ts"

const database = Effect.fnUntraced(
  function* (filename: string) {
    const sql = yield* make({ filename, synchronous: "off" })
    // no second file (node:sqlite does not allow `off`)
    yield* sql`pragma journal_mode = memory`
    // pages for several documents: half the cost of documents that overflow a page; a vacuum
    // applies the new size
    yield* sql`pragma page_size = 16384`
    yield* sql`vacuum`
    // no other process knows the file; memory is limited to 16 MiB of pages for any number of
    // documents
    yield* sql`pragma locking_mode = exclusive`
    yield* sql`pragma cache_size = -16384`
    return sql
  },
  Effect.mapError(storeError(staging)),
  Effect.provide(Reactivity.layer)
)

const directory = Effect.acquireRelease(
  Effect.flatMap(temporary, (inside) =>
    Effect.try({
      try: () => mkdtempSync(join(inside, "fiscal-connector-")),
      catch: () =>
        new StoreError({ operation: staging, reason: "unavailable", text: `nothing can be written to ${inside}` })
    })
  ),
  (path) => Effect.sync(() => remove(path))
)

const remove = (path: string) => rmSync(path, { recursive: true, force: true })

/** An open file needs no name. Windows cannot delete an open file: there the scope removes it. */
const unnamed = (path: string) => Effect.ignore(Effect.try(() => remove(path)))

/** Staging in a separate file for each import, in the system's directory for temporary files. */
export const layer: Layer.Layer<Staging> = Layer.succeed(Staging)({
  open: Effect.flatMap(directory, (path) => Effect.tap(database(join(path, "import.db")), unnamed(path)))
})

/** Staging in memory: for tests, and for exports known to be small. */
export const layerMemory: Layer.Layer<Staging> = Layer.succeed(Staging)({ open: database(":memory:") })
