/** Opens the store at a place, with either engine: the only way from a configuration to a store. */
import { type Duration, Effect, Layer, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { StoreError, storeError } from "../submission/ledger/StoreError.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Forgetting from "../store/Forgetting.ts"
import * as SqlStore from "../store/SqlStore.ts"
import * as StoreCopy from "../store/StoreCopy.ts"
import type { Holder } from "../submission/Holder.ts"
import { describe, type StorePlace } from "../submission/StorePlace.ts"
import type { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as SqliteHolder from "./SqliteHolder.ts"
import * as SqliteStore from "./SqliteStore.ts"
import { sizeOf } from "./StoreFile.ts"

export type { MovedStore } from "../store/StoreCopy.ts"

/**
 * Gives all stores that the layers create one id, so that a store in memory shows the first-use
 * code of the store that is created later.
 */
export const withOneId = Effect.gen(function* () {
  const id = Layer.succeed(SqlStore.NextStoreId, yield* Effect.cached(yield* SqlStore.NextStoreId))
  return <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> => Layer.provide(layer, id)
})

const packageMissing = (cause: unknown) =>
  new StoreError({
    operation: "open",
    reason: "unavailable",
    text: `a store in PostgreSQL needs the package @effect/sql-pg (${cause instanceof Error ? cause.message : String(cause)})`
  })

/** Loading the driver costs every other start 50 ms, and the package is optional. */
const pgStore = Effect.tryPromise({ try: () => import("./PgStore.ts"), catch: packageMissing })
const pgHolder = Effect.tryPromise({ try: () => import("./PgHolder.ts"), catch: packageMissing })

interface Engine<Config> {
  readonly layer: (config: Config) => Layer.Layer<SubmissionStore, StoreError>
  readonly layerReading: (config: Config) => Layer.Layer<SubmissionStore, StoreError>
}

const opening =
  (access: <Config>(engine: Engine<Config>) => Engine<Config>["layer"]) =>
  (place: StorePlace): Layer.Layer<SubmissionStore, StoreError> => {
    switch (place._tag) {
      case "File":
        return access(SqliteStore)({ filename: place.file, ...(place.thread && { thread: place.thread }) })
      case "Memory":
        return SqliteStore.layer({ filename: ":memory:" })
      case "Postgres":
        return Layer.unwrap(Effect.map(pgStore, (PgStore) => access(PgStore)(place)))
    }
  }

/**
 * Opens, creates and upgrades the store. Fails with `foreign` if the place belongs to another
 * program, and leaves the place alone.
 */
export const layer: (place: StorePlace) => Layer.Layer<SubmissionStore, StoreError> = opening(({ layer }) => layer)

/**
 * Opens the store read-only: nothing is created, upgraded or changed. In memory, the store is a new
 * one.
 */
export const layerReading: (place: StorePlace) => Layer.Layer<SubmissionStore, StoreError> = opening(
  ({ layerReading }) => layerReading
)

/** True if there is a store. An empty file is not a store. */
export const isThere = (place: StorePlace): Effect.Effect<boolean, StoreError> => {
  switch (place._tag) {
    case "File":
      return Effect.map(sizeOf(place.file), (size) => (size ?? 0) > 0)
    case "Memory":
      return Effect.succeed(false)
    case "Postgres":
      return Effect.flatMap(pgStore, (PgStore) => PgStore.isThere(place))
  }
}

/** Returns the schema version of the store, readable or not; 0 without a store. Changes nothing. */
export const schemaAt = (place: StorePlace): Effect.Effect<number, StoreError> => {
  switch (place._tag) {
    case "File":
      return Effect.scoped(SqliteStore.schemaAt(place.file))
    case "Memory":
      return Effect.succeed(0)
    case "Postgres":
      return Effect.scoped(Effect.flatMap(pgStore, (PgStore) => PgStore.schemaAt(place)))
  }
}

/**
 * Returns the holder that claims lanes of the store while the scope is open: other processes detect
 * its end. `lease`: lease of the Submitter, if not the default.
 */
export const holder = (place: StorePlace, lease?: Duration.Input): Effect.Effect<Holder, StoreError, Scope.Scope> => {
  switch (place._tag) {
    case "File":
      return SqliteHolder.make(place.file)
    case "Memory":
      return SqliteHolder.make(":memory:")
    case "Postgres":
      return Effect.flatMap(pgHolder, (PgHolder) => PgHolder.make(place, lease === undefined ? {} : { lease }))
  }
}

const database = (place: StorePlace): Effect.Effect<SqlClient, StoreError, Scope.Scope> => {
  switch (place._tag) {
    case "File":
      return SqliteStore.database({ filename: place.file })
    case "Memory":
      return SqliteStore.database({ filename: ":memory:" })
    case "Postgres":
      return Effect.flatMap(pgStore, (PgStore) => PgStore.database(place))
  }
}

/** Counts the data to forget in settled documents from before the day; changes nothing. */
export const lookToForget = (place: StorePlace, before: CivilDate): Effect.Effect<Forgetting.Forgetting, StoreError> =>
  Effect.mapError(
    Effect.scoped(Effect.flatMap(database(place), (sql) => Forgetting.look(sql, before))),
    storeError("look what to forget")
  )

/**
 * Forgets buyers and texts of settled documents from before the day (store/Forgetting), after an
 * upgrade of the store.
 */
export const forget = (place: StorePlace, before: CivilDate): Effect.Effect<Forgetting.Forgetting, StoreError> =>
  Effect.andThen(
    Effect.scoped(Layer.build(layer(place))),
    Effect.mapError(
      Effect.scoped(Effect.flatMap(database(place), (sql) => Forgetting.forget(sql, before))),
      storeError("forget")
    )
  )

/**
 * Moves the store from one place to another (store/StoreCopy), after an upgrade. Fails with
 * `conflict` while a document is being sent or a worker holds a lane, or if the target already has
 * a store; nothing is moved then.
 */
export const move = (from: StorePlace, to: StorePlace): Effect.Effect<StoreCopy.MovedStore, StoreError> =>
  Effect.gen(function* () {
    const places = { from: describe(from), to: describe(to) }
    yield* Layer.build(layer(from)).pipe(
      Effect.scoped,
      // an earlier move was interrupted after the old store was closed
      Effect.catchIf(
        ({ reason }) => reason === "moved",
        () => Effect.void
      )
    )
    const moving = Effect.gen(function* () {
      return yield* StoreCopy.move(yield* database(from), yield* database(to), places)
    })
    return yield* Effect.mapError(Effect.scoped(moving), storeError("copy"))
  })
