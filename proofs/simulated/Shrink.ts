/**
 * Makes a failing scenario smaller as long as it still fails: fewer participants, then fewer
 * documents, then fewer faults.
 */
import { actors, allTroubles, type Scenario, type Trouble } from "./Scenario.ts"

/** Yields the smaller lists, the largest cuts first. */
function* smaller<A>(list: ReadonlyArray<A>): Generator<ReadonlyArray<A>> {
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < list.length; from += size) yield [...list.slice(0, from), ...list.slice(from + size)]
  }
}

/**
 * Returns the smallest scenario found for which `fails` still holds, in at most `mostRuns` runs.
 * `processesOf`: the processes that a scenario runs.
 */
export const shrink = (
  scenario: Scenario,
  fails: (scenario: Scenario) => boolean,
  processesOf: (scenario: Scenario) => ReadonlyArray<string>,
  mostRuns = 200
): Scenario => {
  let smallest = scenario
  let runs = 0
  const attempt = (candidate: Scenario): boolean => {
    if (runs >= mostRuns) return false
    runs++
    const stillFails = fails(candidate)
    if (stillFails) smallest = candidate
    return stillFails
  }
  const without = (list: ReadonlyArray<Trouble>) => {
    for (const trouble of list) {
      if (!smallest.troubles.has(trouble)) continue
      attempt({ ...smallest, troubles: new Set([...smallest.troubles].filter((other) => other !== trouble)) })
    }
  }
  const fewer = (field: "machines" | "documents") => {
    for (let found = true; found;) {
      found = false
      for (const list of smaller(smallest[field])) {
        found = attempt({ ...smallest, [field]: list })
        if (found) break
      }
    }
  }
  /** Leaves processes out, half of them at first. */
  const idler = () => {
    const running = processesOf(smallest).filter((process) => !smallest.idle.has(process))
    let kept = running
    for (let size = Math.ceil(running.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = 0; from < kept.length;) {
        const list = [...kept.slice(0, from), ...kept.slice(from + size)]
        const idle = new Set([...smallest.idle, ...kept.slice(from, from + size)])
        if (attempt({ ...smallest, idle })) kept = list
        else from += size
      }
    }
  }
  const faults = allTroubles.filter((trouble) => !actors.includes(trouble))
  while (true) {
    const before = smallest
    without(actors)
    fewer("machines")
    fewer("documents")
    idler()
    without(faults)
    if (smallest === before) return smallest
  }
}
