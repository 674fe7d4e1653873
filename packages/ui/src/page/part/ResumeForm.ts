/**
 * Form that continues sending by a click, because nothing is sent automatically after a restart.
 */
import { html, type Html, when } from "../../html/Html.ts"
import * as Texts from "../../text/Texts.ts"
import { type Frame, tokenOf } from "./Layout.ts"

const texts = Texts.document

/**
 * Returns the form. `hasLive`: `live` if documents may be sent to a live device, which the operator
 * must confirm. `back`: id of the import to show afterwards; null shows the documents.
 */
export const resumeForm = (frame: Frame, onTheWay: number, hasLive: "live" | "none", back: number | null): Html =>
  html`<form class="note" method="post" action="${frame.prefix}/resume">
    ${tokenOf(frame)}${when(back !== null, () => html`<input type="hidden" name="back" value="${back}" />`)}
    <p>${texts.onTheWay(onTheWay)}</p>
    ${when(hasLive === "live", () => html`<label class="line"><input type="checkbox" name="live" value="yes" /><span>${texts.resumeLive}</span></label>`)}
    <div class="actions"><button>${texts.resume}</button></div>
  </form>`
