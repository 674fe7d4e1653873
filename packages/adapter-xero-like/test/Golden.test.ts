/**
 * Golden tests: `fixtures/<case>/` contains the files of one export, `options.json` if options are
 * needed, and the expected readings. `UPDATE_FIXTURES=1 npx vitest run packages/adapter-xero-like`
 * writes the current readings; check the difference before keeping them.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Schema } from "effect"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { XeroLikeOptions } from "../src/options/XeroLikeOptions.ts"
import { inputOf, plain, read } from "./Fixture.ts"

const root = join(import.meta.dirname, "../fixtures")
const decodeOptions = Schema.decodeUnknownSync(XeroLikeOptions)

describe("golden exports", () => {
  for (const name of readdirSync(root).toSorted()) {
    it.effect(`reads ${name.replaceAll("-", " ")}`, function* () {
      const directory = join(root, name)
      const own = new Set(["expected.json", "options.json"])
      const files = readdirSync(directory)
        .filter((file) => !own.has(file))
        .toSorted()
      const optionsFile = join(directory, "options.json")
      const options = existsSync(optionsFile) ? decodeOptions(JSON.parse(readFileSync(optionsFile, "utf8"))) : {}
      const input = inputOf(Object.fromEntries(files.map((file) => [file, readFileSync(join(directory, file))])))
      const result = yield* Effect.result(read(input, options))
      const actual = JSON.stringify(
        plain(result._tag === "Success" ? result.success : { error: result.failure.message }),
        null,
        2
      )
      const expected = join(directory, "expected.json")
      if (process.env["UPDATE_FIXTURES"] === "1") writeFileSync(expected, `${actual}\n`)
      assert.strictEqual(`${actual}\n`, readFileSync(expected, "utf8"))
    })
  }
})
