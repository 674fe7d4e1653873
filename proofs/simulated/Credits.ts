/**
 * Simulates invoices whose books change after the receipt: voided, edited, restored, left out, and
 * credited by a note of the source before, after and at the moment of a credit here.
 * Two machines work on one store, processes die anywhere, the gateway loses answers and refuses.
 * Some invoices get two receipts, of which the gateway credits the first or the last.
 */
import { BigDecimal, Cause, Duration, Effect, Exit, Option, Scope, Stream } from "effect"
import * as CivilDate from "../../packages/core/src/document/CivilDate.ts"
import { RequestId } from "../../packages/core/src/document/Identifiers.ts"
import * as Money from "../../packages/core/src/document/Money.ts"
import { ended, isSettled } from "../../packages/core/src/submission/Submission.ts"
import * as BookFile from "../../packages/core/src/mapping/BookFile.ts"
import * as Credit from "../../packages/core/src/session/Credit.ts"
import type { Reading } from "../../packages/core/src/source/Adapter.ts"
import { SubmissionStore } from "../../packages/core/src/submission/SubmissionStore.ts"
import type { FaultSpec } from "@fiscal-connector/sandbox/fault/Fault"
import type { IssuedReceipt } from "@fiscal-connector/sandbox/day/IssuedReceipt"
import { device, keyOf, secretOf } from "./Accounts.ts"
import { hour } from "./Books.ts"
import { Deliveries } from "./Deliveries.ts"
import { type Draw, stream } from "./Draw.ts"
import { GatewaySide } from "./GatewaySide.ts"
import type { Program } from "./day/Machines.ts"
import { Network } from "./Network.ts"
import { type Account, importing, open } from "./Programs.ts"
import { of as scenarioOf } from "./Scenario.ts"
import { Shop } from "./Shop.ts"
import type { Crash } from "./SimulatedProcess.ts"
import { Simulation } from "./Simulation.ts"

const start = Date.parse("2026-03-10T06:00:00Z")
const minute = 60_000
const account = "shop"
/** Invoices of one run. */
export const ofRun = 8
/** Hours in which books change and persons credit; the calm follows. */
const day = 8 * hour

const book = Effect.runSync(
  BookFile.load(
    "book.json",
    JSON.stringify({
      version: 1,
      zone: "+02:00",
      late: "restamp",
      taxes: [
        { from: ["Standard"], code: "VAT155", device: 515, percent: "15.5" },
        { from: ["Zero"], code: "ZERO", device: 2, percent: "0" }
      ],
      currencies: [{ code: "USD", device: "USD" }]
    })
  )
)
const mapped = {
  taxMappings: [
    { taxCode: "VAT155", destinationTaxId: 515 },
    { taxCode: "ZERO", destinationTaxId: 2 }
  ],
  currencyMappings: [{ sourceCurrency: "USD", destinationCurrency: "USD" }]
}

const money = (text: string): Money.Money => Option.getOrThrow(Money.parse(text))

/** Cents of a document with tax, by the device's number of the tax. */
type Cents = Readonly<Record<"515" | "2", number>>

const taxes = ["515", "2"] as const
const nothing: Cents = { "515": 0, "2": 0 }
const combined = (one: Cents, other: Cents, sign: 1 | -1): Cents => ({
  "515": one["515"] + sign * other["515"],
  "2": one["2"] + sign * other["2"]
})
const totalOf = (cents: Cents) => cents["515"] + cents["2"]
const isSame = (one: Cents, other: Cents) => taxes.every((tax) => one[tax] === other[tax])
const fits = (one: Cents, within: Cents) => taxes.every((tax) => one[tax] <= within[tax])

interface SourceNote {
  readonly id: string
  readonly cents: Cents
  readonly from: number
}

interface Statement {
  readonly from: number
  readonly as: "issued" | "void" | "left-out"
  readonly cents: Cents
}

interface Sale {
  readonly id: string
  readonly states: ReadonlyArray<Statement>
  readonly notes: ReadonlyArray<SourceNote>
}

const partOf = (draw: Draw, { "2": zero, "515": standard }: Cents): Cents =>
  draw.pick<Cents>([
    { "515": standard, "2": 0 },
    { "515": Math.ceil(standard / 3), "2": Math.floor(zero / 2) },
    { "515": 1, "2": zero }
  ])

/** Returns an invoice with one to three changes of the books at any time of the day. */
const saleOf = (draw: Draw, order: number): Sale => {
  const sent: Cents = { "515": draw.between(101, 20_000), "2": draw.between(101, 20_000) }
  const states: Array<Statement> = [{ from: start, as: "issued", cents: sent }]
  const notes: Array<SourceNote> = []
  let left = sent
  for (let i = draw.between(1, 4); i > 0; i--) {
    const from = start + draw.between(hour, day)
    const change = draw.pick(["void", "lower", "raise", "move", "restore", "left-out", "note", "note"])
    if (change === "note") {
      const cents = partOf(draw, left)
      if (!fits(cents, left)) continue
      left = combined(left, cents, -1)
      notes.push({ id: `N-${order}-${notes.length + 1}`, cents, from })
      continue
    }
    const part = partOf(draw, sent)
    const changed = {
      void: sent,
      lower: combined(sent, part, -1),
      raise: combined(sent, part, 1),
      move: { "515": sent["515"] - 100, "2": sent["2"] + 100 },
      restore: sent,
      "left-out": sent
    }[change]
    if (isSame(changed, nothing)) continue
    states.push({ from, as: change === "void" || change === "left-out" ? change : "issued", cents: changed })
  }
  return { id: `INV-${order}`, states: states.toSorted((a, b) => a.from - b.from), notes }
}

const at = ({ states }: Sale, now: number): Statement => states.findLast(({ from }) => from <= now)!

const documentOf = (kind: "invoice" | "credit-note", id: string, cents: Cents, original: string | null): Reading => ({
  _tag: "SourceDocument",
  kind,
  id,
  number: id,
  order: Number(id.split("-")[1]),
  date: Option.getOrThrow(CivilDate.parse("2026-03-10")),
  currency: "USD",
  taxMode: "inclusive",
  lines: taxes.flatMap((tax) =>
    cents[tax] === 0
      ? []
      : [
          {
            description: tax === "2" ? "Bread" : "Paint",
            quantity: money("1"),
            unitPrice: BigDecimal.make(BigInt(cents[tax]), 2),
            taxes: [{ code: tax === "2" ? "Zero" : "Standard" }],
            productCode: "12345678"
          }
        ]
  ),
  charges: [],
  totals: {},
  originals: original === null ? [] : [{ by: "number", value: original }],
  ...(kind === "credit-note" && { reason: "Returned" }),
  findings: [],
  where: () => ({ file: "export" })
})

const readingsOf = (sales: ReadonlyArray<Sale>, now: number): ReadonlyArray<Reading> =>
  sales.flatMap((sale) => {
    const { as, cents } = at(sale, now)
    const { id } = sale
    const cancelled = { kind: "invoice", id, number: id } as const
    const own: ReadonlyArray<Reading> =
      as === "issued"
        ? [documentOf("invoice", id, cents, null)]
        : as === "void"
          ? [{ _tag: "Skipped", key: id, reason: "void", at: { file: "export" }, cancelled }]
          : []
    const notes = sale.notes.filter(({ from }) => from <= now)
    return [...own, ...notes.map((note) => documentOf("credit-note", note.id, note.cents, id))]
  })

/** Statement of the books about the invoice and its notes. Null: they state it no longer. */
const statedOf = (sale: Sale, now: number): Cents | null => {
  const { as, cents } = at(sale, now)
  if (as === "void") return nothing
  if (as === "left-out") return null
  return sale.notes.reduce((sum, note) => (note.from <= now ? combined(sum, note.cents, -1) : sum), cents)
}

const receiptCents = ({ groups }: IssuedReceipt): Cents =>
  groups.reduce<Cents>(
    (sum, { gross, taxId }) =>
      combined(sum, { ...nothing, [String(taxId)]: Number(BigDecimal.scale(gross, 2).value) } as Cents, 1),
    nothing
  )

type Documents = ReadonlyArray<Readonly<Record<string, unknown>>>

export interface CreditsResult {
  readonly sales: number
  /** Receipts of notes: made here, for a single receipt, of the source. Then answers, invoices. */
  readonly made: Readonly<Record<"here" | "single" | "source" | "answers" | "surplus", number>>
  readonly broken: ReadonlyArray<string>
}

class Credits {
  readonly #seed: number
  readonly #simulation: Simulation
  readonly #shop: Shop
  readonly #gateway: GatewaySide
  readonly #network: Network
  readonly #sales: ReadonlyArray<Sale>
  readonly #broken: Array<string> = []
  readonly #draw: Draw
  readonly #takes: "first" | "last"
  /** Invoices whose notes were ordered by an operator, with the amount. */
  readonly #ordered = new Map<string, Set<string>>()
  #answers = 0
  #isCalm = false

  constructor(seed: number, scope: Scope.Scope) {
    this.#seed = seed
    const draw = stream(seed, "credits")
    this.#draw = draw
    this.#takes = draw.pick(["first", "last"])
    this.#simulation = new Simulation(seed, start, () => {})
    this.#shop = new Shop(this.#simulation)
    this.#sales = Array.from({ length: ofRun }, (_, i) => saleOf(draw, i + 1))
    const problem = (text: string) => this.#breaks("defect", text)
    const deliveries = new Deliveries({
      simulation: this.#simulation,
      secrets: () => [secretOf(account, "s1")],
      joins: false,
      believed: problem
    })
    const faults = Array.from({ length: draw.int(8) }, (): FaultSpec => {
      const strikes = {
        operations: [draw.pick(["submitInvoice", "submitCreditNote"])],
        skip: draw.int(8),
        times: 1
      }
      return draw.pick<FaultSpec>([
        { kind: "drop", stage: "after", ...strikes },
        { kind: "drop", stage: "before", ...strikes },
        { kind: "error", status: 500, stage: "after", ...strikes },
        { kind: "error", status: 400, stage: "before", ...strikes, operations: ["submitCreditNote"] },
        { kind: "reject", error: "RCPT034: the reason", actionable: true, ...strikes, operations: ["submitCreditNote"] }
      ])
    })
    this.#gateway = GatewaySide.start(
      this.#simulation,
      {
        accounts: [{ key: keyOf(account), name: account, secret: secretOf(account, "s1"), device, ...mapped }],
        devices: [{ deviceId: device, taxPayerDayMaxHrs: 999 }],
        credits: this.#takes,
        faults
      },
      scope,
      deliveries.post,
      problem
    )
    const nothing = () => {}
    this.#network = new Network(this.#simulation, scenarioOf(seed, { only: [] }), this.#gateway, {
      sending: nothing,
      late: nothing,
      limited: nothing,
      lost: nothing,
      held: nothing,
      keptBack: nothing,
      deviceFailed: nothing,
      looked: nothing
    })
  }

  #breaks(law: string, text: string): void {
    this.#broken.push(`seed ${this.#seed}, ${law}: ${text}`)
  }

  get #account(): Account {
    return { account, secret: secretOf(account, "s1"), zone: book.zone, policy: {}, ...this.#shop.account }
  }

  #crash(): Crash | null {
    const draw = this.#draw
    if (this.#isCalm || !draw.chance(0.3)) return null
    return draw.pick<Crash>([
      { at: "operation", n: 1 + draw.int(20_000) },
      { at: "commit", n: 1 + draw.int(16), side: draw.pick(["before", "after"]) },
      { at: "request", n: 1 + draw.int(10), phase: draw.pick(["before", "in-flight", "answered"]) }
    ])
  }

  #start(name: string, program: ReturnType<Program>): void {
    this.#shop.start(
      name,
      program,
      this.#network,
      (exit) => {
        if (Exit.isFailure(exit) && Cause.hasDies(exit.cause))
          this.#breaks("defect", `${name}: ${Cause.pretty(exit.cause).split("\n")[0]}`)
      },
      this.#crash()
    )
  }

  #import(): void {
    const { now } = this.#simulation
    this.#start(
      "import",
      importing({
        account: this.#account,
        others: [],
        book,
        readings: Stream.fromIterable(readingsOf(this.#sales, now)),
        timing: "ordinary",
        patience: 10,
        refused: () => {}
      })
    )
  }

  /** An operator looks at the note, and sends it minutes later, on one machine or on two. */
  #credit(id: string): void {
    const amount = this.#draw.chance(0.25) ? ("everything" as const) : ("difference" as const)
    const machines = this.#draw.chance(0.4) ? 2 : 1
    const thinks = this.#draw.between(0, 5 * minute)
    const sending = this.#crediting(id, amount, thinks)
    for (let i = 0; i < machines; i++) this.#start(`credit ${id}`, sending)
  }

  #crediting(id: string, amount: "difference" | "everything", thinks: number): ReturnType<Program> {
    const key = { account, kind: "invoice", id } as const
    return Effect.gen({ self: this }, function* () {
      const opened = yield* open(this.#account)
      const looked = yield* Credit.prepare(opened, { key, amount })
      if (Option.isNone(looked)) return "nothing to look at"
      const { result } = looked.value
      const by = result._tag === "Hindered" ? result.by : undefined
      const step = by && Credit.explain(by).step
      yield* Effect.sleep(Duration.millis(thinks))
      if (by?._tag === "CreditedUnstated") {
        yield* Credit.stateCredited(key, String(this.#creditedBy(id, by.note)), "the portal shows it")
        return "stated"
      }
      if (step?.do === "credit" && "receipt" in step && step.receipt !== undefined) {
        const order = { key, receipt: { name: step.receipt, seen: "here" as const }, because: "two receipts" }
        this.#order(id, "receipt")
        yield* Credit.send(opened, order, { patience: "10 seconds" })
        return "sent for a receipt"
      }
      if (!Credit.isReady(looked.value) || result._tag !== "Ready") return "not ready"
      this.#order(id, amount)
      const { total } = result.prepared.figures
      yield* Credit.send(opened, { key, amount, because: "the books changed", total }, { patience: "10 seconds" })
      return "sent"
    }).pipe(
      Effect.catchTags({
        CreditRefused: ({ message }) => Effect.succeed(message),
        AccountStopped: ({ message }) => Effect.succeed(message)
      })
    )
  }

  #order(id: string, what: string): void {
    this.#ordered.set(id, (this.#ordered.get(id) ?? new Set()).add(what))
  }

  /** Looks up Unknowns in the portal, and answers the question about notes beside prepared ones. */
  #visit(): void {
    this.#start("operator", Effect.andThen(this.#looking(), this.#answering()))
  }

  /**
   * Names the request of each Unknown by the portal, or says that there is none, and sends refused
   * notes of the source again.
   */
  #looking(): ReturnType<Program> {
    return Effect.gen({ self: this }, function* () {
      const store = yield* SubmissionStore
      for (const one of yield* store.list({ states: ["Unknown"], limit: 1000 })) {
        if ((this.#network.underWay.get(one.id) ?? 0) > 0) continue
        const [request] = this.#gateway.requestsOf(account, one.kind, one.id).toReversed()
        const decision =
          request === undefined
            ? ({ _tag: "NotProcessed" } as const)
            : ({ _tag: "Accepted", requestId: RequestId.make(request.requestId) } as const)
        yield* store.decide(one, decision, "as the portal shows")
      }
      // what refused a note of the source is mended, and the note is sent as it is
      for (const one of yield* store.list({ states: ["Rejected", "Declined"], limit: 1000 }))
        if (one.kind === "credit-note" && !one.id.includes(":credit-") && this.#draw.chance(0.5))
          yield* store.decide(one, { _tag: "Resend" }, "mended")
      return "looked"
    })
  }

  #answering(): ReturnType<Program> {
    return Effect.gen({ self: this }, function* () {
      const store = yield* SubmissionStore
      const held = yield* store.list({ states: ["Held"], limit: 1000 })
      for (const note of held) {
        const sale = this.#sales.find(({ notes }) => notes.some(({ id }) => id === note.id))
        const stated = sale === undefined ? null : statedOf(sale, this.#simulation.now)
        if (sale === undefined || stated === null || note.hold?.cause !== "duplicate") continue
        const left = this.#leftOf(sale.id)
        const own = sale.notes.find(({ id }) => id === note.id)!.cents
        const prepared = (yield* store.list({ limit: 1000 })).find(({ id }) => id.startsWith(`${sale.id}:credit-`))
        // the true answer: the books agree with the receipts, without the note or with it
        if (isSame(left, stated) && prepared !== undefined) {
          const same = yield* store.decide(note, { _tag: "Same" }, "the same credit")
          this.#answers += same._tag === "Refused" ? 0 : 1
        } else if (isSame(combined(left, own, -1), stated) && fits(own, left)) {
          yield* store.decide(note, { _tag: "Resend" }, "another credit")
          this.#answers += 1
        }
      }
      return "answered"
    })
  }

  #receiptsOf(id: string, kind: "invoice" | "credit-note"): ReadonlyArray<IssuedReceipt> {
    return this.#gateway.receipts.filter((one) =>
      kind === "invoice" ? one.kind === kind && one.documentId === id : one.originalInvoiceId === id
    )
  }

  /** Returns the number of the receipt that the note credits, as the portal shows. */
  #creditedBy(id: string, note: string): number {
    const credited = new Map<IssuedReceipt, Cents>()
    for (const one of this.#receiptsOf(id, "credit-note")) {
      const receipts = this.#receiptsOf(id, "invoice").filter(({ issuedAt }) => issuedAt <= one.issuedAt)
      const inOrder = this.#takes === "first" ? receipts : receipts.toReversed()
      const after = (receipt: IssuedReceipt) => combined(credited.get(receipt) ?? nothing, receiptCents(one), 1)
      const hasEnough = (receipt: IssuedReceipt) => totalOf(after(receipt)) <= totalOf(receiptCents(receipt))
      const taken = inOrder.find(hasEnough) ?? inOrder[0]!
      if (one.documentNumber === note) return taken.qrData.InvoiceNumber
      credited.set(taken, after(taken))
    }
    throw new Error(`${note} has no receipt`)
  }

  /** Rest of an invoice on the device: its receipts less those of its notes. */
  #leftOf(id: string): Cents {
    const sum = (kind: "invoice" | "credit-note") =>
      this.#receiptsOf(id, kind).reduce((sum, receipt) => combined(sum, receiptCents(receipt), 1), nothing)
    return combined(sum("invoice"), sum("credit-note"), -1)
  }

  /** The operator overlooks the request of an Unknown invoice, which then gets a second receipt. */
  #double(id: string): void {
    const program = Effect.gen({ self: this }, function* () {
      const store = yield* SubmissionStore
      const key = { account, kind: "invoice", id } as const
      const explained = yield* store.explain(key)
      if (Option.isNone(explained) || explained.value.submission.state !== "Unknown") return "nothing"
      yield* store.decide(explained.value.submission, { _tag: "NotProcessed" }, "not seen", "recent")
      return "overlooked"
    })
    this.#start("overlook", program)
  }

  /** The gateway reports the first of two receipts after all. */
  #report(): void {
    const program = Effect.gen({ self: this }, function* () {
      const store = yield* SubmissionStore
      for (const { id } of this.#sales) {
        const explained = yield* store.explain({ account, kind: "invoice", id })
        const [first, second] = this.#receiptsOf(id, "invoice")
        if (first === undefined || second === undefined || Option.isNone(explained)) continue
        const attempt = explained.value.attempts.find(({ requestId }) => requestId === null)
        if (attempt === undefined || explained.value.submission.state !== "Fiscalised") continue
        const requestId = RequestId.make(first.requestId)
        yield* store.finishAttempt({
          attempt: attempt.id,
          result: { _tag: "Accepted", requestId },
          firstLook: Duration.zero
        })
        const { DeviceId, FiscalDay, InvoiceNumber, VerificationCode } = first.qrData
        const qrData = {
          qrCodeUrl: null,
          verificationCode: VerificationCode,
          fiscalDay: FiscalDay,
          deviceId: DeviceId,
          invoiceNumber: InvoiceNumber
        }
        const item = { _tag: "Fiscalised", requestId, qrData, fiscalInvoicePdf: first.pdf } as const
        yield* store.recordOutcomes(account, [item], "webhook")
      }
      return "reported"
    })
    this.#start("report", program)
  }

  #schedule(): void {
    const simulation = this.#simulation
    const draw = this.#draw
    const later = (millis: number, then: () => void) => simulation.later(millis, null, then)
    later(0, () => this.#import())
    later(5 * minute, () => {
      for (const { id } of this.#sales) this.#double(id)
    })
    for (let i = 0; i < 14; i++) later(draw.between(6 * minute, day), () => this.#import())
    for (let i = 0; i < 8; i++) later(draw.between(6 * minute, day), () => this.#visit())
    for (let i = 0; i < 4; i++) later(draw.between(hour, day), () => this.#report())
    for (const { id, notes, states } of this.#sales)
      for (const { from } of [...states.slice(1), ...notes]) {
        const looks = from - start + draw.between(-10 * minute, hour)
        later(looks, () => this.#credit(id))
        // at the same moment as the import that brings the note
        if (draw.chance(0.5)) later(looks, () => this.#import())
      }
    later(day + hour, () => {
      this.#isCalm = true
      this.#gateway.on(({ control }) => control.clearFaults)
    })
    for (let round = 0; round < 6; round++) {
      const at = day + 2 * hour + round * hour
      later(at, () => this.#import())
      later(at + 10 * minute, () => this.#visit())
      later(at + 20 * minute, () => this.#report())
    }
  }

  /** Checks the laws of the end. */
  #check(): void {
    const rows = this.#shop.store.read(`select s.*, (select count(*) from fiscal_conflict c where c.submission = s.seq
        and c.settled_at is null and c.code in ('SOURCE_CONFLICT', 'SOURCE_CANCELLED')) as notices,
      (select count(*) from fiscal_conflict c where c.submission = s.seq and c.settled_at is null) as conflicts,
      (select max(d.at) from fiscal_decision d where d.act = 'credit' and d.what like 'credit note ' || s.number || ',%') as decided
      from fiscal_submission s`)
    const answers = this.#shop.store.read(
      "select id, other_id from fiscal_relation where relation in ('same', 'different')"
    )
    const refused = this.#shop.store.read("select * from fiscal_refused where dismissed_at is null")
    for (const sale of this.#sales) {
      const invoice = rows.find((row) => row["id"] === sale.id)
      if (invoice?.["state"] !== "Fiscalised") continue
      const notes = rows.filter((row) => row["original_id"] === sale.id)
      const [left, stated] = [this.#leftOf(sale.id), statedOf(sale, this.#simulation.now)]
      const about = `${sale.id}: ${JSON.stringify({ left, stated })}, ${notes.map((row) => `${row["id"]} ${row["state"]} ${row["hold_cause"] ?? ""}`).join(", ")}`
      // RCPT035 compares totals: a note of the source may credit more of one tax, as the books do
      const isBeyond = (tax: (typeof taxes)[number]) => left[tax] < Math.min(0, stated?.[tax] ?? 0)
      if (totalOf(left) < 0 || taxes.some(isBeyond)) this.#breaks("credited beyond its receipts", about)
      for (const receipt of this.#receiptsOf(sale.id, "credit-note"))
        if (receipt.marks.length > 0) this.#breaks("colored", `${about}: ${receipt.marks[0]?.message}`)
      const isOpen = (row: (typeof rows)[number]) => !["Fiscalised", "Withdrawn"].includes(String(row["state"]))
      const isItem =
        Number(invoice["conflicts"]) > 0 ||
        notes.some((row) => isOpen(row) || Number(row["conflicts"]) > 0) ||
        refused.some(({ number }) => sale.notes.some(({ id }) => id === number))
      if (stated !== null && !isSame(left, stated) && !isItem) this.#breaks("neither equal nor an item", about)
      const now = at(sale, this.#simulation.now)
      // compare with what was sent: an edit before that does not count
      const sent = receiptCents(this.#receiptsOf(sale.id, "invoice").at(-1)!)
      const differs = now.as === "void" || !isSame(now.cents, sent)
      // a note that waits is a separate item, and so is a conflict about the receipts
      const waiting = this.#waiting(sale, notes.filter(isOpen))
      const isExplained = stated === null || [left, combined(left, waiting, -1)].some((one) => isSame(one, stated))
      if (differs && !isExplained && Number(invoice["conflicts"]) === 0)
        this.#breaks("a notice ended by something else", about)
      this.#checkNotes(sale, notes, answers, about)
    }
    for (const receipt of this.#gateway.receipts) {
      const own = this.#gateway.receipts.filter(
        (one) => one.kind === receipt.kind && one.documentId === receipt.documentId
      )
      if (receipt.kind === "credit-note" && own.length > 1) this.#breaks("a note twice", receipt.documentId)
    }
  }

  /** Sum of the notes of the source that are among the documents and have no receipt. */
  #waiting({ id, notes }: Sale, open: Documents): Cents {
    const receipts = this.#receiptsOf(id, "credit-note")
    return notes.reduce((sum, note) => {
      const waits = open.some((row) => row["id"] === note.id) && !receipts.some((one) => one.documentId === note.id)
      return waits ? combined(sum, note.cents, 1) : sum
    }, nothing)
  }

  #checkNotes(sale: Sale, notes: Documents, answers: Documents, about: string): void {
    const has = ({ id }: Documents[number]) =>
      this.#gateway.receipts.some((one) => one.kind === "credit-note" && one.documentId === id)
    const isAnswered = (one: unknown, other: unknown) =>
      answers.some((row) => row["id"] === one && row["other_id"] === other)
    const here = notes.filter((row) => row["made"] === "here")
    for (const row of here) {
      if (row["decided"] === null || !this.#ordered.has(sale.id)) this.#breaks("a note without a decision", about)
      for (const other of notes) {
        // a note that waited, was under way or had a receipt at the decision is counted in ours
        const [before] = this.#shop.store.read(`select to_state as state from fiscal_event
          where submission = ${Number(other["seq"])} and at <= ${Number(row["decided"])} order by id desc limit 1`)
        const isCounted = before !== undefined && !ended.some((state) => state === before["state"])
        if (other["made"] === "here" || isCounted || !has(row) || !has(other)) continue
        if (!isAnswered(row["id"], other["id"]) && !isAnswered(other["id"], row["id"]))
          this.#breaks("both sent without an answer", `${String(row["id"])} and ${String(other["id"])}; ${about}`)
      }
    }
    const open = here.filter(({ state }) => !isSettled(String(state)))
    if (open.length > 1) this.#breaks("two unsettled notes made here", about)
  }

  run(): CreditsResult {
    this.#schedule()
    while (!this.#simulation.isTurningOnTheSpot && this.#simulation.step());
    if (this.#simulation.isTurningOnTheSpot) this.#breaks("spinning", "so much in one moment")
    this.#check()
    const notes = this.#gateway.receipts.filter(({ kind }) => kind === "credit-note")
    const here = notes.filter(({ documentId }) => documentId.includes(":credit-")).length
    const single = notes.filter(({ documentId }) => documentId.includes(":credit-receipt-")).length
    const surplus = this.#sales.filter(({ id }) => this.#receiptsOf(id, "invoice").length > 1).length
    this.#shop.close()
    return {
      sales: ofRun,
      made: { here, single, source: notes.length - here, answers: this.#answers, surplus },
      broken: this.#broken
    }
  }
}

/** Runs the invoices of one seed. */
export const run = (seed: number): CreditsResult =>
  Effect.runSync(
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) => Effect.sync(() => new Credits(seed, scope).run()),
      (scope) => Scope.close(scope, Exit.void)
    )
  )
