import { RememberedAnswers } from "@fiscal-connector/core/host/import"
import { html, type Html } from "../html/Html.ts"
import * as Texts from "../text/Texts.ts"
import type { PageImport } from "../work/PageImport.ts"
import { form } from "./part/Form.ts"
import type { Frame } from "./part/Layout.ts"

const texts = Texts.page

const action = (frame: Frame, { id }: PageImport, what: string): string => `${frame.prefix}/imports/${id}/${what}`

export const discardForm = (frame: Frame, one: PageImport, look: "quiet" | "link" = "quiet"): Html =>
  form(frame, action(frame, one, "discard"), {}, html`<button class="${look}">${texts.discard}</button>`)

export const rememberBox = html`<label class="line"
  ><input type="checkbox" name="remember" value="yes" checked /><span>${texts.remember}</span></label
>`

export const recalledNote = (frame: Frame, one: PageImport, file: string): Html => {
  const { recalled } = one
  return recalled === null
    ? html``
    : form(
        frame,
        action(frame, one, "forget"),
        {},
        html`<p>${texts.recalledFrom(RememberedAnswers.describe(recalled), recalled.from, recalled.on, file)}</p>
          <div class="actions"><button class="quiet">${texts.forgetAnswers}</button></div>`,
        "note"
      )
}
