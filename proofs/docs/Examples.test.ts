/** Runs every program under examples/ as written, and checks its output. */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { type Ended, examples, folderWith } from "../../packages/cli/test/RunningConnector.ts"
import { install } from "../../scripts/Tools.ts"
import { given } from "../Given.ts"

/**
 * Required text lines, in this order, among others. Every other program must run and print
 * something.
 */
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

/** Runs a program with a temporary folder for the files it keeps. */
const run = (file: string, folder: string, ...flags: ReadonlyArray<string>): Effect.Effect<Ended> =>
  Effect.callback((resume) => {
    const cwd = join(examples, file.includes("jest") ? "testing/jest" : ".")
    const options = { cwd, env: { ...process.env, TMPDIR: folder, NODE_OPTIONS: "" } }
    const child = spawn(process.execPath, [...flags, join(examples, file)], options)
    let [out, err] = ["", ""]
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text))
    child.on("close", (code) => resume(Effect.succeed({ code, out, err })))
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

describe("the examples", () => {
  const files = readdirSync(examples).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))

  it("listed here exist", () => assert.includeMembers(files, Object.keys(printed)))

  for (const file of files) {
    it.live(`in ${file} run and print the shown output`, function* () {
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
  }
})

/**
 * Test runners of examples/testing. A sample takes the first: jest is a project with a separate
 * installation.
 */
const runners: ReadonlyArray<readonly [name: string, file: string, flag: string, passed: RegExp]> = [
  ["Node's own runner", "testing/node-test.ts", "--test", /pass 1\n/],
  ["jest", "testing/jest/node_modules/jest/bin/jest.js", "--experimental-vm-modules", /Tests: +1 passed/]
]

describe("the example tests of a job in examples/testing", () => {
  for (const [name, file, flag, passed] of runners.slice(0, given("examples").count)) {
    it.live(`pass under ${name}`, function* () {
      if (name === "jest") install("jest")
      const { code, err, out } = yield* run(file, yield* folderWith(), flag)
      assert.deepStrictEqual([code, passed.test(out + err)], [0, true], out + err)
    })
  }
})
