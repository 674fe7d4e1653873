/** Skipped by the export, or because another statement of the same document counts. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import { format, type Provenance } from "../finding/Provenance.ts"
import type { DocumentRow } from "./StagingArea.ts"

const keyOf = (document: Skipped["document"]) =>
  document === undefined ? null : `${document.kind} ${document.id || document.number}`

/**
 * `duplicate`: another statement of the same document counts. `elsewhere`: the document is
 * registered as fiscalized elsewhere, and accounted for.
 */
export type SkippedAs = "skipped" | "duplicate" | "elsewhere"

export interface Turn {
  readonly after: number
  readonly turn: number
}

export const skippedRow = (skipped: Skipped, { after, turn }: Turn, as: SkippedAs = "skipped") => {
  const { cancelled, document, modified = null } = skipped
  return {
    reading: JSON.stringify(skipped),
    key: keyOf(cancelled),
    document: keyOf(document ?? cancelled),
    modified,
    follows: after,
    turn,
    skipped_as: as
  }
}

export const skip = Effect.fnUntraced(function* (
  sql: SqlClient,
  { key, number, seq, source }: Pick<EntryPlace, "key" | "number" | "seq" | "source">,
  reason: string,
  as: SkippedAs
) {
  const [kind, id] = [key.slice(0, key.indexOf(" ")) as DocumentKind, key.slice(key.indexOf(" ") + 1)]
  const of = { kind, id, number }
  const skipped = skippedRow(
    { _tag: "Skipped", key: number, reason, at: JSON.parse(source), of },
    { after: seq, turn: 0 },
    as
  )
  yield* sql`insert into skipped ${sql.insert(skipped)}`
  yield* sql`delete from document where seq = ${seq}`
})

export type EntryPlace = Pick<DocumentRow, "seq" | "key" | "number" | "source">

export const named = 20

export const elsewhere = (others: ReadonlyArray<Pick<EntryPlace, "source">>): string => {
  const places = others.slice(0, named).map(({ source }) => format(lineOf(JSON.parse(source))))
  return `also at ${places.join(", ")}${others.length > named ? " and more" : ""}`
}

const lineOf = ({ file, line, sheet }: Provenance): Provenance => ({
  file,
  ...(line !== undefined && { line }),
  ...(sheet !== undefined && { sheet })
})
