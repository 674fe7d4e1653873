/**
 * Runs three processes on one store under every kind of failure, then without failures, and checks
 * the laws. Logs, exports and store are kept.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { given } from "../Given.ts"
import { chaos } from "./ChaosRun.ts"

const { count, seed } = given("chaos")

describe("three processes on one store", () => {
  it.live(`lose nothing, send nothing twice and strand nothing in ${count} minutes of chaos`, function* () {
    const { folder, problems } = yield* chaos({ engine: "sqlite", minutes: count, seed })
    assert.deepStrictEqual(problems, [], `seed ${seed}; ${folder}`)
  })
})
