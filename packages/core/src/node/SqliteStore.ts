import { Effect, Layer, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { latest, newer, open, type OpenOptions, schemaOf } from "../store/SqlStore.ts"
import { StoreError, storeError } from "../submission/ledger/StoreError.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import { type ClientConfig, make as makeClient } from "./SqliteClient.ts"
import * as StoreFile from "./StoreFile.ts"

type SqliteOpening = Effect.Effect<
  SubmissionStoreOperations,
  SqlError | StoreError,
  Scope.Scope | Reactivity.Reactivity
>

const existing = Effect.fnUntraced(function* (config: ClientConfig) {
  const client = yield* makeClient(config)
  const tables = yield* client<{ readonly name: string }>`select name from sqlite_schema where type = 'table'`
  yield* StoreFile.isOurs(tables.map(({ name }) => name))
  const others =
    yield* client<StoreFile.OpeningProgram>`select name, sql from sqlite_schema where type in ('view', 'trigger')`
  yield* StoreFile.hasNoPrograms(others)
  return client
})

const opened = (client: SqlClient, options: OpenOptions) => Effect.provideService(open(options), SqlClient, client)

const keepingCopy =
  (filename: string): NonNullable<OpenOptions["beforeUpgrade"]> =>
  (_, to) =>
    Effect.flatMap(StoreFile.freeName(`${filename}.before-v${to}`), (target) =>
      Effect.asVoid(StoreFile.copy(filename, target))
    )

const made = Effect.fnUntraced(function* (config: ClientConfig) {
  const { filename } = config
  // checked read-only first: opening for writing would change another program's file
  if (((yield* StoreFile.sizeOf(filename)) ?? 0) > 0) yield* Effect.scoped(existing({ filename, access: "read" }))
  return yield* makeClient(config)
})

const writing = (config: ClientConfig): SqliteOpening =>
  Effect.gen(function* () {
    const { filename } = config
    if (filename === ":memory:") return yield* opened(yield* makeClient(config), {})
    const client = yield* made(config)
    return yield* opened(client, {
      beforeUpgrade: keepingCopy(filename),
      replaced: yield* StoreFile.replaced(filename)
    })
  })

const reading = (config: ClientConfig): SqliteOpening =>
  Effect.gen(function* () {
    yield* StoreFile.mayBeStore(config.filename)
    const client = yield* existing({ ...config, access: "read" })
    const schema = yield* schemaOf(client)
    if (schema > latest) return yield* newer(schema)
    if (schema === 0) return yield* StoreFile.unmade
    if (schema === latest) return yield* opened(client, { schema: "as-it-is" })
    // only a writer upgrades an older store; a reader upgrades a private copy
    return yield* opened(yield* makeClient({ filename: yield* StoreFile.privateCopy(config.filename) }), {})
  })

const inPlace = <A>(
  filename: string,
  use: Effect.Effect<A, SqlError | StoreError, Scope.Scope | Reactivity.Reactivity>
): Effect.Effect<A, StoreError, Scope.Scope> =>
  Effect.mapError(use, (error) => {
    const { operation, reason, text } = storeError("open")(error)
    return new StoreError({
      operation,
      reason,
      text: text.startsWith(`${filename}: `) ? text : `${filename}: ${text}`
    })
  }).pipe(Effect.provide(Reactivity.layer))

/**
 * Opens, creates (mode 0600) and upgrades the store, after a copy `FILE.before-vN`; closes the
 * store with the layer's scope. The store may be open in several processes at once. Fails with
 * `foreign` if the file belongs to another program, and leaves the file alone.
 */
export const layer = (config: ClientConfig): Layer.Layer<SubmissionStore, StoreError> =>
  Layer.effect(SubmissionStore, inPlace(config.filename, writing(config)))

/**
 * Opens the store read-only: nothing is created, upgraded or changed, and every write fails. A
 * store of an earlier version is read from a copy. Fails with `foreign` if the file is missing,
 * empty or another program's.
 */
export const layerReading = (config: Pick<ClientConfig, "filename">): Layer.Layer<SubmissionStore, StoreError> =>
  Layer.effect(SubmissionStore, inPlace(config.filename, reading(config)))

/** Opens the database itself and creates it if missing; for moving a store. */
export const database = (config: ClientConfig): Effect.Effect<SqlClient, StoreError, Scope.Scope> =>
  inPlace(config.filename, made(config))

/** Returns the schema version of the file, readable or not; changes nothing. */
export const schemaAt = (filename: string): Effect.Effect<number, StoreError, Scope.Scope> =>
  inPlace(filename, Effect.flatMap(existing({ filename, access: "read" }), schemaOf))
