/** Parses a regular expression into a tree with enough detail to derive texts. */

export type PatternTree =
  /** Matches one character. `source` is the pattern of this character alone. */
  | { readonly type: "character"; readonly source: string }
  | { readonly type: "sequence"; readonly items: ReadonlyArray<PatternTree> }
  | { readonly type: "alternatives"; readonly options: ReadonlyArray<PatternTree> }
  | { readonly type: "repeat"; readonly body: PatternTree; readonly least: number; readonly most: number }
  /** Consumes no text. */
  | { readonly type: "look"; readonly where: "ahead" | "behind"; readonly body: PatternTree }
  /** An anchor or a back reference. */
  | { readonly type: "empty" }

const groupStart = /\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/y
const quantifier = /[*+?]\??|\{\d+(?:,\d*)?\}\??/y
const escape = /\\(?:u\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pP]\{[^}]*\}|k<[^>]*>|[\s\S])/iy

class Reading {
  private at = 0
  private readonly source: string
  constructor(source: string) {
    this.source = source
  }

  alternatives(): PatternTree {
    const options = [this.sequence()]
    while (this.source[this.at] === "|") {
      this.at++
      options.push(this.sequence())
    }
    return options.length === 1 ? options[0]! : { type: "alternatives", options }
  }

  private sequence(): PatternTree {
    const items: Array<PatternTree> = []
    while (this.at < this.source.length && this.source[this.at] !== "|" && this.source[this.at] !== ")") {
      items.push(this.repeated(this.single()))
    }
    return { type: "sequence", items }
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.source) ?? []
    if (found !== undefined) this.at += found.length
    return found
  }

  private repeated(body: PatternTree): PatternTree {
    const found = this.take(quantifier)
    if (found === undefined) return body
    if (found.startsWith("*")) return { type: "repeat", body, least: 0, most: Infinity }
    if (found.startsWith("+")) return { type: "repeat", body, least: 1, most: Infinity }
    if (found.startsWith("?")) return { type: "repeat", body, least: 0, most: 1 }
    const [least = "0", most] = found.replace(/^\{|\}\??$/g, "").split(",")
    return {
      type: "repeat",
      body,
      least: Number(least),
      most: most === undefined ? Number(least) : most === "" ? Infinity : Number(most)
    }
  }

  private single(): PatternTree {
    const first = this.source[this.at]!
    if (first === "(") {
      const opening = this.take(groupStart)!
      const body = this.alternatives()
      this.at++
      return /[=!]$/.test(opening)
        ? { type: "look", where: opening.startsWith("(?<") ? "behind" : "ahead", body }
        : body
    }
    if (first === "[") return { type: "character", source: this.characterClass() }
    if (first === "\\") {
      const source = this.take(escape)!
      return /^\\(?:[bB1-9]|k<)/.test(source) ? { type: "empty" } : { type: "character", source }
    }
    const [character] = this.source.slice(this.at)
    this.at += character!.length
    return first === "^" || first === "$" ? { type: "empty" } : { type: "character", source: character! }
  }

  private characterClass(): string {
    const from = this.at
    let depth = 0
    do {
      const character = this.source[this.at]
      if (character === "\\") this.at++
      else if (character === "[" && (depth === 0 || this.nested)) depth++
      else if (character === "]") depth--
      this.at++
    } while (depth > 0)
    return this.source.slice(from, this.at)
  }

  nested = false
}

/** Parses the source of a valid regular expression. */
export const parse = (pattern: RegExp): PatternTree => {
  const reading = new Reading(pattern.source)
  reading.nested = pattern.unicodeSets
  return reading.alternatives()
}
