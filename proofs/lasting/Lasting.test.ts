/**
 * Proves that `work` and `serve` do not grow with the number of sent documents: an hour of load
 * like a server's year.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { given } from "../Given.ts"
import { type Look, run } from "./LastingRun.ts"

const { count, extent } = given("lasting")
/**
 * Number of measurements. A sample of seconds covers only the beginning, in which caches fill, and
 * has no flat part.
 */
const looks = extent === "full" ? 60 : 4

const middle = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

const shown = ({ live, logBytes, seconds, sent }: Look) =>
  [
    `${String(seconds).padStart(5)} s ${String(sent).padStart(7)} sent`,
    ...Object.entries(live).map(
      ([name, { handles, heapBytes }]) =>
        `${name} ${(heapBytes / 2 ** 20).toFixed(1)} MiB, ${handles} handles, ${logBytes[name]} bytes logged`
    )
  ].join("   ")

describe("work and serve on one store", () => {
  it.live(`send each document once, and keep their heap, handles and log flat, in ${count} seconds of load`, () =>
    Effect.gen(function* () {
      const { codes, found, planned, requests } = yield* run(inject("command"), count, looks)
      for (const look of found) process.stdout.write(`${shown(look)}\n`)
      assert.deepStrictEqual(codes, [0, 0])
      assert.lengthOf([...requests.keys()], planned)
      assert.isTrue([...requests.values()].every((times) => times === 1))
      assert.isAtLeast(found.length, looks - 1)
      if (extent !== "full") return

      // Skips the first sixth: from minute 10 of an hour.
      const flat = found.slice(Math.floor(found.length / 6))
      const third = Math.floor(flat.length / 3)
      const [early, late] = [flat.slice(0, third), flat.slice(-third)]
      for (const name of ["work", "serve"]) {
        const of = (part: ReadonlyArray<Look>, figure: (look: Look) => number) => middle(part.map(figure))
        const heap = (look: Look) => look.live[name]!.heapBytes
        // Keeping 100 bytes per sent document would add 10 MiB.
        assert.isAtMost(of(late, heap), of(early, heap) + 2 ** 20, `${name}: live heap`)
        const handles = (look: Look) => look.live[name]!.handles
        assert.isAtMost(of(late, handles), of(early, handles) + 2, `${name}: handles`)
      }
      // A lane moves between the processes, and its log with it, so the logs are added up.
      const logged = ({ logBytes }: Look) => Object.values(logBytes).reduce((sum, bytes) => sum + bytes, 0)
      const rate = (part: ReadonlyArray<Look>) => {
        const [first, last] = [part[0]!, part.at(-1)!]
        return (1000 * (logged(last) - logged(first))) / (last.sent - first.sent)
      }
      assert.isAtMost(rate(late), 1.1 * rate(early), "bytes logged for each 1 000 documents")
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
