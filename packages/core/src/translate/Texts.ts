/** Identifiers and texts of a document as they may be sent: what nobody sees in them refuses, or is cleaned by the policy of that name. */
import { controlIn, type Unseen, unseenIn, withoutControls } from "../document/VisibleText.ts"
import type { Path } from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { SourceDocument } from "../source/SourceDocument.ts"
import type { Report } from "./Report.ts"
import { TranslateFinding } from "./TranslateFinding.ts"

const placeOf = ({ character, position }: Unseen): string => `${character} as character ${position}`

/** Number, id and originals are keys: what a person sees of them is what they are. */
export const checkKeys = ({ id, number, originals }: SourceDocument, report: Report): void => {
  checkKey(number, report, "number")
  if (id !== number) checkKey(id, report, "id")
  for (const [i, { value }] of originals.entries()) checkKey(value, report, "originals", i)
}

const checkKey = (key: string, report: Report, ...path: Path): void => {
  const unseen = unseenIn(key)
  if (unseen !== undefined) report.add(TranslateFinding.KEY_UNSEEN, path, { detail: placeOf(unseen) })
}

/** The text as it is sent. */
export const sendable = <Text extends string | null>(
  text: Text,
  path: Path,
  { policies }: Pick<MappingBook, "policies">,
  report: Report
): Text | string => {
  const control = text === null ? undefined : controlIn(text)
  if (text === null || control === undefined) return text
  const isRemoved = policies.controlCharacters === "remove"
  const code = isRemoved ? TranslateFinding.TEXT_CLEANED : TranslateFinding.TEXT_CONTROL
  report.add(code, path, { detail: placeOf(control) })
  return isRemoved ? withoutControls(text) : text
}

const descriptionLimit = 200

/** A line's description as the device takes it, or as it stands where nothing says that it may be cut. */
export const sendableDescription = (text: string, origin: Path, book: MappingBook, report: Report): string => {
  if (text.length <= descriptionLimit && controlIn(text) === undefined) return text
  const path = [...origin, "description"]
  const description = sendable(text, path, book, report)
  if (description.length <= descriptionLimit) return description
  if (book.policies.longDescriptions === "refuse") {
    const message = `a line's description is longer than ${descriptionLimit} characters`
    report.add(TranslateFinding.LENGTH_EXCEEDED, path, { message })
    return description
  }
  report.add(TranslateFinding.DESCRIPTION_CUT, path, { detail: `${description.length} characters` })
  // no half of a character that takes two places
  return description
    .slice(0, descriptionLimit)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()
}
