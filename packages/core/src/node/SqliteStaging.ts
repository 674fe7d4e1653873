/** The staging of imports in temporary SQLite files: each for its owner alone, and gone when its process is, however that ends. */
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { temporary } from "../file/HostProcess.ts"
import { Staging } from "../import/Staging.ts"
import { StoreError, storeError } from "../ledger/StoreError.ts"
import { staging } from "../ledger/StoreProblem.ts"
import { make } from "./SqliteClient.ts"

const database = Effect.fnUntraced(
  function* (filename: string) {
    const sql = yield* make({ filename, synchronous: "off" })
    // no file beside it (node:sqlite does not allow `off`)
    yield* sql`pragma journal_mode = memory`
    // several documents a page, which costs half of what one costs that does not fit in its page; a new size is taken by rebuilding
    yield* sql`pragma page_size = 16384`
    yield* sql`vacuum`
    // nobody else can know of it; and 16 MiB of pages is all it may keep of however many documents
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
        new StoreError({ operation: staging, reason: "unavailable", problem: `nothing can be written to ${inside}` })
    })
  ),
  (path) => Effect.sync(() => remove(path))
)

const remove = (path: string) => rmSync(path, { recursive: true, force: true })

/** An open file needs no name, except on Windows, where it cannot be deleted: there it goes with the scope. */
const unnamed = (path: string) => Effect.ignore(Effect.try(() => remove(path)))

/** A file for each import, in the system's directory for temporary files. */
export const layer: Layer.Layer<Staging> = Layer.succeed(Staging)({
  open: Effect.flatMap(directory, (path) => Effect.tap(database(join(path, "import.db")), unnamed(path)))
})

/** In memory: for tests, and for exports that are known to be small. */
export const layerMemory: Layer.Layer<Staging> = Layer.succeed(Staging)({ open: database(":memory:") })
