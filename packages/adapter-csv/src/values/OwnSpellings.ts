/** Finds the operator's own spellings of currencies at the ends of a cell. Compares texts: no spelling becomes part of a pattern. */

/** The spellings that can be told from figures, the longest first. */
export interface OwnSpellings {
  /** The spelling at the beginning, with its abbreviation point; empty where there is none. */
  atStart(text: string): string
  atEnd(text: string): string
}

const letterFirst = /^\p{L}/u
const letterLast = /\p{L}$/u

/** A spelling that begins or ends like this could take a digit, a sign or a bracket away from the figures. */
const likeFigures = /^[\d.,'’()+\-\u2212%= ]|[\d,'’()+\-\u2212%= ]$/u

/** `texts`: without blanks at their ends and without the abbreviation point. */
export const make = (texts: Iterable<string>): OwnSpellings => {
  const own = [...new Set(texts)]
    .filter((text) => text !== "" && !likeFigures.test(text))
    .toSorted((a, b) => b.length - a.length)
  return {
    atStart: (text) => {
      for (const spelling of own) {
        if (!text.startsWith(spelling)) continue
        const after = text.slice(spelling.length)
        if (after.startsWith(".") && !/^\.[\p{L}\d]/u.test(after)) return `${spelling}.`
        if (!letterFirst.test(after)) return spelling
      }
      return ""
    },
    atEnd: (text) => {
      const bare = text.endsWith(".") ? text.slice(0, -1) : text
      for (const spelling of own) {
        if (bare.endsWith(spelling) && !letterLast.test(bare.slice(0, bare.length - spelling.length)))
          return text.slice(bare.length - spelling.length)
      }
      return ""
    }
  }
}
