import { Array as Arr, Duration, Effect, type FileSystem, type Scope } from "effect"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { AdapterError, InputFile } from "../source/Adapter.ts"
import type { LiveAnswer, LivePage, LiveRecord, LiveSource, PagesRequest } from "../source/LiveSource.ts"
import { LiveSourceError } from "../source/LiveSourceError.ts"
import type { LiveDocument, LiveSourceKey, LiveSourceMark, AgainDocument } from "../submission/LiveSourceState.ts"
import { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as Spool from "./Spool.ts"
import * as KeysetWalk from "./KeysetWalk.ts"
import * as Walk from "./Walk.ts"

export interface PulledRecord extends LiveRecord {
  readonly endpoint: string
  readonly before: LiveDocument | undefined
  /** `again`: planned also if it has not changed, because it could not be sent. */
  readonly planned: "if changed" | "again"
}

export interface Pulled {
  readonly records: ReadonlyArray<PulledRecord>
  readonly marks: ReadonlyArray<LiveSourceMark>
  readonly gone: ReadonlyArray<LiveDocument>
  readonly unanswered: ReadonlyArray<LiveDocument>
  readonly unasked: ReadonlyArray<LiveDocument>
  readonly files: () => ReadonlyArray<InputFile>
  readonly joined: Effect.Effect<void, LiveSourceError | AdapterError>
  readonly calls: () => number
}

interface OpenedSource<Options> extends LiveSourceKey {
  readonly live: LiveSource<Options>
}

export interface PullOrder<Options> extends OpenedSource<Options>, Walk.WalkOptions {
  readonly marks: ReadonlyArray<LiveSourceMark>
  readonly sweep: Duration.Duration | null
  /** Hash of what decides a refusal outside the source: book, options, account, version. */
  readonly conditions: string
  /**
   * Refused documents to ask for again. `all`: each of them. `some`: within a budget of requests,
   * except once a day, with the comparison, and after a change of the conditions.
   */
  readonly asking: "all" | "some"
}

class LatestRecords {
  readonly byId = new Map<string, LiveRecord>()

  add(records: ReadonlyArray<LiveRecord>): void {
    for (const record of records) {
      const known = this.byId.get(record.id)
      if (known === undefined || known.modified <= record.modified) this.byId.set(record.id, record)
    }
  }
}

const walkOf = <Options>({ paging }: LiveSource<Options>) => (paging === "keyset" ? KeysetWalk.walk : Walk.walk)

// enough to distinguish another company's data from deleted documents
const anchors = 50

const otherTenant = (source: string, operation: string, problem: string, other?: string) =>
  new LiveSourceError({
    source,
    operation,
    reason: { _tag: "OtherTenant", text: problem, ...(other !== undefined && { other }) }
  })

const sameTenant = <Options>({ live, source, tenant }: OpenedSource<Options>) =>
  Effect.flatMap(live.identity, (found) =>
    found.tenant === tenant
      ? Effect.void
      : Effect.fail(
          otherTenant(source, "identity", `the login is for ${found.tenant || "no tenant"}, not for ${tenant}`)
        )
  )

/**
 * A cache, or the source, has mixed up its tenants. Numbers and times are compared: identifiers may
 * be per tenant.
 */
const ownData = <Options>(order: OpenedSource<Options>, endpoint: string, listed: ReadonlyArray<LiveRecord>) =>
  Effect.gen(function* () {
    const foreign = yield* (yield* SubmissionStore).liveSources.foreign(order, endpoint, listed)
    if (foreign === undefined) return
    const { number, source, tenant } = foreign
    const problem = `${endpoint}: the list has ${number}, which the store has of ${tenant} (source ${source}); forget what was read of ${source} only if it is a copy, or a former name`
    return yield* otherTenant(order.source, endpoint, problem, source)
  })

interface SingleRecords extends Omit<LiveAnswer, "absent" | "requests"> {
  readonly records: ReadonlyArray<LiveRecord>
  readonly absent: ReadonlySet<string>
}

type ByIds = (endpoint: string, ids: ReadonlyArray<string>) => Effect.Effect<SingleRecords, LiveSourceError>

const idsPerCall = <Options>({ limits }: LiveSource<Options>, endpoint: string): number =>
  limits.idsPerCallOf?.[endpoint] ?? limits.idsPerCall

const asking =
  <Options>(live: LiveSource<Options>, count: (requests: number) => void): ByIds =>
  (endpoint, ids) =>
    Effect.map(
      Effect.forEach(Arr.chunksOf(ids, idsPerCall(live, endpoint)), (some) =>
        Effect.tap(live.byIds(endpoint, some), ({ requests }) => Effect.sync(() => count(requests)))
      ),
      (answers) => {
        const pages = answers.flatMap((one) => one.pages)
        const records = pages.flatMap((page) => page.records)
        return { pages, records, absent: new Set(answers.flatMap(({ absent }) => absent)) }
      }
    )

const requestsAgain = 3

/**
 * All whose conditions have changed, and of the others those that were not asked for longest,
 * within a budget of requests.
 */
const askedAgain = <Options>(
  { asking, conditions, live, sweep }: PullOrder<Options>,
  endpoint: string,
  known: ReadonlyArray<AgainDocument>
): ReadonlyArray<AgainDocument> => {
  if (asking === "all" || sweep !== null) return known
  const changed = known.filter((one) => one.conditions !== conditions)
  const others = known.filter((one) => one.conditions === conditions).toSorted((a, b) => a.askedAt - b.askedAt)
  return [...changed, ...others.slice(0, requestsAgain * idsPerCall(live, endpoint))]
}

// in milliseconds: the source may omit records that were modified in the first second of the
// requested period
const edge = 2000

/**
 * The overlap repeats documents of earlier runs. If none appears, the list may be another
 * company's, or broken: the last documents are then requested by id. Fails if the source has none
 * of them although one was issued (drafts may all be deleted), or if it has one that is missing in
 * the list.
 */
const sameData = <Options>(
  order: PullOrder<Options>,
  endpoint: string,
  mark: number,
  listed: ReadonlyArray<LiveRecord>,
  byIds: ByIds
) =>
  Effect.gen(function* () {
    const { liveSources } = yield* SubmissionStore
    const from = mark - Duration.toMillis(order.overlap) + edge
    const expected = yield* liveSources.modified(order, endpoint, { from, limit: anchors })
    const there = new Set(listed.map(({ id }) => id))
    if (expected.length === 0 || expected.some(({ id }) => there.has(id))) return
    const last = yield* liveSources.modified(order, endpoint, { from: 0, limit: anchors })
    let found: ReadonlyArray<LiveRecord> = []
    // newest first: where a request is about one document, the first one usually answers
    for (const some of Arr.chunksOf(last, idsPerCall(order.live, endpoint)))
      if (found.length === 0)
        found = (yield* byIds(
          endpoint,
          some.map(({ id }) => id)
        )).records
    if (found.length === 0) {
      if (last.every(({ standing }) => standing === "skipped")) return
      const problem = `${endpoint}: the source has none of the last ${last.length} documents that were read of it`
      return yield* otherTenant(order.source, endpoint, problem)
    }
    const missing = found.find(({ id, modified }) => modified >= from && !there.has(id))
    if (missing === undefined) return
    const problem = `the list leaves out ${missing.number || missing.id}, which was modified in the time that was asked for`
    return yield* new LiveSourceError({
      source: order.source,
      operation: endpoint,
      reason: { _tag: "AnswerUnreadable", text: problem }
    })
  })

const controls = 3

// some weeks of a shop with many invoices
const mostSwept = 20_000

/**
 * Reads documents whose state differs from the store's, and requests by id the known documents that
 * the source no longer lists, and the `unread`. A document is gone if the list does not have it,
 * and the source answered twice that it is absent, and between the answers gave a document that it
 * is known to have. A gap of a list proves nothing.
 */
const compare = <Options>(
  order: PullOrder<Options> & { readonly sweep: Duration.Duration },
  endpoint: string,
  mark: number,
  latest: LatestRecords,
  unread: ReadonlyArray<LiveDocument>,
  byIds: ByIds,
  take: (answer: SingleRecords) => Effect.Effect<void, AdapterError>
) =>
  Effect.gen(function* () {
    const { liveSources } = yield* SubmissionStore
    const { live } = order
    const summaries: Parameters<typeof Walk.walk>[0] = {
      name: order.source,
      pages: (request) => live.summaries(request)
    }
    const listed = yield* walkOf(live)(summaries, endpoint, mark, { ...order, overlap: order.sweep }, () => Effect.void)
    const known = new Map(
      (yield* liveSources.documents(
        order,
        endpoint,
        listed.records.map(({ id }) => id)
      )).map((one) => [one.id, one])
    )
    const isNews = ({ id, modified }: LiveRecord) => {
      const before = known.get(id)
      return !latest.byId.has(id) && (before?.modified !== modified || before.standing === "gone")
    }
    const from = mark - Duration.toMillis(order.sweep) + edge
    const there = new Set(listed.records.map(({ id }) => id))
    const missing = (yield* liveSources.modified(order, endpoint, { from, limit: mostSwept })).filter(
      ({ id }) => !there.has(id) && !latest.byId.has(id)
    )
    const asked = new Set([...listed.records.filter(isNews), ...missing, ...unread].map(({ id }) => id))
    const first = yield* byIds(endpoint, [...asked])
    yield* take(first)
    const unlisted = new Map([...missing, ...unread].map((one) => [one.id, one]))
    const isMissing = ({ id }: LiveDocument, { absent }: SingleRecords) =>
      !there.has(id) && !latest.byId.has(id) && absent.has(id)
    const candidates = [...unlisted.values()].filter((one) => isMissing(one, first))
    if (candidates.length === 0) return { gone: [], calls: listed.calls }
    const seen = [...there, ...latest.byId.keys()]
    const control = (
      seen.length > 0
        ? seen
        : (yield* liveSources.modified(order, endpoint, { from: 0, limit: anchors }))
            .map(({ id }) => id)
            .filter((id) => !unlisted.has(id))
    ).slice(0, controls)
    const controlled = yield* byIds(endpoint, control)
    yield* take(controlled)
    if (control.length > 0 && controlled.records.length === 0)
      return yield* new LiveSourceError({
        source: order.source,
        operation: `${endpoint} by id`,
        reason: { _tag: "AnswerUnreadable", text: "the answer leaves out documents that the source has" }
      })
    const second = yield* byIds(
      endpoint,
      candidates.map(({ id }) => id)
    )
    yield* take(second)
    return { gone: candidates.filter((one) => isMissing(one, second)), calls: listed.calls }
  })

/**
 * The pages are files while the scope is open. Fails if any part could not be read: nothing is
 * taken.
 */
export const pull = <Options>(
  order: PullOrder<Options>
): Effect.Effect<
  Pulled,
  LiveSourceError | AdapterError | StoreError,
  SubmissionStore | FileSystem.FileSystem | Scope.Scope
> =>
  Effect.gen(function* () {
    const { live, marks, source, sweep } = order
    const { liveSources } = yield* SubmissionStore
    const spool = yield* Spool.make(live.name, source)
    let calls = 1
    yield* sameTenant(order)
    const counted = (page: Effect.Effect<LivePage, LiveSourceError>) =>
      Effect.tap(page, ({ requests = 1 }) => Effect.sync(() => (calls += requests)))
    const byIds = asking(live, (requests) => (calls += requests))
    const unsent = marks.length === 0 ? [] : yield* liveSources.again(order)
    const records: Array<PulledRecord> = []
    const gone: Array<LiveDocument> = []
    const unanswered: Array<LiveDocument> = []
    const unasked: Array<LiveDocument> = []
    const read: Array<LiveSourceMark> = []
    for (const endpoint of live.endpoints) {
      const keep = (page: LivePage) => spool.keep(endpoint, page)
      const mark = marks.find((one) => one.endpoint === endpoint)?.modified ?? null
      const latest = new LatestRecords()
      const walked = yield* walkOf(live)(
        { name: source, pages: (request) => live.pages(request) },
        endpoint,
        mark,
        order,
        keep
      )
      calls += walked.calls
      yield* ownData(order, endpoint, walked.records)
      latest.add(walked.records)
      if (walked.mark !== null) read.push({ endpoint, modified: walked.mark })
      if (mark !== null) yield* sameData(order, endpoint, mark, walked.records, byIds)
      const take = ({ pages, records }: SingleRecords) =>
        Effect.andThen(
          Effect.forEach(pages, keep, { discard: true }),
          Effect.sync(() => latest.add(records))
        )
      const own = unsent.filter((one) => one.endpoint === endpoint)
      const ids = new Set(own.map(({ id }) => id))
      const known = own.filter(({ id }) => !latest.byId.has(id))
      const again = askedAgain(order, endpoint, known)
      const answer = yield* byIds(
        endpoint,
        again.map(({ id }) => id)
      )
      yield* take(answer)
      // one answer without the document proves nothing: the comparison requests it once more
      if (sweep !== null && mark !== null) {
        const unread = again.filter(({ id }) => !latest.byId.has(id))
        const compared = yield* compare({ ...order, sweep }, endpoint, mark, latest, unread, byIds, take)
        calls += compared.calls
        gone.push(...compared.gone)
      }
      const isOpen = ({ id, standing }: LiveDocument) =>
        standing === "refused" && !latest.byId.has(id) && !gone.some((one) => one.id === id)
      unanswered.push(...again.filter(isOpen))
      const requested = new Set(again.map(({ id }) => id))
      unasked.push(...known.filter((one) => !requested.has(one.id) && isOpen(one)))
      const before = new Map(
        (yield* liveSources.documents(order, endpoint, [...latest.byId.keys()])).map((one) => [one.id, one])
      )
      for (const record of latest.byId.values()) {
        const planned = ids.has(record.id) ? "again" : "if changed"
        records.push({ ...record, endpoint, before: before.get(record.id), planned })
      }
    }
    const joined = Effect.gen(function* () {
      const needs = [...new Set(records.flatMap((record) => (record.kind === null ? [] : record.needs)))]
      for (const some of Arr.chunksOf(needs, live.limits.idsPerCall))
        yield* spool.keep("companions", yield* counted(live.companions(some)))
    })
    return { records, marks: read, gone, unanswered, unasked, files: spool.files, joined, calls: () => calls }
  })

/** Present state of a source in a period. Nothing of it is recorded, and no mark moves. */
export interface PresentDocuments {
  readonly files: ReadonlyArray<InputFile>
  readonly unanswered: ReadonlyArray<LiveDocument>
}

// a query takes a limited number of parameters
const together = 500

/**
 * Records modified since the time, and by identifier those of the `stored` documents that the
 * source gave before. The pages are files while the scope is open.
 */
export const present = <Options>(
  order: OpenedSource<Options> & Pick<Walk.WalkOptions, "clockSkew">,
  since: number,
  stored: ReadonlyArray<string>
): Effect.Effect<
  PresentDocuments,
  LiveSourceError | AdapterError | StoreError,
  SubmissionStore | FileSystem.FileSystem | Scope.Scope
> =>
  Effect.gen(function* () {
    const { live, source } = order
    const { liveSources } = yield* SubmissionStore
    const spool = yield* Spool.make(live.name, source)
    yield* sameTenant(order)
    const byIds = asking(live, () => {})
    const pages = { name: source, pages: (request: PagesRequest) => live.pages(request) }
    const needs = new Set<string>()
    const unanswered: Array<LiveDocument> = []
    for (const endpoint of live.endpoints) {
      const keep = (page: LivePage) => spool.keep(endpoint, page)
      const walked = yield* walkOf(live)(pages, endpoint, since, { ...order, overlap: Duration.zero }, keep)
      yield* ownData(order, endpoint, walked.records)
      const listed = new Set(walked.records.map(({ id }) => id))
      const known = yield* Effect.forEach(
        Arr.chunksOf(
          stored.filter((id) => !listed.has(id)),
          together
        ),
        (ids) => liveSources.documents(order, endpoint, ids)
      )
      const asked = known.flat()
      const answer = yield* byIds(
        endpoint,
        asked.map(({ id }) => id)
      )
      yield* Effect.forEach(answer.pages, keep, { discard: true })
      const given = new Set(answer.records.map(({ id }) => id))
      unanswered.push(...asked.filter(({ id }) => !given.has(id) && !answer.absent.has(id)))
      for (const record of [...walked.records, ...answer.records])
        if (record.kind !== null) for (const need of record.needs) needs.add(need)
    }
    for (const some of Arr.chunksOf([...needs], live.limits.idsPerCall))
      yield* spool.keep("companions", yield* live.companions(some))
    return { files: spool.files(), unanswered }
  })
