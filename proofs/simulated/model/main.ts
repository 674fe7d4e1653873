/**
 * Explores the protocol with all guards and without each, and prints the numbers of states. Run
 * `pnpm exec node proofs/simulated/model/main.ts [--large]`.
 */
import { parseArgs } from "node:util"
import { type Exploration, explore } from "./Explore.ts"
import { type Bound, type Guard, guards } from "./Protocol.ts"

/** About five seconds with everything that `main` does; a test explores this bound. */
export const small: Bound = { documents: 1, attempts: 2, returns: 1, witness: "shared", lane: "used before" }

/**
 * Copy without the lane, recognized in another lane. Each machine has a witness file, so a client
 * without attempts knows nothing of this lane.
 */
export const newLane: Bound = { ...small, witness: "one each", lane: "first used after the copy" }

/** One request is overlooked in the portal, refused when repeated, and corrected. */
export const overlooking: Bound = { ...small, attempts: 3, returns: 0, oversights: 1 }

/** Minutes, and up to 3 GB. */
const large: ReadonlyArray<Bound> = [
  { ...small, documents: 2 },
  { ...small, returns: 2 },
  { ...small, attempts: 3 }
]

/** Returns the bound in which the absence of a guard shows. */
export const boundOf = (guard: Guard): Bound => {
  if (guard === "one-row") return newLane
  if (guard === "word-answered") return overlooking
  return guard === "acceptance" ? { ...small, returns: 2 } : small
}

/** Violations that no guard prevents. Explored as well, so that the list remains true. */
export const limits: ReadonlyArray<{ readonly bound: Bound; readonly because: string }> = [
  {
    bound: { ...small, witness: "one each" },
    because:
      "each machine has a witness file of its own. A machine that has begun nothing since the copy was made cannot know what others have begun"
  }
]

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const boundsText = ({ attempts, documents, lane, returns }: Bound): string =>
  `documents: ${documents}, attempts: ${attempts}, the store goes back at most: ${returns}, the lane was ${lane}`

const tell = (result: Exploration): void => {
  if (result._tag === "NeverReached")
    return say(`  No document has two receipts in ${result.states} states (${result.steps} steps).`)
  say(`  A document has two receipts; found after ${result.states} states:`)
  for (const [at, text] of result.way.entries()) say(`    ${at + 1}. ${text}`)
}

/** Runs all explorations; returns the number of unexpected results. */
const exploreAll = (isLarge: boolean): number => {
  let missed = 0
  const expect = (result: Exploration, wanted: Exploration["_tag"]): void => {
    tell(result)
    if (result._tag !== wanted) missed++
  }
  for (const bound of isLarge ? [small, newLane, overlooking, ...large] : [small, newLane, overlooking]) {
    say(`With every guard (${boundsText(bound)}):`)
    expect(explore(bound), "NeverReached")
  }
  for (const guard of Object.keys(guards) as ReadonlyArray<Guard>) {
    say(`Without ${guard}: ${guards[guard]}.`)
    expect(explore(boundOf(guard), { without: [guard] }), "Reached")
  }
  for (const { because, bound } of limits) {
    say(`A limit: ${because}.`)
    expect(explore(bound), "Reached")
  }
  return missed
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { large: { type: "boolean", default: false } } })
  process.exitCode = exploreAll(values.large) === 0 ? 0 : 1
}
