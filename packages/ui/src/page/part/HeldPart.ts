import { SignedSums, StagedDates } from "@fiscal-connector/core/host/import"
import { LateBy } from "@fiscal-connector/core/host/account"
import type { PlannedDocument } from "@fiscal-connector/core/store"
import { html, type Html, when } from "../../html/Html.ts"
import { card } from "../../html/Table.ts"
import * as Texts from "../../text/Texts.ts"
import type { Checked, PageImport, ImportRow } from "../../work/PageImport.ts"
import * as Tiles from "../../report/Tiles.ts"
import { caseCard, sideOfRows } from "./Case.ts"
import { box, form, option } from "./Form.ts"
import type { Frame } from "./Layout.ts"

const texts = Texts.heldBack

const part = (
  frame: Frame,
  here: string,
  one: PageImport,
  { book, lateBy }: Pick<Checked, "book" | "lateBy">,
  cause: PlannedDocument.HoldCause,
  rows: ReadonlyArray<ImportRow>
): Html => {
  const decisions = StagedDates.decisionsOf(cause, one, book)
  const first = rows.find(({ text }) => text !== null)
  const amount = Tiles.amountsOf(SignedSums.of(rows))
  return form(
    frame,
    `${here}/held`,
    { cause },
    caseCard(
      "waiting",
      texts.titles[cause](rows.length),
      sideOfRows(rows),
      html`<p>${Texts.dated(first?.text ?? "").replace(/\.?$/, ".")} ${texts.consequence}</p>
        ${option("decision", "keep", texts.keep, [texts.keepText])}
        ${when(decisions.includes("historical"), () => option("decision", "historical", texts.historical, [texts.historicalText]))}
        ${option("decision", "leave-out", texts.leaveOut, [texts.leaveOutText(amount)])}
        ${when(decisions.includes("restamp"), () =>
          option(
            "decision",
            "restamp",
            texts.restamp,
            [texts.restampText, ...(lateBy === null ? [] : [Texts.dated(LateBy.inWords(lateBy))])],
            lateBy === null ? null : box("nothing-older", "yes", texts.nothingOlder)
          )
        )}`,
      html`<button class="quiet">${texts.apply(rows.length)}</button><span class="soft small">${texts.untilSent}</span>`
    )
  )
}

export const heldPart = (
  frame: Frame,
  here: string,
  one: PageImport,
  checked: Pick<Checked, "book" | "lateBy" | "rows">
): Html => {
  const held = Map.groupBy(
    checked.rows.filter(({ state }) => state === "Held"),
    ({ cause }) => cause ?? "operator"
  )
  return html`${Array.from(held, ([cause, own]) => part(frame, here, one, checked, cause, own))}`
}

export const decidedPart = (
  frame: Frame,
  here: string,
  { decided, timing }: Pick<PageImport, "decided" | "timing">
): Html => {
  const back = (what: string, text: string) =>
    form(
      frame,
      `${here}/take-back`,
      { what },
      html`<div class="actions">
        <p>${text}</p>
        <button class="link">${texts.takeBack}</button>
      </div>`
    )
  const parts = [
    ...(decided.late === "restamp" ? [back("late", texts.decidedLate)] : []),
    ...(timing === "historical" ? [back("historical", texts.decidedHistorical)] : []),
    ...(decided.leftOut.size > 0 ? [back("left-out", texts.decidedLeftOut(decided.leftOut.size))] : [])
  ]
  return card(texts.yours, parts.length > 0 && parts)
}
