/** Compares the sent documents with every other statement of an export, over all known formats. */
import { Effect } from "effect"
import { type Altered, alter, kinds } from "./Alterations.ts"
import { documentsOf, formats } from "./ExportFormats.ts"
import * as Random from "../Random.ts"
import { judge, type Outcome, refusals } from "./StatedTrial.ts"

export interface Tally {
  /** Numbers of alterations with and without a contradicting statement. */
  readonly contradicted: number
  readonly alone: number
  readonly outcomes: ReadonlyMap<string, number>
  /** Wrong results by format and alteration, with three examples each. */
  readonly wrong: ReadonlyMap<string, { readonly count: number; readonly why: string; readonly text: string }>
  readonly good: number
  readonly goodRefused: ReadonlyArray<string>
}

export const run = (each: number, seed: number): Effect.Effect<Tally> =>
  Effect.gen(function* () {
    const outcomes = new Map<string, number>()
    const wrong = new Map<string, { count: number; why: string; text: string }>()
    const goodRefused: Array<string> = []
    let [contradicted, alone, good] = [0, 0, 0]
    const count = (altered: Altered, format: string, outcome: Outcome) => {
      const against = altered.witness === undefined ? "no witness" : "contradicted"
      outcomes.set(`${against}: ${outcome.is}`, (outcomes.get(`${against}: ${outcome.is}`) ?? 0) + 1)
      if (outcome.is !== "wrong") return
      const what = `${format}: ${altered.what} (${altered.witness ?? "no witness"})`
      const known = wrong.get(what)
      if (known === undefined) wrong.set(what, { count: 1, why: outcome.why, text: altered.text })
      else known.count++
    }
    for (const [f, format] of formats.entries()) {
      for (const [k, kind] of kinds.entries()) {
        for (let i = 0; i < each; i++) {
          const random = Random.make(seed + ((f * kinds.length + k) * 1_000_003 + i) * 7919)
          const documents = documentsOf(format, random)
          const altered = alter(format, documents, kind, random)
          if (altered.witness === undefined) alone++
          else contradicted++
          count(altered, format.name, yield* judge(altered, documents, format))
          if (i % 5 !== 0) continue
          good += documents.length
          for (const truth of yield* refusals(format, documents)) goodRefused.push(`${format.name}: ${truth}`)
        }
      }
    }
    return { contradicted, alone, outcomes, wrong, good, goodRefused }
  })

/** Returns the counts as readable text. */
export const report = ({ alone, contradicted, good, goodRefused, outcomes }: Tally): string =>
  [
    `${contradicted} alterations that the export contradicts, ${alone} that nothing contradicts, ${good} good documents`,
    ...[...outcomes].toSorted().map(([what, count]) => `  ${what} ${count}`),
    `  good documents that are not sent as stated ${goodRefused.length}`
  ].join("\n")
