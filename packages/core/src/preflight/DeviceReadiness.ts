/** What concerns every document of a device: whether it takes receipts at all (DEV01, DEV05). Pure; to be asked before the first request. */
import * as Finding from "../finding/Finding.ts"
import type { Rule } from "./Rule.ts"
import type { FiscalDevice } from "../gateway/operation/FiscalDevice.ts"
import type { Subscription } from "../gateway/operation/Subscription.ts"
import { rule } from "./ReceiptRule.ts"

export const DEV01 = rule(
  "DEV01",
  "refuse",
  "The device is not active, or is switched off",
  "Have the device activated or switched on in the gateway's portal, then resume what was stopped."
)
export const DEV05 = rule(
  "DEV05",
  "refuse",
  "The taxpayer of the device is not active",
  "Ask the authority; the gateway does not show it before a receipt is refused."
)
export const SUBSCRIPTION_INACTIVE = rule(
  "SUBSCRIPTION_INACTIVE",
  "refuse",
  "The device's subscription is not active",
  "Renew it in the gateway's portal, then resume what was stopped."
)

/** Codes about the device as a whole. */
export const deviceCodes: ReadonlyArray<Rule> = [DEV01, DEV05, SUBSCRIPTION_INACTIVE]

/** Why nothing may be sent to the device now; empty when it stands. `subscription` null: the gateway has none (404); undefined: it was not asked. */
export const check = (
  device: Pick<FiscalDevice, "deviceId" | "isActive" | "isSwitchedOn">,
  subscription: Pick<Subscription, "status" | "isDeleted"> | null | undefined
): ReadonlyArray<Finding.Finding> => {
  const name = `the device ${device.deviceId}`
  return [
    ...(device.isActive ? [] : [Finding.make(DEV01, { message: `${name} is not active` })]),
    ...(device.isSwitchedOn ? [] : [Finding.make(DEV01, { message: `${name} is switched off` })]),
    ...subscriptionProblems(subscription).map((problem) =>
      Finding.make(SUBSCRIPTION_INACTIVE, { message: `the subscription of ${name} ${problem}` })
    )
  ]
}

/** What the gateway says of it counts, not its date of expiry: it may be renewed by itself. */
const subscriptionProblems = (subscription: Parameters<typeof check>[1]): ReadonlyArray<string> => {
  if (subscription === undefined) return []
  if (subscription === null) return ["is not available"]
  if (subscription.isDeleted === true) return ["is deleted"]
  return subscription.status.toLowerCase() === "active" ? [] : [`has the status ${subscription.status}`]
}
