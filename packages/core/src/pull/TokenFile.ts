/**
 * The tokens of a source in a file of their own, for its owner alone. One process refreshes at a time, and the new token is in the file before anybody
 * uses it: a refresh token that rotates is good for one use.
 */
import { Clock, Effect, type FileSystem, Redacted, Schema } from "effect"
import * as SystemLock from "../file/SystemLock.ts"
import * as TextFile from "../file/TextFile.ts"
import * as WholeFile from "../file/WholeFile.ts"
import { LiveSourceError, type LiveSourceReason } from "../source/LiveSourceError.ts"

/** Tokens that a source has just issued. */
export interface FreshToken {
  readonly access: Redacted.Redacted<string>
  /** How long it is good for, in seconds. */
  readonly expiresIn: number
  /** Left out: the former one stays good. */
  readonly refresh?: Redacted.Redacted<string> | undefined
}

/** The file as it is stored. A new one has the refresh token alone. */
const Stored = Schema.fromJsonString(
  Schema.Struct({
    refreshToken: Schema.NonEmptyString,
    accessToken: Schema.optionalKey(Schema.String),
    /** In milliseconds since the epoch. */
    accessEnds: Schema.optionalKey(Schema.Finite),
    refreshedAt: Schema.optionalKey(Schema.Finite)
  })
)
type Stored = typeof Stored.Type

const decode = Schema.decodeUnknownEffect(Stored)
const encode = Schema.encodeEffect(Stored)

/** The file of the tokens, and the way to refresh them. */
export interface TokenOptions {
  readonly source: string
  readonly file: string
  readonly refresh: (refreshToken: Redacted.Redacted<string>) => Effect.Effect<FreshToken, LiveSourceError>
}

/** The tokens of one source. */
export interface Tokens {
  /** An access token that is good for another minute. */
  readonly current: Effect.Effect<Redacted.Redacted<string>, LiveSourceError>
  /** Another one than this, which the source did not accept. */
  renewed(refused: Redacted.Redacted<string>): Effect.Effect<Redacted.Redacted<string>, LiveSourceError>
  /** Takes the tokens of a new login. */
  take(fresh: FreshToken): Effect.Effect<void, LiveSourceError>
  /** When the file was refreshed last, in milliseconds since the epoch; null where it never was. */
  readonly refreshedAt: Effect.Effect<number | null, LiveSourceError>
}

const storedOf = ({ access, expiresIn, refresh }: FreshToken, former: string, now: number): Stored => ({
  refreshToken: refresh === undefined ? former : Redacted.value(refresh),
  accessToken: Redacted.value(access),
  accessEnds: now + expiresIn * 1000,
  refreshedAt: now
})

// a request takes some seconds, and clocks differ a little
const spare = 60_000

/** A refresh is one request of at most 30 seconds: another process is waited for as long. */
const waits = 6

/** Keeps the tokens of a source in the file. Fails with `TokenUnusable` where the file cannot be read, written or locked. */
export const make = ({ file, refresh, source }: TokenOptions): Effect.Effect<Tokens, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<FileSystem.FileSystem>()
    const failed = (reason: LiveSourceReason) => new LiveSourceError({ source, operation: "tokens", reason })
    const unusable = (problem: string) => failed({ _tag: "TokenUnusable", problem })
    const read = TextFile.read(file).pipe(
      Effect.mapError(({ reason }) =>
        reason._tag === "NotFound"
          ? failed({ _tag: "LoginEnded", because: `there is no token file ${file}` })
          : unusable(`the token file ${file} cannot be read`)
      ),
      Effect.flatMap((text) =>
        Effect.mapError(decode(text), () => unusable(`the token file ${file} is not JSON with a refreshToken`))
      ),
      Effect.provideContext(context)
    )
    const accessOf = (now: number, { accessEnds = 0, accessToken }: Stored) =>
      accessToken !== undefined && accessEnds > now + spare ? Redacted.make(accessToken) : undefined
    const write = (stored: Stored) =>
      Effect.orDie(encode(stored)).pipe(
        Effect.flatMap((text) => WholeFile.writeText(file, text)),
        Effect.mapError(() => unusable(`the token file ${file} cannot be written`)),
        Effect.provideContext(context)
      )
    /** `refused`: the access token that the source did not accept. */
    const refreshing = (refused: Redacted.Redacted<string> | null) =>
      Effect.gen(function* () {
        // another process may have refreshed while this one waited
        const before = yield* read
        const now = yield* Clock.currentTimeMillis
        const known = accessOf(now, before)
        if (known !== undefined && (refused === null || Redacted.value(known) !== Redacted.value(refused))) return known
        // a token file that cannot be written is found before the token rotates
        yield* write(before)
        const fresh = yield* refresh(Redacted.make(before.refreshToken))
        yield* write(storedOf(fresh, before.refreshToken, now))
        return fresh.access
      }).pipe(Effect.uninterruptible)
    const locked = <A>(work: Effect.Effect<A, LiveSourceError>) =>
      SystemLock.holding(`${file}.lock`, work).pipe(
        Effect.retry({ times: waits, while: ({ _tag }) => _tag === "NotLocked" }),
        Effect.catchTag("NotLocked", () =>
          Effect.fail(unusable(`the token file ${file} is locked by another process, or its folder cannot be written`))
        )
      )
    return {
      current: Effect.gen(function* () {
        const known = accessOf(yield* Clock.currentTimeMillis, yield* read)
        return known ?? (yield* locked(refreshing(null)))
      }),
      renewed: (refused) => locked(refreshing(refused)),
      take: (fresh) =>
        Effect.gen(function* () {
          if (fresh.refresh === undefined)
            return yield* failed({ _tag: "LoginEnded", because: "the login gives no refresh token" })
          const stored = storedOf(fresh, Redacted.value(fresh.refresh), yield* Clock.currentTimeMillis)
          yield* locked(Effect.uninterruptible(write(stored)))
        }),
      refreshedAt: Effect.map(read, ({ refreshedAt = null }) => refreshedAt)
    }
  })
