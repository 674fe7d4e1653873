import type { Money } from "@fiscal-connector/core/adapter"
import { SignedSums, TaxShares } from "@fiscal-connector/core/host/import"
import type { ImportedDocument, ImportSummary } from "@fiscal-connector/core/session"
import type { Submission } from "@fiscal-connector/core/store"
import { escape, fixed, html, type Html, when } from "../html/Html.ts"
import { facts } from "../html/Table.ts"
import * as Parts from "./Parts.ts"
import * as Texts from "../text/Texts.ts"

const texts = Texts.living

type Tiles = ReadonlyArray<SignedSums.GroupSum>

const tones: Readonly<Record<Submission.StateGroup, string>> = {
  fiscalised: "good",
  waiting: "waiting",
  "to-send": "plain",
  unknown: "unknown",
  "not-accepted": "bad",
  held: "unknown",
  skipped: "plain"
}

export const amountsOf = ({ sums, unknown }: SignedSums.SignedSums): string =>
  [
    ...sums.map(({ currency, total }) => Parts.amount(currency, total)),
    ...(unknown === 0 ? [] : [texts.notKnown(unknown)])
  ].join(" · ")

type StatedFigures = SignedSums.Figured & { readonly documents: number; readonly stated: number }

/** Returns the amounts as the file states them. `stated`: number of documents with an amount. */
export const statedOf = (totals: ReadonlyArray<StatedFigures>): string => {
  const known = totals.filter(({ stated }) => stated > 0)
  const unknown = totals.reduce((sum, { documents, stated }) => sum + documents - stated, 0)
  return amountsOf({ ...SignedSums.of(known.map((one) => ({ ...one, documents: one.stated }))), unknown }).trim()
}

export const countOf = (tiles: Tiles, group: Submission.StateGroup): number =>
  tiles.find((tile) => tile.group === group)?.documents ?? 0

export const equation = (tiles: Tiles): Html =>
  html`<section class="card eq" aria-label="${texts.equation}">
    ${part("", SignedSums.together(tiles), html`<span>${texts.inFile}</span>`)}
    ${tiles.map((tile, at) => part(at === 0 ? "=" : "+", tile, html`<span class="badge ${tones[tile.group]}">${texts.tiles[tile.group]}</span>`))}
  </section>`

const part = (sign: string, sums: Omit<SignedSums.GroupSum, "group">, name: Html): Html =>
  html`${when(sign !== "", () => html`<span class="op">${sign}</span>`)}
    <div>
      <strong>${sums.documents.toLocaleString("en")}</strong> ${name} <span class="amount">${amountsOf(sums)}</span>
    </div>`

export const amounts = (
  summary: Pick<ImportSummary.ImportSummary, "taxes" | "totals">,
  group: Submission.StateGroup
): Html =>
  facts(
    SignedSums.ofGroup(summary, group).flatMap(({ currency, kinds, taxes, total }) => [
      ...kinds.map(({ documents, kind, total }) => [Parts.kindOf(kind, documents), Parts.figureOf(total)] as const),
      [`${Texts.word.total} ${currency}`, Parts.figureOf(total), "sum"] as const,
      ...taxes.map(
        ({ tax, taxCode }) =>
          [taxCode === null ? texts.taxNotKnown : texts.ofWhichTax(taxCode), Parts.figureOrBlank(tax)] as const
      )
    ]),
    "amounts"
  )

/**
 * Returns a bar with the shares of fiscalized, waiting and unknown documents. The rest of the bar
 * is the documents that are still to send.
 */
export const meter = (tiles: Tiles): Html => {
  const all = ["fiscalised", "waiting", "unknown", "to-send"] as const
  const total = all.reduce((sum, group) => sum + countOf(tiles, group), 0)
  if (total === 0) return html``
  let x = 0
  const rects = all.slice(0, -1).map((group) => {
    const width = (countOf(tiles, group) * 1000) / total
    const rect = `<rect class="${tones[group]}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="8"/>`
    x += width
    return rect
  })
  const label = all
    .map((group) => `${countOf(tiles, group).toLocaleString("en")} ${texts.tiles[group].toLowerCase()}`)
    .join(", ")
  return fixed(
    `<svg class="meter" viewBox="0 0 1000 8" preserveAspectRatio="none" role="img" aria-label="${escape(label)}">${rects.join("")}</svg>`
  )
}

/** Returns the signed net amount or tax of a document. Null if it is not known. */
export const sumOf = (
  { document, kind, shares }: ImportedDocument.ImportedDocument,
  percents: TaxShares.Percents,
  of: "net" | "tax"
): Money.Money | null =>
  SignedSums.signed(kind, TaxShares.sumsOf(shares ?? (document && TaxShares.of(document, percents)))[of])
