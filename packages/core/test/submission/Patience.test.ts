import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { patience } from "../../src/attention/Doctor.ts"
import * as Patience from "../../src/submission/ledger/Patience.ts"

const source = readFileSync(join(import.meta.dirname, "../../src/submission/ledger/Patience.ts"), "utf8")

describe("the figures of patience", () => {
  it("are all listed, by name", () => {
    const names = [...source.matchAll(/^export const (\w+) = (?:time|count)\(/gm)].map(([, name]) => name)
    assert.isAbove(names.length, 20)
    assert.deepStrictEqual(names, names.toSorted())
    assert.deepStrictEqual(
      patience.map(({ name }) => name),
      [...names, ...Object.keys(Patience.worker).map((name) => `worker.${name}`)]
    )
  })

  it("each have a unit, a reason, and a mistake that an existing test notices", () => {
    for (const { mutant, name, reason, unit } of patience) {
      assert.isNotEmpty(unit, name)
      assert.isNotEmpty(reason, name)
      const [, file = ""] = /^\S+(?: \S+)?: (\S+\.test)$/.exec(mutant) ?? []
      assert.isTrue(existsSync(join(import.meta.dirname, "..", `${file}.ts`)), `${name}: ${mutant}`)
    }
  })
})
