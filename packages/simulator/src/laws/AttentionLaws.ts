/**
 * Laws of attention, checked whenever nothing moves: what will not become a receipt without an operator is listed, and each listed action removes
 * its item, or the item stays for as long as it says. What must be listed is read from the tables; actions are taken in a copy of the store.
 */
import { Clock, Duration, Effect, Logger } from "effect"
import * as SqliteStore from "@fiscal-connector/core/node/SqliteStore"
import type { Decision } from "@fiscal-connector/core/submission/Decision"
import type { SubmissionKey } from "@fiscal-connector/core/submission/PlannedDocument"
import type { State } from "@fiscal-connector/core/submission/Submission"
import { SubmissionStore } from "@fiscal-connector/core/submission/SubmissionStore"
import type { Action } from "@fiscal-connector/core/unstable/attention/Action"
import * as Attention from "@fiscal-connector/core/unstable/attention/Attention"
import type { AttentionCode } from "@fiscal-connector/core/unstable/attention/AttentionCode"
import type { Step } from "@fiscal-connector/core/unstable/finding/Step"
import { hour } from "../Books.ts"
import type { Report } from "./Law.ts"
import { note, type Seen } from "../Sometimes.ts"
import type { Row, StoreFile } from "../StoreFile.ts"

/** Documents may wait for so long while no process works: the limit of attention and the longest lease, in milliseconds. */
const unworkedAfter = hour / 3
/** A process that is alive accepts an import within this time, in milliseconds. */
const acceptedWithin = hour / 6
/** Accepted documents move by themselves for so long, in milliseconds. */
const longestWait = 24 * hour
/** A stop at opening is kept for so long while nothing waits, in milliseconds. */
const stopKept = 7 * 24 * hour
/** Actions of one kind of item are taken so often in a day: the same again proves little. */
const mostTries = 2

type Item = Attention.AttentionItem

/** Something that must be listed. */
interface Wanted {
  readonly what: string
  /** True if the item is about it. */
  readonly isListedBy: (item: Item) => boolean
}

const stuckCodes: Readonly<Record<string, AttentionCode>> = {
  Held: "HELD",
  Unknown: "UNKNOWN",
  Expired: "EXPIRED",
  Rejected: "FAILED_AT_GATEWAY",
  Declined: "FAILED_AT_GATEWAY"
}

const importCodes: Readonly<Record<string, AttentionCode>> = {
  accepted: "IMPORT_WAITS",
  incomplete: "IMPORT_INCOMPLETE",
  unfinished: "IMPORT_BROKE_OFF",
  begun: "IMPORT_NOT_ACCEPTED"
}

/** Kinds of items that are over once the account is opened, everything is resumed and no document is open. */
const endsByResuming: ReadonlySet<AttentionCode> = new Set<AttentionCode>([
  "ACCOUNT_STOPPED",
  "STOPPED",
  "NOT_WORKED",
  "STUCK",
  "UNANSWERED",
  "HORIZON_NEAR",
  "IMPORT_WAITS",
  ...Object.values(stuckCodes)
])

/** The clock of an operator who looks at that time. */
const clockAt = (now: number): Clock.Clock => ({
  currentTimeMillisUnsafe: () => now,
  currentTimeMillis: Effect.succeed(now),
  currentTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
  currentTimeNanos: Effect.succeed(BigInt(now) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
  monotonicTimeNanos: Effect.succeed(BigInt(now) * 1_000_000n),
  sleep: () => Effect.void
})

const at = <A, E, R>(now: number, effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, Clock.Clock, clockAt(now))

const items = SubmissionStore.use((store) =>
  Effect.map(store.health(Duration.days(7)), (health) => Attention.of(health))
)

const isSame = (a: Item, b: Item): boolean =>
  a.code === b.code && a.cause === b.cause && a.account === b.account && a.lane === b.lane

/** Steps that are about their item, and about no document. */
const ofItem: ReadonlySet<Step["do"]> = new Set<Step["do"]>(["cancel-import", "acknowledge-day"])

/** The decision that a step asks for; undefined where it asks for none that can be taken here. */
const decisionOf = (step: Step): Decision | undefined => {
  if (step.do === "withdraw") return { _tag: "Withdrawn" }
  if (step.do !== "resolve") return undefined
  switch (step.as) {
    case "fiscalised":
      return { _tag: "Fiscalised", proof: {} }
    case "not-processed":
      return { _tag: "NotProcessed" }
    case "resend":
      return { _tag: "Resend" }
    case "acknowledged":
      return { _tag: "Acknowledged" }
    // the request id is the gateway's to name
    case "accepted":
      return undefined
  }
}

/** The documents that an action is about. */
const subjectsOf = ({ account, document, step }: Action) =>
  Effect.gen(function* () {
    if (document !== null) return [document.key] as ReadonlyArray<SubmissionKey>
    if ((step.do !== "withdraw" && step.do !== "resolve") || step.of === undefined) return []
    const { cause, state } = step.of
    const store = yield* SubmissionStore
    const found = yield* store.list({
      states: [state as State],
      limit: 1000,
      ...(account !== null && { accounts: [account] })
    })
    return found.filter(({ hold }) => cause === undefined || hold?.cause === cause)
  })

const nameOf = ({ cause, code }: Item, { step }: Action): string =>
  `${code}${cause === null ? "" : ` (${cause})`}: ${step.do}${step.do === "resolve" ? ` ${step.as}` : ""}`

export class AttentionLaws {
  readonly #store: StoreFile
  readonly #seen: Seen
  readonly #report: Report
  /** Accounts whose last opening failed; forgotten where another process may have opened them since. */
  readonly #stopped = new Map<string, { readonly at: number; readonly exchanges: number }>()
  /** How often actions of a kind of item were taken. */
  readonly #tries = new Map<string, number>()
  /** What the store was when it was last checked, and when. */
  #checked = { changes: -1, at: 0, times: 0 }

  constructor(store: StoreFile, seen: Seen, report: Report) {
    this.#store = store
    this.#seen = seen
    this.#report = report
  }

  /** An account could not be opened. */
  stopped(account: string, now: number): void {
    this.#stopped.set(account, { at: now, exchanges: this.#store.exchanges })
  }

  /** A process has written what it saw of an account: whether it was opened is not known here. */
  noticed(): void {
    this.#stopped.clear()
  }

  /** Nothing moves. */
  check(now: number): void {
    // who finds another store, or none, is the subject of other laws
    if (this.#store.standing !== "own" || !this.#isDue(now)) return
    const file = this.#store.copyToLook()
    const listed = this.#run(file, at(now, items))
    for (const { isListedBy, what } of this.#wanted(now))
      if (!listed.some(isListedBy)) this.#report("attention", `not listed: ${what}`)
    for (const item of listed) {
      note(this.#seen, "something is listed for an operator")
      for (const action of item.actions) if (action.effect === "settles") this.#take(now, item, action)
    }
  }

  /** Everything was imported, decided and resumed, nothing fails any more, and every document has its end: no item asks to go on. */
  ended(now: number): void {
    const open = this.#store.read(
      "select 1 from fiscal_submission where state not in ('Fiscalised', 'Withdrawn') limit 1"
    )
    if (this.#store.standing !== "own" || open.length > 0) return
    for (const { cause, code } of this.#run(this.#store.copyToLook(), at(now, items)))
      if (endsByResuming.has(code)) this.#report("attention-action", `${code} (${cause}): resumed, and the item stays`)
  }

  /** Once after each commit, once more when waiting is too long, and then once a day. */
  #isDue(now: number): boolean {
    const changes = this.#store.changes
    if (changes !== this.#checked.changes) {
      this.#checked = { changes, at: now, times: 0 }
      return true
    }
    const wait = this.#checked.times === 0 ? unworkedAfter : longestWait
    if (now - this.#checked.at <= wait) return false
    this.#checked = { changes, at: now, times: this.#checked.times + 1 }
    return true
  }

  #run<A, E>(filename: string, effect: Effect.Effect<A, E, SubmissionStore>): A {
    return effect.pipe(
      Effect.provide(SqliteStore.layer({ filename, synchronous: "off" })),
      // events of the copy are no events of the day
      Effect.provideService(Logger.CurrentLoggers, new Set()),
      Effect.runSync
    )
  }

  /** Everything that the tables show to wait for an operator. */
  #wanted(now: number): ReadonlyArray<Wanted> {
    const groups = this.#store.read(
      `select s.account, s.lane, s.state, s.hold_cause, count(*) as n,
         max(min(s.since), coalesce(max(l.leased_until), 0),
           case s.state when 'Planned' then coalesce((select min(a.since) from fiscal_submission a
             where a.lane = s.lane and a.state = 'Accepted'), 0) else 0 end) as since
       from fiscal_submission s join fiscal_lane l on l.lane = s.lane
       where s.state not in ('Fiscalised', 'Withdrawn') group by s.account, s.lane, s.state, s.hold_cause`
    )
    const conflicts = this.#store.read(
      `select s.account, c.code, count(distinct s.seq) as n from fiscal_conflict c
       join fiscal_submission s on s.seq = c.submission where c.settled_at is null group by s.account, c.code`
    )
    const imports = this.#store.read(
      "select id, standing, rest, begun_at from fiscal_import where standing not in ('whole', 'cancelled')"
    )
    return [
      ...groups.flatMap((row) => this.#group(row, now)),
      ...conflicts.map(({ account, code, n }) => ({
        what: `${code}`,
        isListedBy: (item: Item) =>
          item.code === "CONFLICT" && item.account === account && item.cause === code && item.documents === n
      })),
      ...imports
        .filter(({ begun_at, standing }) => standing !== "begun" || now - Number(begun_at) > acceptedWithin)
        .map(({ id, standing }) => ({
          what: `an import that is ${standing}`,
          isListedBy: ({ cause, code }: Item) => code === importCodes[String(standing)] && cause === String(id)
        })),
      ...this.#stops(now)
    ]
  }

  #group({ account, hold_cause, lane, n, since, state }: Row, now: number): ReadonlyArray<Wanted> {
    const code = stuckCodes[String(state)]
    if (code !== undefined) {
      const isListedBy = (item: Item) =>
        item.code === code &&
        item.account === account &&
        item.lane === lane &&
        item.documents === n &&
        item.cause === (state === "Held" ? hold_cause : code === "FAILED_AT_GATEWAY" ? state : null)
      return [{ what: `${state}${hold_cause === null ? "" : ` (${hold_cause})`}`, isListedBy }]
    }
    // a process that died may have the lane for the rest of its lease
    const age = now - Number(since)
    if (age <= (state === "Accepted" ? longestWait : unworkedAfter)) return []
    const own: ReadonlySet<AttentionCode> = new Set(
      state === "Accepted" ? ["STUCK", "UNANSWERED", "HORIZON_NEAR"] : ["STOPPED", "NOT_WORKED", "UNKNOWN"]
    )
    const isListedBy = (item: Item) =>
      (own.has(item.code) && (item.lane === lane || item.lane === null)) ||
      (item.code === "ACCOUNT_STOPPED" && item.account === account)
    return [{ what: `${state}, and no process works it`, isListedBy }]
  }

  #stops(now: number): ReadonlyArray<Wanted> {
    return Array.from(this.#stopped).flatMap(([account, { at, exchanges }]) => {
      // the store in its place may be one in which the account was never opened
      if (now - at >= stopKept || exchanges !== this.#store.exchanges) return []
      const lane = this.#store.read("select lane from fiscal_account where account = ?", account)[0]?.["lane"] ?? null
      const isListedBy = (item: Item) =>
        (item.code === "ACCOUNT_STOPPED" && item.account === account) || (item.code === "STOPPED" && item.lane === lane)
      return [{ what: "an account that cannot send", isListedBy }]
    })
  }

  /** Takes the action in a copy of the store: its item is gone, or smaller, or the action is accepted at the time that is said. */
  #take(now: number, item: Item, action: Action): void {
    const name = nameOf(item, action)
    const tries = this.#tries.get(name) ?? 0
    const { step } = action
    if (tries >= mostTries || (!ofItem.has(step.do) && decisionOf(step) === undefined)) return
    this.#tries.set(name, tries + 1)
    const taken = Effect.gen(function* () {
      const store = yield* SubmissionStore
      if (step.do === "cancel-import") {
        yield* at(now, store.cancelImport(step.id))
        return { subjects: 1, refused: null, after: yield* at(now, items) }
      }
      if (step.do === "acknowledge-day") {
        const said = yield* at(now, store.acknowledgeDay(item.lane ?? "", step.day, "as it is listed"))
        const refused = said._tag === "Refused" ? said.because : null
        return { subjects: 1, refused, after: yield* at(now, items) }
      }
      const subjects = yield* subjectsOf(action)
      let time = now
      for (const key of subjects) {
        const decide = Effect.suspend(() => at(time, store.decide(key, decisionOf(step)!, "as it is listed")))
        let said = yield* decide
        if (said._tag === "Refused" && said.from !== undefined) {
          time = Math.max(time, said.from.epochMilliseconds)
          said = yield* decide
        }
        if (said._tag === "Refused") return { subjects: subjects.length, refused: said.because, after: [] }
      }
      return { subjects: subjects.length, refused: null, after: yield* at(now, items) }
    })
    const { after, refused, subjects } = this.#run(this.#store.copyToLook(), taken)
    if (refused !== null) return this.#report("attention-action", `${name} is listed, and refused: ${refused}`)
    if (subjects === 0) return this.#report("attention-action", `${name} is listed, and is about nothing`)
    const left = after.find((other) => isSame(item, other))
    if (left !== undefined && (subjects >= item.documents || left.documents >= item.documents))
      this.#report("attention-action", `${name} was taken, and its item stays`)
    note(this.#seen, "a listed action is taken")
  }
}
