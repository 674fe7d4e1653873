/**
 * Vitest's functions for tests of effects. A body may be a generator: most tests are one, and the
 * scope of a test ends with it.
 */
import { it as usual, type TestOptions, type Vitest } from "@effect/vitest"
import { Effect, type Scope } from "effect"

export * from "@effect/vitest"

type Body = () => Generator<Effect.Effect<unknown, unknown, Scope.Scope>, unknown, never>

interface Tester extends Vitest.Tester<Scope.Scope> {
  (name: string, body: Body, timeout?: number | TestOptions): void
}

const isGenerator = (body: object): body is Body =>
  Object.prototype.toString.call(body) === "[object GeneratorFunction]"

const generated = (tester: Vitest.Tester<Scope.Scope>): Tester =>
  Object.assign(
    (name: string, body: Body | Parameters<typeof tester>[1], timeout?: number | TestOptions) =>
      tester(name, isGenerator(body) ? Effect.fnUntraced(body) : body, timeout),
    tester
  )

const own = { effect: generated(usual.effect), live: generated(usual.live) }

export const it: typeof own & typeof usual = new Proxy(usual as typeof own & typeof usual, {
  get: (target, name) => Reflect.get(name in own ? own : target, name) as unknown
})
