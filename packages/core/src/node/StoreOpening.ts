/** The store at a place, whichever engine keeps it: the one way from a configuration to a store. */
import { type Duration, Effect, Layer, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { StoreError, storeError } from "../ledger/StoreError.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import * as Forgetting from "../store/Forgetting.ts"
import * as StoreCopy from "../store/StoreCopy.ts"
import type { Holder } from "../submission/Holder.ts"
import { describe, type StorePlace } from "../submission/StorePlace.ts"
import type { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as SqliteHolder from "./SqliteHolder.ts"
import * as SqliteStore from "./SqliteStore.ts"
import { sizeOf } from "./StoreFile.ts"

export type { Moved } from "../store/StoreCopy.ts"

const packageMissing = (cause: unknown) =>
  new StoreError({
    operation: "open",
    reason: "unavailable",
    problem: `a store in PostgreSQL needs the package @effect/sql-pg (${cause instanceof Error ? cause.message : String(cause)})`
  })

/** The driver is loaded only by whoever has its store there: it costs every other start 50 ms, and is an optional package. */
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

/** Opens, creates and upgrades it; fails with `foreign` where the place is another program's, and leaves it alone. */
export const layer: (place: StorePlace) => Layer.Layer<SubmissionStore, StoreError> = opening(({ layer }) => layer)

/** For looking: nothing is created, upgraded or changed. In memory it is a new one. */
export const layerReading: (place: StorePlace) => Layer.Layer<SubmissionStore, StoreError> = opening(
  ({ layerReading }) => layerReading
)

/** Whether there is a store to look at. An empty file is none. */
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

/** The schema that the store there was written with, also where this version cannot read it; 0 where there is none. Nothing is changed. */
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
 * Who claims lanes of the store there, as long as the scope is open: the others know when it is gone. `lease`: the Submitter's, where that is
 * another than its default.
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

/** What there is to forget of settled documents from before the day; nothing is changed. */
export const lookToForget = (place: StorePlace, before: CivilDate): Effect.Effect<Forgetting.Forgetting, StoreError> =>
  Effect.mapError(
    Effect.scoped(Effect.flatMap(database(place), (sql) => Forgetting.look(sql, before))),
    storeError("look what to forget")
  )

/** Forgets buyers and texts of settled documents from before the day (store/Forgetting); the store is brought up to date first. */
export const forget = (place: StorePlace, before: CivilDate): Effect.Effect<Forgetting.Forgetting, StoreError> =>
  Effect.andThen(
    Effect.scoped(Layer.build(layer(place))),
    Effect.mapError(
      Effect.scoped(Effect.flatMap(database(place), (sql) => Forgetting.forget(sql, before))),
      storeError("forget")
    )
  )

/**
 * Moves the store from one place to another (store/StoreCopy): it is brought up to date first. Fails with `conflict` while anything is under way,
 * and where there is another store already; then nothing was moved.
 */
export const move = (from: StorePlace, to: StorePlace): Effect.Effect<StoreCopy.Moved, StoreError> =>
  Effect.gen(function* () {
    const places = { from: describe(from), to: describe(to) }
    yield* Layer.build(layer(from)).pipe(
      Effect.scoped,
      // one that was broken off after the old store was closed
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
