import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Console } from "effect"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import { run } from "./SyncTrial.ts"

// slow: each trial is a dozen runs of the command

const { seeds } = given("sync")

describe("a live source that users edit during the runs", () => {
  it.live(
    "has every issued document in the store or among the refused, each sent once, and each change reported",
    function* () {
      const happened: Array<string> = []
      const broken: Array<string> = []
      for (const seed of seeds) {
        const trial = yield* run(seed)
        happened.push(...trial.happened)
        broken.push(...trial.broken.map((text) => `seed ${seed}: ${text}`))
      }
      yield* Console.log(counted(happened))
      assert.deepStrictEqual(broken.slice(0, 20), [])
    }
  )
})
