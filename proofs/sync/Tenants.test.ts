import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Console } from "effect"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import { run } from "./Tenants.ts"

// slow: runs of processes are the unit

const { count, seed } = given("sync-tenants")

describe("three companies that are read live by processes that are killed, from a source that fails", () => {
  it.live(
    `have every issued document in the store or among the refused after ${count} runs, each sent once`,
    function* () {
      const { broken, happened } = yield* run(seed, count)
      yield* Console.log(counted(happened))
      assert.deepStrictEqual(broken.slice(0, 20), [])
    }
  )
})
