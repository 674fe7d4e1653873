/** Whether a record counts: there is no status; what exists is issued, unless it was voided. */
import type { Item } from "@fiscal-connector/adapter-kit"
import { stateOf } from "@fiscal-connector/core/source/StatedWords"
import { BigDecimal } from "effect"

/** The answer to a void has the amounts of before and a note; later reads have noughts. `unclear`: the note says more, and amounts are there. */
export const isVoided = (given: Item): "issued" | "voided" | "deleted" | "another status" | "unclear" => {
  const record = given.quietly()
  const status = record.optional.text("status") ?? ""
  if (status === "Deleted") return "deleted"
  if (stateOf(status) === "skip") return "another status"
  const note = record.optional.text("PrivateNote") ?? ""
  if (/^voided\.?$/i.test(note)) return "voided"
  if (!/^voided\b/i.test(note)) return "issued"
  return isNought(record) ? "voided" : "unclear"
}

/** Whether it has a total, and that and every amount in it is nought. */
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
