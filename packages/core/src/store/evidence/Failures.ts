/**
 * A failure that the gateway states is kept as a statement (fiscal_statement) and becomes evidence
 * only when submission/ledger/Settled says what settles it.
 */
import { DateTime, Duration, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { DocumentNumber, RequestId } from "../../document/Identifiers.ts"
import { type StatusControl, mayBeProof, nobody, type StatusItem } from "../../gateway/operation/Status.ts"
import * as Patience from "../../submission/ledger/Patience.ts"
import {
  type Ability,
  type ControlAnswer,
  type SettledBy,
  settledBy,
  timeDecidesFrom,
  type SettlesAfter,
  type UnprovenFailure
} from "../../submission/ledger/Settled.ts"
import * as Stored from "../../submission/ledger/Stored.ts"
import { mask, ruleCodes } from "../../submission/ledger/StatedFailure.ts"
import type { SqlEffect, Transaction } from "../database/Transaction.ts"
import type { StatedFailure } from "../../submission/Explanation.ts"
import type { UnprovenDocument } from "../../submission/Health.ts"
import type { OpeningFacts } from "../../submission/Outcome.ts"
import type { CurrentFailure, DecisionFacts } from "../../submission/PermittedDecision.ts"
import { inOneTrip, type Queries } from "../database/Statements.ts"
import * as Quiet from "../lanes/Quiet.ts"
import { forgottenSource } from "../rows/Forgotten.ts"
import { type AttemptRow, type Integer, keyOf, number, rejectionOf, type SubmissionRow } from "../rows/Rows.ts"
import { isOpen } from "../rows/SettledSql.ts"
import * as StoredValues from "../rows/StoredValues.ts"
import { keep } from "./KeepOutcome.ts"
import * as StoredOutcome from "./StoredOutcome.ts"

type Failed = Extract<StatusItem, { readonly _tag: "Rejected" }>

export interface StatementRow {
  readonly account: string
  readonly request_id: string
  readonly mask: string
  readonly text: string
  readonly nature: Failed["nature"]
  readonly beside: string | null
  readonly first_at: Integer
  readonly last_at: Integer
  readonly looks: Integer | null
  readonly counted_at: Integer | null
  /** Last look that counts in which the account could send. */
  readonly able_at: Integer | null
  readonly able_millis: Integer
  readonly delivered_at: Integer | null
}

export const failedItem = ({ nature, request_id, text }: StatementRow): Failed => ({
  _tag: "Rejected",
  requestId: Stored.name<RequestId>(request_id, () => "request_id of a failure"),
  error: text,
  nature: Stored.oneOf(StoredValues.natures, nature, () => `nature of a failure of request ${request_id}`)
})

export interface SeenFailure {
  readonly source: "poll" | "webhook"
  readonly control: StatusControl | null
  readonly ability: Ability | null
  readonly after: SettlesAfter
}

const unseen: SeenFailure = { source: "webhook", control: null, ability: null, after: Patience.unproven.is }

/**
 * A stated failure with its attempt. `alone`: the answer has nothing else for this request.
 * `with-results`: every other item is a result. `with-pending`: every other item is pending, so
 * that only an operator can settle it.
 */
export interface StatedItem {
  readonly item: Failed
  readonly attempt: TimedAttempt | undefined
  readonly answer: "alone" | "with-results" | "with-pending" | "with-others"
}

export type Recorded =
  | { readonly _tag: "Settled"; readonly at: number; readonly is: "new" | "known" }
  | { readonly _tag: "Unproven"; readonly control: ControlAnswer; readonly is: "new" | "known" }

/** Facts of the account: what the control says, and since when the account can send. */
interface ControlRow {
  readonly control_answer: string | null
  readonly control_mask: string | null
  readonly able_since: Integer | null
  /** STAT-9 of the last sweep: milliseconds, `never` or `any`. */
  readonly settles_after: string | null
}

const noFacts: ControlRow = { control_answer: null, control_mask: null, able_since: null, settles_after: null }

const rowsOf = (sql: Queries, account: string) =>
  sql<ControlRow>`select control_answer, control_mask, able_since, settles_after from fiscal_account
    where account = ${account}`

const readFacts = (sql: Queries, account: string) => Effect.map(rowsOf(sql, account), ([facts]) => facts ?? noFacts)

const afterText = (after: SettlesAfter): string =>
  typeof after === "string" ? after : String(Duration.toMillis(after))

const afterOf = ({ settles_after: text }: ControlRow): SettlesAfter => {
  if (text === "never" || text === "any") return text
  return text === null
    ? Patience.unproven.is
    : Duration.millis(Stored.integer(Number(text), () => "settles_after of an account"))
}

const controlColumns = (control: StatusControl) => {
  switch (control._tag) {
    case "LeftOut":
      return { control_answer: "left-out", control_mask: null }
    case "Refused":
      return { control_answer: "refused", control_mask: null }
    case "NotAnswered":
      return { control_answer: "not-answered" }
    case "Answered": {
      const failed = control.items.find((item) => item._tag === "Rejected")
      return { control_answer: "answered", control_mask: failed === undefined ? null : mask(failed.error, nobody) }
    }
  }
}

const accountFacts = (
  transaction: Transaction,
  account: string,
  { ability, after, control, source }: SeenFailure
): SqlEffect<ControlRow> =>
  Effect.gen(function* () {
    const { latest, now, sql } = transaction
    const facts = yield* readFacts(sql, account)
    const seen = {
      ...(source === "poll" && afterText(after) !== facts.settles_after ? { settles_after: afterText(after) } : {}),
      ...(control === null ? {} : { ...controlColumns(control), control_at: now }),
      ...(ability === null ? {} : { able_since: ability === "able" ? (facts.able_since ?? latest) : null })
    }
    if (Object.keys(seen).length === 0) return facts
    yield* sql`update fiscal_account set ${sql.update(seen)} where account = ${account}`
    // a failure of the lane, whatever the control says: the next attempt renews its permission. An
    // account without `able_since` may be able: it could not be read
    if (ability === "unable")
      yield* sql`update fiscal_lane set failures = failures + 1
        where lane = (select lane from fiscal_account where account = ${account})`
    return { ...facts, ...seen }
  })

/** True if the account has these facts already. */
export const isOpening = (sql: Queries, account: string, { ability, control }: OpeningFacts) =>
  Effect.map(rowsOf(sql, account), (rows) =>
    rows.every(
      (facts) =>
        (facts.able_since !== null) === (ability === "able") &&
        Object.entries(control === null ? {} : controlColumns(control)).every(
          ([name, value]) => facts[name as keyof ControlRow] === value
        )
    )
  )

export const opening = (transaction: Transaction, account: string, facts: OpeningFacts) =>
  accountFacts(transaction, account, { ...unseen, ...facts })

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => {
  if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>
  if (typeof value !== "string") return {}
  try {
    return fieldsOf(JSON.parse(value))
  } catch {
    return {}
  }
}

const besideOf = (unknownFields: string | null): UnprovenFailure["beside"] =>
  mayBeProof(fieldsOf(unknownFields)) ? "doubt" : "nothing"

/** `rule` if the text has the code of a receipt rule, unless a text of ours contains the code. */
const codeOf = (
  { sql }: Transaction,
  account: string,
  text: string,
  submission: Integer
): SqlEffect<UnprovenFailure["code"]> =>
  Effect.gen(function* () {
    const codes = ruleCodes(text)
    for (const code of codes) {
      const like = `%${code}%`
      const ours = yield* sql`select 1 from fiscal_number where account = ${account} and upper(number) like '%RCPT%'
          and upper(number) like ${like}
        union all select 1 from fiscal_payload where submission = ${submission}
          and (source = ${forgottenSource} or upper(body) like ${like}) limit 1`
      if (ours.length > 0) return "none"
    }
    return codes.length > 0 ? "rule" : "none"
  })

const laterReceipt = ({ sql }: Transaction, { id, lane, submission }: AttemptRow) =>
  sql`select 1 from fiscal_attempt b where b.lane = ${lane} and b.id > ${id} and b.submission <> ${submission}
    and exists (select 1 from fiscal_outcome o where o.attempt = b.id and o.outcome = 'Fiscalised' and o.source <> 'operator')
    limit 1`

export const quietOf = ({ hurried_at, quiet_end, quiet_millis }: AttemptTimes) => ({
  quiet: number(quiet_millis),
  quietUntil: hurried_at === null ? number(quiet_end) : 0
})

const controlOf = ({ control_answer, control_mask }: ControlRow, masked: string): ControlAnswer => {
  if (control_mask === masked) return "same"
  return control_answer === null || control_answer === "not-answered" ? "not-answered" : "told-apart"
}

/**
 * It counts from when the account can send again, because the gateway may then send the request.
 */
const quietWhenAble = ({ able_since }: ControlRow, attempt: AttemptTimes, now: number) => {
  const own = quietOf(attempt)
  const since = able_since === null ? now : number(able_since)
  const isLater = able_since === null || since > number(attempt.begun_at)
  return attempt.hurried_at === null && isLater
    ? { ...own, quietUntil: Math.max(own.quietUntil, since + own.quiet) }
    : own
}

const failureOf = (
  facts: ControlRow,
  statement: StatementRow,
  attempt: AttemptTimes,
  now: number
): UnprovenFailure => ({
  control: controlOf(facts, statement.mask),
  beside: besideOf(statement.beside),
  code: "none",
  deliveredAt: statement.delivered_at === null ? null : number(statement.delivered_at),
  looks: number(statement.looks ?? 0),
  ableMillis: number(statement.able_millis),
  ableSince: facts.able_since === null ? null : number(facts.able_since),
  ability: facts.able_since === null ? "unknown" : "able",
  ...quietWhenAble(facts, attempt, now),
  lane: "later-receipt",
  after: afterOf(facts),
  now
})

type AttemptTimes = Pick<AttemptRow, "begun_at" | "hurried_at"> & Quiet.Times

export type TimedAttempt = AttemptRow & Quiet.Times

const isBesidePending = ({ counted_at, looks }: Pick<StatementRow, "counted_at" | "looks">): boolean =>
  looks !== null && number(looks) === 0 && counted_at !== null

const statedOf = (facts: ControlRow, row: StatementRow & AttemptTimes, now: number): StatedFailure => {
  const place = (column: string) => () => `${column} of a failure of request ${row.request_id}`
  const failure = failureOf(facts, row, row, now)
  const isCurrent = row.looks !== null || failure.deliveredAt !== null
  const time = isCurrent && !isBesidePending(row) ? timeDecidesFrom(failure) : null
  const mayDecide = isCurrent && failure.control !== "same"
  return {
    requestId: Stored.name<RequestId>(row.request_id, place("request_id")),
    error: row.text,
    nature: Stored.oneOf(StoredValues.natures, row.nature, place("nature")),
    firstAt: Stored.time(row.first_at, place("first_at")),
    lastAt: Stored.time(row.last_at, place("last_at")),
    control: failure.control,
    personFrom: mayDecide ? DateTime.makeUnsafe(Math.max(now, failure.quietUntil)) : null,
    timeFrom: time === null ? null : DateTime.makeUnsafe(time)
  }
}

export const unproven = (
  sql: Queries,
  now: number,
  accounts?: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<UnprovenDocument & { readonly seq: number }>, SqlError> =>
  Effect.gen(function* () {
    const found =
      yield* sql<UnprovenRow>`select t.*, a.submission, a.begun_at, a.hurried_at, ${Quiet.times({ sql })}, s.kind, s.id,
        s.number, s.lane,
        (select count(*) from fiscal_conflict c where c.submission = s.seq and c.code = 'SOURCE_CONFLICT'
          and c.settled_at is null) as corrected
      from fiscal_statement t
      join fiscal_attempt a on a.account = t.account and a.request_id = t.request_id
      join fiscal_submission s on s.seq = a.submission
      where s.state = 'Accepted' and t.looks is not null and ${isOpen(sql)} order by s.seq, t.last_at`
    const rows = found.filter(({ account }) => accounts?.includes(account) ?? true)
    if (rows.length === 0) return []
    const facts = new Map<string, ControlRow>()
    for (const { account } of rows) {
      if (!facts.has(account)) facts.set(account, yield* readFacts(sql, account))
    }
    return rows.map((row) => ({
      key: keyOf(row),
      number: Stored.name<DocumentNumber>(row.number, () => `number of ${row.kind} ${row.id}`),
      lane: row.lane,
      mask: row.mask,
      seq: number(row.submission),
      correction: number(row.corrected) > 0 ? "waits" : "none",
      failure: statedOf(facts.get(row.account)!, row, now)
    }))
  })

type UnprovenRow = StatementRow &
  AttemptTimes &
  Pick<SubmissionRow, "kind" | "id" | "number" | "lane"> &
  Pick<AttemptRow, "submission"> & { readonly corrected: Integer }

type OpenRequestRow = Pick<AttemptRow, "submission" | "account"> & {
  readonly request_id: string
  readonly text: string | null
  readonly nature: string
  readonly mask: string | null
}

export const currentOf = (
  sql: Queries,
  submissions: ReadonlyArray<Integer>
): Effect.Effect<ReadonlyMap<number, DecisionFacts["requests"]>, SqlError> =>
  Effect.gen(function* () {
    const rows = yield* sql<OpenRequestRow>`select a.submission, a.account, a.request_id, t.text, t.nature, t.mask
      from fiscal_attempt a left join fiscal_statement t
        on t.account = a.account and t.request_id = a.request_id and t.looks is not null
      where ${sql.in("a.submission", submissions)} and a.request_id is not null and ${isOpen(sql)} order by a.id, t.last_at`
    const masks = [...new Set(rows.flatMap(({ mask }) => mask ?? []))]
    const precedents =
      masks.length === 0
        ? []
        : yield* sql<Pick<StatementRow, "account" | "mask">>`select distinct u.account, u.mask
            from fiscal_statement u join fiscal_outcome o on o.account = u.account and o.request_id = u.request_id
            where ${sql.in("u.mask", masks)} and o.outcome = 'Fiscalised'`
    const facts = new Map<string, ControlRow>()
    for (const { account } of rows) if (!facts.has(account)) facts.set(account, yield* readFacts(sql, account))
    const found = new Map<number, Map<string, Array<CurrentFailure>>>()
    for (const { account, mask, nature, request_id, submission, text } of rows) {
      const place = (column: string) => () => `${column} of a failure of request ${request_id}`
      const own = found.get(number(submission)) ?? new Map<string, Array<CurrentFailure>>()
      const failures = own.get(request_id) ?? []
      if (text !== null && mask !== null)
        failures.push({
          error: text,
          nature: Stored.oneOf(StoredValues.natures, nature, place("nature")),
          mask,
          control: controlOf(facts.get(account)!, mask),
          precedent: precedents.some((one) => one.account === account && one.mask === mask) ? "receipt" : "none"
        })
      found.set(number(submission), own.set(request_id, failures))
    }
    return new Map(
      Array.from(found, ([seq, requests]) => [
        seq,
        Array.from(requests, ([id, failures]) => ({
          id: Stored.name<RequestId>(id, () => `request_id of a request of a document (${seq})`),
          failures
        }))
      ])
    )
  })

export const stated = (
  sql: Queries,
  submission: Integer,
  now: number
): Effect.Effect<ReadonlyArray<StatedFailure>, SqlError> =>
  Effect.gen(function* () {
    const rows = yield* sql<StatementRow & AttemptTimes>`select t.*, a.begun_at, a.hurried_at, ${Quiet.times({ sql })}
      from fiscal_attempt a join fiscal_statement t on t.account = a.account and t.request_id = a.request_id
      where a.submission = ${submission} and ${isOpen(sql)} order by t.last_at, a.id`
    if (rows[0] === undefined) return []
    const facts = yield* readFacts(sql, rows[0].account)
    return rows.map((row) => statedOf(facts, row, now))
  })

const proved = (
  transaction: Transaction,
  facts: ControlRow,
  statement: StatementRow,
  attempt: TimedAttempt,
  seen: SeenFailure,
  answer: StatedItem["answer"]
): SqlEffect<SettledBy | null> =>
  Effect.gen(function* () {
    if (answer === "with-others" || answer === "with-pending") return null
    const failure: UnprovenFailure = {
      ...failureOf(facts, statement, attempt, transaction.earliest),
      code: yield* codeOf(transaction, statement.account, statement.text, attempt.submission),
      ability: seen.ability ?? "unknown",
      after: seen.after
    }
    const by = settledBy(failure, seen.source)
    if (by !== "time") return by
    const later = yield* laterReceipt(transaction, attempt)
    return later.length > 0 ? by : settledBy({ ...failure, lane: "no-later-receipt" }, seen.source)
  })

/** A counted look adds the time in which the account could send. */
const after = (
  { earliest, latest, now }: Pick<Transaction, "earliest" | "latest" | "now">,
  account: string,
  { answer, item }: StatedItem,
  before: StatementRow | undefined,
  facts: ControlRow,
  seen: SeenFailure
): StatementRow => {
  const { error, nature, requestId } = item
  const { unknownFields } = StoredOutcome.ofItem(item) ?? {}
  const masked = mask(error, requestId)
  // final stays final, so that the order of answers does not count, unless a doubt was beside it or
  // the code of a rule is stated now
  const isWeaker = before !== undefined && ruleCodes(before.text).length === 0 && ruleCodes(error).length > 0
  const isFinal = before?.nature === "final" && besideOf(before.beside) === "nothing" && !isWeaker
  const isLook = seen.source === "poll"
  const isToldApart = isLook && controlOf(facts, masked) === "told-apart"
  const isCounted = isToldApart && answer === "alone"
  const isPending = isToldApart && answer === "with-pending"
  const isAble = isCounted && seen.ability === "able"
  const isRun = answer === "alone" && before !== undefined && before.looks !== null
  const since = isRun && before.able_at !== null ? number(before.able_at) : null
  const gained =
    isAble && since !== null && facts.able_since !== null && number(facts.able_since) <= since
      ? Math.max(0, earliest - since)
      : 0
  return {
    account,
    request_id: requestId,
    mask: masked,
    text: error,
    nature: isFinal ? "final" : nature,
    beside: unknownFields === undefined ? null : JSON.stringify(unknownFields),
    first_at: before?.first_at ?? now,
    last_at: now,
    looks: answer === "alone" ? (isRun ? number(before.looks!) : 0) + (isCounted ? 1 : 0) : isPending ? 0 : null,
    counted_at: isCounted || isPending ? latest : isRun ? before.counted_at : null,
    able_at: isAble ? latest : isRun ? before.able_at : null,
    able_millis: (isRun ? number(before.able_millis) : 0) + gained,
    delivered_at: before?.delivered_at ?? (isLook || answer !== "alone" ? null : now)
  }
}

const write = ({ sql }: Transaction, row: StatementRow) =>
  sql`insert into fiscal_statement ${sql.insert({ ...row })} on conflict (account, request_id, mask) do update set
    text = excluded.text, nature = excluded.nature, beside = excluded.beside, last_at = excluded.last_at,
    looks = excluded.looks, counted_at = excluded.counted_at, able_at = excluded.able_at,
    able_millis = excluded.able_millis, delivered_at = excluded.delivered_at`

/** Other texts of the request were then not its only answer. */
const interrupt = ({ sql }: Transaction, account: string, requestId: string, but: string | null) =>
  sql`update fiscal_statement set looks = null, counted_at = null, able_at = null, able_millis = 0
    where account = ${account} and request_id = ${requestId} and mask <> ${but ?? ""} and looks is not null`

/** Ends the runs of requests that a look has answered otherwise, or not at all. */
export const interrupted = (transaction: Transaction, account: string, requestIds: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    if (requestIds.length === 0) return
    const { sql } = transaction
    yield* sql`update fiscal_statement set looks = null, counted_at = null, able_at = null, able_millis = 0
      where account = ${account} and ${sql.in("request_id", requestIds)} and looks is not null`
  })

/** The oldest text that no delivery had. */
const bounded = ({ sql }: Transaction, account: string, requestId: string, known: ReadonlyArray<StatementRow>) => {
  const oldest = known
    .filter(({ delivered_at }) => delivered_at === null)
    .toSorted((a, b) => number(a.last_at) - number(b.last_at))[0]
  return known.length < Patience.keptTexts.is || oldest === undefined
    ? Effect.void
    : sql`delete from fiscal_statement where account = ${account} and request_id = ${requestId} and mask = ${oldest.mask}`
}

const timeText = (time: DateTime.Utc) => DateTime.formatIso(time).replace(/\.\d+Z$/, "Z")

const show = ({ now, sql }: Transaction, facts: ControlRow, statement: StatementRow, attempt: TimedAttempt) => {
  const { control, error, firstAt, personFrom, timeFrom } = statedOf(facts, { ...attempt, ...statement }, now)
  const isSame = control === "same"
  const begin = `the gateway says: ${error} (${isSame ? "as for an id that no request has" : `since ${timeText(firstAt)}`}`
  const ways = [
    ...(personFrom === null
      ? []
      : [`an operator who looked in the portal can settle it from ${timeText(personFrom)} on`]),
    ...(timeFrom === null ? [] : [`time at ${timeText(timeFrom)} at the earliest`])
  ]
  const text = `${[begin, ...ways].join("; ")})`
  return sql`update fiscal_submission set said = ${text} where seq = ${attempt.submission} and state = 'Accepted'
    and (said is null or substr(said, 1, ${begin.length}) <> ${begin})`
}

const rejectionsOf = ({ sql }: Transaction, account: string, requestId: string) =>
  sql.ahead<{ readonly detail: string; readonly arrived_at: Integer }>`select detail, arrived_at from fiscal_outcome
    where account = ${account} and request_id = ${requestId} and outcome = 'Rejected' and source <> 'operator' order by id`

export const textsOf = (transaction: Transaction, account: string, requestId: string) =>
  Effect.map(Effect.flatten(statementsOf(transaction, account, requestId)), (rows) => rows.map(({ text }) => text))

const statementsOf = ({ sql }: Transaction, account: string, requestId: string) =>
  sql.ahead<StatementRow>`select * from fiscal_statement where account = ${account} and request_id = ${requestId}`

const settle = (
  transaction: Transaction,
  { account, beside, nature, request_id: requestId, text }: StatementRow,
  attempt: AttemptRow,
  source: SeenFailure["source"],
  by: SettledBy
) =>
  keep(
    transaction,
    { account, requestId, attempt },
    {
      outcome: { _tag: "Rejected", rejection: { error: text, nature } },
      ...(beside !== null && { unknownFields: fieldsOf(beside) })
    },
    source,
    by
  )

export const record = (
  transaction: Transaction,
  account: string,
  failures: ReadonlyArray<StatedItem>,
  seen: SeenFailure
): SqlEffect<ReadonlyMap<string, Recorded>> =>
  Effect.gen(function* () {
    const recorded = new Map<string, Recorded>()
    if (failures.length === 0) return recorded
    const { now } = transaction
    const facts = yield* accountFacts(transaction, account, seen)
    const rejections = yield* inOneTrip(failures, ({ item }) => rejectionsOf(transaction, account, item.requestId))
    for (const [n, stated] of failures.entries()) {
      const { attempt, item } = stated
      const { requestId } = item
      const masked = mask(item.error, requestId)
      const settled = rejections[n]!
      const isKnown = settled.some(({ detail }) => {
        const { error, nature } = rejectionOf(detail, () => `a rejection of ${requestId}`)
        return nature === item.nature && mask(error, requestId) === masked
      })
      if (isKnown) {
        recorded.set(requestId, { _tag: "Settled", at: number(settled[0]!.arrived_at), is: "known" })
        continue
      }
      const known = yield* Effect.flatten(statementsOf(transaction, account, requestId))
      const before = known.find((row) => row.mask === masked)
      const statement = after(transaction, account, stated, before, facts, seen)
      const by =
        attempt === undefined ? null : yield* proved(transaction, facts, statement, attempt, seen, stated.answer)
      const isFirst = settled.length === 0 && recorded.get(requestId)?._tag !== "Settled"
      if (attempt !== undefined && by !== null && (isFirst || by === "code")) {
        yield* settle(transaction, statement, attempt, seen.source, by)
        recorded.set(requestId, { _tag: "Settled", at: now, is: "new" })
      } else {
        recorded.set(
          requestId,
          settled[0] === undefined
            ? {
                _tag: "Unproven",
                control: controlOf(facts, masked),
                is: before === undefined ? "new" : "known"
              }
            : { _tag: "Settled", at: number(settled[0].arrived_at), is: "known" }
        )
      }
      if (by === "code") continue
      yield* interrupt(transaction, account, requestId, stated.answer === "alone" ? masked : null)
      if (before === undefined) yield* bounded(transaction, account, requestId, known)
      yield* write(transaction, statement)
      if (attempt !== undefined && by === null) yield* show(transaction, facts, statement, attempt)
    }
    return recorded
  })

/**
 * Considers the failures again that were stated before the attempt had its request id. Only the
 * code
 * of a receipt rule settles here; the next look decides about everything else.
 */
export const reconsider = (transaction: Transaction, attempt: TimedAttempt, requestId: string): SqlEffect<void> =>
  Effect.gen(function* () {
    const statements = yield* Effect.flatten(statementsOf(transaction, attempt.account, requestId))
    if (statements.length === 0) return
    const facts = yield* accountFacts(transaction, attempt.account, unseen)
    for (const statement of statements) {
      const answer = statement.looks === null || isBesidePending(statement) ? "with-others" : "alone"
      const by = yield* proved(transaction, facts, statement, attempt, unseen, answer)
      if (by !== null) yield* settle(transaction, statement, attempt, unseen.source, by)
    }
  })

const openStatements = ({ sql }: Transaction, submission: Integer) =>
  sql<StatementRow & { readonly attempt: Integer }>`select t.*, a.id as attempt from fiscal_attempt a
    join fiscal_statement t on t.account = a.account and t.request_id = a.request_id
    where a.submission = ${submission} and t.looks is not null and ${isOpen(sql)} order by a.id`

/**
 * Settles the failures of a document by an operator who looked in the portal. Each open request has
 * one. Returns the reason for refusing: each must have been asked for within the last minute.
 */
export const byOperator = (transaction: Transaction, submission: Integer): SqlEffect<string | null> =>
  Effect.gen(function* () {
    const { latest, sql } = transaction
    const stated = yield* openStatements(transaction, submission)
    // a clock may have been set back since
    const late = stated.find(
      ({ counted_at: at }) =>
        at === null || Math.abs(latest - number(at)) > Duration.toMillis(Patience.askedOnceMore.is)
    )
    if (late !== undefined)
      return `the last answer for its request ${late.request_id} is older than a minute: ask the gateway once more`
    // one failure settles a request
    for (const [attempt, [statement]] of Map.groupBy(stated, (row) => row.attempt)) {
      const [row] = yield* sql<AttemptRow>`select * from fiscal_attempt where id = ${attempt}`
      yield* settle(transaction, statement!, row!, "poll", "operator")
    }
    return null
  })

export const forgetUnclaimed = (
  { earliest, sql }: Transaction,
  account: string,
  { millis, most }: { readonly millis: number; readonly most: number }
) => {
  return sql`delete from fiscal_statement as t where t.account = ${account}
    and not exists (select 1 from fiscal_attempt a where a.account = t.account and a.request_id = t.request_id)
    and (t.last_at < ${earliest - millis} or t.last_at <= (select u.last_at from fiscal_statement u where u.account = ${account}
      and not exists (select 1 from fiscal_attempt a where a.account = u.account and a.request_id = u.request_id)
      order by u.last_at desc limit 1 offset ${most}))`
}
