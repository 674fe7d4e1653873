/** Counts and amounts of documents by group of states. The groups add up to all documents. */
import * as Money from "@fiscal-connector/core/document/Money"
import type { ImportSummary } from "@fiscal-connector/core/import/ImportSummary"
import { BigDecimal } from "effect"
import { fixed, html, type Html, joined, when } from "../html/Html.ts"
import { escape } from "../html/Html.ts"
import * as Parts from "./Parts.ts"
import * as Texts from "../text/Texts.ts"

export type Group = keyof typeof Texts.living.tiles

/** Group of each state. Every state belongs to exactly one group. */
const groupOf: Readonly<Record<ImportSummary["totals"][number]["state"], Group>> = {
  Fiscalised: "fiscalised",
  Sending: "waiting",
  Accepted: "waiting",
  Planned: "to-send",
  Unknown: "unknown",
  Expired: "unknown",
  Refused: "not-accepted",
  Rejected: "not-accepted",
  Declined: "not-accepted",
  Held: "held",
  Skipped: "skipped",
  Withdrawn: "skipped"
}

const tones: Readonly<Record<Group, string>> = {
  fiscalised: "good",
  waiting: "waiting",
  "to-send": "plain",
  unknown: "unknown",
  "not-accepted": "bad",
  held: "unknown",
  skipped: "plain"
}

export interface Tile {
  readonly group: Group
  count: number
  /** Amount per currency. */
  readonly amounts: Map<string, Money.Money>
}

/**
 * Returns the groups in the order of a document's life, without empty groups. `rest`: number of
 * documents waiting for hand-over.
 */
export const of = ({ counts, totals }: Pick<ImportSummary, "counts" | "totals">, rest = 0): ReadonlyArray<Tile> => {
  const tiles = new Map<Group, Tile>(
    (Object.keys(Texts.living.tiles) as ReadonlyArray<Group>).map((group) => [
      group,
      { group, count: 0, amounts: new Map() }
    ])
  )
  for (const [state, count] of Object.entries(counts))
    tiles.get(groupOf[state as keyof typeof groupOf])!.count += count ?? 0
  tiles.get("to-send")!.count += rest
  for (const { currency, state, total } of totals) {
    const { amounts } = tiles.get(groupOf[state])!
    amounts.set(currency, BigDecimal.sum(amounts.get(currency) ?? Money.zero, total))
  }
  return [...tiles.values()].filter(({ count }) => count > 0)
}

export const amountsOf = (amounts: ReadonlyMap<string, Money.Money>): string =>
  Array.from(amounts, ([currency, total]) => Parts.amount(currency, total)).join(" · ")

/** Returns the amounts of a group as text. Empty if no amount is known. */
export const amountOf = (tiles: ReadonlyArray<Tile>, group: Group): string =>
  amountsOf(tiles.find((tile) => tile.group === group)?.amounts ?? new Map())

export const countOf = (tiles: ReadonlyArray<Tile>, group: Group): number =>
  tiles.find((tile) => tile.group === group)?.count ?? 0

/** Returns the count and amounts of all groups. */
export const allOf = (tiles: ReadonlyArray<Tile>): Pick<Tile, "count" | "amounts"> => {
  const amounts = new Map<string, Money.Money>()
  for (const tile of tiles)
    for (const [currency, total] of tile.amounts)
      amounts.set(currency, BigDecimal.sum(amounts.get(currency) ?? Money.zero, total))
  return { count: tiles.reduce((sum, { count }) => sum + count, 0), amounts }
}

export const tilesPart = (tiles: ReadonlyArray<Tile>): Html =>
  html`<ul class="figures">
    ${tiles.map(
      ({ amounts, count, group }) =>
        html`<li>
          <strong>${count.toLocaleString("en")}</strong>
          <span class="badge ${tones[group]}">${Texts.living.tiles[group]}</span>
          ${when(amounts.size > 0, () => html`<span class="amount">${amountsOf(amounts)}</span>`)}
        </li>`
    )}
  </ul>`

/**
 * Returns a bar with the shares of fiscalized, waiting and unknown documents. The rest of the bar
 * is the documents that are still to send.
 */
export const meter = (tiles: ReadonlyArray<Tile>): Html => {
  const all = ["fiscalised", "waiting", "unknown", "to-send"] as const
  const total = all.reduce((sum, group) => sum + countOf(tiles, group), 0)
  if (total === 0) return html``
  let x = 0
  const rects = (["fiscalised", "waiting", "unknown"] as const).map((group) => {
    const width = (countOf(tiles, group) * 1000) / total
    const rect = `<rect class="${tones[group]}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="8"/>`
    x += width
    return rect
  })
  const label = all
    .map((group) => `${countOf(tiles, group).toLocaleString("en")} ${Texts.living.tiles[group].toLowerCase()}`)
    .join(", ")
  return joined([
    fixed(
      `<svg class="meter" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label="${escape(label)}">${rects.join("")}</svg>`
    )
  ])
}
