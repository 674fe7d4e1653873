/** The configured accounts: which there are, which device each feeds, and how each is sent for. */
import type { AccountSettings } from "@fiscal-connector/core/account/AccountSettings"
import type { Scenario } from "./Scenario.ts"

export const accountNames = ["shop", "till", "branch"] as const
export type AccountName = (typeof accountNames)[number]

/** Somebody else's till on the same device, which the connector knows nothing of. */
export const otherTill = "other-till"

/** The device of the first lane from the start, and the one that takes its place for a while. */
export const device = 1001
export const otherDevice = 1002
/** The second lane's. */
export const branchDevice = 1003

export const keyOf = (account: string) => `key-${account}`

/** `generation`: secrets are exchanged while the day goes on. */
export const secretOf = (account: string, generation: string) => `${generation} of ${account}`

/** Whose key it is; an empty text where it is nobody's. */
export const accountOf = (key: string | undefined): string => accountNames.find((name) => keyOf(name) === key) ?? ""

export const pinnedDevice = (account: string): number => (account === "branch" ? branchDevice : device)

export const accountsOf = ({ troubles }: Scenario): ReadonlyArray<AccountName> =>
  accountNames.filter(
    (name) =>
      name === "shop" ||
      (name === "till" && troubles.has("two-accounts")) ||
      (name === "branch" && troubles.has("two-lanes"))
  )

/** What the configuration says of every account. */
export const policyOf = ({ troubles }: Scenario): Partial<AccountSettings> => ({
  ...(troubles.has("deduplicates") && { unknown: "resend-flagged", assumptions: { "DOC-10": "deduplicates" } }),
  ...(troubles.has("exclusive") && { credentials: "exclusive" }),
  // outcomes come by webhook, or late
  ...(troubles.has("webhooks") && troubles.has("late-looks") && { firstLook: "1 hour" })
})
