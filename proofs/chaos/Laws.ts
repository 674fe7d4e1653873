/**
 * Laws that must hold once everything is settled: no document lost, sent twice, marked by the
 * device, or stuck.
 */
import type { AcceptedDocument } from "@fiscal-connector/sandbox/control/AcceptedDocument"
import type { IssuedReceipt } from "@fiscal-connector/sandbox/day/IssuedReceipt"
import { Effect, Option } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ChaosWorld, count, stranger } from "./ChaosWorld.ts"
import { keyOf, type Operator } from "./Operator.ts"
import type { Shop, ShopDocument } from "./Shop.ts"
import * as StoreView from "./StoreView.ts"

/** Refusals of the last import: codes of findings by document. */
export type Refusals = ReadonlyMap<string, ReadonlyArray<string>>

/** Returns null if the document has its final state and the gateway agrees; else the problem. */
const standing = (
  row: StoreView.Row | undefined,
  refusal: ReadonlyArray<string> | undefined,
  truth: AcceptedDocument | undefined,
  isOriginalGone: boolean
): string | null => {
  const receipts = truth?.receipts ?? 0
  const is =
    row === undefined
      ? "not in the store"
      : `${row.state}${row.hold === null ? "" : ` (${row.hold})`}: ${row.said ?? row.rejection?.error ?? ""}`
  if (row === undefined) {
    const isTrue = refusal?.every((code) => code === "RCPT032" && isOriginalGone)
    return isTrue ? null : `LOST: ${is}; refused with ${refusal?.join(", ") ?? "nothing"}`
  }
  switch (row.state) {
    case "Fiscalised":
      return receipts === 1 ? null : `LOST: Fiscalised, and the gateway has ${receipts} receipts`
    case "Rejected":
      if (receipts > 0 || truth?.state !== "failed") return `LOST: ${is}; the gateway has ${receipts} receipts`
      return row.rejection?.nature === "final" ? null : `STRANDED: ${is}`
    case "Withdrawn":
      return receipts === 0 ? null : `LOST: ${is}; the gateway has ${receipts} receipts`
    case "Accepted":
      return truth?.state === "pending" ? null : `STRANDED: ${is}; the gateway says ${truth?.state}`
    default:
      return `STRANDED: ${is}; the gateway has ${receipts} receipts`
  }
}

const documents = (
  shops: ReadonlyArray<Shop>,
  rows: ReadonlyMap<string, StoreView.Row>,
  truths: ReadonlyMap<string, AcceptedDocument>,
  refusals: Refusals,
  { decided }: Operator
) =>
  shops.flatMap(({ account, documents }) =>
    documents.flatMap(({ kind, number, original }: ShopDocument) => {
      const key = keyOf({ account, kind, id: number })
      const invoice = truths.get(keyOf({ account, kind: "invoice", id: original ?? "" }))
      const wrong = standing(rows.get(key), refusals.get(key), truths.get(key), (invoice?.receipts ?? 0) === 0)
      return wrong === null ? [] : [`${key} ${wrong}; decisions: ${decided.get(key)?.join(" | ") ?? "nothing"}`]
    })
  )

const proofs = (
  shops: ReadonlyArray<Shop>,
  truths: ReadonlyMap<string, AcceptedDocument>,
  receipts: ReadonlyArray<IssuedReceipt>
) => {
  const stated = new Map(
    shops.flatMap(({ account, documents }) =>
      documents.map((one) => [keyOf({ account, kind: one.kind, id: one.number }), one.totals] as const)
    )
  )
  return [
    ...Array.from(truths).flatMap(([key, { accepted, receipts }]) =>
      receipts > 1 ? [`${key} DOUBLE: ${receipts} receipts of ${accepted} accepted`] : []
    ),
    ...receipts.flatMap(({ account, documentId, kind, total }) => {
      const key = keyOf({ account, kind, id: documentId })
      const cents = Math.round(Number(`${total.value}`) * 10 ** (2 - total.scale))
      if (account === stranger.name || stated.get(key)?.includes(cents)) return []
      return [`${key} LOST: its receipt is over ${cents} cents, which the export never stated`]
    })
  ]
}

/**
 * Returns the receipts with unexcused marks. Red marks are violations, and so are yellow ones for a
 * date in the future (RCPT031). Counted but excused: a receipt overtaken only by another till's
 * (RCPT030), and one behind a close (RCPT014). The excuse holds as long as no outcome had reported
 * the new day before the attempt began: until then only the other till can know.
 */
const colors = (
  world: ChaosWorld,
  receipts: ReadonlyArray<IssuedReceipt>,
  attempts: ReadonlyArray<StoreView.AttemptRow>
) => {
  const attemptOf = new Map(attempts.map((attempt) => [attempt.requestId, attempt]))
  return receipts.flatMap((receipt, place) => {
    if (receipt.account === stranger.name) return []
    const earlier = receipts.slice(0, place).filter(({ deviceId }) => deviceId === receipt.deviceId)
    const begunAt = attemptOf.get(receipt.requestId)?.begunAt ?? receipt.issuedAt
    const told = earlier.filter(({ account, qrData, requestId }) => {
      const answeredAt = attemptOf.get(requestId)?.answeredAt
      return (
        account !== stranger.name &&
        qrData.FiscalDay === receipt.qrData.FiscalDay &&
        answeredAt != null &&
        answeredAt < begunAt
      )
    })
    const overtakers = earlier.filter(({ epochSeconds }) => epochSeconds >= receipt.epochSeconds)
    const byStranger = overtakers.length > 0 && overtakers.every(({ account }) => account === stranger.name)
    return receipt.marks.flatMap(({ code, colour, message }) => {
      const isKnowable = told.length > 0
      const excused = code === "RCPT014" || (code === "RCPT030" && byStranger)
      const what = `${code} ${colour}${byStranger ? ", another till's receipt before it" : ""}${isKnowable ? ", the new day was known" : ""}`
      count(world, `mark ${what}`)
      // Sales of the other till within the same day remain unknown: no outcome reports them.
      const sameDay = overtakers.every(({ qrData }) => qrData.FiscalDay === receipt.qrData.FiscalDay)
      if (excused && (!isKnowable || (code === "RCPT030" && sameDay))) return []
      if (colour === "yellow" && !excused && code !== "RCPT031") return []
      // Marks and closes that were lost with the newer store are unknown.
      if (world.acceptedAt !== null && begunAt >= world.acceptedAt) return []
      return [
        `${receipt.account} ${receipt.kind} ${receipt.documentId} COLOURED: ${what}: ${message}; fiscal day ${receipt.qrData.FiscalDay}, attempt begun ${new Date(begunAt).toISOString()}, known by ${told
          .map(({ documentId }) => documentId)
          .slice(0, 3)
          .join(", ")}`
      ]
    })
  })
}

export const broken = (world: ChaosWorld, shops: ReadonlyArray<Shop>, refusals: Refusals, operator: Operator) =>
  Effect.gen(function* () {
    const { control } = world.sandbox
    const rows = Option.getOrThrow(yield* StoreView.rows(world))
    const attempts = Option.getOrThrow(yield* StoreView.attempts(world))
    const receipts = yield* control.receipts
    // The gateway's own record is kept with the run.
    const record = receipts.map(({ account, documentId, epochSeconds, issuedAt, kind, marks, qrData, requestId }) => ({
      account,
      kind,
      documentId,
      requestId,
      epochSeconds,
      issuedAt,
      marks,
      fiscalDay: qrData.FiscalDay
    }))
    writeFileSync(join(world.folder, "receipts.json"), JSON.stringify(record, undefined, 1))
    const truths = new Map(
      (yield* control.accepted).filter(({ account }) => account !== stranger.name).map((one) => [keyOf(one), one])
    )
    const stored = new Map(rows.map((row) => [keyOf(row), row]))
    const foreign = [...truths.keys()].filter((key) => !stored.has(key))
    return [
      ...world.violations,
      ...documents(shops, stored, truths, refusals, operator),
      ...foreign.map((key) => `${key} LOST: the gateway has it, and the store does not`),
      ...proofs(shops, truths, receipts),
      ...colors(world, receipts, attempts)
    ]
  })

/** Returns the number of documents by state. */
export const counted = (world: ChaosWorld): Effect.Effect<ReadonlyMap<string, number>> =>
  Effect.map(StoreView.rows(world), (rows) => {
    const states = Option.getOrElse(rows, () => []).map(({ state }) => state)
    return new Map(
      Array.from(
        Map.groupBy(states, (state) => state),
        ([state, of]) => [state, of.length]
      )
    )
  })
