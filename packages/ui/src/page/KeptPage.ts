import type { KeptImport } from "@fiscal-connector/core/host"
import { html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { Frame } from "./part/Layout.ts"

const texts = Texts.page

export const keptAddress = (frame: Pick<Frame, "prefix">, id: number): string => `${frame.prefix}/imports/r${id}`

type KeptStanding = Pick<KeptImport.KeptImport, "rest" | "standing">

/** Look and text of the badge, then of the note. */
const standings: Readonly<
  Record<
    Exclude<KeptImport.ImportStanding, "whole">,
    readonly [badge: "waiting" | "plain" | "bad", (rest: number) => string, note: "waiting" | "bad", text: string]
  >
> = {
  accepted: ["waiting", texts.importWaits, "waiting", texts.importWaitsNote],
  begun: ["plain", () => texts.importBegun, "bad", texts.importBegunNote],
  cancelled: ["plain", () => texts.importCanceled, "waiting", texts.importCanceledNote],
  incomplete: ["bad", () => texts.importIncomplete, "bad", texts.importIncompleteNote],
  unfinished: ["bad", () => texts.unfinished, "bad", texts.brokeOff]
}

const standingBadge = ({ rest, standing }: KeptStanding): Html => {
  if (standing === "whole") return html``
  const [look, text] = standings[standing]
  return html` <span class="badge ${look}">${text(rest)}</span>`
}

export const importNote = ({ standing }: Pick<KeptStanding, "standing">): Html => {
  if (standing === "whole") return html``
  const [, , look, text] = standings[standing]
  return html`<div class="note ${look}"><p>${text}</p></div>`
}

/**
 * Lists the imports in the store, newest first. `before`: id at which older imports begin, null
 * without older ones.
 */
export const keptList = (
  frame: Pick<Frame, "prefix">,
  found: ReadonlyArray<KeptImport.KeptImport>,
  sessions: ReadonlyMap<number, string>,
  before: number | null
): Html =>
  when(
    found.length > 0,
    () =>
      html`<section class="card" id="imports">
        <h2>${texts.imports}</h2>
        ${table(
          texts.imports,
          [
            { text: Texts.word.date, look: "nowrap" },
            texts.files,
            { figures: Texts.word.documents },
            { figures: Texts.living.tiles["not-accepted"] },
            Texts.word.account,
            texts.open
          ],
          found.map(({ at, destination, documents, files, id, refused, rest, standing }) => {
            const name = files.map((file) => file.name).join(", ")
            const here = sessions.get(id) ?? keptAddress(frame, id)
            return [
              Texts.day(Parts.time(at)),
              html`${name}${standingBadge({ rest, standing })}`,
              documents.toLocaleString("en"),
              refused.toLocaleString("en"),
              destination.account,
              html`<a href="${here}" aria-label="${`${texts.open} ${name} ${Parts.time(at)}`}">${texts.open}</a>`
            ]
          })
        )}
        ${when(before !== null, () => html`<div class="paging"><a href="${`${frame.prefix}/?before=${before}#imports`}">${Texts.page.next}</a></div>`)}
      </section>`
  )
