/**
 * Identifiers that differ only in invisible characters look the same, and a receipt cannot print
 * them.
 */
import { placeOf, places } from "./LastTexts.ts"

export interface Unseen {
  readonly character: string
  readonly position: number
}

/**
 * Characters invisible in an identifier: control and format characters, fillers, and every blank
 * except the plain space.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u

/**
 * Characters that must not be sent. Line ends and tabs are allowed: many descriptions contain them.
 */
const controls = /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]--[\t\n\r]]+/gv

const control = /[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]--[\t\n\r]]/v

const unseen = (text: string, index: number): Unseen => ({
  character: `U+${text.codePointAt(index)!.toString(16).toUpperCase().padStart(4, "0")}`,
  position: index + 1
})

export const unseenIn = (identifier: string): Unseen | undefined => {
  const match = invisible.exec(identifier)
  if (match !== null) return unseen(identifier, match.index)
  // a letter followed by a combining accent looks like the composed letter
  const composed = identifier.normalize("NFC")
  if (composed === identifier) return undefined
  return unseen(
    identifier,
    Array.from(identifier).findIndex((_, i) => composed[i] !== identifier[i])
  )
}

const clean = Array.from({ length: places }, () => "")

export const controlIn = (text: string): Unseen | undefined => {
  const place = placeOf(text)
  if (clean[place] === text) return undefined
  const match = control.exec(text)
  if (match !== null) return unseen(text, match.index)
  clean[place] = text
  return undefined
}

export const withoutControls = (text: string): string => text.replace(controls, " ").trim()
