/**
 * Runs the chaos with the store in PostgreSQL, which is killed and restored to an older copy under
 * its workers.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { given } from "../Given.ts"
import { chaos } from "./ChaosRun.ts"

const { count, seed } = given("chaos-postgres")

describe("three processes on one PostgreSQL", () => {
  it.live(`lose nothing, send nothing twice and strand nothing in ${count} minutes of chaos`, function* () {
    const { folder, problems } = yield* chaos({ engine: "postgres", minutes: count, seed })
    assert.deepStrictEqual(problems, [], `seed ${seed}; ${folder}`)
  })
})
