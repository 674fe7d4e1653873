/**
 * Form that continues sending by a click, because nothing is sent automatically after a restart.
 */
import { html, type Html, when } from "../../html/Html.ts"
import * as Texts from "../../text/Texts.ts"
import { box, form } from "./Form.ts"
import type { Frame } from "./Layout.ts"

const texts = Texts.document

/** Returns the form. `live`: the operator must confirm that documents go to a live device. */
export const resumeForm = (frame: Frame, hasLive: "live" | "none", note: Html | null = null): Html =>
  form(
    frame,
    `${frame.prefix}/resume`,
    {},
    html`${note} ${when(hasLive === "live", () => box("live", "yes", texts.resumeLive))}
      <button class="quiet">${texts.resume}</button>`,
    note === null ? "" : "note"
  )
