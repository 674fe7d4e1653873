/**
 * The latest state counts if the export states all modification times, otherwise issued and
 * unissued states refuse the document.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Finding from "../finding/Finding.ts"
import { format } from "../finding/Provenance.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import { ImportFinding } from "./ImportFinding.ts"
import { elsewhere, type EntryPlace, skip } from "./SkippedRows.ts"
import * as StagingArea from "./StagingArea.ts"

interface DatedPlace extends EntryPlace {
  readonly modified: number | null
}

interface Unissued {
  readonly seq: number
  readonly reading: string
  readonly modified: number | null
}

export const keepLatest = Effect.fnUntraced(function* (sql: SqlClient) {
  const restated = yield* sql<{ readonly key: string }>`select key from document
      group by key having min(wording) <> max(wording) and count(modified) = count(*)
    union select distinct document.key from skipped join document on document.key = skipped.document`
  for (const { key } of restated) yield* settleOne(sql, key)
})

const settleOne = Effect.fnUntraced(function* (sql: SqlClient, key: string) {
  const issued = yield* sql<DatedPlace>`select seq, key, number, source, modified from document
    where key = ${key} order by place, seq`
  const unissued = yield* sql<Unissued>`select seq, reading, modified from skipped where document = ${key} order by seq`
  const times = [...issued, ...unissued].map(({ modified }) => modified)
  const latest = times.includes(null) ? undefined : Math.max(...times.map(Number))
  const isLatest = ({ modified }: { readonly modified: number | null }) => modified === latest
  const states = { issued: issued.filter(isLatest), unissued: unissued.filter(isLatest) }
  if (latest === undefined || (states.issued.length > 0 && states.unissued.length > 0)) {
    if (unissued.length > 0) yield* refuse(sql, issued, unissued)
    return
  }
  const [state] = states.unissued
  if (state !== undefined) {
    const { reason }: Skipped = JSON.parse(state.reading)
    for (const statement of issued)
      yield* skip(sql, statement, `stated again later (${timeOf(latest)}): ${reason}`, "skipped")
    return
  }
  const earlier = issued.filter((statement) => !isLatest(statement))
  for (const statement of earlier) yield* skip(sql, statement, `stated again later (${timeOf(latest)})`, "duplicate")
  // canceled earlier, issued again later: drop the cancellation
  for (const { seq } of unissued) yield* sql`update skipped set key = null where seq = ${seq}`
  const places = [...earlier, ...unissued.map(placeOf)]
  if (places.length === 0) return
  const detail = `as of ${timeOf(latest)}; ${elsewhere(places)}`
  for (const { seq } of states.issued) {
    yield* StagingArea.addFinding(sql, seq, Finding.make(ImportFinding.DOCUMENT_SUPERSEDED, { detail }))
  }
})

const refuse = Effect.fnUntraced(function* (
  sql: SqlClient,
  issued: ReadonlyArray<DatedPlace>,
  unissued: ReadonlyArray<Unissued>
) {
  const others = unissued.map(({ reading }) => {
    const { at, reason }: Skipped = JSON.parse(reading)
    return `${format({ file: at.file, ...(at.line !== undefined && { line: at.line }) })} ${reason}`
  })
  for (const { seq } of issued) {
    const places = issued.filter((other) => other.seq !== seq)
    const detail = [...others, ...(places.length > 0 ? [elsewhere(places)] : [])].join("; ")
    yield* StagingArea.addFinding(sql, seq, Finding.make(ImportFinding.DOCUMENT_STATES_DIFFER, { detail }))
  }
})

const placeOf = ({ reading }: Unissued): Pick<EntryPlace, "source"> => {
  const { at }: Skipped = JSON.parse(reading)
  return { source: JSON.stringify(at) }
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()
