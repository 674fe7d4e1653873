/**
 * Draws mutants from a seed, finds them again in another version of the sources, and plants all at
 * once behind one environment variable.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseAst } from "rolldown/parseAst"
import * as Random from "../Random.ts"
import { candidates, type Kind, kinds } from "./Candidates.ts"

export interface Mutant {
  readonly id: number
  /** Path below the root. */
  readonly file: string
  readonly kind: Kind
  readonly line: number
  readonly description: string
  /** Text before the place: finds the place even if the file has changed elsewhere. */
  readonly before: string
  readonly original: string
  readonly after: string
  /** Text of the switch, with `IS` for the condition. */
  readonly switched: string
}

const sources = (root: string): ReadonlyArray<string> =>
  ["packages/core/src", "packages/cli/src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
      .toSorted()
      .map((file) => `${folder}/${file}`)
  )

const parses = (text: string): boolean => {
  try {
    parseAst(text, { lang: "ts" })
    return true
  } catch {
    return false
  }
}

/** Draws a kind of mistake first, then a place for it: texts are more frequent than comparisons. */
export const draw = (root: string, seed: number, count: number): ReadonlyArray<Mutant> => {
  const random = Random.make(seed)
  const all = sources(root).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8")
    return candidates(text).map((candidate) => ({ file, text, candidate }))
  })
  const byKind = new Map(kinds.map((kind) => [kind, all.filter(({ candidate }) => candidate.kind === kind)]))
  const drawn: Array<Mutant> = []
  const taken: Array<{ readonly file: string; readonly start: number; readonly end: number }> = []
  while (drawn.length < count) {
    const { candidate, file, text } = random.pick(byKind.get(random.pick(kinds))!)
    const { end, kind, start, switched, description } = candidate
    const overlaps = taken.some((one) => one.file === file && one.start < end && start < one.end)
    if (overlaps || !parses(text.slice(0, start) + switched("IS") + text.slice(end))) continue
    taken.push({ file, start, end })
    drawn.push({
      id: drawn.length + 1,
      file,
      kind,
      line: text.slice(0, start).split("\n").length,
      description,
      before: text.slice(Math.max(0, start - 120), start),
      original: text.slice(start, end),
      after: text.slice(end, end + 120),
      switched: switched("IS")
    })
  }
  return drawn
}

/** Finds the mutant in a text by the longest surroundings that occur exactly once. */
export const placeOf = ({ after, before, original }: Mutant, text: string): number | undefined => {
  for (const reach of [120, 60, 30, 15]) {
    const left = before.slice(-reach)
    const parts = text.split(left + original + after.slice(0, reach))
    if (parts.length === 2) return parts[0]!.length + left.length
  }
  return undefined
}

/**
 * Switches the mistake in MUTANT on, and records in the folder MUTANT_SEEN the reached places, with
 * the test file that reached each.
 */
const header =
  'const __m = (n: number): boolean => { const e = process.env; if (e["MUTANT_SEEN"]) { const s = ((globalThis as any).__seen ??= new Set()), k = n + "\\t" + (e["MUTANT_FILE"] ?? ""); if (!s.has(k)) { s.add(k); process.getBuiltinModule("node:fs").appendFileSync(e["MUTANT_SEEN"] + "/" + process.pid, k + "\\n") } } return e["MUTANT"] === String(n) };'

/** Plants all mutants; returns those whose place no longer exists. */
export const plant = (root: string, mutants: ReadonlyArray<Mutant>): ReadonlyArray<Mutant> => {
  const gone: Array<Mutant> = []
  for (const [file, own] of Map.groupBy(mutants, ({ file }) => file)) {
    let text: string
    try {
      text = readFileSync(join(root, file), "utf8")
    } catch {
      gone.push(...own)
      continue
    }
    const places = own.flatMap((mutant) => {
      const at = placeOf(mutant, text)
      if (at === undefined) gone.push(mutant)
      return at === undefined ? [] : [{ at, mutant }]
    })
    for (const { at, mutant } of places.toSorted((a, b) => b.at - a.at)) {
      const switched = mutant.switched.replace(/\bIS\b/, `__m(${mutant.id})`)
      text = text.slice(0, at) + switched + text.slice(at + mutant.original.length)
    }
    const [first = "", ...others] = text.split("\n")
    const lines = first.startsWith("#!")
      ? [first, header + (others[0] ?? ""), ...others.slice(1)]
      : [header + first, ...others]
    if (places.length > 0) writeFileSync(join(root, file), lines.join("\n"))
  }
  return gone
}
