/** The consent to send a plan: only a permission to send makes one, for one plan, and it says what may happen to whom. */
import { DateTime, Effect } from "effect"
import * as HistoricalGuard from "../account/HistoricalGuard.ts"
import type { OpenAccount } from "../account/OpenAccount.ts"
import { ImportRefused } from "./ImportRefused.ts"
import type { PlannedImport } from "./Planning.ts"

declare const consent: unique symbol

/** A plan that may be sent as it is. Good for this plan alone; the permission it was made by has settled the device, live or not. */
export interface Consent {
  readonly [consent]: "made by Session.consent"
}

/** What the operator, or the author of a job, has decided about the plan. */
export interface Decisions {
  /**
   * `stop`: nothing is sent while refused documents would become late. `send-rest`: the others are sent, and what is late then is held, or
   * restamped if the book says so. Default `stop`.
   */
  readonly whenLate?: "stop" | "send-rest" | undefined
}

interface Inside {
  readonly account: OpenAccount
  readonly planned: PlannedImport
}

// a value that is not in here is no consent, whatever it looks like
const insides = new WeakMap<object, Inside>()

/** What a consent is for. Throws where the value was not made here. */
export const insideOf = (given: Consent): Inside => {
  const inside = insides.get(given)
  if (inside === undefined) throw new TypeError("this is not a consent: only Session.consent creates one")
  return inside
}

/** Whether the historical batch may still go behind the close, by what the permission has seen last. */
const behindClose = ({ assumptions, device, zone }: OpenAccount) =>
  Effect.gen(function* () {
    const passage = HistoricalGuard.check(device, DateTime.setZone(yield* DateTime.now, zone), assumptions["HIST-1"])
    if (passage._tag === "Permitted") return
    const { because, fix } = passage
    return yield* new ImportRefused({ reason: { _tag: "HistoricalRefused", because, fix } })
  })

/**
 * Consents to a plan. Fails where the device does not permit a historical batch, where refused documents would become late and nothing was
 * decided about them, and where the plan was made for another device than the permission is for.
 */
export const give = (
  account: OpenAccount,
  planned: PlannedImport,
  { whenLate = "stop" }: Decisions = {}
): Effect.Effect<Consent, ImportRefused> =>
  Effect.gen(function* () {
    const { passage, plan } = planned
    const { destination } = plan
    const { account: name, lane } = account.destination
    if (destination.account !== name || destination.lane !== lane) {
      const planned = `account ${destination.account}, device ${destination.lane}`
      return yield* new ImportRefused({
        reason: { _tag: "OtherDestination", planned, now: `account ${name}, device ${lane}` }
      })
    }
    if (passage === "historical") yield* behindClose(account)
    const { wouldBecomeLate } = plan
    if (wouldBecomeLate.count > 0 && whenLate === "stop") {
      return yield* new ImportRefused({ reason: { _tag: "WouldBecomeLate", overtaken: wouldBecomeLate } })
    }
    const given = Object.freeze({}) as Consent
    insides.set(given, { account, planned })
    return given
  })
