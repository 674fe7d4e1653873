/** Field `shown` of a form: the latest change of the documents that the form shows. */
import type { Submission } from "@fiscal-connector/core/store"
import { DateTime } from "effect"

export const latestOf = (documents: ReadonlyArray<Pick<Submission.Submission, "since">>): number =>
  documents.reduce((last, { since }) => Math.max(last, since.epochMilliseconds), 0)

/** Returns the field's time. Without the field it is 1970, so every document has changed since. */
export const shownIn = (form: ReadonlyMap<string, string>): DateTime.Utc =>
  DateTime.makeUnsafe(Number(/^\d{1,15}$/.exec(form.get("shown") ?? "")?.[0] ?? 0))
