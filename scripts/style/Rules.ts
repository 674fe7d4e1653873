/** Rules of docs/style.md that a script can check. */
import type { Passage } from "./Passages.ts"

/** One place that breaks a rule. */
export interface Problem {
  readonly at: number
  readonly text: string
}

/** Longest comment line, and longest Markdown line, in characters. */
export const longest = { comment: 100, markdown: 120 } as const

const beginnings =
  /^(What|Whose|Whether|Of |Those|That which|Whoever|Whatever|One that|None |Such |So many|By what|As it|Its |Where )\b/

/** Words that we do not use, each with words to use in their place. */
const words: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?<!there )\b(is|are) none\b/i, "does not have, is not a …"],
  [/(?<!there )\bis no (?!longer|more|less|better)[a-z]+/i, "is not a …"],
  [/\b(stands?|stood)\b/i, "is, is stored, appears"],
  [/\b(said|told)\b/i, "reported, stated, notified, distinguished"],
  [/\bof its own\b/i, "separate"],
  [/\bby itself\b/i, "alone"],
  [/\b(nobody|somebody|a person|whoever)\b/i, "operator, user, caller"],
  [/\bthat which\b/i, "name the thing"],
  [/\banew\b/i, "again"],
  [/\b(save for|lest|beside that|thereby|whereof)\b/i, "except, so that … not, also"],
  [/\bbecomes? of\b/i, "the outcome of"],
  [/\bcomes? to be\b/i, "becomes"],
  [/\bhas gone\b/i, "was sent"],
  [/\bgoes by\b/i, "uses, follows"],
  [/\bstands in the way\b/i, "blocks"]
]

/** Sentences of at least four words, as `../shared/prose` counts them. */
const sentences = (text: string): ReadonlyArray<string> =>
  text.split(/(?<=[.:;!?])\s+(?=[A-Z`])/).filter((sentence) => sentence.split(/\s+/).length >= 4)

/** Returns problems of the words of a text. `freely`: questions and titles begin with any word. */
export const ofWords = ({ at, text }: Passage, begins: "freely" | "with its subject"): ReadonlyArray<Problem> =>
  sentences(text.replaceAll(/`[^`]*`|"[^"]*"/g, "…")).flatMap((sentence) => {
    const beginning = begins === "freely" ? null : beginnings.exec(sentence)
    const start = `${sentence.slice(0, 60)}${sentence.length > 60 ? "…" : ""}`
    return [
      ...(beginning === null ? [] : [{ at, text: `begins with “${beginning[1]!.trim()}”: ${start}` }]),
      ...words.flatMap(([pattern, instead]) => {
        const found = pattern.exec(sentence)
        return found === null ? [] : [{ at, text: `“${found[0]}” (write: ${instead}): ${start}` }]
      })
    ]
  })

/**
 * Returns the text lines of a file that are too long. Markdown tables, headings, links alone and
 * code are not wrapped.
 */
export const ofLength = (source: string, kind: keyof typeof longest): ReadonlyArray<Problem> => {
  let isCode = false
  return source.split("\n").flatMap((row, index) => {
    const text = row.trim()
    if (text.startsWith("```")) isCode = !isCode
    const isProse = kind === "comment" ? /^(\/\*|\*|\/\/)/.test(text) : !isCode && !/^(```|\||#|<|\[)/.test(text)
    const isOneWord = !/\s/.test(text.replace(/^[-*/ ]+/, ""))
    return isProse && !isOneWord && row.length > longest[kind]
      ? [{ at: index + 1, text: `${row.length} characters, at most ${longest[kind]}` }]
      : []
  })
}
