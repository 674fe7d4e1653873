/**
 * Invisible characters and unusual blanks: in a key they make two documents of one, in a text they
 * break the printed receipt.
 */

/** Control characters except tab and line ends; NUL has its own finding. */
const controls = /[\p{Cc}--[\0\t\n\r]]/v
const allControls = /[\p{Cc}--[\0\t\n\r]]/gv

/**
 * Characters without width, or with a change of direction: soft hyphens, zero-width blanks and
 * joiners, marks, byte order marks.
 */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cc}]/u

const blanks = /[\p{White_Space}--[ ]]/v

export const hasControl = (text: string): boolean => controls.test(text)

export const withoutControls = (text: string): string => text.replaceAll(allControls, " ")

/** Returns the first invisible or blank-like character of a key: `U+200B`. */
export const hiddenIn = (key: string): string | undefined => {
  const found = unseen.exec(key) ?? blanks.exec(key)
  return found === null ? undefined : `U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`
}

const allUnseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cc}]/gu

export const seen = (key: string): string => key.replaceAll(allUnseen, "").replaceAll(/\s+/g, " ").trim()
