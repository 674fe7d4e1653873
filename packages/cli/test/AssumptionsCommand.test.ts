import { assumptions } from "../../core/src/gateway/assumption/Assumptions.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect } from "effect"
import { envelope } from "./Envelope.ts"
import { connector } from "./RunningConnector.ts"

describe("connector assumptions", () => {
  it.effect("prints every assumption of the register, as text and as JSON", function* () {
    const people = yield* connector(["assumptions"])
    const program = yield* connector(["assumptions", "--json"])
    const ids = (envelope(program.out).data["assumptions"] as ReadonlyArray<{ readonly id: string }>).map(
      ({ id }) => id
    )
    assert.deepStrictEqual(ids, Object.keys(assumptions))
    for (const id of ids) assert.match(people.out, new RegExp(`^${id}  `, "m"))
  })

  it.effect(
    "prints one assumption, or all of a kind, each with its switch, default and sign of being wrong",
    function* () {
      const one = yield* connector(["assumptions", "DOC-10"])
      assert.strictEqual(
        one.out,
        `DOC-10  done by published connectors, unknown
  ${assumptions["DOC-10"].takes}
  switch      "assumptions": { "DOC-10": … }, unknown unless it says deduplicates
  wrong if    ${assumptions["DOC-10"].wrongIf}\n`
      )
      const kind = yield* connector(["assumptions", "HOOK", "--json"])
      assert.strictEqual((envelope(kind.out).data["assumptions"] as ReadonlyArray<unknown>).length, 7)
      const setting = yield* connector(["assumptions", "AUTH-4"])
      assert.include(setting.out, "station, version in the account's configuration")
    }
  )

  it.effect("accepts ids and prefixes of ids in any letter case", function* () {
    assert.deepStrictEqual(yield* connector(["assumptions", "doc-10"]), yield* connector(["assumptions", "DOC-10"]))
    assert.deepStrictEqual(yield* connector(["assumptions", "Hook"]), yield* connector(["assumptions", "HOOK"]))
  })

  it.effect("reports an unknown id", () =>
    Effect.map(connector(["assumptions", "DOC-1", "NOPE-1"]), ({ code, err, out }) => {
      assert.deepStrictEqual([code, out], [1, ""])
      assert.include(err, "There is no assumption NOPE-1")
    })
  )
})
