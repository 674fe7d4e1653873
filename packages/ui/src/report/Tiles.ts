/** Counts and amounts of documents by group of states. The groups add up to all documents. */
import * as Money from "@fiscal-connector/core/document/Money"
import type { ImportSummary } from "@fiscal-connector/core/import/ImportSummary"
import { type DocumentState, groupOf, type StateGroup } from "@fiscal-connector/core/submission/Submission"
import { BigDecimal } from "effect"
import { fixed, html, type Html, joined, when } from "../html/Html.ts"
import { escape } from "../html/Html.ts"
import * as Parts from "./Parts.ts"
import * as Texts from "../text/Texts.ts"

const tones: Readonly<Record<StateGroup, string>> = {
  fiscalised: "good",
  waiting: "waiting",
  "to-send": "plain",
  unknown: "unknown",
  "not-accepted": "bad",
  held: "unknown",
  skipped: "plain"
}

export interface Tile {
  readonly group: StateGroup
  count: number
  /** Amount per currency. */
  readonly amounts: Map<string, Money.Money>
}

/**
 * Returns the groups in the order of a document's life, without empty groups. `rest`: number of
 * documents waiting for hand-over.
 */
export const of = ({ counts, totals }: Pick<ImportSummary, "counts" | "totals">, rest = 0): ReadonlyArray<Tile> => {
  const tiles = new Map<StateGroup, Tile>(
    (Object.keys(Texts.living.tiles) as ReadonlyArray<StateGroup>).map((group) => [
      group,
      { group, count: 0, amounts: new Map() }
    ])
  )
  for (const [state, count] of Object.entries(counts)) tiles.get(groupOf[state as DocumentState])!.count += count ?? 0
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
export const amountOf = (tiles: ReadonlyArray<Tile>, group: StateGroup): string =>
  amountsOf(tiles.find((tile) => tile.group === group)?.amounts ?? new Map())

export const countOf = (tiles: ReadonlyArray<Tile>, group: StateGroup): number =>
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
