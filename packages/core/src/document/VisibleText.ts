/** What nobody sees in a text: two identifiers that differ in it alone look the same, and a receipt cannot print it. */
import { placeOf, places } from "./LastTexts.ts"

/** A character by its code point and where it stands, counted from 1. */
export interface Unseen {
  readonly character: string
  readonly position: number
}

/** Invisible in an identifier: control and format characters, fillers, and every blank that is no plain space. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u

/** What a text that is sent must not have; line ends and tabs are part of many descriptions. */
const controls = /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]--[\t\n\r]]+/gv

/** For the first of them, which few texts have. */
const control = /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]--[\t\n\r]]/v

const unseen = (text: string, index: number): Unseen => ({
  character: `U+${text.codePointAt(index)!.toString(16).toUpperCase().padStart(4, "0")}`,
  position: index + 1
})

/** The first character of an identifier that is not seen, or not told from another. */
export const unseenIn = (identifier: string): Unseen | undefined => {
  const match = invisible.exec(identifier)
  if (match !== null) return unseen(identifier, match.index)
  // a letter and its accent as two characters look like the one they make up
  const composed = identifier.normalize("NFC")
  if (composed === identifier) return undefined
  return unseen(
    identifier,
    Array.from(identifier).findIndex((_, i) => composed[i] !== identifier[i])
  )
}

/** Texts without one that were looked at last. */
const clean = Array.from({ length: places }, () => "")

/** The first control character in a text, line ends and tabs left out. */
export const controlIn = (text: string): Unseen | undefined => {
  const place = placeOf(text)
  if (clean[place] === text) return undefined
  const match = control.exec(text)
  if (match !== null) return unseen(text, match.index)
  clean[place] = text
  return undefined
}

/** The text with a space for each run of control characters. */
export const withoutControls = (text: string): string => text.replace(controls, " ").trim()
