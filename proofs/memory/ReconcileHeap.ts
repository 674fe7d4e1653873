/**
 * Child process of the proof: the live heap of `reconcile`, in MiB, over 30 days of so many
 * documents. Store, device and source are generated, so the heap is what the account keeps.
 */
import { DateTime, Effect, Stream } from "effect"
import { parseArgs } from "node:util"
import type { AccountSettings } from "../../packages/core/src/account/AccountSettings.ts"
import type { CivilDate } from "../../packages/core/src/document/CivilDate.ts"
import { DocumentNumber } from "../../packages/core/src/document/Identifiers.ts"
import type { ZReport } from "../../packages/core/src/gateway/operation/ZReport.ts"
import * as Reconcile from "../../packages/core/src/session/Reconcile.ts"
import type { DocumentRequests } from "../../packages/core/src/submission/SubmissionQuery.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../packages/core/src/submission/SubmissionStore.ts"
import { documentOf, type Sale, reportOf } from "../../packages/core/test/day/Sales.ts"

const { values } = parseArgs({
  options: { documents: { type: "string", default: "1000" }, keeps: { type: "string", default: "nothing" } }
})
const days = 30
const each = Math.ceil(Number(values.documents) / days)
const dateOf = (day: number) => `2026-03-${String(day).padStart(2, "0")}` as CivilDate
const dayOf = (seq: number) => Math.floor((seq - 1) / each) + 1
const noon = (day: number) => DateTime.makeUnsafe(`${dateOf(day)}T12:00:00Z`)

/** Two orders of a buyer on one day are equal in nothing but their buyer. */
const saleOf = (seq: number): Sale => ({
  name: `INV-${10_000_000 + seq}`,
  kind: "invoice",
  currency: "USD",
  payment: "Cash",
  buyer: `Buyer ${seq % 997}`,
  groups: [{ tax: 515, gross: 1000 + seq }]
})

const requestsOf = (seq: number): DocumentRequests => {
  const { kind, name } = saleOf(seq)
  const requestId = `00000000-0000-4000-8000-${String(seq).padStart(12, "0")}`
  return {
    account: ["ma", "in"].join(""),
    kind,
    id: name,
    number: DocumentNumber.make(name),
    seq,
    state: "Fiscalised",
    lane: ["test", "1001"].join("/"),
    revision: 1,
    dated: dateOf(dayOf(seq)),
    made: "source",
    isRepresented: false,
    conflicts: [],
    receiptDate: noon(dayOf(seq)),
    requests: [
      { attempt: seq, lane: "test/1001", revision: 1, begunAt: noon(dayOf(seq)), known: "receipt", requestId }
    ],
    stated: [
      {
        by: "gateway",
        beside: "nothing",
        attempt: seq,
        requestId: null,
        proof: {
          verificationCode: `4DC1-F3A9-${String(seq).padStart(8, "0")}`,
          qrCodeUrl: null,
          fiscalDay: dayOf(seq),
          deviceId: 1001,
          invoiceNumber: seq,
          fiscalInvoicePdf: null
        }
      }
    ]
  }
}

const all = <A>(of: (seq: number) => A) =>
  Stream.flatMap(Stream.range(0, days * 10 - 1), (part) => {
    const [from, to] = [Math.floor((part * each) / 10), Math.floor(((part + 1) * each) / 10)]
    return Stream.fromIterable(Array.from({ length: to - from }, (_, n) => of(from + n + 1)))
  })

const store = {
  pinOf: () =>
    Effect.succeedSome({
      account: "main",
      lane: "test/1001",
      taxpayer: "2000000001",
      environment: "test",
      zone: "+00:00"
    }),
  list: () => Effect.succeed([{ account: "main", kind: "invoice", id: "first" }]),
  explain: () => Effect.succeedSome({ timeline: [{ at: DateTime.makeUnsafe("2026-01-01T00:00:00Z") }] }),
  decisions: () => Effect.succeed([]),
  otherPrograms: () => Effect.succeed(null),
  repeatedCodes: () => Effect.succeed(new Set()),
  getMany: (keys: ReadonlyArray<object>) => Effect.succeed(keys),
  refused: { of: () => Effect.succeed([]) },
  recordOutcomes: () => Effect.void,
  documentsOf: () => all(requestsOf),
  revisions: (keys: ReadonlyArray<readonly [number, number]>) =>
    Effect.succeed(keys.map(([seq]) => documentOf(saleOf(seq), "main")))
} as unknown as SubmissionStoreOperations

const closed = (day: number, report: ZReport): ZReport => ({
  ...report,
  closedAt: DateTime.makeZonedUnsafe(`${dateOf(day)}T20:00:00Z`, { timeZone: "UTC" })
})

let most = 0
const live = () => {
  globalThis.gc!()
  const { external, heapUsed } = process.memoryUsage()
  most = Math.max(most, heapUsed + external)
}

const settings = {
  account: "main",
  gateway: {
    fiscalDevice: Effect.succeed({ deviceId: 1001, serialNo: undefined, tin: "2000000001", isLive: false }),
    allZReports: () => Stream.fromIterable(Array.from({ length: days }, (_, n) => closed(n + 1, reportOf(n + 1, [])))),
    zReport: (day: number) =>
      Effect.sync(() => {
        if (day % 10 === 0) live()
        const sales = Array.from({ length: each }, (_, n) => saleOf((day - 1) * each + n + 1))
        return closed(day, reportOf(day, sales))
      }),
    status: () => Effect.succeed([]),
    taxMappings: Effect.succeed([]),
    currencyMappings: Effect.succeed([])
  }
} as unknown as AccountSettings

const entries = all((seq) => {
  const { kind, name } = saleOf(seq)
  return { _tag: "Known", source: { kind, id: name, number: name }, states: "as-sent", findings: [] }
})

const rows: Array<Reconcile.AccountRow> = []
const found = await Effect.runPromise(
  Reconcile.run({
    settings,
    each: (row) => void (values.keeps === "rows" && rows.push(row)),
    others: [],
    period: { from: dateOf(1), to: dateOf(days) },
    source: {
      _tag: "Read",
      name: "march.csv",
      plan: { book: { taxes: [], currencies: [] }, entries, skipped: Stream.empty } as never
    }
  }).pipe(Effect.provideService(SubmissionStore, SubmissionStore.of(store)))
)
const agree = found.days.filter(({ standing }) => standing === "agrees").length
console.log(JSON.stringify({ agree, differences: found.differences.length, mib: most / 2 ** 20, rows: rows.length }))
