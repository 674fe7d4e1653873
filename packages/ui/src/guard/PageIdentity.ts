/**
 * Keeps the address of a page the same across restarts, so that an open tab keeps working: the
 * port, the unguessable part of the address, the cookie and the form token. They are stored in a
 * file for its owner alone (0600) beside the mapping book. The link is new for every run and works
 * once.
 */
import { Effect, FileSystem, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"

const Drawn = Schema.String.check(Schema.isPattern(/^[\w-]{32}$/u))

const PageIdentity = Schema.fromJsonString(
  Schema.Struct({
    port: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 })),
    place: Drawn,
    cookie: Drawn,
    token: Drawn
  })
)
export type PageIdentity = typeof PageIdentity.Type

/** Draws a text that cannot be guessed. */
export const drawn = () => randomBytes(24).toString("base64url")

export const draw = (port: number): PageIdentity => ({ port, place: drawn(), cookie: drawn(), token: drawn() })

/**
 * Loads the identity of an earlier run. Returns null if no usable file exists. A file readable by
 * other users counts as unusable.
 */
export const load = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { mode } = yield* fs.stat(file)
    if (process.platform !== "win32" && (mode & 0o077) !== 0) return null
    return Option.getOrNull(Schema.decodeOption(PageIdentity)(yield* fs.readFileString(file)))
  }).pipe(Effect.orElseSucceed(() => null))

/** Saves the identity. A failure is ignored: the page runs, and has another address next time. */
export const save = (file: string, identity: PageIdentity) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* Effect.ignore(fs.remove(file, { force: true }))
    yield* fs.writeFileString(file, `${JSON.stringify(identity)}\n`, { flag: "wx", mode: 0o600 })
  }).pipe(Effect.ignore)
