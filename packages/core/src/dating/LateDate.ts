/**
 * A late document is never sent silently: it is held, or dated at submission if the book says
 * `restamp`. Pure.
 */
import * as CivilDate from "../document/CivilDate.ts"
import * as Instant from "../document/Instant.ts"
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { Mark } from "../submission/ledger/Mark.ts"
import * as StatedDate from "./StatedDate.ts"
import * as ValidUntil from "./ValidUntil.ts"

export type LateDate =
  | { readonly receiptDate: "at-submission"; readonly held: null }
  | {
      readonly receiptDate: Instant.Instant
      readonly held: string
      readonly heldCause: "late" | "historical"
    }

/**
 * Returns the date of a document at or before its mark. `restampable`: the taxes and the original
 * permit a receipt of today (ValidUntil).
 */
export const of = (
  { number, ...document }: Pick<WrittenDocument, "kind" | "number" | "originalInvoiceId">,
  date: StatedDate.StatedDate,
  mark: Mark,
  restampable: boolean,
  book: Pick<MappingBook, "late" | "opens" | "zone">
): LateDate => {
  const restamps = mark.cause === "attempt" && book.late === "restamp"
  if (restamps && restampable) return { receiptDate: "at-submission", held: null }
  const tooLate = ValidUntil.hasOwnTaxes(document)
    ? "a tax of it is not valid on a receipt of today"
    : "its original is too old for a receipt of today"
  return {
    receiptDate: StatedDate.isDay(date) ? CivilDate.at(date, book.opens, book.zone) : date,
    held: `${number} is dated at or before ${markText(mark)}${restamps ? `; ${tooLate}` : ""}`,
    heldCause: mark.cause === "attempt" ? "late" : "historical"
  }
}

const markText = ({ at, attempt, cause }: Mark): string =>
  cause === "attempt" && attempt !== undefined
    ? `another receipt that may have reached the device: ${attempt.number}, ${Instant.format(at)}`
    : `the close of the last fiscal day (${Instant.format(at)})`
