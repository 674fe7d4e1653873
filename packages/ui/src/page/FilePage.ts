import { html, type Html, when } from "../html/Html.ts"
import { card, table } from "../html/Table.ts"
import * as Example from "../text/Example.ts"
import * as Texts from "../text/Texts.ts"
import type { PageImport } from "../work/PageImport.ts"
import type { Workplace } from "../work/Workplace.ts"
import { form, hidden, select } from "./part/Form.ts"
import { type Frame, notice, steps } from "./part/Layout.ts"

const texts = Texts.page

export interface UploadLimit {
  readonly bytes: number
  readonly label: string
}

/** Returns the note about too large files. The script shows it before sending. */
export const tooLargeNote = ({ label: limit }: UploadLimit): Html =>
  html`<p class="note bad" role="alert" data-too-large="files" hidden>${texts.tooLarge(limit)}</p>`

export const filePage = (
  frame: Frame,
  { accounts, formats }: Pick<Workplace, "accounts" | "formats">,
  running: ReadonlyArray<PageImport>,
  kept: Html,
  limit: UploadLimit,
  problem: string | null,
  example: "offered" | "hidden"
): Html =>
  html`${steps(0)}
    <h1>${texts.importTitle}</h1>
    <p class="soft">${texts.promise}</p>
    ${notice(problem, "bad")}
    <form method="post" action="${frame.prefix}/imports" enctype="multipart/form-data" data-limit="${limit.bytes}">
      ${hidden({ token: frame.token })}
      ${
        accounts.length > 1
          ? html`<div class="chips">
              ${select("account", Texts.word.account, Texts.questions.choose, new Map(accounts.map((one) => [one, one])), null, "required")}
            </div>`
          : hidden({ account: accounts[0] ?? "" })
      }
      <label class="drop" data-drop="files">
        <span class="big" id="files-name">${texts.choose}</span>
        <input type="file" name="file" multiple required autocomplete="off" aria-labelledby="files-name" />
        <span class="soft small">${texts.limit(limit.label)}</span>
        <span class="kinds">${formats.map(({ title }) => html`<span class="tag">${title}</span>`)}</span>
      </label>
      ${tooLargeNote(limit)}
      <noscript
        ><div class="actions"><button>${texts.read}</button></div></noscript
      >
      <details>
        <summary>${texts.moreWays}</summary>
        <div class="chips">
          ${select("format", texts.format, texts.byEnding, new Map(formats.map(({ name, title }) => [name, title])))}
          ${select("purpose", Texts.originals.purpose, Texts.originals.import, new Map([["originals", Texts.originals.register]]))}
        </div>
      </details>
    </form>
    <div class="links">
      <a href="${frame.prefix}/sample">${texts.sample}</a>
      ${when(example === "offered", () => form(frame, `${frame.prefix}/example`, {}, html`<button class="link">${texts.example}</button>`))}
    </div>
    ${when(running.length > 0, () => runningOf(frame, running))} ${kept}`

/** Shows the rows of a sample. It is not a file, which could be sent to a device. */
export const samplePage = ({ prefix }: Frame): Html => {
  const [head = [], ...rows] = Example.text.split("\n").map((row) => row.split(","))
  return html`<p><a href="${prefix}/">‹ ${texts.import}</a></p>
    <h1>${texts.sample}</h1>
    <p>${texts.sampleText}</p>
    ${table(
      texts.sample,
      head.map((text) => ({ text, look: "small" })),
      rows.slice(0, -1)
    )}`
}

const runningOf = (frame: Frame, running: ReadonlyArray<PageImport>): Html =>
  card(
    Texts.living.title.open,
    table(
      Texts.living.title.open,
      [],
      running.map(({ files, id, phase }) => [
        files.map(({ name }) => name).join(", "),
        Texts.phases[phase._tag] ?? "",
        html`<a href="${frame.prefix}/imports/${id}" aria-label="${`${texts.open} ${files[0]?.name ?? ""}`}"
          >${texts.open}</a
        >`
      ])
    )
  )
