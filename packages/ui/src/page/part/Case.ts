/** Block of one cause: what it is, its documents and amount, its consequence, and its actions. */
import { html, type Html, when } from "../../html/Html.ts"

/**
 * Returns the block. `tone`: `bad` without a receipt, `waiting` for an answer. `side`: documents and
 * amount. `actions`: the first is the one after which books and receipts agree.
 */
export const caseCard = (
  tone: "bad" | "waiting",
  title: string,
  side: string,
  content: Html,
  actions: Html | null = null
): Html =>
  html`<section class="card case ${tone}">
    <header>
      <h2>${title}</h2>
      <span class="small soft">${side}</span>
    </header>
    ${content} ${when(actions, () => html`<footer>${actions}</footer>`)}
  </section>`
