import {
  draft,
  type Fixture,
  inFolder,
  laws,
  mutants,
  noticedBy,
  soundLaws,
  suite
} from "@fiscal-connector/adapter-kit/conformance"
import { assert, describe, it } from "../../core/test/It.ts"
import { Effect, Exit, Stream } from "effect"
import * as RoundTrip from "../src/conformance/RoundTrip.ts"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { acme, acmeInEffect } from "./Acme.ts"

const folder = fileURLToPath(new URL("../fixtures/acme", import.meta.url))
const fixtures = await Effect.runPromise(inFolder(folder, acme.options))

describe("the example adapter", () => {
  for (const { check, name } of suite(acme, fixtures)) it.effect(name, () => check)
})

const book = readFileSync(join(folder, "book.json"), "utf8")

describe("the conformance suite", () => {
  it.live(
    "sends valid documents through the whole round trip, and reports spellings missing from the book",
    function* () {
      yield* RoundTrip.check(acme, fixtures, "book.json", book).check
      const poor = book.replace('"STD"', '"VAT"')
      const error = yield* Effect.flip(RoundTrip.check(acme, fixtures, "book.json", poor).check)
      assert.match(error.message, /^everything: S-1 is refused, TAX_UNMAPPED: .*STD/)
    }
  )

  it.effect("reports nothing for the same adapter in its Effect form", () =>
    Effect.map(soundLaws(acmeInEffect, fixtures), (sound) => assert.deepStrictEqual(sound, laws))
  )

  it.effect.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    "detects %s, or reports that no fixture covers it",
    ([, mutant]) =>
      Effect.gen(function* () {
        const noticed = yield* noticedBy(mutant, acme, fixtures, laws)
        if (mutant.matters === "always") assert.isDefined(noticed)
      })
  )

  const failing = (changed: ReadonlyArray<Fixture<{}>>) =>
    Effect.forEach(suite(acme, changed).slice(0, laws.length), ({ check, name }) =>
      Effect.map(Effect.exit(check), (exit) => {
        const reason = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
        return reason?._tag === "Fail"
          ? [`${name}: ${reason.error.message}`]
          : reason === undefined
            ? []
            : [`${name}: died`]
      })
    ).pipe(Effect.map((found) => found.flat()))

  it.effect("states which fixtures to add", function* () {
    const [everything] = fixtures
    const poor = yield* failing([everything!])
    assert.isTrue(
      poor.some((text) => text.includes("no an export of two files")),
      poor.join("\n")
    )
    const check = suite(acme, [everything!]).find(({ name }) => name === "would detect only the first file read")!.check
    assert.include(
      (yield* Effect.flip(check)).message,
      "no fixture detects only the first file read: add an export of two files"
    )
  })

  it.effect("does not accept facts that were only drafted from the adapter", function* () {
    const [everything] = fixtures
    const readings = yield* Stream.runCollect(acme.read(everything!.input, {}))
    const careless = { ...draft(readings), reviewed: true, records: readings.length }
    const problems = yield* failing([{ ...everything!, facts: careless }])
    assert.isTrue(
      problems.some((text) => text.includes('a value of the reading 1 in facts.json is ""')),
      problems.join("\n")
    )
  })

  it.effect("detects an adapter that reads a message in place of its list as an empty day", function* () {
    const forgiving = {
      ...acme,
      read: (...given: Parameters<typeof acme.read>) => Stream.catch(acme.read(...given), () => Stream.empty)
    }
    const law = laws.find(({ name }) => name.startsWith("reports anything that is not a list"))!
    const error = yield* Effect.flip(law.hold(forgiving, fixtures))
    assert.match(error.message, /null in the place of acme\.json is read as a day without documents/)
  })

  it.effect("asks for more fixtures if they have only one currency or one buyer", function* () {
    const single: typeof acme = {
      ...acme,
      read: (...given) =>
        Stream.map(acme.read(...given), (reading) =>
          reading._tag === "SourceDocument"
            ? Object.assign(Object.create(reading) as typeof reading, { currency: "USD" })
            : reading
        )
    }
    const check = suite(single, fixtures).find(({ name }) => name === "would detect the currency of another document")!
    assert.include((yield* Effect.flip(check.check)).message, "add a document in another currency")
  })

  it.effect("does not accept facts that were not reviewed or counted", function* () {
    const [everything, ...rest] = fixtures
    const facts = everything!.facts!
    const unreviewed = yield* failing([{ ...everything!, facts: { ...facts, reviewed: false } }, ...rest])
    assert.isTrue(unreviewed.some((text) => text.includes("facts.json was not reviewed")))
    const uncounted = yield* failing([{ ...everything!, facts: { ...facts, records: null } }, ...rest])
    assert.isTrue(uncounted.some((text) => text.includes("its records were not counted")))
    const { facts: _, ...unwritten } = everything!
    assert.isTrue(
      (yield* failing([unwritten, ...rest])).some((text) => text.includes("let the suite draft facts.json"))
    )
  })

  it.effect("states which value of which document differs from the reviewed facts", function* () {
    const [everything, ...rest] = fixtures
    const facts = everything!.facts!
    const readings = JSON.parse(JSON.stringify(facts.readings).replace('"9.99"', '"9.98"')) as typeof facts.readings
    const found = yield* failing([{ ...everything!, facts: { ...facts, readings } }, ...rest])
    assert.isTrue(
      found.some((text) => text.includes('S-1: lines.0.unitPrice is "9.99", the reviewed facts say "9.98"')),
      found.join("\n")
    )
  })
})
