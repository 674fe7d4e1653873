/**
 * Proves that the conformance suite detects an adapter that keeps memory; a correct adapter is the
 * calibration.
 */
import { inFolder } from "@fiscal-connector/adapter-kit/conformance"
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect, Stream } from "effect"
import { fileURLToPath } from "node:url"
import * as FlatMemory from "../../packages/adapter-kit/src/conformance/FlatMemory.ts"
import { acme } from "../../packages/adapter-kit/test/Acme.ts"

const folder = fileURLToPath(new URL("../../packages/adapter-kit/fixtures/acme", import.meta.url))
const fixtures = await Effect.runPromise(inFolder(folder, acme.options))

describe("the conformance suite", () => {
  it.live("detects an adapter that keeps the read data in memory", function* () {
    const [size, allowed] = [4 * 1024 * 1024, 4 * 1024 * 1024]
    yield* FlatMemory.check(acme, fixtures[0]!, size, allowed).check
    const kept: Array<unknown> = []
    const keeping = {
      ...acme,
      read: (...read: Parameters<typeof acme.read>) =>
        Stream.tap(acme.read(...read), (reading) => Effect.sync(() => kept.push(reading)))
    }
    assert.match(
      (yield* Effect.flip(FlatMemory.check(keeping, fixtures[0]!, size, allowed).check)).message,
      /it holds \d+ MiB more/
    )
  })
})
