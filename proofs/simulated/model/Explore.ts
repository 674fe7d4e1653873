/**
 * Explores every reachable world of the protocol, nearest first, until a wanted world is found or
 * nothing new is left.
 */
import { beginning, type Bound, isBroken, type Guard, type Step, steps, type World } from "./Protocol.ts"

export type Exploration =
  | { readonly _tag: "NeverReached"; readonly states: number; readonly steps: number }
  /** Result with the shortest path. `way`: its steps. */
  | { readonly _tag: "Reached"; readonly states: number; readonly way: ReadonlyArray<string> }

export interface ExploreOptions {
  /** Guards to remove. Default none. */
  readonly without?: ReadonlyArray<Guard>
  /** Condition for the wanted world. Default: the law is violated. */
  readonly until?: (world: World) => boolean
}

interface Reached {
  readonly world: World
  readonly from: number
  readonly text: string
}

const texts = new WeakMap<object, string>()

/** Returns the text of a part, cached: most of a world is the same object as before the step. */
const textOf = (part: object | null): string => {
  if (part === null) return "null"
  const known = texts.get(part)
  if (known !== undefined) return known
  const text = JSON.stringify(part)
  texts.set(part, text)
  return text
}

/** Returns a key that ignores the order of clients: only their names differ. */
const keyOf = (
  { acceptances, clients, copy, overlooked, requests, returns, store, witnesses }: World,
  { witness }: Bound
): string => {
  const isShared = witness === "shared"
  const own = clients.map((client, at) => textOf(client) + (isShared ? "" : textOf(witnesses[at] ?? null)))
  const shared = isShared ? textOf(witnesses) : ""
  return `${own.toSorted().join()} ${shared} ${textOf(store)} ${textOf(copy)} ${textOf(requests)} ${returns} ${acceptances} ${overlooked.join()}`
}

const wayTo = (reached: ReadonlyArray<Reached>, at: number): ReadonlyArray<string> => {
  const way: Array<string> = []
  for (let i = at; i > 0; i = reached[i]!.from) way.unshift(reached[i]!.text)
  return way
}

/** Explores all worlds within the bound. */
export const explore = (bound: Bound, { until = isBroken, without = [] }: ExploreOptions = {}): Exploration => {
  const has = (guard: Guard) => !without.includes(guard)
  const first = beginning(bound)
  const reached: Array<Reached> = [{ world: first, from: -1, text: "" }]
  const known = new Set([keyOf(first, bound)])
  let taken = 0
  for (let at = 0; at < reached.length; at++) {
    for (const { after, text } of steps(reached[at]!.world, bound, has) as Iterable<Step>) {
      taken++
      const key = keyOf(after, bound)
      if (known.has(key)) continue
      known.add(key)
      reached.push({ world: after, from: at, text })
      if (until(after)) return { _tag: "Reached", states: reached.length, way: wayTo(reached, reached.length - 1) }
    }
  }
  return { _tag: "NeverReached", states: reached.length, steps: taken }
}
