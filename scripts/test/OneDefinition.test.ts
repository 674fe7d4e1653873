/**
 * Proves that all sources use one definition of "open", "needs attention" and "outcome known": no
 * other source lists the states or judges the figures of attention.
 */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { atRest, ended, moving, open, settled, states, stuck } from "../../packages/core/src/submission/Submission.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const sources = globSync(["packages/*/src/**/*.ts", "proofs/simulated/**/*.ts"], { cwd: root }).map((file) => ({
  file,
  text: readFileSync(`${root}/${file}`, "utf8")
}))

const state = `["'](?:${states.join("|")})["']`
const list = new RegExp(`${state}(?:, *\\n? *${state})+`, "g")
const defined = { atRest, ended, moving, open, settled, stuck }

/** Returns the named lists that a text repeats. */
const repeated = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(list), ([found]) => new Set(found.match(/\w+/g))).flatMap((found) =>
    Object.entries(defined).flatMap(([name, own]) =>
      own.length === found.size && own.every((one) => found.has(one)) ? [name] : []
    )
  )

describe("the states of a submission", () => {
  it("are grouped in one place: code about open, stuck or settled documents uses its lists", () => {
    const found = sources.flatMap(({ file, text }) => repeated(text).map((name) => `${file}: ${name}`))
    assert.deepStrictEqual(found.toSorted(), [
      "packages/core/src/submission/Submission.ts: moving",
      "packages/core/src/submission/Submission.ts: settled",
      "packages/core/src/submission/Submission.ts: stuck"
    ])
  })

  it("are found in SQL and in code, in any order", () => {
    assert.deepStrictEqual(repeated("where state in ('Accepted', 'Planned', 'Sending')"), ["moving"])
    assert.deepStrictEqual(repeated('new Set(["Withdrawn", "Declined", "Rejected"])'), ["ended"])
    assert.deepStrictEqual(repeated("state in ('Sending', 'Unknown')"), [])
  })
})

describe("the need for attention", () => {
  // The store calculates the figures, attention judges them, and the law of the simulator reads the
  // same tables separately. The doctor is in the room of attention, and does not judge.
  const own =
    /^(?:packages\/core\/src\/(?:attention\/(?!(?:Check|CodesInUse|Doctor|DoctorFinding|FactChecks|KnowYourGateway|KnownOfGateway|Mappings)\.ts)|store\/|submission\/)|proofs\/simulated\/)/
  // The remaining time of the gateway's answers is only shown as a figure.
  const judged = /\bhealth\.(stuck|conflicts|unanswered|acceptedUnknowns|imports|liveSources|unmatched)\b/g

  it("is judged by the attention room only: no other source reads the underlying numbers", () => {
    const found = sources
      .filter(({ file }) => !own.test(file))
      .flatMap(({ file, text }) => Array.from(text.matchAll(judged), ([figure]) => `${file}: ${figure}`))
    assert.deepStrictEqual(found, [])
  })
})
