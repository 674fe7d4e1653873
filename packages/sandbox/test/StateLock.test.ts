import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start } from "./sandboxes.ts"

const stateFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "sandbox-lock-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  ),
  (path) => join(path, "state.json")
)

/** Process that does nothing until killed. */
const idle = Effect.acquireRelease(
  Effect.sync(() => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"])),
  (child) => Effect.sync(() => child.kill("SIGKILL"))
)

const problem = (file: string) => Effect.map(Effect.flip(Effect.scoped(start({ stateFile: file }))), String)

describe("two sandboxes with one state file", () => {
  it.effect("are refused, and the second may start after the first has stopped", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const file = yield* stateFile
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* start({ stateFile: file })
            assert.match(yield* problem(file), /another sandbox of this process has it/)
          })
        )
        assert.isFalse(existsSync(`${file}.lock`))
        yield* Effect.scoped(start({ stateFile: file }))
      })
    )
  )

  it.effect("are refused while the process named in the lock lives, and not longer", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const file = yield* stateFile
        const other = yield* idle
        writeFileSync(`${file}.lock`, `${other.pid} `)
        assert.match(yield* problem(file), new RegExp(`another sandbox has it \\(process ${other.pid}\\)`))
        // Same PID, but another process.
        writeFileSync(`${file}.lock`, `${other.pid} 1`)
        if (existsSync("/proc/self/stat")) yield* Effect.scoped(start({ stateFile: file }))
        for (const stale of ["999999999 ", `${process.pid} 1`, "", "what is this"]) {
          writeFileSync(`${file}.lock`, stale)
          yield* Effect.scoped(start({ stateFile: file }))
        }
      })
    )
  )
})
