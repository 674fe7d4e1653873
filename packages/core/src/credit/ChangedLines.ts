/** States in words which lines of an invoice the source changed after the receipt. Pure. */
import { BigDecimal } from "effect"
import type { LineItem } from "../document/LineItem.ts"
import * as Money from "../document/Money.ts"

type Line = Pick<LineItem, "description" | "lineAmount" | "quantity" | "taxCode">

const most = 2

/** Names each line, so that lines of the same description are compared in their order. */
const named = (lines: ReadonlyArray<Line>): ReadonlyMap<string, Line> => {
  const counts = new Map<string, number>()
  return new Map(
    lines.map((line) => {
      const name = line.description ?? ""
      const nth = counts.get(name) ?? 0
      counts.set(name, nth + 1)
      return [JSON.stringify([name, nth]), line]
    })
  )
}

const grouped = (money: Money.Money): string =>
  Money.formatAmount(money).replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ",")

const changeOf = (before: Line | undefined, now: Line | undefined): string | null => {
  if (before === undefined) return "added"
  if (now === undefined) return "taken out"
  if (!BigDecimal.equals(before.quantity, now.quantity))
    return `${Money.formatPlain(before.quantity)} → ${Money.formatPlain(now.quantity)} pieces`
  if (!BigDecimal.equals(before.lineAmount, now.lineAmount))
    return `${grouped(before.lineAmount)} → ${grouped(now.lineAmount)}`
  return before.taxCode === now.taxCode ? null : `tax ${before.taxCode} → ${now.taxCode}`
}

/** Returns the changed lines, such as `1 line: Paint, 5 → 4 pieces`. Empty if no line changed. */
export const inWords = (before: ReadonlyArray<Line>, now: ReadonlyArray<Line>): string => {
  const [old, present] = [named(before), named(now)]
  const changes = [...new Set([...old.keys(), ...present.keys()])].flatMap((name) => {
    const change = changeOf(old.get(name), present.get(name))
    const { description } = (present.get(name) ?? old.get(name))!
    return change === null ? [] : [description === null ? change : `${description}, ${change}`]
  })
  if (changes.length === 0) return ""
  const more = changes.length > most ? [`and ${changes.length - most} more`] : []
  return `${changes.length} ${changes.length === 1 ? "line" : "lines"}: ${[...changes.slice(0, most), ...more].join("; ")}`
}
