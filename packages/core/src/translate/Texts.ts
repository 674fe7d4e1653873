/**
 * Invisible characters in identifiers refuse the document; control characters in texts refuse too,
 * or are removed by policy.
 */
import { controlIn, type Unseen, unseenIn, withoutControls } from "../document/VisibleText.ts"
import type { Path } from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { TranslationNotes } from "./Report.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

const placeOf = ({ character, position }: Unseen): string => `${character} as character ${position}`

/** Checks number, id and originals: keys must not contain invisible characters. */
export const checkKeys = ({ id, number, originals }: SourceDocument, report: TranslationNotes): void => {
  checkKey(number, report, "number")
  if (id !== number) checkKey(id, report, "id")
  for (const [i, { value }] of originals.entries()) checkKey(value, report, "originals", i)
}

const checkKey = (key: string, report: TranslationNotes, ...path: Path): void => {
  const unseen = unseenIn(key)
  if (unseen !== undefined) report.add(TranslateFinding.KEY_UNSEEN, path, { detail: placeOf(unseen) })
}

export const isSendable = (text: string): boolean => controlIn(text) === undefined

export const sendable = <Text extends string | null>(
  text: Text,
  path: Path,
  { policies }: Pick<MappingBook, "policies">,
  report: TranslationNotes
): Text | string => {
  const control = text === null ? undefined : controlIn(text)
  if (text === null || control === undefined) return text
  const isRemoved = policies.controlCharacters === "remove"
  const code = isRemoved ? TranslateFinding.TEXT_CLEANED : TranslateFinding.TEXT_CONTROL
  report.add(code, path, { detail: placeOf(control) })
  return isRemoved ? withoutControls(text) : text
}

/** Maximum characters of a line's description (DOC-11). */
const descriptionLimit = 200

/**
 * Returns a line's description within the device's limit, or unchanged if no policy allows cutting.
 */
export const sendableDescription = (
  text: string,
  origin: Path,
  book: MappingBook,
  report: TranslationNotes
): string => {
  if (text.length <= descriptionLimit && isSendable(text)) return text
  const path = [...origin, "description"]
  const description = sendable(text, path, book, report)
  if (description.length <= descriptionLimit) return description
  if (book.policies.longDescriptions === "refuse") {
    const message = `a line's description is longer than ${descriptionLimit} characters`
    report.add(TranslateFinding.LENGTH_EXCEEDED, path, { message })
    return description
  }
  report.add(TranslateFinding.DESCRIPTION_CUT, path, { detail: `${description.length} characters` })
  // do not keep half of a surrogate pair
  return description
    .slice(0, descriptionLimit)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()
}
