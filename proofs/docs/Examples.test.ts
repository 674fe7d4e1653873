/** Every program under examples/ runs as it stands there, and prints what it is there to show. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { type Ended, examples, folderWith } from "../../packages/cli/test/RunningConnector.ts"

/** Lines in this order, among others. What is not named here must run and print something. */
const printed: Readonly<Record<string, ReadonlyArray<RegExp>>> = {
  "own-adapter.ts": [
    /^\{"InvoiceId":"T-1001".*"TotalTax":2.68,"Total":19.98/,
    /^T-1002 TILL_NUMBER_UNREADABLE line 2/,
    /^T-1002 TAX_UNMAPPED line 2/
  ],
  "embed-in-a-job.ts": [
    /^S-1001 is Fiscalised, verification code [0-9A-F-]{19}$/,
    /^S-1002 refused, TAX_UNMAPPED/,
    /^The same again:$/,
    /^S-1001 is Fiscalised already$/,
    /^S-1002 refused, TAX_UNMAPPED/
  ]
}

/** What the program keeps goes into a folder that is removed. */
const run = (file: string, folder: string): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const child = spawn(process.execPath, [join(examples, file)], { env: { ...process.env, TMPDIR: folder } })
    let [out, err] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text))
    child.on("close", (code) => resume(Effect.succeed({ code, out, err })))
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

describe("the example", () => {
  const files = readdirSync(examples).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))

  it("programs named here are there", () => assert.includeMembers(files, Object.keys(printed)))

  for (const file of files) {
    it.live(`${file} runs and prints what it shows`, () =>
      Effect.gen(function* () {
        const { code, err, out } = yield* run(file, yield* folderWith())
        assert.deepStrictEqual([code, err], [0, ""])
        assert.isNotEmpty(out)
        let lines = out.split("\n")
        for (const pattern of printed[file] ?? []) {
          const at = lines.findIndex((line) => pattern.test(line))
          assert.isAtLeast(at, 0, `${pattern} in\n${lines.join("\n")}`)
          lines = lines.slice(at + 1)
        }
      })
    )
  }
})
