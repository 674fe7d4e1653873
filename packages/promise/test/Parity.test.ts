/**
 * Proves that promises and Effect use the same words: both interfaces match the tables of
 * docs/embed.md.
 */
import { assert, describe, it } from "../../core/test/It.ts"
import { connect } from "@fiscal-connector/promise"
import * as Connector from "../../core/src/session/Connector.ts"
import * as ConfiguredAccount from "../../core/src/session/ConfiguredAccount.ts"
import * as Originals from "../../core/src/session/Originals.ts"
import * as Session from "../../core/src/session/Session.ts"
import * as PlainDocuments from "../../core/src/source/PlainDocuments.ts"
import * as Readings from "../../core/src/source/Readings.ts"
import * as Health from "../../core/src/submission/Health.ts"
import * as StoreMetrics from "../../core/src/attention/StoreMetrics.ts"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { book, gateway, invoice } from "./Gateway.ts"

const modules: Readonly<Record<string, object>> = {
  ConfiguredAccount,
  Connector,
  Health,
  Originals,
  PlainDocuments,
  Readings,
  Session,
  StoreMetrics
}

const page = readFileSync(join(import.meta.dirname, "../../../docs/embed.md"), "utf8")
const [, table = "", rest = ""] = /\| what one does \| promises \| Effect \|\n([^]*?)\n\n([^]*?)\n\n/.exec(page) ?? []
const [promises, effects] = [2, 3].map((cell) =>
  table
    .split("\n")
    .map((row) => row.split("|")[cell]!)
    .join("\n")
) as [string, string]

/** Returns every `Module.name` in a text, for the modules above. */
const named = (text: string) =>
  [...text.matchAll(/\b([A-Z]\w+)\.([a-z]\w*)/g)].flatMap(([name, module, member]) =>
    modules[module!] === undefined ? [] : [{ name, module: modules[module!]!, member: member! }]
  )

/** Returns the names that a caller sees of an object, in the words of the table. */
const words = (object: object): ReadonlyArray<string> =>
  Object.entries(object).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && name === "webhooks"
      ? Object.keys(value as object)
      : [name]
  )

describe("the table of promises and Effect functions", () => {
  it.live("has a row for everything that a connector and a plan can do", function* () {
    const { config, store } = yield* gateway
    yield* Effect.promise(async () => {
      await using fiscal = await connect({ account: "shop", config, book, store })
      await using plan = await fiscal.plan([invoice("S-1")])
      // Facts of a plan from which its counts and causes are calculated.
      const facts = new Set(["documents", "wouldBecomeLate", "problems", "warning"])
      for (const word of [...words(fiscal), ...words(plan).filter((word) => !facts.has(word))])
        assert.match(promises, new RegExp(`\\b${word}\\b`), word)
    })
  })

  it("names only existing members of core", () => {
    const all = named(effects + rest)
    assert.isAbove(all.length, 15)
    for (const { member, module, name } of all) assert.property(module, member, name)
  })

  it("contains every function of core's facade", () => {
    const rows = effects + rest
    for (const [module, door] of Object.entries({ Connector, Originals, Session }))
      for (const [name, value] of Object.entries(door)) {
        // Excludes a helper for map keys, and errors.
        if (typeof value !== "function" || ["nameOf", "ImportRefused", "OtherTaxpayer", "StillPending"].includes(name))
          continue
        assert.include(rows, `${module}.${name}`)
      }
  })
})
