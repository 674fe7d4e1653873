import { assert, describe, it } from "../../packages/core/test/It.ts"
import { shown } from "../Counts.ts"
import { given } from "../Given.ts"
import { fuzz } from "./Mutation.ts"

const { count, extent, seeds } = given("csv-damaged")

/**
 * Limit in milliseconds of CPU time: a thousand times the usual time of a file, and far below that
 * of an endless search.
 */
const slow = 2000

describe("damaged files", () => {
  it.effect("lead to readings or a question, with the position of every fault", function* () {
    const counts = { read: 0, asked: 0 }
    const troubles: Array<string> = []
    let slowest = { seed: 0, milliseconds: 0 }
    for (const seed of seeds) {
      const { milliseconds, outcome, trouble } = yield* fuzz(seed)
      counts[outcome]++
      if (milliseconds > slowest.milliseconds) slowest = { seed, milliseconds }
      if (trouble !== undefined) troubles.push(`seed ${seed}: ${trouble}`)
      // Measured again: a full garbage collection may fall into one reading, but not into the
      // second as well.
      else if (milliseconds > slow && (yield* fuzz(seed)).milliseconds > slow)
        troubles.push(`seed ${seed}: took ${Math.round(milliseconds)} ms of CPU`)
    }
    yield* shown(
      `${count} files: ${counts.read} read, ${counts.asked} asked about or refused as a whole; slowest ${Math.round(slowest.milliseconds)} ms of CPU (seed ${slowest.seed})`
    )
    assert.deepStrictEqual(troubles, [])
    if (extent !== "part") assert.isAbove(counts.read, count / 10)
  })
})
