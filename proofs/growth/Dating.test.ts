/**
 * Compares the CPU time for dating many documents with that for fewer in the same run: the time
 * must not grow with the square of the number.
 */
import { assert, describe, it } from "@effect/vitest"
import { assign } from "../../packages/core/src/dating/ReceiptDates.ts"
import { context, document, instant } from "../../packages/core/test/dating/Datables.ts"

const now = instant("2026-12-31T12:00:00+02:00")

type Documents = ReadonlyArray<ReturnType<typeof document>>

const settled = (documents: Documents, zoneName: string): { readonly dated: number; readonly cpu: number } => {
  const began = process.cpuUsage()
  const datings = assign(documents, { ...context({ zone: zoneName }), now })
  const cpu = process.cpuUsage(began).user
  assert.strictEqual(datings.length, documents.length)
  return { dated: datings.filter(({ _tag }) => _tag === "Dated").length, cpu }
}

const numbered = (count: number, date: string, original: string | null = null) =>
  Array.from({ length: count }, (_, i) => document(`INV-${(i * 7919) % count}`, date, original))

/**
 * Ten times the documents take about ten times the CPU time, and a hundred times if the time grows
 * with the square.
 */
const grows = (make: (count: number) => Documents, count: number, zoneName = "+02:00"): void => {
  const documents = make(count)
  const { cpu, dated } = settled(documents, zoneName)
  assert.strictEqual(dated, documents.length)
  // Maximum of three: the first run compiles, and a garbage collection falls into some of the runs.
  const tenth = Math.max(...[1, 2, 3].map(() => settled(make(count / 10), zoneName).cpu))
  assert.isBelow(cpu / tenth, 40)
}

describe("the dating of many documents", () => {
  it("takes linear time for 50 000 documents on one day", () => grows((count) => numbered(count, "2026-06-01"), 50_000))

  it("takes linear time for 50 000 documents in one second, also in a named zone", () =>
    grows((count) => numbered(count, "2026-06-01T00:00:00+02:00"), 50_000, "Europe/Berlin"))

  it("takes linear time for 40 000 credit notes of one invoice", () =>
    grows(
      (count) => [
        document("ORIGINAL", "2026-06-01T10:00:00+02:00"),
        ...numbered(count, "2026-06-01", "ORIGINAL").slice(0, 0.8 * count)
      ],
      50_000
    ))
})
