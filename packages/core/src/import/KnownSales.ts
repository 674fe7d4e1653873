/**
 * Registered as fiscalized elsewhere, or alike to a known document or to another one of the export
 * (submission/ledger/SameSale).
 */
import { Effect, Stream } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import * as CreditNumber from "../submission/ledger/CreditNumber.ts"
import * as Finding from "../finding/Finding.ts"
import type { Ledger } from "../submission/ledger/Ledger.ts"
import type { MappingBook } from "../mapping/MappingBook.ts"
import type { Numbered } from "../source/Readings.ts"
import type { SourceDocument, SourceOriginal } from "../source/SourceDocument.ts"
import * as SameSale from "../submission/ledger/SameSale.ts"
import type { Destination } from "../account/Destination.ts"
import { ImportFinding } from "./ImportFinding.ts"
import { type EntryPlace, skip } from "./SkippedRows.ts"
import { addFinding, type DocumentRow, hasFolds, insert, pages, type TranslationRow } from "./StagingArea.ts"

/**
 * Another spelling gets the identifier and the number of the known document, before anything is
 * compared.
 */
export const spelled = (ledger: Ledger, account: string) =>
  Effect.map(ledger.spellings(account), (spellings) => {
    if (spellings.length === 0) return (numbered: Numbered): Numbered => numbered
    const known = new Map(
      spellings.flatMap(({ id, kind, of }) => (of.account === account ? [[`${kind} ${id}`, of] as const] : []))
    )
    const named = (original: SourceOriginal): SourceOriginal => {
      const of = known.get(`invoice ${original.value}`)
      return of === undefined ? original : { ...original, by: "id", value: of.id }
    }
    return ({ reading, seq }: Numbered): Numbered => {
      if (reading._tag !== "SourceDocument") return { reading, seq }
      const { id, kind, number, originals } = reading
      const of = known.get(`${kind} ${id || number}`)
      const isCredit = originals.some((original) => named(original) !== original)
      if (of === undefined && !isCredit) return { reading, seq }
      const stated = { originals: originals.map(named), ...(of !== undefined && { id: of.id, number: of.number }) }
      return { seq, reading: renamed(reading, stated) }
    }
  })

const renamed = (document: SourceDocument, stated: Partial<SourceDocument>): SourceDocument =>
  new Proxy(document, {
    get: (target, field) => {
      if (Object.hasOwn(stated, field)) return stated[field as keyof SourceDocument]
      const value: unknown = Reflect.get(target, field, target)
      return typeof value === "function" ? value.bind(target) : value
    }
  })

type InvoiceRow = EntryPlace & Pick<DocumentRow, "id" | "day"> & Pick<TranslationRow, "currency" | "total">

// rows are small, and a page of them is one query of the store
const together = 1000

/**
 * Skips invoices that are registered as fiscalized elsewhere and are no documents of the store. An
 * invoice with another day, currency or total is refused.
 */
export const settleRegistered = Effect.fnUntraced(function* (
  sql: SqlClient,
  ledger: Ledger,
  { account }: Pick<Destination, "account">
) {
  let after = 0
  while (true) {
    const rows = yield* sql<InvoiceRow>`select seq, key, id, number, source, day, currency, total
      from document left join translation using (seq) where kind = 'invoice' and seq > ${after}
      order by seq limit ${together}`
    const known = yield* ledger.registered(
      account,
      rows.map(({ id, number }) => id || number)
    )
    if (known.length > 0) {
      const byId = new Map(known.map((one) => [one.id, one]))
      for (const row of rows) {
        const one = byId.get(row.id || row.number)
        if (one === undefined) continue
        const facts = [
          ["day", one.day, row.day],
          ["currency", one.currency, row.currency],
          ["total", one.total, row.total]
        ] as const
        const differing = facts.filter(([, there, here]) => there !== here)
        if (differing.length === 0) yield* skip(sql, row, SameSale.elsewhere(one), "elsewhere")
        else {
          const detail = differing.map(([what, there, here]) => `${what} ${there}, now ${here ?? "not readable"}`)
          const message = `it is ${SameSale.elsewhere(one)} with other values`
          yield* addFinding(
            sql,
            row.seq,
            Finding.make(ImportFinding.DIFFERS_FROM_REGISTERED, { message, detail: detail.join("; ") })
          )
        }
      }
    }
    if (rows.length < together) return
    after = rows.at(-1)!.seq
  }
})

/**
 * Refuses numbers of the source that a prepared credit note has or may get, once the account
 * prepares notes.
 */
export const refusePreparedNumbers = Effect.fnUntraced(function* (
  sql: SqlClient,
  ledger: Ledger,
  { account, creditNumbers = CreditNumber.standard }: Pick<Destination, "account"> & { readonly creditNumbers?: string }
) {
  let after = 0
  while (true) {
    const rows = yield* sql<EntryPlace & Pick<DocumentRow, "id">>`select seq, key, id, number, source from document
      where seq > ${after} and number like ${CreditNumber.likeOf(creditNumbers)} order by seq limit ${together}`
    const made = rows.map((row) => ({ row, originals: CreditNumber.originalsOf(creditNumbers, row.number) }))
    const numbers = [...new Set(made.flatMap(({ originals }) => originals))]
    const known = numbers.length === 0 ? [] : yield* ledger.besidePrepared(account, numbers)
    const byNumber = new Map(known.map((one) => [one.number, one]))
    for (const { originals, row } of made) {
      const original = originals.flatMap((number) => byNumber.get(number) ?? []).at(0)
      // that very note, as an export of this store states it
      if (original === undefined || original.notes.includes(row.id)) continue
      const message = `${row.number} is a number of the credit notes that are prepared here for ${original.number}`
      yield* addFinding(sql, row.seq, Finding.make(ImportFinding.PREPARED_NUMBER, { message }))
    }
    if (rows.length < together) return
    after = rows.at(-1)!.seq
  }
})

interface StagedSaleRow
  extends
    Pick<DocumentRow, "seq" | "kind" | "id" | "number" | "folded" | "day">,
    Pick<TranslationRow, "buyer" | "currency" | "total"> {}

const salesOf = (sql: SqlClient, seqs: ReadonlyArray<number>) =>
  sql<StagedSaleRow>`select seq, kind, id, number, folded, day, buyer, currency, total
    from document join translation using (seq) where ${sql.in("seq", seqs)}`

const saleOf = ({ buyer, currency, day, kind, number, total }: StagedSaleRow): SameSale.Sale => ({
  kind,
  number,
  day,
  currency,
  total,
  buyer: buyer === null ? { _tag: "WalkIn" } : { _tag: "Named", name: buyer }
})

/** Returns the key of a document: its number is its id if it has no other. */
export const keyOf = (
  account: string,
  { id, kind, number }: Pick<StagedSaleRow, "id" | "kind" | "number">
): SameSale.SaleKey => ({
  account,
  kind,
  id: id || number
})

const isSameKey = (one: SameSale.SaleKey, other: SameSale.SaleKey): boolean =>
  one.account === other.account && one.kind === other.kind && one.id === other.id

/** In one query for the page: the planning transaction asks the same again. */
export const ask = Effect.fnUntraced(function* (
  sql: SqlClient,
  rows: ReadonlyArray<Pick<DocumentRow, "seq" | "folded">>,
  { account, taxpayer }: Pick<Destination, "account" | "taxpayer">,
  ledger: Ledger
) {
  if (rows.length === 0) return
  const known = Map.groupBy(
    yield* ledger.alike(taxpayer, [...new Set(rows.map(({ folded }) => folded))]),
    ({ folded }) => folded
  )
  const meant = rows.filter(({ folded }) => known.has(folded)).map(({ seq }) => seq)
  if (meant.length === 0) return
  const sales = yield* salesOf(sql, meant)
  const isSettled = yield* ledger.settledPairs(sales.map((row) => keyOf(account, row)))
  yield* insert(
    sql,
    "question",
    sales.flatMap((row) => {
      const text = SameSale.questionAbout(
        { ...saleOf(row), ...keyOf(account, row) },
        known.get(row.folded) ?? [],
        isSettled
      )?.text
      return text === undefined ? [] : [{ seq: row.seq, cause: "duplicate", because: text }]
    })
  )
})

interface Pair extends Pick<DocumentRow, "seq"> {
  readonly other: number
}

export const askWithin = Effect.fnUntraced(function* (sql: SqlClient, account: string, ledger: Ledger) {
  if (!(yield* hasFolds(sql))) return
  const pairs = pages(
    (last: Pair | undefined) => sql<Pair>`select b.seq, a.seq as other
    from document b join document a on a.folded = b.folded and a.kind = b.kind and a.number <> b.number
      and (a.day, a.place, a.seq) < (b.day, b.place, b.seq)
    join translation t on t.seq = a.seq join translation u on u.seq = b.seq
    left join stored on stored.seq = b.seq
    where (b.seq, a.seq) > (${last?.seq ?? 0}, ${last?.other ?? 0})
      and (stored.outcome is null) and not exists (select 1 from refused where refused.seq in (a.seq, b.seq))
    order by b.seq, a.seq limit 50`
  )
  yield* Stream.runForEach(
    Stream.grouped(pairs, 50),
    Effect.fnUntraced(function* (page) {
      const rows = yield* salesOf(
        sql,
        page.flatMap(({ other, seq }) => [seq, other])
      )
      const sales = new Map(rows.map((row) => [row.seq, { ...saleOf(row), ...keyOf(account, row) }]))
      const alike = page.flatMap((pair) => {
        const [sale, other] = [sales.get(pair.seq)!, sales.get(pair.other)!]
        return isSameKey(sale, other) || SameSale.differs(sale, other) === null
          ? []
          : [{ seq: pair.seq, sale, other: { ...other, ...planned } }]
      })
      if (alike.length === 0) return
      const isSettled = yield* ledger.settledPairs(alike.map(({ sale }) => sale))
      for (const { other, sale, seq } of alike) {
        const text = SameSale.questionAbout(sale, [other], isSettled)?.text
        if (text !== undefined)
          yield* sql`insert or ignore into question ${sql.insert({ seq, cause: "duplicate", because: text })}`
      }
    })
  )
})

/** A sale of the same export, as one that the store will know. */
const planned = {
  folded: "",
  state: "Planned",
  registeredOn: null,
  receipt: null,
  registration: "none",
  standing: "own"
} as const

/** Holds documents that replace one which may have a receipt, unless the book sends them. */
export const askReplaced = Effect.fnUntraced(function* (
  sql: SqlClient,
  { account, taxpayer }: Pick<Destination, "account" | "taxpayer">,
  { replacements }: Pick<MappingBook, "replacements">,
  ledger: Ledger
) {
  if (replacements === "send") return
  let after = 0
  while (true) {
    // a document between two may be refused or canceled, so that the store never has it
    const rows = yield* sql<Pick<DocumentRow, "seq" | "kind"> & { readonly replaces: string; readonly nth: number }>`
      with recursive stated as materialized (
        select kind, id, number, replaces from document where replaces is not null
        union all select reading ->> '$.cancelled.kind', reading ->> '$.cancelled.id', reading ->> '$.cancelled.number',
          reading -> '$.cancelled.replaces' from skipped where key is not null and reading -> '$.cancelled.replaces' is not null),
      chain(seq, kind, replaces, nth) as (
        select * from (select seq, kind, replaces, 0 from document
          where replaces is not null and seq > ${after} order by seq limit ${together})
        union select chain.seq, chain.kind, stated.replaces, chain.nth + 1 from chain join stated
          on stated.kind = chain.kind and chain.replaces ->> '$.value' = case chain.replaces ->> '$.by'
          when 'id' then stated.id else stated.number end where chain.nth < ${longestChain})
      select * from chain order by seq, nth desc`
    const chains = Map.groupBy(rows, ({ seq }) => seq)
    for (const [seq, chain] of chains) {
      // the oldest first
      const stated = chain.reduce<SameSale.ReplacedSale | undefined>(
        (before, { replaces }) => ({ ...(JSON.parse(replaces) as SameSale.ReplacedSale), ...(before && { before }) }),
        undefined
      )!
      if (stated.before !== undefined)
        yield* sql`update document set replaces = ${JSON.stringify(stated)} where seq = ${seq}`
      const text = yield* ledger.replacement({ account, kind: chain[0]!.kind, taxpayer }, stated)
      if (text !== null)
        yield* sql`insert or ignore into question ${sql.insert({ seq, cause: "replaces", because: text })}`
    }
    if (chains.size < together) return
    after = rows.at(-1)!.seq
  }
})

// documents between the first and the last of a chain; more is a mistake of the source
const longestChain = 20
