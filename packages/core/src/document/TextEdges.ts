/**
 * Trims characters off the ends of a text in one pass. A regular expression like `/0+$/` restarts
 * at every zero: 64 KiB of zeros before another character take seconds.
 */

/** Returns the text without the given characters at its end. */
export const withoutTrailing = (text: string, characters: string): string => {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Returns the text without the given characters at its beginning. */
export const withoutLeading = (text: string, characters: string): string => {
  let from = 0
  while (from < text.length && characters.includes(text.charAt(from))) from++
  return text.slice(from)
}

const plainBlanks = " \t\r\n"

/** Trims plain white space. Keeps other invisible characters, so that they can be reported. */
export const withoutPlainBlanks = (text: string): string =>
  withoutLeading(withoutTrailing(text, plainBlanks), plainBlanks)
