import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { launch, type OwnServer } from "../../packages/core/test/postgres/OwnServer.ts"
import { given } from "../Given.ts"
import { strike } from "./CrashMatrix.ts"
import { format, points, sample } from "./CrashPoint.ts"

const { count, seed } = given("crash-matrix-postgres")
const chosen = count >= points.length ? points : sample(count, seed)

describe("a submitting process with a PostgreSQL store", () => {
  let server: OwnServer
  beforeAll(async () => {
    // The subject is a killed process, not a power cut.
    server = await launch("max_connections=100", "fsync=off")
  })
  afterAll(() => server.close())

  for (const point of chosen) {
    it.live(`loses nothing and sends nothing twice: ${format(point)}`, () =>
      Effect.map(strike(point, { server: server.url }), ({ problems }) => assert.deepStrictEqual(problems, []))
    )
  }
})
