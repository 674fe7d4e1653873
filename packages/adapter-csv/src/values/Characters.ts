/** Characters that nobody sees, or takes for a blank: in a key they make two of one, in a text they break what is printed. */

/** Control characters save tab and line ends; NUL is told apart. */
const controls = /[\p{Cc}--[\0\t\n\r]]/v
const allControls = /[\p{Cc}--[\0\t\n\r]]/gv

/** Without width, or turning the direction of writing: soft hyphens, zero-width blanks and joiners, marks, byte order marks. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cc}]/u

/** Blanks that look like the usual one and are none. */
const blanks = /[\p{White_Space}--[ ]]/v

export const hasControl = (text: string): boolean => controls.test(text)

/** Each control character as one blank. */
export const withoutControls = (text: string): string => text.replaceAll(allControls, " ")

/** The first character of a key that a person does not see, or sees as a blank: `U+200B`. */
export const hiddenIn = (key: string): string | undefined => {
  const found = unseen.exec(key) ?? blanks.exec(key)
  return found === null ? undefined : `U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`
}

const allUnseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cc}]/gu

/** The key as it looks: without what nobody sees, every blank the usual one. */
export const seen = (key: string): string => key.replaceAll(allUnseen, "").replaceAll(/\s+/g, " ").trim()
