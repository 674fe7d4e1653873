/**
 * Makes control characters visible, in terminal output and in files that users open in an editor.
 */

/**
 * Characters that control a terminal or reorder displayed text, except our own line breaks and
 * tabs.
 */
const obeyed = /[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]--[\t\n]]/gv

const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * Escapes control characters and bidirectional controls as `\u009b`.
 *
 * Also safe for printed or drafted JSON: in JSON such a character can only be inside a string,
 * where the escape means the same.
 */
export const escaped = (text: string): string => text.replace(obeyed, unicode)

export const inOneLine = (text: string): string => escaped(text).replaceAll("\n", "⏎").replaceAll("\t", "\\u0009")
