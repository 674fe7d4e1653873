/**
 * Compares source, store, gateway and day reports of a period, and sums one account. Sends nothing
 * and decides nothing: answers of the gateway are recorded as evidence, as always.
 */
import { Array as Arr, BigDecimal, Data, DateTime, Duration, Effect, Option, Stream } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import { zoneOfAccount } from "../account/PinnedZone.ts"
import * as Account from "../day/Account.ts"
import * as AccountDifferences from "../day/AccountDifferences.ts"
import * as AccountLegs from "../day/AccountLegs.ts"
import * as AccountRecord from "../day/AccountRecord.ts"
import * as DayDifferences from "../day/DayDifferences.ts"
import * as DoubledSales from "../day/DoubledSales.ts"
import * as Families from "../day/Families.ts"
import * as FiscalDays from "../day/FiscalDays.ts"
import * as ReceiptNumbers from "../day/ReceiptNumbers.ts"
import * as Receipts from "../day/Receipts.ts"
import {
  type AccountRow,
  type Difference,
  named,
  plural,
  type Reconciliation,
  type SourceStatement
} from "../day/Reconciliation.ts"
import * as CivilDate from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import { RequestId } from "../document/Identifiers.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import { idsPerCall } from "../gateway/operation/Status.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import * as Notice from "../submission/Notice.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import type { MeantDocument, OtherPrograms } from "../submission/SubmissionQuery.ts"
import * as SourceLeg from "./SourceLeg.ts"

export { settledInStore } from "../day/AccountDifferences.ts"
export { sourceOf } from "./SourceLeg.ts"
export { changedSince, recordReport } from "../day/AccountRecord.ts"
export {
  type AccountRow,
  deviceRows,
  type Difference,
  exitOf,
  judgedCounters,
  type MonthOfDays,
  needsOperator,
  notPossible,
  ofMonth,
  outcomeOf,
  type PlaceSum,
  placesOf,
  type Reconciliation,
  resultOf,
  type SentOnDays,
  sentOnDays,
  sides,
  titles,
  type WithoutReceipt,
  withoutReceipt
} from "../day/Reconciliation.ts"

/** Reason for no account at all. */
export type ReconcileProblem =
  | { readonly _tag: "Period"; readonly text: string }
  | { readonly _tag: "NeverSent"; readonly account: string }

/** Error of an account that cannot be made. */
export class ReconcileRefused extends Data.TaggedError("ReconcileRefused")<{ readonly reason: ReconcileProblem }> {
  override get message() {
    const { reason } = this
    return reason._tag === "Period" ? reason.text : `the store never sent for the account ${reason.account}`
  }
}

/** The source of a comparison. `NotRead`: asked for, and not readable. */
export type SourceInput = SourceLeg.SourceRead | { readonly _tag: "NotRead"; readonly text: string }

/** Input of `run`. */
export interface ReconcileOrder {
  readonly settings: AccountSettings
  /** Other accounts of the configuration: those of the device are compared together. */
  readonly others: ReadonlyArray<AccountSettings>
  readonly period: Account.Period
  /** Null if no source is compared. */
  readonly source: SourceInput | null
  /** Is called for each document of the period. */
  readonly each?: (row: AccountRow) => void
}

/** Time before the period from which changed documents are read: documents are sent late. */
export const earlier = Duration.days(60)

interface ReconciledDevice extends DayDifferences.PinnedAccount {
  readonly accounts: ReadonlyArray<AccountSettings>
  readonly times: ReadonlyArray<Receipts.DayTimes>
  /** Days that were closed in the period, or could not be closed in it. */
  readonly own: ReadonlyArray<Receipts.DayTimes>
  readonly closedOn: (day: number | null) => CivilDate.CivilDate | null
  readonly closedUpTo: number | null
  readonly otherPrograms: OtherPrograms | null
  readonly first: DateTime.Utc | null
}

const zoneless = DateTime.zoneMakeOffset(0)

/** A day without a report was closed by the next known close. */
const daysOf = (reports: ReadonlyArray<ZReport>, zone: DateTime.TimeZone | null, { from, to }: Account.Period) => {
  const times = FiscalDays.timesOf(reports, zone)
  const dateOf = (at: DateTime.DateTime | null) => (at === null ? null : CivilDate.inZone(at, zone ?? zoneless))
  const closed = times
    .flatMap(({ close, day, until }) => (close === "closed" && until !== null ? [{ day, on: dateOf(until)! }] : []))
    .toSorted((a, b) => a.day - b.day)
  const known = new Map(closed.map(({ day, on }) => [day, on]))
  const failed = new Set(times.filter(({ close }) => close === "failed").map(({ day }) => day))
  const own = times.filter(({ after, close, until }) => {
    const on = dateOf(until) ?? (close === "failed" ? dateOf(after) : null)
    return on !== null && on >= from && on <= to
  })
  const closedOn = (day: number | null) =>
    day === null || failed.has(day) ? null : (known.get(day) ?? closed.find((one) => one.day > day)?.on ?? null)
  const closedUpTo = closed.findLast(({ on }) => on <= to)?.day ?? null
  return { times, own: own.toSorted((a, b) => a.day - b.day), closedOn, closedUpTo }
}

const pinned = (
  { others, period, settings }: ReconcileOrder,
  store: SubmissionStoreOperations
): Effect.Effect<ReconciledDevice | null, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const own = yield* DayDifferences.pinnedNow(store, settings)
    if (own === null) return null
    const accounts = [settings]
    for (const other of others) {
      const pin = Option.getOrNull(yield* store.pinOf(other.account))
      if (pin?.lane === own.lane) accounts.push(other)
    }
    const reports = yield* Stream.runCollect(settings.gateway.allZReports({ order: "desc" }))
    return {
      ...own,
      accounts,
      ...daysOf(reports, own.zone, period),
      otherPrograms: yield* store.otherPrograms(own.lane),
      first: yield* FiscalDays.firstAt(store, own.lane)
    }
  })

/**
 * Every request of the last seven days that may have been processed. After a failure nothing more
 * is asked, and the rest is counted as not answered.
 */
const askAgain = ({ accounts, lane }: ReconciledDevice, store: SubmissionStoreOperations, now: DateTime.Utc) =>
  Effect.gen(function* () {
    const since = DateTime.subtractDuration(now, Patience.retention.is)
    const asked = { asked: 0, answered: 0, text: null as string | null }
    const ask = (account: string, chunk: ReadonlyArray<RequestId>) =>
      Effect.gen(function* () {
        const own = accounts.find((one) => one.account === account)
        if (own === undefined) return
        asked.asked += chunk.length
        if (asked.text !== null) return
        const answer = yield* Effect.result(own.gateway.status(chunk))
        if (answer._tag === "Failure") {
          asked.text = answer.failure.message
          return
        }
        asked.answered += new Set(answer.success.map(({ requestId }) => requestId)).size
        yield* store.recordOutcomes(account, answer.success, "poll")
      })
    const waiting = new Map<string, Array<RequestId>>()
    yield* Stream.runForEach(store.documentsOf(lane, "sent", since), ({ account, requests }) =>
      Effect.gen(function* () {
        for (const { begunAt, requestId } of requests) {
          if (requestId === null || begunAt.epochMilliseconds < since.epochMilliseconds) continue
          count(waiting, account, RequestId.make(requestId))
        }
        const own = waiting.get(account) ?? []
        if (own.length >= idsPerCall) yield* ask(account, own.splice(0, idsPerCall))
      })
    )
    for (const [account, rest] of waiting)
      for (const chunk of Arr.chunksOf(rest, idsPerCall)) yield* ask(account, chunk)
    return asked
  })

interface OnlyHere {
  readonly file: string
  readonly number: string
  readonly currency: string
  /** Sum of its receipts. */
  readonly amount: Money.Money
}

const collecting = (period: Account.Period) => ({
  account: Account.make(period),
  proven: 0,
  claimed: new Array<string>(),
  byDay: new Map<number, Map<string, Money.Money>>(),
  inOpenDay: 0,
  /** Documents that are not in the source, by file and currency. */
  notStated: new Map<string, Array<OnlyHere>>(),
  /** Numbers of documents whose statement in the source cannot be compared, by the reason. */
  notKnown: new Map<string, Array<string>>(),
  compared: 0,
  families: Families.make(),
  doubled: DoubledSales.make(),
  differences: new Array<Difference>()
})

type LegCollection = ReturnType<typeof collecting>

interface Weighed extends Receipts.ReceiptsOfPeriod {
  readonly receiptsOf: ReadonlyArray<Account.PlacedReceipt>
  readonly current: Account.AccountFigures
  readonly meant: MeantDocument
  readonly noted: Parameters<typeof AccountDifferences.conflictsOf>[4]
}

const addDocument = (
  into: LegCollection,
  weighed: Weighed,
  { each, period, settings }: ReconcileOrder,
  statements: SourceLeg.LegStatements | null,
  acknowledged: AccountDifferences.Acknowledged
) => {
  const { current, document, meant, noted, receiptsOf } = weighed
  const { account, dated, id, kind, made, number, state } = document
  const isOfSource = statements !== null && account === settings.account && made === "source"
  const statement = isOfSource ? statements.of({ kind, id, number }) : null
  const one: Account.AccountDocument = {
    kind,
    number,
    account,
    dated,
    made,
    state,
    stated: AccountDifferences.isVoid(statement, document.conflicts)
      ? "void"
      : statement?._tag === "Stated"
        ? statement.figures
        : (noted?.figures ?? current),
    ended: endedOf(weighed),
    receipts: receiptsOf
  }
  const place = into.account.add(one)
  for (const { closed, day, figures } of receiptsOf) {
    if (closed === null || day === null || !Account.isWithin({ by: "proof", day, closed }, period)) continue
    const sums = into.byDay.get(day) ?? new Map<string, Money.Money>()
    into.byDay.set(day, sums)
    sums.set(figures.currency, BigDecimal.sum(sums.get(figures.currency) ?? Money.zero, Account.signedTotal(figures)))
  }
  const found = AccountDifferences.conflictsOf(weighed, period, place, statement, noted, acknowledged)
  into.differences.push(...found)
  into.families.add(weighed, made === "here" ? null : Account.statedBy(one), found, place)
  if (one.ended === null && one.stated !== "void")
    into.doubled.add(document, meant, receiptsOf.length > 0 ? "receipt" : "open")
  if (place === null) return
  for (const receipt of receiptsOf) {
    if (receipt.by === "operator") into.claimed.push(number)
    else into.proven++
    if (receipt.closed === null) into.inOpenDay++
  }
  const isDated = dated >= period.from && dated <= period.to
  if (statements !== null && isDated && account !== settings.account)
    count(into.notKnown, `documents of the account ${account}, which has a separate export`, number)
  if (statement !== null && isDated) {
    const reason = notCompared(statement, receiptsOf[0])
    if (reason !== null) count(into.notKnown, reason, number)
    else if (statement._tag !== "NotStated") into.compared++
    else if (one.stated !== "void" && place.fate !== "not-issued") {
      const { file } = meant.source
      const { currency } = current
      const amount = BigDecimal.sumAll(receiptsOf.map(({ figures }) => Account.signedTotal(figures)))
      count(into.notStated, `${file} ${currency}`, { file, number, currency, amount })
    }
  }
  each?.({ ...one, id, buyer: buyerOf(meant), place })
}

const notCompared = (statement: SourceStatement, receipt: Account.PlacedReceipt | undefined): string | null => {
  if (statement._tag === "NotKnown") return statement.text
  if (statement._tag !== "Stated" || receipt === undefined || statement.text !== "") return null
  return Account.compare(statement.figures, receipt.figures) === "not-known"
    ? "the sums are the same, and the taxes of the device are not known"
    : null
}

const count = <A>(into: Map<string, Array<A>>, name: string, one: A): void => {
  const own = into.get(name) ?? []
  into.set(name, own)
  own.push(one)
}

const buyerOf = ({ document: { payload } }: MeantDocument): string | null => payload.buyerContact?.name ?? null

const endedOf = ({ document, receipts }: Receipts.ReceiptsOfPeriod): Account.AccountDocument["ended"] => {
  const { isRepresented, state } = document
  if (receipts.length > 0) return null
  const ended = state === "Fiscalised" ? "elsewhere" : Account.endedBy(state)
  return ended !== null && isRepresented ? "represented" : ended
}

const addPage = (
  into: LegCollection,
  page: ReadonlyArray<Receipts.ReceiptsOfPeriod>,
  device: ReconciledDevice,
  codes: ReturnType<typeof FiscalDays.todaysCodes>,
  order: ReconcileOrder,
  statements: SourceLeg.LegStatements | null,
  acknowledged: AccountDifferences.Acknowledged,
  store: SubmissionStoreOperations
) =>
  Effect.gen(function* () {
    const placed = page.map((found) => ({
      found,
      receipts: found.receipts.map((one) => ({ ...one, ...closeOf(one, device) }))
    }))
    const own = placed.filter(({ found, receipts }) => {
      const { document } = found
      // the account is asked in any case, so that the statement counts as taken
      if (document.account === order.settings.account) statements?.of(document)
      const about = { dated: document.dated, made: document.made, ended: endedOf(found), receipts }
      return (
        Account.placeOf(about, order.period) !== null ||
        receipts.some((one) => Account.isWithin(one, order.period)) ||
        // a note of a later period may belong to an invoice of this one
        (document.made === "here" && receipts.length > 0)
      )
    })
    const meant = yield* store.revisions(
      own.flatMap(({ found: { document }, receipts }) => [
        [document.seq, document.revision] as const,
        ...receipts.map(({ of }) => of)
      ])
    )
    yield* codes.learn(own.map(({ found }, n) => ({ account: found.document.account, meaning: meant[n]!.meaning })))
    let next = 0
    const figuresOf = (account: string, one: Pick<MeantDocument, "document" | "meaning">) =>
      Account.figuresOf(one, one.meaning === null ? codes.meant(account, one.document) : null)
    for (const { found, receipts } of own) {
      const { account } = found.document
      const current = meant[next++]!
      const receiptsOf = receipts
        .map(({ by, closed, code, day, link, receiptNumber }) => ({
          by,
          closed,
          day,
          code,
          link,
          number: receiptNumber,
          figures: figuresOf(account, meant[next++]!)
        }))
        .toSorted(Account.early)
      const { conflicts } = found.document
      const isChanged = conflicts.some(({ code, standing }) => code === "SOURCE_CONFLICT" && standing === "open")
      const recorded = isChanged ? yield* SourceLeg.notedOf(found.document, store) : null
      const noted = recorded && { figures: figuresOf(account, recorded.stated), text: recorded.text }
      const weighed = { ...found, current: figuresOf(account, current), meant: current, receiptsOf, noted }
      addDocument(into, weighed, order, statements, acknowledged)
    }
  })

const closeOf = (receipt: Receipts.DeviceReceipt, { closedOn, times }: ReconciledDevice) => {
  const own = Receipts.dayOf(receipt, times)
  return { day: own, closed: closedOn(own) }
}

const readOf = (
  source: SourceInput,
  statements: SourceLeg.LegStatements | null,
  { compared, notKnown }: LegCollection,
  added: number
): AccountLegs.SourceFacts => {
  if (source._tag === "NotRead") return source
  if (statements === null) return { _tag: "NotRead", text: "not read" }
  const { documents, skipped } = statements
  return { _tag: "Read", name: source.name, documents, skipped, compared, added, notKnown }
}

const bothWays = (
  into: LegCollection,
  order: ReconcileOrder,
  statements: SourceLeg.LegStatements,
  source: SourceLeg.SourceRead,
  acknowledged: AccountDifferences.Acknowledged
): number => {
  const { period, settings } = order
  let added = 0
  for (const document of statements.rest()) {
    const { dated } = document
    if (dated === null) {
      count(into.notKnown, document.text, document.number)
      continue
    }
    const one = { ...document, dated }
    const place = into.account.add(one)
    if (place === null) continue
    if (document.text === "") added++
    else count(into.notKnown, document.text, document.number)
    order.each?.({ ...one, buyer: null, place })
    const stated = Account.statedBy(document)
    const isTaken = place.fate !== "carried-out" && place.fate !== "not-accepted"
    if (isTaken || stated === null) continue
    const { currency, total } = stated
    const here = place.fate === "not-accepted" ? "is refused here" : "nowhere here"
    const text = `${document.number} of ${document.dated}, ${currency} ${Money.formatAmount(total)}, is in ${source.name} and ${here}`
    const about = {
      code: "SOURCE_NOT_HERE",
      grade: "proven",
      currency,
      amount: BigDecimal.negate(Account.signedTotal(stated)),
      books: Account.signedTotal(stated),
      sent: null,
      documents: [{ account: settings.account, number: document.number }],
      text,
      step: { do: "import-again" }
    } as const
    into.differences.push(
      AccountDifferences.identified(settings.account, `${document.kind} ${document.id}`, about, acknowledged)
    )
  }
  for (const [name, documents] of into.notStated) {
    const [{ currency, file }] = documents as [OnlyHere]
    const numbers = documents.map(({ number }) => number)
    const amount = BigDecimal.sumAll(documents.map((one) => one.amount))
    const what = `${plural(numbers.length, "document")} of ${file} dated in the period, with receipts of ${currency} ${Money.formatAmount(amount)}`
    const text = `${what}: not in ${source.name}: ${named(numbers, 20)}. Give all exports of the period`
    const about = {
      code: "NOT_IN_SOURCE",
      grade: "unexplained",
      currency,
      amount,
      books: null,
      sent: amount,
      documents: numbers.slice(0, 20).map((number) => ({ account: settings.account, number })),
      text,
      step: { do: "imports" }
    } as const
    into.differences.push(
      AccountDifferences.identified(settings.account, `${name} ${period.from} ${period.to}`, about, acknowledged)
    )
  }
  return added
}

const perPage = 1000

/** Reads the whole record of decisions. */
export const decisionsOf = (store: SubmissionStoreOperations) =>
  Stream.runCollect(
    Stream.paginate(0, (after) =>
      Effect.map(store.decisions(after, perPage), (page) => [
        page,
        page.length < perPage ? Option.none<number>() : Option.some(page.at(-1)!.id)
      ])
    )
  )

const periodProblem = ({ from, to }: Account.Period, today: CivilDate.CivilDate): string | null =>
  from > to
    ? `the period begins on ${from}, after its end on ${to}`
    : from > today
      ? `the period begins on ${from}, which is in the future`
      : null

type AccountHeader = Pick<
  Reconciliation,
  "account" | "period" | "zone" | "taxpayer" | "device" | "at" | "decisions" | "reported"
>

const withoutGateway = ({ source }: ReconcileOrder, because: string, facts: AccountHeader): Reconciliation => {
  const names: ReadonlyArray<Reconciliation["legs"][number]["name"]> = [
    "store ↔ gateway",
    "store ↔ day reports",
    "receipt numbers"
  ]
  const asked = source === null ? names : [...names, "source ↔ store" as const]
  return {
    ...facts,
    legs: asked.map((name) => ({ name, compared: null, notPossible: [{ count: 0, because, is: "left-out" }] })),
    chains: null,
    deviceSums: new Map(),
    opening: [],
    closing: [],
    differences: [],
    days: [],
    closedUpTo: null,
    notes: []
  }
}

/** Makes the account of a period. Fails for an impossible period, or if nothing was ever sent. */
export const run = (
  order: ReconcileOrder
): Effect.Effect<Reconciliation, ReconcileRefused | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const { period, settings } = order
    const store = yield* SubmissionStore
    const at = yield* DateTime.now
    const pin = Option.getOrNull(yield* store.pinOf(settings.account))
    if (pin === null) return yield* new ReconcileRefused({ reason: { _tag: "NeverSent", account: settings.account } })
    const decisions = (yield* decisionsOf(store)).filter(
      ({ account }) =>
        account === null || account === settings.account || order.others.some((one) => one.account === account)
    )
    const reports = decisions.filter(
      ({ account, act, subject }) =>
        act === "report" && account === settings.account && subject === AccountRecord.subjectOf(period)
    )
    const zone = zoneOfAccount(settings, pin) ?? zoneless
    const facts: AccountHeader = {
      account: settings.account,
      period,
      zone,
      taxpayer: pin.taxpayer,
      device: pin.lane,
      at,
      decisions: AccountRecord.within(decisions, period, zone),
      reported: reports.at(-1) ?? null
    }
    const acknowledged = new Map(decisions.map((one) => [Notice.acknowledgedBy(one), one.who]))
    return yield* Effect.catchTag(withGateway(order, facts, acknowledged, store), "GatewayError", ({ message }) =>
      Effect.succeed(withoutGateway(order, `the gateway did not answer: ${message}`, facts))
    )
  })

const withGateway = (
  order: ReconcileOrder,
  facts: AccountHeader,
  acknowledged: AccountDifferences.Acknowledged,
  store: SubmissionStoreOperations
): Effect.Effect<Reconciliation, GatewayError | ReconcileRefused | StoreError> =>
  Effect.gen(function* () {
    const { period, settings, source } = order
    const device = yield* pinned(order, store)
    if (device === null) return withoutGateway(order, "the account has another device now", facts)
    const problem = periodProblem(period, CivilDate.inZone(facts.at, facts.zone))
    if (problem !== null) return yield* new ReconcileRefused({ reason: { _tag: "Period", text: problem } })
    const asked = yield* askAgain(device, store, facts.at)
    const { days, into, numbers, statements } = yield* comparedWith(order, device, acknowledged, store)
    const added =
      statements === null || source?._tag !== "Read" ? 0 : bothWays(into, order, statements, source, acknowledged)
    const byFamily = into.families.settle(
      into.differences,
      settings.account,
      statements?.ofInvoice ?? null,
      acknowledged
    )
    byFamily.taxCents.forEach(into.account.addTaxCent)
    const reported = days.map(({ day }) => day)
    const ranges = days.length === 0 ? [] : numbers.rangesIn(Math.min(...reported), Math.max(...reported))
    const chains = into.account.chains()
    const failed = new Set(device.own.flatMap(({ close, day }) => (close === "failed" ? [day] : [])))
    return {
      ...facts,
      legs: AccountLegs.legs(
        into,
        asked,
        days,
        ranges,
        source && readOf(source, statements, into, added),
        device,
        acknowledged
      ),
      chains,
      deviceSums: AccountLegs.deviceSums(chains, days, into.byDay, failed),
      opening: into.account.opening,
      closing: into.account.closing,
      differences: [
        ...byFamily.differences,
        ...(yield* into.doubled.differences(acknowledged, store)),
        ...AccountDifferences.dayDifferences(days, device, acknowledged),
        ...AccountDifferences.numberDifferences(ranges, days, device, acknowledged)
      ],
      days,
      closedUpTo: device.closedUpTo,
      notes: [
        ...beginOf(period, device),
        ...(source === null ? yield* refusedIn(period, settings.account, store) : []),
        ...byFamily.notes,
        ...(ranges.length === 0 ? [] : [ReceiptNumbers.listed(ranges)])
      ]
    }
  })

const refusedIn = ({ from, to }: Account.Period, account: string, store: SubmissionStoreOperations) =>
  Effect.map(store.refused.of(account), (refused) => {
    const open = refused.filter(({ standing }) => standing === "open")
    const noted = (own: typeof open, where: string) =>
      own.length === 0
        ? []
        : [
            `${plural(own.length, "refused document")} ${where}: ${named(
              own.map(({ number }) => number),
              10
            )}. Their figures are known with the files of the source.`
          ]
    return [
      ...noted(
        open.filter(({ day }) => day !== null && day >= from && day <= to),
        "of the period"
      ),
      ...noted(
        open.filter(({ day }) => day === null),
        "without a date, which may be of the period"
      )
    ]
  })

const beginOf = ({ from }: Account.Period, { first, zone }: ReconciledDevice): ReadonlyArray<string> => {
  if (first === null) return ["The store has no document of the device."]
  const day = CivilDate.inZone(first, zone ?? zoneless)
  return day > from ? [`The store has its first document on ${day}: it may lack receipts of days closed before.`] : []
}

const comparedWith = (
  order: ReconcileOrder,
  device: ReconciledDevice,
  acknowledged: AccountDifferences.Acknowledged,
  store: SubmissionStoreOperations
) =>
  Effect.gen(function* () {
    const { period, settings, source } = order
    const { accounts, first, lane, otherPrograms, own } = device
    const into = collecting(period)
    const numbers = ReceiptNumbers.make()
    const receipts = Receipts.collecting(store, own)
    const codes = FiscalDays.todaysCodes(accounts)
    if (source?._tag === "Read") yield* codes.learn([{ account: settings.account, meaning: null }])
    const statements = source?._tag === "Read" ? yield* SourceLeg.read(source, settings.account, store, codes) : null
    const from = CivilDate.at(period.from, 0, device.zone ?? zoneless)
    const since = DateTime.subtractDuration(
      [from, Receipts.sinceOf(own) ?? from].reduce((a, b) => (a.epochMilliseconds < b.epochMilliseconds ? a : b)),
      earlier
    )
    yield* Receipts.stream(store, lane, "all", since, numbers).pipe(
      Stream.tap((found) => Effect.sync(() => receipts.add(found))),
      Stream.grouped(500),
      Stream.runForEach((page) => addPage(into, page, device, codes, order, statements, acknowledged, store))
    )
    const days = yield* FiscalDays.compare(
      own,
      { inDay: (day) => receipts.inDay(day, numbers) },
      { facts: { first, otherPrograms }, accounts, reportOf: (day) => FiscalDays.reportOf(settings.gateway, day) }
    )
    return { into, numbers, days, statements }
  })
