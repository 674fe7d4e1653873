import { assert, describe, it } from "@effect/vitest"
import { reasonIn, report } from "../SlowTests.ts"

const timed = (file: string, reason: string | undefined, ...millis: ReadonlyArray<number>) => ({
  file,
  reason,
  tests: millis.map((millis, n) => ({ name: `test ${n}`, millis }))
})

describe("the report of slow tests", () => {
  it("lists the ten slowest files by the sum of their tests, slowest first", () => {
    const files = Array.from({ length: 12 }, (_, n) => timed(`${n}.test.ts`, undefined, n * 100, 100))
    const lines = report(files).split("\n").slice(2, 12)
    assert.deepStrictEqual(
      lines,
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `${`${((n + 1) / 10).toFixed(1)} s`.padStart(8)}  ${n}.test.ts`)
    )
  })

  it("names each test over three seconds if its file does not state a reason", () => {
    const text = report([timed("a.test.ts", undefined, 3001, 2999), timed("b.test.ts", "starts processes", 9000)])
    assert.include(text, "a.test.ts > test 0")
    assert.notInclude(text, "test 1")
    assert.notInclude(text, "b.test.ts >")
    assert.include(text, "b.test.ts  (starts processes)")
  })

  it("reads the reason from a comment of its form, and ignores an empty reason", () => {
    assert.strictEqual(reasonIn("a\n// slow: starts a process for each case\nb"), "starts a process for each case")
    assert.isUndefined(reasonIn("// slow: \nconst a = 1"))
    assert.isUndefined(reasonIn("const text = '// slow: no comment at all'"))
  })
})
