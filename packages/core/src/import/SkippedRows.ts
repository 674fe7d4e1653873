/** What is skipped as the staging area has it: from the export, or because another statement of the same document counts. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Skipped } from "../source/SourceDocument.ts"
import type { Place } from "./StatedPlaces.ts"

const keyOf = (document: Skipped["document"]) =>
  document === undefined ? null : `${document.kind} ${document.id || document.number}`

export const skippedRow = (skipped: Skipped) => {
  const { cancelled, document, modified = null } = skipped
  return { reading: JSON.stringify(skipped), key: keyOf(cancelled), document: keyOf(document ?? cancelled), modified }
}

/** Takes a staged document out as skipped. */
export const skip = Effect.fnUntraced(function* (
  sql: SqlClient,
  { number, seq, source }: Pick<Place, "number" | "seq" | "source">,
  reason: string
) {
  const skipped = skippedRow({ _tag: "Skipped", key: number, reason, at: JSON.parse(source) })
  yield* sql`insert into skipped ${sql.insert(skipped)}`
  yield* sql`delete from document where seq = ${seq}`
})
