import { html, type Html } from "../../html/Html.ts"
import { card } from "../../html/Table.ts"
import * as Texts from "../../text/Texts.ts"
import type { BookHistory } from "../../work/BookHistory.ts"
import { form } from "./Form.ts"
import type { Frame } from "./Layout.ts"

export const lastChange = (frame: Frame, history: BookHistory, id: string): Html => {
  const last = history.all().at(-1)
  return card(
    Texts.fix.lastChange,
    last &&
      html`<ul class="plain-list">
          ${(last?.settings ?? []).map(({ to, what }) => html`<li>${what}${to === undefined ? "" : `: ${to}`}</li>`)}
        </ul>
        ${form(frame, `${frame.prefix}/imports/${id}/undo-book`, { change: last?.id ?? 0 }, html`<button class="link">${Texts.heldBack.takeBack}</button>`)}`
  )
}
