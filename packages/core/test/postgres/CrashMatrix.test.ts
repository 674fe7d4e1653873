import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { strike } from "../crash/CrashMatrix.ts"
import { format, sample } from "../crash/CrashPoint.ts"
import { url } from "./Database.ts"

// a sample of what `pnpm crash-matrix --engine postgres` runs in full
const chosen = sample(4, Number(process.env["CRASH_SEED"] ?? 20_260_110))

describe("a submitting process whose store is in PostgreSQL", { timeout: 180_000 }, () => {
  for (const point of chosen) {
    it.live(`loses nothing and sends nothing twice: ${format(point)}`, () =>
      Effect.map(strike(point, { server: Redacted.value(url()) }), ({ problems }) =>
        assert.deepStrictEqual(problems, [])
      )
    )
  }
})
