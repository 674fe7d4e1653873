/**
 * Everything that will not become a receipt without an operator: the only definition, shown by
 * `health`, `/health`, alerts, metrics, the page, `resume` and the promise package. Computed from
 * the store alone, so that the result is correct even if every worker is dead.
 */
import { DateTime, Duration } from "effect"
import { AccountFinding } from "../account/AccountFinding.ts"
import type { AcceptedUnknown } from "../ledger/AcceptedUnknown.ts"
import * as Patience from "../ledger/Patience.ts"
import type { FindingCode } from "../finding/FindingCode.ts"
import type { Step } from "../finding/Step.ts"
import type {
  Health,
  LaneHealth,
  NamedDocument,
  OpenConflicts,
  StuckDocuments,
  UnansweredRequest,
  UnprovenDocument
} from "../submission/Health.ts"
import type { LaneStop, StopCause } from "../submission/Lane.ts"
import { acknowledgeable, type KeptNotice } from "../submission/Notice.ts"
import type { HoldCause } from "../submission/PlannedDocument.ts"
import { moving, type State } from "../submission/Submission.ts"
import { type Action, settles, shows } from "./Action.ts"
import { type AttentionCode, type DayCode, texts } from "./AttentionCode.ts"
import * as LiveSourceItems from "./LiveSourceItems.ts"

/** One problem that an operator has to look at. */
export interface AttentionItem {
  readonly code: AttentionCode
  /**
   * Details of the code: the hold cause, the cause of a stopped lane or account, or the
   * contradiction. Null if the code says everything.
   */
  readonly cause: string | null
  readonly account: string | null
  readonly lane: string | null
  /** Number of documents concerned. 0 if the item is not about particular documents. */
  readonly documents: number
  readonly since: DateTime.Utc
  /** Description of the problem. May quote the gateway. */
  readonly text: string
  /** The same description in our own words only, for alerts. */
  readonly plain: string
  readonly consequence: string
  /** Condition that ends the item, as text. */
  readonly until: string
  /** Next steps, in the order in which to try them. Each step works as printed. */
  readonly actions: ReadonlyArray<Action>
}

/** Times after which an operator must look. */
export interface AttentionLimits {
  /**
   * Time before the end of retention at which the alarm is raised. Default 2 days: 5 of 7 days are
   * over.
   */
  readonly retentionWarning?: Duration.Duration | undefined
  /** Longest time that a document may stay Planned, Sending or Accepted. Default 1 day. */
  readonly longestWait?: Duration.Duration | undefined
  /**
   * Longest time that an Accepted document may be missing from every status. Default 1 hour. If an
   * operator entered the request id, the item appears as soon as the gateway has been asked once.
   */
  readonly unansweredAfter?: Duration.Duration | undefined
}

/**
 * Time for which the stop of an account counts after the stop was last seen, while no document of
 * the account waits.
 */
export const stopCounts = Duration.days(7)

type Particulars = Pick<AttentionItem, "since" | "text"> &
  Partial<Pick<AttentionItem, "cause" | "account" | "lane" | "documents" | "plain" | "until" | "actions">>

const item = (code: AttentionCode, particulars: Particulars): AttentionItem => ({
  code,
  cause: null,
  account: null,
  lane: null,
  documents: 0,
  plain: particulars.text,
  consequence: texts[code].consequence,
  until: texts[code].until,
  actions: [],
  ...particulars
})

/** Returns the items that an operator must look at, worst first. Empty if all is well. */
export const of = (health: Health, limits: AttentionLimits = {}): ReadonlyArray<AttentionItem> =>
  [
    ...health.notices.flatMap((notice) =>
      notice.acknowledgedAt !== null || isOver(notice, health) || isShown(notice, health)
        ? []
        : ofNotice(notice, health)
    ),
    ...imports(health),
    ...health.conflicts.map(conflict),
    ...health.lanes.flatMap((lane) => [
      ...(lane.stop === null ? [] : [stopped(lane, lane.stop, health)]),
      ...health.stuck.filter((one) => one.lane === lane.lane).map(stuck),
      ...unanswered(lane, health, limits),
      ...waiting(lane, health, limits)
    ]),
    ...horizon(health, limits),
    ...unproven(health),
    ...health.liveSources.flatMap((source) =>
      LiveSourceItems.of(source, health.at).map(({ code, ...particulars }) => item(code, particulars))
    ),
    ...health.acceptedUnknowns.map(unchecked),
    ...(health.unmatched === 0
      ? []
      : [
          item("UNMATCHED", {
            since: health.at,
            text: `${health.unmatched} outcomes belong to no document we know`,
            actions: [shows({ do: "list", state: "Unknown" })]
          })
        ])
  ].toSorted((a, b) => texts[a.code].rank - texts[b.code].rank)

/**
 * Returns the items that concern these accounts or their lanes, and the items without account and
 * lane.
 */
export const ofAccounts = (
  items: ReadonlyArray<AttentionItem>,
  health: Pick<Health, "lanes">,
  accounts: ReadonlyArray<string>
): ReadonlyArray<AttentionItem> => {
  const lanes = new Set(
    health.lanes.filter((lane) => lane.accounts.some((name) => accounts.includes(name))).map(({ lane }) => lane)
  )
  return items.filter(({ account, lane }) =>
    account === null ? lane === null || lanes.has(lane) : accounts.includes(account)
  )
}

/**
 * True if the account is not used any more and has nothing left to send. The stop of such an
 * account ends without an action.
 */
const isOver = ({ seenAt, source, subject }: KeptNotice, { at, lanes }: Health): boolean =>
  source === "opening" &&
  Duration.isGreaterThan(DateTime.distance(seenAt, at), stopCounts) &&
  !lanes.some(({ accounts, counts }) => accounts.includes(subject) && (counts.Planned ?? 0) > 0)

const laneStops: Readonly<Record<string, StopCause>> = {
  KEY_REFUSED: "credentials",
  SECRET_REFUSED: "credentials",
  DEVICE_MISSING: "not-found",
  DEVICE_CHANGED: "device-changed",
  CLOCK_WRONG: "clock",
  STORE_OLDER: "store-older",
  STORE_UNPROVEN: "store-unproven",
  GATEWAY_UNREACHED: "not-sent",
  GATEWAY_NAME_UNKNOWN: "not-sent",
  GATEWAY_REFUSES_CONNECTION: "not-sent",
  NOT_A_GATEWAY: "not-sent",
  GATEWAY_REDIRECTS: "not-sent",
  GATEWAY_SPEAKS_HTTP: "not-sent",
  CERTIFICATE_EXPIRED: "not-sent",
  CERTIFICATE_UNTRUSTED: "not-sent",
  GATEWAY_DOWN: "not-sent",
  GATEWAY_BUSY: "not-sent",
  ANSWER_MALFORMED: "not-sent"
}

/** True if the lane of the account is stopped for the same reason and has an item that says so. */
const isShown = ({ code, source, subject }: KeptNotice, { lanes }: Health): boolean =>
  source === "opening" &&
  !(code in AccountFinding && !(code in laneStops)) &&
  lanes.some(
    ({ accounts, stop }) =>
      stop !== null && accounts.includes(subject) && stop.cause === (laneStops[code] ?? "device-refuses")
  )

const isDayCode = (code: string): code is DayCode => code in texts && code.startsWith("DAY_")

const ofNotice = (notice: KeptNotice, { lanes }: Health): ReadonlyArray<AttentionItem> => {
  const { code, detail, since, source, subject, text } = notice
  if (source !== "opening") {
    if (!isDayCode(code)) return []
    const day = Number(detail)
    const whole = { since, lane: subject, cause: detail, text, plain: `lane ${subject}, fiscal day ${detail}: ${code}` }
    // Any account of the device can request its days.
    const account = lanes.find(({ lane }) => lane === subject)?.accounts[0] ?? null
    return [
      item(code, {
        ...whole,
        actions: [
          // These codes have no report to show.
          code === "DAY_OVERLONG" || code === "DAY_MISSING"
            ? shows({ do: "doctor" }, account)
            : shows({ do: "compare-day", day }, account),
          ...(acknowledgeable.has(code) ? [settles({ do: "acknowledge-day", day }, account)] : [])
        ]
      })
    ]
  }
  const known: Readonly<Record<string, FindingCode>> = AccountFinding
  const finding = known[code]
  if (finding?.severity === "warning") {
    return [
      item("STORE_UNGUARDED", { since, account: subject, cause: code, text, plain: `${code} (account ${subject})` })
    ]
  }
  return [
    item("ACCOUNT_STOPPED", {
      since,
      account: subject,
      cause: code,
      text: `nothing is sent for the account ${subject}: ${text}`,
      plain: `nothing is sent for the account ${subject} (${code})`,
      actions: openingActions(code, subject)
    })
  ]
}

/**
 * Returns the actions that end a stop at opening. Each settling action opens the account again,
 * which checks whether the cause is gone.
 */
const openingActions = (code: string, account: string): ReadonlyArray<Action> => {
  const again = settles({ do: "resume" }, account)
  switch (code) {
    case "LIVE_NOT_ALLOWED":
      return [settles({ do: "resume", live: "allowed" }, account)]
    case "STORE_OLDER":
    case "STORE_UNPROVEN":
      return [settles({ do: "accept-older" }), again]
    case "DEVICE_CHANGED":
      return [shows({ do: "doctor" }, account), settles({ do: "repin" }, account)]
    default:
      return [shows({ do: "doctor" }, account), again]
  }
}

const imports = ({ imports }: Health): ReadonlyArray<AttentionItem> => [
  ...imports.waiting.map(({ account, documents, id, since }) =>
    item("IMPORT_WAITS", {
      since,
      account,
      documents,
      cause: String(id),
      text: `${documents} documents of import ${id} (account ${account}) wait to be handed over`,
      actions: [settles({ do: "resume" }, account), settles({ do: "cancel-import", id })]
    })
  ),
  ...imports.incomplete.map(({ account, id, since }) =>
    item("IMPORT_INCOMPLETE", {
      since,
      account,
      cause: String(id),
      text: `documents of import ${id} (account ${account}) were not planned, and are not sent`,
      actions: [shows({ do: "imports" }), settles({ do: "cancel-import", id })]
    })
  ),
  ...imports.unfinished.map(({ account, id, since }) =>
    item("IMPORT_BROKE_OFF", {
      since,
      account,
      cause: String(id),
      text: `import ${id} (account ${account}) broke off: documents of its files may be missing`,
      actions: [shows({ do: "imports" }), settles({ do: "cancel-import", id })]
    })
  ),
  ...imports.unaccepted.map(({ account, id, since }) =>
    item("IMPORT_NOT_ACCEPTED", {
      since,
      account,
      cause: String(id),
      text: `import ${id} (account ${account}) ended before it was accepted: nothing of it is sent`,
      actions: [settles({ do: "cancel-import", id })]
    })
  )
]

const unchecked = ({ account, at, because, fact }: AcceptedUnknown): AttentionItem =>
  item("SENT_UNCHECKED", {
    since: DateTime.makeUnsafe(at),
    account,
    cause: fact,
    text: `documents of the account ${account} are sent without the check of ${fact}: ${because}`,
    plain: `documents of the account ${account} are sent without the check of ${fact}`,
    actions: [shows({ do: "doctor" }, account)]
  })

const namesOf = (first: ReadonlyArray<NamedDocument>, count: number): string =>
  `${first.map(({ number }) => number).join(", ")}${count > first.length ? " and others" : ""}`

const conflict = ({ account, code, count, first, lane, since }: OpenConflicts): AttentionItem =>
  item("CONFLICT", {
    since,
    account,
    lane,
    cause: code,
    documents: count,
    text: `${code}: ${count === 1 ? "1 document" : `${count} documents`} (${namesOf(first, count)})`,
    plain: `${code}: ${count} of account ${account}`,
    actions: first.flatMap((one) => [
      shows({ do: "explain" }, account, one),
      settles({ do: "resolve", as: "acknowledged" }, account, one)
    ])
  })

const stopped = ({ accounts, lane, oldest, stoppedAt }: LaneHealth, stop: LaneStop, { at }: Health): AttentionItem =>
  item("STOPPED", {
    since: stoppedAt ?? oldest.Planned ?? at,
    lane,
    cause: stop.cause,
    text: `lane ${lane} is stopped (${stop.cause}): ${stop.because}`,
    plain: `lane ${lane} is stopped (${stop.cause})`,
    until:
      stop.retryAt === null
        ? texts.STOPPED.until
        : `The lane is tried again at ${DateTime.formatIso(stop.retryAt)}; the stop ends when that succeeds.`,
    actions: stopActions(stop.cause, accounts)
  })

const stopActions = (cause: LaneStop["cause"], accounts: ReadonlyArray<string>): ReadonlyArray<Action> => {
  const account = accounts.length === 1 ? accounts[0]! : null
  const resume = settles({ do: "resume" }, account)
  const doctor = shows({ do: "doctor" }, account)
  switch (cause) {
    case "store-older":
    case "store-unproven":
      return [settles({ do: "accept-older" }), resume]
    case "device-changed":
      return account === null ? [doctor] : [doctor, settles({ do: "repin" }, account)]
    case "limited":
    case "mark-in-future":
      return [doctor]
    default:
      return [doctor, resume]
  }
}

const stuckCodes: Readonly<Partial<Record<State, AttentionCode>>> = {
  Held: "HELD",
  Unknown: "UNKNOWN",
  Expired: "EXPIRED",
  Rejected: "FAILED_AT_GATEWAY",
  Declined: "FAILED_AT_GATEWAY"
}

const stuckText = ({ cause, count, first, lane, state }: StuckDocuments): string => {
  const names = namesOf(first, count)
  switch (state) {
    case "Unknown":
      return `${count} of unknown outcome; lane ${lane} waits for them (${names})`
    case "Expired":
      return `${count} the gateway no longer answers for (${names})`
    case "Held":
      return `${count} held (${cause ?? "no cause"}): ${names}`
    default:
      return `${count} ${state}: ${names}`
  }
}

const stuck = (documents: StuckDocuments): AttentionItem => {
  const { account, cause, count, lane, since, state } = documents
  const code = stuckCodes[state]
  return item(code ?? "HELD", {
    since,
    account,
    lane,
    cause: code === "FAILED_AT_GATEWAY" ? state : cause,
    documents: count,
    text: stuckText(documents),
    plain: `${count} ${state}${cause === null ? "" : ` (${cause})`}`,
    ...(cause === "original" && {
      until: "They are released automatically when their originals are fiscalised; or until they are withdrawn."
    }),
    actions: stuckActions(documents)
  })
}

const decisionsOf = (state: State, cause: HoldCause | null): ReadonlyArray<Step> => {
  switch (state) {
    case "Unknown":
      return [
        { do: "resolve", as: "fiscalised" },
        { do: "resolve", as: "not-processed" }
      ]
    case "Expired":
      return [{ do: "resolve", as: "fiscalised" }, { do: "withdraw" }]
    case "Held":
      switch (cause) {
        case "late":
        case "historical":
        case "person":
          return [{ do: "resolve", as: "resend" }, { do: "resolve", as: "fiscalised" }, { do: "withdraw" }]
        default:
          return [{ do: "withdraw" }]
      }
    default:
      return [{ do: "withdraw" }]
  }
}

/**
 * Returns the actions for stuck documents. One document is decided by its number, several documents
 * together after a preview.
 */
const stuckActions = ({ account, cause, count, first, state }: StuckDocuments): ReadonlyArray<Action> => {
  const [one] = first
  const steps = decisionsOf(state, cause)
  if (one !== undefined && count === 1) {
    return [shows({ do: "explain" }, account, one), ...steps.map((step) => settles(step, account, one))]
  }
  const of = cause === null ? { state } : { state, cause }
  return [
    shows({ do: "list", state }, account),
    ...steps.map((step) =>
      step.do === "withdraw" || (step.do === "resolve" && step.as !== "accepted")
        ? settles({ ...step, of }, account)
        : settles(step, account)
    )
  ]
}

/** Unanswered requests that an item names. */
const named = 5

/** True if the failure needs an operator: a correction waits for it, or its time is over. */
const needsOperator =
  ({ at }: Health) =>
  ({ correction, failure }: UnprovenDocument): boolean =>
    correction === "waits" ||
    DateTime.isLessThanOrEqualTo(DateTime.addDuration(failure.firstAt, Patience.unproven.is), at)

/** Returns one item for each text that needs an operator. The others need no operator yet. */
const unproven = (health: Health): ReadonlyArray<AttentionItem> => {
  const groups = Map.groupBy(health.unproven, ({ key, lane, mask }) => JSON.stringify([key.account, lane, mask]))
  return [...groups.values()].flatMap((documents) => {
    const [first] = documents
    if (first === undefined || !documents.some(needsOperator(health))) return []
    const { failure, key, lane } = first
    const from = failure.personFrom
    return [
      item("ANSWER_UNPROVEN", {
        since: documents.map(({ failure }) => failure.firstAt).reduce(DateTime.min),
        account: key.account,
        lane,
        documents: documents.length,
        cause: failure.error,
        text: `the gateway says "${failure.error}" of ${documents.length === 1 ? "1 document" : `${documents.length} documents`} (${namesOf(documents.slice(0, named), documents.length)}), which may still become receipts${failure.control === "same" ? "; it says the same of an id that no request has" : ""}`,
        plain: `ANSWER_UNPROVEN: ${documents.length} of account ${key.account}`,
        actions: [
          settles({ do: "resume" }, key.account),
          ...documents.slice(0, named).map((one) => shows({ do: "explain" }, key.account, one)),
          ...(from === null || documents.some(({ precedent }) => precedent === "receipt")
            ? []
            : [settles({ do: "resolve", as: "rejected", of: { state: "Accepted", text: failure.error } }, key.account)])
        ]
      })
    ]
  })
}

const unansweredText = (requests: ReadonlyArray<UnansweredRequest>): string => {
  const each = requests.slice(0, named).map(({ by, looks, number, requestId }) => {
    const asked = looks === 0 ? "not asked for yet" : `asked for ${looks === 1 ? "once" : `${looks} times`}`
    return `${number} (request id ${requestId}${by === "operator" ? ", entered by an operator" : ""}; ${asked})`
  })
  // The list of requests is itself limited.
  const more = requests.length > named ? " and others" : ""
  return `Accepted, and no status has mentioned it: ${each.join(", ")}${more}`
}

const unanswered = (
  { counts, lane }: LaneHealth,
  health: Health,
  { unansweredAfter = Duration.hours(1) }: AttentionLimits
): ReadonlyArray<AttentionItem> => {
  const own = health.unanswered.filter(
    ({ by, lane: its, looks, since }) =>
      its === lane &&
      (Duration.isGreaterThanOrEqualTo(DateTime.distance(since, health.at), unansweredAfter) ||
        (by === "operator" && looks > 0))
  )
  const [first] = own
  if (first === undefined) return []
  return [
    item("UNANSWERED", {
      since: first.since,
      lane,
      documents: own.length,
      text: unansweredText(own),
      plain: `${counts.Accepted ?? 0} Accepted, and no status has mentioned some of them`,
      actions: [
        settles({ do: "resume" }),
        ...own.slice(0, 3).flatMap(({ by, key, number }) => [
          shows({ do: "explain" }, key.account, { key, number }),
          // Only the statement of an operator names the request id.
          ...(by === "operator" ? [settles({ do: "resolve", as: "accepted" }, key.account, { key, number })] : [])
        ])
      ]
    })
  ]
}

const hours = (millis: number) => `${Math.floor(millis / 3_600_000)} h`

/**
 * Returns the items of documents that should move without an operator and do not: no process works
 * the lane, or the wait is too long.
 */
const waiting = (
  { accounts, counts, lane, leasedUntil, oldest, stop, unworkedAfterSeconds }: LaneHealth,
  { at }: Health,
  { longestWait = Duration.days(1) }: AttentionLimits
): ReadonlyArray<AttentionItem> => {
  const account = accounts.length === 1 ? accounts[0]! : null
  const isWorked = leasedUntil !== null && leasedUntil.epochMilliseconds > at.epochMilliseconds
  const unworkedAfter = unworkedAfterSeconds * 1000
  const ageOf = (since: DateTime.Utc) => at.epochMilliseconds - since.epochMilliseconds
  // A process that awaits the outcome of a sent document releases the lane meanwhile.
  const isAwaited = oldest.Accepted !== undefined && ageOf(oldest.Accepted) <= unworkedAfter
  const actions = [settles({ do: "resume" }, account), shows({ do: "doctor" }, account)]
  return moving.flatMap((state) => {
    const since = oldest[state]
    if (since === undefined) return []
    // No process can continue here. The item UNKNOWN gives the reason.
    if (state === "Planned" && oldest.Unknown !== undefined) return []
    const age = ageOf(since)
    const about = { since, lane, documents: counts[state] ?? 0, actions }
    // A stopped lane has an item that gives the reason.
    const isLeft = stop === null && !isWorked && !(state === "Planned" && isAwaited)
    if (state !== "Accepted" && isLeft && age > unworkedAfter) {
      const text = `${counts[state] ?? 0} ${state} in lane ${lane}, and no process works it; the oldest has waited ${age >= 3_600_000 ? hours(age) : `${Math.floor(age / 60_000)} min`}`
      return [item("NOT_WORKED", { ...about, cause: state, text })]
    }
    if (age <= Duration.toMillis(longestWait)) return []
    return [
      item("STUCK", { ...about, cause: state, text: `the oldest ${state} in lane ${lane} has waited ${hours(age)}` })
    ]
  })
}

const horizon = (
  { at, secondsToHorizon: left }: Health,
  { retentionWarning = Duration.days(2) }: AttentionLimits
): ReadonlyArray<AttentionItem> =>
  left === null || left >= Duration.toSeconds(retentionWarning)
    ? []
    : [
        item("HORIZON_NEAR", {
          since: at,
          text:
            left > 0
              ? `an outcome can be asked for only ${hours(left * 1000)} more`
              : "an outcome can no longer be asked for",
          actions: [settles({ do: "resume" })]
        })
      ]
