/**
 * What makes the address of a page the same when its program is started again, so that a tab that was open goes on: the port, the unguessable part of
 * the address, the cookie and the token of forms. They are in a file for its owner alone (0600) beside the mapping book. The link stays new for
 * every run, and works once.
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

const drawn = () => randomBytes(24).toString("base64url")

/** A new one, on the port. */
export const draw = (port: number): PageIdentity => ({ port, place: drawn(), cookie: drawn(), token: drawn() })

/** What an earlier run has left; null where there is none that can be used: one that others may read is drawn anew. */
export const load = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { mode } = yield* fs.stat(file)
    if (process.platform !== "win32" && (mode & 0o077) !== 0) return null
    return Option.getOrNull(Schema.decodeOption(PageIdentity)(yield* fs.readFileString(file)))
  }).pipe(Effect.orElseSucceed(() => null))

/** A page whose address cannot be kept runs all the same, and has another one the next time. */
export const save = (file: string, identity: PageIdentity) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* Effect.ignore(fs.remove(file, { force: true }))
    yield* fs.writeFileString(file, `${JSON.stringify(identity)}\n`, { flag: "wx", mode: 0o600 })
  }).pipe(Effect.ignore)
