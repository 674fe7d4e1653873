import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { connector, folderWith } from "./RunningConnector.ts"
import { key, leakingFiles, leaks, secret } from "./Planted.ts"

describe("the search for planted secrets", () => {
  it("finds one in whatever form it comes out, and nothing where there is none", () => {
    const forms = (text: string) => [
      `level=warn message="${text}"`,
      JSON.stringify({ attributes: [{ key: "http.header", value: { stringValue: text } }] }),
      Buffer.from(`user:${text}@host`).toString("base64"),
      Buffer.from(text).toString("hex"),
      Buffer.from(text, "utf16le"),
      `fiscal_connector_submissions{account="${text}"} 1`,
      new Error(`no: ${text}`).stack!
    ]
    for (const form of forms(key)) assert.deepStrictEqual(leaks(form), ["key"])
    for (const form of forms(secret)) assert.deepStrictEqual(leaks(form), ["secret"])
    for (const form of forms("nothing of the kind")) assert.deepStrictEqual(leaks(form), [])
  })

  it.effect("finds it in a table, and in a file of refused rows; what is the person's own may have it", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith()
      writeFileSync(join(folder, "key"), key)
      assert.deepStrictEqual(leakingFiles(folder), [])
      const file = join(folder, "x.db")
      const database = new DatabaseSync(file)
      database.exec("create table t (said text)")
      database.prepare("insert into t values (?)").run(`Authorization: ${key}`)
      database.close()
      assert.deepStrictEqual(leakingFiles(folder), [`the key is in ${file}`])
      // not to fail this test's own folder
      writeFileSync(file, "")
      writeFileSync(join(folder, "x.refused.csv"), `a,${secret}`)
      assert.lengthOf(leakingFiles(folder), 1)
      writeFileSync(join(folder, "x.refused.csv"), "")
    }).pipe(Effect.scoped)
  )

  it.live("fails a test whose command prints it, or leaves it in a store", () =>
    Effect.gen(function* () {
      const printed = yield* Effect.exit(connector([`--${key}`]))
      assert.isTrue(Exit.isFailure(printed) && /the key came out/.test(Cause.pretty(printed.cause)))
      const left = yield* Effect.exit(
        Effect.scoped(Effect.map(folderWith(), (folder) => writeFileSync(join(folder, "fiscal-connector.db"), secret)))
      )
      assert.isTrue(Exit.isFailure(left) && /the secret is in/.test(Cause.pretty(left.cause)))
    })
  )
})
