/** Read once at the start, written atomically, readable by its owner only. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { WorldState } from "../gateway/World.ts"
import { SandboxError, StateUnusable } from "../SandboxError.ts"
import * as Problems from "../wire/Problems.ts"
import * as State from "./State.ts"
import * as StateLock from "./StateLock.ts"

const Text = Schema.fromJsonString(Schema.toCodecJson(State.SandboxState))
const decode = Schema.decodeUnknownEffect(Text)
const encode = Schema.encodeEffect(Text)

const unusable = (file: string, problem: string) => new SandboxError({ reason: new StateUnusable({ file, problem }) })

const interval = "250 millis"

const load = Effect.fnUntraced(function* (world: WorldState, file: string) {
  const fs = yield* FileSystem.FileSystem
  const { type } = yield* fs.stat(file).pipe(Effect.mapError((error) => unusable(file, error.message)))
  // A pipe might never end.
  if (type !== "File") return yield* unusable(file, "it is a folder, a pipe or a device, and a file is needed")
  const text = yield* fs.readFileString(file).pipe(Effect.mapError((error) => unusable(file, error.message)))
  const state = yield* decode(text).pipe(
    Effect.mapError((error) =>
      unusable(file, `it is not a state of a sandbox: ${Problems.of(error)[0] ?? "unreadable"}`)
    )
  )
  const strangers = State.strangers(world, state)
  if (strangers.length > 0) {
    return yield* unusable(file, `the configuration does not know its ${strangers.join(", ")}`)
  }
  State.restore(world, state)
  yield* world.clock.resume(state.clock)
})

const save = Effect.fnUntraced(function* (world: WorldState, file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.orDie(encode(State.of(world, yield* world.clock.position)))
  const next = `${file}.next`
  yield* fs.writeFileString(next, text, { mode: 0o600 }).pipe(
    Effect.andThen(fs.rename(next, file)),
    Effect.mapError((error) => unusable(file, error.message))
  )
})

/**
 * Restores the state of `file` and keeps it saved from now on: within a quarter of a second of a
 * change, and when the scope closes. If the file does not exist, saves the current world. Fails
 * while another sandbox holds the file.
 */
export const keep = Effect.fnUntraced(function* (world: WorldState, file: string) {
  const fs = yield* FileSystem.FileSystem
  yield* StateLock.hold(file)
  const exists = yield* fs.exists(file).pipe(Effect.mapError((error) => unusable(file, error.message)))
  yield* exists ? load(world, file) : save(world, file)
  let saved = world.revision
  const saveChanges = Effect.suspend(() => {
    const { revision } = world
    if (revision === saved) return Effect.void
    return Effect.map(save(world, file), () => {
      saved = revision
    })
  }).pipe(Effect.catchTag("SandboxError", (error) => Effect.logWarning(error.message)))
  yield* Effect.addFinalizer(() => saveChanges)
  yield* Effect.forkScoped(Effect.repeat(saveChanges, Schedule.spaced(interval)))
})
