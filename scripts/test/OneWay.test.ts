/**
 * Proves: every host plans and sends by the session. Finds imports and calls around the session.
 */
import { assert, describe, it } from "@effect/vitest"
import { around, sources } from "../OneWay.ts"

const hosts = [
  "packages/cli/src/import/Importing.ts",
  "packages/ui/src/work/Sending.ts",
  "packages/promise/src/internal/connect.ts",
  "proofs/simulated/Programs.ts",
  "packages/adapter-kit/src/conformance/RoundTrip.ts",
  "packages/core/src/session/Connector.ts",
  "examples/embed-in-a-job.ts"
]

const planted = [
  `import * as Runner from "../../core/src/sending/Runner.ts"`,
  `import { acceptPlan } from "../../../core/src/session/Acceptance.ts"`,
  `import { planBatch } from "../session/Planning.ts"`,
  `const Runner = await import("../../core/src/sending/Runner.ts")`,
  `export { run } from "../../core/src/sending/Runner.ts"`,
  `export * from "../../core/src/session/Consent.ts"`,
  `import "../sending/HandingOver.ts"`,
  `const Runner = require("../../core/src/sending/Runner.ts")`,
  `import {\n  run\n} from "../../core/src/sending/Runner.ts"`,
  `yield* store.plan(documents)`,
  `yield* kept.plan(documents)`,
  `const { lanes, plan: place } = yield* SubmissionStore`,
  `SubmissionStore.use(({ plan }) => plan(documents))`,
  `const one = (opened) => opened.acceptImport(1, counts)`,
  `yield* opened["plan"](documents)`,
  `SubmissionStore.use((store) => store.handOver(["main"]))`,
  `yield* (yield* SubmissionStore).beginAttempt(lease, options)`
]

describe("the session", () => {
  const all = new Map(sources())

  it("is the only way to plan and to send", () => {
    assert.isAbove(all.size, 500)
    assert.deepStrictEqual(
      [...all].flatMap(([file, text]) => around(file, text)),
      []
    )
  })

  it.each(hosts)("is reported as bypassed if %s does so", (host) => {
    assert.isTrue(all.has(host))
    for (const line of planted) assert.lengthOf(around(host, `${line}\n${all.get(host)!}`), 1, line)
  })

  it("may be referenced by its types", () => {
    assert.deepStrictEqual(around(hosts[0]!, `import type * as Runner from "../../core/src/sending/Runner.ts"`), [])
  })
})
