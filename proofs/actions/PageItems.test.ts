/**
 * Everything that needs an operator is one card of the page with an action. The health of a store
 * is drawn from a seed and shown; and faults of a shop are ended by the page alone, action by
 * action, as an operator does who looks in the gateway's portal.
 */
import { DateTime, Effect } from "effect"
import { assert, it } from "../../packages/core/test/It.ts"
import * as Attention from "../../packages/core/src/attention/Attention.ts"
import { texts } from "../../packages/core/src/attention/AttentionCode.ts"
import { key, secret } from "../../packages/cli/test/RunningConnector.ts"
import { decisionOf } from "../../packages/core/src/attention/ItemView.ts"
import { healthPage } from "../../packages/ui/src/page/HealthPage.ts"
import { start, Visitor } from "../../packages/ui/test/PageProcess.ts"
import { given } from "../Given.ts"
import { make } from "../Random.ts"
import { drawn } from "./DrawnHealth.ts"
import { scenarios, shop } from "./FaultScenarios.ts"
import { cardsIn, changed, type Control, execute, quiet, seen } from "./PageOperator.ts"

const { seeds } = given("page-items")

const frame = {
  prefix: "/s",
  token: "t",
  place: "configured",
  revision: () => 0,
  around: { accounts: [], open: 0 }
} as const

/** Returns the codes of an item: the page shows them behind its words. */
const codesOf = ({ cause, code }: Attention.AttentionItem) =>
  [code, cause ?? ""].filter((one) => /^[A-Z][A-Z_]+\d*$/.test(one))

const isDoctor = ({ path }: Control) => path.startsWith("/health?examine=")
const countOf = <A>(all: ReadonlyArray<A>, is: (one: A) => boolean) => all.filter(is).length

/** Returns what is wrong with the cards of a store. */
const problemsOf = (seed: number, seen: Set<string>): ReadonlyArray<string> => {
  const health = drawn(make(seed))
  const concerns = Attention.of(health)
  const accounts = [...new Set(health.lanes.flatMap((lane) => lane.accounts))]
  const found = { health, items: concerns, figures: new Map() }
  const body = healthPage(frame, found, accounts, DateTime.zoneMakeOffset(0), "1").toString()
  const cards = cardsIn(body, frame.prefix)
  if (cards.map(({ code }) => code).join() !== concerns.map(({ code }) => code).join())
    return [`seed ${seed}: the cards are ${cards.map(({ code }) => code).join()}`]
  return concerns.flatMap((item, n) => {
    const { controls, text } = cards[n]!
    seen.add(item.code)
    const [first] = controls
    // the explanation of a code is behind its name
    const shown = item.actions.filter(({ document, step }) =>
      document === null ? step.do !== "why" : step.do === "explain"
    )
    // the decisions about a cause are one link, and its page lists the documents
    const [decides, ...more] = shown.filter(({ step }) => decisionOf(step) !== null)
    const own = shown.filter((one) => !more.includes(one) && (decides === undefined || one.step.do !== "list"))
    const problems = [
      ...(text.startsWith(item.words) ? [] : [`says ${text}`]),
      // the gateway's own words may have a code
      ...(item.code !== "ANSWER_UNPROVEN" && codesOf(item).some((code) => text.includes(code))
        ? [`names a code: ${text}`]
        : []),
      ...(first === undefined ? ["has no action"] : []),
      ...(first?.path.includes("decision=Withdrawn") === true ? ["begins with never sending"] : []),
      ...(countOf(own, ({ step }) => step.do === "doctor") > 0 && !controls.some(isDoctor) ? ["has no doctor"] : []),
      ...(countOf(controls, (one) => !isDoctor(one)) < countOf(own, ({ step }) => step.do !== "doctor")
        ? [`lacks an action`]
        : [])
    ]
    return problems.map((problem) => {
      const steps = item.actions.map(({ account, step }) => `${JSON.stringify(step)} of ${account ?? "any"}`)
      return `seed ${seed}: ${item.code} ${item.cause} ${problem}: ${steps.join("; ")}`
    })
  })
}

it(`each open thing of ${seeds.length} drawn stores is one card with its actions, and never sending is not first`, () => {
  const seen = new Set<string>()
  const problems = seeds.flatMap((seed) => problemsOf(seed, seen))
  process.stdout.write(`${seeds.length} stores, ${seen.size} of ${Object.keys(texts).length} codes\n`)
  assert.strictEqual([...new Set(problems)].slice(0, 20).join("\n"), "")
})

const env = { FISCAL_CONNECTOR_MAIN_API_KEY: key, FISCAL_CONNECTOR_MAIN_API_SECRET: secret }
const longest = 6

/** Ends the fault of a shop by the page, one action of a card after the other. */
const walked = (seed: number) =>
  Effect.gen(function* () {
    const random = make(seed)
    const scenario = random.pick(scenarios)
    const accounts = random.pick([1, 2] as const)
    const made = yield* shop(scenario, accounts)
    yield* scenario.happens(made)
    const page = yield* start(["--config", "account.json"], env, made.cwd)
    const visitor = yield* Effect.promise(() => Visitor.open(page))
    const story: Array<string> = []
    const problems: Array<string> = []
    for (let step = 0; step < longest; step++) {
      const before = yield* seen(made)
      const { body } = yield* Effect.promise(() => visitor.get("/health"))
      const cards = cardsIn(body, page.prefix)
      if (cards.map(({ code }) => code).join() !== before.items.map(({ code }) => code).join())
        problems.push(`the cards are ${cards.map(({ code }) => code).join()}`)
      if (cards.length === 0) break
      const at = random.between(0, cards.length - 1)
      const item = before.items[at]!
      const action = random.pick(cards[at]!.controls)
      // the store would be replaced under the page
      if (item.cause === "store-older" && action.path === "/resume") continue
      yield* scenario.mend?.(made, action.path) ?? Effect.void
      let done = yield* execute(made, visitor, action, random)
      if (done === null) continue
      const left = (now: typeof before) =>
        now.items.find(
          (one) =>
            one.code === item.code && one.cause === item.cause && one.account === item.account && one.lane === item.lane
        )
      const isBetter = (now: typeof before) => now.open < before.open || (left(now)?.documents ?? -1) < item.documents
      if (/accepted from|until \S+/.test(done.note) && done.note.includes("Nothing was changed")) {
        made.age(quiet)
        done = (yield* execute(made, visitor, action, random)) ?? done
      }
      const isLook = done.did.startsWith("look") || done.did === "nothing"
      const after = yield* isLook ? seen(made) : changed(made, isBetter)
      story.push(`${item.code} ${item.cause}: ${done.did}${done.note === "" ? "" : ` (${done.note})`}`)
      problems.push(...done.problems, ...after.doubled.map((number) => `${number} has a second receipt`))
      if (after.open > before.open) problems.push(`${after.open} are open, ${before.open} before`)
      const isAwaited =
        /accepted from/.test(done.note) || scenario.mayStay !== undefined || /automatically/.test(item.until)
      if (!isLook && !isBetter(after) && !isAwaited) problems.push(`nothing is settled: ${left(after)?.text}`)
      if (problems.length > 0) break
    }
    return problems.map((problem) => `seed ${seed}, ${scenario.name}, ${accounts}: ${story.join("; ")}: ${problem}`)
  }).pipe(Effect.scoped)

const walks = Math.ceil(seeds.length / 200)

it.live(`every action of a card settles its fault or says what is awaited, in ${walks} shops`, function* () {
  const problems = yield* Effect.forEach(seeds.slice(0, walks), walked, { concurrency: 4 })
  assert.strictEqual(problems.flat().join("\n"), "")
})
