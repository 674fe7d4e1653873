import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Path } from "effect"
import { execFileSync } from "node:child_process"
import * as SpecialFile from "../../src/file/SpecialFile.ts"
import * as AtomicFile from "../../src/file/AtomicFile.ts"

const inFolder = <A, E>(use: (file: string) => Effect.Effect<A, E, FileSystem.FileSystem>) =>
  Effect.gen(function* () {
    const folder = yield* FileSystem.FileSystem.use((fs) => fs.makeTempDirectoryScoped())
    return yield* use((yield* Path.Path).join(folder, "book.json"))
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const beside = (file: string) =>
  Effect.gen(function* () {
    const [fs, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
    return yield* fs.readDirectory(path.dirname(file))
  }).pipe(Effect.provide(NodeServices.layer))

describe("an atomically written file", () => {
  it.effect("replaces the former file, for its owner only", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* AtomicFile.writeText(file, "earlier")
        yield* AtomicFile.writeText(file, "later")
        assert.strictEqual(yield* fs.readFileString(file), "later")
        assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
        assert.deepStrictEqual(yield* beside(file), ["book.json"])
      })
    )
  )

  it.effect("does not replace a folder, a pipe or a device", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        execFileSync("mkfifo", [`${file}.pipe`])
        yield* fs.makeDirectory(file)
        for (const [name, type] of [
          [file, "Directory"],
          [`${file}.pipe`, "FIFO"]
        ] as const) {
          const error = yield* Effect.flip(AtomicFile.writeText(name, "text"))
          assert.strictEqual(error.reason._tag, "BadResource")
          assert.strictEqual((yield* fs.stat(name)).type, type)
        }
        assert.sameMembers([...(yield* beside(file))], ["book.json", "book.json.pipe"])
      })
    )
  )

  it.effect("leaves the former file and no temporary file if the write is interrupted", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* AtomicFile.writeText(file, "earlier")
        const broken = yield* Effect.flip(
          AtomicFile.write(file, (unfinished) =>
            Effect.andThen(fs.writeFileString(unfinished, "half"), Effect.fail("no room left"))
          )
        )
        assert.strictEqual(broken, "no room left")
        assert.strictEqual(yield* fs.readFileString(file), "earlier")
        assert.deepStrictEqual(yield* beside(file), ["book.json"])
      })
    )
  )

  it.effect("has the content of the writer that finished last if two write at once, without mixing", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* AtomicFile.write(file, (unfinished) =>
          Effect.gen(function* () {
            yield* fs.writeFileString(unfinished, "the first, ")
            // Another worker begins later, and finishes earlier.
            yield* AtomicFile.writeText(file, "the second")
            assert.strictEqual(yield* fs.readFileString(file), "the second")
            yield* fs.writeFileString(unfinished, "whole", { flag: "a" })
          })
        )
        assert.strictEqual(yield* fs.readFileString(file), "the first, whole")
        assert.deepStrictEqual(yield* beside(file), ["book.json"])
      })
    )
  )
})

describe("a special file", () => {
  it.effect("is distinguished from a regular file and from a missing file", () =>
    inFolder((file) =>
      Effect.gen(function* () {
        yield* AtomicFile.writeText(file, "{}")
        assert.isFalse(yield* SpecialFile.is(file))
        assert.isFalse(yield* SpecialFile.is(`${file}.gone`))
        assert.isTrue(yield* SpecialFile.is("/dev/null"))
      })
    )
  )
})
