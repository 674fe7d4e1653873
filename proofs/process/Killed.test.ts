import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gateway, writeFiles } from "../../packages/promise/test/Gateway.ts"

// slow: a process is killed again and again

const sales = 30

/**
 * Runs the job; kills a job that still runs after the given milliseconds. Returns the exit code,
 * null if killed.
 */
const run = (folder: string, killedAfter: number | null) =>
  Effect.callback<number | null>((resume) => {
    const job = spawn(process.execPath, [join(import.meta.dirname, "KilledJob.ts"), folder, String(sales)], {
      stdio: "ignore"
    })
    const timer = killedAfter === null ? undefined : setTimeout(() => job.kill("SIGKILL"), killedAfter)
    job.on("exit", (code) => {
      clearTimeout(timer)
      resume(Effect.succeed(code))
    })
  })

describe("a job written from the package's README", () => {
  it.live("that is killed repeatedly sends nothing twice, and gets every available code", function* () {
    const given = yield* gateway
    const { folder, sandbox } = given
    writeFiles(given)
    const ends: Array<number | null> = []
    for (const after of [300, 700, 1000, 1300, 1600]) ends.push(yield* run(folder, after))
    assert.include(ends, null)
    assert.strictEqual(yield* run(folder, null), 0)
    const receipts = yield* sandbox.control.receipts
    const numbers = receipts.map(({ documentNumber }) => documentNumber)
    assert.strictEqual(new Set(numbers).size, numbers.length)
    // An operator must settle the request that was on its way when a process was killed; every
    // other document is done.
    const codes = new Map(
      readFileSync(join(folder, "codes.txt"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" ") as [string, string])
    )
    assert.isAtLeast(codes.size, 1)
    const known = new Map(receipts.map(({ documentNumber, qrData }) => [documentNumber, qrData.VerificationCode]))
    for (const [id, code] of codes) assert.strictEqual(known.get(`S-${id}`), code)
  })
})
