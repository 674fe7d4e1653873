/** Makes control characters visible, for terminals and for files that people open in an editor. */

/** Everything that a terminal obeys or that reorders what is read, except the line breaks and tabs of our own text. */
const obeyed = /[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]--[\t\n]]/gv

const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * Escapes control characters and bidirectional controls as `\u009b`. In JSON such a character can only be inside a string, where the escape
 * means the same, so JSON that is printed or drafted goes through this, too.
 */
export const escaped = (text: string): string => text.replace(obeyed, unicode)

/** Escapes line breaks as well: for a name or a cell inside of one text line. */
export const inOneLine = (text: string): string => escaped(text).replaceAll("\n", "⏎").replaceAll("\t", "\\u0009")
