/**
 * Checks docs/schemas/config.schema.json in a third-party validator. `UPDATE_DOCS=1` writes the
 * file again.
 */
import { kinds as rows } from "../src/format/Formats.ts"
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ofConfiguration } from "../../../scripts/pages/JsonSchemas.ts"

const file = join(import.meta.dirname, "../../../docs/schemas/config.schema.json")
const kinds = await Promise.all(rows.map(async ({ live, name }) => ({ name, settings: (await live()).kind.settings })))
const schema = ofConfiguration(kinds)
const text = `${JSON.stringify(schema, null, 2)}\n`

const validate = new Ajv2020({ allErrors: true }).compile(schema)
const account = { baseUrl: "https://gateway.example/api", application: "app", station: "till-1", keyFile: "main.key" }
const isValid = (fields: object) => validate({ accounts: { main: { ...account, ...fields } } })

/** Returns the names of all properties, at any depth. */
const settingsOf = (schema: unknown): ReadonlyArray<string> => {
  if (typeof schema !== "object" || schema === null) return []
  const properties = "properties" in schema && typeof schema.properties === "object" ? (schema.properties ?? {}) : {}
  return [...Object.keys(properties), ...Object.values(schema).flatMap(settingsOf)]
}

describe("the JSON Schema of the configuration", () => {
  it("is identical to the file in docs/schemas", () => {
    if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, text)
    assert.strictEqual(readFileSync(file, "utf8"), text, "out of date: UPDATE_DOCS=1 writes it again")
  })

  it("has no setting that docs/configuration.md or, for a switch, docs/assumptions.md does not explain", () => {
    const explained = ["configuration", "assumptions"].map((page) =>
      readFileSync(join(import.meta.dirname, `../../../docs/${page}.md`), "utf8")
    )
    const text = explained.join("\n")
    for (const name of settingsOf(schema)) assert.match(text, new RegExp(`["\`.]${RegExp.escape(name)}["\`]`), name)
  })

  it("accepts every setting of docs/configuration.md", () => {
    assert.isTrue(
      isValid({
        version: "1",
        secretFile: "main.secret",
        formerSecretFiles: ["old.secret"],
        timeouts: { write: "60 seconds", read: "30 seconds", download: "2 minutes" },
        retries: {
          times: 4,
          base: "500 millis",
          longest: "15 seconds",
          longestRetryAfter: "1 minute",
          within: "3 minutes"
        },
        paths: { zReportPdf: "/pdf/z/{day}" },
        assumptions: { "ORD-1": "outcome", "ZREP-1": 0, "STAT-7": 6 },
        unknown: "hold",
        credentials: "exclusive",
        pace: "200 millis"
      }),
      JSON.stringify(validate.errors)
    )
    assert.isTrue(validate({ $schema: "./config.schema.json", store: "x.db", accounts: { main: {} } }))
  })

  for (const [title, fields] of Object.entries({
    "a setting that does not exist": { stattion: "x" },
    "a secret in the file": { apiKey: "k" },
    "a switch that does not exist": { assumptions: { "NONE-1": "x" } },
    "a value that a switch does not have": { assumptions: { "ORD-1": "later" } },
    "a number where a duration belongs": { timeouts: { write: 60 } },
    "a policy that does not exist": { unknown: "resend" }
  })) {
    it(`refuses ${title}`, () => assert.isFalse(isValid(fields)))
  }

  it("refuses a file without accounts", () => assert.isFalse(validate({ store: "x.db" })))
})
