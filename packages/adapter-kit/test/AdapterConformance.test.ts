import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Exit, Stream } from "effect"
import type { Adapter, Input } from "../../core/src/source/Adapter.ts"
import type { SourceDocument } from "../../core/src/source/SourceDocument.ts"
import { suite } from "../src/conformance/AdapterConformance.ts"
import { invoice } from "../../core/test/import/SampleSources.ts"

const input: Input = { files: [{ name: "numbers.txt", bytes: Stream.make(new TextEncoder().encode("INV-1\nINV-2")) }] }

/** Returns an adapter that reads one number per text line; `flaw` is its mistake. */
const adapterWith = (flaw: (document: SourceDocument, lines: number) => Partial<SourceDocument>): Adapter<object> => ({
  name: "numbers",
  read: ({ files }) =>
    Stream.flatMap(Stream.fromIterable(files), ({ bytes, name }) =>
      bytes.pipe(
        Stream.decodeText(),
        Stream.splitLines,
        Stream.filter((number) => /^INV-\d+$/.test(number)),
        Stream.map((number, order) => {
          const document = invoice(number, "2026-01-05", { order, where: () => ({ file: name, line: order + 1 }) })
          return { ...document, ...flaw(document, order) }
        })
      )
    )
})

const failed = (adapter: Adapter<object>) =>
  Effect.map(
    Effect.forEach(suite(adapter, { input, options: {} }), ({ check, name }) =>
      Effect.map(Effect.exit(check), (exit) => (Exit.isFailure(exit) ? [name] : []))
    ),
    (names) => names.flat()
  )

describe("the conformance suite for adapters", () => {
  it.effect("reports nothing for a correct adapter", function* () {
    assert.deepStrictEqual(yield* failed(adapterWith(() => ({}))), [])
  })

  it.effect("reports an adapter with different results in a second run", function* () {
    let made = 0
    const found = yield* failed(adapterWith(() => ({ reference: `${++made}` })))
    assert.deepStrictEqual(found, ["reads the same in a second run", "reads the same in any chunks of bytes"])
  })

  it.effect("reports an adapter that does not state the place of a value", function* () {
    const elsewhere = adapterWith(({ where }) => ({
      where: (path) => (path.includes("quantity") ? { file: "" } : where(path))
    }))
    assert.deepStrictEqual(yield* failed(elsewhere), ["states the place of every value"])
  })

  it.effect("reports an adapter with the same order for two documents", function* () {
    assert.deepStrictEqual(yield* failed(adapterWith(() => ({ order: 0 }))), ["numbers each document differently"])
  })

  it.effect("reports an adapter that throws instead of failing", function* () {
    const { read } = adapterWith(() => ({}))
    const brittle: Adapter<object> = {
      name: "brittle",
      read: (from, options) =>
        Stream.concat(
          read(from, options),
          Stream.suspend(() => {
            if (from.files[0]?.name !== "numbers.txt") throw new Error("not mine")
            return Stream.empty
          })
        )
    }
    assert.deepStrictEqual(yield* failed(brittle), [
      "fails with an adapter error, if it fails, on bytes that are not an export"
    ])
  })
})
