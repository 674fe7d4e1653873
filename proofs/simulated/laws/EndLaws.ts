/**
 * Laws of the end, when nothing fails any more and everything is completed: compares the store with
 * the gateway's own records.
 */
import { BigDecimal, Option } from "effect"
import type { IssuedReceipt } from "@fiscal-connector/sandbox/day/IssuedReceipt"
import type { Stated } from "../Books.ts"
import { device, otherDevice } from "../Accounts.ts"
import type { GatewaySide } from "../GatewaySide.ts"
import { otherTotals, type Report } from "./Law.ts"
import { isQuiet, type Scenario } from "../Scenario.ts"
import type { Row, StoreFile } from "../StoreFile.ts"
import type { Submission as Request } from "@fiscal-connector/sandbox/gateway/Submission"

export interface Ended {
  readonly scenario: Scenario
  readonly documents: ReadonlyArray<Stated>
  readonly gateway: GatewaySide
  readonly store: StoreFile
  /** Refusals of the import, by document: these documents are not in the store. */
  readonly refusals: ReadonlyMap<string, string>
  /** Documents sent by a process that could not read the closes. */
  readonly sentWithUnreadClose: ReadonlySet<string>
  /** Returns the time at which the document of a receipt was handed over, in milliseconds. */
  readonly sentAt: (receipt: IssuedReceipt) => number
  readonly report: Report
}

/** Time for which the gateway answers after processing, in milliseconds. */
const window = 7 * 24 * 3_600_000

/** Longest pause between two looks of a process for one request, in milliseconds. */
const longestPause = 3_600_000

type Book = ReadonlyMap<string, ReadonlyArray<IssuedReceipt>>

const haveOneTotal = ([first, ...others]: ReadonlyArray<IssuedReceipt>): boolean =>
  others.every(({ total }) => first !== undefined && BigDecimal.equals(first.total, total))

const document = (
  { documents, gateway, refusals, report, store }: Ended,
  rows: ReadonlyMap<string, Row>,
  book: Book
): void => {
  for (const stated of documents) {
    const row = rows.get(stated.id)
    const own = book.get(stated.id) ?? []
    if (own.length > 1) report("double", `${own.length} receipts${haveOneTotal(own) ? "" : otherTotals}`, stated.id)
    if (row === undefined) {
      const refused = refusals.get(stated.id)
      // A credit note that exceeds its original is refused correctly.
      if (refused === undefined) report("lost", "not in the store", stated.id)
      else if (refused !== "RCPT035") report("stranded", `refused by the import: ${refused}`, stated.id)
      continue
    }
    const { state } = row
    if (state !== "Fiscalised") {
      // Nothing of its original was left, and the operator was informed.
      if (own.length === 0 && state === "Withdrawn" && exceeds(gateway, stated) && wasInformed(store, row)) continue
      // The words of the gateway or of an operator differ from run to run.
      const why = row["hold_cause"] === null ? "" : `, ${row["hold_cause"]}: ${row["hold_because"]}`
      const is = `${own.length > 0 ? "has a receipt and is " : ""}${state}${why}`
      report(own.length > 0 ? "proof" : "stranded", is, stated.id)
      continue
    }
    const [receipt] = own
    if (receipt === undefined) {
      report("proof", "Fiscalised without a receipt", stated.id)
      continue
    }
    const proof = JSON.parse(String(row["proof"])) as { readonly verificationCode?: string | null }
    const code = proof.verificationCode ?? null
    const requests = gateway.requestsOf(stated.account, stated.kind, stated.id)
    const isReported = (tag: NonNullable<Request["reports"]>[number]["_tag"]) =>
      requests.some(({ reports = [] }) => reports.some(({ _tag }) => _tag === tag))
    if (code !== null && !own.some(({ qrData }) => qrData.VerificationCode === code) && !isReported("ProofRepeated"))
      report("proof", "its verification code is another receipt's", stated.id)
    // Without a process that runs while the gateway answers, the operator has PROOF_MISSING.
    const mayBeAsked = requests.some(({ outcome, reports = [] }) =>
      reports.some(
        (one) =>
          one._tag === "ProofMissing" &&
          outcome._tag === "Fiscalised" &&
          gateway.calls.some(
            ({ account, at }) =>
              account === stated.account && at > outcome.at + one.millis + longestPause && at < outcome.at + window
          )
      )
    )
    if (code === null && mayBeAsked) report("proof", "it lacks the code that the gateway has come to report", stated.id)
    const total = BigDecimal.format(receipt.total)
    const said = [stated.amount, stated.correctedAmount].map((text) =>
      BigDecimal.format(Option.getOrThrow(BigDecimal.fromString(text)))
    )
    if (!said.includes(total)) report("proof", `its receipt is about another amount`, stated.id)
  }
}

const order = (
  { documents, gateway, report, scenario, sentAt, sentWithUnreadClose }: Ended,
  rows: ReadonlyMap<string, Row>
): void => {
  const { receipts } = gateway
  const latest = new Map<number, number>()
  const foreign = new Map<number, number>()
  /** Returns the documents whose receipts the device issued before, dated at or after this one. */
  const passedBy = ({ deviceId, epochSeconds, requestId }: IssuedReceipt): ReadonlyArray<string> =>
    receipts
      .slice(
        0,
        receipts.findIndex((one) => one.requestId === requestId)
      )
      .filter((one) => one.deviceId === deviceId && one.epochSeconds >= epochSeconds)
      .map(({ documentId }) => documentId)
  /** A document of an original, and of every other credit note on it. */
  const originalsOf = (id: string): ReadonlyArray<string> => {
    const original = documents.find((one) => one.id === id)?.original ?? null
    return original === null ? [] : [original, ...notesOn(gateway, original)]
  }
  for (const receipt of receipts) {
    const before = latest.get(receipt.deviceId) ?? Number.NEGATIVE_INFINITY
    const isForeign = gateway.isOfOtherTill(receipt)
    if (isForeign) foreign.set(receipt.deviceId, Math.max(foreign.get(receipt.deviceId) ?? 0, receipt.epochSeconds))
    // Receipts of another company's till are unknown to the connector.
    const isBehindForeign = isForeign || receipt.epochSeconds <= (foreign.get(receipt.deviceId) ?? 0)
    if (receipt.epochSeconds <= before && !isBehindForeign)
      report("chronological", "a receipt is not later than the one before", receipt.documentId, ...passedBy(receipt))
    latest.set(receipt.deviceId, Math.max(before, receipt.epochSeconds))
    if (isForeign) continue
    const isHistorical = rows.get(receipt.documentId)?.["passage"] === "historical"
    for (const { code } of receipt.marks) {
      // The operator of an upload under --historical is informed that the close of the day is
      // expected to fail.
      if (isHistorical && (code === "RCPT014" || code === "RCPT030")) continue
      // Neither a close within the last minutes nor a close between sending and processing could be
      // known.
      const handedOverAt = sentAt(receipt)
      const closed = gateway.closes.some(
        (at) => receipt.epochSeconds * 1000 <= at && handedOverAt - at <= 10 * 60_000 + 8000
      )
      if (code === "RCPT014" && (closed || sentWithUnreadClose.has(receipt.documentId))) continue
      if ((code === "RCPT030" || code === "RCPT014") && isBehindForeign) continue
      // A recent jump of the clock could not be known; the law of the clock covers the known jumps.
      if (code === "RCPT031" && scenario.troubles.has("clock-jumps")) continue
      const isOfOrder = code === "RCPT030" || code === "RCPT014"
      report("colored", code, receipt.documentId, ...(isOfOrder ? passedBy(receipt) : originalsOf(receipt.documentId)))
    }
    if (receipt.deviceId === otherDevice && scenario.troubles.has("device-swap")) {
      const since = gateway.history.filter(({ deviceId }) => deviceId !== device).map(({ at }) => at)
      // At the time of sending: the gateway may process an accepted document minutes later.
      const couldBeKnown = since.every((at) => sentAt(receipt) - at > 10 * 60_000 + 8000)
      if (couldBeKnown) report("pinned-device", "a receipt of another device", receipt.documentId)
    }
  }
  const position = new Map(receipts.map(({ documentId }, i) => [documentId, i]))
  for (const { id, original } of documents) {
    const own = position.get(id)
    if (original === null || own === undefined) continue
    const its = position.get(original)
    if (its === undefined || its > own) report("note-after-original", "a credit note before its original", id, original)
  }
}

/** Returns the credited amounts according to the receipts, by invoice. */
const creditedBy = ({ receipts }: GatewaySide): ReadonlyMap<string, BigDecimal.BigDecimal> => {
  const credited = new Map<string, BigDecimal.BigDecimal>()
  for (const { kind, originalInvoiceId, total } of receipts) {
    if (kind !== "credit-note" || originalInvoiceId === null) continue
    const before = credited.get(originalInvoiceId)
    credited.set(originalInvoiceId, before === undefined ? total : BigDecimal.sum(before, total))
  }
  return credited
}

/** Returns the credit notes with a receipt on an invoice. */
const notesOn = ({ receipts }: GatewaySide, invoice: string): ReadonlyArray<string> =>
  receipts.filter(({ originalInvoiceId }) => originalInvoiceId === invoice).map(({ documentId }) => documentId)

/** Checks that one proof in two documents is a conflict of both; in three, of one of them. */
const proofs = ({ report, store }: Ended): void => {
  const rows = store.read(
    `select s.id, s.account, s.lane, json_extract(s.proof, '$.verificationCode') as code,
       exists (select 1 from fiscal_conflict c where c.submission = s.seq and c.code in ('PROOF_SHARED', 'CODE_NOT_UNIQUE')) as is_listed
     from fiscal_submission s where s.state = 'Fiscalised' and json_extract(s.proof, '$.verificationCode') is not null`
  )
  for (const shared of Map.groupBy(rows, ({ code, lane }) => `${lane} ${code}`).values()) {
    const listed = shared.filter(({ is_listed }) => is_listed === 1).length
    if (shared.length > 1 && listed < (shared.length === 2 ? 2 : 1))
      report(
        "one-proof",
        "one proof in two documents, and not both have a conflict",
        ...shared.map(({ id }) => String(id))
      )
  }
}

/** Returns true if the note, together with the credited amounts, exceeds its original. */
const exceeds = (gateway: GatewaySide, { amount, original }: Stated): boolean => {
  const its = gateway.receipts.find(({ documentId }) => documentId === original)
  const taken = original === null ? undefined : creditedBy(gateway).get(original)
  if (its === undefined || taken === undefined) return false
  return BigDecimal.isGreaterThan(BigDecimal.sum(taken, BigDecimal.fromStringUnsafe(amount)), its.total)
}

/** Returns true if the document was held because other credit notes had taken the amount. */
const wasInformed = (store: StoreFile, { seq }: Row): boolean =>
  store.read(
    "select 1 from fiscal_event where submission = ? and to_state = 'Held' and text like 'other credit notes have taken%'",
    seq!
  ).length > 0

const credits = ({ gateway, report }: Ended): void => {
  const invoiced = new Map(gateway.receipts.map(({ documentId, total }) => [documentId, total]))
  const credited = creditedBy(gateway)
  for (const [id, sum] of credited) {
    const total = invoiced.get(id)
    if (total !== undefined && BigDecimal.isGreaterThan(sum, total))
      report("credited", "more than was invoiced", id, ...notesOn(gateway, id))
  }
}

/** An operator who says "not processed" frees the number, unless the device has the document. */
const numbers = ({ gateway, report, store }: Ended): void => {
  const made = gateway.receipts.map(({ documentId }) => documentId)
  const free = store.read(
    `select s.id, s.state from fiscal_submission s
      where (s.id in (select value from json_each(?)) or exists (select 1 from fiscal_attempt a
          where a.submission = s.seq and a.possibly_processed = 1
          and not (a.request_id is null and a.ruled_out > 0)))
        and not exists (select 1 from fiscal_number n where n.taxpayer = s.taxpayer and n.number = s.number
          and n.account = s.account and n.kind = s.kind and n.id = s.id)`,
    JSON.stringify(made)
  )
  for (const { id, state } of free)
    report("number", `the number of a document is free that may have been sent and is ${state}`, String(id))
}

const quiet = ({ report, scenario, store }: Ended): void => {
  if (!isQuiet(scenario)) return
  const held = store.read("select distinct to_state from fiscal_event where to_state in ('Unknown', 'Held')")
  for (const { to_state } of held) report("quiet", `a document was ${to_state}`)
  const again = store.read("select submission from fiscal_attempt group by submission having count(*) > 1")
  if (again.length > 0) report("quiet", "a document was sent twice")
}

const presumed = ({ report, scenario, store }: Ended): void => {
  const { troubles } = scenario
  const isTimeLost =
    troubles.has("clock-jumps") ||
    troubles.has("server-clock") ||
    troubles.has("stalls") ||
    troubles.has("stalls-before-sending")
  // A process with an open store dies with the machine of the store.
  const isStoreReplaced = troubles.has("restored") || troubles.has("lost-store")
  // A full disk ends a process before it can write the answer and release its lane.
  if (troubles.has("crashes") || troubles.has("disk-full") || isTimeLost || isStoreReplaced) return
  const ended = store.read("select 1 from fiscal_event where text like 'the process that sent it ended%'")
  if (ended.length > 0) report("presumed-dead", "a lane was taken from somebody who lives")
}

/** Checks all laws of the end. */
export const check = (ended: Ended): void => {
  const rows = new Map(ended.store.read("select * from fiscal_submission").map((row) => [String(row["id"]), row]))
  const book: Book = Map.groupBy(ended.gateway.receipts, ({ documentId }) => documentId)
  document(ended, rows, book)
  order(ended, rows)
  credits(ended)
  numbers(ended)
  proofs(ended)
  quiet(ended)
  presumed(ended)
}
