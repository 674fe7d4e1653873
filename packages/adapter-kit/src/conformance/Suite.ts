/**
 * Conformance suite: every law on the fixtures, and for every known mistake a check that the
 * fixtures reveal the mistake.
 */
import type { Adapter } from "@fiscal-connector/core/adapter"
import { Effect, Exit } from "effect"
import { type AdapterCheck, fail, type Law, type NotHeld, readAll } from "./Check.ts"
import { factsOf } from "./Facts.ts"
import type { Fixture } from "./Fixture.ts"
import { laws } from "./Laws.ts"
import { type Mutant, mutants } from "./Mutants.ts"

const reported = (check: Effect.Effect<void, Adapter.AdapterError | NotHeld>) =>
  Effect.catchDefect(check, (defect) =>
    fail(
      `the adapter's own code breaks off: ${defect instanceof Error ? `${defect.name}: ${defect.message}` : "it threw"}`
    )
  )

const wordings = <Options>(adapter: Adapter.Adapter<Options>, fixtures: ReadonlyArray<Fixture<Options>>) =>
  Effect.map(
    Effect.forEach(fixtures, (fixture) => readAll(adapter, fixture, fixture.input)),
    (readings) => JSON.stringify(readings.map((each) => each.map(factsOf)))
  )

const isStatedTwice = <Options>(
  { states }: Mutant,
  adapter: Adapter.Adapter<Options>,
  fixtures: ReadonlyArray<Fixture<Options>>
) =>
  Effect.map(
    Effect.forEach(fixtures, (fixture) => readAll(adapter, fixture, fixture.input)),
    (all) =>
      states !== undefined &&
      all.some(
        (readings) => readings.filter((reading) => reading._tag === "SourceDocument" && states(reading)).length > 1
      )
  )

/**
 * Returns the first law that holds for the adapter and fails for its mutant; undefined if no law
 * fails.
 */
export const noticedBy = <Options>(
  mutant: Mutant,
  adapter: Adapter.Adapter<Options>,
  fixtures: ReadonlyArray<Fixture<Options>>,
  sound: ReadonlyArray<Law>
): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    for (const law of sound) {
      // a new mutant for each law: a mistake may depend on earlier reads
      const exit = yield* Effect.exit(Effect.suspend(() => law.hold(mutant.apply(adapter), fixtures)))
      if (Exit.isFailure(exit)) return law.name
    }
    return undefined
  })

/** Returns the laws that hold for the adapter. */
export const soundLaws = <Options>(adapter: Adapter.Adapter<Options>, fixtures: ReadonlyArray<Fixture<Options>>) =>
  Effect.filter(laws, (law) => Effect.map(Effect.exit(law.hold(adapter, fixtures)), Exit.isSuccess))

/**
 * Returns the checks of an adapter on its fixtures, to run as separate tests in any runner, or
 * together by `connector adapter check`.
 *
 * The second half checks the fixtures: each check injects a mistake and, if no law notices, names
 * the example to add.
 */
export const suite = <Options>(
  adapter: Adapter.Adapter<Options>,
  fixtures: ReadonlyArray<Fixture<Options>>
): ReadonlyArray<AdapterCheck> => {
  // the laws that hold for the unchanged adapter: computed once, by the first check that needs them
  let sound: Promise<ReadonlyArray<Law>> | undefined
  const soundOnce = Effect.promise(() => (sound ??= Effect.runPromise(soundLaws(adapter, fixtures))))
  return [
    ...laws.map((law) => ({ name: law.name, check: reported(Effect.suspend(() => law.hold(adapter, fixtures))) })),
    ...mutants.map((mutant) => ({
      name: `would detect ${mutant.name}`,
      check: Effect.gen(function* () {
        const noticed = yield* noticedBy(mutant, adapter, fixtures, yield* soundOnce)
        if (noticed !== undefined) return
        if (mutant.matters === "where-stated") {
          const [as, changed] = [yield* wordings(adapter, fixtures), yield* wordings(mutant.apply(adapter), fixtures)]
          if (as === changed && !(yield* isStatedTwice(mutant, adapter, fixtures))) return
        }
        return yield* fail(`no fixture detects ${mutant.name}: ${mutant.advice}`)
      })
    }))
  ]
}
