/**
 * Tokens in a separate file, readable by the owner only. One process refreshes at a time, and the
 * new token is in the file before its first use: a rotating refresh token works only once.
 */
import { Clock, Effect, type FileSystem, Redacted, Schema } from "effect"
import * as SystemLock from "../file/SystemLock.ts"
import * as TextFile from "../file/TextFile.ts"
import * as AtomicFile from "../file/AtomicFile.ts"
import { LiveSourceError, type LiveSourceReason } from "../source/LiveSourceError.ts"

/** Tokens just issued by a source. */
export interface FreshToken {
  readonly access: Redacted.Redacted<string>
  /** Lifetime in seconds. */
  readonly expiresIn: number
  /** New refresh token. Left out: the former refresh token stays valid. */
  readonly refresh?: Redacted.Redacted<string> | undefined
}

/** The file as it is stored. A new file has only the refresh token. */
const StoredToken = Schema.fromJsonString(
  Schema.Struct({
    refreshToken: Schema.NonEmptyString,
    accessToken: Schema.optionalKey(Schema.String),
    /** Expiry in milliseconds since the epoch. */
    accessEnds: Schema.optionalKey(Schema.Finite),
    refreshedAt: Schema.optionalKey(Schema.Finite)
  })
)
type StoredToken = typeof StoredToken.Type

const decode = Schema.decodeUnknownEffect(StoredToken)
const encode = Schema.encodeEffect(StoredToken)

/** File of the tokens, and the function to refresh the tokens. */
export interface TokenOptions {
  readonly source: string
  readonly file: string
  readonly refresh: (refreshToken: Redacted.Redacted<string>) => Effect.Effect<FreshToken, LiveSourceError>
}

/**
 * Access token in place of a refused one. `issued`: `now` if the source issued it for this call,
 * `before` if another process had stored it, so that the source may refuse it, too.
 */
export interface RenewedToken {
  readonly access: Redacted.Redacted<string>
  readonly issued: "now" | "before"
}

/** Tokens of one source. */
export interface Tokens {
  /** Access token, valid for at least another minute. */
  readonly current: Effect.Effect<Redacted.Redacted<string>, LiveSourceError>
  /** Returns another access token than `refused`, which the source did not accept. */
  renewed(refused: Redacted.Redacted<string>): Effect.Effect<RenewedToken, LiveSourceError>
  take(fresh: FreshToken): Effect.Effect<void, LiveSourceError>
  /**
   * Time of the last refresh, in milliseconds since the epoch; null if the file was never
   * refreshed.
   */
  readonly refreshedAt: Effect.Effect<number | null, LiveSourceError>
}

const storedOf = ({ access, expiresIn, refresh }: FreshToken, former: string, now: number): StoredToken => ({
  refreshToken: refresh === undefined ? former : Redacted.value(refresh),
  accessToken: Redacted.value(access),
  accessEnds: now + expiresIn * 1000,
  refreshedAt: now
})

// in milliseconds: a request takes some seconds, and clocks differ a little
const spare = 60_000

/**
 * Number of retries for the lock, 5 seconds each: a refresh in another process is one request of at
 * most 30 seconds.
 */
const waits = 6

/**
 * Manages the tokens of a source in the file. Fails with `TokenUnusable` if the file cannot be
 * read, written or locked.
 */
export const make = ({ file, refresh, source }: TokenOptions): Effect.Effect<Tokens, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<FileSystem.FileSystem>()
    const failed = (reason: LiveSourceReason) => new LiveSourceError({ source, operation: "tokens", reason })
    const unusable = (text: string) => failed({ _tag: "TokenUnusable", text })
    const read = TextFile.read(file).pipe(
      Effect.mapError(({ reason }) =>
        reason._tag === "NotFound"
          ? failed({ _tag: "LoginEnded", text: `there is no token file ${file}` })
          : unusable(`the token file ${file} cannot be read`)
      ),
      Effect.flatMap((text) =>
        Effect.mapError(decode(text), () => unusable(`the token file ${file} is not JSON with a refreshToken`))
      ),
      Effect.provideContext(context)
    )
    const accessOf = (now: number, { accessEnds = 0, accessToken }: StoredToken) =>
      accessToken !== undefined && accessEnds > now + spare ? Redacted.make(accessToken) : undefined
    const write = (stored: StoredToken) =>
      Effect.orDie(encode(stored)).pipe(
        Effect.flatMap((text) => AtomicFile.writeText(file, text)),
        Effect.mapError(() => unusable(`the token file ${file} cannot be written`)),
        Effect.provideContext(context)
      )
    const refreshing = (refused: Redacted.Redacted<string> | null): Effect.Effect<RenewedToken, LiveSourceError> =>
      Effect.gen(function* () {
        // another process may have refreshed during the wait
        const before = yield* read
        const now = yield* Clock.currentTimeMillis
        const known = accessOf(now, before)
        if (known !== undefined && (refused === null || Redacted.value(known) !== Redacted.value(refused)))
          return { access: known, issued: "before" } as const
        // detects a token file without write access before the token rotates
        yield* write(before)
        const fresh = yield* refresh(Redacted.make(before.refreshToken))
        yield* write(storedOf(fresh, before.refreshToken, now))
        return { access: fresh.access, issued: "now" } as const
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
        return known ?? (yield* locked(refreshing(null))).access
      }),
      renewed: (refused) => locked(refreshing(refused)),
      take: Effect.fnUntraced(function* (fresh) {
        if (fresh.refresh === undefined)
          return yield* failed({ _tag: "LoginEnded", text: "the login gives no refresh token" })
        const stored = storedOf(fresh, Redacted.value(fresh.refresh), yield* Clock.currentTimeMillis)
        yield* locked(Effect.uninterruptible(write(stored)))
      }),
      refreshedAt: Effect.map(read, ({ refreshedAt = null }) => refreshedAt)
    }
  })
