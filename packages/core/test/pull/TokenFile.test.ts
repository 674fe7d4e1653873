import { assert, describe, it } from "@effect/vitest"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, type FileSystem, Redacted, Result } from "effect"
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as TokenFile from "../../src/pull/TokenFile.ts"
import { LiveSourceError } from "../../src/source/LiveSourceError.ts"

/** Returns a source whose refresh token is valid for one use. */
const rotating = (file: string) => {
  let good = 0
  const used: Array<string> = []
  const refresh: TokenFile.TokenOptions["refresh"] = (given) =>
    Effect.gen(function* () {
      used.push(Redacted.value(given))
      yield* Effect.sleep("20 millis")
      if (Redacted.value(given) !== `refresh-${good}`)
        return yield* new LiveSourceError({
          source: "books",
          operation: "refresh",
          reason: { _tag: "LoginEnded", text: "invalid_grant" }
        })
      good++
      return { access: Redacted.make(`access-${good}`), refresh: Redacted.make(`refresh-${good}`), expiresIn: 1800 }
    })
  return { used, tokens: TokenFile.make({ source: "books", file, refresh }) }
}

const inFolder = <A, E>(use: (file: string) => Effect.Effect<A, E, FileSystem.FileSystem>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "tokens-"))),
    (folder) => use(join(folder, "tokens.json")),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ).pipe(Effect.provide(NodeFileSystem.layer))

const write = (file: string, value: unknown) => writeFileSync(file, JSON.stringify(value), { mode: 0o600 })
const stored = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>

describe("the token file of a source", () => {
  it.live("is refreshed once for simultaneous callers, and has the new token for its owner only", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        write(file, { refreshToken: "refresh-0" })
        const { tokens, used } = rotating(file)
        // Two processes.
        const [one, other] = [yield* tokens, yield* tokens]
        const all = yield* Effect.all([one.current, other.current, one.current], { concurrency: "unbounded" })
        assert.deepStrictEqual(all.map(Redacted.value), ["access-1", "access-1", "access-1"])
        assert.deepStrictEqual(used, ["refresh-0"])
        assert.deepStrictEqual([stored(file)["refreshToken"], stored(file)["accessToken"]], ["refresh-1", "access-1"])
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      })
    )
  )

  it.live("returns another access token after a refusal, or the newer token of another process", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        write(file, { refreshToken: "refresh-0" })
        const { tokens, used } = rotating(file)
        const [one, other] = [yield* tokens, yield* tokens]
        const first = yield* one.current
        const renewed = (of: TokenFile.Tokens) =>
          Effect.map(of.renewed(first), ({ access, issued }) => [Redacted.value(access), issued])
        assert.deepStrictEqual(yield* renewed(one), ["access-2", "now"])
        assert.deepStrictEqual(yield* renewed(other), ["access-2", "before"])
        assert.deepStrictEqual(used, ["refresh-0", "refresh-1"])
      })
    )
  )

  it.live("is unchanged if the source does not accept the token", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        write(file, { refreshToken: "stolen" })
        const { tokens } = rotating(file)
        const result = yield* Effect.result((yield* tokens).current)
        assert.deepStrictEqual(Result.isFailure(result) && result.failure.reason, {
          _tag: "LoginEnded",
          text: "invalid_grant"
        })
        assert.deepStrictEqual(stored(file), { refreshToken: "stolen" })
      })
    )
  )

  it.live("stops before the token rotates if the new token could not be saved or no token exists", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const { tokens, used } = rotating(file)
        const reasonOf = Effect.map(Effect.result(Effect.flatMap(tokens, ({ current }) => current)), (result) =>
          Result.isFailure(result) ? result.failure.reason._tag : "none"
        )
        assert.strictEqual(yield* reasonOf, "LoginEnded")
        writeFileSync(file, "<html>", { mode: 0o600 })
        assert.strictEqual(yield* reasonOf, "TokenUnusable")
        // Root can write everywhere.
        if (process.getuid?.() !== 0) {
          write(file, { refreshToken: "refresh-0" })
          chmodSync(join(file, ".."), 0o500)
          assert.strictEqual(yield* reasonOf, "TokenUnusable")
          chmodSync(join(file, ".."), 0o700)
        }
        assert.deepStrictEqual(used, [])
      })
    )
  )
})
