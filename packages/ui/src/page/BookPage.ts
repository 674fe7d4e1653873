/**
 * Form with the settings as the command's file, for fields without a screen. Checked before saving.
 */
import { createHash } from "node:crypto"
import { Flag, html, type Html } from "../html/Html.ts"
import * as Texts from "../text/Texts.ts"
import { form } from "./part/Form.ts"
import type { Frame } from "./part/Layout.ts"

const texts = Texts.book

export const sameAs = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Returns the form. `typed`: the rejected text as sent; null shows the stored text. */
export const bookFileForm = (
  frame: Frame,
  name: string,
  stored: string | null,
  typed: string | null,
  standing: "open" | "closed"
): Html =>
  stored === null
    ? html``
    : html`<details ${new Flag("open", standing === "open")}>
        <summary>${texts.asFile}</summary>
        <p class="soft">${texts.about}</p>
        ${form(
          frame,
          `${frame.prefix}/book`,
          { was: sameAs(stored) },
          html`<label class="field"
              ><span>${name}</span
              ><textarea name="text" spellcheck="false" autocomplete="off">${typed ?? stored}</textarea>
            </label>
            <div class="actions"><button class="quiet">${texts.save}</button></div>`
        )}
      </details>`
