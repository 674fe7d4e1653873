/**
 * Executes every action printed for a fault as printed, with one account and with two. Afterwards
 * fewer documents are open, and never more are held. A settling action removes its item; a showing
 * action changes nothing. Every other command printed for the fault is also executed: it is
 * understood, and leaves no more documents open or held.
 */
import { assert, describe, it } from "../../packages/core/test/It.ts"
import { Effect } from "effect"
import { commandsIn } from "../../packages/cli/test/PrintedCommands.ts"
import { lines } from "../../packages/cli/test/RunningConnector.ts"
import { given } from "../Given.ts"
import { make } from "../Random.ts"
import { type FaultScenario, scenarios, type Shop, shop } from "./FaultScenarios.ts"
import { type PrintedItem, type Standing, standing, take, type Taken } from "./PrintedAction.ts"

const { count, seed } = given("printed-actions")

/** Messages of the parser for a call it does not understand, and for an ambiguous call. */
const misunderstood =
  /^(Unrecognized flag|Unknown subcommand|Missing required|Missing flag|Missing argument|Invalid value|Unexpected|Too many)|There is no file|There is no store|Say which account/m

const isSame = (a: PrintedItem, b: PrintedItem): boolean =>
  a.code === b.code && a.cause === b.cause && a.account === b.account && a.lane === b.lane

/** Returns the documents that wait for an operator, with their numbers. */
const waiting = ({ run }: Shop) =>
  Effect.map(run("list", "--config", "account.json", "--json"), ({ out }) =>
    lines(out).flatMap(({ number, state }) =>
      state === "Fiscalised" || state === "Withdrawn" ? [] : [{ number: String(number), state: String(state) }]
    )
  )

/** Returns the shop after the fault. */
const struck = (scenario: FaultScenario, accounts: 1 | 2) =>
  Effect.gen(function* () {
    const made = yield* shop(scenario, accounts)
    const ended = yield* scenario.happens(made)
    return { made, ended, before: yield* standing(made) }
  })

/** Returns the problems of any command, whatever its purpose. */
const ofAny = (line: string, { last }: Taken, before: Standing, after: Standing): ReadonlyArray<string> => [
  ...(misunderstood.test(last.err + last.out) ? ["is misunderstood"] : []),
  // The doctor ends with 1 if it finds a problem.
  ...(last.code === 1 && !line.startsWith("connector doctor") ? ["is refused"] : []),
  ...(after.held > before.held ? [`leaves ${after.held} held, ${before.held} before`] : []),
  ...(after.open > before.open ? [`leaves ${after.open} open, ${before.open} before`] : [])
]

/** Executes one action in a separate shop; returns the problems. */
const executed = (scenario: FaultScenario, accounts: 1 | 2, at: number, n: number) =>
  Effect.gen(function* () {
    const { before, made } = yield* struck(scenario, accounts)
    const item = before.items[at]
    const action = item?.actions[n]
    if (item === undefined || action === undefined) return ["an item of the first time is not listed the second time"]
    yield* scenario.mend?.(made, action.line) ?? Effect.void
    const taken = yield* take(made, action.line)
    const after = yield* standing(made)
    const left = after.items.find((other) => isSame(other, item))
    const stays = left !== undefined && left.documents >= item.documents
    const mayStay =
      scenario.mayStay !== undefined && action.line.replace(" --account main", "").startsWith(scenario.mayStay)
    const problems = [
      ...ofAny(action.line, taken, before, after),
      ...(action.effect === "shows" && after.open !== before.open ? ["is to show, and changes documents"] : []),
      ...(action.effect === "settles" && stays && !mayStay ? [`leaves its item, which says: ${left.until}`] : []),
      ...(action.effect === "settles" && item.documents > 0 && before.open > 0 && after.open === before.open && !mayStay
        ? [`leaves ${after.open} open, ${before.open} before`]
        : [])
    ]
    return problems.map(
      (problem) => `${item.code} (${item.cause}): ${taken.story.join(", then ")} ${problem}\n${taken.last.err}`
    )
  }).pipe(Effect.scoped)

/** Executes a command that is printed outside the items. */
const executedBeside = (scenario: FaultScenario, accounts: 1 | 2, line: string) =>
  Effect.gen(function* () {
    const { before, made } = yield* struck(scenario, accounts)
    yield* scenario.mend?.(made, line) ?? Effect.void
    const taken = yield* take(made, line)
    // The portal does not have the id of a request that never reached the gateway.
    if (taken.story.some((one) => one.includes("REQUEST_ID"))) return []
    const problems = ofAny(line, taken, before, yield* standing(made))
    return problems.map((problem) => `${taken.story.join(", then ")} ${problem}\n${taken.last.out}${taken.last.err}`)
  }).pipe(Effect.scoped)

/**
 * Returns the commands printed by the command that met the fault and by `explain`, but not by
 * `health`.
 */
const printedBeside = (scenario: FaultScenario, accounts: 1 | 2) =>
  Effect.gen(function* () {
    const { before, ended, made } = yield* struck(scenario, accounts)
    const said = accounts === 2 ? ["--account", "main"] : []
    const documents = yield* waiting(made)
    // One document per state: the others get the same text.
    const each = [...new Map(documents.map((one) => [one.state, one.number])).values()]
    const explained = yield* Effect.forEach(each, (number) =>
      made.run("explain", number, "--config", "account.json", ...said)
    )
    const all = [ended, ...explained].flatMap(({ err, out }) => commandsIn(`${out}\n${err}`))
    const known = new Set(before.items.flatMap(({ actions }) => actions.map(({ line }) => line)))
    // Skips commands with a file or a fact that only the operator has.
    return [...new Set(all)].filter((line) => !known.has(line) && !/\b(FILE|BOOK|NAME)\b|\.refused\./.test(line))
  }).pipe(Effect.scoped)

const units = scenarios.flatMap((scenario) => ([1, 2] as const).map((accounts) => ({ scenario, accounts })))

describe("a printed action", () => {
  for (const { accounts, scenario } of make(seed).shuffled(units).slice(0, count))
    it.live(`settles the stated problem, with ${accounts} accounts: ${scenario.name}`, function* () {
      const { before } = yield* Effect.scoped(struck(scenario, accounts))
      assert.include(
        before.items.map(({ code }) => code),
        scenario.listed
      )
      const problems: Array<string> = []
      for (const [at, { actions }] of before.items.entries())
        for (const n of actions.keys()) problems.push(...(yield* executed(scenario, accounts, at, n)))
      for (const line of yield* printedBeside(scenario, accounts))
        problems.push(...(yield* executedBeside(scenario, accounts, line)))
      assert.strictEqual(problems.join("\n\n"), "")
    })
})
