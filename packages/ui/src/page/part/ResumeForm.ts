/** What is on the way goes on, by a click: nothing is sent by itself after a restart. */
import { html, type Html, when } from "../../html/Html.ts"
import * as Words from "../../text/Words.ts"
import { type Frame, tokenOf } from "./Layout.ts"

const said = Words.document

/** `hasLive`: whether some of it may go to a live device, which has to be meant. `back`: the import that is shown again then, by its id; null shows the documents. */
export const resumeForm = (frame: Frame, onTheWay: number, hasLive: "live" | "none", back: number | null): Html =>
  html`<form class="note" method="post" action="${frame.prefix}/resume">
    ${tokenOf(frame)}${when(back !== null, () => html`<input type="hidden" name="back" value="${back}" />`)}
    <p>${said.onTheWay(onTheWay)}</p>
    ${when(hasLive === "live", () => html`<label class="line"><input type="checkbox" name="live" value="yes" /><span>${said.resumeLive}</span></label>`)}
    <div class="actions"><button>${said.resume}</button></div>
  </form>`
