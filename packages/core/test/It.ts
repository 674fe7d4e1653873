/**
 * Vitest's functions for tests of effects. A body may be a generator: most tests are one, and the
 * scope of a test ends with it.
 */
import { it as usual, type TestOptions, type Vitest } from "@effect/vitest"
import { Effect, type Scope } from "effect"

export * from "@effect/vitest"

/** Body of a test: an effect, or a generator of effects. */
export type Body<Given extends ReadonlyArray<unknown>, R, A = unknown> = (
  ...given: Given
) => Effect.Effect<A, unknown, R> | Generator<Effect.Effect<unknown, unknown, R>, A, never>

/** Returns the body's effect. */
export const told = <Given extends ReadonlyArray<unknown>, R, A>(body: Body<Given, R, A>, ...given: Given) =>
  Effect.suspend(() => {
    const begun = body(...given)
    return Effect.isEffect(begun) ? begun : Effect.gen(() => begun)
  })

interface Tester extends Vitest.Tester<Scope.Scope> {
  (name: string, body: Body<[], Scope.Scope>, timeout?: number | TestOptions): void
}

const generated = (tester: Vitest.Tester<Scope.Scope>): Tester =>
  Object.assign(
    (name: string, body: Body<[], Scope.Scope>, timeout?: number | TestOptions) =>
      tester(name, () => told(body), timeout),
    tester
  )

const own = { effect: generated(usual.effect), live: generated(usual.live) }

export const it: typeof own & typeof usual = new Proxy(usual as typeof own & typeof usual, {
  get: (target, name) => Reflect.get(name in own ? own : target, name) as unknown
})
