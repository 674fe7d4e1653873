import type { KeptImport } from "@fiscal-connector/core/host"
import { html, type Html, when } from "../html/Html.ts"
import { table } from "../html/Table.ts"
import * as Parts from "../report/Parts.ts"
import * as Texts from "../text/Texts.ts"
import type { Frame } from "./part/Layout.ts"

const texts = Texts.page

export const keptAddress = (frame: Pick<Frame, "prefix">, id: number): string => `${frame.prefix}/imports/r${id}`

type KeptStanding = Pick<KeptImport.KeptImport, "rest" | "standing">

const standingBadge = ({ rest, standing }: KeptStanding): Html => {
  switch (standing) {
    case "whole":
      return html``
    case "accepted":
      return html` <span class="badge waiting">${texts.importWaits(rest)}</span>`
    case "begun":
      return html` <span class="badge plain">${texts.importBegun}</span>`
    case "cancelled":
      return html` <span class="badge plain">${texts.importCanceled}</span>`
    case "incomplete":
      return html` <span class="badge bad">${texts.importIncomplete}</span>`
    case "unfinished":
      return html` <span class="badge bad">${texts.unfinished}</span>`
  }
}

export const importNote = ({ standing }: Pick<KeptStanding, "standing">): Html => {
  const note = (kind: "bad" | "waiting", text: string) => html`<div class="note ${kind}"><p>${text}</p></div>`
  switch (standing) {
    case "whole":
      return html``
    case "accepted":
      return note("waiting", texts.importWaitsNote)
    case "begun":
      return note("bad", texts.importBegunNote)
    case "cancelled":
      return note("waiting", texts.importCanceledNote)
    case "incomplete":
      return note("bad", texts.importIncompleteNote)
    case "unfinished":
      return note("bad", texts.brokeOff)
  }
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
            Texts.word.date,
            texts.files,
            { figures: Texts.word.documents },
            { figures: Texts.living.tiles["not-accepted"] },
            Texts.word.account,
            texts.open
          ],
          found.map(({ at, destination, documents, files, id, refused, rest, standing }) => {
            const name = files.map((file) => file.name).join(", ")
            return html`<tr>
              <td class="nowrap">${Texts.day(Parts.time(at))}</td>
              <td>${name}${standingBadge({ rest, standing })}</td>
              <td class="number">${documents.toLocaleString("en")}</td>
              <td class="number">${refused.toLocaleString("en")}</td>
              <td>${destination.account}</td>
              <td>
                <a
                  href="${sessions.get(id) ?? keptAddress(frame, id)}"
                  aria-label="${`${texts.open} ${name} ${Parts.time(at)}`}"
                  >${texts.open}</a
                >
              </td>
            </tr>`
          })
        )}
        ${when(before !== null, () => html`<div class="paging"><a href="${`${frame.prefix}/?before=${before}#imports`}">${Texts.page.next}</a></div>`)}
      </section>`
  )
