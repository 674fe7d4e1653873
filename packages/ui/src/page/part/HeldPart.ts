import { SignedSums, StagedDates } from "@fiscal-connector/core/host/import"
import { LateBy } from "@fiscal-connector/core/host/account"
import { html, type Html, when } from "../../html/Html.ts"
import { card } from "../../html/Table.ts"
import * as Texts from "../../text/Texts.ts"
import type { Checked, PageImport } from "../../work/PageImport.ts"
import * as Tiles from "../../report/Tiles.ts"
import { caseCard, sideOfRows } from "./Case.ts"
import { box, form, option } from "./Form.ts"
import type { Frame } from "./Layout.ts"

const texts = Texts.heldBack

export const heldPart = (
  frame: Frame,
  here: string,
  one: PageImport,
  { book, lateBy, rows }: Pick<Checked, "book" | "lateBy" | "rows">
): Html => {
  const held = Map.groupBy(
    rows.filter(({ state }) => state === "Held"),
    ({ cause }) => cause ?? "operator"
  )
  return html`${Array.from(held, ([cause, own]) => {
    const decisions = StagedDates.decisionsOf(cause, one, book)
    const first = own.find(({ text }) => text !== null)
    const amount = Tiles.amountsOf(SignedSums.of(own))
    const content = html`<p>${Texts.dated(first?.text ?? "").replace(/\.?$/, ".")} ${texts.consequence}</p>
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
      )}`
    const apply = html`<button class="quiet">${texts.apply(own.length)}</button>
      <span class="soft small">${texts.untilSent}</span>`
    const card = caseCard("waiting", texts.titles[cause](own.length), sideOfRows(own), content, apply)
    return form(frame, `${here}/held`, { cause }, card)
  })}`
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
