/** Records have no status: an existing document is issued, unless voided. */
import type { Item } from "@fiscal-connector/adapter-kit"
import { StatedWords } from "@fiscal-connector/core/adapter"
import { BigDecimal } from "effect"

/**
 * Classifies a record. The answer to a void has the earlier amounts and a note; later reads have
 * zeros. `unclear`: the note says more, and amounts remain.
 */
export const isVoided = (given: Item): "issued" | "voided" | "deleted" | "another status" | "unclear" => {
  const record = given.quietly()
  const status = record.optional.text("status") ?? ""
  if (status === "Deleted") return "deleted"
  if (StatedWords.stateOf(status) === "skip") return "another status"
  const note = record.optional.text("PrivateNote") ?? ""
  if (/^voided\.?$/i.test(note)) return "voided"
  if (!/^voided\b/i.test(note)) return "issued"
  return isNought(record) ? "voided" : "unclear"
}

export const isNought = (given: Item): boolean => {
  const record = given.quietly()
  const figures = [
    record.optional.decimal("TotalAmt"),
    ...record.optional.each("Line", (line) => (line.has("Amount") ? line.optional.decimal("Amount") : undefined))
  ]
  return (
    record.has("TotalAmt") && figures.every((figure, i) => (figure === undefined ? i > 0 : BigDecimal.isZero(figure)))
  )
}
