/**
 * Tells from the gateway's own book when the receipt numbers and closed days of a device show that
 * a store lacks requests: a store that was restored with its witness, so that nothing else can.
 */
import type { IssuedReceipt } from "@fiscal-connector/sandbox/day/IssuedReceipt"
import { device as closing } from "../Accounts.ts"
import type { GatewaySide } from "../GatewaySide.ts"
import type { Scenario, Trouble } from "../Scenario.ts"
import type { SimulatedProcess } from "../SimulatedProcess.ts"
import type { Row, StoreFile } from "../StoreFile.ts"
import type { AttemptsBegun } from "./AttemptsBegun.ts"

/** Evidence that the store lacks requests. */
export type Shown = "a receipt number" | "a closed day" | "nothing"

interface Numbered {
  readonly attempt: number
  readonly day: number
  readonly number: number
}

/** Troubles with which the times of closes are not comparable. */
const timeless: ReadonlyArray<Trouble> = ["clock-jumps", "server-clock", "device-swap"]

const inOrder = (a: Omit<Numbered, "attempt">, b: Omit<Numbered, "attempt">): number =>
  a.day - b.day || a.number - b.number

const numberOf = ({ qrData: { FiscalDay: day, InvoiceNumber: number } }: IssuedReceipt) => ({ day, number })

export class ShownByDevice {
  readonly #store: StoreFile
  readonly #gateway: GatewaySide
  readonly #scenario: Scenario
  readonly #begun: AttemptsBegun
  /** Numbers that the store had at the last commit, by lane. */
  #stored: ReadonlyMap<string, ReadonlyArray<Numbered>> = new Map()
  /** Numbers that the store had at the first attempt of a process in a lane. */
  readonly #before = new Map<string, ReadonlyArray<Numbered>>()

  constructor(store: StoreFile, gateway: GatewaySide, scenario: Scenario, begun: AttemptsBegun) {
    this.#store = store
    this.#gateway = gateway
    this.#scenario = scenario
    this.#begun = begun
  }

  /** Reads the numbers that the store has from now on. */
  committed(): void {
    const rows = this.#store.read(
      `select a.lane, o.attempt, o.receipt from fiscal_outcome o join fiscal_attempt a on a.id = o.attempt
       where o.receipt is not null and o.source <> 'operator'
         and a.begun_at > coalesce((select accepted_at from fiscal_store), 0)`
    )
    const numbered = ({ attempt, receipt }: Row): Numbered => {
      const [day, number] = String(receipt).split("/").map(Number)
      return { attempt: Number(attempt), day: day!, number: number! }
    }
    this.#stored = new Map(
      Array.from(
        Map.groupBy(rows, ({ lane }) => String(lane)),
        ([lane, own]) => [lane, own.map(numbered).toSorted(inOrder)]
      )
    )
  }

  /** Forgets the processes of another store file. */
  adopt(): void {
    this.#before.clear()
    this.committed()
  }

  /** Called at the commit of an attempt: returns the evidence that its process could read. */
  begins(process: SimulatedProcess, { account, id, lane: name }: Row): Shown {
    const lane = String(name)
    const stored = this.#stored.get(lane) ?? []
    const key = `${process.pid} ${lane}`
    const isFirst = !this.#before.has(key)
    if (isFirst) this.#before.set(key, stored)
    // a process that lived before the restore has compared the receipts before
    if (process.startedAt <= this.#begun.restoredAt) return "nothing"
    const book = this.#gateway.receipts.filter(({ deviceId }) => deviceId === Number(lane.split("/")[1]))
    const isShared = book.some((receipt) => this.#gateway.isOfOtherTill(receipt))
    if (isShared || this.#store.read("select 1 from fiscal_decision where act = 'other-programs'").length > 0)
      return "nothing"
    const missing = book.filter((receipt) => !stored.some((one) => inOrder(one, numberOf(receipt)) === 0))
    if (this.#isNumber(lane, Number(id), this.#before.get(key)!, stored, missing)) return "a receipt number"
    return isFirst && this.#isDay(process, String(account), lane, stored, missing) ? "a closed day" : "nothing"
  }

  /** Requests of the lane that may have a receipt whose number is not known. */
  #unnumbered(lane: string, after: number, to: number): number {
    const [row] = this.#store.read(
      `select count(*) as n from fiscal_attempt a join fiscal_submission s on s.seq = a.submission
       where a.lane = ? and a.id < ? and a.possibly_processed = 1
         and (a.id > ? or s.state not in ('Fiscalised', 'Rejected', 'Withdrawn'))
         and not exists (select 1 from fiscal_outcome o where o.attempt = a.id and o.receipt is not null)`,
      lane,
      to,
      after
    )
    return Number(row!["n"])
  }

  /**
   * True if exactly one place among the numbers lacks some, and more than the requests without a
   * number can have. Several places are receipts of other programs.
   */
  #isNumber(
    lane: string,
    to: number,
    known: ReadonlyArray<Numbered>,
    stored: ReadonlyArray<Numbered>,
    missing: ReadonlyArray<IssuedReceipt>
  ): boolean {
    const places = stored.flatMap((after, n) => {
      const before = stored[n - 1]
      if (before === undefined) return []
      const lacked = missing.filter((one) => {
        const number = numberOf(one)
        return inOrder(before, number) < 0 && inOrder(number, after) < 0
      })
      return lacked.length === 0 ? [] : [{ before, after, lacked }]
    })
    const [place] = places
    if (place === undefined || places.length > 1 || !known.includes(place.before)) return false
    const ofDay = place.lacked.filter((receipt) => numberOf(receipt).day === place.after.day)
    return (
      place.lacked.some(({ documentId }) => this.#begun.lost.has(documentId)) &&
      ofDay.length > this.#unnumbered(lane, place.before.attempt, to)
    )
  }

  /** True if a day that was closed before the process looked has invoices that the store lacks. */
  #isDay(
    process: SimulatedProcess,
    account: string,
    lane: string,
    stored: ReadonlyArray<Numbered>,
    missing: ReadonlyArray<IssuedReceipt>
  ): boolean {
    const newest = stored.at(-1)
    const looked = process.seen.get(account)
    const isRead = looked?.times === 1 && process.closesUnread.size === 0
    if (newest === undefined || !isRead || lane.split("/")[1] !== String(closing)) return false
    if (timeless.some((trouble) => this.#scenario.troubles.has(trouble)) || this.#unnumbered(lane, 0, 1e15) > 1)
      return false
    const [row] = this.#store.read("select min(begun_at) as at from fiscal_attempt where lane = ?", lane)
    const closes = this.#gateway.closes.filter((at) => at > Number(row?.["at"]) && at < looked.at - 1000)
    // the first close may be of a day with receipts from before the store
    return closes.slice(1, 3).some((close, n) => {
      const ofDay = missing.filter(({ issuedAt }) => issuedAt > closes[n]! + 1000 && issuedAt < close - 1000)
      return (
        ofDay.some(({ documentId }) => this.#begun.lost.has(documentId)) &&
        ofDay.every((receipt) => receipt.kind === "invoice" && numberOf(receipt).day >= newest.day)
      )
    })
  }
}
