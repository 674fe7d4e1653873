import { AdapterError, InputFailed, type InputFile } from "../../core/src/source/Adapter.ts"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Stream } from "effect"
import { Buffer } from "node:buffer"
import { randomBytes } from "node:crypto"
import { gzipSync } from "node:zlib"
import * as ByteSource from "../src/scan/ByteSource.ts"
import { file, read } from "./Sample.ts"

const text =
  "InvoiceNumber,InvoiceDate,Currency,Description,Quantity,UnitPrice,TaxCode\n1,2026-01-05,USD,Pen,1,2.50,S\n"

const collect = (input: InputFile) =>
  Effect.map(Stream.runCollect(input.bytes), (chunks) => Buffer.concat(chunks).toString("latin1"))

describe("the bytes of a file", () => {
  it.effect("are decompressed if they begin like a gzip file, on every read", function* () {
    const { documents } = yield* read({ files: [file(gzipSync(text), "in.csv.gz", 11)] })
    assert.strictEqual(documents[0]!.number, "1")
    assert.strictEqual(documents[0]!.where([]).file, "in.csv.gz")
  })

  it.effect("are decompressed from several concatenated archives", function* () {
    const packed = Buffer.concat([gzipSync("a"), gzipSync("b")])
    assert.strictEqual(yield* collect(ByteSource.decompressed(file(packed))), "ab")
  })

  it.effect("fail with the name of the file if the archive is cut off or damaged", function* () {
    const packed = gzipSync(randomBytes(5000))
    for (const damaged of [packed.subarray(0, 3000), Buffer.concat([packed.subarray(0, 100), packed.subarray(120)])]) {
      const error = yield* Effect.flip(collect(ByteSource.decompressed(file(damaged, "in.csv.gz", 64))))
      assert.strictEqual(error.reason._tag, "InputFailed")
      assert.include(error.message, "in.csv.gz: cannot be unpacked")
    }
  })

  it.effect("fail when their source fails, compressed or not", function* () {
    const broken = new AdapterError({ adapter: "csv", reason: new InputFailed({ file: "x", problem: "gone" }) })
    for (const start of [gzipSync(randomBytes(9000)).subarray(0, 4000), Buffer.from(text)]) {
      const bytes = Stream.concat(Stream.make<Array<Uint8Array>>(start), Stream.fail(broken))
      const error = yield* Effect.flip(collect(ByteSource.decompressed({ name: "x", bytes })))
      assert.strictEqual(error.message, "x: gone")
    }
  })
})
