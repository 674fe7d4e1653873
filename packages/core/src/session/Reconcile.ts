/**
 * Compares source, store, gateway and day reports of a period, and sums one account. Sends nothing
 * and decides nothing: answers of the gateway are recorded as evidence, as always.
 */
import { Array as Arr, BigDecimal, Data, DateTime, Duration, Effect, Option, Stream } from "effect"
import type { AccountSettings } from "../account/AccountSettings.ts"
import { zoneOfAccount } from "../account/PinnedZone.ts"
import * as Account from "../day/Account.ts"
import * as DayDifferences from "../day/DayDifferences.ts"
import * as DayLeg from "../day/DayLeg.ts"
import * as Families from "../day/Families.ts"
import * as FiscalDays from "../day/FiscalDays.ts"
import * as ReceiptNumbers from "../day/ReceiptNumbers.ts"
import * as Receipts from "../day/Receipts.ts"
import * as CivilDate from "../document/CivilDate.ts"
import * as Money from "../document/Money.ts"
import { originalOf } from "../document/FiscalDocument.ts"
import { RequestId } from "../document/Identifiers.ts"
import * as WrittenDocument from "../document/WrittenDocument.ts"
import type { Step } from "../finding/Step.ts"
import type { GatewayError } from "../gateway/contract/GatewayError.ts"
import { idsPerCall } from "../gateway/operation/Status.ts"
import type { ZReport } from "../gateway/operation/ZReport.ts"
import type { ImportPlan } from "../import/ImportPlan.ts"
import { meaningOf } from "../import/StoreComparison.ts"
import type { CodeMeaning } from "../submission/ledger/Original.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { StoredConflict } from "../submission/Explanation.ts"
import * as Notice from "../submission/Notice.ts"
import type { RecordedDecision } from "../submission/OperatorRecord.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../submission/SubmissionStore.ts"
import type { MeantDocument, OtherPrograms } from "../submission/SubmissionQuery.ts"
import * as SourceLeg from "./SourceLeg.ts"

/** Part of a leg that was not compared. `open-day`: it is compared when the day is closed. */
export interface NotCompared {
  readonly count: number
  readonly because: string
  readonly is: "open-day" | "left-out"
}

/** Comparison of two sides. */
export interface Leg {
  readonly name: "store ↔ gateway" | "store ↔ day reports" | "receipt numbers" | "source ↔ store"
  /** The compared part with counts. Null if nothing was compared. */
  readonly compared: string | null
  readonly notPossible: ReadonlyArray<NotCompared>
}

/** A difference of the period. */
export interface Difference {
  /** Made of device, day or document, name and figures. */
  readonly id: string
  readonly code: StoredConflict["code"] | Notice.ReconcileCode | "DAY_DIFFERS" | "RECEIPT_NOT_OURS"
  readonly grade: DayLeg.Grade
  readonly currency: string | null
  /** Amount that is taxed more than the books have. Null if no amount is known. */
  readonly amount: Money.Money | null
  /** Documents of the difference, by account and number. */
  readonly documents: ReadonlyArray<{ readonly account: string; readonly number: string }>
  readonly text: string
  readonly step: Step
  /** Operator who examined the difference. Null if it is not examined. */
  readonly acknowledged: string | null
}

/** Sum of a currency at the device. */
export interface DeviceSum {
  /** Balances of the compared days. */
  readonly reports: Money.Money
  /** Receipts of the store in days that were not compared. */
  readonly notCompared: Money.Money
  /** Receipts of other programs, which an operator has declared. */
  readonly others: Money.Money
  /** Day reports less receipts: what no row explains. */
  readonly left: Money.Money
}

/** A document of the period, for lists and files. */
export interface AccountRow extends Account.AccountDocument {
  readonly id: string
  readonly buyer: string | null
  readonly place: Account.Place | null
}

/** One account of a period. */
export interface Reconciliation {
  readonly account: string
  readonly taxpayer: string
  readonly device: string
  readonly period: Account.Period
  readonly at: DateTime.Utc
  /** Zone of the days: the device's, otherwise UTC. */
  readonly zone: DateTime.TimeZone
  readonly legs: ReadonlyArray<Leg>
  /** Rows of the chain by currency. Null if the closings of the days are not known. */
  readonly chains: ReadonlyMap<string, ReadonlyArray<Account.Row>> | null
  readonly deviceSums: ReadonlyMap<string, DeviceSum>
  readonly opening: ReadonlyArray<Account.Carried>
  readonly closing: ReadonlyArray<Account.Carried>
  readonly differences: ReadonlyArray<Difference>
  readonly days: ReadonlyArray<DayLeg.ComparedDay>
  /** Record of the last report of the period. Null if none was written. */
  readonly reported: RecordedDecision | null
  /** Statements worth reading that are no difference: missing numbers, the start of the store. */
  readonly notes: ReadonlyArray<string>
  readonly decisions: ReadonlyArray<RecordedDecision>
}

/** Reason for no account at all. */
export type ReconcileProblem =
  | { readonly _tag: "Period"; readonly because: string }
  | { readonly _tag: "NeverSent"; readonly account: string }

/** Error of an account that cannot be made. */
export class ReconcileRefused extends Data.TaggedError("ReconcileRefused")<{ readonly reason: ReconcileProblem }> {
  override get message() {
    const { reason } = this
    return reason._tag === "Period" ? reason.because : `the store never sent for the account ${reason.account}`
  }
}

/** The source of a comparison. `NotRead`: asked for, and not readable. */
export type SourceInput =
  | {
      readonly _tag: "Read"
      readonly plan: Pick<ImportPlan, "entries" | "skipped" | "book">
      readonly name: string
      /** Documents of the store that a live source does not answer for. */
      readonly unanswered?: SourceLeg.Unanswered
    }
  | { readonly _tag: "NotRead"; readonly because: string }

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

const named = (numbers: ReadonlyArray<string>, most: number): string =>
  `${numbers.slice(0, most).join(", ")}${numbers.length > most ? ", …" : ""}`

const plural = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`

/** Exit code: 2 for a difference that is not acknowledged, 3 for a part that was not compared. */
export const exitOf = ({ closing, differences, legs }: Reconciliation): 0 | 2 | 3 => {
  if (differences.some(({ acknowledged }) => acknowledged === null)) return 2
  const isPart = legs.some(
    ({ compared, notPossible }) => compared === null || notPossible.some(({ is }) => is === "left-out")
  )
  return isPart || closing.some(({ standing }) => standing === "open") ? 3 : 0
}

/** Facts of the device, before the documents are read. */
interface Device extends DayDifferences.PinnedAccount {
  readonly taxpayer: string
  readonly accounts: ReadonlyArray<AccountSettings>
  /** Times of all reported days. */
  readonly times: ReadonlyArray<Receipts.DayTimes>
  /** Days that were closed in the period, or could not be closed in it. */
  readonly own: ReadonlyArray<Receipts.DayTimes>
  readonly closedOn: (day: number | null) => CivilDate.CivilDate | null
  readonly otherPrograms: OtherPrograms | null
  readonly first: DateTime.Utc | null
}

const zoneless = DateTime.zoneMakeOffset(0)

/** Reads the days of the device. A day without a report was closed by the next known close. */
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
  return { times, own: own.toSorted((a, b) => a.day - b.day), closedOn }
}

const pinned = (
  { others, period, settings }: ReconcileOrder,
  store: SubmissionStoreOperations
): Effect.Effect<Device | null, GatewayError | StoreError> =>
  Effect.gen(function* () {
    const own = yield* DayDifferences.pinnedNow(store, settings)
    if (own === null) return null
    const accounts = [settings]
    for (const other of others) {
      const pin = Option.getOrNull(yield* store.pinOf(other.account))
      if (pin?.lane === own.lane) accounts.push(other)
    }
    const reports = yield* Stream.runCollect(settings.gateway.allZReports({ order: "desc" }))
    const taxpayer = Option.getOrThrow(yield* store.pinOf(settings.account)).taxpayer
    return {
      ...own,
      taxpayer,
      accounts,
      ...daysOf(reports, own.zone, period),
      otherPrograms: yield* store.otherPrograms(own.lane),
      first: yield* FiscalDays.firstAt(store, own.lane)
    }
  })

/** Result of asking again for the requests of the last seven days. */
interface Asked {
  readonly asked: number
  readonly answered: number
  readonly problem: string | null
}

/** Asks for every request of the last seven days that may have been processed. */
const askAgain = ({ accounts, lane }: Device, store: SubmissionStoreOperations, now: DateTime.Utc) =>
  Effect.gen(function* () {
    const since = DateTime.subtractDuration(now, Patience.retention.is)
    const ids = new Map<string, Array<RequestId>>()
    yield* Stream.runForEach(store.documentsOf(lane, "sent", since), ({ account, requests }) =>
      Effect.sync(() => {
        for (const { begunAt, requestId } of requests) {
          if (requestId === null || begunAt.epochMilliseconds < since.epochMilliseconds) continue
          ids.set(account, [...(ids.get(account) ?? []), RequestId.make(requestId)])
        }
      })
    )
    let [asked, answered] = [0, 0]
    for (const { account, gateway } of accounts)
      for (const chunk of Arr.chunksOf(ids.get(account) ?? [], idsPerCall)) {
        asked += chunk.length
        const answer = yield* Effect.result(gateway.status(chunk))
        if (answer._tag === "Failure") return { asked, answered, problem: answer.failure.message }
        answered += new Set(answer.success.map(({ requestId }) => requestId)).size
        yield* store.recordOutcomes(account, answer.success, "poll")
      }
    return { asked, answered, problem: null }
  })

/** Everything that one pass over the documents collects. */
const collecting = (period: Account.Period) => ({
  account: Account.make(period),
  proven: 0,
  claimed: new Array<string>(),
  /** Receipts of the store by day and currency. */
  byDay: new Map<number, Map<string, Money.Money>>(),
  inOpenDay: 0,
  notStated: new Map<string, Array<string>>(),
  /** Numbers of documents whose statement in the source cannot be compared, by the reason. */
  notKnown: new Map<string, Array<string>>(),
  compared: 0,
  elsewhere: new Map<string, number>(),
  families: Families.make(),
  /** Differences that agree if the family of the document does, with the name of the family. */
  ofFamily: new Map<Difference, string>(),
  /** Families with a difference between source and receipt. */
  conflicted: new Set<string>(),
  /** Receipts of credit notes that were prepared here. */
  prepared: new Array<PreparedNote>(),
  differences: new Array<Difference>()
})
type Collected = ReturnType<typeof collecting>

/** A credit note of an invoice that was prepared here, with its receipt. */
interface PreparedNote extends Pick<Receipts.Found["document"], "account" | "number"> {
  readonly family: string
  readonly invoiceId: string
  readonly figures: Account.Figures
}

/** Adds a document with a proven receipt to its family, and marks what the family may settle. */
const addToFamily = (
  into: Collected,
  { document: { account, id, kind, made, number }, meant, receiptsOf }: Weighed,
  stated: Account.Figures | null,
  differences: ReadonlyArray<Difference>
): void => {
  const [receipt] = receiptsOf
  const invoiceId = kind === "invoice" ? id : originalOf(meant.document)
  if (receipt === undefined || receipt.by !== "proof" || invoiceId === null) return
  const family = `${account} ${invoiceId}`
  const isOther = stated === null || Account.compare(stated, receipt.figures) === "other"
  if (made === "here") into.prepared.push({ account, number, family, invoiceId, figures: receipt.figures })
  if (isOther) into.families.add(family, stated, receipt.figures)
  for (const difference of differences) {
    if (difference.code !== "SOURCE_CONFLICT" && difference.code !== "SOURCE_CANCELLED") continue
    into.conflicted.add(family)
    if (isOther) into.ofFamily.set(difference, family)
  }
}

/** Returns the differences that hold for whole families, and what is worth reading of the others. */
const familyDifferences = (
  { conflicted, differences, families, ofFamily, prepared }: Collected,
  statements: SourceLeg.Statements | null,
  { account: own }: AccountSettings,
  acknowledged: ReadonlyMap<string | null, string>
) => {
  const notes: Array<string> = []
  const left = differences.filter((one) => {
    const agreement = families.agreement(ofFamily.get(one) ?? "")
    if (agreement === "tax-cent")
      notes.push(
        `TAX_CENT: ${one.documents.map(({ number }) => number).join()} and its credit notes agree; the tax is off by a cent.`
      )
    return agreement !== "same" && agreement !== "tax-cent"
  })
  const unasked =
    statements === null ? [] : prepared.filter((one) => one.account === own && !conflicted.has(one.family))
  const added = unasked.flatMap(({ account, figures, invoiceId, number }): ReadonlyArray<Difference> => {
    const stated = statements!.ofInvoice(invoiceId)
    if (stated._tag !== "Same" && stated._tag !== "Stated") return []
    const { currency, total } = figures
    const about = {
      code: "SOURCE_CONFLICT",
      grade: "proven",
      currency,
      amount: BigDecimal.negate(total),
      documents: [{ account, number }],
      text: `${number}, prepared here, credits ${currency} ${Money.formatAmount(total)} of ${invoiceId}, and the source states the invoice as it was sent`,
      step: { do: "explain" }
    } as const
    return [identified(account, `credit-note ${number}`, about, acknowledged)]
  })
  return { differences: [...left, ...added], notes }
}

type WithoutAcknowledgement = Omit<Difference, "id" | "acknowledged">

/** Completes a difference with its id, and who has acknowledged it. */
/** Shown in place of an operator if the store itself has settled the contradiction. */
export const settledInStore = "settled in the store"

const identified = (
  subject: string,
  about: string,
  difference: WithoutAcknowledgement,
  acknowledged: ReadonlyMap<string | null, string>,
  standing: "open" | "settled" = "open"
): Difference => {
  const { code, text } = difference
  const id = Notice.idOf({ subject, code, detail: about, text })
  const who = acknowledged.get(id) ?? (standing === "settled" ? settledInStore : null)
  return { ...difference, id, acknowledged: who }
}

const receiptWords = ({ day, figures, number }: Account.PlacedReceipt): string =>
  `${number ?? "without a number"} of day ${day ?? "?"}, ${figures.currency} ${Money.formatAmount(figures.total)}`

/** A document with the figures of its receipts. */
interface Weighed extends Receipts.Found {
  readonly receiptsOf: ReadonlyArray<Account.PlacedReceipt>
  readonly current: Account.Figures
  readonly meant: MeantDocument
}

/** True if the source has voided the document, by its statement or by the record of an import. */
const isVoid = (statement: SourceLeg.Statement | null, conflicts: Receipts.Found["document"]["conflicts"]): boolean =>
  statement?._tag === "Void" ||
  ((statement === null || statement._tag === "NotStated" || statement._tag === "NotKnown") &&
    conflicts.some(({ code }) => code === "SOURCE_CANCELLED"))

const taxWords = ({ currency, tax, total }: Account.Figures): string =>
  `${currency} ${Money.formatAmount(total)}, tax ${Money.formatAmount(tax)}`

const shareWords = ({ shares }: Account.Figures): string =>
  shares.map(({ device, gross }) => `${device ?? "not known"} ${Money.formatAmount(gross)}`).join(", ")

/** States the taxes of both sides if the sums are the same. */
const taxesDiffer = (stated: Account.Figures, receipt: Account.Figures): string =>
  taxWords(stated) === taxWords(receipt)
    ? ` (taxes of the device: stated ${shareWords(stated)}; receipt ${shareWords(receipt)})`
    : ""

const conflictsOf = (
  { document, receiptsOf }: Weighed,
  period: Account.Period,
  place: Account.Place | null,
  statement: SourceLeg.Statement | null,
  acknowledged: ReadonlyMap<string | null, string>
): ReadonlyArray<Difference> => {
  const { account, conflicts, id, kind, number } = document
  const named = { documents: [{ account, number }], step: { do: "explain" } as const, grade: "proven" as const }
  const make = (
    code: StoredConflict["code"],
    text: string,
    standing: "open" | "settled",
    figures: Account.Figures | null,
    amount: Money.Money | null = figures?.total ?? null
  ) => {
    const difference = { ...named, code, text, currency: figures?.currency ?? null, amount }
    return identified(account, `${kind} ${id}`, difference, acknowledged, standing)
  }
  const [first] = receiptsOf
  const proven = receiptsOf.filter(({ by }) => by === "proof")
  const further = receiptsOf.slice(1).filter((one) => one.by === "proof" && Account.isWithin(one, period))
  if (place === null && further.length === 0) return []
  const found: Array<Difference> = []
  const standingOf = (code: string) => conflicts.find((one) => one.code === code)?.standing ?? "open"
  if (further.length > 0) {
    const words = proven.map(receiptWords).join("; ")
    const total = BigDecimal.sumAll(further.map(({ figures }) => figures.total))
    const of = `${number} has ${proven.length} receipts: ${words}`
    found.push(make("DOUBLE_FISCALISED", of, standingOf("DOUBLE_FISCALISED"), further[0]!.figures, total))
  }
  if (isVoid(statement, conflicts) && first !== undefined) {
    const of = `${number}: the source has voided or deleted it, and it has the receipt ${receiptWords(first)}`
    found.push(make("SOURCE_CANCELLED", of, standingOf("SOURCE_CANCELLED"), first.figures))
  }
  if (statement?._tag === "Stated" && first !== undefined) {
    const { because, figures } = statement
    if (because !== "" || Account.compare(figures, first.figures) === "other") {
      const { total } = figures
      const why = because === "" ? taxesDiffer(figures, first.figures) : ` (${because})`
      const of = `${number}: the source states ${taxWords(figures)}, the receipt is ${receiptWords(first)}${why}`
      const less = BigDecimal.subtract(first.figures.total, total)
      found.push(make("SOURCE_CONFLICT", of, standingOf("SOURCE_CONFLICT"), first.figures, less))
    }
  }
  const others = conflicts.filter(({ code }) => !found.some((one) => one.code === code) && code !== "SOURCE_CANCELLED")
  return [...found, ...others.map(({ code, detail, standing }) => make(code, `${number}: ${detail}`, standing, null))]
}

/** Adds a document to the account, with its differences. */
const addDocument = (
  into: Collected,
  weighed: Weighed,
  { each, period, settings }: ReconcileOrder,
  statements: SourceLeg.Statements | null,
  acknowledged: ReadonlyMap<string | null, string>
) => {
  const { current, document, meant, receiptsOf } = weighed
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
    stated: isVoid(statement, document.conflicts) ? "void" : statement?._tag === "Stated" ? statement.figures : current,
    ended: endedOf(weighed),
    receipts: receiptsOf
  }
  const place = into.account.add(one)
  for (const { closed, day, figures } of receiptsOf) {
    if (closed === null || day === null || !Account.isWithin({ by: "proof", day, closed }, period)) continue
    const sums = into.byDay.get(day) ?? new Map<string, Money.Money>()
    into.byDay.set(day, sums)
    const signed = figures.kind === "invoice" ? figures.total : BigDecimal.negate(figures.total)
    sums.set(figures.currency, BigDecimal.sum(sums.get(figures.currency) ?? Money.zero, signed))
  }
  const found = conflictsOf(weighed, period, place, statement, acknowledged)
  into.differences.push(...found)
  addToFamily(into, weighed, made === "here" ? null : Account.statedBy(one), found)
  if (place === null) return
  for (const receipt of receiptsOf) {
    if (receipt.by === "operator") into.claimed.push(number)
    else into.proven++
    if (receipt.closed === null) into.inOpenDay++
  }
  const isDated = dated >= period.from && dated <= period.to
  if (statements !== null && isDated && account !== settings.account)
    into.elsewhere.set(account, (into.elsewhere.get(account) ?? 0) + 1)
  if (statement !== null && isDated) {
    const reason = notCompared(statement, receiptsOf[0])
    if (reason !== null) count(into.notKnown, reason, number)
    else if (statement._tag !== "NotStated") into.compared++
    else if (one.stated !== "void" && place.fate !== "not-issued") count(into.notStated, meant.source.file, number)
  }
  each?.({ ...one, id, buyer: buyerOf(meant), place })
}

/** Returns why a statement is not compared with the receipt. Null if it is, or if it is missing. */
const notCompared = (statement: SourceLeg.Statement, receipt: Account.PlacedReceipt | undefined): string | null => {
  if (statement._tag === "NotKnown") return statement.because
  if (statement._tag !== "Stated" || receipt === undefined || statement.because !== "") return null
  return Account.compare(statement.figures, receipt.figures) === "not-known"
    ? "the sums are the same, and the taxes of the device are not known"
    : null
}

const count = (into: Map<string, Array<string>>, name: string, number: string): void =>
  void into.set(name, [...(into.get(name) ?? []), number])

const buyerOf = ({ document: { payload } }: MeantDocument): string | null => payload.buyerContact?.name ?? null

const endedOf = ({ document: { state }, receipts }: Receipts.Found): Account.Ended | null =>
  receipts.length > 0 ? null : state === "Fiscalised" ? "elsewhere" : Account.endedBy(state)

/** Reads the figures of one page of documents, and adds each to the account. */
const addPage = (
  into: Collected,
  page: ReadonlyArray<Receipts.Found>,
  device: Device,
  codes: ReturnType<typeof FiscalDays.todaysCodes>,
  order: ReconcileOrder,
  statements: SourceLeg.Statements | null,
  acknowledged: ReadonlyMap<string | null, string>,
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
    const figuresOf = (account: string, one: MeantDocument) =>
      Account.figuresOf(one, one.meaning === null ? codes.meant(account, one.document) : null)
    for (const { found, receipts } of own) {
      const { account } = found.document
      const current = meant[next++]!
      const receiptsOf = receipts
        .map(({ by, closed, code, day, receiptNumber }) => ({
          by,
          closed,
          day,
          code,
          number: receiptNumber,
          figures: figuresOf(account, meant[next++]!)
        }))
        .toSorted(Account.early)
      const weighed = { ...found, current: figuresOf(account, current), meant: current, receiptsOf }
      addDocument(into, weighed, order, statements, acknowledged)
    }
  })

/** A claimed receipt without a day is expected in the day in which its document was sent. */
const closeOf = ({ day, sentAt }: Receipts.Receipt, { closedOn, times }: Device) => {
  const own = day ?? times.find((one) => Receipts.isWithin(sentAt, one))?.day ?? null
  return { day: own, closed: closedOn(own) }
}

const gatewayLeg = ({ claimed, proven }: Collected, { answered, asked, problem }: Asked): Leg => {
  const all = proven + claimed.length
  const again = asked === 0 ? "" : `; ${answered} of ${asked} requests of the last 7 days asked again`
  return {
    name: "store ↔ gateway",
    compared: all === 0 ? null : `${proven} of ${plural(all, "receipt")} by the gateway's own answer${again}`,
    notPossible: [
      ...(all === 0 ? [{ count: 0, because: "no receipt in the period", is: "left-out" as const }] : []),
      ...(claimed.length === 0
        ? []
        : [
            {
              count: claimed.length,
              because: `only an operator stated it (${named(claimed, 10)}); the gateway answers for 7 days only`,
              is: "left-out" as const
            }
          ]),
      ...(problem === null ? [] : [{ count: asked - answered, because: problem, is: "left-out" as const }])
    ]
  }
}

/** Lists numbers as ranges: `61 to 63, 65`. */
const ranges = (numbers: ReadonlyArray<number>): string => {
  const found: Array<[number, number]> = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = found.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else found.push([number, number])
  }
  return found.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(", ")
}

const isCompared = ({ standing }: DayLeg.ComparedDay): boolean => standing === "agrees" || standing === "differs"

const dayLeg = (days: ReadonlyArray<DayLeg.ComparedDay>, { inOpenDay }: Collected): Leg => {
  const compared = days.filter(isCompared)
  const receipts = compared.reduce((sum, { claimed, proven }) => sum + claimed + proven, 0)
  const later = days.reduce((sum, { later }) => sum + later, 0)
  const indistinct = days.flatMap(({ indistinct }) => indistinct)
  const mapped = compared.reduce((sum, { byMappings }) => sum + byMappings, 0)
  const among = days.length === 1 ? "day" : "days"
  return {
    name: "store ↔ day reports",
    compared:
      compared.length === 0
        ? null
        : `${among} ${ranges(compared.map(({ day }) => day))}, ${plural(receipts, "receipt")}${mapped === 0 ? "" : `, the codes of ${mapped} by today's mappings`}`,
    notPossible: [
      ...(days.length === 0
        ? [{ count: 0, because: "no fiscal day was closed in the period", is: "left-out" as const }]
        : []),
      ...days
        .filter((day) => !isCompared(day))
        .map((day) => ({
          count: day.claimed + day.proven,
          because: `day ${day.day} ${typeof day.standing === "object" ? DayLeg.reasons[day.standing.notPossible] : "differs, and a document without an outcome may explain it"}`,
          is: "left-out" as const
        })),
      ...(inOpenDay === 0 ? [] : [{ count: inOpenDay, because: "their day is not closed", is: "open-day" as const }]),
      ...(later === 0 ? [] : [{ count: later, because: "made after a close that failed", is: "left-out" as const }]),
      ...(indistinct.length === 0
        ? []
        : [
            {
              count: indistinct.length,
              because: "a receipt would look like one of the other programs",
              is: "left-out" as const
            }
          ])
    ]
  }
}

const sourceLeg = (
  source: SourceInput,
  statements: SourceLeg.Statements | null,
  { compared, elsewhere, notKnown }: Collected,
  added: number
): Leg => {
  const name = "source ↔ store"
  if (source._tag === "NotRead" || statements === null)
    return {
      name,
      compared: null,
      notPossible: [{ count: 0, because: source._tag === "NotRead" ? source.because : "not read", is: "left-out" }]
    }
  const { documents, skipped } = statements
  const text = `${plural(compared, "document")} of the period are in both; ${source.name} has ${plural(documents, "document")}${skipped === 0 ? "" : `, and ${plural(skipped, "row")} without an issued document`}`
  return {
    name,
    compared: compared + added === 0 ? null : text,
    notPossible: [
      ...(compared + added === 0
        ? [{ count: 0, because: "the source has no document of the period", is: "left-out" as const }]
        : []),
      ...Array.from(notKnown, ([because, numbers]) => ({
        count: numbers.length,
        because: `${because} (${named(numbers, 10)})`,
        is: "left-out" as const
      })),
      ...Array.from(elsewhere, ([account, count]) => ({
        count,
        because: `documents of the account ${account}, which has an export of its own`,
        is: "left-out" as const
      }))
    ]
  }
}

/** Differences of days, with the missing receipt numbers of each. */
const dayDifferences = (
  days: ReadonlyArray<DayLeg.ComparedDay>,
  { lane, otherPrograms: others }: Device,
  acknowledged: ReadonlyMap<string | null, string>
): ReadonlyArray<Difference> =>
  days
    .filter(({ standing }) => standing === "differs")
    .flatMap((day) => {
      const text = DayLeg.textOf(day)
      const id = Notice.idOf({ subject: lane, code: "DAY_DIFFERS", detail: String(day.day), text })
      const missing = day.missing.length === 0 ? "" : ` ${ReceiptNumbers.listed(day.missing)}`
      return day.differences.map((difference): Difference => {
        const { amount, currency, grade, suspects } = difference
        const isTheirs = grade === "unexplained" && BigDecimal.isPositive(amount) && day.missing.length > 0
        return {
          id,
          code: isTheirs ? "RECEIPT_NOT_OURS" : "DAY_DIFFERS",
          grade,
          currency,
          amount,
          documents: suspects.map(({ account, number }) => ({ account, number })),
          text: `day ${day.day}: ${difference.counters}. ${DayLeg.wordsOf(difference)}.${missing}`,
          step:
            grade === "unexplained" && others === null
              ? { do: "other-programs", stated: "others" }
              : { do: "compare-day", day: day.day },
          acknowledged: acknowledged.get(id) ?? null
        }
      })
    })

/** Missing numbers that no compared day explains. */
const numbersLeg = (
  numbers: ReceiptNumbers.ReceiptNumbers,
  days: ReadonlyArray<DayLeg.ComparedDay>,
  { lane, otherPrograms }: Device,
  acknowledged: ReadonlyMap<string | null, string>
) => {
  const own = days.map(({ day }) => day)
  const all = own.length === 0 ? [] : numbers.rangesIn(Math.min(...own), Math.max(...own))
  const standings = new Map(days.map(({ day, standing }) => [day, standing]))
  const unexplained = ReceiptNumbers.unexplained(
    all.filter(({ awaited, from, to }) => awaited < to - from + 1),
    (day) => {
      const standing = standings.get(day)
      return standing === "agrees" || standing === "differs" ? standing : "not-compared"
    }
  )
  const count = all.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const leg: Leg = {
    name: "receipt numbers",
    compared:
      own.length === 0
        ? null
        : count === 0
          ? "none is missing between our receipts"
          : `${count} missing in ${plural(all.length, "range")}`,
    notPossible:
      own.length === 0 ? [{ count: 0, because: "no fiscal day was closed in the period", is: "left-out" }] : []
  }
  const differences =
    otherPrograms?.stated === "alone"
      ? unexplained.map((range) =>
          identified(
            lane,
            String(range.after.day),
            {
              code: "RECEIPT_NOT_OURS",
              grade: "unexplained",
              currency: null,
              amount: null,
              documents: [],
              text: ReceiptNumbers.listed([range]),
              step: { do: "compare-day", day: range.after.day }
            },
            acknowledged
          )
        )
      : []
  return { leg, differences, notes: all.length === 0 ? [] : [ReceiptNumbers.listed(all)] }
}

const deviceSums = (
  chains: ReadonlyMap<string, ReadonlyArray<Account.Row>>,
  days: ReadonlyArray<DayLeg.ComparedDay>,
  { byDay }: Collected,
  failed: ReadonlySet<number>
): ReadonlyMap<string, DeviceSum> => {
  const closed = days.filter(({ day }) => !failed.has(day))
  const seen = closed.filter(({ comparison, standing }) => comparison !== null && typeof standing !== "object")
  const compared = new Set(seen.map(({ day }) => day))
  const balances = seen.flatMap(({ comparison }) => comparison!.rows.filter(({ counter }) => counter === "Balance"))
  const currencies = new Set([...chains.keys(), ...balances.map(({ currency }) => currency)])
  const sumOf = (amounts: ReadonlyArray<Money.Money | null | undefined>) =>
    BigDecimal.sumAll(amounts.map((amount) => amount ?? Money.zero))
  return new Map(
    Array.from(currencies, (currency) => {
      const row = chains.get(currency)?.find(({ name }) => name === "receipts")
      const receipts = row === undefined ? Money.zero : Account.netOf(row)
      const reports = sumOf(balances.flatMap((one) => (one.currency === currency ? [one.device] : [])))
      const notCompared = sumOf(Array.from(byDay, ([day, sums]) => (compared.has(day) ? null : sums.get(currency))))
      const others = sumOf(
        seen.flatMap(({ others }) => others.flatMap((one) => (one.currency === currency ? [one.sum] : [])))
      )
      const left = BigDecimal.subtract(BigDecimal.subtract(reports, others), BigDecimal.subtract(receipts, notCompared))
      return [currency, { reports, notCompared, others, left }]
    })
  )
}

/** Adds the documents that only the source has, and the documents that only the store has. */
const bothWays = (
  into: Collected,
  order: ReconcileOrder,
  statements: SourceLeg.Statements,
  source: Extract<SourceInput, { readonly _tag: "Read" }>,
  acknowledged: ReadonlyMap<string | null, string>
): number => {
  const { period, settings } = order
  let added = 0
  for (const document of statements.rest()) {
    const { because, dated } = document
    if (dated === null) {
      count(into.notKnown, because, document.number)
      continue
    }
    const one = { ...document, dated }
    const place = into.account.add(one)
    if (place === null) continue
    if (because === "") added++
    else count(into.notKnown, because, document.number)
    order.each?.({ ...one, buyer: null, place })
    const stated = Account.statedBy(document)
    if (place.fate !== "carried-out" || stated === null) continue
    const { currency, total } = stated
    const text = `${document.number} of ${document.dated}, ${currency} ${Money.formatAmount(total)}, is in ${source.name} and nowhere here`
    const about = {
      code: "SOURCE_NOT_HERE",
      grade: "proven",
      currency,
      amount: BigDecimal.negate(total),
      documents: [{ account: settings.account, number: document.number }],
      text,
      step: { do: "import-again" }
    } as const
    into.differences.push(identified(settings.account, `${document.kind} ${document.id}`, about, acknowledged))
  }
  for (const [file, numbers] of into.notStated) {
    const text = `${plural(numbers.length, "document")} of ${file} dated in the period are not in ${source.name}: ${named(numbers, 20)}. Give all exports of the period`
    const about = {
      code: "NOT_IN_SOURCE",
      grade: "unexplained",
      currency: null,
      amount: null,
      documents: numbers.slice(0, 20).map((number) => ({ account: settings.account, number })),
      text,
      step: { do: "imports" }
    } as const
    into.differences.push(identified(settings.account, `${file} ${period.from} ${period.to}`, about, acknowledged))
  }
  return added
}

/** Decisions read at once. */
const perPage = 1000

const decisionsOf = (store: SubmissionStoreOperations) =>
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

/** The account without a comparison with the gateway: the closings of its days are not known. */
const withoutGateway = (
  { settings, period, source }: ReconcileOrder,
  because: string,
  facts: Pick<Reconciliation, "zone" | "taxpayer" | "device" | "at" | "decisions" | "reported">
): Reconciliation => {
  const names: ReadonlyArray<Leg["name"]> = ["store ↔ gateway", "store ↔ day reports", "receipt numbers"]
  const asked = source === null ? names : [...names, "source ↔ store" as const]
  return {
    account: settings.account,
    period,
    ...facts,
    legs: asked.map((name) => ({ name, compared: null, notPossible: [{ count: 0, because, is: "left-out" }] })),
    chains: null,
    deviceSums: new Map(),
    opening: [],
    closing: [],
    differences: [],
    days: [],
    notes: []
  }
}

/** Makes the account of a period. Fails for an impossible period, or if nothing was ever sent. */
export const run = (
  order: ReconcileOrder
): Effect.Effect<Reconciliation, ReconcileRefused | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const { period, settings, source } = order
    const store = yield* SubmissionStore
    const at = yield* DateTime.now
    const pin = Option.getOrNull(yield* store.pinOf(settings.account))
    if (pin === null) return yield* new ReconcileRefused({ reason: { _tag: "NeverSent", account: settings.account } })
    const decisions = (yield* decisionsOf(store)).filter(
      ({ account }) =>
        account === null || account === settings.account || order.others.some((one) => one.account === account)
    )
    const reports = decisions.filter(
      ({ account, act, subject }) => act === "report" && account === settings.account && subject === reportOf(period)
    )
    const zone = zoneOfAccount(settings, pin) ?? zoneless
    const facts = {
      zone,
      taxpayer: pin.taxpayer,
      device: pin.lane,
      at,
      decisions: decisions.filter(isIn(period, zone)),
      reported: reports.at(-1) ?? null
    }
    const found = yield* Effect.result(pinned(order, store))
    if (found._tag === "Failure") {
      if (found.failure._tag === "StoreError") return yield* found.failure
      return withoutGateway(order, `the gateway did not answer: ${found.failure.message}`, facts)
    }
    const device = found.success
    if (device === null) return withoutGateway(order, "the account has another device now", facts)
    const problem = periodProblem(period, CivilDate.inZone(at, zone))
    if (problem !== null) return yield* new ReconcileRefused({ reason: { _tag: "Period", because: problem } })
    const acknowledged = new Map(decisions.map((one) => [Notice.acknowledgedBy(one), one.who]))
    const asked = yield* askAgain(device, store, at)
    const compared = yield* Effect.result(comparedWith(order, device, acknowledged, store))
    if (compared._tag === "Failure") {
      if (compared.failure._tag === "StoreError") return yield* compared.failure
      return withoutGateway(order, `the gateway did not answer: ${compared.failure.message}`, facts)
    }
    const { days, into, numbers, statements } = compared.success
    const added =
      statements === null || source?._tag !== "Read" ? 0 : bothWays(into, order, statements, source, acknowledged)
    const byFamily = familyDifferences(into, statements, settings, acknowledged)
    const byNumbers = numbersLeg(numbers, days, device, acknowledged)
    const chains = into.account.chains()
    const failed = new Set(device.own.flatMap(({ close, day }) => (close === "failed" ? [day] : [])))
    return {
      account: settings.account,
      period,
      ...facts,
      legs: [
        gatewayLeg(into, asked),
        dayLeg(days, into),
        byNumbers.leg,
        ...(source === null ? [] : [sourceLeg(source, statements, into, added)])
      ],
      chains,
      deviceSums: deviceSums(chains, days, into, failed),
      opening: into.account.opening,
      closing: into.account.closing,
      differences: [...byFamily.differences, ...dayDifferences(days, device, acknowledged), ...byNumbers.differences],
      days,
      notes: [
        ...beginOf(period, device),
        ...(source === null ? yield* refusedIn(period, settings.account, store) : []),
        ...byFamily.notes,
        ...byNumbers.notes
      ]
    }
  })

/** Subject of a report in the record of decisions. */
const reportOf = ({ from, to }: Account.Period): string => `report of ${from} to ${to}`

/** States the figures that a report records: the same text is the same account. */
const figuresIn = ({ chains, closing, deviceSums }: Reconciliation): string =>
  [
    ...Array.from(chains ?? [], ([currency, rows]) => {
      const of = (name: Account.RowName) => Money.formatAmount(Account.netOf(rows.find((row) => row.name === name)!))
      const left = Money.formatAmount(deviceSums.get(currency)!.left)
      return `${currency}: issued ${of("issued")}, receipts ${of("receipts")}, carried in ${of("carried-in")}, carried out ${of("carried-out")}, left ${left}`
    }),
    `${closing.length} carried out`
  ].join("; ")

/** States the amounts of the tax return by tax of the device, as a report records them. */
const sharesIn = ({ chains }: Reconciliation): string =>
  Array.from(chains ?? [], ([currency, rows]) =>
    rows.flatMap(({ name, shares }) =>
      shares.map(
        ({ device, gross, kind, tax }) =>
          `${currency} ${Account.rows[name].words} ${kind} ${device ?? "not known"}: ${Money.formatAmount(gross)}, tax ${Money.formatAmount(tax)}`
      )
    )
  )
    .flat()
    .toSorted()
    .join("; ")

/** States what changed since the last report of the period. Null if nothing did. */
export const changedSince = (found: Reconciliation): string | null => {
  const { reported, zone } = found
  if (reported === null) return null
  // a report of an earlier version has no shares
  const [before = "", , shares] = reported.what.split(" | ")
  const [now, ofTaxes] = [figuresIn(found), sharesIn(found)]
  const by = `The period was reported on ${CivilDate.inZone(reported.at, zone)} by ${reported.who}`
  if (before !== now) return `${by}: ${before}. Now: ${now}.`
  if (shares === undefined || shares === ofTaxes) return null
  const [was, is] = [shares, ofTaxes].map((text) => text.split("; "))
  const gone = was!.filter((one) => !is!.includes(one))
  const come = is!.filter((one) => !was!.includes(one))
  return `${by}. Since then the amounts of taxes changed. Reported: ${gone.join("; ") || "none"}. Now: ${come.join("; ") || "none"}.`
}

/** Records that a report was written, with its figures and hash. */
export const recordReport = (found: Reconciliation, sha256: string): Effect.Effect<void, StoreError, SubmissionStore> =>
  SubmissionStore.use((store) =>
    store.recordDecision(
      {
        act: "report",
        account: found.account,
        subject: reportOf(found.period),
        what: `${figuresIn(found)} | sha256 ${sha256} | ${sharesIn(found)}`,
        because: null
      },
      "each"
    )
  )

const isIn =
  ({ from, to }: Account.Period, zone: DateTime.TimeZone) =>
  ({ at }: RecordedDecision): boolean => {
    const day = CivilDate.inZone(at, zone)
    return day >= from && day <= to
  }

/** Names refused documents that are or may be of the period: their figures are not known. */
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

const beginOf = ({ from }: Account.Period, { first, zone }: Device): ReadonlyArray<string> => {
  if (first === null) return ["The store has no document of the device."]
  const day = CivilDate.inZone(first, zone ?? zoneless)
  return day > from ? [`The store has its first document on ${day}: earlier days are not compared.`] : []
}

/**
 * Returns figures by the mapping book where the gateway maps the document's codes as the book does.
 * Otherwise the amounts under each tax are not known.
 */
const statedFigures =
  ({ book }: Pick<ImportPlan, "book">, codes: ReturnType<typeof FiscalDays.todaysCodes>, account: string) =>
  (written: WrittenDocument.WrittenDocument, planned: CodeMeaning | null): Account.Figures => {
    const document = WrittenDocument.read(written)
    if (planned !== null) return Account.figuresOf({ document, meaning: planned })
    const today = codes.meant(account, document)
    const { meaning = null } = meaningOf(written, book)
    const isSame =
      meaning !== null &&
      meaning.currency === today?.currency &&
      meaning.taxes.every(([code, device]) => today.taxes.some(([name, tax]) => name === code && tax === device))
    return Account.figuresOf({ document, meaning: isSame ? meaning : null }, today)
  }

/** Reads the documents once, then compares the days. */
const comparedWith = (
  order: ReconcileOrder,
  device: Device,
  acknowledged: ReadonlyMap<string | null, string>,
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
    const statements =
      source?._tag === "Read"
        ? yield* SourceLeg.read(
            source.plan,
            source.unanswered ?? [],
            settings.account,
            store,
            statedFigures(source.plan, codes, settings.account)
          )
        : null
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
