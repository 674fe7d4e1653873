import { assert, describe, it } from "../../packages/core/test/It.ts"
import { presets } from "../../packages/adapter-csv/src/formats/Presets.ts"
import { folded, normalize } from "../../packages/core/src/source/StatedWords.ts"
import { Console } from "effect"
import { counted } from "../Counts.ts"
import { given } from "../Given.ts"
import * as Random from "../Random.ts"
import { type Case, cases } from "./WordCases.ts"
import type { Trial } from "./WordTrial.ts"

const { count, seed } = given("words")

/**
 * Columns that known layouts read if present: their unknown words are refused, and their known
 * words decide.
 */
const read: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  presets.map(({ map, name }) => [
    name,
    new Set(
      (JSON.stringify([map.columns, map.marks]).match(/"[^"]+"/g) ?? []).map((text) => normalize(text.slice(1, -1)))
    )
  ])
)

/** Words to which a layout gives its own meaning. */
const ownWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  presets.map(({ map, name }) => [name, new Set(Object.keys({ ...map.kinds, ...map.statuses }).map(folded))])
)

const hasOwnMeaning = ({ place, word }: Case): boolean =>
  ownWords.get(place.name.split(" ")[1] ?? "")?.has(folded(word)) === true

const isRead = ({ field, place }: Case): boolean => {
  const layout = place.name.split(" ")[1] ?? ""
  return read.get(layout)?.has(normalize(field)) === true
}

const equal = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>) =>
  a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)

/** Returns true if the layout has a column that states the same and more. */
const isSettled = ({ field, place }: Case): boolean => {
  const preset = presets.find(({ name }) => name === place.name.split(" ")[1])
  return Object.keys(preset?.map.settled ?? {}).some((name) => normalize(name) === normalize(field))
}

/**
 * Returns the result of a case, `WRONG` for a broken law; undefined if the case cannot be judged.
 */
const verdict = (one: Case, { after, before, number, taxed }: Trial): string | undefined => {
  if (!before.documents.has(number)) return undefined
  if ((one.subject === "taxable" || one.subject === "exempt") && !taxed) return undefined
  if (hasOwnMeaning(one) || isSettled(one)) return undefined
  const stopped = after.said.includes("stopped")
  if (one.is === "contradicts") {
    if (after.documents.has(number)) return "WRONG: sent against the word"
    const others = [...before.documents].filter(([other]) => other !== number)
    if (!stopped && one.subject !== "seller" && !others.every(([key, value]) => after.documents.get(key) === value))
      return "WRONG: another document has changed"
    return stopped ? "not sent: the file is stopped" : "not sent: the document is refused"
  }
  if (isRead(one)) return undefined
  // A known header with a forbidden column is not a header of that layout.
  if (stopped) return one.place.name.endsWith("xero-template") ? undefined : "WRONG: needlessly stopped"
  if (!equal(after.documents, before.documents)) return "WRONG: needlessly refused"
  if (one.is === "agrees") return "sent: the word agrees"
  const listed = after.said.some((text) => text === `STATEMENTS_NOT_READ: "${one.field.replace(/^.*\//, "")}"`)
  return listed ? "sent: listed as not read" : "WRONG: not listed as not read"
}

describe("a word in an additional column or field", () => {
  it.live("is never overruled in silence, and refuses nothing if it agrees or is unknown", function* () {
    const all = cases()
    const drawn = Random.make(seed).shuffled(all).slice(0, count)
    const outcomes: Array<string> = []
    const wrong = new Map<string, number>()
    for (const [i, one] of drawn.entries()) {
      const trial = yield* one.place.tried(one.field, one.word, one.others, seed + i * 7919)
      const outcome = verdict(one, trial) ?? `nothing to be said: ${one.place.name}`
      outcomes.push(outcome)
      if (!outcome.startsWith("WRONG")) continue
      const what = `${outcome}: ${one.place.name}, "${one.field}" says "${one.word}" (${one.is}) ${JSON.stringify([...trial.after.refused])} ${trial.after.said.join("; ")}`
      wrong.set(what, (wrong.get(what) ?? 0) + 1)
    }
    yield* Console.log(`${drawn.length} of ${all.length} cases\n${counted(outcomes)}`)
    assert.deepStrictEqual([...wrong.keys()].slice(0, 40), [])
    assert.isAbove(outcomes.filter((text) => text.startsWith("not sent")).length, drawn.length / 3)
  })
})
