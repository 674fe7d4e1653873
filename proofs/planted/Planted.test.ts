/**
 * Plants mistakes in every adapter: the conformance suite notices each, and no careless way of
 * writing facts hides one.
 */
import { draft, type FixtureFacts, type Fixture, laws } from "@fiscal-connector/adapter-kit/conformance"
import type { Reading } from "../../packages/core/src/source/Adapter.ts"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Exit, Stream } from "effect"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"
import { type Subject, subjects } from "./PlantedAdapters.ts"
import { type Mistake, planted } from "./PlantedMistake.ts"

const { count, seed } = given("planted")

type Json = FixtureFacts["readings"][number]

const readWith = ({ adapter }: Pick<Subject, "adapter">, { input, options }: Fixture<never>) =>
  Effect.orDie(Stream.runCollect(Stream.suspend(() => adapter.read(input, options))))

/** Returns the drafted facts; the open ones get the values of an independent witness. */
const typedIn = (drafted: Json, known: Json | undefined): Json => {
  if (drafted === "") return known ?? "not in the export"
  if (drafted === null || typeof drafted !== "object") return drafted
  const own = (known ?? {}) as { readonly [key: string]: Json }
  const parts = Object.entries(drafted as object).map(
    ([key, part]: [string, Json]) => [key, typedIn(part, own[key])] as const
  )
  return Array.isArray(drafted) ? parts.map(([, part]) => part) : Object.fromEntries(parts)
}

const noticed = (subject: Subject, mistake: Mistake, fixtures: ReadonlyArray<Fixture<never>>) =>
  Effect.gen(function* () {
    const adapter = mistake.apply(subject.adapter)
    for (const law of laws) {
      const sound = yield* Effect.exit(law.hold(subject.adapter, fixtures))
      if (Exit.isSuccess(sound) && Exit.isFailure(yield* Effect.exit(law.hold(adapter, fixtures)))) return true
    }
    return false
  })

/** The law that compares the readings with the reviewed facts. */
const ofFacts = laws.find(({ name }) => name === "gives the reviewed facts")

/**
 * Returns true if the law holds for the adapter with the mistake, with facts drafted from the
 * faulty adapter.
 */
const passes = (subject: Subject, mistake: Mistake, fixtures: ReadonlyArray<Fixture<never>>) =>
  Effect.map(Effect.exit(ofFacts!.hold(mistake.apply(subject.adapter), fixtures)), Exit.isSuccess)

const numberIn = (facts: Json): Json | undefined => (facts as { readonly number?: Json } | null)?.number

/** Returns the document with the number, as the author finds it in the export. */
const inExport = ({ facts }: Fixture<never>, drafted: Json): Json | undefined =>
  facts?.readings.find((known) => numberIn(known) !== undefined && numberIn(known) === numberIn(drafted))

const withFacts = (
  fixtures: ReadonlyArray<Fixture<never>>,
  readings: ReadonlyArray<ReadonlyArray<Reading>>,
  facts: (drafted: Json, known: Json | undefined) => Json
): ReadonlyArray<Fixture<never>> =>
  fixtures.map((fixture, i) => ({
    ...fixture,
    facts: {
      reviewed: true,
      records: readings[i]!.length,
      readings: draft(readings[i]!).readings.map((reading) => facts(reading, inExport(fixture, reading)))
    }
  }))

describe("a mistake in an adapter", () => {
  it.live.each(subjects.map((subject) => [subject.name, subject] as const))(
    "%s: is detected by reviewed facts, and facts drafted from it hide nothing",
    ([, subject]) =>
      Effect.gen(function* () {
        const fixtures = yield* subject.fixtures
        const sound = (yield* Effect.forEach(fixtures, (fixture) => readWith(subject, fixture))).flat()
        const [missed, outcomes]: [Array<string>, Array<string>] = [[], []]
        for (let nth = 0; nth < count; nth++) {
          const mistake = planted(sound, Random.make(seed + nth * 7919))
          const mistaken = { adapter: mistake.apply(subject.adapter) }
          const readings = yield* Effect.forEach(fixtures, (fixture) => readWith(mistaken, fixture))
          if (!(yield* noticed(subject, mistake, fixtures)))
            missed.push(`${mistake.what}: not noticed by reviewed facts`)
          if (
            yield* passes(
              subject,
              mistake,
              withFacts(fixtures, readings, (drafted) => drafted)
            )
          )
            missed.push(`${mistake.what}: passes by facts that were drafted from it`)
          const hidden = yield* passes(subject, mistake, withFacts(fixtures, readings, typedIn))
          outcomes.push(
            `${mistake.of}: ${hidden ? "hidden" : "noticed"} where drafted facts were completed from the export`
          )
          if (hidden)
            missed.push(`${mistake.what}: hidden by facts that were drafted from it and completed from the export`)
        }
        yield* Console.log(`${subject.name}\n${counted(outcomes)}`)
        assert.deepStrictEqual(missed, [])
      })
  )
})
