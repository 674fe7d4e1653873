/** The staging of imports in temporary SQLite files: each for its owner alone, deleted with its scope. */
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Staging } from "../import/Staging.ts"
import { storeError } from "../submission/sql/Transaction.ts"
import { StoreError } from "../submission/StoreError.ts"
import { make } from "./SqliteClient.ts"

const operation = "stage an import"

const database = Effect.fnUntraced(
  function* (filename: string) {
    const sql = yield* make({ filename, synchronous: "off" })
    // nothing is ever rolled back, and 16 MiB of pages is all it may keep of however many documents
    yield* sql`pragma journal_mode = off`
    yield* sql`pragma cache_size = -16384`
    return sql
  },
  Effect.mapError(storeError(operation)),
  Effect.provide(Reactivity.layer)
)

const directory = Effect.acquireRelease(
  Effect.try({
    try: () => mkdtempSync(join(tmpdir(), "fiscal-connector-")),
    catch: () => new StoreError({ operation, reason: "unavailable", problem: `nothing can be written to ${tmpdir()}` })
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A file for each import, in the system's directory for temporary files. */
export const layer: Layer.Layer<Staging> = Layer.succeed(Staging)({
  open: Effect.flatMap(directory, (path) => database(join(path, "import.db")))
})

/** In memory: for tests, and for exports that are known to be small. */
export const layerMemory: Layer.Layer<Staging> = Layer.succeed(Staging)({ open: database(":memory:") })
