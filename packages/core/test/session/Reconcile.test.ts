/**
 * Differences planted in the source, the store and the device: each is in the exit code and in the
 * figures to the cent, and its document is named. Full run: `PLANTED=200`.
 */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Stream } from "effect"
import type { AccountSettings } from "../../src/account/AccountSettings.ts"
import type { CivilDate } from "../../src/document/CivilDate.ts"
import { DocumentNumber } from "../../src/document/Identifiers.ts"
import * as WrittenDocument from "../../src/document/WrittenDocument.ts"
import * as Money from "../../src/document/Money.ts"
import { GatewayError, Unavailable } from "../../src/gateway/contract/GatewayError.ts"
import type { ZReport } from "../../src/gateway/operation/ZReport.ts"
import * as AccountRecord from "../../src/day/AccountRecord.ts"
import type { RecordedDecision } from "../../src/submission/OperatorRecord.ts"
import * as Reconcile from "../../src/session/Reconcile.ts"
import type { DocumentRequests, MeantDocument, StatedReceipt } from "../../src/submission/SubmissionQuery.ts"
import { SubmissionStore, type SubmissionStoreOperations } from "../../src/submission/SubmissionStore.ts"
import { documentOf, type Draw, grossOf, money, random, reportOf, type Sale, saleOf } from "../day/Sales.ts"

const planted = Number(process.env["PLANTED"] ?? 12)

/** A document in the store. */
interface Stored {
  readonly sale: Sale
  readonly day: number
  state: DocumentRequests["state"]
  /** Receipts: the number of each, or null for one that only an operator states. */
  readonly receipts: Array<number | null>
  /** Requests of which nothing is known. */
  open: number
  conflicts: DocumentRequests["conflicts"]
  /** Device that the proofs name. Absent: the device of the lane. */
  device?: number
}

/**
 * Statement of the source about a document: as sent, with another sale, void, under another tax.
 * `refused`: its figures are not read.
 */
type Statement = "same" | "void" | "void and issued" | "unanswered" | "refused" | "refused, no date" | "exempt" | Sale

/** Three days that were closed in the period, as source, store and device have them. */
interface World {
  readonly source: Map<Sale, Statement>
  readonly store: Array<Stored>
  readonly device: Map<number, Array<Sale>>
  /** Days that are not closed, and days whose report has no counters. */
  readonly open: Set<number>
  readonly bare: Set<number>
  /** Days whose close has failed in the morning, and succeeds while the account is made. */
  readonly closing: Set<number>
  /** Statement of an operator about other programs on the device. */
  stated: "others" | "alone" | null
  next: number
}

const days = [61, 62, 63]
const dateOf = (day: number) => `2026-03-${String(day - 60).padStart(2, "0")}` as CivilDate
/** A document is dated on the day that its name begins with. */
const datedOf = ({ name }: Sale) => dateOf(Number(name.slice(0, 2)) || 61)
const noon = (day: number) => DateTime.makeUnsafe(`${dateOf(day)}T12:00:00Z`)

const issue = (world: World, sale: Sale, day: number, at: ReadonlyArray<"source" | "store" | "device">): Stored => {
  const number = world.next++
  const stored: Stored = { sale, day, state: "Fiscalised", receipts: [number], open: 0, conflicts: [] }
  if (at.includes("source")) world.source.set(sale, "same")
  if (at.includes("store")) world.store.push(stored)
  if (at.includes("device")) world.device.get(day)!.push(sale)
  return stored
}

const everywhere = ["source", "store", "device"] as const

/** Makes a world in which all sides agree. */
const agreeing = (draw: Draw, amounts: "free" | "five prices"): World => {
  const world: World = {
    source: new Map(),
    store: [],
    device: new Map([...days, 64].map((day) => [day, []])),
    open: new Set([64]),
    bare: new Set(),
    closing: new Set(),
    stated: null,
    next: 4801
  }
  for (const day of days)
    for (let n = 0; n < 40; n++) issue(world, saleOf(draw, `${day}-${n}`, amounts), day, everywhere)
  return world
}

const requestsOf = (
  { conflicts, day, device = 1001, open, receipts, sale, state }: Stored,
  seq: number
): DocumentRequests => {
  const request = (attempt: number, known: "receipt" | "open") => ({
    attempt,
    lane: "test/1001",
    revision: 1,
    begunAt: noon(day),
    known,
    requestId: null
  })
  const stated = receipts.map((receiptNumber, n): StatedReceipt => ({
    by: receiptNumber === null ? "operator" : "gateway",
    beside: "nothing",
    attempt: seq * 10 + n,
    requestId: `r${seq}-${n}` as StatedReceipt["requestId"],
    proof: {
      verificationCode: receiptNumber === null ? null : `C-${receiptNumber}`,
      qrCodeUrl: null,
      fiscalDay: receiptNumber === null ? null : day,
      deviceId: device,
      invoiceNumber: receiptNumber,
      fiscalInvoicePdf: null
    }
  }))
  return {
    account: "main",
    kind: sale.kind,
    id: sale.name,
    number: DocumentNumber.make(sale.name),
    seq,
    state,
    lane: "test/1001",
    revision: 1,
    dated: datedOf(sale),
    made: "source",
    isRepresented: false,
    conflicts,
    receiptDate: noon(day),
    requests: [
      ...receipts.map((_, n) => request(seq * 10 + n, "receipt")),
      ...Array.from({ length: open }, (_, n) => request(seq * 10 + 5 + n, "open"))
    ],
    stated
  }
}

/** Facts of the store beyond its documents. */
interface Beside {
  readonly zone?: string
  readonly decisions?: ReadonlyArray<object>
  readonly refused?: ReadonlyArray<object>
  readonly source?: "none"
  /** Present statements that an import has recorded, by the name of the document. */
  readonly noted?: ReadonlyMap<string, Sale>
}

const storeOf = ({ stated, store }: World, { decisions = [], noted, refused = [], zone = "+00:00" }: Beside) =>
  ({
    pinOf: (account: string) =>
      Effect.succeedSome({ account, lane: "test/1001", taxpayer: "2000000001", environment: "test", zone }),
    list: () => Effect.succeed([{ account: "main", kind: "invoice", id: "first" }]),
    explain: () => Effect.succeedSome({ timeline: [{ at: DateTime.makeUnsafe("2026-01-01T00:00:00Z") }] }),
    decisions: () => Effect.succeed(decisions),
    otherPrograms: () => Effect.succeed(stated && { stated, since: noon(61) }),
    repeatedCodes: () => Effect.succeed(new Set()),
    getMany: (keys: ReadonlyArray<{ readonly id: string }>) =>
      Effect.succeed(
        store.flatMap(({ sale: { kind, name } }) =>
          keys.some(({ id }) => id === name) ? [{ kind, id: name, number: name }] : []
        )
      ),
    refused: { of: () => Effect.succeed(refused) },
    family: ({ id }: { readonly id: string }) => {
      const now = noted?.get(id)
      const sent = documentOf(store.find(({ sale }) => sale.name === id)!.sale, "main")
      const stated = now === undefined ? { _tag: "NotKept" } : { _tag: "Changed", ...documentOf(now, "main") }
      return Effect.succeedSome({ sent, stated })
    },
    documentsOf: () => Stream.fromIterable(store.map((one, n) => requestsOf(one, n + 1))),
    revisions: (keys: ReadonlyArray<readonly [number, number]>) =>
      Effect.succeed(keys.map(([seq]) => documentOf(store[seq - 1]!.sale, "main")))
  }) as unknown as SubmissionStoreOperations

const closeAt = (day: number, hour: number) =>
  DateTime.makeZonedUnsafe(`${dateOf(day)}T${hour}:00:00Z`, { timeZone: "UTC" })

const reportsOf = ({ bare, device, open }: World): ReadonlyArray<ZReport> =>
  Array.from(device).flatMap(([day, sales]) => {
    if (open.has(day)) return []
    const report = reportOf(day, sales)
    return [{ ...report, closedAt: closeAt(day, 20), summaries: bare.has(day) ? null : report.summaries }]
  })

const settingsOf = (world: World) => {
  const reports = reportsOf(world)
  return {
    account: "main",
    gateway: {
      fiscalDevice: Effect.succeed({ deviceId: 1001, serialNo: undefined, tin: "2000000001", isLive: false }),
      allZReports: () =>
        Stream.fromIterable(
          reports.map((report) => {
            const day = report.fiscalDayNumber!
            return world.closing.has(day) ? { ...report, isSuccess: false, closedAt: closeAt(day, 10) } : report
          })
        ),
      zReport: (day: number) => Effect.succeed(reports.find(({ fiscalDayNumber }) => fiscalDayNumber === day)),
      status: () => Effect.succeed([]),
      taxMappings: Effect.succeed([]),
      currencyMappings: Effect.succeed([])
    }
  } as unknown as AccountSettings
}

const plannedOf = (sale: Sale, { document, meaning }: Pick<MeantDocument, "document" | "meaning">) => ({
  _tag: "Planned",
  source: { kind: sale.kind, id: sale.name, number: sale.name, at: { file: "march.csv" } },
  planned: { document: WrittenDocument.of(document), meaning, sourceDate: datedOf(sale) },
  findings: []
})

const planOf = ({ source }: World): Extract<Reconcile.SourceInput, { _tag: "Read" }> => {
  const entries = Array.from(source).flatMap(([sale, statement]): ReadonlyArray<object> => {
    const about = { kind: sale.kind, id: sale.name, number: sale.name, at: { file: "march.csv" } }
    if (statement === "void" || statement === "unanswered") return []
    if (statement === "void and issued") return [plannedOf(sale, documentOf(sale, "main"))]
    if (statement === "exempt") {
      const { document } = documentOf(sale, "main")
      return [plannedOf(sale, { document, meaning: { currency: sale.currency, taxes: [["ZERO", 3, null]] } })]
    }
    if (statement === "same") return [{ _tag: "Known", source: about, states: "as-sent", findings: [] }]
    const day = datedOf(sale)
    const refused = { _tag: "Refused", source: about, document: null, findings: [{ code: "TAX_UNKNOWN" }] }
    if (statement === "refused") return [{ ...refused, day }]
    if (statement === "refused, no date") return [{ ...refused, day: null }]
    return [plannedOf(sale, documentOf(statement, "main"))]
  })
  const skipped = Array.from(source).flatMap(([{ kind, name }, statement]) =>
    statement === "void" || statement === "void and issued"
      ? [{ key: name, reason: "void", cancelled: { kind, id: name, number: name } }]
      : []
  )
  return {
    _tag: "Read",
    name: "march.csv",
    unanswered: Array.from(source).flatMap(([{ kind, name }, statement]) =>
      statement === "unanswered" ? [{ kind, id: name, number: name }] : []
    ),
    plan: {
      book: { taxes: [], currencies: [] },
      entries: Stream.fromIterable(entries),
      skipped: Stream.fromIterable(skipped)
    } as never
  }
}

const run = (world: World, beside: Beside = {}) =>
  Effect.runPromise(
    Reconcile.run({
      settings: settingsOf(world),
      others: [],
      period: { from: dateOf(61), to: dateOf(63) },
      source: beside.source === "none" ? null : planOf(world)
    }).pipe(Effect.provideService(SubmissionStore, SubmissionStore.of(storeOf(world, beside))))
  )

const signed = (sale: Sale) => (sale.kind === "invoice" ? grossOf(sale) : -grossOf(sale))
const cents = (amount: Money.Money) => Number(Money.formatAmount(amount).replace(".", ""))
const of = (draw: Draw, world: World, kind?: Sale["kind"]) => {
  const all = world.store.filter(({ sale }) => kind === undefined || sale.kind === kind)
  return all[draw(all.length)]!
}

/** Takes a receipt from the device. */
const unmade = ({ device }: World, { day, sale }: Stored): void =>
  void device.set(
    day,
    device.get(day)!.filter((one) => one !== sale)
  )

/** A document without an answer to its request. */
const unanswered = (world: World, draw: Draw, state: Stored["state"]): Stored =>
  Object.assign(of(draw, world), { state, receipts: [], open: 1 })

/** Leaves out a receipt number in the middle of a day. */
const skipNumber = ({ store }: World, day: number): void => {
  const from = store.findIndex((one) => one.day === day) + 20
  for (const { receipts } of store.slice(from))
    for (const [n, number] of receipts.entries()) receipts[n] = number === null ? null : number + 1
}

/** Another program makes a receipt on the device. */
const makesOther = (world: World, day: number, sale: Sale): Sale => {
  const other = { ...sale, kind: "invoice" } as const
  world.device.get(day)!.push(other)
  skipNumber(world, day)
  return other
}

type Cents = Readonly<Record<string, number>>

/** Expected result of a planted difference. */
interface Expected {
  readonly exit: 0 | 2 | 3
  /** Day reports less receipts, in cents, by currency. */
  readonly left?: Cents
  /** Receipts of declared programs, in cents, by currency. */
  readonly others?: Cents
  /** Sums of the differences, in cents, by currency. By default what is left. */
  readonly amounts?: Cents
  /** A code among the differences. Undefined if there is none. */
  readonly code?: string
  /** A document that a difference names. */
  readonly named?: string
  /** A document of the source that is named as not compared. */
  readonly unknown?: string
  /** A document of the closing list. */
  readonly carried?: string
}

/** Gives invoices of the world different buyers, and returns them. */
const buyersOf = ({ device, source, store }: World, draw: Draw, count: number): ReadonlyArray<Sale> => {
  const from = draw(20)
  const chosen = store.filter(({ sale }) => sale.kind === "invoice").slice(from, from + count)
  return chosen.map((stored, n) => {
    const { day, sale } = stored
    const sold = { ...sale, buyer: `Buyer ${n % 4}` }
    const sales = device.get(day)!
    sales[sales.indexOf(sale)] = sold
    source.delete(sale)
    source.set(sold, "same")
    store[store.indexOf(stored)] = { ...stored, sale: sold }
    return sold
  })
}

/** Plants one difference in a world that agrees. */
type Plant = (world: World, draw: Draw, stranger: Sale) => Expected

const plants: Readonly<Record<string, Plant>> = {
  nothing: () => ({ exit: 0 }),
  "a receipt of another program": (world, draw, sale) => {
    world.device.get(days[draw(3)]!)!.push(sale)
    return { exit: 2, left: { [sale.currency]: signed(sale) } }
  },
  "a claimed receipt that does not exist": (world, draw) => {
    const stored = of(draw, world)
    stored.receipts[0] = null
    unmade(world, stored)
    return { exit: 2, left: { [stored.sale.currency]: -signed(stored.sale) }, named: stored.sale.name }
  },
  "a claimed receipt that exists": (world, draw) => {
    of(draw, world).receipts[0] = null
    return { exit: 3 }
  },
  "a second receipt that the gateway stated": (world, draw) => {
    const stored = of(draw, world)
    stored.receipts.push(world.next++)
    world.device.get(stored.day)!.push(stored.sale)
    const amounts = { [stored.sale.currency]: signed(stored.sale) }
    return { exit: 2, code: "DOUBLE_FISCALISED", amounts, named: stored.sale.name }
  },
  "a receipt of another device, beside a sale of the same sum that is not ours": (world, draw) => {
    const { sale } = Object.assign(of(draw, world), { device: 1002 })
    return { exit: 2, left: { [sale.currency]: signed(sale) }, carried: sale.name }
  },
  "a second receipt of an open request": (world, draw) => {
    const stored = of(draw, world)
    stored.open = 1
    world.device.get(stored.day)!.push(stored.sale)
    return { exit: 2, left: { [stored.sale.currency]: signed(stored.sale) }, named: stored.sale.name }
  },
  "a receipt of an Unknown document": (world, draw) => {
    const stored = unanswered(world, draw, "Unknown")
    const { currency, name } = stored.sale
    return { exit: 2, left: { [currency]: signed(stored.sale) }, named: name, carried: name }
  },
  "an Unknown document without a receipt": (world, draw) => {
    const stored = unanswered(world, draw, "Unknown")
    unmade(world, stored)
    return { exit: 3, carried: stored.sale.name }
  },
  "a receipt of which the answer is awaited": (world, draw) => {
    const stored = unanswered(world, draw, "Accepted")
    return { exit: 3, carried: stored.sale.name }
  },
  "a day that is closed while the account is made": (world, draw) => {
    world.closing.add(63)
    return { exit: 3, carried: world.store.filter(({ day }) => day === 63)[draw(40)]!.sale.name }
  },
  "a rejected document": (world, draw) => {
    const stored = of(draw, world)
    stored.state = "Rejected"
    stored.receipts.length = 0
    unmade(world, stored)
    return { exit: 0 }
  },
  "a document that the source voids": (world, draw) => {
    const { sale } = of(draw, world)
    world.source.set(sale, "void")
    return { exit: 2, code: "SOURCE_CANCELLED", amounts: { [sale.currency]: signed(sale) }, named: sale.name }
  },
  "a document that the source states otherwise": (world, draw) => {
    const { sale } = of(draw, world)
    world.source.set(sale, {
      ...sale,
      groups: [{ ...sale.groups[0]!, gross: sale.groups[0]!.gross + 1 }, ...sale.groups.slice(1)]
    })
    const amounts = { [sale.currency]: sale.kind === "invoice" ? -1 : 1 }
    return { exit: 2, code: "SOURCE_CONFLICT", amounts, named: sale.name }
  },
  "a document that only the source has": (world, draw, stranger) => {
    const sale = { ...stranger, name: `6${1 + draw(3)}-new` }
    world.source.set(sale, sale)
    const amounts = { [sale.currency]: -signed(sale) }
    return { exit: 2, code: "SOURCE_NOT_HERE", amounts, named: sale.name, carried: sale.name }
  },
  "a document that only the store has": (world, draw) => {
    const { sale } = of(draw, world)
    world.source.delete(sale)
    return { exit: 2, code: "NOT_IN_SOURCE", amounts: { [sale.currency]: signed(sale) }, named: sale.name }
  },
  "a document that the store lost": (world, draw) => {
    const stored = of(draw, world)
    world.store.splice(world.store.indexOf(stored), 1)
    world.source.set(stored.sale, stored.sale)
    const { currency, name } = stored.sale
    const left = { [currency]: signed(stored.sale) }
    return { exit: 2, code: "SOURCE_NOT_HERE", left, amounts: {}, named: name, carried: name }
  },
  "a document that our checks refuse": (world) => {
    world.source.set({ ...world.store[0]!.sale, name: "62-refused" }, "refused")
    return { exit: 3, unknown: "62-refused" }
  },
  "a document without a date": (world) => {
    world.source.set({ ...world.store[0]!.sale, name: "62-undated" }, "refused, no date")
    return { exit: 3, unknown: "62-undated" }
  },
  "a document with a receipt that our checks refuse now": (world, draw) => {
    const { sale } = of(draw, world)
    world.source.set(sale, "refused")
    return { exit: 3, unknown: sale.name }
  },
  "a void and its reissue under one number": (world, draw) => {
    const { sale } = of(draw, world)
    world.source.set(sale, "void and issued")
    return { exit: 3, unknown: sale.name }
  },
  "a document for which a live source does not answer": (world, draw) => {
    const { sale } = of(draw, world)
    world.source.set(sale, "unanswered")
    return { exit: 3, unknown: sale.name }
  },
  "a number in another spelling": (world, draw) => {
    const { sale } = of(draw, world)
    world.source.delete(sale)
    world.source.set({ ...sale, name: sale.name.replace("-", "-0") }, sale)
    return { exit: 0 }
  },
  "a voided spelling beside an issued one": (world, draw) => {
    const { sale } = of(draw, world)
    world.source.delete(sale)
    world.source.set({ ...sale, name: sale.name.replace("-", "-0") }, sale)
    world.source.set({ ...sale, name: sale.name.replace("-", "-00") }, "void")
    return { exit: 3, unknown: sale.name }
  },
  "a zero-rated sale that the source states as exempt": (world, draw) => {
    const zero = world.store.filter(({ sale }) => sale.groups.every(({ tax }) => tax === 2))
    const { sale } = zero[draw(zero.length)]!
    world.source.set(sale, "exempt")
    return { exit: 2, code: "SOURCE_CONFLICT", named: sale.name }
  },
  "a contradiction of the store": (world, draw) => {
    const stored = of(draw, world)
    stored.conflicts = [{ code: "PROOF_SHARED", detail: "the code of another document", standing: "open" }]
    return { exit: 2, code: "PROOF_SHARED", named: stored.sale.name }
  },
  "a contradiction that an operator settled": (world, draw) => {
    of(draw, world).conflicts = [{ code: "PROOF_SHARED", detail: "the code of another document", standing: "settled" }]
    return { exit: 0 }
  },
  "a receipt under another tax": (world, draw) => {
    const stored = of(draw, world, "invoice")
    const sales = world.device.get(stored.day)!
    const groups = stored.sale.groups.map((group) => ({
      ...group,
      tax: group.tax === 2 ? (515 as const) : (2 as const)
    }))
    sales[sales.indexOf(stored.sale)] = { ...stored.sale, groups }
    return stored.sale.groups.length === 2 && stored.sale.groups[0]!.gross === stored.sale.groups[1]!.gross
      ? { exit: 0 }
      : { exit: 2, code: "DAY_DIFFERS", ...(groups.length === 1 && { named: stored.sale.name }) }
  },
  "a receipt with another payment": (world, draw) => {
    const stored = of(draw, world)
    const sales = world.device.get(stored.day)!
    sales[sales.indexOf(stored.sale)] = { ...stored.sale, payment: stored.sale.payment === "Cash" ? "Card" : "Cash" }
    return { exit: 2, code: "DAY_DIFFERS", named: stored.sale.name }
  },
  "a receipt counted in another day": (world, draw) => {
    const stored = of(draw, world)
    unmade(world, stored)
    world.device.get(stored.day === 61 ? 62 : 61)!.push(stored.sale)
    return { exit: 2, code: "DAY_DIFFERS", named: stored.sale.name }
  },
  "a cent that the device has more": (world, draw) => {
    const sales = world.device.get(days[draw(3)]!)!
    const at = sales.findIndex(({ kind }) => kind === "invoice")
    const sale = sales[at]!
    sales[at] = { ...sale, groups: [{ ...sale.groups[0]!, gross: sale.groups[0]!.gross + 1 }, ...sale.groups.slice(1)] }
    return { exit: 2, left: { [sale.currency]: 1 } }
  },
  "a receipt in a day that is open": (world, draw, stranger) => {
    const stored = issue(world, { ...stranger, name: "63-late" }, 64, everywhere)
    world.store[world.store.indexOf(stored)] = { ...stored, day: 64 }
    return { exit: 0, carried: "63-late" }
  },
  "a report without counters": (world) => {
    world.bare.add(62)
    return { exit: 3 }
  },
  "the sales of a system that another system has under other numbers": (world, draw) => {
    const copies = buyersOf(world, draw, 5).map((sale, n) => {
      const copy = { ...sale, name: `${sale.name.slice(0, 2)}-B${n}`, file: "books-2026.json" }
      return issue(world, copy, Number(sale.name.slice(0, 2)), everywhere).sale
    })
    const amounts = Object.fromEntries([...new Set(copies.map(({ currency }) => currency))].map((one) => [one, 0]))
    for (const copy of copies) amounts[copy.currency]! += signed(copy)
    return {
      exit: 2,
      code: "SALES_IN_TWO_SYSTEMS",
      amounts: Object.keys(amounts).length === 1 ? amounts : {},
      named: copies[0]!.name
    }
  },
  "a doubled export that is credited in full": (world, draw) => {
    for (const [n, sale] of buyersOf(world, draw, 5).entries()) {
      const copy = { ...sale, name: `${sale.name.slice(0, 2)}-B${n}`, file: "books-2026.json" }
      issue(world, copy, 61, everywhere)
      issue(world, { ...copy, kind: "credit-note", name: `${copy.name}-C`, credits: copy.name }, 61, everywhere)
    }
    return { exit: 0 }
  },
  "standing orders of the same buyers on every day, and twice on a day": (world, draw) => {
    for (const [n, sale] of buyersOf(world, draw, 5).entries())
      for (const day of days)
        for (const turn of ["noon", "evening"]) {
          const order = {
            ...sale,
            groups: [{ tax: 515 as const, gross: 90_000 + n }],
            file: `orders-${day}${turn === "noon" ? 12 : 18}.csv`
          }
          issue(world, { ...order, name: `${day}-S${n}-${turn}` }, day, everywhere)
        }
    return { exit: 0 }
  },
  "standing orders of two shops, of which fewer than half are equal": (world, draw) => {
    for (const [n, sale] of buyersOf(world, draw, 15).slice(0, 5).entries())
      for (const m of [0, 1, 2]) {
        const groups = m === 0 ? sale.groups : [{ tax: 515 as const, gross: 70_000 + n * 10 + m }]
        issue(world, { ...sale, name: `61-S${n}-${m}`, groups, file: "branch.csv" }, 61, everywhere)
      }
    return { exit: 0 }
  },
  "sales of two tills to a cash buyer": (world, draw) => {
    for (const till of ["north", "south"])
      for (let n = 0; n < 5; n++) {
        const sale = saleOf(draw, `62-${till}-${n}`, "five prices")
        const groups = [{ tax: 515 as const, gross: 1000 * (n + 1) }]
        const cash = { ...sale, kind: "invoice" as const, currency: "USD", groups, buyer: "Cash sale" }
        issue(world, { ...cash, file: `${till}.csv` }, 62, everywhere)
      }
    return { exit: 0 }
  },
  "a second receipt and one of another program": (world, draw, sale) => {
    const stored = of(draw, world)
    stored.receipts.push(world.next++)
    world.device.get(stored.day)!.push(stored.sale, sale)
    const amounts: Record<string, number> = { [stored.sale.currency]: signed(stored.sale) }
    amounts[sale.currency] = (amounts[sale.currency] ?? 0) + signed(sale)
    const left = { [sale.currency]: signed(sale) }
    return { exit: 2, code: "DOUBLE_FISCALISED", left, amounts, named: stored.sale.name }
  },
  "receipts of programs that are declared": (world, _, stranger) => {
    world.stated = "others"
    const { currency, groups, ...sale } = makesOther(world, 62, stranger)
    return { exit: 0, others: { [currency]: signed({ ...sale, currency, groups }) } }
  },
  "a second receipt that looks like one of a declared program": (world, draw) => {
    world.stated = "others"
    const stored = of(draw, world)
    stored.open = 1
    world.device.get(stored.day)!.push(stored.sale)
    skipNumber(world, stored.day)
    const { currency, name } = stored.sale
    return { exit: 3, others: { [currency]: signed(stored.sale) }, unknown: name }
  },
  "a claimed receipt that is missing beside a declared program": (world, draw, stranger) => {
    world.stated = "others"
    const stored = of(draw, world)
    stored.receipts[0] = null
    unmade(world, stored)
    const gross = grossOf(stored.sale) * 3
    const till = makesOther(world, stored.day, {
      ...stranger,
      currency: stored.sale.currency,
      groups: [{ tax: 515, gross }]
    })
    const sum = { [stored.sale.currency]: signed(till) - signed(stored.sale) }
    const looksLike = stored.sale.kind === "invoice" && stored.sale.groups.every(({ tax }) => tax === 515)
    return looksLike
      ? { exit: 3, others: sum, unknown: stored.sale.name }
      : { exit: 2, left: sum, unknown: stored.sale.name }
  },
  "a receipt of another program on a device of this store alone": (world, _, stranger) => {
    world.stated = "alone"
    const sale = makesOther(world, 62, stranger)
    return { exit: 2, code: "RECEIPT_NOT_OURS", left: { [sale.currency]: signed(sale) } }
  },
  "a number that the device skips in a day that agrees": (world) => {
    world.stated = "alone"
    skipNumber(world, 62)
    return { exit: 0 }
  },
  "a missing number in a day that cannot be compared": (world) => {
    world.stated = "alone"
    world.bare.add(62)
    skipNumber(world, 62)
    return { exit: 2, code: "RECEIPT_NOT_OURS" }
  },
  "a missing number that an open request may have": (world) => {
    world.stated = "alone"
    world.bare.add(62)
    skipNumber(world, 62)
    const stored = world.store.find(({ day }) => day === 62)!
    Object.assign(stored, { state: "Unknown", receipts: [], open: 1 })
    return { exit: 3, carried: stored.sale.name }
  }
}

describe("an account of a period", () => {
  for (const [what, plant] of Object.entries(plants))
    it(`has the figures to the cent, the exit code and the document of: ${what}`, async () => {
      for (let n = 1; n <= planted; n++) {
        const draw = random(n * 37 + what.length)
        const world = agreeing(draw, n % 2 === 0 ? "free" : "five prices")
        const expected = plant(world, draw, saleOf(draw, "stranger", n % 2 === 0 ? "free" : "five prices"))
        const found = await run(world)
        const text = `${what}, ${n}: ${JSON.stringify(found.differences.map(({ code, documents, text }) => [code, documents, text]))}`
        assert.strictEqual(Reconcile.exitOf(found), expected.exit, `${text} ${JSON.stringify(found.legs)}`)
        const open = found.differences.filter(({ acknowledged }) => acknowledged === null)
        for (const [currency, { left, others }] of found.deviceSums) {
          assert.strictEqual(cents(left), expected.left?.[currency] ?? 0, `${currency} left, ${text}`)
          assert.strictEqual(cents(others), expected.others?.[currency] ?? 0, `${currency} others, ${text}`)
        }
        const { amounts = expected.left } = expected
        for (const currency of new Set([
          ...found.deviceSums.keys(),
          ...open.flatMap(({ currency }) => currency ?? [])
        ])) {
          const own = open.flatMap((one) =>
            one.currency === currency && one.amount !== null ? [cents(one.amount)] : []
          )
          const sum = own.reduce((sum, one) => sum + one, 0)
          assert.strictEqual(sum, amounts?.[currency] ?? 0, `${currency} of the differences, ${text}`)
        }
        const codes = found.differences.map(({ code }) => code)
        if (expected.code !== undefined) assert.include(codes, expected.code, text)
        if (expected.exit !== 2) assert.deepStrictEqual(open, [])
        const named = found.differences.flatMap(({ documents }) => documents.map(({ number }) => number))
        if (expected.named !== undefined) assert.include(named, expected.named, text)
        const isAlone = ({ documents, grade }: Reconcile.Difference) =>
          (grade === "fits" || grade === "proven") && documents.length === 1
        for (const { documents } of open.filter(isAlone)) assert.strictEqual(documents[0]!.number, expected.named, text)
        const left = found.legs.flatMap(({ notPossible }) => notPossible.map(({ because }) => because)).join()
        if (expected.unknown !== undefined) assert.include(`${left} ${named.join()}`, expected.unknown, text)
        const carried = found.closing.map(({ number }) => number)
        if (expected.carried !== undefined) assert.include(carried, expected.carried, text)
      }
    })

  for (const [what, before, receipts, state, expected] of [
    ["a document that was not there", null, [], "Planned", "its carried list by USD 5.00"],
    ["a document that is refused at once", null, [], "Rejected", "its documents without a receipt by USD 5.00"],
    ["a document that was carried out, and is withdrawn", "Held", [], "Withdrawn", "its carried list by USD -5.00"],
    ["a rejected document that is sent again", "Rejected", [], "Accepted", "its carried list by USD 5.00"],
    ["evidence for a receipt of a reported day", "Unknown", [63], "Fiscalised", "its receipts by USD 5.00"],
    ["a receipt in a later day", "Accepted", [64], "Fiscalised", null],
    ["a later change of a fiscalised document", "Fiscalised", [63], "Fiscalised", null]
  ] as const)
    it(`says at the end of a session what it changes in a reported period: ${what}`, () => {
      const sale: Sale = { ...saleOf(random(1), "61-x", "free"), kind: "invoice" }
      const stored: Stored = { sale, day: receipts[0] ?? 63, state, receipts: [...receipts], open: 0, conflicts: [] }
      const requests = requestsOf(stored, 1)
      const report = {
        subject: "report of 2026-03-01 to 2026-03-31",
        what: "sums | sha256 a1 | shares | closed up to day 63"
      }
      const recorded = { ...report, who: "Ada", at: DateTime.makeUnsafe("2026-04-01T22:30:00Z") } as RecordedDecision
      const period = AccountRecord.periodOf(recorded)!
      const changed = { requests, before, found: [], currency: "USD", total: money(500) }
      const said = AccountRecord.changedBy(period, [changed], new Set(), DateTime.zoneMakeOffset(7_200_000))
      if (expected === null) assert.isNull(said)
      else
        assert.include(said, "The period 2026-03-01 to 2026-03-31 was reported on 2026-04-02 by Ada; this changes its")
      if (expected !== null) assert.include(said, expected)
    })

  it("has what was sent on each day without a report of the day, also of the open one", async () => {
    const world = agreeing(random(11), "free")
    issue(world, { ...saleOf(random(12), "64-1", "free"), kind: "credit-note" }, 64, everywhere)
    const sent = await Effect.runPromise(Reconcile.sentOnDays(settingsOf(world), storeOf(world, {}), reportsOf(world)))
    assert.strictEqual(sent.zone && DateTime.zoneToString(sent.zone), "+00:00")
    assert.deepStrictEqual([...sent.days.keys()].toSorted(), [...days, 64])
    for (const [day, { documents, sums }] of sent.days) {
      const own = world.device.get(day)!
      assert.strictEqual(documents, own.length)
      for (const [currency, sum] of sums) {
        const of = own.filter((sale) => sale.currency === currency)
        assert.strictEqual(
          cents(sum),
          of.reduce((sum, sale) => sum + signed(sale), 0)
        )
      }
    }
  })

  it("has both amounts of a change that an import recorded, in the difference and in the books", async () => {
    const world = agreeing(random(3), "free")
    const stored = world.store.find(({ sale }) => sale.kind === "invoice")!
    stored.conflicts = [{ code: "SOURCE_CONFLICT", detail: "it states something else", standing: "open" }]
    const { currency, groups, name } = stored.sale
    const now: Sale = { ...stored.sale, groups: groups.map((one) => ({ ...one, gross: one.gross + 100 })) }
    const books = ({ chains }: Reconcile.Reconciliation) => {
      const row = chains!.get(currency)!.find((one) => one.name === "issued")!
      return cents(row.invoice.total)
    }
    const before = await run(agreeing(random(3), "free"), { source: "none" })
    const found = await run(world, { source: "none", noted: new Map([[name, now]]) })
    const [difference, ...others] = found.differences
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(
      [difference!.books, difference!.sent, difference!.amount].map((money) => money && cents(money)),
      [grossOf(now), grossOf(stored.sale), grossOf(stored.sale) - grossOf(now)]
    )
    assert.match(difference!.text, /^.*: \d lines?: /)
    assert.strictEqual(books(found) - books(before), grossOf(now) - grossOf(stored.sale))
    assert.strictEqual(Reconcile.outcomeOf(found), "1 document differs")
    assert.strictEqual(Reconcile.outcomeOf(before), "everything that was compared agrees")
    const figures = { kind: "credit-note", currency: "USD", total: money(150), tax: Money.zero, shares: [] }
    const carried = { standing: "open", state: "Held", number: "H-1", figures }
    const open = { ...before, closing: [carried, carried] } as never
    assert.strictEqual(Reconcile.outcomeOf(open), "2 documents have no receipt yet")
    const both = { ...found, closing: [carried] } as never
    assert.strictEqual(Reconcile.outcomeOf(both), "1 document differs, 1 document has no receipt yet")
    const [held] = Reconcile.withoutReceipt(open)
    assert.deepStrictEqual([held!.documents, cents(held!.total), held!.numbers], [2, -300, ["H-1", "H-1"]])
    // a suspect is not the cause
    const suspected = { ...found, differences: [{ ...difference!, grade: "possible" }] } as never
    assert.strictEqual(Reconcile.outcomeOf(suspected), "1 difference")
    // a change whose figures were not kept has the amount that was sent
    const unkept = await run(world, { source: "none" })
    assert.isNull(unkept.differences[0]!.books)
    assert.strictEqual(cents(unkept.differences[0]!.sent!), grossOf(stored.sale))
    assert.strictEqual(books(unkept), books(before))
  })

  it("counts every request that the gateway was not asked for, after one that it did not answer", async () => {
    const world = agreeing(random(5), "free")
    const settings = settingsOf(world)
    const reason = new Unavailable({ status: 503, text: "busy" })
    const status = () => Effect.fail(new GatewayError({ operation: "status", reason }))
    const store = storeOf(world, {})
    const begunAt = DateTime.makeUnsafe(Date.now())
    const documentsOf = (...asked: Parameters<typeof store.documentsOf>) =>
      Stream.map(store.documentsOf(...asked), (one) => ({
        ...one,
        requests: one.requests.map((request) => ({ ...request, begunAt, requestId: `r${one.seq}` }))
      }))
    const found = await Effect.runPromise(
      Reconcile.run({
        settings: { ...settings, gateway: { ...settings.gateway, status } },
        others: [],
        period: { from: dateOf(61), to: dateOf(63) },
        source: null
      }).pipe(Effect.provideService(SubmissionStore, SubmissionStore.of({ ...store, documentsOf })))
    )
    assert.deepStrictEqual(found.legs[0]?.notPossible, [{ count: 120, because: "status: busy (503)", is: "left-out" }])
  })

  it("has the decisions of the period by the days of the device, and names refused documents without a date", async () => {
    const at = (time: string) => ({
      id: 1,
      account: "main",
      act: "hold",
      subject: "",
      what: "",
      at: DateTime.makeUnsafe(time)
    })
    const world = agreeing(random(5), "free")
    const decisions = [at("2026-02-28T22:30:00Z"), at("2026-03-03T22:30:00Z")]
    const refused = ["2026-03-02", "2026-04-02", null].map((day) => ({ number: `R-${day}`, day, standing: "open" }))
    const found = await run(world, { zone: "+02:00", decisions, refused })
    assert.deepStrictEqual(
      found.decisions.map(({ at }) => DateTime.formatIsoDateUtc(at)),
      ["2026-02-28"]
    )
    const alone = await run(world, { refused, source: "none" })
    assert.deepStrictEqual(
      alone.notes.filter((note) => note.includes("refused")),
      [
        "1 refused document of the period: R-2026-03-02. Their figures are known with the files of the source.",
        "1 refused document without a date, which may be of the period: R-null. Their figures are known with the files of the source."
      ]
    )
  })

  it("says after a report that an amount is under another tax, although every sum is the same", async () => {
    const world = agreeing(random(5), "free")
    const recorded: Array<object> = []
    const recordDecision = (decision: object) =>
      Effect.sync(
        () => void recorded.push({ ...decision, id: 1, who: "Ada", at: DateTime.makeUnsafe("2026-04-01T22:30:00Z") })
      )
    const found = await run(world)
    await Effect.runPromise(
      Reconcile.recordReport(found, "a1").pipe(
        Effect.provideService(SubmissionStore, { recordDecision } as unknown as SubmissionStoreOperations)
      )
    )
    assert.isNull(Reconcile.changedSince(await run(world, { decisions: recorded })))
    const sale = world.store.map(({ sale }) => sale).find(({ groups }) => groups.every(({ tax }) => tax === 2))!
    world.source.set(sale, "exempt")
    const changed = Reconcile.changedSince(await run(world, { decisions: recorded, zone: "+02:00" }))
    assert.match(changed!, /^The period was reported on 2026-04-02 by Ada\. Since then .* issued in the period \S+ 3: /)
  })
})
