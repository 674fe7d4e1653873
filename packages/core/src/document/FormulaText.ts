/** Text for files opened in a spreadsheet program: prevents cells from running as formulas. */

// some programs drop leading invisible characters and blanks, and accept full-width signs as the
// usual ones
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u

/** Formula after a separator: starts a cell if the file is opened with that separator. */
const afterSeparator = /([;,|\t])(?=["\r\n ]{0,8}[=+\-@\uff1d\uff0b\uff0d\uff20])/g

const number = /^[-+]?[\d.,' ]+%?$/

const isNumberAfter = /^["\r\n ]{0,8}[-+]?\d/

/**
 * Puts an apostrophe before each formula, so that a spreadsheet shows the text. Numbers stay
 * unchanged.
 */
export const neutralized = (cell: string): string => {
  const marked = cell.replaceAll(afterSeparator, (separator: string, _found: string, at: number) =>
    isNumberAfter.test(cell.slice(at + 1, at + 12)) ? separator : `${separator}'`
  )
  return formula.test(cell) && !number.test(cell) ? `'${marked}` : marked
}

const markedSeparator = /([;,|\t])'(?=["\r\n ]{0,8}[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** Removes the apostrophes that `neutralized` puts before formulas. */
export const withoutMarks = (text: string): string => {
  if (!text.includes("'")) return text
  const unmarked = text.replaceAll(markedSeparator, "$1")
  return unmarked.startsWith("'") && formula.test(unmarked.slice(1)) ? unmarked.slice(1) : unmarked
}
