/** Laws that are checked at each step: when a document is handed over, or a commit is made. */
import type { IssuedReceipt } from "@fiscal-connector/sandbox/day/IssuedReceipt"
import { transitions } from "../../../packages/core/src/submission/Submission.ts"
import { device, otherTill, pinnedDevice } from "../Accounts.ts"
import type { GatewaySide } from "../GatewaySide.ts"
import type { AttemptsBegun, BegunAttempt } from "./AttemptsBegun.ts"
import type { Report } from "./Law.ts"
import type { Sending } from "../Network.ts"
import type { Decided } from "../Operator.ts"
import type { Scenario } from "../Scenario.ts"
import type { SimulatedProcess } from "../SimulatedProcess.ts"
import type { Simulation } from "../Simulation.ts"
import { note, type Seen } from "../Sometimes.ts"
import { type Shown, ShownByDevice } from "./ShownByDevice.ts"
import type { Row, StoreFile } from "../StoreFile.ts"

/** Validity of the last look at the device, in milliseconds, plus the time for an operation. */
const goodFor = 10 * 60_000 + 5000

/** Maximum time between the last look and the hand-over by a paused process, in milliseconds. */
const handOverWithin = 45_000

/**
 * Maximum clock error in milliseconds, plus the second that the Date header omits and the time for
 * an answer.
 */
const allowedSkew = 60_000 + 1000 + 5000

/** Maximum delay of the witness in milliseconds, plus the time for an operation. */
const countedWithin = 10_000 + 5000

const edges = new Set(transitions.map(({ cause, from, to }) => `${from} ${to} ${cause}`))

interface Lease {
  /** Holder as `host/pid/mark#run`; null if the lane is free. */
  readonly holder: string | null
  readonly until: number
}

/**
 * Operator's statement that no request of a document arrived, up to and including the given
 * attempt.
 */
export interface RuledOut {
  readonly attempt: number
  readonly at: number
}

interface Attempt {
  readonly result: string | null
  readonly requestId: string | null
  /** Names the request. A wrong id that an operator enters may be withdrawn or replaced. */
  readonly by: "operator" | "gateway"
}

const textOf = (value: Row[string]): string | null => (value === null ? null : String(value))

const attemptOf = (row: Row): Attempt => ({
  result: textOf(row["result"] ?? null),
  requestId: textOf(row["request_id"] ?? null),
  by: row["named_by"] === "operator" ? "operator" : "gateway"
})

/**
 * Time of a process after which a failure of the device that it read keeps further documents back:
 * the reads of one renewal, at most every ten seconds.
 */
const failureKnownAfter = 30_000

/** Callbacks for other parts of the simulation. */
export interface StepLawsListener {
  /** Called after the commit of an attempt. */
  readonly begun: () => void
  /** Called when a document becomes Unknown. */
  readonly unknown: () => void
  /**
   * Called when a process that could not know sent a document through a store that has lost
   * attempts.
   */
  readonly sentUndetected: (document: string) => void
}

const requestOf = (document: string, receiptDate: number): string => `${document} ${receiptDate}`

export class StepLaws {
  readonly #store: StoreFile
  readonly #gateway: GatewaySide
  readonly #simulation: Simulation
  readonly #scenario: Scenario
  readonly #seen: Seen
  readonly #report: Report
  readonly #isAlive: (pid: number) => boolean
  readonly #begun: AttemptsBegun
  /** Returns the number of attempts that a machine's witness has recorded for the store. */
  readonly #witnessed: (machine: number) => number
  readonly #listener: StepLawsListener
  /**
   * Documents dated after the last close in the store, sent by a process that could not read the
   * closes.
   */
  readonly sentWithUnreadClose = new Set<string>()
  /** Attempts of this store that were handed over. */
  readonly sent = new Map<number, { readonly by: SimulatedProcess; readonly at: number }>()
  /** Time of the first hand-over of each document with each receipt date. */
  readonly #handedOver = new Map<string, number>()
  #lastEvent = 0
  readonly #states = new Map<number, string>()
  readonly #attempts = new Map<number, Attempt>()
  readonly #leases = new Map<string, Lease>()
  /** Cause of the hold from which an operator released a submission, until the next attempt. */
  readonly #released = new Map<number, string>()

  /** Last time at which a process read a new failure of the device of an account. */
  readonly #failed = new Map<string, { readonly at: number; readonly by: SimulatedProcess; readonly aside: number }>()
  readonly #failures = new Set<string>()

  readonly #receipts: ShownByDevice
  /** Evidence of the device at the begin of an attempt. */
  readonly #shown = new Map<number, Shown>()

  /** Last "not processed" statement of an operator, by submission. */
  readonly #ruledOut = new Map<number, RuledOut>()

  constructor(
    store: StoreFile,
    gateway: GatewaySide,
    simulation: Simulation,
    scenario: Scenario,
    seen: Seen,
    begun: AttemptsBegun,
    isAlive: (pid: number) => boolean,
    witnessed: (machine: number) => number,
    listener: StepLawsListener,
    report: Report
  ) {
    this.#store = store
    this.#gateway = gateway
    this.#simulation = simulation
    this.#scenario = scenario
    this.#seen = seen
    this.#begun = begun
    this.#receipts = new ShownByDevice(store, gateway, scenario, begun)
    this.#isAlive = isAlive
    this.#witnessed = witnessed
    this.#listener = listener
    this.#report = report
  }

  /**
   * True if a clock jumps: elapsed time cannot be measured then, and the gateway has no fence
   * against late requests.
   */
  get #losesTime(): boolean {
    return this.#scenario.troubles.has("clock-jumps") || this.#scenario.troubles.has("server-clock")
  }

  get #standsStill(): boolean {
    return this.#scenario.troubles.has("stalls") || this.#scenario.troubles.has("stalls-before-sending")
  }

  /**
   * Time after which an answer about the device that is read beside the lane holds attempts back. A
   * sweep or a look at the days reads it in the process that sends, and only its commit, which may
   * be contended and tried again, makes the lane ask. An opening gives a permission after its
   * answer, or none.
   */
  get #besideWrittenAfter(): number {
    return 2000 + (this.#standsStill ? 400_000 : 0)
  }

  /**
   * Records that a process has read a failure of the account's device. The gateway repeats a
   * failure for days, also one of an earlier time in which the device was off: only the first
   * reading says something about the device.
   */
  deviceFailed(process: SimulatedProcess, account: string, failure: string): void {
    if (this.#failures.has(failure)) return
    this.#failures.add(failure)
    this.#failed.set(account, { at: this.#simulation.now, by: process, aside: process.asideFor })
  }

  /** Time for which the process has run since then. */
  #ranSince({ aside, at, by }: { readonly at: number; readonly by: SimulatedProcess; readonly aside: number }): number {
    return this.#simulation.now - at - (by.asideFor - aside)
  }

  /** Maximum age of the last look at the device when a document is handed over. */
  get #seenFor(): number {
    return goodFor + (this.#standsStill ? handOverWithin : 0)
  }

  /**
   * Returns the time at which the document of a receipt was handed over, in milliseconds: minutes
   * before the gateway took it, if the request was held on its way.
   */
  sentAt(receipt: IssuedReceipt): number {
    const at = this.#handedOver.get(requestOf(receipt.documentId, receipt.epochSeconds))
    return Math.min(at ?? Number.POSITIVE_INFINITY, this.#gateway.takenAt(receipt))
  }

  /** Checks the hand-over of a document to the network. */
  sending(process: SimulatedProcess, { account, id, kind, receiptDate }: Sending): void {
    const [row] = this.#store.read(
      `select s.seq, s.lane, s.passage, a.id as attempt, a.fence, l.fence as current, l.closed_at from fiscal_submission s
       join fiscal_lane l on l.lane = s.lane
       join fiscal_attempt a on a.id = (select max(id) from fiscal_attempt where submission = s.seq)
       where s.account = ? and s.kind = ? and s.id = ?`,
      account,
      kind,
      id
    )
    this.#simulation.log(`${process.name} sends ${kind} ${id}, dated ${new Date(receiptDate * 1000).toISOString()}`)
    const request = requestOf(id, receiptDate)
    this.#handedOver.set(request, this.#handedOver.get(request) ?? this.#simulation.now)
    const attempt = this.#begun.latest(id, process)
    if (attempt !== undefined) {
      attempt.sent = "sent"
      // The store went back between the commit of the attempt and the socket.
      if (attempt.place !== "in the store") return this.#simulation.log("its attempt is no longer in the store")
      this.#told(attempt, process, account)
    }
    if (row === undefined) return this.#report("transition", "sent without an attempt that was committed", id)
    this.#counted(process)
    this.sent.set(Number(row["attempt"]), { by: process, at: this.#simulation.now })
    const [other] = this.#store.read(
      "select id, state from fiscal_submission where lane = ? and state in ('Sending', 'Unknown') and seq <> ?",
      row["lane"]!,
      row["seq"]!
    )
    if (other !== undefined)
      this.#report("one-in-flight", `another document of the lane is ${other["state"]}`, id, String(other["id"]))
    if (row["fence"] !== row["current"] && !this.#losesTime)
      this.#report("fence", "the lane has been claimed by another since")
    // A close recorded by another process is known to all.
    const isRecorded = row["closed_at"] !== null && Number(row["closed_at"]) >= receiptDate
    if (process.closesUnread.has(account) && !isRecorded) this.sentWithUnreadClose.add(id)
    this.#receiptDate(id, account, receiptDate, row)
    this.#device(process, account, id)
    const skewedFor = this.#simulation.now - process.skewedAt
    const opened = process.seen.get(account)
    const couldBeKnown = skewedFor > goodFor || (opened !== undefined && opened.at > process.skewedAt)
    if (Math.abs(process.skew) > allowedSkew && couldBeKnown)
      this.#report("clock", `its clock is minutes ${process.skew > 0 ? "ahead" : "behind"}`)
  }

  /**
   * Checks that no process sends through a store that has lost attempts that the process or its
   * machine's witness remembers.
   */
  #told(attempt: BegunAttempt, process: SimulatedProcess, account: string): void {
    if (this.#store.standing === "another store") this.#report("store", "sent from another store")
    const by = this.#begun.knowledgeOf(attempt, process.seen.get(account)?.at ?? process.startedAt)
    const what = this.#begun.acceptance === "lost" ? "a copy whose acceptance was lost" : "an older copy"
    const shown = this.#shown.get(attempt.id) ?? "nothing"
    if (by !== "nothing") this.#report("store", `sent from ${what}, as ${by} tells`, attempt.document)
    else if (shown !== "nothing") this.#report("store", `sent from ${what}, as ${shown} tells`, attempt.document)
    else if (this.#begun.isAnythingSentLost) this.#listener.sentUndetected(attempt.document)
  }

  /**
   * Checks that the witness has counted the process's attempts, except those of the last seconds.
   */
  #counted(process: SimulatedProcess): void {
    if (this.#losesTime || this.#standsStill) return
    const counted = this.#witnessed(process.machine)
    for (const [attempt, { at, by }] of this.sent) {
      if (attempt > counted && by === process && this.#simulation.now - at > countedWithin)
        this.#report("store", "an attempt of more than ten seconds ago is not counted beside it")
    }
  }

  #receiptDate(id: string, name: string, receiptDate: number, row: Row): void {
    const own = pinnedDevice(name)
    const now = own === device ? this.#gateway.history.at(-1)!.deviceId : own
    const before = this.#gateway.requests.find(
      ({ account, deviceId, document, outcome }) =>
        account !== otherTill &&
        deviceId === now &&
        document.id !== id &&
        outcome._tag !== "Failed" &&
        document.date.epochSeconds >= receiptDate
    )
    if (before !== undefined)
      this.#report("receipt-date", "one at or after it was accepted before", id, before.document.id)
    if (own !== device || this.sentWithUnreadClose.has(id)) return
    const known = this.#gateway.closes.filter((at) => at <= this.#simulation.now - goodFor)
    if (row["passage"] !== "historical" && known.some((at) => receiptDate * 1000 <= at))
      this.#report("close", "the day was closed after it, longer ago than ten minutes", id)
  }

  #device(process: SimulatedProcess, account: string, id: string): void {
    const { history } = this.#gateway
    const pinned = history[0]!.deviceId
    const own = pinnedDevice(account)
    const now = history.at(-1)!
    const isWrong = own === device && (now.deviceId !== pinned || now.standing === "off")
    const what = now.deviceId === pinned ? "off" : "another one"
    if (isWrong && this.#simulation.now - now.at > this.#seenFor)
      this.#report("device", `the device has been ${what} for more than ten minutes`, id)
    const isOff = own === device && now.deviceId === pinned && now.standing === "off"
    const failed = this.#failed.get(account)
    const isKnown = failed !== undefined && failed.at > now.at && this.#ranSince(failed) > failureKnownAfter
    if (isOff && isKnown) this.#report("lane-cause", "a document was sent after a failure of the device was read", id)
    const seen = process.seen.get(account)
    if (seen === undefined) return this.#report("device-seen", "this process never saw the device", id)
    const isWritten = seen.by === "opening" || this.#simulation.now - seen.at > this.#besideWrittenAfter
    if (isWritten && (seen.standing === "off" || seen.deviceId !== own))
      this.#report("device-seen", `this process saw the device ${seen.standing === "off" ? "off" : "exchanged"}`, id)
    if (this.#simulation.now - seen.at > this.#seenFor && !this.#losesTime)
      this.#report("device-seen", "this process saw the device more than ten minutes ago", id)
  }

  /** Checks a commit of a process, by the written tables. */
  committed(process: SimulatedProcess, tables: ReadonlySet<string>): void {
    if (tables.has("fiscal_event")) this.#events()
    if (tables.has("fiscal_attempt")) this.#answers(process)
    if (tables.has("fiscal_lane")) this.#claims(process)
    if (tables.has("fiscal_outcome")) this.#receipts.committed()
  }

  #claims(process: SimulatedProcess): void {
    for (const row of this.#store.read("select lane, holder, leased_until from fiscal_lane")) {
      const lane = String(row["lane"])
      const now: Lease = {
        holder: row["holder"] === null ? null : String(row["holder"]),
        until: Number(row["leased_until"])
      }
      const before = this.#leases.get(lane) ?? { holder: null, until: 0 }
      if (before.holder !== null && now.holder !== null && now.holder !== before.holder) {
        note(this.#seen, "a lane is taken over")
        const pid = Number(before.holder.split("/")[1])
        // The server counts the time of leases by its own clock.
        const isServerTime = this.#scenario.troubles.has("server-clock")
        if (!isServerTime && before.until > this.#simulation.now + process.skew && this.#isAlive(pid))
          this.#report("presumed-dead", "its lease had not run out")
      }
      this.#leases.set(lane, now)
    }
  }

  #events(): void {
    const events = this.#store.read(
      `select e.id, e.submission, e.from_state, e.to_state, e.cause, e.text, s.account, s.kind, s.hold_cause, s.id as document
       from fiscal_event e join fiscal_submission s on s.seq = e.submission where e.id > ? order by e.id`,
      this.#lastEvent
    )
    for (const event of events) {
      this.#lastEvent = Number(event["id"])
      const submission = Number(event["submission"])
      const document = String(event["document"])
      const [from, to, cause] = [event["from_state"], event["to_state"], event["cause"]].map(String)
      const before = this.#states.get(submission)
      if (event["from_state"] !== null && from !== before)
        this.#report("transition", `said to come from ${from}, and was ${before}`, document)
      if (before !== undefined && from !== to && !edges.has(`${from} ${to} ${cause}`))
        this.#report("transition", `${from} became ${to} (${cause})`, document)
      this.#states.set(submission, to!)
      this.#decisions(submission, from!, to!, cause!, event)
      if (from !== to) this.#evidence(to!, cause!, event)
      if (from !== to && to === "Unknown") this.#listener.unknown()
      if (to === "Expired") note(this.#seen, "the gateway has stopped answering for a request")
      if (from === "Unknown" && cause === "evidence" && (to === "Fiscalised" || to === "Rejected"))
        note(this.#seen, "an outcome is joined by elimination")
      if (cause === "resend-policy") note(this.#seen, "a document is sent again to a gateway that knows it")
      if (from !== to) this.#simulation.log(`${event["document"]} is ${to} (${cause})`)
      if (/receipt date becomes/.test(String(event["text"]))) note(this.#seen, "a document is restamped")
      if (/at its receipt date /.test(String(event["text"])) && / it becomes/.test(String(event["text"])))
        note(this.#seen, "a document gets a later time of its day")
      if (cause === "conflict") note(this.#seen, "an export contradicts what was sent")
      if (to === "Held" && event["hold_cause"] === "late") note(this.#seen, "a document is held as late")
      if (from === "Rejected" && to === "Planned") note(this.#seen, "a document is rejected and sent again")
    }
  }

  /** Checks that an outcome recorded as the gateway's answer is in the gateway's records. */
  #evidence(to: string, cause: string, { account, document, kind }: Row): void {
    if (!["evidence", "older-attempt", "contradicted"].includes(cause)) return
    if (to !== "Fiscalised" && to !== "Rejected") return
    const wanted = to === "Fiscalised" ? "Fiscalised" : "Failed"
    const requests = this.#gateway.requestsOf(String(account), String(kind), String(document))
    if (!requests.some(({ outcome }) => outcome._tag === wanted))
      this.#report("evidence", `${to} (${cause}), and the gateway says nothing of the kind`, String(document))
  }

  #decisions(submission: number, from: string, to: string, cause: string, event: Row): void {
    if (cause === "attempt-begun") this.#released.delete(submission)
    const released = this.#released.get(submission)
    // an operator who accepts the store as an older copy decides about all its documents again
    const isAccepting = String(event["text"]).startsWith("the store is an older copy;")
    if (
      to === "Held" &&
      from === "Planned" &&
      !isAccepting &&
      released !== undefined &&
      released === event["hold_cause"]
    )
      this.#report(
        "decision-kept",
        `released by a person, and held again as ${released} before it was sent`,
        String(event["document"])
      )
    if (from === "Withdrawn" && to !== "Withdrawn" && cause !== "contradicted")
      this.#report("decision-kept", `withdrawn by a person, and ${to} (${cause})`, String(event["document"]))
  }

  #answers(process: SimulatedProcess): void {
    for (const row of this.#store.read(
      `select a.id, a.submission, a.result, a.request_id, a.named_by, a.begun_at, a.fence, a.lane, l.fence as current,
         s.account, s.kind, s.id as document
       from fiscal_attempt a join fiscal_lane l on l.lane = a.lane join fiscal_submission s on s.seq = a.submission`
    )) {
      const id = Number(row["id"])
      const before = this.#attempts.get(id)
      if (before === undefined) {
        this.#begun.begun(row, String(row["document"]), process, this.#simulation.now)
        if (this.#begun.isAnythingSentLost) this.#shown.set(id, this.#receipts.begins(process, row))
        this.#listener.begun()
      }
      if (row["request_id"] !== null && row["request_id"] !== (before?.requestId ?? null)) this.#requestId(row)
      if (before === undefined && row["fence"] !== row["current"])
        this.#report("fence", "an attempt was begun by a fence that is not the lane's")
      const attempt = attemptOf(row)
      const { requestId, result } = attempt
      if (before !== undefined && before.result !== null && before.result !== result && before.result !== "Unknown")
        this.#report("one-answer", `${before.result} became ${result}`, String(row["document"]))
      if (before !== undefined && before.requestId !== null && before.requestId !== requestId)
        if (before.by !== "operator") this.#report("one-answer", "another request id", String(row["document"]))
      this.#attempts.set(id, attempt)
    }
  }

  /** Checks a request id that an answer, an outcome or an operator has given to an attempt. */
  #requestId({ account, document, id, kind, named_by, request_id }: Row): void {
    const requestId = String(request_id)
    const others = this.#store.read(
      `select 1 from fiscal_attempt a join fiscal_attempt b on b.id = ?
       where a.account = ? and a.request_id = ? and a.submission <> b.submission`,
      id!,
      account!,
      requestId
    )
    if (others.length > 0) this.#report("request-id", "the store has it for another document")
    // An operator may enter a mistyped id that no document has.
    if (named_by === "operator") return
    const own = this.#gateway.requestsOf(String(account), String(kind), String(document))
    if (!own.some((request) => request.requestId === requestId))
      this.#report("request-id", "the gateway has it for another document")
  }

  /** Records a decision of an operator. */
  decided({ decision, result, submission }: Decided): void {
    if (result !== "resolved" && result !== "overridden") return
    if (submission.state === "Unknown") note(this.#seen, "a person settles an Unknown")
    if (decision._tag === "NotProcessed") {
      note(this.#seen, "a person says not processed")
      const [last] = this.#store.read("select max(id) as id from fiscal_attempt where submission = ?", submission.seq)
      this.#ruledOut.set(submission.seq, { attempt: Number(last!["id"]), at: this.#simulation.now })
    }
    if (decision._tag !== "Resend" || submission.hold === null) return
    note(this.#seen, "a person releases what is held")
    this.#released.set(submission.seq, submission.hold.cause)
  }

  /** Returns the operator's "not processed" statement about a submission in this store. */
  ruledOut(submission: number): RuledOut | undefined {
    return this.#ruledOut.get(submission)
  }

  /** Accepts the contents of a new store file without checks. */
  adopt(acceptance: "kept" | "lost" = "kept"): void {
    this.#states.clear()
    this.#attempts.clear()
    this.#leases.clear()
    this.#released.clear()
    this.#ruledOut.clear()
    this.sent.clear()
    const attempts = this.#store.read("select id, submission, begun_at, fence from fiscal_attempt")
    this.#begun.restored(attempts, this.#simulation.now, acceptance)
    this.#shown.clear()
    this.#receipts.adopt()
    this.#lastEvent = Number(this.#store.read("select coalesce(max(id), 0) as n from fiscal_event")[0]!["n"])
    for (const { seq, state } of this.#store.read("select seq, state from fiscal_submission"))
      this.#states.set(Number(seq), String(state))
    for (const row of this.#store.read("select id, result, request_id, named_by from fiscal_attempt")) {
      this.#attempts.set(Number(row["id"]), attemptOf(row))
    }
  }
}
