/** Sections of the documentation: by their anchor, or by the words of a question. */
import { pages } from "./Pages.ts"

export interface Section {
  /** Name to show it by: `run#backup`, or the topic alone for the begin of a page. */
  readonly name: string
  readonly title: string
  readonly text: string
}

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

/** A heading outside of code, with the anchors before it. */
const heading = /^```[^]*?^```$|((?:^<a id="[^"]+"><\/a>\n+)*)^(#+) (.+)$/gm

/** Returns the sections of a page. A section contains its subsections if `deep`. */
const sectionsOf = (
  topic: string,
  deep: boolean
): ReadonlyArray<Section & { readonly anchors: ReadonlyArray<string> }> => {
  const page = pages[topic]!
  const headings = Array.from(page.matchAll(heading)).filter(([, , level]) => level !== undefined)
  return headings.map(([, before = "", level = "", title = ""], at) => {
    const next = headings.slice(at + 1).find(([, , other = ""]) => !deep || other.length <= level.length)
    const anchors = [...Array.from(before.matchAll(/"([^"]+)"/g), ([, id]) => id!), slugOf(title)]
    const text = page.slice(headings[at]!.index + before.length, next?.index)
    return { name: at === 0 ? topic : `${topic}#${anchors[0]}`, title, text, anchors }
  })
}

/** Returns the section of a page that has the anchor, with its subsections. */
export const find = (topic: string, anchor: string): Section | undefined =>
  sectionsOf(topic, true).find(({ anchors }) => anchors.includes(anchor))

const stemsOf = (text: string): ReadonlyArray<string> =>
  Array.from(text.toLowerCase().matchAll(/[\p{L}\p{N}_]{2,}/gu), ([word]) => word.replace(/(?:ies|es|s|ed|ing|y)$/, ""))

/**
 * Returns the sections in which the words of a question occur, the best first. Rare words count
 * more than frequent ones, and words of a heading more than words below it.
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
