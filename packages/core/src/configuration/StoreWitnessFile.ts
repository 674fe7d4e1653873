/** `accounts.stores.json` next to `accounts.json`: the progress of the stores used with it. */
import { Effect, FileSystem, Option, Path, Schema } from "effect"
import { failureOf, merged, type StoreWitness, type WitnessedStore } from "../account/StoreWitness.ts"
import { withDefault } from "../document/WithDefault.ts"
import * as SystemLock from "../file/SystemLock.ts"
import * as AtomicFile from "../file/AtomicFile.ts"

const Witnessed = Schema.fromJsonString(
  Schema.Struct({
    stores: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        attempts: Schema.Int,
        lanes: Schema.Array(Schema.String),
        at: Schema.String,
        // fields missing in files of earlier versions
        accepted: withDefault(Schema.NullOr(Schema.Struct({ number: Schema.Int, token: Schema.String })), null),
        newest: withDefault(
          Schema.Array(
            Schema.Struct({
              lane: Schema.String,
              number: Schema.Int,
              attempt: Schema.Int,
              token: Schema.String,
              begunAt: Schema.Int
            })
          ),
          []
        ),
        unwritten: Schema.optionalKey(Schema.NullOr(Schema.Struct({ since: Schema.String, problem: Schema.String })))
      })
    )
  })
)
const decode = Schema.decodeUnknownOption(Witnessed)

/** Returns the path of the file. */
export const beside = (configuration: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) =>
    path.join(path.dirname(configuration), `${path.basename(configuration).replace(/\.[^.]*$/, "")}.stores.json`)
  )

/**
 * Returns the witness next to a configuration. Writes are atomic, and only the owner can read the
 * file.
 */
export const make = (configuration: string): Effect.Effect<StoreWitness, never, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(beside(configuration), at)

/** Returns the failed writes to the store that a process with this configuration has recorded. */
export const writeFailure = (
  configuration: string,
  store: string
): Effect.Effect<ReturnType<typeof failureOf>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(make(configuration), ({ read }) =>
    Effect.map(read, (stores) => failureOf(stores.find(({ id }) => id === store)))
  )

/**
 * Returns the witness at any path, for use without a configuration. Concurrent writes are safe:
 * each process merges its record into the file under a lock.
 */
export const at = (file: string): Effect.Effect<StoreWitness, never, FileSystem.FileSystem> =>
  Effect.map(FileSystem.FileSystem, (fs) => {
    const read = Effect.map(Effect.option(fs.readFileString(file)), (text): ReadonlyArray<WitnessedStore> =>
      Option.match(Option.flatMap(text, decode), { onNone: () => [], onSome: ({ stores }) => stores })
    )
    const added = Effect.fnUntraced(function* (store: WitnessedStore) {
      const known = yield* read
      const now = merged(
        known.find(({ id }) => id === store.id),
        store
      )
      const stores = [...known.filter(({ id }) => id !== store.id), now]
      yield* AtomicFile.writeText(file, `${JSON.stringify({ stores }, undefined, 2)}\n`)
      return "written" as const
    })
    const write: StoreWitness["write"] = (store) =>
      SystemLock.holding(`${file}.lock`, added(store)).pipe(
        Effect.provideService(FileSystem.FileSystem, fs),
        Effect.orElseSucceed(() => "unwritten" as const)
      )
    return { read, write }
  })
