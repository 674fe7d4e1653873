/**
 * Laws of the account of a device, at every close and at the end: compares what `reconcile` names
 * with the gateway's own book.
 */
import { BigDecimal } from "effect"
import { exitOf, type Reconciliation } from "../../../packages/core/src/session/Reconcile.ts"
import type { IssuedReceipt } from "@fiscal-connector/sandbox/day/IssuedReceipt"
import { device } from "../Accounts.ts"
import type { GatewaySide } from "../GatewaySide.ts"
import type { Scenario } from "../Scenario.ts"
import { note, type Seen } from "../Sometimes.ts"
import type { StoreFile } from "../StoreFile.ts"
import type { Report } from "./Law.ts"

export interface Accounted {
  readonly scenario: Scenario
  readonly gateway: GatewaySide
  readonly store: StoreFile
  readonly seen: Seen
  readonly report: Report
}

const signed = ({ kind, total }: IssuedReceipt): BigDecimal.BigDecimal =>
  kind === "invoice" ? total : BigDecimal.negate(total)

/** Counts the receipts that the store has of each document: by proof, or claimed by an operator. */
const storedReceipts = (store: StoreFile): ReadonlyMap<string, number> =>
  new Map(
    store
      .read(
        `select s.id, max((select count(distinct coalesce(o.code, o.request_id)) from fiscal_outcome o
            where o.submission = s.seq and o.outcome = 'Fiscalised'), s.state = 'Fiscalised') as n
          from fiscal_submission s`
      )
      .map(({ id, n }) => [String(id), Number(n)])
  )

/**
 * Troubles after which the store's times are not the gateway's. A claimed receipt of a request that
 * the store lacks is placed by its date, which is another day's if the document is back-dated.
 */
const untrueTimes = ["server-clock", "clock-jumps", "skew", "back-dated"] as const

/** Returns the documents with a receipt without a day, which is expected where they were sent. */
const placedBySending = (store: StoreFile): ReadonlySet<string> =>
  new Set(
    store
      .read(
        "select id from fiscal_submission where state = 'Fiscalised' and json_extract(proof, '$.fiscalDay') is null"
      )
      .map(({ id }) => String(id))
  )

/** Troubles after which a proof in the store is not the proof of its receipt in the book. */
const untrueProofs = ["repeated-proofs", "missing-proofs", "contradictions"] as const

/** Checks an account right after it was made. */
export const check = (found: Reconciliation, accounted: Accounted): void => {
  const { gateway, report, scenario, seen, store } = accounted
  note(seen, "an account is made")
  const compared = found.days.filter(({ standing }) => standing === "agrees" || standing === "differs")
  if (exitOf(found) === 0 && compared.length < found.days.length)
    report("account", "a day was not compared, and the account ends with 0")
  const differing = compared.filter(({ standing }) => standing === "differs")
  for (const [currency, { left }] of found.deviceSums) {
    const named = BigDecimal.sumAll(
      differing.flatMap(({ day, differences }) =>
        // a failed close leaves its day open, so that its figures are not in the sums
        differences.flatMap((one) => (one.currency === currency && day <= (found.closedUpTo ?? 0) ? [one.amount] : []))
      )
    )
    if (!BigDecimal.equals(named, left))
      report("account", `the differences name ${BigDecimal.format(named)}, and ${BigDecimal.format(left)} is left`)
  }
  const placed = placedBySending(store)
  // wrong times of the store place a receipt without a day, and one beside a failed close
  const isPlacedByTime = placed.size > 0 || compared.some(({ later }) => later > 0)
  if (isPlacedByTime && untrueTimes.some((trouble) => scenario.troubles.has(trouble))) return
  const stored = storedReceipts(store)
  const book = gateway.receipts.filter(({ deviceId }) => deviceId === device)
  const byDocument = Map.groupBy(book, ({ documentId }) => documentId)
  const isKnown = ({ documentId }: IssuedReceipt): boolean =>
    (stored.get(documentId) ?? 0) >= byDocument.get(documentId)!.length
  const numbers = new Map(
    store.read("select id, number from fiscal_submission").map((row) => [row["id"], row["number"]])
  )
  // the gateway may process a document days after it was sent: the days together are compared
  const isDayKnown = book.every(({ documentId }) => !placed.has(documentId))
  const sums: Array<{ readonly missing: BigDecimal.BigDecimal; readonly named: BigDecimal.BigDecimal }> = []
  for (const { day, differences, indistinct, others, standing } of compared) {
    const own = book.filter(({ qrData }) => qrData.FiscalDay === day)
    const unknown = own.filter((one) => !isKnown(one))
    if (unknown.length > 0) note(seen, "an account names a receipt that the store does not know")
    const elsewhere = unknown.filter(({ documentId }) =>
      byDocument.get(documentId)!.some(({ qrData }) => qrData.FiscalDay !== day)
    )
    // a receipt among those of declared tills is theirs, or its document is listed as not distinct
    const theirs = unknown.filter(
      ({ documentId }) =>
        others.length > 0 &&
        (!stored.has(documentId) || indistinct.some(({ number }) => number === numbers.get(documentId)))
    )
    if (standing === "agrees" && new Set([...elsewhere, ...theirs]).size < unknown.length)
      report(
        "account",
        "a day agrees, and the device has a receipt that the store does not know",
        ...unknown.map(({ documentId }) => documentId)
      )
    // a document of which the store does not have any receipt is missing with its whole total
    const isWhole = unknown.every(({ documentId }) => (stored.get(documentId) ?? 0) === 0)
    const isClaimed = [...stored].some(([id, n]) => n > (byDocument.get(id)?.length ?? 0))
    if (!isWhole || isClaimed || untrueProofs.some((trouble) => scenario.troubles.has(trouble))) continue
    const missing = BigDecimal.sumAll(unknown.map(signed))
    const named = BigDecimal.sumAll([...differences.map(({ amount }) => amount), ...others.map(({ sum }) => sum)])
    sums.push({ missing, named })
    if (isDayKnown && !BigDecimal.equals(missing, named))
      report(
        "account",
        `day ${day} names ${BigDecimal.format(named)}, and the store lacks ${BigDecimal.format(missing)}`,
        ...own.map(({ documentId }) => documentId)
      )
  }
  const [missing, named] = [sums.map((one) => one.missing), sums.map((one) => one.named)].map(BigDecimal.sumAll)
  const isWhole = sums.length === found.days.length && book.every(({ qrData }) => qrData.FiscalDay <= sums.length)
  if (isWhole && !BigDecimal.equals(missing!, named!))
    report("account", `the days name ${BigDecimal.format(named!)}, and the store lacks ${BigDecimal.format(missing!)}`)
}
