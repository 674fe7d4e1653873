import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"
import * as Corrections from "../src/work/Corrections.ts"

const one = (line: number, column: number, from: string, to: string): Corrections.Correction => ({
  file: "a.csv",
  line,
  column,
  columnName: "Total",
  number: "A-1",
  from,
  to,
  length: from.length,
  by: "thandi",
  at: "2026-01-01T00:00:00Z"
})

/** Applies corrections to a file in chunks of `size` bytes. */
const through = (text: string | Buffer, corrections: ReadonlyArray<Corrections.Correction>, size = 3) => {
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
    bytes.subarray(i * size, (i + 1) * size)
  )
  return Effect.map(Stream.runCollect(Corrections.apply(Stream.fromIterable(pieces), corrections)), (out) =>
    Buffer.concat(out)
  )
}

describe("a corrected cell", () => {
  it.effect(
    "is replaced in its place, for any line endings and chunks of the file, and nothing else changes",
    function* () {
      for (const end of ["\n", "\r\n", "\r"])
        for (const size of [1, 2, 3, 7, 100])
          for (const last of ["", end]) {
            const lines = ["No,Buyer,Total", 'A-1,"Zoë ""Z"" & Söhne",299.48', "A-2,x,1.00"]
            const fixes = [one(2, 25, "299.48", "299.38"), one(3, 5, "x", 'y, "z"')]
            const found = (yield* through(lines.join(end) + last, fixes, size)).toString()
            const wanted = ["No,Buyer,Total", 'A-1,"Zoë ""Z"" & Söhne","299.38"', 'A-2,"y, ""z""",1.00']
            assert.strictEqual(found, wanted.join(end) + last, JSON.stringify([end, size]))
          }
    }
  )

  it.effect("in quotes is replaced together with its quotes, also in a file with an older encoding", function* () {
    const text = 'No;Käufer;Total\nA-1;"Müller ""M""";"29;48"\n'
    const fixes = [one(2, 5, 'Müller "M"', "Maier")]
    assert.strictEqual((yield* through(text, fixes)).toString(), 'No;Käufer;Total\nA-1;"Maier";"29;48"\n')
    const old = yield* through(Buffer.from(text, "latin1"), [one(2, 20, "29;48", "30")])
    assert.strictEqual(old.toString("latin1"), 'No;Käufer;Total\nA-1;"Müller ""M""";"30"\n')
  })

  it.effect("shifts the cells after it, and their places still refer to the original file", function* () {
    const text = "A-1,299.48,1.00,2.00\n"
    const lengths = new Map<string, number>()
    const measured = [one(1, 5, "299.48", "299.3, about")].map((cell) => ({ ...cell, length: 0 }))
    yield* Stream.runDrain(
      Corrections.apply(
        Stream.succeed(Buffer.from(text)),
        measured,
        ({ from }, length) => void lengths.set(from, length)
      )
    )
    const fixes = measured.map((cell) => ({ ...cell, length: lengths.get(cell.from) ?? 0 }))
    const read = (yield* through(text, fixes)).toString()
    assert.strictEqual(read, 'A-1,"299.3, about",1.00,2.00\n')
    const place = (cell: string, file = "a.csv") =>
      Corrections.placeInFile({ file, line: 1, column: read.indexOf(cell) + 1 }, fixes)
    assert.deepStrictEqual(
      [place('"299'), place("1.00"), place("2.00")],
      [5, text.indexOf("1.00") + 1, text.indexOf("2.00") + 1]
    )
    // A correction moves no cell of another file.
    assert.strictEqual(place("2.00", "b.csv"), read.indexOf("2.00") + 1)
  })

  it.effect("with other content than the corrected content stops the reading", function* () {
    const error = yield* Effect.flip(through("No,Total\nA-1,299.48\n", [one(2, 5, "299.4", "1")]))
    assert.match(error.message, /Total in line 2 is not the one that was corrected/)
  })
})
