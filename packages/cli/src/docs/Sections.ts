/** Sections of the documentation: by their anchor, or by the words of a question. */
import { pages } from "./Pages.ts"

export interface Section {
  readonly name: string
  readonly title: string
  readonly text: string
}

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const sectionsOf = (topic: string, deep: boolean) => {
  const lines = pages[topic]!.split("\n")
  const headings: Array<{ readonly at: number; readonly level: number; title: string; anchors: Array<string> }> = []
  let [isCode, anchors] = [false, new Array<string>()]
  for (const [at, line] of lines.entries()) {
    if (line.trimStart().startsWith("```")) isCode = !isCode
    const [, marks, title] = (isCode ? null : /^(#+) (.+)$/.exec(line)) ?? []
    const [, id] = /^<a id="([^"]+)"><\/a>$/.exec(line) ?? []
    if (title !== undefined) headings.push({ at, level: marks!.length, title, anchors: [...anchors, slugOf(title)] })
    if (id !== undefined) anchors.push(id)
    else if (line !== "") anchors = []
  }
  return headings.map(({ anchors, at, level, title }, index) => {
    const next = headings.slice(index + 1).find((other) => !deep || other.level <= level)
    const name = index === 0 ? topic : `${topic}#${anchors[0]}`
    return { name, title, text: lines.slice(at, next?.at).join("\n"), anchors }
  })
}

export const find = (topic: string, anchor: string): Section | undefined =>
  sectionsOf(topic, true).find(({ anchors }) => anchors.includes(anchor))

const stemsOf = (text: string): ReadonlyArray<string> =>
  Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}_]{2,}/gu), ([word]) => word.replace(/(?:ies|es|s|ed|ing|y)$/, ""))

/**
 * The best first. Rare words count more than frequent ones, and words of a heading more than words
 * below it.
 */
export const search = (question: string): ReadonlyArray<Section> => {
  const asked = new Set(stemsOf(question))
  // `connector why` finds a code
  const sections = Object.keys(pages)
    .filter((topic) => topic !== "errors")
    .flatMap((topic) => sectionsOf(topic, false))
    .map((section) => ({ section, title: new Set(stemsOf(section.title)), words: stemsOf(section.text) }))
  const scored = sections.map(({ section }) => ({ section, score: 0 }))
  for (const stem of asked) {
    const counts = sections.map(({ words }) => words.filter((word) => word === stem).length)
    const rarity = Math.log((sections.length + 1) / (counts.filter((count) => count > 0).length + 1))
    for (const [at, { title, words }] of sections.entries()) {
      const often = counts[at]! / (counts[at]! + 0.5 + words.length / 200)
      scored[at]!.score += rarity * (often + (title.has(stem) ? 1.5 : 0))
    }
  }
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ section }) => section)
}
