/** Configured accounts of a simulated day, with their devices, keys, secrets and settings. */
import type { AccountSettings } from "../../packages/core/src/account/AccountSettings.ts"
import type { Scenario } from "./Scenario.ts"

export const accountNames = ["shop", "till", "branch"] as const
export type AccountName = (typeof accountNames)[number]

/** Till of another company on the same device, unknown to the connector. */
export const otherTill = "other-till"

/** Device of the first lane from the start, and the device that replaces it for a while. */
export const device = 1001
export const otherDevice = 1002
/** Device of the second lane. */
export const branchDevice = 1003

export const keyOf = (account: string) => `key-${account}`

/** Returns the secret of an account. `generation`: secrets are rotated during the day. */
export const secretOf = (account: string, generation: string) => `${generation} of ${account}`

/** Returns the account with the key; an empty text if no account has the key. */
export const accountOf = (key: string | undefined): string => accountNames.find((name) => keyOf(name) === key) ?? ""

export const pinnedDevice = (account: string): number => (account === "branch" ? branchDevice : device)

export const accountsOf = ({ troubles }: Scenario): ReadonlyArray<AccountName> =>
  accountNames.filter(
    (name) =>
      name === "shop" ||
      (name === "till" && troubles.has("two-accounts")) ||
      (name === "branch" && troubles.has("two-lanes"))
  )

/** Returns the configured settings that all accounts share. */
export const policyOf = ({ troubles }: Scenario): Partial<AccountSettings> => ({
  ...(troubles.has("deduplicates") && { unknown: "resend-flagged", assumptions: { "DOC-10": "deduplicates" } }),
  ...(troubles.has("exclusive") && { credentials: "exclusive" }),
  // Outcomes arrive by webhook, or late.
  ...(troubles.has("webhooks") && troubles.has("late-looks") && { firstLook: "1 hour" })
})
