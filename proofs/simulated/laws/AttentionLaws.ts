/**
 * Laws of attention, checked whenever nothing moves. A document that needs an operator must be
 * listed. Each listed action must remove its item, or the item remains as long as stated. The
 * documents that must be listed are read from the tables; actions are taken in a copy of the store.
 */
import { Clock, Duration, Effect, Logger, Option } from "effect"
import * as SqliteStore from "../../../packages/core/src/node/SqliteStore.ts"
import * as BulkDecision from "../../../packages/core/src/session/BulkDecision.ts"
import { policyOf } from "../../../packages/core/src/sending/StatusPoller.ts"
import type { Decision, DecisionResult } from "../../../packages/core/src/submission/Decision.ts"
import type { SubmissionKey } from "../../../packages/core/src/submission/PlannedDocument.ts"
import type { State } from "../../../packages/core/src/submission/Submission.ts"
import { SubmissionStore } from "../../../packages/core/src/submission/SubmissionStore.ts"
import type { Action } from "../../../packages/core/src/attention/Action.ts"
import * as Attention from "../../../packages/core/src/attention/Attention.ts"
import type { AttentionCode } from "../../../packages/core/src/attention/AttentionCode.ts"
import type { Step } from "../../../packages/core/src/finding/Step.ts"
import { hour } from "../Books.ts"
import type { Report } from "./Law.ts"
import type { SimulatedProcess } from "../SimulatedProcess.ts"
import { note, type Seen } from "../Sometimes.ts"
import type { Row, StoreFile } from "../StoreFile.ts"

/**
 * Time for which documents may wait while no process works: the limit of attention and the longest
 * lease, in milliseconds.
 */
const unworkedAfter = hour / 3
/** Time within which a live process accepts an import, in milliseconds. */
const acceptedWithin = hour / 6
/** Time for which accepted documents may progress without an operator, in milliseconds. */
const longestWait = 24 * hour
/** Time for which a stop at opening is kept while nothing waits, in milliseconds. */
const stopKept = 7 * 24 * hour
/** Time for which the proof of a receipt may be missing without an operator, in milliseconds. */
const proofMissingAfter = hour / 6
/** Maximum number of tries per day for actions of one kind of item: repetition proves little. */
const mostTries = 2

type Item = Attention.AttentionItem

/** Subject that must be listed. */
interface Wanted {
  readonly what: string
  /** Returns true if the item covers the subject. */
  readonly isListedBy: (item: Item) => boolean
  /** Documents of all these items together, if the subject may be listed by several items. */
  readonly documents?: number
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

/**
 * Kinds of items that must end once the account is opened, everything is resumed and no document is
 * open.
 */
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

/** Returns the clock of an operator who looks at the given time. */
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

/**
 * Returns the words of an item about a failure: those by which its actions select its documents,
 * and those of the gateway, with which its text begins. A state has one item for each of them.
 */
const wordsOf = ({ actions, text }: Item): string =>
  JSON.stringify([
    actions.map(({ step }) => ("of" in step ? step.of : null)),
    text.includes(" · ") ? text.split(" · ")[0] : /^the gateway says ".*" of /.exec(text)?.[0]
  ])

const isSame = (a: Item, b: Item): boolean =>
  a.code === b.code && a.cause === b.cause && a.account === b.account && a.lane === b.lane && wordsOf(a) === wordsOf(b)

/** Steps that concern their item, and no document. */
const ofItem: ReadonlySet<Step["do"]> = new Set<Step["do"]>(["cancel-import", "acknowledge-day"])

/**
 * Returns the decision that a step asks for; undefined without a decision that can be taken here.
 */
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
    case "rejected":
      return { _tag: "Rejected", rejection: { error: "as the gateway says", nature: "correctable" } }
    case "same":
      return { _tag: "Same" }
    case "acknowledged":
      return { _tag: "Acknowledged" }
    // Only the gateway can name the request id.
    case "accepted":
      return undefined
  }
}

/** Returns the documents that an action concerns. */
const subjectsOf = ({ account, document, step }: Action) =>
  Effect.gen(function* () {
    if (document !== null) return [document.key] as ReadonlyArray<SubmissionKey>
    if ((step.do !== "withdraw" && step.do !== "resolve") || step.of === undefined) return []
    const { cause, conflict, state, text } = step.of
    const decision = decisionOf(step)
    if (decision === undefined) return []
    const selection = { state: state as State, cause, conflict, text, account: account ?? undefined }
    return (yield* BulkDecision.select(selection, decision._tag)).documents
  })

/** Cause of an account that could not be opened. */
type StopOf = "store" | "account"

/**
 * Records that the gateway, asked once more, still states its failure of the document. Returns true
 * if the failure is still open after it.
 */
const stillStated = ({ account, id, kind }: SubmissionKey) =>
  Effect.gen(function* () {
    const store = yield* SubmissionStore
    const own = (yield* store.unproven([account])).filter(({ key }) => key.id === id && key.kind === kind)
    const items = own.map(({ failure: { error, nature, requestId } }) => {
      return { _tag: "Rejected", requestId, error, nature } as const
    })
    const ids = items.map(({ requestId }) => requestId)
    if (ids.length > 0)
      yield* store.recordPoll(account, ids, items, policyOf({}), { control: { _tag: "LeftOut" }, ability: "able" })
    return Option.exists(yield* store.get({ account, id, kind }), ({ state }) => state === "Accepted")
  })

const nameOf = ({ cause, code }: Item, { step }: Action): string =>
  `${code}${cause === null ? "" : ` (${cause})`}: ${step.do}${step.do === "resolve" ? ` ${step.as}` : ""}`

export class AttentionLaws {
  readonly #store: StoreFile
  readonly #seen: Seen
  readonly #report: Report
  /** Accounts whose last opening failed; cleared when another process may have opened them. */
  readonly #stopped = new Map<string, { readonly at: number; readonly replacements: number; readonly by: StopOf }>()
  /** Process of each written result of opening an account. */
  readonly #noticedBy: Array<SimulatedProcess> = []
  /** Number of actions taken, by kind of item. */
  readonly #tries = new Map<string, number>()
  /** State of the store at the last check, with the time. */
  #checked = { changes: -1, at: 0, times: 0 }

  constructor(store: StoreFile, seen: Seen, report: Report) {
    this.#store = store
    this.#seen = seen
    this.#report = report
  }

  /** Records that an account could not be opened. */
  stopped(account: string, now: number): void {
    this.#stopped.set(account, { at: now, replacements: this.#store.replacements, by: this.#storeStop() })
  }

  #storeStop(): StopOf {
    const found = this.#store.read("select 1 from fiscal_store where stop_cause is not null")
    return found.length > 0 ? "store" : "account"
  }

  /**
   * Called when a process has written its result of opening an account. The result is not known
   * here, so all stops are cleared.
   */
  noticed(by: SimulatedProcess): void {
    this.#noticedBy.push(by)
    this.#stopped.clear()
  }

  /** Returns the number of results of opening an account that other processes have written. */
  noticesOfOthers(process: SimulatedProcess | null): number {
    return this.#noticedBy.filter((by) => by !== process).length
  }

  /** Checks the laws; called when nothing moves. */
  check(now: number): void {
    // A missing or replaced store is the subject of other laws.
    if (this.#store.standing !== "own" || !this.#isDue(now)) return
    const file = this.#store.copyToLook()
    const listed = this.#run(file, at(now, items))
    for (const { documents, isListedBy, what } of this.#wanted(now)) {
      const own = listed.filter(isListedBy)
      const sum = own.reduce((sum, item) => sum + item.documents, 0)
      if (own.length === 0 || (documents !== undefined && documents !== sum))
        this.#report("attention", `not listed: ${what}`)
    }
    for (const item of listed) {
      note(this.#seen, "something is listed for an operator")
      for (const action of item.actions) if (action.effect === "settles") this.#take(now, item, action)
    }
  }

  /**
   * Checks the end of the calm: with every document in its final state, no item may ask to
   * continue.
   */
  ended(now: number): void {
    const open = this.#store.read(
      "select 1 from fiscal_submission where state not in ('Fiscalised', 'Withdrawn') limit 1"
    )
    if (this.#store.standing !== "own" || open.length > 0) return
    for (const { cause, code } of this.#run(this.#store.copyToLook(), at(now, items)))
      if (endsByResuming.has(code)) this.#report("attention-action", `${code} (${cause}): resumed, and the item stays`)
  }

  /** Returns true once after each commit, once more after a too long wait, and then once a day. */
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
      // Events of the copy do not belong to the day.
      Effect.provideService(Logger.CurrentLoggers, new Set()),
      Effect.runSync
    )
  }

  /** Returns everything that waits for an operator according to the tables. */
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
       join fiscal_submission s on s.seq = c.submission
       where c.settled_at is null and (c.code <> 'PROOF_MISSING' or c.at <= ?) group by s.account, c.code`,
      now - proofMissingAfter
    )
    const imports = this.#store.read(
      "select id, standing, rest, begun_at from fiscal_import where standing not in ('whole', 'cancelled')"
    )
    return [
      ...groups.flatMap((row) => this.#group(row, now)),
      ...conflicts.map(({ account, code, n }) => ({
        what: `${code}`,
        // A missing proof has a code of the same name, and an item for each cause.
        isListedBy: (item: Item) =>
          item.account === account &&
          (String(item.code) === code || (item.code === "CONFLICT" && item.cause === code && item.documents === n))
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
    if (code === "FAILED_AT_GATEWAY") {
      // one item per cause of the failure
      const isListedBy = (item: Item) =>
        item.code === code && item.account === account && item.lane === lane && item.text.includes(`${state}: `)
      return [{ what: `${state}`, documents: Number(n), isListedBy }]
    }
    if (code !== undefined) {
      const isListedBy = (item: Item) =>
        item.code === code &&
        item.account === account &&
        item.lane === lane &&
        item.documents === n &&
        item.cause === (state === "Held" ? hold_cause : null)
      return [{ what: `${state}${hold_cause === null ? "" : ` (${hold_cause})`}`, isListedBy }]
    }
    // A dead process may hold the lane for the rest of its lease.
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
    return Array.from(this.#stopped).flatMap(([account, { at, by, replacements }]) => {
      // a statement or an acceptance ends the stop of the store, until an account is opened again
      if (by === "store" && this.#storeStop() === "account") return []
      // The account may never have been opened in the current store.
      if (now - at >= stopKept || replacements !== this.#store.replacements) return []
      const lane = this.#store.read("select lane from fiscal_account where account = ?", account)[0]?.["lane"] ?? null
      // a stop of the store is one item without a lane
      const isListedBy = (item: Item) =>
        (item.code === "ACCOUNT_STOPPED" && item.account === account) ||
        (item.code === "STOPPED" && (item.lane === lane || item.lane === null))
      return [{ what: "an account that cannot send", isListedBy }]
    })
  }

  /**
   * Takes the action in a copy of the store. The item must be gone or smaller, or the action must
   * be accepted at the stated time. The store may refuse some of several documents.
   */
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
        return { accepted: 1, refused: null, after: yield* at(now, items) }
      }
      if (step.do === "acknowledge-day") {
        const said = yield* at(now, store.acknowledgeDay(item.lane ?? "", step.day, "as it is listed"))
        const isRefused = said._tag === "Refused"
        return { accepted: isRefused ? 0 : 1, refused: isRefused ? said.text : null, after: yield* at(now, items) }
      }
      const subjects = yield* subjectsOf(action)
      let time = now
      let accepted = 0
      let refused: string | null = null
      for (const key of subjects) {
        const isOfFailure = step.do === "resolve" && step.of?.state === "Accepted"
        const decided = store.decide(key, decisionOf(step)!, "as it is listed")
        const settled: DecisionResult = { _tag: "Resolved", from: "Accepted", to: "Rejected" }
        const asked = Effect.flatMap(stillStated(key), (isOpen) => (isOpen ? decided : Effect.succeed(settled)))
        const decide = Effect.suspend(() => at(time, isOfFailure ? asked : decided))
        let said = yield* decide
        if (said._tag === "Refused" && said.from !== undefined) {
          time = Math.max(time, said.from.epochMilliseconds)
          said = yield* decide
        }
        if (said._tag === "Refused") refused = said.text
        else accepted++
      }
      return { accepted, refused, after: yield* at(now, items) }
    })
    const { accepted, after, refused } = this.#run(this.#store.copyToLook(), taken)
    if (accepted === 0) {
      const why = refused === null ? "is about nothing" : `refused: ${refused}`
      return this.#report("attention-action", `${name} is listed, and ${why}`)
    }
    const left = after.find((other) => isSame(item, other))
    if (left !== undefined && (accepted >= item.documents || left.documents >= item.documents))
      this.#report("attention-action", `${name} was taken, and its item stays`)
    note(this.#seen, "a listed action is taken")
  }
}

export { decisionOf, subjectsOf }
