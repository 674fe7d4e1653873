/** Held documents of the check: the cause, the consequence, and the actions as buttons. */
import type { HoldCause } from "@fiscal-connector/core/submission/PlannedDocument"
import { html, type Html, when } from "../../html/Html.ts"
import * as Words from "../../text/Words.ts"
import type { Checked, PageImport, Row } from "../../work/PageImport.ts"
import { type Frame, tokenOf } from "./Layout.ts"

const words = Words.heldBack

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
    <h2>${words.titles[cause](rows.length)}</h2>
    ${when(first, () => html`<p>${first?.said ?? ""}</p>`)}
    <p>${words.consequence}</p>
    <div class="choices">
      ${when(decisions.includes("restamp"), () => button(frame, here, cause, "restamp", words.restamp, words.restampText))}
      ${when(decisions.includes("historical"), () => button(frame, here, cause, "historical", words.historical, words.historicalText))}
      ${button(frame, here, cause, "leave-out", words.leaveOut, words.leaveOutText)}
      <div>
        <p class="small soft">${words.laterText}</p>
        <a class="button quiet" href="${frame.prefix}/">${words.later}</a>
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
    ({ cause }) => cause ?? "person"
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
        <button class="link">${words.takeBack}</button>
      </div>
    </form>`
  const parts = [
    ...(decided.late === "restamp" ? [back("late", words.decidedLate)] : []),
    ...(timing === "historical" ? [back("historical", words.decidedHistorical)] : []),
    ...(decided.leftOut.size > 0 ? [back("left-out", words.decidedLeftOut(decided.leftOut.size))] : [])
  ]
  return when(
    parts.length > 0,
    () =>
      html`<section class="card">
        <h2>${words.yours}</h2>
        ${parts}
      </section>`
  )
}
