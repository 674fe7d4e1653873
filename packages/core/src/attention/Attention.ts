/**
 * Everything that will not become a receipt without an operator: the only definition, shown by
 * `health`, `/health`, alerts, metrics, the page, `resume` and the promise package. Computed from
 * the store alone, so that the result is correct even if every worker is dead.
 */
import { DateTime, Duration } from "effect"
import { AccountFinding } from "../account/AccountFinding.ts"
import type { AcceptedUnknown } from "../submission/ledger/AcceptedUnknown.ts"
import { causeOf, isReceiptRule } from "../submission/ledger/LaneFailures.ts"
import * as Patience from "../submission/ledger/Patience.ts"
import type { Step } from "../finding/Step.ts"
import { mask } from "../submission/ledger/StatedFailure.ts"
import { refusalNow, refusalTogether } from "../submission/PermittedDecision.ts"
import type {
  DecidableDocument,
  Health,
  LaneHealth,
  NamedDocument,
  OpenConflicts,
  StuckDocuments,
  UnansweredRequest,
  UnprovenDocument
} from "../submission/Health.ts"
import { deviceOf, isOfStore, type StopCause } from "../submission/Lane.ts"
import { acknowledgeable, type KeptNotice } from "../submission/Notice.ts"
import { NotTakenFinding } from "../submission/KeptImport.ts"
import type { RefusedCause } from "../submission/ledger/RefusedDocument.ts"
import type { HoldCause } from "../submission/PlannedDocument.ts"
import { isOfSource, isStuck, type Rejection, moving, type StuckState } from "../submission/Submission.ts"
import { type Action, decisionOf, settles, shows } from "./Action.ts"
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
  /** The same description without codes, for a reader who sees them beside it. */
  readonly words: string
  /** The same description in our own words only, for alerts. */
  readonly plain: string
  readonly consequence: string
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

type ItemParticulars = Pick<AttentionItem, "since" | "text"> &
  Partial<
    Pick<
      AttentionItem,
      "cause" | "account" | "lane" | "documents" | "words" | "plain" | "consequence" | "until" | "actions"
    >
  >

const item = (code: AttentionCode, particulars: ItemParticulars): AttentionItem => ({
  code,
  cause: null,
  account: null,
  lane: null,
  documents: 0,
  words: particulars.text,
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
    ...unwritten(health),
    ...imports(health),
    ...health.refused.map(notTaken),
    ...health.conflicts.map(conflict),
    ...stops(health),
    ...health.lanes.flatMap((lane) => [
      ...health.stuck.filter((one) => one.lane === lane.lane).map((one) => stuck(one, lane)),
      ...unanswered(lane, health, limits),
      ...waiting(lane, health, limits)
    ]),
    ...horizon(health, limits),
    ...unprovenAnswers(health, "needs-operator"),
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
 * Returns what waits for the gateway and needs no operator yet: failures that prove nothing. Not
 * part of `of`.
 */
export const pending = (health: Health): ReadonlyArray<AttentionItem> => unprovenAnswers(health, "pending")

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
 * True if the account is not used any more and has nothing left to send: its stop ends without an
 * action.
 */
const isOver = ({ seenAt, source, subject }: KeptNotice, { at, lanes }: Health): boolean =>
  source === "opening" &&
  Duration.isGreaterThan(DateTime.distance(seenAt, at), Patience.stopCounts.is) &&
  !lanes.some(({ accounts, counts }) => accounts.includes(subject) && (counts.Planned ?? 0) > 0)

const laneStops: Readonly<Record<string, StopCause>> = {
  KEY_REFUSED: "credentials",
  SECRET_REFUSED: "credentials",
  DEVICE_MISSING: "not-found",
  DEVICE_CHANGED: "device-changed",
  CLOCK_WRONG: "clock",
  STORE_OLDER: "store-older",
  STORE_UNPROVEN: "store-unproven",
  STORE_BEHIND: "store-behind",
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

const causeOfStop = (code: string): StopCause => laneStops[code] ?? "device-refuses"

/** True if a stopped lane shows the notice. A stop of the store is shown for all accounts. */
const isShown = ({ code, source, subject }: KeptNotice, { lanes }: Health): boolean => {
  if (source !== "opening" || (code in AccountFinding && !(code in laneStops))) return false
  const cause = causeOfStop(code)
  if (isOfStore(cause)) return lanes.length > 0
  return lanes.some(({ accounts, stop }) => accounts.includes(subject) && stop?.cause === cause)
}

const isOpeningCode = (code: string): code is keyof typeof AccountFinding => Object.hasOwn(AccountFinding, code)

const isDayCode = (code: string): code is DayCode =>
  code in texts && (code.startsWith("DAY_") || code === "RECEIPT_NOT_OURS")

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
          ...(code === "RECEIPT_NOT_OURS"
            ? (["others", "alone"] as const).map((stated) => settles({ do: "other-programs", stated }, account))
            : []),
          ...(acknowledgeable.has(code) ? [settles({ do: "acknowledge-day", day }, account)] : [])
        ]
      })
    ]
  }
  // a store of another version may have a code that this one does not know
  const isWarning = isOpeningCode(code) && AccountFinding[code].severity === "warning"
  const steps = code === "LIVE_NOT_ALLOWED" ? allowed : isWarning ? checked : stopSteps[causeOfStop(code)]
  const actions = actionsOf(steps, [subject])
  const about = { since, account: subject, cause: code, actions }
  // the opening goes on without a check
  if (isWarning) return [item("STORE_UNGUARDED", { ...about, text, plain: `${code} (account ${subject})` })]
  return [
    item("ACCOUNT_STOPPED", {
      ...about,
      text: `nothing is sent for the account ${subject}: ${text}`,
      plain: `nothing is sent for the account ${subject} (${code})`
    })
  ]
}

/** Steps after which the stop is gone, in the order in which to try them. */
type Steps = readonly [Step, ...ReadonlyArray<Step>]

const allowed: Steps = [{ do: "resume", live: "allowed" }]
const checked: Steps = [{ do: "doctor" }]
const looked: Steps = [{ do: "doctor" }, { do: "resume" }]
const unproven: Steps = [{ do: "accept-older" }, { do: "resume" }]
const behind: Steps = [{ do: "other-programs", stated: "others" }, ...unproven]
const moved: Steps = [{ do: "doctor" }, { do: "repin" }]

const stopSteps: Readonly<Record<StopCause, Steps>> = {
  "store-older": unproven,
  "store-unproven": unproven,
  "store-behind": behind,
  "device-changed": moved,
  limited: checked,
  "mark-in-future": checked,
  credentials: looked,
  "not-found": looked,
  misdirected: looked,
  "not-sent": looked,
  "device-refuses": looked,
  "same-failure": looked,
  clock: looked
}

const ofStore: ReadonlySet<Step["do"]> = new Set(["accept-older"])

/** Returns the actions for the accounts of a device. Moves only a single account. */
const actionsOf = (steps: Steps, accounts: ReadonlyArray<string>): ReadonlyArray<Action> =>
  steps.flatMap((step) => {
    const isOne = accounts.length === 1
    if (step.do === "repin" && !isOne) return []
    // any account names its device
    const account = isOne || step.do === "other-programs" ? (accounts[0] ?? null) : null
    return [(step.do === "doctor" ? shows : settles)(step, ofStore.has(step.do) ? null : account)]
  })

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

const documentsIn = (count: number, noun = "document"): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const notTaken = ({ account, cause, count, first, fiscalised, since }: RefusedCause): AttentionItem => {
  const documents = documentsIn(count, cause === NotTakenFinding.FILE_REFUSED.code ? "file" : "document")
  const more = count > first.length ? " and others" : ""
  const sent =
    fiscalised === 0 ? "" : `; ${fiscalised} of them already fiscalised, so look at what the source states now`
  const names = `${first.join(", ")}${more}`
  const about = (of: string) => `${documents} given to the account ${account} cannot be sent (${cause})${of}${sent}`
  return item("IMPORT_REFUSED", {
    since,
    account,
    cause,
    documents: count,
    text: about(`: ${names}`),
    words: `${names} cannot be sent${sent}`,
    plain: about(""),
    actions: [shows({ do: "why", code: cause }), settles({ do: "dismiss", cause }, account)]
  })
}

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

const untilAgreed = "The item ends when receipts and source agree, or when an operator dismisses it with a reason."

/** Returns what an item about the receipts of a document means, where it is more than a doubt. */
const meantBy = ({ cause, code }: OpenConflicts): Partial<Pick<AttentionItem, "consequence" | "until">> => {
  if (cause === "no-receipt")
    return {
      consequence: "The documents may still be sent.",
      until: "The item stays until they are withdrawn, or issued again in the source."
    }
  if (isOfSource(code)) return { consequence: "The tax is due as the receipts state it.", until: untilAgreed }
  return code === "DOUBLE_FISCALISED" ? { consequence: "The tax of the documents is due twice." } : {}
}

const conflict = (conflicts: OpenConflicts): AttentionItem => {
  const { account, cause, code, count, first, lane, since } = conflicts
  const names = namesOf(first, count)
  const none = cause === "no-receipt" ? "; the source has cancelled it, and no receipt was made" : ""
  return item(code === "PROOF_MISSING" ? code : "CONFLICT", {
    since,
    account,
    lane,
    cause: cause === "missing" || cause === "unreadable" ? cause : code,
    documents: count,
    text: `${code}: ${documentsIn(count)} (${names})${none}`,
    words: `look at ${names}${none}`,
    plain: `${code}: ${count} of account ${account}`,
    actions: [
      ...first.flatMap((one) => [
        ...(cause !== "no-receipt" && isOfSource(code) && one.key.kind === "invoice"
          ? [shows({ do: "credit" }, account, one)]
          : []),
        shows({ do: "explain" }, account, one),
        ...conflictSteps(code, cause, account, one)
      ]),
      ...(count > 1 ? permittedTogether([allAcknowledged], account, first, "some") : [])
    ],
    ...meantBy(conflicts)
  })
}

/** A proof that is missing of many receipts can be acknowledged for all of them. */
const allAcknowledged: Step = {
  do: "resolve",
  as: "acknowledged",
  of: { state: "Fiscalised", conflict: "PROOF_MISSING" }
}

/**
 * The first decision that the store would accept. An acknowledgment does not decide if the document
 * has a receipt.
 */
const conflictSteps = (
  code: OpenConflicts["code"],
  cause: OpenConflicts["cause"],
  account: string,
  one: DecidableDocument
) => {
  const acknowledged: ReadonlyArray<Step> =
    code === "SUCCESS_AND_FAILURE" ? [] : [{ do: "resolve", as: "acknowledged" }]
  // a decision about a request does not answer the source
  const ofRequest = isOfSource(code) ? [] : [fiscalised]
  const steps = cause === "no-receipt" ? [withdraw] : [...acknowledged, ...ofRequest]
  return steps
    .filter((step) => isPermitted(step, one))
    .slice(0, 1)
    .map((step) => settles(step, account, one))
}

const isPermitted = (step: Step, { facts }: DecidableDocument): boolean => {
  const decision = decisionOf(step)
  return decision === null || refusalNow(facts, decision) === null
}

const permittedTogether = (
  steps: ReadonlyArray<Step>,
  account: string,
  documents: ReadonlyArray<DecidableDocument>,
  accepts: "some" | "every"
): ReadonlyArray<Action> =>
  steps.flatMap((step) => {
    const decision = decisionOf(step)
    if (decision === null || !("of" in step) || typeof step.of !== "object") return [wide(step, account)]
    const { cause, conflict, text } = step.of
    const by = { by: "property", cause, conflict, mask: text === undefined ? undefined : mask(text, null) } as const
    return documents[accepts](
      ({ facts }) => (refusalNow(facts, decision) ?? refusalTogether(facts, decision, by)) === null
    )
      ? [settles(step, account)]
      : []
  })

/** Returns the stops of lanes. A stop of the store is one item for all lanes. */
const stops = ({ at, conflicts, lanes }: Health): ReadonlyArray<AttentionItem> => {
  const first = lanes.findIndex(({ stop }) => isOfStore(stop?.cause ?? null))
  return lanes.flatMap(({ accounts, lane, oldest, stop, stoppedAt }, n) => {
    const isStore = isOfStore(stop?.cause ?? null)
    if (stop === null || (isStore && n !== first)) return []
    // the account has its device: the stop ends when the receipts of another are settled
    const receipts =
      stop.cause === "device-changed" ? conflicts.filter((one) => one.lane === lane && one.code === "OTHER_DEVICE") : []
    const what = isStore ? "nothing is sent" : `device ${deviceOf(lane)} is stopped`
    // a stop for receipts that the store lacks names their device
    const named = isStore ? lanes.toSorted((one) => (stop.text.includes(one.lane) ? -1 : 1)) : [{ accounts }]
    const actions = actionsOf(
      receipts.length === 0 ? stopSteps[stop.cause] : checked,
      named.flatMap((one) => one.accounts)
    )
    return [
      item("STOPPED", {
        since: stoppedAt ?? oldest.Planned ?? at,
        lane: isStore ? null : lane,
        cause: stop.cause,
        text: `${what} (${stop.cause}): ${stop.text}`,
        words: `${what}: ${stop.text}`,
        plain: `${what} (${stop.cause})`,
        until:
          stop.retryAt === null
            ? texts.STOPPED.until
            : `The device is tried again at ${DateTime.formatIso(stop.retryAt)}; the stop ends when that succeeds.`,
        actions: [...actions, ...receipts.flatMap((one) => conflict(one).actions)]
      })
    ]
  })
}

type DecidingStep = Exclude<Step, { readonly do: "withdraw" }>

type StuckDecisions = { readonly code: AttentionCode; readonly end: string } & (
  | {
      /** By its number, after a look: `explain` comes first. */
      readonly query: "each"
      readonly actions: Steps
    }
  | {
      /** By state and cause, after a preview. Withdrawing is never the first or the only one. */
      readonly query: "together"
      readonly actions: readonly [DecidingStep, ...ReadonlyArray<Step>]
    }
)

const fiscalised: DecidingStep = { do: "resolve", as: "fiscalised" }
const resend: DecidingStep = { do: "resolve", as: "resend" }
const notProcessed: Step = { do: "resolve", as: "not-processed" }
const withdraw: Step = { do: "withdraw" }
const correct: DecidingStep = { do: "import-again" }

const held = { code: "HELD", end: "The item stays until an operator decides about each document." } as const
// a receipt may exist: recorded first, and sent only by a decision about this document
const afterLook: StuckDecisions = { ...held, query: "each", actions: [fiscalised, resend, withdraw] }
const refused = { code: "FAILED_AT_GATEWAY", query: "each", end: texts.FAILED_AT_GATEWAY.until } as const

const ofNote = {
  ...refused,
  end: "The item stays until the invoice is credited again, or the note is withdrawn."
} as const

const ofState: Readonly<Record<Exclude<StuckState, "Held">, StuckDecisions>> = {
  Unknown: { code: "UNKNOWN", query: "each", actions: [fiscalised, notProcessed], end: texts.UNKNOWN.until },
  Expired: { code: "EXPIRED", query: "each", actions: [fiscalised, withdraw], end: texts.EXPIRED.until },
  // a final rejection is not sent again: `explain` names the decisions about each document
  Rejected: { ...refused, actions: [correct, withdraw] },
  Declined: { ...refused, actions: [resend, correct, withdraw] }
}

const ofCause: Readonly<Record<HoldCause, StuckDecisions>> = {
  late: { ...held, query: "together", actions: [resend, fiscalised, withdraw], end: texts.HELD.until },
  historical: { ...held, query: "together", actions: [resend, fiscalised, withdraw], end: texts.HELD.until },
  original: {
    ...held,
    query: "each",
    // a resume sends only an original that still waits
    actions: [correct, { do: "resume" }, withdraw],
    end: "They are released automatically when their originals are fiscalised; or until they are withdrawn."
  },
  outdated: {
    ...held,
    query: "each",
    actions: [fiscalised, withdraw],
    end: "The item stays until the documents are issued again in the source and these are withdrawn."
  },
  credited: { ...held, query: "each", actions: [fiscalised, withdraw] },
  // `explain` shows whether the statement that it was not processed can be repeated
  contradicted: { ...held, query: "each", actions: [fiscalised] },
  operator: afterLook,
  "before-start": afterLook,
  "older-copy": afterLook,
  "rejection-unconfirmed": afterLook,
  duplicate: { ...held, query: "each", actions: [{ do: "resolve", as: "same" }, fiscalised, resend, withdraw] },
  replaces: {
    ...afterLook,
    end: "They are released automatically when what they replace is credited in full; or until an operator decides."
  }
}

/**
 * The decision that makes a receipt first. The code of a receipt rule is the document's own fault.
 */
const ofFailure = ({ cause, nature }: Pick<Rejection, "nature"> & { readonly cause: string }): StuckDecisions =>
  nature === "final"
    ? ofState.Rejected
    : {
        ...refused,
        query: "together",
        actions: isReceiptRule(cause) ? [correct, resend, withdraw] : [resend, correct, withdraw]
      }

/**
 * Returns the steps about a note that was prepared here and is refused. The gateway knows a credit
 * that the store does not have (RCPT035), or the note is computed again and sent.
 */
const ofPrepared = ({ cause, preparedFor }: DecidableDocument["facts"]): Steps => {
  const { from, receipt, to } = preparedFor!
  if (cause === "RCPT035") return [{ do: "reconcile", from, to }, withdraw]
  return [{ do: "credit", ...(receipt !== null && { receipt }) }, withdraw]
}

const isRefusedNote = ({ facts: { preparedFor, state } }: DecidableDocument): boolean =>
  preparedFor !== null && (state === "Rejected" || state === "Declined")

/** Returns the actions for a note that was prepared here and is refused. Empty for others. */
export const ofRefusedNote = (one: DecidableDocument): ReadonlyArray<Action> =>
  isRefusedNote(one) ? permittedFor(ofPrepared(one.facts), one) : []

/** Returns the steps about one document, in the order of the list of open items. */
export const ofDocument = (one: DecidableDocument): ReadonlyArray<Action> => {
  const { cause, hold, nature, state } = one.facts
  if (!isStuck(state)) return []
  const failure = nature === null && state !== "Declined" ? null : { cause, nature: nature ?? "correctable" }
  return permittedFor(decisionsOf({ cause: hold?.cause ?? null, failure, first: [one], state }).actions, one)
}

const permittedFor = (steps: ReadonlyArray<Step>, one: DecidableDocument): ReadonlyArray<Action> => {
  const { account } = one.key
  return steps
    .filter((step) => isPermitted(step, one))
    .map((step) => {
      if (ofNone.has(step.do)) return wide(step, account)
      return step.do === "credit" ? shows(step, account, one.facts.preparedFor) : settles(step, account, one)
    })
}

const decisionsOf = ({
  cause,
  failure,
  first: [one],
  state
}: Pick<StuckDocuments, "cause" | "failure" | "first" | "state">): StuckDecisions => {
  if (state === "Held") return ofCause[cause ?? "operator"]
  if (one !== undefined && isRefusedNote(one)) return { ...ofNote, actions: ofPrepared(one.facts) }
  return failure === null || failure.cause === "" ? ofState[state] : ofFailure(failure)
}

const isCode = (cause: string): boolean => /^[A-Z]+\d+$/.test(cause)

const isStill = (cause: string, { standing, stop }: LaneHealth): string => {
  if (isReceiptRule(cause)) return ""
  if (stop?.cause === "device-refuses") return "; the device refuses documents now"
  return standing.includes(cause) ? "; no later document has its receipt yet" : "; sending was continued since"
}

/** Returns the description: with the cause and the count, and without them for `words`. */
const stuckText = (documents: StuckDocuments, lane: LaneHealth): Pick<AttentionItem, "text" | "words"> => {
  const { alike, cause, count, failure, first, state } = documents
  const names = namesOf(first, count)
  const look = `look for ${names} in the gateway's portal`
  switch (state) {
    case "Unknown":
      return { text: `${names}: the outcome is not known`, words: look }
    case "Expired":
      return { text: `${count} the gateway no longer answers for (${names})`, words: look }
    case "Held": {
      const spelled =
        alike === 0
          ? ""
          : `; ${alike} ${alike === 1 ? "differs" : "differ"} from a known document only in the spelling of the number`
      const text = `${count} held (${cause ?? "no cause"}): ${names}${spelled}`
      return { text, words: `${names} ${count === 1 ? "waits" : "wait"}${spelled}` }
    }
    case "Rejected":
    case "Declined": {
      const failed = failure?.cause ?? ""
      const still = failed !== "" && state === "Rejected" ? isStill(failed, lane) : ""
      const quoted = isCode(failed) ? failed : `“${failed}”`
      return {
        text: `${failed === "" ? "" : `${quoted} · `}${count} ${state}: ${names}${still}`,
        words: `the gateway ${failed === quoted || failed === "" ? state.toLowerCase() : `says ${quoted} of`} ${names}${still}`
      }
    }
  }
}

const stuck = (documents: StuckDocuments, health: LaneHealth): AttentionItem => {
  const { account, count, failure, lane, since, state } = documents
  const { code, end } = decisionsOf(documents)
  // alerts carry the cause, and never the gateway's words
  const shared = failure !== null && isCode(failure.cause) ? failure.cause : null
  const cause = documents.cause ?? shared
  return item(code, {
    since,
    account,
    lane,
    cause: code === "FAILED_AT_GATEWAY" ? (cause ?? state) : cause,
    documents: count,
    ...stuckText(documents, health),
    plain: `${count} ${state}${cause === null ? "" : ` (${cause})`}`,
    until: end,
    actions: stuckActions(documents)
  })
}

/**
 * Documents that need a look each are listed, and the first one has its decisions; others are
 * decided about together, after a preview.
 */
const stuckActions = (documents: StuckDocuments): ReadonlyArray<Action> => {
  const { account, alike, count, failure, first, state } = documents
  const cause = documents.cause ?? (failure?.cause || null)
  const { actions, query } = decisionsOf(documents)
  const [one] = first
  const list = shows({ do: "list", state }, account)
  if (one !== undefined && (count === 1 || query === "each")) {
    // makes no receipt, and applies only to documents that differ in nothing else
    const same: Step = { do: "resolve", as: "same", of: { state, cause: "duplicate" } }
    const together = count > 1 && alike > 1 ? permittedTogether([same], account, first, "some") : []
    return [
      ...(count === 1 ? [] : [list]),
      shows({ do: "explain" }, account, one),
      ...together,
      ...permittedFor(actions, one)
    ]
  }
  const of = cause === null ? { state } : { state, cause }
  const steps = actions.map((step): Step =>
    step.do === "withdraw" || (step.do === "resolve" && step.as !== "accepted") ? { ...step, of } : step
  )
  return [list, ...permittedTogether(steps, account, first, "some")]
}

const ofNone: ReadonlySet<Step["do"]> = new Set(["resume", "import-again", "reconcile"])

const wide = (step: Step, account: string | null): Action => (step.do === "resume" ? settles : shows)(step, account)

const named = 5

/**
 * True if the failure needs an operator: a correction waits for it, its time is over, or it names
 * the device and an operator can decide now.
 */
const needsOperator =
  ({ at }: Health) =>
  ({ correction, failure }: UnprovenDocument): boolean =>
    correction === "waits" ||
    DateTime.isLessThanOrEqualTo(DateTime.addDuration(failure.firstAt, Patience.unproven.is), at) ||
    (deviceCodeOf(failure) !== null &&
      failure.personFrom !== null &&
      DateTime.isLessThanOrEqualTo(failure.personFrom, at))

const deviceCodeOf = ({ error, requestId }: UnprovenDocument["failure"]): string | null => {
  const cause = causeOf(error, requestId)
  return isCode(cause) && !isReceiptRule(cause) ? cause : null
}

const unprovenAnswers = (health: Health, which: "needs-operator" | "pending"): ReadonlyArray<AttentionItem> => {
  const groups = Map.groupBy(health.unproven, ({ failure, key, lane, mask }) =>
    JSON.stringify([key.account, lane, deviceCodeOf(failure) ?? mask])
  )
  return [...groups.values()].flatMap((documents) => {
    const [first] = documents
    if (first === undefined || documents.some(needsOperator(health)) !== (which === "needs-operator")) return []
    const { failure, key, lane } = first
    const cause = deviceCodeOf(failure)
    const ofLane = health.lanes.find((one) => one.lane === lane)
    const still = cause === null || ofLane === undefined ? "" : isStill(cause, ofLane)
    return [
      item("ANSWER_UNPROVEN", {
        since: documents.map(({ failure }) => failure.firstAt).reduce(DateTime.min),
        account: key.account,
        lane,
        cause,
        documents: documents.length,
        text: `the gateway says "${failure.error}" of ${documentsIn(documents.length)} (${namesOf(documents.slice(0, named), documents.length)}), which may still become receipts${failure.control === "same" ? "; it says the same of an id that no request has" : ""}${still}`,
        plain: `ANSWER_UNPROVEN${cause === null ? "" : ` (${cause})`}: ${documents.length} of account ${key.account}`,
        actions: [
          settles({ do: "resume" }, key.account),
          ...documents
            .slice(0, named)
            .flatMap((one) => [
              shows({ do: "explain" }, key.account, one),
              ...(isPermitted(fiscalised, one) ? [settles(fiscalised, key.account, one)] : [])
            ]),
          // the numbers of the others: each has its own decision
          ...(documents.length > named ? [shows({ do: "list", state: "Accepted" }, key.account)] : []),
          ...permittedTogether(unprovenDecisions(failure.error, cause), key.account, documents, "every")
        ]
      })
    ]
  })
}

const unprovenDecisions = (text: string, cause: string | null): ReadonlyArray<Step> => {
  const state = "Accepted"
  if (cause === null) return [{ do: "resolve", as: "rejected", of: { state, text } }]
  const of = { state, cause }
  return [
    { do: "resolve", as: "resend", of },
    { do: "resolve", as: "rejected", of }
  ]
}

const unansweredText = (requests: ReadonlyArray<UnansweredRequest>): string => {
  const each = requests.slice(0, named).map(({ by, looks, number, requestId }) => {
    const asked = looks === 0 ? "not asked for yet" : `asked for ${looks === 1 ? "once" : `${looks} times`}`
    return `${number} (request id ${requestId}${by === "operator" ? ", entered by an operator" : ""}; ${asked})`
  })
  // The list of requests is itself limited.
  const more = requests.length > named ? " and others" : ""
  return `no status has mentioned it: ${each.join(", ")}${more}`
}

const unanswered = (
  { lane }: LaneHealth,
  health: Health,
  { unansweredAfter = Patience.unanswered.is }: AttentionLimits
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
      plain: `no status has mentioned ${documentsIn(own.length)}`,
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

const unwritten = ({ at, unwritten: failure }: Health): ReadonlyArray<AttentionItem> =>
  failure === null || Duration.isLessThan(DateTime.distance(failure.since, at), Patience.unwritten.is)
    ? []
    : [
        item("STORE_UNWRITTEN", {
          since: failure.since,
          text: `a process cannot write to the store: ${failure.text}`,
          actions: [settles({ do: "resume" })]
        })
      ]

const lasting = (millis: number) =>
  millis >= 3_600_000 ? `${Math.floor(millis / 3_600_000)} h` : `${Math.floor(millis / 60_000)} min`

/**
 * Documents that should move without an operator: no process works the lane, or the wait is too
 * long.
 */
const waiting = (
  { accounts, counts, lane, leasedUntil, oldest, stop, unworkedAfterSeconds }: LaneHealth,
  { at }: Health,
  { longestWait = Patience.longestWait.is }: AttentionLimits
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
      const text = `${documentsIn(counts[state] ?? 0)} for device ${deviceOf(lane)}, and no process sends them; the oldest has waited ${lasting(age)}`
      return [item("NOT_WORKED", { ...about, cause: state, text })]
    }
    if (age <= Duration.toMillis(longestWait)) return []
    return [
      item("STUCK", {
        ...about,
        cause: state,
        text: `the oldest ${state} for device ${deviceOf(lane)} has waited ${lasting(age)}`
      })
    ]
  })
}

const horizon = (
  { at, secondsToHorizon: left }: Health,
  { retentionWarning = Patience.retentionWarning.is }: AttentionLimits
): ReadonlyArray<AttentionItem> =>
  left === null || left >= Duration.toSeconds(retentionWarning)
    ? []
    : [
        item("HORIZON_NEAR", {
          since: at,
          text:
            left > 0
              ? `an outcome can be asked for only ${lasting(left * 1000)} more`
              : "an outcome can no longer be asked for",
          actions: [settles({ do: "resume" })]
        })
      ]
