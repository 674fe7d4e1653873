import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as OriginalsFile from "../../src/credit/OriginalsFile.ts"

describe("a file of originals", () => {
  it("has a credit note and its invoice on each line, in any usual separation", () => {
    const text = "\uFEFF# settled 2026-02-01\nCN-1=INV-1\r\nCN-2 , INV-2\n\nCN-3;INV-3\nCN-4\tINV-4\nCN-4=INV-4\n"
    const originals = Result.getOrThrow(OriginalsFile.parse(text))
    assert.deepStrictEqual(
      [...originals],
      [1, 2, 3, 4].map((n) => [`CN-${n}`, `INV-${n}`])
    )
  })

  it("reports every invalid line, and a note with two invoices", () => {
    const problems = OriginalsFile.parse("CN-1\nCN-2=INV-2=INV-3\n=INV-4\nCN-5=INV-5\nCN-5=INV-6")
    assert.deepStrictEqual(Result.isFailure(problems) && problems.failure.map(({ line }) => line), [1, 2, 3, 5])
  })
})
