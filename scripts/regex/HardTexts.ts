/** Derives texts from a regular expression that make a backtracking matcher slow. */
import { parse, type PatternTree } from "./PatternTree.ts"

/** A text of any length; `pump` is the repeated part. */
export interface HardText {
  readonly prefix: string
  readonly pump: string
  readonly suffix: string
}

const usual = Array.from({ length: 0x5f }, (_, i) => String.fromCharCode(0x20 + i))
const candidates = [
  ...usual,
  "\t",
  "\n",
  "\r",
  "\0",
  "\u0001",
  "\u007f",
  "\u00a0",
  "é",
  "Ж",
  "€",
  "\u2212",
  "’",
  "\u202e",
  "\u3000"
]
const strange = "\u0001"

const characterSources = (tree: PatternTree): ReadonlyArray<string> => {
  switch (tree.type) {
    case "character":
      return [tree.source]
    case "sequence":
      return tree.items.flatMap(characterSources)
    case "alternatives":
      return tree.options.flatMap(characterSources)
    case "repeat":
    case "look":
      return characterSources(tree.body)
    case "empty":
      return []
  }
}

/**
 * Returns the accepted characters for each character of the pattern, one of each kind that the
 * pattern distinguishes.
 */
const accepted = (pattern: RegExp, tree: PatternTree): ReadonlyMap<string, ReadonlyArray<string>> => {
  const flags = pattern.flags.replaceAll(/[gyd]/g, "")
  const sources = [...new Set(characterSources(tree))]
  const tests = sources.map((source) => new RegExp(`^(?:${source === "/" ? "\\/" : source})$`, flags))
  const kinds = new Map<string, string>()
  // letters and digits come first, because they are easier to read in a report than punctuation
  for (const candidate of ["a", "0", " ", ...candidates, ...sources.filter((source) => source.length === 1)]) {
    const kind = tests.map((test) => (test.test(candidate) ? "1" : "0")).join("")
    if (!kinds.has(kind)) kinds.set(kind, candidate)
  }
  const chosen = [...kinds]
  return new Map(
    sources.map((source, i) => {
      const found = chosen.filter(([kind]) => kind[i] === "1").map(([, candidate]) => candidate)
      return [source, found.length > 0 ? found : [strange]]
    })
  )
}

type Accepted = ReturnType<typeof accepted>

const limit = 12

/**
 * Returns some short texts that the tree matches: every kind of character at every position, one
 * position at a time.
 */
const samples = (tree: PatternTree, characters: Accepted): ReadonlyArray<string> => {
  switch (tree.type) {
    case "character":
      return characters.get(tree.source)!.slice(0, limit)
    case "sequence": {
      const each = tree.items.map((item) => samples(item, characters))
      const plain = each.map(([first]) => first ?? "")
      const varied = each.flatMap((options, i) => options.slice(1).map((option) => plain.with(i, option).join("")))
      return [plain.join(""), ...varied].slice(0, 4 * limit)
    }
    case "alternatives":
      return tree.options.flatMap((option) => samples(option, characters).slice(0, limit))
    case "repeat": {
      const bodies = samples(tree.body, characters)
      const least = bodies.map((body) => body.repeat(Math.min(tree.least, 64)))
      return tree.least === 0 ? ["", ...bodies] : least
    }
    case "look":
      return tree.where === "behind" ? samples(tree.body, characters) : [""]
    case "empty":
      return [""]
  }
}

/** Adds texts for each unbounded repetition, after the text that the pattern requires before it. */
const fromTree = (tree: PatternTree, before: string, characters: Accepted, found: Array<HardText>): void => {
  switch (tree.type) {
    case "sequence": {
      let prefix = before
      for (const item of tree.items) {
        fromTree(item, prefix, characters, found)
        prefix += samples(item, characters)[0] ?? ""
      }
      return
    }
    case "alternatives":
      for (const option of tree.options) fromTree(option, before, characters, found)
      return
    case "look":
      fromTree(tree.body, before, characters, found)
      return
    case "repeat": {
      fromTree(tree.body, before, characters, found)
      if (tree.most <= 64) return
      const bodies = samples(tree.body, characters).filter((body) => body !== "")
      const pumps = [...new Set([...bodies, ...bodies.map((body) => before + body), before])].filter(
        (pump) => pump !== ""
      )
      for (const pump of pumps) {
        for (const prefix of new Set(["", before, strange])) found.push({ prefix, pump, suffix: "" })
      }
      return
    }
    case "character":
    case "empty":
  }
}

/** Returns candidate texts for the pattern; a measurement decides which are hard. */
export const of = (pattern: RegExp): ReadonlyArray<HardText> => {
  const tree = parse(pattern)
  const characters = accepted(pattern, tree)
  const found: Array<HardText> = []
  fromTree(tree, "", characters, found)
  const kinds = [...new Set([...characters.values()].flat())].slice(0, limit / 2)
  const suffixes = ["", strange, "\n", ...kinds]
  return found.flatMap((text) => suffixes.map((suffix) => ({ ...text, suffix })))
}

export const textOf = ({ prefix, pump, suffix }: HardText, length: number): string =>
  prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix
