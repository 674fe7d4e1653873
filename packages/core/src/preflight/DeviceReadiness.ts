/**
 * Checks if a device accepts receipts at all (DEV01, DEV05); call before the first request. Pure.
 */
import * as Finding from "../finding/Finding.ts"
import type { Rule } from "../finding/Rule.ts"
import { type AssumptionSwitches, defaults } from "../gateway/contract/AssumptionSwitches.ts"
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import type { Subscription } from "../gateway/operation/Subscription.ts"
import { rule } from "../finding/ReceiptRule.ts"

export const DEV01 = rule(
  "DEV01",
  "refuse",
  "The device is not active, or is switched off",
  "Activate the device or switch it on in the gateway's portal, then resume sending."
)
export const DEV05 = rule(
  "DEV05",
  "refuse",
  "The taxpayer of the device is not active",
  "Ask the authority to activate the taxpayer; the gateway shows this state only when a receipt is refused."
)
export const SUBSCRIPTION_INACTIVE = rule(
  "SUBSCRIPTION_INACTIVE",
  "refuse",
  "The device's subscription is not active",
  "Renew the subscription in the gateway's portal, then resume sending."
)

export const SUBSCRIPTION_UNKNOWN = {
  ...rule(
    "SUBSCRIPTION_UNKNOWN",
    "yellow",
    "The gateway reports an unknown state of the subscription, or has no subscription",
    "Check the subscription in the gateway's portal. If this state must stop the account, set the switch SUB-1 (or SUB-1b for a missing subscription) to stop."
  ),
  consequence: "Documents are sent; if the subscription is not active, the device refuses them."
}

export const deviceCodes: ReadonlyArray<Rule> = [DEV01, DEV05, SUBSCRIPTION_INACTIVE, SUBSCRIPTION_UNKNOWN]

/** Without case and separators. Every other state except `active` is unknown (SUB-1). */
const ended: ReadonlySet<string> = new Set([
  "cancelled",
  "canceled",
  "expired",
  "suspended",
  "terminated",
  "inactive",
  "disabled",
  "deleted",
  "ended",
  "paused"
])

type ReadinessSwitches = Pick<AssumptionSwitches, "SUB-1" | "SUB-1b">

/**
 * Returns problems that affect sending to the device now; empty if none, only warnings if sending
 * may continue.
 *
 * `subscription` null: the gateway does not have a subscription (404); undefined: the gateway was
 * not asked.
 */
export const check = (
  device: Pick<FiscalDevice, "deviceId" | "isActive" | "isSwitchedOn">,
  subscription: Pick<Subscription, "status" | "isDeleted"> | null | undefined,
  switches: ReadinessSwitches = defaults
): ReadonlyArray<Finding.Finding> => {
  const name = `the device ${device.deviceId}`
  return [
    ...(device.isActive ? [] : [Finding.make(DEV01, { message: `${name} is not active` })]),
    ...(device.isSwitchedOn ? [] : [Finding.make(DEV01, { message: `${name} is switched off` })]),
    ...subscriptionProblems(subscription, switches).map(({ code, text }) =>
      Finding.make(code, { message: `the subscription of ${name} ${text}` })
    )
  ]
}

interface ReadinessProblem {
  readonly code: Rule
  readonly text: string
}

/** Ignores the expiry date: a subscription may renew automatically. */
const subscriptionProblems = (
  subscription: Parameters<typeof check>[1],
  switches: ReadinessSwitches
): ReadonlyArray<ReadinessProblem> => {
  if (subscription === undefined) return []
  const problem = (text: string, isUnknown: "stop" | "warn"): ReadonlyArray<ReadinessProblem> => [
    { code: isUnknown === "stop" ? SUBSCRIPTION_INACTIVE : SUBSCRIPTION_UNKNOWN, text }
  ]
  if (subscription === null) return problem("is not available (404)", switches["SUB-1b"])
  if (subscription.isDeleted === true) return problem("is deleted", "stop")
  const status = subscription.status.toLowerCase().replace(/[\s_-]+/g, "")
  if (status === "active") return []
  return problem(`has the status ${subscription.status}`, ended.has(status) ? "stop" : switches["SUB-1"])
}
