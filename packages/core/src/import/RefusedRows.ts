/**
 * Refused documents of a plan, and earlier ones that it accounts for, for the store to remember.
 */
import { createHash } from "node:crypto"
import { Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { creditRules } from "../credit/creditRules.ts"
import type { CivilDate } from "../document/CivilDate.ts"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import { type Finding, refuses } from "../finding/Finding.ts"
import { nameOf, type RefusedGiven, unnumbered } from "../submission/ledger/RefusedDocument.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import { type DocumentRow, findingsOf, orStoreError, pages, perPage } from "./StagingArea.ts"

interface RefusedPageRow extends Pick<DocumentRow, "seq" | "id" | "number" | "fingerprint"> {
  readonly kind: DocumentKind
  readonly day: CivilDate | null
  readonly original: string | null
  readonly findings: string
  readonly is_late: 0 | 1
}

/** Codes of refusals after which the original of a credit note may be another invoice. */
const ofOriginal = new Set<string>(creditRules.map(({ rule }) => rule.code))

const originalOf = ({ original }: RefusedPageRow, findings: ReadonlyArray<Finding>): string | null =>
  findings.some((one) => refuses(one) && (one.path[0] === "originals" || ofOriginal.has(one.code))) ? null : original

const codesOf = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> => [
  ...new Set(findings.filter(refuses).map(({ code }) => code))
]

/** Returns a row that is not a document, without its place: the row may move in the next export. */
const ofStray = (finding: Finding): RefusedGiven => {
  const { at, code, detail, message } = finding
  const content = createHash("sha256")
    .update(JSON.stringify([code, message, detail, at?.columnName, at?.text]))
    .digest("hex")
  return {
    name: `row ${content.slice(0, 16)}`,
    kind: null,
    // not the cell's text, which may be a buyer's
    number: message,
    day: null,
    original: null,
    content,
    codes: [code],
    dated: "as-before"
  }
}

export const nameOfStray = (finding: Finding): string => ofStray(finding).name

/**
 * Returns all refused documents: those of which nothing is sent, and known ones that the source
 * does not state readably any more.
 */
export const all = (
  sql: SqlClient,
  unattached: ReadonlyArray<Finding>
): Effect.Effect<ReadonlyArray<RefusedGiven>, StoreError> =>
  pages((last: RefusedPageRow | undefined) =>
    sql<RefusedPageRow>`select staged.seq, kind, id, number, day, fingerprint,
        case when outcome in ('Known', 'Settled') then ${sql.literal(findingsOf("staged.seq", "and stated"))}
          else ${sql.literal(findingsOf("staged.seq"))} end as findings,
        exists (select 1 from overtaken where overtaken.seq = staged.seq) as is_late,
        case when note.held is null or note.original_seq is not null then original_id end as original
      from staged left join note using (seq) left join translation using (seq) where refused and staged.seq > ${last?.seq ?? 0} order by staged.seq limit ${perPage}`.pipe(
      orStoreError
    )
  ).pipe(
    Stream.map((row): RefusedGiven => {
      const findings: ReadonlyArray<Finding> = JSON.parse(row.findings)
      const named = row.number || row.id
      return {
        name: nameOf(named === "" ? { ...row, id: row.fingerprint } : row),
        kind: row.kind,
        number: named || unnumbered,
        day: row.day,
        original: originalOf(row, findings),
        content: row.fingerprint,
        codes: codesOf(findings),
        dated: row.is_late === 1 ? "now-late" : "as-before"
      }
    }),
    Stream.filter(({ codes }) => codes.length > 0),
    Stream.runCollect,
    Effect.map((rows) => [...rows, ...unattached.filter(refuses).map(ofStray)])
  )

/**
 * Returns the names that this export accounts for: known documents, and those it does not issue.
 */
export const accountedFor = (
  sql: SqlClient,
  skipped: Stream.Stream<Skipped, StoreError>,
  names: ReadonlySet<string>
): Effect.Effect<ReadonlyArray<string>, StoreError> =>
  Effect.gen(function* () {
    if (names.size === 0) return []
    const known = yield* sql<{
      readonly name: string
    }>`select value as name from json_each(${JSON.stringify([...names])})
      where value in (select kind || ' ' || case when id = '' then number else id end from staged
        where outcome in ('Known', 'Settled') and not exists (select 1 from finding where finding.seq = staged.seq and stated))`
    const unissued = yield* Stream.runCollect(skipped)
    const named = unissued.flatMap(({ cancelled, document, of }) =>
      [cancelled, document, of].flatMap((one) => (one === undefined ? [] : [nameOf(one)]))
    )
    return [...known.map(({ name }) => name), ...named.filter((name) => names.has(name))]
  }).pipe(orStoreError)
