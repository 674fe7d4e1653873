/** Forms of the page: each has the token against forged forms, and fields of one look. */
import type { Submission } from "@fiscal-connector/core/store"
import { DateTime } from "effect"
import { Flag, html, type Html, when } from "../../html/Html.ts"
import * as Texts from "../../text/Texts.ts"
import type { Frame } from "./Layout.ts"

type Fields = Readonly<Record<string, string | number | null>>

export const hidden = (fields: Fields): Html =>
  html`${Object.entries(fields).map(([name, value]) => (value === null ? html`` : html`<input type="hidden" name="${name}" value="${value}" />`))}`

/** Returns a form that changes something. `fields`: hidden ones. */
export const form = (
  { token }: Pick<Frame, "token">,
  address: string,
  fields: Fields,
  content: Html,
  look = ""
): Html => {
  const all = html`${hidden({ token, ...fields })}${content}`
  return look === ""
    ? html`<form method="post" action="${address}">${all}</form>`
    : html`<form class="${look}" method="post" action="${address}">${all}</form>`
}

/** Returns a field for a text of the operator. Never filled in advance. */
export const field = (
  name: string,
  label: string,
  keys: "text" | "numeric" = "text",
  empty: "refused" | "allowed" = "refused",
  look: "field" | "field small" = "field"
): Html =>
  html`<label class="${look}"
    ><span>${label}</span
    ><input
      type="text"
      name="${name}"
      ${new Flag("required", empty === "refused")}
      inputmode="${keys}"
      autocomplete="off"
  /></label>`

/** Returns a choice with what it does. `own`: what it asks. Never chosen in advance. */
export const option = (
  name: string,
  value: string,
  title: string,
  does: ReadonlyArray<string>,
  own: Html | null = null
): Html =>
  html`<label class="opt"
      ><input type="radio" name="${name}" value="${value}" required /><span
        ><b>${title}</b>${does.map((text) => html`<span class="soft small">${text}</span>`)}</span
      ></label
    >${own}`

/** Returns a list to choose from. `none`: the first choice, which chooses nothing. */
export const select = <Value extends string | number>(
  name: string,
  label: string,
  none: string,
  choices: ReadonlyMap<Value, string>,
  chosen: Value | null = null,
  is: "required" | "optional" = "optional"
): Html =>
  html`<label
    ><span>${label}</span
    ><select name="${name}" ${new Flag("required", is === "required")}>
      <option value="">${none}</option>
      ${Array.from(choices, ([value, text]) => html`<option value="${value}" ${new Flag("selected", value === chosen)}>${text}</option>`)}
    </select></label
  >`

/** Returns a box to tick. */
export const box = (name: string, value: string, label: string, is: "required" | "optional" = "optional"): Html =>
  html`<label class="line"
    ><input type="checkbox" name="${name}" value="${value}" ${new Flag("required", is === "required")} /><span
      >${label}</span
    ></label
  >`

/** Asks for the reason that every decision has. */
export const reasonField: Html = field("because", Texts.word.because)

/** Returns the field `shown`: the latest change of the documents that a form shows. */
export const latestOf = (documents: ReadonlyArray<Pick<Submission.Submission, "since">>): number =>
  documents.reduce((last, { since }) => Math.max(last, since.epochMilliseconds), 0)

/** Returns the time of the field `shown`. Without the field it is 1970: every document changed. */
export const shownIn = (form: ReadonlyMap<string, string>): DateTime.Utc =>
  DateTime.makeUnsafe(Number(/^\d{1,15}$/.exec(form.get("shown") ?? "")?.[0] ?? 0))

/**
 * Returns the form that goes on with sending, because nothing is sent automatically after a
 * restart. `live`: the operator must confirm that documents go to a live device.
 */
export const resumeForm = (
  frame: Frame,
  hasLive: "live" | "none",
  note: Html | null = null,
  look: "quiet" | "filled" = "quiet"
): Html =>
  form(
    frame,
    `${frame.prefix}/resume`,
    {},
    html`${note} ${when(hasLive === "live", () => box("live", "yes", Texts.document.resumeLive))}
      <button class="${look}">${Texts.document.resume}</button>`,
    note === null ? "" : "note"
  )
