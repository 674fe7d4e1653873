/**
 * Finds the mapping book's spellings of currencies at the ends of a cell. Compares texts: no
 * spelling becomes part of a pattern.
 */

/** Spellings that cannot be confused with figures, the longest first. */
export interface OwnSpellings {
  atStart(text: string): string
  atEnd(text: string): string
}

const letterFirst = /^\p{L}/u
const letterLast = /\p{L}$/u

/**
 * Start or end of a spelling that could take a digit, a sign or a bracket away from the figures.
 */
const likeFigures = /^[\d.,'’()+\-\u2212%= ]|[\d,'’()+\-\u2212%= ]$/u

/** Creates the search. `texts`: spellings without surrounding blanks and abbreviation points. */
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
