/** Only an open account (the permission to send) can give a consent, after the checks below. */
import { DateTime, Effect } from "effect"
import * as HistoricalGuard from "../account/HistoricalGuard.ts"
import type { OpenAccount } from "../account/OpenAccount.ts"
import type { StoreError } from "../submission/ledger/StoreError.ts"
import type { SubmissionStore } from "../submission/SubmissionStore.ts"
import * as RefusedNotes from "./RefusedNotes.ts"
import { ImportRefused, type LateStop } from "./ImportRefused.ts"
import type { PlannedImport } from "./Planning.ts"
import * as UsedMappings from "./UsedMappings.ts"

declare const consent: unique symbol

/**
 * A plan with permission to be sent unchanged. Valid for this plan only. The account's permission
 * has already decided whether the device may be a live device.
 */
export interface Consent {
  readonly [consent]: "made by Session.consent"
}

/**
 * Treatment of refused documents that the plan would make late. `stop`: nothing is sent.
 * `send-rest`: the other documents are sent, unless too many would become late; late documents are
 * then held, or restamped if the mapping book says so. `send-rest-beyond-limit`: the same for any
 * number, by an operator who has seen the plan.
 */
export type WhenLate = "stop" | "send-rest" | "send-rest-beyond-limit"

/** Decisions of the operator, or of a job's author, about the plan. */
export interface Decisions {
  /** Default `send-rest`; `stop` for a historical batch, where an operator is present. */
  readonly whenLate?: WhenLate | undefined
  /** Origin of the documents, for what the store remembers of refused ones. Default `documents`. */
  readonly source?: string | undefined
}

interface ConsentParts {
  readonly account: OpenAccount
  readonly planned: PlannedImport
}

// Genuine consents. Any value that is missing here is not a consent.
const insides = new WeakMap<object, ConsentParts>()

/**
 * Returns the account and the plan of a consent. Throws a TypeError if the value was not made by
 * `give`.
 */
export const insideOf = (given: Consent): ConsentParts => {
  const inside = insides.get(given)
  if (inside === undefined) throw new TypeError("this is not a consent: only Session.consent creates one")
  return inside
}

/** Uses the device state last seen by the permission; sends no request. */
const behindClose = ({ assumptions, device, zone }: OpenAccount) =>
  Effect.gen(function* () {
    const permit = HistoricalGuard.check(device, DateTime.setZone(yield* DateTime.now, zone), assumptions["HIST-1"])
    if (permit._tag === "Permitted") return
    const { fix, text } = permit
    return yield* new ImportRefused({ reason: { _tag: "HistoricalRefused", text, fix } })
  })

/** Documents of one cause that may become late: one wrong setting can refuse everything. */
const mostOfOneCause = 20
/** Share of a plan that may become late, for ten documents or more. */
const mostOfPlan = { documents: 10, share: 0.1 }

const lateStop = (
  { documents, wouldBecomeLate: { causes, count } }: PlannedImport["plan"],
  whenLate: WhenLate
): LateStop | undefined => {
  if (count === 0 || whenLate === "send-rest-beyond-limit") return undefined
  if (whenLate === "stop") return "any"
  const isTooMany =
    causes.some((cause) => cause.documents + cause.earlier > mostOfOneCause) ||
    (count >= mostOfPlan.documents && count > documents * mostOfPlan.share)
  return isTooMany ? "too-many" : undefined
}

/**
 * Consents to a plan. Fails with ImportRefused in four cases: the gateway lacks codes of the plan,
 * the device does not permit a historical batch, refused documents would become late and
 * `whenLate` does not permit it, or the plan was made for another account or device. A stop
 * because of late documents is recorded with the refused documents.
 */
export const give = (
  account: OpenAccount,
  planned: PlannedImport,
  { whenLate = planned.timing === "historical" ? "stop" : "send-rest", source = RefusedNotes.unnamed }: Decisions = {}
): Effect.Effect<Consent, ImportRefused | StoreError, SubmissionStore> =>
  Effect.gen(function* () {
    const { timing, plan } = planned
    const { destination } = plan
    const { account: name, lane } = account.destination
    if (destination.account !== name || destination.lane !== lane) {
      const planned = `account ${destination.account}, device ${destination.lane}`
      return yield* new ImportRefused({
        reason: { _tag: "OtherDestination", planned, now: `account ${name}, device ${lane}` }
      })
    }
    yield* UsedMappings.requireNone(planned.missing)
    if (timing === "historical") yield* behindClose(account)
    const stops = lateStop(plan, whenLate)
    if (stops !== undefined) {
      yield* RefusedNotes.stopped(plan, source)
      const reason = { _tag: "WouldBecomeLate", overtaken: plan.wouldBecomeLate, stops } as const
      return yield* new ImportRefused({ reason })
    }
    const given = Object.freeze({}) as Consent
    insides.set(given, { account, planned })
    return given
  })
