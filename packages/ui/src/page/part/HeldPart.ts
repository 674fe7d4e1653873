/** Held documents of the check: the cause, the consequence, and the actions as buttons. */
import type { HoldCause } from "@fiscal-connector/core/submission/PlannedDocument"
import { html, type Html, when } from "../../html/Html.ts"
import * as Texts from "../../text/Texts.ts"
import type { Checked, PageImport, Row } from "../../work/PageImport.ts"
import { type Frame, tokenOf } from "./Layout.ts"

const texts = Texts.heldBack

/** Decisions available for a cause of holding. */
export type HeldDecision = "restamp" | "historical" | "leave-out"

/**
 * Returns the available decisions. `restamp` is offered for late documents only if the book does
 * not restamp already. Documents late despite restamping cannot be dated today.
 */
export const decisionsOf = (
  cause: HoldCause,
  { decided, timing }: Pick<PageImport, "decided" | "timing">,
  book: Checked["book"]
): ReadonlyArray<HeldDecision> => [
  ...(cause === "late" && decided.late !== "restamp" && book.late !== "restamp" ? (["restamp"] as const) : []),
  ...(cause === "historical" && timing === "ordinary" ? (["historical"] as const) : []),
  "leave-out"
]

const button = (
  frame: Frame,
  here: string,
  cause: HoldCause,
  decision: HeldDecision,
  title: string,
  text: string
): Html =>
  html`<form method="post" action="${here}/held">
    ${tokenOf(frame)}<input type="hidden" name="cause" value="${cause}" /><input
      type="hidden"
      name="decision"
      value="${decision}"
    />
    <p class="small soft">${text}</p>
    <button class="quiet">${title}</button>
  </form>`

const part = (
  frame: Frame,
  here: string,
  one: PageImport,
  book: Checked["book"],
  cause: HoldCause,
  rows: ReadonlyArray<Row>
): Html => {
  const decisions = decisionsOf(cause, one, book)
  const first = rows.find(({ said }) => said !== null)
  return html`<section class="note waiting">
    <h2>${texts.titles[cause](rows.length)}</h2>
    ${when(first, () => html`<p>${first?.said ?? ""}</p>`)}
    <p>${texts.consequence}</p>
    <div class="choices">
      ${when(decisions.includes("restamp"), () => button(frame, here, cause, "restamp", texts.restamp, texts.restampText))}
      ${when(decisions.includes("historical"), () => button(frame, here, cause, "historical", texts.historical, texts.historicalText))}
      ${button(frame, here, cause, "leave-out", texts.leaveOut, texts.leaveOutText)}
      <div>
        <p class="small soft">${texts.laterText}</p>
        <a class="button quiet" href="${frame.prefix}/">${texts.later}</a>
      </div>
    </div>
  </section>`
}

export const heldPart = (
  frame: Frame,
  here: string,
  one: PageImport,
  { book, rows }: Pick<Checked, "book" | "rows">
): Html => {
  const held = Map.groupBy(
    rows.filter(({ state }) => state === "Held"),
    ({ cause }) => cause ?? "operator"
  )
  return html`${Array.from(held, ([cause, own]) => part(frame, here, one, book, cause, own))}`
}

/** Lists the decisions about this import, each with a button to take it back. */
export const decidedPart = (
  frame: Frame,
  here: string,
  { decided, timing }: Pick<PageImport, "decided" | "timing">
): Html => {
  const back = (what: string, text: string) =>
    html`<form method="post" action="${here}/take-back">
      ${tokenOf(frame)}<input type="hidden" name="what" value="${what}" />
      <div class="actions">
        <p>${text}</p>
        <button class="link">${texts.takeBack}</button>
      </div>
    </form>`
  const parts = [
    ...(decided.late === "restamp" ? [back("late", texts.decidedLate)] : []),
    ...(timing === "historical" ? [back("historical", texts.decidedHistorical)] : []),
    ...(decided.leftOut.size > 0 ? [back("left-out", texts.decidedLeftOut(decided.leftOut.size))] : [])
  ]
  return when(
    parts.length > 0,
    () =>
      html`<section class="card">
        <h2>${texts.yours}</h2>
        ${parts}
      </section>`
  )
}
