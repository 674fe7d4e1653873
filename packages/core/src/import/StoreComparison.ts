/**
 * Compares staged documents with the store: known already, planned before, or using the number of
 * another document.
 */
import { Effect, Option, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { DocumentKind } from "../document/FiscalDocument.ts"
import type { CurrencyCode } from "../document/Identifiers.ts"
import * as Money from "../document/Money.ts"
import type { WrittenDocument } from "../document/WrittenDocument.ts"
import { AllocationFinding } from "../credit/CreditFinding.ts"
import * as Instant from "../document/Instant.ts"
import * as Finding from "../finding/Finding.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { NumberHolder } from "../submission/ledger/Ledger.ts"
import { nameOf } from "../submission/ledger/RefusedDocument.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import { RCPT013 } from "../finding/ReceiptRule.ts"
import type { Skipped } from "../source/SourceDocument.ts"
import { type RevisitChange, revisit, sourceChange, type Override } from "../submission/Revisit.ts"
import { ended, type Hold, type State, type Submission } from "../submission/Submission.ts"
import type { PlannedDocument } from "../submission/PlannedDocument.ts"
import type { KnownDocument, SourceNotice, StatedNow } from "../submission/PlanResult.ts"
import type { SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import { civilDateOf } from "../translate/translate.ts"
import { ImportFinding } from "./ImportFinding.ts"
import * as KnownSales from "./KnownSales.ts"
import { addFinding, type DocumentRow, insert, orStoreError, pages, perPage, type StoredRow } from "./StagingArea.ts"

export type PlanningStore = Pick<SubmissionStoreOperations, "getMany" | "known" | "ledger" | "stream"> & {
  readonly refused: Pick<SubmissionStoreOperations["refused"], "of">
}

interface StagedRow extends Pick<
  DocumentRow,
  "seq" | "kind" | "id" | "number" | "folded" | "key" | "fingerprint" | "rounded" | "day"
> {
  readonly refused: 0 | 1
}

export type StatedRow = Pick<DocumentRow, "seq" | "key" | "fingerprint" | "rounded">

export const submissionsOf = (
  rows: ReadonlyArray<Pick<DocumentRow, "kind" | "id" | "number">>,
  account: string,
  store: Pick<PlanningStore, "getMany">
) =>
  Effect.map(
    store.getMany(rows.map((row) => KnownSales.keyOf(account, row))),
    (stored): ReadonlyMap<string, Submission> => new Map(stored.map((one) => [nameOf(one), one]))
  )

type KnownDocuments = ReadonlyMap<string, KnownDocument>

export const knownOf = (
  rows: ReadonlyArray<Pick<DocumentRow, "kind" | "id" | "number">>,
  account: string,
  store: Pick<PlanningStore, "known">
) =>
  Effect.map(
    store.known(rows.map((row) => KnownSales.keyOf(account, row))),
    (all): KnownDocuments => new Map(all.map((one) => [nameOf(one.submission), one]))
  )

/**
 * Hold and operator decision of a known document; the operator's decision takes precedence over the
 * plan's result.
 */
export interface HeldOverride {
  readonly hold: Hold | null
  readonly override: Override | null
}

interface Past {
  readonly outcome: NonNullable<StoredRow["outcome"]>
  readonly text: string | null
}

interface ComparedNotice extends Pick<SourceNotice, "states" | "fingerprint"> {
  readonly because: SourceNotice["text"]
  readonly translated: number | null
  readonly kind: DocumentKind
  readonly document: string
}

export const compare = (
  sql: SqlClient,
  book: MappingBook,
  { account, taxpayer }: { readonly account: string; readonly taxpayer: string },
  store: PlanningStore
) => {
  const twins = { held: new Set<string>(), past: new Set<string>() }
  return pages(
    (last: StagedRow | undefined) =>
      sql<StagedRow>`select seq, kind, id, number, folded, key, fingerprint, rounded, day, refused from staged
      where seq > ${last?.seq ?? 0} order by seq limit ${perPage}`
  ).pipe(
    Stream.grouped(perPage),
    // one function for all pages: V8 keeps a generator function's closure until a full collection
    // (docs/decisions/014)
    Stream.runForEach(
      Effect.fnUntraced(function* (rows) {
        const known = yield* knownOf(rows, account, store)
        const past = yield* settlePast(sql, rows, known, store)
        const open = rows.filter(({ seq }) => !past.has(seq))
        yield* insert(sql, "notice", noticesOf(rows, known, past))
        yield* insert(sql, "stored", [
          ...Array.from(past, ([seq, { outcome }]) => ({ ...nothingKept, seq, outcome })),
          ...open.flatMap((row) => kept(row, known.get(row.key), book))
        ])
        const numbers = open.map(({ number }) => number)
        for (const { number, refused, seq } of rows) if (refused === 1 && past.has(seq)) twins.past.add(number)
        yield* refuseTaken(sql, open, account, yield* store.ledger.holders(taxpayer, numbers), twins.held)
        yield* KnownSales.ask(sql, open, { account, taxpayer }, store.ledger)
      })
    ),
    Effect.andThen(Effect.suspend(() => settleTwins(sql, twins))),
    Effect.andThen(KnownSales.askWithin(sql, account, store.ledger)),
    Effect.andThen(KnownSales.askReplaced(sql, { account, taxpayer }, book, store.ledger))
  )
}

const noticesOf = (
  rows: ReadonlyArray<StagedRow>,
  known: KnownDocuments,
  past: ReadonlyMap<number, Past>
): ReadonlyArray<ComparedNotice> =>
  rows.flatMap((row): ReadonlyArray<ComparedNotice> => {
    const { fingerprint, key, seq } = row
    const one = known.get(key)
    if (one === undefined) return []
    const { id, kind } = one.submission
    const text = past.get(seq)?.text ?? null
    const about = { translated: seq, kind, document: id, fingerprint }
    if (text !== null) return [{ ...about, states: "changed", because: text }]
    if (statedChange(row, one) === "restated") return [{ ...about, states: "restated", because: null }]
    return one.lastStated === "as-sent" ? [] : [{ ...about, states: "as-sent", because: null }]
  })

const statedChange = (
  { fingerprint, rounded }: Pick<StagedRow, "fingerprint" | "rounded">,
  { facts, restated, submission }: KnownDocument
) =>
  sourceChange(facts, { fingerprint: submission.fingerprint, restated }, { fingerprint, rounded: rounded.split(" ") })

const changeOf = Effect.fnUntraced(function* (
  sql: SqlClient,
  row: Omit<StatedRow, "key">,
  known: KnownDocument
): Effect.fn.Return<RevisitChange, SqlError> {
  if (statedChange(row, known) === "source") return "source"
  const { body } = known
  if (body === null) return "nothing"
  const [translation] = yield* sql<{ readonly text: string }>`select text from translation where seq = ${row.seq}`
  return translation?.text === body ? "nothing" : "translation"
})

export const isEnded = Effect.fnUntraced(function* (sql: SqlClient, row: StatedRow, known: KnownDocuments) {
  const one = known.get(row.key)
  if (one === undefined || !ended.includes(one.submission.state) || one.facts.attempts === "open") return false
  const { _tag } = revisit(one.facts, yield* changeOf(sql, row, one))
  return _tag === "Keep" || _tag === "Conflict"
})

const settlePast = Effect.fnUntraced(function* (
  sql: SqlClient,
  rows: ReadonlyArray<StagedRow>,
  known: KnownDocuments,
  store: Pick<PlanningStore, "ledger">
) {
  const past = new Map<number, Past>()
  for (const row of rows) {
    const one = known.get(row.key)
    if (one === undefined) continue
    const decision = revisit(one.facts, yield* changeOf(sql, row, one))
    if (decision._tag === "Keep" || decision._tag === "Conflict") yield* noteMoved(sql, row, one, store)
    // a known document that this export states again and that is refused now is reported as refused
    if (decision._tag === "Keep" && (row.refused === 0 || one.body === null))
      past.set(row.seq, { outcome: "Known", text: null })
    if (decision._tag !== "Conflict") continue
    if (one.settled.change === row.fingerprint) {
      past.set(row.seq, { outcome: "Settled", text: decision.text })
      continue
    }
    past.set(row.seq, { outcome: "Differs", text: decision.text })
    yield* addFinding(sql, row.seq, Finding.make(ImportFinding.DIFFERS_FROM_SENT, { detail: decision.text }))
  }
  return past
})

const noteMoved = Effect.fnUntraced(function* (
  sql: SqlClient,
  { kind, seq }: StagedRow,
  { original, submission: { account } }: KnownDocument,
  { ledger }: Pick<PlanningStore, "ledger">
) {
  if (kind !== "credit-note" || original === null) return
  const [moved] = yield* sql<{ readonly to: string }>`
    select original_id as "to" from translation
    where seq = ${seq} and original_id <> ${original}
      and not exists (select 1 from finding where seq = ${seq} and finding ->> 'code' = ${AllocationFinding.NOTE_ALLOCATED_SINCE.code})`
  if (moved === undefined) return
  const named = (id: string) =>
    Effect.map(
      ledger.original(account, { by: "id", value: id }),
      Option.match({ onNone: () => id, onSome: ({ number }) => number })
    )
  const detail = `sent for ${yield* named(original)}, now allocated to ${yield* named(moved.to)}`
  yield* addFinding(sql, seq, Finding.make(AllocationFinding.NOTE_ALLOCATED_SINCE, { path: ["originals"], detail }))
})

const nothingKept = { outcome: null, kept: null, kept_day: null, dated: null, word: null }

/** The receipt date, unless the document's own date has changed, and the operator's decision. */
const kept = (
  { day, seq }: StagedRow,
  known: KnownDocument | undefined,
  { zone }: MappingBook
): ReadonlyArray<StoredRow> => {
  if (known === undefined) return []
  const { dated, submission, override } = known
  const { receiptDate, sourceDate } = submission
  const date = receiptDate === null || sourceDate !== day ? null : receiptDate
  if (date === null && override === null) return []
  const stored = override === null ? null : JSON.stringify({ hold: submission.hold, override } satisfies HeldOverride)
  const settled = date !== null && { kept: Instant.seconds(date), kept_day: civilDateOf(date, zone), dated }
  return [{ ...nothingKept, seq, ...settled, word: stored }]
}

const refuseTaken = Effect.fnUntraced(function* (
  sql: SqlClient,
  rows: ReadonlyArray<StagedRow>,
  account: string,
  holders: ReadonlyArray<NumberHolder>,
  taken: Set<string>
) {
  for (const holder of holders) {
    const message = `the number ${holder.number} belongs to another document of the taxpayer`
    const detail = `${holder.kind} ${holder.id}, account ${holder.account}`
    const fix =
      "If it is the same document under another identifier (from another tool or another export), it was sent already: leave it out. If not, numbers are unique for a taxpayer for ever: give it another in the source."
    for (const { key, number, seq } of rows) {
      if (number !== holder.number || (holder.account === account && key === `${holder.kind} ${holder.id}`)) continue
      taken.add(number)
      yield* addFinding(sql, seq, Finding.make(RCPT013, { message, detail, fix, path: ["number"] }))
    }
  }
})

/**
 * A number in the store is its holder's, and a sent document has the number under which it was
 * sent. Only the others are refused, if there are several.
 */
const settleTwins = Effect.fnUntraced(function* (sql: SqlClient, { held, past }: Record<"held" | "past", Set<string>>) {
  if (held.size + past.size === 0) return
  const given = (numbers: Set<string>) => sql`(select value from json_each(${JSON.stringify([...numbers])}))`
  const settled = sql`select seq from document d where key not in (select key from document group by key having count(*) > 1)
    and (number in ${given(held)} or number in ${given(past)} and (
      select count(*) from document o left join stored using (seq) where o.number = d.number and outcome is null) < 2)`
  yield* sql`delete from finding where finding ->> 'code' = ${ImportFinding.DOCUMENT_TWICE.code} and seq in (${settled})`
  yield* sql`delete from refused where seq in (${settled})
    and seq not in (select seq from finding where finding ->> 'severity' = 'error')`
})

/**
 * Reserves the seconds of documents planned earlier. Documents of this batch are excluded, because
 * they are dated with the batch.
 */
export const reserve = Effect.fnUntraced(function* (
  sql: SqlClient,
  { account, lane }: { readonly account: string; readonly lane: string },
  store: Pick<PlanningStore, "stream">
) {
  yield* store.stream({ lane, states: ["Planned"] }).pipe(
    Stream.grouped(perPage),
    Stream.runForEach((page) => {
      const seconds = page.flatMap(({ id, kind, receiptDate, ...of }) =>
        receiptDate === null ? [] : [[Instant.seconds(receiptDate), of.account === account ? `${kind} ${id}` : null]]
      )
      return sql`insert into reserved
        select value ->> 0, value ->> 1 from json_each(${JSON.stringify(seconds)})`
    })
  )
  yield* sql`delete from reserved where key in (select key from document join stored using (seq) where kept is not null)`
  yield* sql`create index by_second on reserved (second)`
})

const unsent: ReadonlySet<State> = new Set(["Planned", "Held"])
const failed: ReadonlySet<State> = new Set(["Rejected", "Declined"])

const ofAllocations = [AllocationFinding.NOTE_ALLOCATED_SINCE, AllocationFinding.NOTE_PARTLY_ALLOCATED].map(
  ({ code }) => code
)

interface FindingOfKnown extends Pick<DocumentRow, "number" | "source"> {
  readonly id: number
  readonly finding: string
}

export const allocatedOtherwise = (sql: SqlClient) =>
  pages(
    (last: FindingOfKnown | undefined) =>
      sql<FindingOfKnown>`select finding.id, number, source, finding
      from stored join finding using (seq) join document using (seq)
      where outcome = 'Known' and finding ->> 'code' in ${sql.in(ofAllocations)}
        and finding.id > ${last?.id ?? 0} order by finding.id limit ${perPage}`
  ).pipe(
    Stream.map(({ finding, number, source }): Finding.Finding => {
      const found: Finding.Finding = JSON.parse(finding)
      return { ...found, detail: `${number}: ${found.detail ?? ""}`, at: JSON.parse(source) }
    }),
    Stream.runCollect
  )

/** A sent document needs a credit note, an unsent one must not be sent. */
export const canceled = (sql: SqlClient, account: string, store: Pick<PlanningStore, "known">) =>
  pages(
    (last: { readonly seq: number; readonly reading: string } | undefined) =>
      sql<{ readonly seq: number; readonly reading: string }>`select seq, reading from skipped
      where key is not null and seq > ${last?.seq ?? 0} order by seq limit ${perPage}`
  ).pipe(
    Stream.grouped(perPage),
    Stream.mapEffect(
      Effect.fnUntraced(function* (page) {
        const skipped = page.flatMap(({ reading }) => {
          const { at, cancelled, key }: Skipped = JSON.parse(reading)
          return cancelled === undefined ? [] : [{ ...cancelled, at, name: key }]
        })
        const known = yield* knownOf(skipped, account, store)
        const still = skipped.flatMap(({ at, name, ...document }) => {
          const one = known.get(nameOf(document))
          if (one === undefined || one.submission.state === "Withdrawn" || one.settled.canceling === "settled")
            return []
          return [{ submission: one.submission, at, name }]
        })
        const unknown = still.filter(({ submission }) => submission.cancelled === null)
        yield* insert(
          sql,
          "notice",
          unknown.map(({ submission: { id, kind } }): ComparedNotice => ({
            translated: null,
            kind,
            document: id,
            states: "cancelled",
            fingerprint: null,
            because: null
          }))
        )
        return still.map(({ at, name, submission: { number, state } }) => {
          const particulars = { detail: `${name} is ${state} here`, at }
          const isFailed = failed.has(state)
          if (!isFailed && !unsent.has(state)) return Finding.make(ImportFinding.CANCELLED_AFTER_SENDING, particulars)
          return Finding.make(ImportFinding.CANCELLED_WHILE_PLANNED, {
            ...particulars,
            ...(isFailed && { message: "The source canceled a document that failed at the gateway" }),
            steps: [{ do: "withdraw", document: number }]
          })
        })
      })
    ),
    Stream.runCollect,
    Effect.map((found) => found.flat())
  )

export const meaningOf = (
  { currency, taxCodes }: Pick<WrittenDocument, "currency" | "taxCodes">,
  { currencies, taxes }: MappingBook
): Pick<PlannedDocument, "meaning"> => {
  const device = currencies.find(({ code }) => code === currency)?.device
  const meant = taxCodes.flatMap((code) => {
    const tax = taxes.find((one) => one.code === code)
    return tax === undefined ? [] : [[code, tax.device, tax.percent && Money.formatPlain(tax.percent)] as const]
  })
  return device === undefined || meant.length < taxCodes.length ? {} : { meaning: { currency: device, taxes: meant } }
}

export const notices = (
  sql: SqlClient,
  account: string,
  book: MappingBook,
  codes: "checked" | "not-checked"
): Stream.Stream<SourceNotice, StoreError> =>
  pages((last: (StreamedNotice & { readonly seq: number }) | undefined) =>
    sql<
      StreamedNotice & { readonly seq: number }
    >`select notice.id as seq, kind, document, states, fingerprint, because,
        translation.text, translation.currency, translation.tax_codes from notice
      left join translation on translation.seq = notice.translated and completeness = 'complete' and states = 'changed'
      where notice.id > ${last?.seq ?? 0} order by notice.id limit ${perPage}`.pipe(orStoreError)
  ).pipe(
    Stream.map((row) => ({
      key: { account, kind: row.kind, id: row.document },
      states: row.states,
      fingerprint: row.fingerprint,
      text: row.because,
      now: codes === "checked" ? statedNow(row, book) : undefined
    }))
  )

interface StreamedNotice extends Omit<ComparedNotice, "translated"> {
  readonly text: string | null
  readonly currency: string | null
  readonly tax_codes: string | null
}

const statedNow = ({ currency, tax_codes, text }: StreamedNotice, book: MappingBook): StatedNow | undefined => {
  if (text === null || currency === null || tax_codes === null) return undefined
  const { meaning } = meaningOf({ currency: currency as CurrencyCode, taxCodes: JSON.parse(tax_codes) }, book)
  return meaning === undefined ? undefined : { body: text, meaning }
}
