/**
 * Every action that is printed for a fault is executed as printed, with one account and with two: afterwards fewer documents are open and never more
 * held; an action that settles removes its item, and one that shows changes nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { given } from "../Given.ts"
import { make } from "../Random.ts"
import { type FaultScenario, scenarios, shop } from "./FaultScenarios.ts"
import { type PrintedItem, standing, take } from "./PrintedAction.ts"

const { count, seed } = given("printed-actions")

/** What the parser says of a call that it does not understand, and a call for which it is not clear what is meant. */
const misunderstood =
  /^(Unrecognized flag|Unknown subcommand|Missing required|Missing flag|Missing argument|Invalid value|Unexpected|Too many)|There is no file|There is no store|Say which account/m

const isSame = (a: PrintedItem, b: PrintedItem): boolean =>
  a.code === b.code && a.cause === b.cause && a.account === b.account && a.lane === b.lane

/** The shop after the fault. */
const struck = (scenario: FaultScenario, accounts: 1 | 2) =>
  Effect.gen(function* () {
    const made = yield* shop(scenario, accounts)
    const ended = yield* scenario.happens(made)
    return { made, ended, before: yield* standing(made) }
  })

/** Executes one action in a shop of its own, and returns what is wrong with it. */
const executed = (scenario: FaultScenario, accounts: 1 | 2, at: number, n: number) =>
  Effect.gen(function* () {
    const { before, made } = yield* struck(scenario, accounts)
    const item = before.items[at]
    const action = item?.actions[n]
    if (item === undefined || action === undefined) return ["an item of the first time is not listed the second time"]
    yield* scenario.mend?.(made, action.line) ?? Effect.void
    const { last, story } = yield* take(made, action.line)
    const after = yield* standing(made)
    const left = after.items.find((other) => isSame(other, item))
    const stays = left !== undefined && left.documents >= item.documents
    const mayStay = scenario.mayStay !== undefined && action.line.startsWith(scenario.mayStay)
    const problems = [
      ...(misunderstood.test(last.err + last.out) ? ["is misunderstood"] : []),
      // the doctor ends with 1 where it finds something broken
      ...(last.code === 1 && !action.line.startsWith("connector doctor") ? ["is refused"] : []),
      ...(after.held > before.held ? [`leaves ${after.held} held, ${before.held} before`] : []),
      ...(action.effect === "shows" && after.open !== before.open ? ["is to show, and changes documents"] : []),
      ...(action.effect === "settles" && stays && !mayStay ? [`leaves its item, which says: ${left.until}`] : []),
      ...(action.effect === "settles" && item.documents > 0 && before.open > 0 && after.open >= before.open && !mayStay
        ? [`leaves ${after.open} open, ${before.open} before`]
        : [])
    ]
    return problems.map((problem) => `${item.code} (${item.cause}): ${story.join(", then ")} ${problem}\n${last.err}`)
  }).pipe(Effect.scoped)

const units = scenarios.flatMap((scenario) => ([1, 2] as const).map((accounts) => ({ scenario, accounts })))

describe("an action that is printed", () => {
  for (const { accounts, scenario } of make(seed).shuffled(units).slice(0, count))
    it.live(`settles what it says it settles, with ${accounts} accounts: ${scenario.name}`, () =>
      Effect.gen(function* () {
        const { before } = yield* Effect.scoped(struck(scenario, accounts))
        assert.include(
          before.items.map(({ code }) => code),
          scenario.listed
        )
        const problems: Array<string> = []
        for (const [at, { actions }] of before.items.entries())
          for (const n of actions.keys()) problems.push(...(yield* executed(scenario, accounts, at, n)))
        assert.strictEqual(problems.join("\n\n"), "")
      })
    )
})
