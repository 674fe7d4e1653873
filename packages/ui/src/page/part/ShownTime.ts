/** Hidden field that says which states of the documents a form has shown. */
import type { Submission } from "@fiscal-connector/core/store"
import { DateTime } from "effect"
import { html, type Html } from "../../html/Html.ts"

export const shownOf = (documents: ReadonlyArray<Pick<Submission.Submission, "since">>): Html => {
  const latest = documents.reduce((last, { since }) => Math.max(last, since.epochMilliseconds), 0)
  return html`<input type="hidden" name="shown" value="${latest}" />`
}

/** Returns the field's time. Without the field it is 1970, so every document has changed since. */
export const shownIn = (form: ReadonlyMap<string, string>): DateTime.Utc =>
  DateTime.makeUnsafe(Number(/^\d{1,15}$/.exec(form.get("shown") ?? "")?.[0] ?? 0))
