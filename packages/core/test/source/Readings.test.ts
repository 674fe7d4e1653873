/** Handling of readings that no type checker saw, and of an adapter whose own code throws. */
import { planBatch } from "../../src/session/Planning.ts"
import { assert, describe, it } from "../It.ts"
import { Cause, Effect, Exit, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Originals from "../../src/session/Originals.ts"
import type { Finding } from "../../src/finding/Finding.ts"
import type * as AdapterModule from "../../src/source/Adapter.ts"
import type { Adapter, Reading } from "../../src/source/Adapter.ts"
import { AdapterError, InputFailed } from "../../src/source/Adapter.ts"
import * as Readings from "../../src/source/Readings.ts"
import type { SourceDocument } from "../../src/source/SourceDocument.ts"
import { bookWith, creditNote, destination, invoice, memory, planned, outcomesOf } from "../import/SampleSources.ts"
import { drawing, mutated } from "./MutatedSources.ts"

const odd = (fields: object, number = "INV-2"): Reading => ({ ...invoice(number, "2026-01-11"), ...fields }) as never

const messages = (findings: ReadonlyArray<Finding>) => findings.map(({ message }) => message)

describe("an adapter that states its core version", () => {
  const made = (core?: string): Adapter<object> => ({
    name: "shop",
    ...(core !== undefined && { core }),
    read: () => Stream.succeed(invoice("INV-1", "2026-01-10"))
  })
  const read = (adapter: Adapter<object>) =>
    Effect.exit(Stream.runCollect(Readings.from(adapter, { files: [{ name: "a.json", bytes: Stream.empty }] }, {})))

  it.effect(
    "is read by the same version, and refused by another with the command that installs one version",
    function* () {
      const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"))
      for (const core of [undefined, version]) assert.isTrue(Exit.isSuccess(yield* read(made(core))))
      const refused = yield* read(made("0.0.9"))
      assert.include(Exit.isFailure(refused) ? String(Cause.squash(refused.cause)) : "", "version 0.0.9")
      assert.include(
        JSON.stringify(refused),
        `npm install @fiscal-connector/core@${version} @fiscal-connector/adapter-kit@${version}`
      )
    }
  )
})

describe("an adapter with another copy of core", () => {
  // the query gives the module a second instance, with other classes of the same names
  const copyOf = async (module: string): Promise<typeof AdapterModule> =>
    import(/* @vite-ignore */ `../../src/source/${module}?copy`)
  const failing = (error: unknown): Adapter<object> => ({
    name: "shop",
    read: () => Stream.fail(error as AdapterError)
  })
  const failureOf = (error: unknown) => Effect.flip(Stream.runDrain(Readings.from(failing(error), { files: [] }, {})))

  it.effect("keeps its reasons, which are read by their tags", function* () {
    const copy = yield* Effect.promise(() => copyOf("Adapter.ts"))
    assert.notStrictEqual<unknown>(copy.AdapterError, AdapterError)
    const question = { id: "dates", file: "a.csv", question: "Which date?", readings: [] }
    for (const reason of [
      new copy.ExportUnreadable({
        file: "a.csv",
        problem: "cut off",
        fix: "Export again",
        answers: [{ ask: "year" }]
      }),
      new copy.InputFailed({ file: "a.csv", problem: "gone" }),
      new copy.ReadingAmbiguous({ questions: [question] }),
      new copy.AdapterBroke({ file: "a.csv", document: "at INV-1", problem: "RangeError" })
    ]) {
      const failure = yield* failureOf(new copy.AdapterError({ adapter: "shop", reason }))
      assert.instanceOf(failure, AdapterError)
      assert.deepStrictEqual({ ...failure.reason }, { ...reason })
    }
  })

  it.effect("breaks off if a value has the tag and another shape", function* () {
    for (const odd of [
      {},
      { reason: { _tag: "ExportUnreadable", file: 7 } },
      { adapter: "shop", reason: { _tag: "New" } }
    ]) {
      const failure = yield* failureOf({ _tag: "AdapterError", adapter: "shop", ...odd })
      assert.strictEqual(failure.reason._tag, "AdapterBroke")
    }
  })
})

describe("an import of untyped readings", () => {
  it.effect("refuses each invalid reading with its reason, and continues with the rest", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 1, 1))
      const { entries, skipped, unattached } = yield* planned([
        invoice("INV-1", "2026-01-10"),
        odd({ taxMode: "EXCLUSIVE" }),
        odd({ kind: "Invoice" }, "INV-3"),
        odd(
          { lines: [{ description: "Thing", quantity: 1, unitPrice: 100.1, taxes: [{ code: "Standard" }] }] },
          "INV-4"
        ),
        odd({ date: "2026-02-30" }, "INV-5"),
        odd({ lines: undefined, where: undefined }, "INV-6"),
        odd({ id: undefined, number: undefined }),
        { ...creditNote("CN-1", "2026-01-12", "INV-1"), originals: [{ by: "number", value: 1 }] } as never,
        { _tag: "Skipped", key: "BILL-1", reason: 7 } as never,
        undefined as never,
        invoice("INV-7", "2026-01-13")
      ])
      assert.deepStrictEqual(outcomesOf(entries), {
        "INV-1": "2026-01-10",
        "INV-2": "READING_MALFORMED",
        "INV-3": "READING_MALFORMED",
        "INV-4": "READING_MALFORMED READING_MALFORMED",
        "INV-5": "READING_MALFORMED",
        "INV-6": "READING_MALFORMED READING_MALFORMED",
        "": "READING_MALFORMED READING_MALFORMED",
        "CN-1": "READING_MALFORMED",
        "INV-7": "2026-01-13"
      })
      assert.deepStrictEqual(
        skipped.map(({ key }) => key),
        ["BILL-1"]
      )
      assert.deepStrictEqual(messages(unattached), [
        "reason: expected text, the adapter gave a JavaScript number",
        "at: expected a place in a file (Provenance), the adapter gave nothing",
        "expected a reading, the adapter gave nothing"
      ])
    }).pipe(Effect.provide(memory))
  )

  it.effect("reports their places in the export like those of other findings", () =>
    Effect.gen(function* () {
      const { entries } = yield* planned([odd({ taxMode: "net", where: () => ({ file: "sales.js", line: 12 }) })])
      const [entry] = entries
      assert.deepInclude(entry?._tag === "Refused" ? entry.findings[0] : undefined, {
        path: ["taxMode"],
        at: { file: "sales.js", line: 12 }
      })
    }).pipe(Effect.provide(memory))
  )

  it.effect("is not interrupted by 500 randomly mutated readings: each is planned, or refused with findings", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 1, 1))
      const draw = drawing(4)
      const given = Array.from({ length: 500 }, (_, i) => {
        const source = mutated(draw) as SourceDocument
        const own = { order: i, id: `own-${i}`, number: `N-${i}` }
        return typeof source.where === "function" && source.where([]) === undefined
          ? { ...source, ...own, where: undefined as never }
          : { ...source, ...own }
      })
      const { entries } = yield* planned(given)
      assert.strictEqual(entries.length, 500)
      const refused = entries.filter((entry) => entry._tag === "Refused")
      assert.isAbove(refused.length, 400)
      for (const { findings } of refused) assert.isNotEmpty(findings)
    }).pipe(Effect.provide(memory))
  )

  it.effect("registers no original from an invalid reading", () =>
    Effect.gen(function* () {
      const report = yield* Originals.register(Stream.make(odd({ taxMode: "net" }), invoice("INV-9", "2026-01-10")), {
        account: "main",
        taxpayer: "1",
        book: bookWith()
      })
      assert.strictEqual(report.registered, 1)
      assert.deepStrictEqual(
        report.findings.map(({ finding, number }) => `${number} ${finding.code}`),
        ["INV-2 READING_MALFORMED"]
      )
    }).pipe(Effect.provide(memory))
  )
})

const secretive = () => {
  throw new RangeError("Alice Buyer owes 100")
}

const adapterOf = (read: () => Stream.Stream<Reading, AdapterError>): Adapter<undefined> => ({ name: "mine", read })

const input = { files: [{ name: "sales.js", bytes: Stream.empty }] }

const request = { account: "main", book: bookWith(), originals: new Map<string, string>(), destination }

/** Returns the end of an import of the readings. */
const endOf = (readings: Stream.Stream<Reading, AdapterError>) =>
  planBatch(readings, request).pipe(Effect.exit, Effect.provide(memory), Effect.scoped)

const assertNamed = (exit: Exit.Exit<unknown, unknown>, expected: RegExp) => {
  assert.isTrue(Exit.isFailure(exit))
  if (!Exit.isFailure(exit)) return
  const [reason] = exit.cause.reasons
  assert.strictEqual(reason?._tag, "Fail", Cause.pretty(exit.cause))
  const error = reason?._tag === "Fail" ? reason.error : undefined
  assert.instanceOf(error, AdapterError)
  assert.match(String((error as AdapterError).message), expected)
  assert.notInclude(String(error), "Alice")
  assert.notInclude(JSON.stringify(error), "Alice")
}

describe("an exception in an adapter's code", () => {
  const first = invoice("INV-1", "2026-01-10", { where: () => ({ file: "sales.js", line: 3 }) })

  const ways: { readonly [way: string]: readonly [Adapter<undefined>, RegExp] } = {
    "in read": [
      adapterOf(secretive),
      /^sales\.js: the adapter mine broke off before the first document: RangeError at .*Readings\.test\.ts:\d+:\d+\)?\. This is a mistake in the adapter/
    ],
    "in its stream": [
      adapterOf(() => Stream.concat(Stream.make(first), Stream.fromEffect(Effect.sync(secretive)))),
      /^sales\.js: the adapter mine broke off after INV-1: RangeError/
    ],
    "with a failure of its own kind": [
      adapterOf(() => Stream.concat(Stream.make(first), Stream.fail(new Error("Alice Buyer") as never))),
      /^sales\.js: the adapter mine broke off after INV-1: Error/
    ],
    "with something that is no Error": [
      adapterOf(() => Stream.fromEffect(Effect.die("Alice Buyer"))),
      /before the first document: it threw a value that is not an Error/
    ]
  }
  for (const [way, [adapter, expected]] of Object.entries(ways)) {
    it.effect(`${way} is reported with its file and its place`, () =>
      Effect.map(endOf(Readings.from(adapter, input, undefined)), (exit) => assertNamed(exit, expected))
    )
  }

  for (const [what, fields] of Object.entries({
    where: { where: secretive },
    "where, for a part only": {
      where: (path: ReadonlyArray<unknown>) => (path.length === 0 ? { file: "sales.js" } : secretive()),
      lines: []
    },
    "a place that is none": { where: () => undefined }
  })) {
    it.effect(`in ${what} is reported with the document`, () =>
      Effect.map(endOf(Stream.make(first, odd(fields))), (exit) => assertNamed(exit, /broke off at INV-2: /))
    )
  }

  it.effect("in a getter is reported with the document before", () => {
    const evil = Object.defineProperty({ ...invoice("INV-2", "2026-01-11") }, "lines", {
      get: secretive,
      enumerable: true
    })
    return Effect.map(endOf(Stream.make(first, evil)), (exit) =>
      assertNamed(exit, /^sales\.js: .*broke off after INV-1: RangeError/)
    )
  })

  it.effect("is kept unchanged if it is the adapter's own AdapterError", () => {
    const own = new AdapterError({ adapter: "mine", reason: new InputFailed({ file: "a", problem: "gone" }) })
    return Effect.map(
      endOf(
        Readings.from(
          adapterOf(() => Stream.fail(own)),
          input,
          undefined
        )
      ),
      (exit) => assert.strictEqual(Option.getOrThrow(Exit.findErrorOption(exit)), own)
    )
  })

  it.effect("is distinguished from a defect of core", function* () {
    const exit = yield* Effect.exit(
      Readings.using(first, () => {
        throw new Error("ours")
      })
    )
    assert.isTrue(Exit.hasDies(exit))
  })
})
