/** The settings as the file that the command reads: for what no screen asks. It is checked before it is kept. */
import { createHash } from "node:crypto"
import { Flag, html, type Html } from "../html/Html.ts"
import * as Words from "../text/Words.ts"
import { type Frame, tokenOf } from "./part/Layout.ts"

const words = Words.book

/** By which a form knows whether somebody else has written the file meanwhile. */
export const sameAs = (text: string): string => createHash("sha256").update(text).digest("hex")

/** `typed`: the text as it was sent, where it was not taken; null shows the stored one. */
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
        <summary>${words.asFile}</summary>
        <p class="soft">${words.about}</p>
        <form method="post" action="${frame.prefix}/book">
          ${tokenOf(frame)}<input type="hidden" name="was" value="${sameAs(stored)}" />
          <label class="field"
            ><span>${name}</span
            ><textarea name="text" spellcheck="false" autocomplete="off">${typed ?? stored}</textarea>
          </label>
          <div class="actions"><button class="quiet">${words.save}</button></div>
        </form>
      </details>`
